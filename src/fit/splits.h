/* Splits of rows into those that a least-squares fit sees and those that it predicts, as in cross-validation, reduced to
 * triangles from which the error of any subset of the columns follows without going through the rows again.
 *
 * Of each split's training rows, and of its test rows, there is a triangle R (ols.h) of an intercept, the measures and the
 * response. One Householder reflection takes a measure out of the training columns that are still to come, and what it takes
 * out of these it takes out of the test columns by the same coefficients: the response that is left of the test rows is the
 * error of the fit. Nothing is ever downdated: the accuracy is that of a QR of each subset. Columns are centred first, so
 * that a large offset costs no digits.
 *
 * Sums of products of the rows are shared: those of the rows outside a fold are gathered by halving the folds, so that a row
 * is multiplied log2(folds) times.
 *
 * The caller owns the arrays, of which nothing is kept. A crux_splits is not changed once made. No global state. */
#ifndef CRUX_SPLITS_H
#define CRUX_SPLITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct crux_study {
	size_t measures, rows, folds;
	const double *const *columns; /* columns[measure][row], all finite */
	const double *response;
	const double *weights; /* case weights, above 0; NULL: all 1 */
	const uint32_t *fold;  /* of each row, below `folds`, of which each has rows; NULL: one split whose test rows are its
	                          training rows, all, so that errors are those of the fit */
	double tolerance;      /* a measure is aliased in a split by the rule of crux_ols_solve, and then predicts nothing */
} crux_study;

typedef struct crux_splits crux_splits;

/* NULL when memory is short. */
crux_splits *crux_splits_new(const crux_study *study);

/* NULL is allowed. */
void crux_splits_free(crux_splits *splits);

size_t crux_splits_count(const crux_splits *splits);
size_t crux_splits_measures(const crux_splits *splits);

/* How many columns the matrices have: the intercept, 0, then the measures, then the response. */
size_t crux_splits_width(const crux_splits *splits);

/* How many numbers there are in matrices of `levels` numbers of kept columns: 0, 1, 2, ... */
size_t crux_splits_size(const crux_splits *splits, size_t levels);

/* Begins with a split: sets matrices[1], the intercept being kept. */
void crux_splits_start(const crux_splits *splits, size_t split, double *matrices);

/* Takes a column out of the target columns, from the matrices with `kept` kept columns to those with one more; returns how
 * many are kept then: as many as before when the column is aliased. From row `height` on, which is above `column` and every
 * column taken out before, a training column has nothing but what it had in the triangle. */
size_t crux_splits_project(const crux_splits *splits, size_t split, double *matrices, size_t kept, size_t column,
                           size_t height, const size_t *targets, size_t count);

/* The sum of weighted squared errors in the test rows with that many columns kept; unit: that of crux_splits_mean. */
double crux_splits_error(const crux_splits *splits, const double *matrices, size_t kept);

/* Such sums, added up over all splits, as a mean over all rows by their weights. It is rounded to 40 bits (12 digits), and
 * below 1e-24 of that of the intercept alone to 0: what lies beyond is rounding, and subsets that span the same space are to
 * have the same error. */
double crux_splits_mean(const crux_splits *splits, double sum);

#endif
