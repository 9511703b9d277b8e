/* Penalties and bounds on coefficients, on standardised sums of products; see penalised.h. */
#include "fit/penalised.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit/coordinate_descent.h"

/* Of the mean square of a column: less of it around the mean is rounding, the column being constant. */
static double const least_variance = 1e-24;

/* glmnet's: the alpha that the path of smaller ones is made for; when the path ends, and not before how many values. */
static double const least_alpha = 1e-3, least_gain = 1e-5, most_explained = 0.999;
enum { FIRST_VALUES = 5 };

/* In what follows column 0 is the ones, slope j is column j, from 1, and the response is column `width - 1`. */
struct crux_penalised {
	size_t slopes;
	size_t width;
	crux_scaling scaling;
	double weight;    /* of all rows */
	crux_dd *means;   /* or 0 */
	double *spreads;  /* what columns are divided by; 0 for a constant, whose coefficient is 0 */
	double *products; /* width x width: mean products of the columns around their means over their spreads */
	double *other;    /* the same of other rows */
	double *b;        /* coefficients between columns over their spreads */
	double *bounds;   /* of b: lower, then upper */
	double *work;
};

static double *new_numbers(size_t count)
{
	return calloc(count, sizeof(double));
}

bool crux_penalised_is_flat(const crux_penalised *self)
{
	return self->spreads[self->width - 1] == 0;
}

/* What the response is divided by: 1 when all responses are the same. */
static double response_spread(const crux_penalised *self)
{
	return crux_penalised_is_flat(self) ? 1 : self->spreads[self->width - 1];
}

static double spread_of(const crux_penalised *self, size_t column)
{
	return column + 1 == self->width ? response_spread(self) : self->spreads[column];
}

/* A number of a column, over the scale that the gram has for it or, with a sign of -1, times it. */
static double scaled(const crux_gram *gram, size_t column, double x, int sign)
{
	return ldexp(x, -sign * crux_gram_scale(gram, column));
}

static crux_dd scaled_mean(const crux_penalised *self, const crux_gram *gram, size_t j)
{
	return (crux_dd){scaled(gram, j, self->means[j].high, 1), scaled(gram, j, self->means[j].low, 1)};
}

/* A sum of products of columns i <= j around the means, over their scales. */
static double central(const crux_penalised *self, crux_gram *gram, size_t i, size_t j)
{
	const crux_dd *const sums = crux_gram_sums(gram), *const row = sums + i * self->width;
	crux_dd const mean = scaled_mean(self, gram, j);
	crux_dd const sum = crux_dd_less(row[j], mean, sums[i]), rest = crux_dd_less(sums[j], mean, sums[0]);
	return crux_dd_less(sum, scaled_mean(self, gram, i), rest).high;
}

static void find_products(const crux_penalised *self, crux_gram *gram, double *products)
{
	size_t const width = self->width;
	memset(products, 0, width * width * sizeof *products);
	for (size_t i = 1; i < width; i++) {
		for (size_t j = i; j < width; j++) {
			double const spread = scaled(gram, i, spread_of(self, i), 1), other = scaled(gram, j, spread_of(self, j), 1);
			if (spread > 0 && other > 0)
				products[i * width + j] = central(self, gram, i, j) / self->weight / spread / other;
			products[j * width + i] = products[i * width + j];
		}
	}
}

/* The mean square of a column around its mean, or around 0 where that is its scale; 0 for what is rounding. Over the square
 * of the gram's scale. */
static double variance(const crux_penalised *self, crux_gram *gram, size_t j)
{
	const crux_dd *const sums = crux_gram_sums(gram);
	crux_dd const square = sums[j * self->width + j];
	if (self->scaling == CRUX_NORM || (self->scaling == CRUX_DEVIATION && j + 1 == self->width))
		return square.high / self->weight;
	double const rest = crux_dd_less(square, crux_dd_divide(sums[j], sums[0]), sums[j]).high;
	return rest > least_variance * square.high ? rest / self->weight : 0;
}

static void standardise(crux_penalised *self, crux_gram *gram)
{
	const crux_dd *const sums = crux_gram_sums(gram);
	self->weight = sums[0].high;
	for (size_t j = 1; j < self->width; j++) {
		crux_dd const mean = crux_dd_divide(sums[j], sums[0]);
		if (self->scaling == CRUX_CENTRED)
			self->means[j] = (crux_dd){scaled(gram, j, mean.high, -1), scaled(gram, j, mean.low, -1)};
		self->spreads[j] = scaled(gram, j, sqrt(variance(self, gram, j)), -1);
	}
	find_products(self, gram, self->products);
}

crux_penalised *crux_penalised_new(crux_gram *gram, size_t slopes, crux_scaling scaling)
{
	crux_penalised *self = calloc(1, sizeof *self);
	if (!self)
		return NULL;
	size_t const width = slopes + 2;
	self->slopes = slopes;
	self->width = width;
	self->scaling = scaling;
	self->means = calloc(width, sizeof *self->means);
	self->spreads = new_numbers(width);
	self->products = new_numbers(width * width);
	self->other = new_numbers(width * width);
	self->b = new_numbers(width);
	self->bounds = new_numbers(2 * width);
	self->work = new_numbers(crux_descent_work(width));
	if (self->means && self->spreads && self->products && self->other && self->b && self->bounds && self->work) {
		standardise(self, gram);
		return self;
	}
	crux_penalised_free(self);
	return NULL;
}

