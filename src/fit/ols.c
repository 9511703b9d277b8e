/* Least squares by streaming QR with iterative refinement; see ols.h for the method. */
#include "fit/ols.h"

#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "base/clones.h"
#include "base/double_double.h"

enum {
	BLOCK = 256, /* rows factored at once: with 10 columns 20 kB, which stays in the first-level cache */
	PANEL = 8,   /* columns whose reflections LAPACK applies at once: fastest for 8 to 50 columns with its own BLAS */
	LANES = 16,  /* partial sums, enough to hide the latency of an addition */
	MAX_PASSES = 20, /* refinement converges in 1 to 4 passes or not at all */
};

/* The relative error that estimates may have without refinement. */
static double const wanted_error = 0x1p-44;

/* The least tolerance: the share of its norm that rounding may leave of a column that is a combination of others. */
static double const least_tolerance = 0x1p-46;

struct crux_ols {
	void *memory;          /* of the arrays below */
	size_t terms;
	size_t width;          /* terms and the response: the leading dimension of every square matrix here, by columns */
	size_t rows;
	size_t filled;         /* rows in the block */
	double log_weights;    /* of the rows whose weights are not in weight_product */
	double weight_product; /* of the last weights, to take one logarithm for many of them */
	double *triangle;      /* R of the rows that are not in the block */
	double *block;         /* width columns of BLOCK numbers: rows times the roots of their weights */
	double *reflections;   /* work space of LAPACK: two panels of width columns */
	/* Set by crux_ols_solve: */
	size_t rank;
	int passes;
	double last_step;   /* size of the last correction, relative to the estimates */
	double *kept;       /* R of the kept columns, one after the other; the last column is Q'y; work space of crux_ols_merge */
	double *inverse;    /* of R of the kept columns */
	double *norms;      /* of the kept columns */
	double *work;
	size_t *order;      /* order[k]: the term of the k-th kept column */
	size_t *position;   /* position[term]: k, or terms when aliased */
	crux_dd *estimates; /* of the kept columns */
	crux_dd *gradient;  /* X'W(y - Xb) of the kept columns */
	crux_dd rss;
	crux_dd pass_rss; /* of the present pass */
};

static size_t panel_of(const crux_ols *ols) { return ols->width < PANEL ? ols->width : PANEL; }

crux_ols *crux_ols_new(size_t terms)
{
	crux_ols *ols = calloc(1, sizeof *ols);
	if (!ols)
		return NULL;
	size_t const width = terms + 1;
	ols->terms = terms;
	ols->width = width;
	ols->weight_product = 1;
	crux_array const arrays[] = {
		CRUX_ARRAY(ols->triangle, width * width), CRUX_ARRAY(ols->block, width * BLOCK),
		CRUX_ARRAY(ols->reflections, 2 * width * panel_of(ols)), CRUX_ARRAY(ols->kept, width * width),
		CRUX_ARRAY(ols->inverse, width * width), CRUX_ARRAY(ols->norms, width), CRUX_ARRAY(ols->work, width),
		CRUX_ARRAY(ols->order, width), CRUX_ARRAY(ols->position, width), CRUX_ARRAY(ols->estimates, width),
		CRUX_ARRAY(ols->gradient, width),
	};
	ols->memory = crux_block_new(arrays, sizeof arrays / sizeof *arrays);
	if (ols->memory)
		return ols;
	crux_ols_free(ols);
	return NULL;
}

