/* Likelihoods of mixed models (mixed.h) at given parameters, and their derivatives. */
#pragma once

#include "fit/mixed_squares.h"

typedef struct crux_likelihood {
	crux_mixed *mixed;
	const crux_mixed_options *options;
	size_t thetas, fixed, extras;
	double *theta, *beta, *given;  /* the parameters; given: the extras */
	double *extra;                 /* what the family takes: thresholds */
	double *node, *node_weight;    /* of quadrature */
	double variance;               /* of the residuals of linear models, at the last deviance; else 1 */
	void *block;                   /* of all arrays */
} crux_likelihood;

/* Starts with theta, beta and u being 0. False when memory is short; crux_likelihood_free releases. */
bool crux_likelihood_new(crux_likelihood *at, crux_mixed *mixed, const crux_mixed_options *options, const double *extras);
void crux_likelihood_free(crux_likelihood *at);

/* The deviance at the parameters; of linear models also sets beta to the most probable one. NaN where there is none. */
double crux_likelihood_deviance(crux_likelihood *at);

/* After that, unless there are nodes: its derivatives by theta, beta (of linear models 0) and the given extras. */
void crux_likelihood_slopes(crux_likelihood *at, double *slopes);

/* Finds the most probable u, and beta with them if `fixed` is not 0, of models that are not linear, by Newton's steps, halved where
 * they lead down. Leaves the factor there. Returns the log-likelihood minus u'u / 2; NaN where there is none. With `enough` steps it
 * returns where it has come to; 0: when it does not move any more. */
double crux_likelihood_climb(crux_likelihood *at, size_t fixed, size_t enough, crux_mixed_factor *factor);

/* The same of linear models, where it is minus half of the penalised sum of squares. */
double crux_likelihood_project(crux_likelihood *at, crux_mixed_factor *factor);

/* After the inversion at the most probable u and beta: moves from these to their means, and leaves the factor there. */
bool crux_likelihood_expect(crux_likelihood *at, crux_mixed_factor *factor);

/* Gives theta, beta and the extras to the rows. */
void crux_likelihood_apply(crux_likelihood *at);
