/* Linear least squares with penalties, or bounds, on the coefficients, all from the triangle R of the rows (ols.h): solving for
 * many penalties, or for folds, reads each row once.
 *
 * Columns are divided by a scale, and the coefficients are scaled back. With penalties the scales of the columns and the
 * response are standard deviations with divisor n, not n - 1, as in R's glmnet (J. Friedman, T. Hastie, R. Tibshirani,
 * Regularization paths for generalized linear models via coordinate descent, Journal of Statistical Software 33, 2010). For
 * slopes b, weights w with sum 1, and the scales s of the columns and d of the response, the objective is
 *
 *     sum w (y - intercept - xb)^2 / 2 + lambda (alpha sum |s b| + (1 - alpha) sum (s b)^2 / (2 d)).
 *
 * The caller owns the object; it keeps no pointer to other objects. An object belongs to one thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "fit/ols.h"

typedef struct crux_penalised crux_penalised;

typedef enum {
	CRUX_CENTRED,   /* with an intercept: columns less their means, over their standard deviations */
	CRUX_DEVIATION, /* without intercept, as glmnet: columns over their standard deviations, the response over the root of its
	                   mean square; the coefficient of a constant is 0 */
	CRUX_NORM,      /* without intercept, for bounds: columns over the root of their mean square */
} crux_scaling;

typedef struct crux_penalised_result {
	size_t rounds;   /* 0: it did not converge */
	double objective;
	double rss;      /* weighted residual sum of squares */
	double tss;      /* weighted sum of squares of the response, around its mean for CRUX_CENTRED */
} crux_penalised_result;

/* Returns an object for the rows of `ols`: its first column is ones, the others belong to slopes; NULL when memory is short. */
crux_penalised *crux_penalised_new(crux_ols *ols, crux_scaling scaling);

/* NULL is allowed. */
void crux_penalised_free(crux_penalised *self);

size_t crux_penalised_slopes(const crux_penalised *self);

/* Returns true if all responses are equal, for columns that are not centred if all are 0. */
bool crux_penalised_is_flat(const crux_penalised *self);

/* Sets the coefficients for one penalty: out[0] is the intercept (0 without one), out[1] to out[slopes] are the slopes, 0 for
 * a constant. The search begins at the coefficients of the last call. */
crux_penalised_result crux_penalised_solve(crux_penalised *self, double alpha, double lambda, double *out);

/* Sets the same coefficients for slopes within bounds, no penalty. Bounds may be infinite; lower[i] <= upper[i], i from 0. */
crux_penalised_result crux_penalised_bounded(crux_penalised *self, const double *lower, const double *upper, double *out);

/* Sets glmnet's path: up to `count` values of lambda, from the least one for which all slopes are 0 (for alpha below 0.001,
 * that of alpha 0.001) down to `ratio` times it. The path ends where the explained share of the response grows by less than
 * 1e-5 of itself or is above 0.999. Returns the number of values. */
size_t crux_penalised_path(crux_penalised *self, double alpha, double ratio, size_t count, double *lambdas);

/* Adds to sums[k] the weighted squared errors of predictions for the rows of `others` by the coefficients for lambdas[k]. */
void crux_penalised_errors(crux_penalised *self, crux_ols *others, double alpha, size_t count, const double *lambdas,
                           double *sums);
