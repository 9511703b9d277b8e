/* Splits of rows into training rows and test rows, as in cross-validation, reduced to triangles. The least-squares error of any
 * subset of the columns follows from the triangles, without another pass over the rows.
 *
 * Each split has a triangle R (ols.h) of its training rows and one of its test rows; their columns are ones, the measures and
 * the response. One Householder reflection projects a measure out of the later training columns; the same coefficients times
 * the measure's test column are subtracted from the later test columns. The rest of the test rows' response is the error of
 * the fit. Nothing is downdated: the accuracy is that of a QR of each subset. The loops do not call LAPACK: a call takes
 * longer than a column of a few numbers.
 *
 * A crux_splits keeps no pointer to its arguments, and does not change. No global state. */
#pragma once

#include <stddef.h>

#include "fit/ols.h"

/* The training rows and the test rows of a split, which may be the same. */
typedef struct crux_split {
	crux_ols *training, *test;
} crux_split;

typedef struct crux_splits crux_splits;

/* Returns an object for splits whose first column is ones and whose other columns are the measures. A measure that is aliased
 * in a split, by the rule of crux_ols_solve, is left out there. NULL when memory is short. */
crux_splits *crux_splits_new(size_t count, const crux_split *splits, double tolerance);

/* NULL is allowed. */
void crux_splits_free(crux_splits *splits);

size_t crux_splits_count(const crux_splits *splits);
size_t crux_splits_measures(const crux_splits *splits);

/* Returns the number of columns of the matrices: the ones (column 0), the measures, the response. */
size_t crux_splits_width(const crux_splits *splits);

/* Returns the size, in doubles, of the matrices for 0 to `levels` - 1 kept columns. */
size_t crux_splits_size(const crux_splits *splits, size_t levels);

/* Starts a split: sets the matrices for one kept column, the ones. */
void crux_splits_start(const crux_splits *splits, size_t split, double *matrices);

/* Projects a column out of the target columns: reads the matrices for `kept` kept columns, writes those for one more. Returns
 * the new number of kept columns: `kept` if the column is aliased. `height` must be above `column` and every column projected
 * out before; rows from `height` on are copied. */
size_t crux_splits_project(const crux_splits *splits, double *matrices, size_t kept, size_t column,
                           size_t height, const size_t *targets, size_t count);

/* Returns the sum of weighted squared errors in the test rows for `kept` kept columns. */
double crux_splits_error(const crux_splits *splits, const double *matrices, size_t kept);

/* Returns the weighted mean over all test rows for a sum of crux_splits_error over all splits. It is rounded to 12 digits, and
 * to 0 below 1e-24 of the error of the ones alone, so that subsets that span the same space have the same error. */
double crux_splits_mean(const crux_splits *splits, double sum);
