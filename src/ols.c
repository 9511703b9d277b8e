/* Least squares by a running QR factorisation and refinement in extended precision; see ols.h for the method. */
#include "ols.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "double_double.h"

enum {
	BLOCK_ROWS = 256, /* rows factored at once: with 10 columns 20 kB, which stays in the first-level cache */
	PANEL = 16,       /* columns per panel inside dtpqrt */
	MAX_PASSES = 20,  /* refinement converges in 1 to 4 passes or not at all */
};

struct crux_ols {
	size_t terms;
	size_t width; /* terms and the response: the leading dimension of every square matrix here */
	size_t rows;
	size_t rank;
	int passes;
	double log_weights;
	double last_step; /* size of the last correction, relative to the estimates */
	double *triangle; /* width x width: R of all rows so far, the response its last column */
	double *kept;     /* width x width: R of the kept columns, then Q'y in column `rank` */
	double *block;    /* BLOCK_ROWS x width */
	double *panel;    /* PANEL x width: dtpqrt's T */
	double *work;     /* PANEL x width */
	double *norms;    /* of the kept columns */
	double *inverse;  /* width x width: inverse of the kept R */
	size_t *order;    /* order[k]: the term of the k-th kept column */
	size_t *position; /* position[term]: k, or terms when aliased */
	crux_dd *estimates; /* of the kept columns */
	crux_dd *gradient;  /* X'W(y - Xb) of the kept columns */
	crux_dd rss;
	crux_dd pass_rss; /* of the pass that is under way */
};

static double *matrix(size_t rows, size_t columns)
{
	return calloc(rows * columns, sizeof(double));
}

crux_ols *crux_ols_new(size_t terms)
{
	crux_ols *ols = calloc(1, sizeof *ols);
	if (!ols)
		return NULL;
	size_t const width = terms + 1;
	ols->terms = terms;
	ols->width = width;
	ols->triangle = matrix(width, width);
	ols->kept = matrix(width, width);
	ols->block = matrix(BLOCK_ROWS, width);
	ols->panel = matrix(PANEL, width);
	ols->work = matrix(PANEL, width);
	ols->norms = matrix(width, 1);
	ols->inverse = matrix(width, width);
	ols->order = calloc(width, sizeof *ols->order);
	ols->position = calloc(width, sizeof *ols->position);
	ols->estimates = calloc(width, sizeof *ols->estimates);
	ols->gradient = calloc(width, sizeof *ols->gradient);
	if (ols->triangle && ols->kept && ols->block && ols->panel && ols->work && ols->norms && ols->inverse && ols->order &&
	    ols->position && ols->estimates && ols->gradient)
		return ols;
	crux_ols_free(ols);
	return NULL;
}

void crux_ols_free(crux_ols *ols)
{
	if (!ols)
		return;
	free(ols->triangle);
	free(ols->kept);
	free(ols->block);
	free(ols->panel);
	free(ols->work);
	free(ols->norms);
	free(ols->inverse);
	free(ols->order);
	free(ols->position);
	free(ols->estimates);
	free(ols->gradient);
	free(ols);
}

static void factor_block(crux_ols *ols, size_t rows)
{
	lapack_int const width = (lapack_int)ols->width;
	lapack_int const panel = width < PANEL ? width : PANEL;
	if (rows > 0)
		LAPACKE_dtpqrt_work(LAPACK_COL_MAJOR, (lapack_int)rows, width, 0, panel, ols->triangle, width, ols->block,
		                    BLOCK_ROWS, ols->panel, panel, ols->work);
}

void crux_ols_add(crux_ols *ols, size_t rows, const double *const *columns, const double *response, const double *weights)
{
	size_t filled = 0;
	for (size_t row = 0; row < rows; row++) {
		double const weight = weights ? weights[row] : 1;
		if (!(weight > 0))
			continue;
		double const scale = sqrt(weight);
		for (size_t term = 0; term < ols->terms; term++)
			ols->block[term * BLOCK_ROWS + filled] = scale * columns[term][row];
		ols->block[ols->terms * BLOCK_ROWS + filled] = scale * response[row];
		ols->rows++;
		ols->log_weights += log(weight);
		if (++filled == BLOCK_ROWS) {
			factor_block(ols, filled);
			filled = 0;
		}
	}
	factor_block(ols, filled);
}