void crux_penalised_free(crux_penalised *self)
{
	if (!self)
		return;
	free(self->means);
	free(self->spreads);
	free(self->products);
	free(self->other);
	free(self->b);
	free(self->bounds);
	free(self->work);
	free(self);
}

size_t crux_penalised_slopes(const crux_penalised *self)
{
	return self->slopes;
}

/* The problem that coordinate descent is given. */
static crux_descent descent_of(crux_penalised *self, double alpha, double lambda)
{
	double const strength = lambda / response_spread(self);
	return (crux_descent){.n = self->slopes,
	                      .stride = self->width,
	                      .products = self->products + self->width + 1,
	                      .targets = self->products + (self->width - 1) * self->width + 1,
	                      .l1 = strength * alpha,
	                      .l2 = strength * (1 - alpha),
	                      .work = self->work};
}

/* The mean square of the residuals of the coefficients, over the response's spread squared. */
static double residual_square(const crux_penalised *self, const double *products)
{
	size_t const width = self->width, y = width - 1;
	double sum = products[y * width + y];
	for (size_t i = 0; i < self->slopes; i++) {
		double pull = -2 * products[y * width + i + 1];
		for (size_t j = 0; j < self->slopes; j++)
			pull += products[(i + 1) * width + j + 1] * self->b[j];
		sum += pull * self->b[i];
	}
	return fmax(sum, 0);
}

static double penalty(const crux_penalised *self, const crux_descent *problem)
{
	double sum = 0;
	for (size_t j = 0; j < self->slopes; j++)
		sum += problem->l1 * fabs(self->b[j]) + problem->l2 * self->b[j] * self->b[j] / 2;
	return sum;
}

static crux_penalised_result solve(crux_penalised *self, const crux_descent *problem, double *out)
{
	size_t const y = self->width - 1;
	crux_penalised_result result = {.rounds = crux_descent_solve(problem, self->b)};
	double const spread = response_spread(self), left = residual_square(self, self->products);
	result.objective = spread * spread * (left / 2 + penalty(self, problem));
	result.rss = spread * spread * self->weight * left;
	result.tss = spread * spread * self->weight * self->products[y * self->width + y];
	crux_dd intercept = self->means[y];
	for (size_t j = 1; j < y; j++) {
		out[j] = self->spreads[j] > 0 ? self->b[j - 1] * spread / self->spreads[j] : 0;
		intercept = crux_dd_less(intercept, (crux_dd){out[j], 0}, self->means[j]);
	}
	out[0] = intercept.high;
	return result;
}

crux_penalised_result crux_penalised_solve(crux_penalised *self, double alpha, double lambda, double *out)
{
	crux_descent const problem = descent_of(self, alpha, lambda);
	return solve(self, &problem, out);
}

crux_penalised_result crux_penalised_bounded(crux_penalised *self, const double *lower, const double *upper, double *out)
{
	crux_descent problem = descent_of(self, 0, 0);
	double *const ends[] = {self->bounds, self->bounds + self->width};
	for (size_t j = 0; j < self->slopes; j++) {
		double const unit = self->spreads[j + 1] / response_spread(self);
		bool const counts = unit > 0;
		ends[0][j] = counts ? lower[j] * unit : -INFINITY;
		ends[1][j] = counts ? upper[j] * unit : INFINITY;
		self->b[j] = fmin(fmax(0, ends[0][j]), ends[1][j]);
	}
	problem.lower = ends[0];
	problem.upper = ends[1];
	crux_penalised_result const result = solve(self, &problem, out);
	for (size_t j = 0; j < self->slopes; j++) {
		double const before = out[j + 1]; /* on its bound but for rounding; 0 for a constant */
		double const at = self->b[j] == ends[0][j] ? lower[j] : self->b[j] == ends[1][j] ? upper[j] : before;
		out[j + 1] = fmin(fmax(at, lower[j]), upper[j]);
		out[0] -= self->means[j + 1].high * (out[j + 1] - before);
	}
	return result;
}

size_t crux_penalised_path(crux_penalised *self, double alpha, double ratio, size_t count, double *lambdas)
{
	size_t const y = self->width - 1;
	double most = 0;
	for (size_t j = 1; j < y; j++)
		most = fmax(most, fabs(self->products[y * self->width + j]));
	most *= response_spread(self) / fmax(alpha, least_alpha);
	double const whole = self->products[y * self->width + y];
	double explained = 0;
	memset(self->b, 0, self->slopes * sizeof *self->b);
	for (size_t k = 0; k < count; k++) {
		lambdas[k] = count == 1 ? most : most * pow(ratio, (double)k / (double)(count - 1));
		if (k > 0) {
			double const before = explained;
			crux_descent const problem = descent_of(self, alpha, lambdas[k]);
			crux_descent_solve(&problem, self->b);
			explained = whole - residual_square(self, self->products);
			bool const ends = explained - before < least_gain * explained || explained > most_explained;
			if (ends && k + 1 >= FIRST_VALUES)
				return k + 1;
		}
	}
	return count;
}

void crux_penalised_errors(crux_penalised *self, crux_gram *others, double alpha, size_t count, const double *lambdas,
                           double *sums)
{
	double const spread = response_spread(self);
	find_products(self, others, self->other);
	memset(self->b, 0, self->slopes * sizeof *self->b);
	for (size_t k = 0; k < count; k++) {
		crux_descent const problem = descent_of(self, alpha, lambdas[k]);
		crux_descent_solve(&problem, self->b);
		sums[k] += spread * spread * self->weight * residual_square(self, self->other);
	}
}
