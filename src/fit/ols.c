/* Least squares from sums of products in double-double, refined by further passes where these are not exact enough; see
 * ols.h for the method. */
#include "fit/ols.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/double_double.h"

enum { MAX_PASSES = 20 }; /* refinement converges in 1 to 4 passes or not at all */

/* Relative errors: of the sums of products, with a reserve of 16 for the number of rows; and what is good enough for
 * estimates, seven bits behind those of a double. */
static double const sum_error = 0x1p-96, wanted_error = 0x1p-60;

/* The root of what errors of the sums may leave of a column that is a combination of others, relative to its norm. */
static double const least_tolerance = 0x1p-46;

struct crux_ols {
	size_t terms;
	size_t width; /* terms and the response: the leading dimension of every square matrix here */
	size_t rows;
	size_t rank;
	int passes;
	double log_weights;    /* but for weight_product */
	double weight_product; /* of the last weights: one logarithm for many of them */
	double last_step;      /* size of the last correction, relative to the estimates */
	crux_gram *gram;
	crux_dd *left;      /* width x width: what elimination leaves of the sums; row of a kept term: of the unit triangle */
	double *kept;       /* width x width, by columns: R of the kept columns, then Q'y in column `rank` */
	double *inverse;    /* width x width, by columns: inverse of the kept R */
	double *norms;      /* of the kept columns */
	double *work;
	size_t *order;      /* order[k]: the term of the k-th kept column */
	size_t *position;   /* position[term]: k, or terms when aliased */
	crux_dd *estimates; /* of the kept columns */
	crux_dd *gradient;  /* X'W(y - Xb) of the kept columns */
	crux_dd rss;
	crux_dd pass_rss; /* of the pass that is under way */
};

crux_ols *crux_ols_new(size_t terms)
{
	crux_ols *ols = calloc(1, sizeof *ols);
	if (!ols)
		return NULL;
	size_t const width = terms + 1;
	ols->terms = terms;
	ols->width = width;
	ols->weight_product = 1;
	ols->gram = crux_gram_new(terms);
	ols->left = calloc(width * width, sizeof *ols->left);
	ols->kept = calloc(width * width, sizeof *ols->kept);
	ols->inverse = calloc(width * width, sizeof *ols->inverse);
	ols->norms = calloc(width, sizeof *ols->norms);
	ols->work = calloc(width, sizeof *ols->work);
	ols->order = calloc(width, sizeof *ols->order);
	ols->position = calloc(width, sizeof *ols->position);
	ols->estimates = calloc(width, sizeof *ols->estimates);
	ols->gradient = calloc(width, sizeof *ols->gradient);
	if (ols->gram && ols->left && ols->kept && ols->inverse && ols->norms && ols->work && ols->order && ols->position &&
	    ols->estimates && ols->gradient)
		return ols;
	crux_ols_free(ols);
	return NULL;
}

void crux_ols_free(crux_ols *ols)
{
	if (!ols)
		return;
	crux_gram_free(ols->gram);
	free(ols->left);
	free(ols->kept);
	free(ols->inverse);
	free(ols->norms);
	free(ols->work);
	free(ols->order);
	free(ols->position);
	free(ols->estimates);
	free(ols->gradient);
	free(ols);
}

static void count_weight(crux_ols *ols, double weight)
{
	double const product = ols->weight_product * weight;
	bool const safe = product > 0x1p-500 && product < 0x1p500;
	if (!safe)
		ols->log_weights += log(ols->weight_product) + log(weight);
	ols->weight_product = safe ? product : 1;
}

void crux_ols_add_row(crux_ols *ols, size_t row, const double *const *columns, const double *response,
                      const double *weights)
{
	double const weight = weights ? weights[row] : 1;
	if (!(weight > 0))
		return;
	crux_gram_add(ols->gram, row, columns, response, weight);
	count_weight(ols, weight);
	ols->rows++;
}

