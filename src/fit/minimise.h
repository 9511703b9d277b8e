/* The least sum of squares of functions of variables that have bounds.
 *
 * Variables are moved one by one or all together, never beyond their bounds. Two methods: MINPACK's Levenberg-Marquardt
 * (cminpack's lmder) on differences, for functions without corners; and NLopt's SBPLX, simplices in subspaces (Rowan 1990),
 * which needs no derivatives. Levenberg-Marquardt knows no bounds: it moves angles, of which a variable with two bounds is
 * the sine, and one with one bound the root of 1 + their square, so that it may come near to its bounds, but rarely meets
 * them.
 *
 * Nothing is random, nothing is kept: the caller owns all arrays. No global state; any thread may call. */
#ifndef CRUX_MINIMISE_H
#define CRUX_MINIMISE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct crux_squares {
	size_t variables, residuals; /* at least one each */
	const double *low, *high;    /* of each variable, low < high; infinite where there is no bound */
	size_t most_evaluations;
	/* Computes the residuals of variables; false stops, and must not be a jump out. Where one is not finite, the search
	 * goes elsewhere. */
	bool (*evaluate)(void *context, const double *variables, double *residuals);
	void *context;
} crux_squares;

typedef enum crux_minimise_status {
	CRUX_MINIMISE_CONVERGED,
	CRUX_MINIMISE_LIMIT,     /* at most_evaluations */
	CRUX_MINIMISE_STOPPED,   /* by evaluate */
	CRUX_MINIMISE_TOO_LARGE, /* MINPACK counts in int */
	CRUX_MINIMISE_NO_MEMORY,
} crux_minimise_status;

/* Minimise from where the variables are, which lies within the bounds and has finite residuals, to where they are
 * afterwards: the best place known, whatever the status. Set how often residuals were computed. */
crux_minimise_status crux_minimise_by_gradient(const crux_squares *squares, double *variables, size_t *evaluations);
crux_minimise_status crux_minimise_by_simplex(const crux_squares *squares, double *variables, size_t *evaluations);

/* The derivatives of residuals: jacobian[variable * residuals + i], by differences on both sides of where the variables are,
 * or on one side where the other is beyond a bound or has no finite residuals; 0 where neither has. */
crux_minimise_status crux_minimise_jacobian(const crux_squares *squares, const double *variables, double *jacobian);

#endif
