/* Least squares with penalties or bounds from products of standardised columns; see penalised.h. */
#include "fit/penalised.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit/coordinate_descent.h"

/* A column is constant if its norm around its mean is at most this share of its norm: the rest is rounding. */
static double const least_deviation = 1e-12;

/* glmnet's constants: the least alpha for the start of a path; the bounds that end a path; its least number of values. */
static double const least_alpha = 1e-3, least_gain = 1e-5, most_explained = 0.999;
enum { FIRST_VALUES = 5 };

/* Column 0 is the ones, column j is that of slope j, from 1, and column `width - 1` is the response. */
struct crux_penalised {
	size_t slopes;
	size_t width;
	crux_scaling scaling;
	double weight;    /* sum over all rows */
	double *means;    /* of the columns; 0 unless they are centred */
	double *spreads;  /* scales of the columns; 0 for a constant, whose coefficient is 0 */
	double *triangle; /* width x width: R of the standardised columns, (column - mean) / spread */
	double *other;    /* the same for other rows */
	double *products; /* width x width: mean products of these columns */
	double *b;        /* coefficients of the standardised columns */
	double *bounds;   /* of b: lower, then upper */
	double *work;
};

static double *new_numbers(size_t count) { return calloc(count, sizeof(double)); }

bool crux_penalised_is_flat(const crux_penalised *self)
{
	return self->spreads[self->width - 1] == 0;
}

/* Returns the scale of the response: 1 when all responses are equal. */
static double response_spread(const crux_penalised *self)
{
	return crux_penalised_is_flat(self) ? 1 : self->spreads[self->width - 1];
}

/* Sets `to` to the triangle of the standardised columns, (column - mean) / spread; columns of constants are not set. */
static void transform(const crux_penalised *self, const double *triangle, double *to)
{
	for (size_t j = 1; j < self->width; j++) {
		double const spread = j + 1 == self->width ? response_spread(self) : self->spreads[j];
		const double *const column = triangle + j * self->width;
		for (size_t i = 0; spread > 0 && i <= j; i++)
			to[j * self->width + i] = (column[i] - self->means[j] * triangle[i]) / spread;
	}
}

static void find_products(crux_penalised *self)
{
	size_t const width = self->width;
	cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, (int)width, (int)width, 1 / self->weight, self->triangle, (int)width, 0,
	            self->products, (int)width);
	for (size_t i = 0; i < width; i++)
		for (size_t j = 0; j < i; j++)
			self->products[j * width + i] = self->products[i * width + j];
}

/* Returns the scale of a column: the root of its mean square, around its mean or, as `scaling` says, around 0; 0 if that is
 * only rounding. */
static double spread_of(const crux_penalised *self, const double *column, size_t j)
{
	bool const is_plain = self->scaling == CRUX_NORM || (self->scaling == CRUX_DEVIATION && j + 1 == self->width);
	double const whole = cblas_dnrm2((int)j + 1, column, 1), rest = is_plain ? whole : cblas_dnrm2((int)j, column + 1, 1);
	return rest > least_deviation * whole ? rest / sqrt(self->weight) : 0;
}

static void standardise(crux_penalised *self, const double *triangle)
{
	self->weight = triangle[0] * triangle[0];
	for (size_t j = 1; j < self->width; j++) {
		const double *const column = triangle + j * self->width;
		self->means[j] = self->scaling == CRUX_CENTRED ? column[0] / triangle[0] : 0;
		self->spreads[j] = spread_of(self, column, j);
	}
	transform(self, triangle, self->triangle);
	if (crux_penalised_is_flat(self)) /* clears the rounding in it */
		memset(self->triangle + (self->width - 1) * self->width, 0, self->width * sizeof(double));
	find_products(self);
}

crux_penalised *crux_penalised_new(crux_ols *ols, crux_scaling scaling)
{
	crux_penalised *self = calloc(1, sizeof *self);
	if (!self)
		return NULL;
	size_t const width = crux_ols_terms(ols) + 1;
	self->slopes = width - 2;
	self->width = width;
	self->scaling = scaling;
	self->means = new_numbers(width);
	self->spreads = new_numbers(width);
	self->triangle = new_numbers(width * width);
	self->other = new_numbers(width * width);
	self->products = new_numbers(width * width);
	self->b = new_numbers(width);
	self->bounds = new_numbers(2 * width);
	self->work = new_numbers(crux_descent_work(width));
	if (self->means && self->spreads && self->triangle && self->other && self->products && self->b && self->bounds &&
	    self->work) {
		standardise(self, crux_ols_triangle(ols));
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
	free(self->triangle);
	free(self->other);
	free(self->products);
	free(self->b);
	free(self->bounds);
	free(self->work);
	free(self);
}

size_t crux_penalised_slopes(const crux_penalised *self) { return self->slopes; }

/* Returns the problem for coordinate descent. */
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

/* Returns the sum of squared residuals of the rows of a triangle, over the response's squared spread and the weight. */
static double residual_square(crux_penalised *self, const double *triangle)
{
	double *const x = self->work;
	x[0] = 0;
	for (size_t j = 0; j < self->slopes; j++)
		x[j + 1] = -self->b[j];
	x[self->width - 1] = 1;
	cblas_dtrmv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, (int)self->width, triangle, (int)self->width, x, 1);
	return cblas_ddot((int)self->width, x, 1, x, 1) / self->weight;
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
	double const spread = response_spread(self), left = residual_square(self, self->triangle);
	result.objective = spread * spread * (left / 2 + penalty(self, problem));
	result.rss = spread * spread * self->weight * left;
	result.tss = spread * spread * self->weight * self->products[y * self->width + y];
	double intercept = self->means[y];
	for (size_t j = 1; j < y; j++) {
		out[j] = self->spreads[j] > 0 ? self->b[j - 1] * spread / self->spreads[j] : 0;
		intercept -= out[j] * self->means[j];
	}
	out[0] = intercept;
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
		out[0] -= self->means[j + 1] * (out[j + 1] - before);
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
			explained = whole - residual_square(self, self->triangle);
			bool const ends = explained - before < least_gain * explained || explained > most_explained;
			if (ends && k + 1 >= FIRST_VALUES)
				return k + 1;
		}
	}
	return count;
}

void crux_penalised_errors(crux_penalised *self, crux_ols *others, double alpha, size_t count, const double *lambdas,
                           double *sums)
{
	double const spread = response_spread(self);
	transform(self, crux_ols_triangle(others), self->other);
	memset(self->b, 0, self->slopes * sizeof *self->b);
	for (size_t k = 0; k < count; k++) {
		crux_descent const problem = descent_of(self, alpha, lambdas[k]);
		crux_descent_solve(&problem, self->b);
		sums[k] += spread * spread * self->weight * residual_square(self, self->other);
	}
}