void crux_ols_add(crux_ols *ols, size_t rows, const double *const *columns, const double *response, const double *weights)
{
	for (size_t row = 0; row < rows; row++)
		crux_ols_add_row(ols, row, columns, response, weights);
}

void crux_ols_merge(crux_ols *ols, crux_ols *other)
{
	crux_gram_merge(ols->gram, other->gram);
	count_weight(ols, other->weight_product);
	ols->log_weights += other->log_weights;
	ols->rows += other->rows;
}

/* Of n numbers that stand `step` apart; neither overflows nor underflows on the way. */
static double norm(const double *x, size_t step, size_t n)
{
	double scale = 0, sum = 0;
	for (size_t i = 0; i < n; i++)
		scale = fmax(scale, fabs(x[i * step]));
	if (scale == 0)
		return 0;
	for (size_t i = 0; i < n; i++)
		sum += (x[i * step] / scale) * (x[i * step] / scale);
	return scale * sqrt(sum);
}

static double root(crux_dd square)
{
	return square.high <= 0 ? 0 : sqrt(square.high);
}

/* The norm of a column over its scale. */
static double scaled_norm(const crux_ols *ols, size_t i)
{
	return root(crux_gram_sums(ols->gram)[i * ols->width + i]);
}

static double unscale(const crux_ols *ols, size_t i, double x)
{
	return ldexp(x, crux_gram_scale(ols->gram, i));
}

/* Whether elimination has left less than that share of the norm of a column. */
static bool is_spent(const crux_ols *ols, size_t i, double tolerance)
{
	double const rest = root(ols->left[i * ols->width + i]);
	return rest < fmax(tolerance, least_tolerance) * scaled_norm(ols, i) || rest == 0;
}

/* Takes the term's share out of the sums of what follows, and leaves its row divided by the pivot. */
static void eliminate(crux_ols *ols, size_t term)
{
	size_t const width = ols->width;
	crux_dd *const row = ols->left + term * width;
	for (size_t i = term + 1; i < width; i++) {
		crux_dd const factor = crux_dd_divide(row[i], row[term]);
		crux_dd *const other = ols->left + i * width;
		for (size_t j = i; j < width; j++)
			other[j] = crux_dd_less(other[j], factor, row[j]);
		row[i] = factor;
	}
}

/* Cholesky's factors of the sums, term by term but for the aliased: a pivot is the square of what is left of the column
 * after projection. */
static void reduce(crux_ols *ols, double tolerance)
{
	size_t const width = ols->width;
	memcpy(ols->left, crux_gram_sums(ols->gram), width * width * sizeof *ols->left);
	ols->rank = 0;
	for (size_t term = 0; term < ols->terms; term++) {
		ols->position[term] = ols->terms;
		if (is_spent(ols, term, tolerance))
			continue;
		eliminate(ols, term);
		ols->norms[ols->rank] = unscale(ols, term, scaled_norm(ols, term));
		ols->order[ols->rank] = term;
		ols->position[term] = ols->rank++;
	}
	for (size_t k = 0; k < ols->rank; k++) {
		const crux_dd *const row = ols->left + ols->order[k] * width;
		double const diagonal = root(row[ols->order[k]]);
		ols->kept[k * width + k] = unscale(ols, ols->order[k], diagonal);
		for (size_t j = k + 1; j <= ols->rank; j++) {
			size_t const i = j < ols->rank ? ols->order[j] : ols->terms;
			ols->kept[j * width + k] = unscale(ols, i, diagonal * row[i].high);
		}
	}
}

crux_gram *crux_ols_gram(crux_ols *ols)
{
	return ols->gram;
}