void crux_ols_free(crux_ols *ols)
{
	if (!ols)
		return;
	free(ols->memory);
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

/* Adds `count` rows to the triangle and overwrites them: columns are `height` numbers apart. */
static void factor(crux_ols *ols, double *rows, size_t count, size_t height, bool is_triangle)
{
	lapack_int const width = (lapack_int)ols->width, panel = (lapack_int)panel_of(ols);
	LAPACKE_dtpqrt_work(LAPACK_COL_MAJOR, (lapack_int)count, width, is_triangle ? width : 0, panel, ols->triangle, width, rows,
	                    (lapack_int)height, ols->reflections, panel, ols->reflections + width * panel);
}

/* Adds the rows in the block to the triangle. */
static void flush(crux_ols *ols)
{
	if (ols->filled > 0)
		factor(ols, ols->block, ols->filled, BLOCK, false);
	ols->filled = 0;
}

void crux_ols_add_row(crux_ols *ols, size_t row, const double *const *columns, const double *response,
                      const double *weights)
{
	double const weight = weights ? weights[row] : 1, root = sqrt(weight);
	if (!(weight > 0))
		return;
	double *const place = ols->block + ols->filled;
	for (size_t term = 0; term < ols->terms; term++)
		place[term * BLOCK] = root * columns[term][row];
	place[ols->terms * BLOCK] = root * response[row];
	count_weight(ols, weight);
	ols->rows++;
	if (++ols->filled == BLOCK)
		flush(ols);
}

void crux_ols_add(crux_ols *ols, size_t rows, const double *const *columns, const double *response, const double *weights)
{
	for (size_t row = 0; row < rows; row++)
		crux_ols_add_row(ols, row, columns, response, weights);
}

void crux_ols_merge(crux_ols *ols, crux_ols *other)
{
	memcpy(ols->kept, crux_ols_triangle(other), ols->width * ols->width * sizeof *ols->kept);
	factor(ols, ols->kept, ols->width, ols->width, true);
	count_weight(ols, other->weight_product);
	ols->log_weights += other->log_weights;
	ols->rows += other->rows;
}

const double *crux_ols_triangle(crux_ols *ols)
{
	flush(ols);
	return ols->triangle;
}

static double norm(size_t n, const double *x) { return cblas_dnrm2((int)n, x, 1); }

/* Reflects the rows from `rank` to `term`, so that the column of the term ends in row `rank`. */
static void reflect(crux_ols *ols, size_t term)
{
	lapack_int const height = (lapack_int)(term - ols->rank + 1), width = (lapack_int)ols->width;
	double *const head = ols->kept + term * ols->width + ols->rank, scale;
	LAPACKE_dlarfg_work(height, head, head + 1, 1, &scale);
	double const diagonal = *head;
	*head = 1;
	LAPACKE_dlarfx_work(LAPACK_COL_MAJOR, 'L', height, (lapack_int)(ols->terms - term), head, scale, head + width, width,
	                    ols->work);
	*head = diagonal;
}

/* Finds the aliased terms in formula order and reduces the columns of the others to the triangle `kept`. */
static void reduce(crux_ols *ols, double tolerance)
{
	size_t const width = ols->width;
	memcpy(ols->kept, crux_ols_triangle(ols), width * width * sizeof *ols->kept);
	ols->rank = 0;
	for (size_t term = 0; term < ols->terms; term++) {
		double *const column = ols->kept + term * width;
		double const whole = norm(term + 1, ols->triangle + term * width), rest = norm(term - ols->rank + 1, column + ols->rank);
		ols->position[term] = ols->terms;
		if (rest < fmax(tolerance, least_tolerance) * whole || rest == 0)
			continue;
		if (ols->rank < term)
			reflect(ols, term);
		memmove(ols->kept + ols->rank * width, column, (ols->rank + 1) * sizeof *column);
		ols->norms[ols->rank] = whole;
		ols->order[ols->rank] = term;
		ols->position[term] = ols->rank++;
	}
}

/* Returns Q'y: the first `rank` numbers belong to the kept columns, the others to the residuals. */
static const double *effects(const crux_ols *ols) { return ols->kept + ols->terms * ols->width; }

/* Solves R x = x, or R'x = x with 'T'. */
static void solve(const crux_ols *ols, char transpose, double *x)
{
	LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', transpose, 'N', (lapack_int)ols->rank, 1, ols->kept, (lapack_int)ols->width, x,
	                    (lapack_int)ols->width);
}

