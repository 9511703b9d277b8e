/* Linear least squares with penalties, or bounds, on the coefficients, all from the sums of products of the rows (gram.h):
 * what is solved for many penalties, or for folds, multiplies each row once.
 *
 * Columns are divided by a scale, and the coefficients that come out multiplied back. With penalties it is as in R's glmnet
 * (J. Friedman, T. Hastie, R. Tibshirani, Regularization paths for generalized linear models via coordinate descent, Journal
 * of Statistical Software 33, 2010): standard deviations, of n and not n - 1, the response's also. What is minimised is,
 * for slopes b, weights w that add up to 1, and the scales s of the columns and d of the response,
 *
 *     sum w (y - intercept - xb)^2 / 2 + lambda (alpha sum |s b| + (1 - alpha) sum (s b)^2 / (2 d)).
 *
 * The caller owns the object; of other objects nothing is kept. An object belongs to one thread at a time. */
#ifndef CRUX_PENALISED_H
#define CRUX_PENALISED_H

#include <stdbool.h>
#include <stddef.h>

#include "fit/gram.h"

typedef struct crux_penalised crux_penalised;

typedef enum {
	CRUX_CENTRED,   /* with an intercept: columns around their means, divided by their deviations */
	CRUX_DEVIATION, /* without one, as they are, divided by their deviations, but the response by the root of its mean square:
	                   as glmnet does; a constant has no coefficient */
	CRUX_NORM,      /* without one, divided by the root of their mean square: bounds and no penalty */
} crux_scaling;

typedef struct crux_penalised_result {
	size_t rounds;   /* 0: gave up before it converged */
	double objective;
	double rss;      /* weighted residual sum of squares */
	double tss;      /* weighted sum of squares of the response, around its mean if it is centred */
} crux_penalised_result;

/* For rows of a column of ones, then `slopes` others; NULL when memory is short. */
crux_penalised *crux_penalised_new(crux_gram *gram, size_t slopes, crux_scaling scaling);

/* NULL is allowed. */
void crux_penalised_free(crux_penalised *self);

size_t crux_penalised_slopes(const crux_penalised *self);

/* Whether all responses are the same; for columns that are not centred: 0. */
bool crux_penalised_is_flat(const crux_penalised *self);

/* Coefficients for one penalty: out[0] is the intercept (0 without one), out[1] to out[slopes] are those of the others, 0 for
 * a constant. Those of the last call are where the search begins. */
crux_penalised_result crux_penalised_solve(crux_penalised *self, double alpha, double lambda, double *out);

/* The same for no penalty and slopes within bounds, which may be infinite; lower[i] <= upper[i] for slope i from 0. */
crux_penalised_result crux_penalised_bounded(crux_penalised *self, const double *lower, const double *upper, double *out);

/* glmnet's path: up to `count` values of lambda, from the least that leaves no coefficient (for alpha below 0.001, that of
 * 0.001) down to `ratio` times it, ending where the share of the response that is explained hardly grows (by less than 1e-5
 * of it) or is above 0.999. Returns how many there are. */
size_t crux_penalised_path(crux_penalised *self, double alpha, double ratio, size_t count, double *lambdas);

/* Adds to sums[k] the weighted squared errors of predicting the rows of another gram by the coefficients for lambdas[k]. */
void crux_penalised_errors(crux_penalised *self, crux_gram *others, double alpha, size_t count, const double *lambdas,
                           double *sums);

#endif