const double *crux_ols_triangle(crux_ols *ols)
{
	size_t const width = ols->width;
	memcpy(ols->left, crux_gram_sums(ols->gram), width * width * sizeof *ols->left);
	memset(ols->kept, 0, width * width * sizeof *ols->kept);
	for (size_t k = 0; k < width; k++) {
		const crux_dd *const row = ols->left + k * width;
		double const diagonal = root(row[k]);
		if (is_spent(ols, k, 0))
			continue;
		eliminate(ols, k);
		ols->kept[k * width + k] = unscale(ols, k, diagonal);
		for (size_t j = k + 1; j < width; j++)
			ols->kept[j * width + k] = unscale(ols, j, diagonal * row[j].high);
	}
	return ols->kept;
}

/* Solves R x = x for the first n kept columns. */
static void substitute_back(const crux_ols *ols, size_t n, double *x)
{
	for (size_t k = n; k-- > 0;) {
		const double *const column = ols->kept + k * ols->width;
		x[k] /= column[k];
		for (size_t i = 0; i < k; i++)
			x[i] -= column[i] * x[k];
	}
}

/* Solves R'x = x. */
static void substitute_forward(const crux_ols *ols, double *x)
{
	for (size_t k = 0; k < ols->rank; k++) {
		const double *const column = ols->kept + k * ols->width;
		for (size_t i = 0; i < k; i++)
			x[k] -= column[i] * x[i];
		x[k] /= column[k];
	}
}

static void estimate(crux_ols *ols)
{
	for (size_t k = ols->rank; k-- > 0;) {
		const crux_dd *const row = ols->left + ols->order[k] * ols->width;
		crux_dd sum = row[ols->terms];
		for (size_t j = k + 1; j < ols->rank; j++)
			sum = crux_dd_less(sum, row[ols->order[j]], ols->estimates[j]);
		ols->estimates[k] = sum;
		ols->gradient[k] = (crux_dd){0, 0};
	}
	int const scale = crux_gram_scale(ols->gram, ols->terms);
	for (size_t k = 0; k < ols->rank; k++) {
		crux_dd *const out = &ols->estimates[k];
		int const change = scale - crux_gram_scale(ols->gram, ols->order[k]);
		*out = (crux_dd){ldexp(out->high, change), ldexp(out->low, change)};
	}
	crux_dd const rest = ols->left[ols->width * ols->width - 1];
	ols->rss = rest.high <= 0 ? (crux_dd){0, 0} : (crux_dd){ldexp(rest.high, 2 * scale), ldexp(rest.low, 2 * scale)};
}

/* The weighted sum of squares of the response. */
static double whole_square(const crux_ols *ols)
{
	double const norm = unscale(ols, ols->terms, scaled_norm(ols, ols->terms));
	return norm * norm;
}

/* Whether errors of the sums, magnified by the condition (squared, of columns of norm 1) or, in the sum of squares, by what
 * cancels, may be seen in the results. */
static bool is_inexact(const crux_ols *ols)
{
	double condition = 0, size = whole_square(ols);
	for (size_t k = 0; k < ols->rank; k++) {
		double const error = crux_ols_unit_error(ols, ols->order[k]) * ols->norms[k];
		double const part = ols->estimates[k].high * ols->norms[k];
		condition += error * error;
		size += part * part;
	}
	return !(sum_error * condition <= wanted_error && sum_error * size <= wanted_error * ols->rss.high);
}

bool crux_ols_solve(crux_ols *ols, double tolerance)
{
	size_t const width = ols->width;
	reduce(ols, tolerance);
	estimate(ols);
	for (size_t k = 0; k < ols->rank; k++) {
		double *const column = ols->inverse + k * width;
		memset(column, 0, width * sizeof *column);
		column[k] = 1;
		substitute_back(ols, k + 1, column);
	}
	ols->passes = 0;
	ols->last_step = 1;
	ols->pass_rss = (crux_dd){0, 0};
	return is_inexact(ols);
}