static void estimate(crux_ols *ols)
{
	double const rest = norm(ols->width - ols->rank, effects(ols) + ols->rank);
	ols->rss = (crux_dd){rest * rest, 0};
	memcpy(ols->work, effects(ols), ols->rank * sizeof *ols->work);
	solve(ols, 'N', ols->work);
	for (size_t k = 0; k < ols->rank; k++) {
		ols->estimates[k] = (crux_dd){ols->work[k], 0};
		ols->gradient[k] = (crux_dd){0, 0};
	}
}

/* Returns the weighted sum of squares of the response. */
static double whole_square(const crux_ols *ols)
{
	double const whole = norm(ols->width, ols->triangle + ols->terms * ols->width);
	return whole * whole;
}

/* Returns true if the results may be less exact than wanted: rounding errors grow with the condition (of columns of norm 1),
 * those of the residual sum of squares with its cancellation. */
static bool is_inexact(const crux_ols *ols)
{
	double condition = 0, size = whole_square(ols);
	for (size_t k = 0; k < ols->rank; k++) {
		double const error = crux_ols_unit_error(ols, ols->order[k]) * ols->norms[k];
		double const part = ols->estimates[k].high * ols->norms[k];
		condition += error * error;
		size += part * part;
	}
	double const most = wanted_error / DBL_EPSILON;
	return !(condition <= most * most && size <= most * most * ols->rss.high);
}

bool crux_ols_solve(crux_ols *ols, double tolerance)
{
	reduce(ols, tolerance);
	estimate(ols);
	lapack_int const rank = (lapack_int)ols->rank, width = (lapack_int)ols->width;
	LAPACKE_dlacpy_work(LAPACK_COL_MAJOR, 'U', rank, rank, ols->kept, width, ols->inverse, width);
	LAPACKE_dtrtri_work(LAPACK_COL_MAJOR, 'U', 'N', rank, ols->inverse, width);
	ols->passes = 0;
	ols->last_step = 1;
	ols->pass_rss = (crux_dd){0, 0};
	return is_inexact(ols);
}

/* A block of double-double numbers. */
typedef struct numbers {
	double high[BLOCK], low[BLOCK];
} numbers;

/* Subtracts factor * column from the numbers. */
CRUX_CLONES static void take_out(numbers *from, crux_dd factor, const double *column)
{
	for (size_t i = 0; i < BLOCK; i++) {
		crux_dd const rest = crux_dd_add((crux_dd){from->high[i], from->low[i]}, crux_dd_scale(factor, -column[i]));
		from->high[i] = rest.high;
		from->low[i] = rest.low;
	}
}

CRUX_CLONES static void weigh(numbers *weighted, const numbers *x, const double *weights)
{
	for (size_t i = 0; i < BLOCK; i++) {
		crux_dd const product = crux_dd_scale((crux_dd){x->high[i], x->low[i]}, weights[i]);
		weighted->high[i] = product.high;
		weighted->low[i] = product.low;
	}
}

/* The dot product of numbers and a column (T. Ogita, S. M. Rump, S. Oishi, Accurate sum and dot product, SIAM Journal on
 * Scientific Computing 26, 2005). */
CRUX_CLONES static crux_dd multiply(const numbers *x, const double *column)
{
	double sums[LANES] = {0}, rests[LANES] = {0};
	for (size_t start = 0; start < BLOCK; start += LANES) {
		for (size_t lane = 0; lane < LANES; lane++) {
			size_t const i = start + lane;
			crux_dd const product = crux_dd_product(x->high[i], column[i]);
			crux_dd const sum = crux_dd_sum(sums[lane], product.high);
			sums[lane] = sum.high;
			rests[lane] += sum.low + (product.low + x->low[i] * column[i]);
		}
	}
	for (size_t half = LANES / 2; half > 0; half /= 2) {
		for (size_t lane = 0; lane < half; lane++) {
			crux_dd const sum = crux_dd_sum(sums[lane], sums[lane + half]);
			sums[lane] = sum.high;
			rests[lane] += rests[lane + half] + sum.low;
		}
	}
	return crux_dd_sum(sums[0], rests[0]);
}

/* Copies n numbers to a column of the block and sets the rest of it to 0. */
static double *stage(double *column, size_t n, const double *from)
{
	memcpy(column, from, n * sizeof *column);
	memset(column + n, 0, (BLOCK - n) * sizeof *column);
	return column;
}