const double *crux_ols_triangle(const crux_ols *ols)
{
	return ols->triangle;
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

/* Reduces the triangle's columns one by one, leaving out the aliased: orthogonal transformations keep norms, so R's
 * rule gives the same verdict on the triangle as on all rows. Kept columns gather at the front of `kept`. */
static void reduce(crux_ols *ols, double tolerance)
{
	size_t const width = ols->width;
	double *matrix_left = ols->kept; /* columns still to do stand at their own place, done ones at the front */
	memcpy(matrix_left, ols->triangle, width * width * sizeof *matrix_left);
	for (size_t column = 0; column < width; column++) /* dtpqrt leaves what lies under the diagonal undefined */
		for (size_t row = column + 1; row < width; row++)
			matrix_left[column * width + row] = 0;
	ols->rank = 0;
	for (size_t term = 0; term < ols->terms; term++) {
		double *const column = matrix_left + term * width;
		size_t const k = ols->rank;
		double const whole = norm(ols->triangle + term * width, 1, term + 1);
		double const rest = norm(column + k, 1, ols->terms - k);
		ols->position[term] = ols->terms;
		if (rest < tolerance * whole || whole == 0 || rest == 0)
			continue;
		double tau;
		lapack_int const length = (lapack_int)(ols->terms - k);
		LAPACKE_dlarfg_work(length, column + k, column + k + 1, 1, &tau);
		double const diagonal = column[k];
		column[k] = 1;
		if (tau != 0)
			LAPACKE_dlarfx_work(LAPACK_COL_MAJOR, 'L', length, (lapack_int)(ols->terms - term), column + k, tau,
			                    column + width + k, (lapack_int)width, ols->work);
		column[k] = diagonal;
		memset(column + k + 1, 0, (width - k - 1) * sizeof *column);
		memmove(matrix_left + k * width, column, width * sizeof *column);
		ols->norms[k] = whole;
		ols->order[k] = term;
		ols->position[term] = k;
		ols->rank++;
	}
	memmove(matrix_left + ols->rank * width, matrix_left + ols->terms * width, width * sizeof *matrix_left);
}

void crux_ols_solve(crux_ols *ols, double tolerance)
{
	reduce(ols, tolerance);
	size_t const width = ols->width;
	size_t const rank = ols->rank;
	double const *effects = ols->kept + rank * width;
	double const residual = norm(effects + rank, 1, width - rank);
	ols->rss = crux_dd_product(residual, residual);
	ols->passes = 0;
	ols->last_step = 1;
	ols->pass_rss = (crux_dd){0, 0};
	for (size_t k = 0; k < rank; k++)
		memcpy(ols->inverse + k * width, ols->kept + k * width, width * sizeof(double));
	if (rank > 0) {
		LAPACKE_dtrtri_work(LAPACK_COL_MAJOR, 'U', 'N', (lapack_int)rank, ols->inverse, (lapack_int)width);
		memcpy(ols->work, effects, rank * sizeof(double));
		LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'N', 'N', (lapack_int)rank, 1, ols->kept, (lapack_int)width, ols->work,
		                    (lapack_int)width);
	}
	for (size_t k = 0; k < rank; k++) {
		ols->estimates[k] = (crux_dd){ols->work[k], 0};
		ols->gradient[k] = (crux_dd){0, 0};
	}
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
	lapack_int const rank = (lapack_int)ols->rank, width = (lapack_int)ols->width;
	for (size_t k = 0; k < ols->rank; k++)
		ols->work[k] = ols->gradient[k].high;
	LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'T', 'N', rank, 1, ols->kept, width, ols->work, width);
	LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'N', 'N', rank, 1, ols->kept, width, ols->work, width);
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
	ols->last_step = step;
	return shrinks && ++ols->passes < MAX_PASSES && remaining > DBL_EPSILON * DBL_EPSILON;
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
	return ols->log_weights;
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

double crux_ols_explained(const crux_ols *ols, size_t term)
{
	if (crux_ols_aliased(ols, term))
		return 0;
	double const effect = ols->kept[ols->rank * ols->width + ols->position[term]];
	return effect * effect;
}