void crux_ols_residuals(crux_ols *ols, size_t rows, const double *const *columns, const double *response,
                        const double *weights)
{
	for (size_t row = 0; row < rows; row++) {
		double const weight = weights ? weights[row] : 1;
		if (!(weight > 0))
			continue;
		crux_dd residual = {response[row], 0};
		for (size_t k = 0; k < ols->rank; k++)
			residual = crux_dd_add(residual, crux_dd_scale(ols->estimates[k], -columns[ols->order[k]][row]));
		crux_dd const weighted = crux_dd_scale(residual, weight);
		for (size_t k = 0; k < ols->rank; k++)
			ols->gradient[k] = crux_dd_add(ols->gradient[k], crux_dd_scale(weighted, columns[ols->order[k]][row]));
		ols->pass_rss = crux_dd_add(ols->pass_rss, crux_dd_scale(weighted, residual.high));
	}
}

/* The correction (R'R)^-1 gradient into `work`; its size relative to the estimates, each weighed by its column. */
static double correction(crux_ols *ols)
{
	for (size_t k = 0; k < ols->rank; k++)
		ols->work[k] = ols->gradient[k].high;
	substitute_forward(ols, ols->work);
	substitute_back(ols, ols->rank, ols->work);
	double step = 0, whole = 0;
	for (size_t k = 0; k < ols->rank; k++) {
		step = fmax(step, fabs(ols->work[k]) * ols->norms[k]);
		whole = fmax(whole, fabs(ols->estimates[k].high) * ols->norms[k]);
	}
	return step == 0 ? 0 : step / whole;
}

bool crux_ols_refine(crux_ols *ols)
{
	double const step = ols->rank > 0 ? correction(ols) : 0;
	bool const shrinks = step < 0.5 * ols->last_step; /* else the problem is too ill-conditioned to gain anything */
	ols->rss = ols->pass_rss;
	for (size_t k = 0; k < ols->rank; k++) {
		if (shrinks) {
			ols->estimates[k] = crux_dd_add(ols->estimates[k], (crux_dd){ols->work[k], 0});
			ols->rss = crux_dd_add(ols->rss, crux_dd_scale(ols->gradient[k], -ols->work[k]));
		}
		ols->gradient[k] = (crux_dd){0, 0};
	}
	if (ols->rss.high < 0)
		ols->rss = (crux_dd){0, 0};
	ols->pass_rss = (crux_dd){0, 0};
	double const remaining = step * (step / ols->last_step);
	/* Less than the rounding of any response would leave: it is to become the 0 that it is. */
	bool const perfect = ols->rss.high < 0x1p-120 * whole_square(ols);
	ols->last_step = step;
	return shrinks && ++ols->passes < MAX_PASSES && (remaining > DBL_EPSILON * DBL_EPSILON || (perfect && step > 0));
}

size_t crux_ols_terms(const crux_ols *ols)
{
	return ols->terms;
}

size_t crux_ols_rows(const crux_ols *ols)
{
	return ols->rows;
}

size_t crux_ols_rank(const crux_ols *ols)
{
	return ols->rank;
}

double crux_ols_rss(const crux_ols *ols)
{
	return ols->rss.high;
}

double crux_ols_log_weights(const crux_ols *ols)
{
	return ols->log_weights + log(ols->weight_product);
}

bool crux_ols_aliased(const crux_ols *ols, size_t term)
{
	return ols->position[term] == ols->terms;
}

double crux_ols_estimate(const crux_ols *ols, size_t term)
{
	return crux_ols_aliased(ols, term) ? NAN : ols->estimates[ols->position[term]].high;
}

double crux_ols_unit_error(const crux_ols *ols, size_t term)
{
	if (crux_ols_aliased(ols, term))
		return NAN;
	size_t const k = ols->position[term];
	return norm(ols->inverse + k * ols->width + k, ols->width, ols->rank - k);
}

double crux_ols_inverse(const crux_ols *ols, size_t i, size_t k)
{
	return ols->inverse[k * ols->width + i];
}

double crux_ols_explained(const crux_ols *ols, size_t term)
{
	if (crux_ols_aliased(ols, term))
		return 0;
	double const effect = ols->kept[ols->rank * ols->width + ols->position[term]];
	return effect * effect;
}