/* Adds n rows, at most BLOCK, from `first` on to the gradient and the sum of squares of the pass. */
static void add_residuals(crux_ols *ols, size_t first, size_t n, const double *const *columns, const double *response,
                          const double *weights)
{
	numbers residuals = {{0}, {0}}, weighted;
	double factors[BLOCK] = {0};
	memcpy(residuals.high, response + first, n * sizeof *response);
	for (size_t i = 0; i < n; i++)
		factors[i] = weights ? weights[first + i] : 1;
	for (size_t k = 0; k < ols->rank; k++)
		take_out(&residuals, ols->estimates[k], stage(ols->block + k * BLOCK, n, columns[ols->order[k]] + first));
	weigh(&weighted, &residuals, factors);
	for (size_t k = 0; k < ols->rank; k++)
		ols->gradient[k] = crux_dd_add(ols->gradient[k], multiply(&weighted, ols->block + k * BLOCK));
	ols->pass_rss = crux_dd_add(ols->pass_rss, multiply(&weighted, residuals.high));
}

void crux_ols_residuals(crux_ols *ols, size_t rows, const double *const *columns, const double *response,
                        const double *weights)
{
	for (size_t first = 0; first < rows; first += BLOCK)
		add_residuals(ols, first, rows - first < BLOCK ? rows - first : BLOCK, columns, response, weights);
}

/* Sets `work` to the correction (R'R)^-1 gradient; returns its size relative to the estimates, scaled by column norms. */
static double correction(crux_ols *ols)
{
	for (size_t k = 0; k < ols->rank; k++)
		ols->work[k] = ols->gradient[k].high;
	solve(ols, 'T', ols->work);
	solve(ols, 'N', ols->work);
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
	/* Below the rounding of the responses, the sum of squares is 0: refine until it is. */
	bool const perfect = ols->rss.high < 0x1p-120 * whole_square(ols);
	ols->last_step = step;
	return shrinks && ++ols->passes < MAX_PASSES && (remaining > DBL_EPSILON * DBL_EPSILON || (perfect && step > 0));
}

size_t crux_ols_terms(const crux_ols *ols) { return ols->terms; }

size_t crux_ols_rows(const crux_ols *ols) { return ols->rows; }

size_t crux_ols_rank(const crux_ols *ols) { return ols->rank; }

double crux_ols_rss(const crux_ols *ols) { return ols->rss.high; }

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
	return cblas_dnrm2((int)(ols->rank - k), ols->inverse + k * ols->width + k, (int)ols->width);
}

double crux_ols_inverse(const crux_ols *ols, size_t i, size_t k)
{
	const double *const column = ols->inverse + k * ols->width;
	return copysign(1, column[k]) * column[i];
}

double crux_ols_explained(const crux_ols *ols, size_t term)
{
	if (crux_ols_aliased(ols, term))
		return 0;
	double const effect = effects(ols)[ols->position[term]];
	return effect * effect;
}

/* Multiplies x by the inverse of R, or by its transpose. */
static void multiply_inverse(CBLAS_TRANSPOSE transpose, size_t terms, const double *inverse, double *x)
{
	cblas_dtpmv(CblasColMajor, CblasUpper, transpose, CblasNonUnit, (int)terms, inverse, x, 1);
}

void crux_ols_spread(size_t terms, const double *inverse, size_t rows, const double *const *columns, double *out)
{
	for (size_t row = 0; row < rows; row++) {
		const double *column = inverse;
		out[row] = 0;
		for (size_t k = 0; k < terms; column += ++k) {
			double part = 0;
			for (size_t i = k + 1; i-- > 0;)
				part += column[i] * columns[i][row];
			out[row] += part * part;
		}
	}
}

void crux_ols_covariances(size_t terms, const double *inverse, double *x)
{
	multiply_inverse(CblasTrans, terms, inverse, x);
	multiply_inverse(CblasNoTrans, terms, inverse, x);
}
