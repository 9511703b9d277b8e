/* Splits of rows into those that a least-squares fit sees and those that it predicts, as in cross-validation, reduced to
 * triangles from which the error of any subset of the columns follows without going through the rows again.
 *
 * Of each split's training rows, and of its test rows, there is a triangle R (ols.h) of ones, the measures and the response.
 * One Householder reflection takes a measure out of the training columns that are still to come, and what it takes out of
 * these it takes out of the test columns by the same coefficients: the response that is left of the test rows is the error of
 * the fit. Nothing is ever downdated: the accuracy is that of a QR of each subset. These loops are not LAPACK's: its calls
 * take longer than a column of a few numbers.
 *
 * A crux_splits keeps no pointer to what it was made of, and does not change. No global state. */
#ifndef CRUX_SPLITS_H
#define CRUX_SPLITS_H

#include <stddef.h>

#include "fit/ols.h"

/* The rows of a split: those that are fitted and those that are predicted, which may be the same. */
typedef struct crux_split {
	crux_ols *training, *test;
} crux_split;

typedef struct crux_splits crux_splits;

/* For splits of the rows of objects whose first column is ones and whose others are the measures. A measure is aliased in a
 * split by the rule of crux_ols_solve, and then predicts nothing. NULL when memory is short. */
crux_splits *crux_splits_new(size_t count, const crux_split *splits, double tolerance);

/* NULL is allowed. */
void crux_splits_free(crux_splits *splits);

size_t crux_splits_count(const crux_splits *splits);
size_t crux_splits_measures(const crux_splits *splits);

/* How many columns the matrices have: the ones, 0, then the measures, then the response. */
size_t crux_splits_width(const crux_splits *splits);

/* How many numbers there are in matrices of `levels` numbers of kept columns: 0, 1, 2, ... */
size_t crux_splits_size(const crux_splits *splits, size_t levels);

/* Begins with a split: sets matrices[1], the ones being kept. */
void crux_splits_start(const crux_splits *splits, size_t split, double *matrices);

/* Takes a column out of the target columns, from the matrices with `kept` kept columns to those with one more; returns how
 * many are kept then: as many as before when the column is aliased. From row `height` on, which is above `column` and every
 * column taken out before, a training column has nothing but what it had in the triangle. */
size_t crux_splits_project(const crux_splits *splits, double *matrices, size_t kept, size_t column,
                           size_t height, const size_t *targets, size_t count);

/* The sum of weighted squared errors in the test rows with that many columns kept. */
double crux_splits_error(const crux_splits *splits, const double *matrices, size_t kept);

/* Such sums, added up over all splits, as a mean over all rows by their weights. It is rounded to 12 digits, and
 * below 1e-24 of that of the ones alone to 0: what lies beyond is rounding, and subsets that span the same space are to
 * have the same error. */
double crux_splits_mean(const crux_splits *splits, double sum);

#endif
