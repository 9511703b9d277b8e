/* Nonlinear least squares: minimises the sum of squared residuals over variables with bounds, and never evaluates beyond the
 * bounds.
 *
 * Two methods: MINPACK's Levenberg-Marquardt (cminpack's lmder) with derivatives by differences, for smooth functions; and
 * NLopt's SBPLX, simplices in subspaces (Rowan 1990), which needs no derivatives. Levenberg-Marquardt has no bounds, so it moves
 * angles: a variable with two bounds is a linear function of sin(angle), a variable with one bound of sqrt(1 + angle^2). Such
 * a variable may approach its bounds, but rarely reaches them.
 *
 * Nothing is random; the caller owns all arrays. No global state; any thread may call. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct crux_squares {
	size_t variables, residuals; /* at least one each */
	const double *low, *high;    /* of each variable, low < high; infinite where there is no bound */
	size_t most_evaluations;
	/* Computes the residuals at the variables; false stops the search; it must return, never longjmp. The search avoids
	 * variables with a residual that is not finite. */
	bool (*evaluate)(void *context, const double *variables, double *residuals);
	void *context;
} crux_squares;

/* A variable grows without end only if its size is beyond this number of times that of its start. */
#define CRUX_MINIMISE_AWAY_RATIO 1e3

typedef enum crux_minimise_status {
	CRUX_MINIMISE_CONVERGED,
	CRUX_MINIMISE_LIMIT,     /* at most_evaluations */
	CRUX_MINIMISE_AWAY,      /* a variable grows without end, while the sum of squares hardly falls any further */
	CRUX_MINIMISE_STILL,     /* the sum of squares hardly falls any further, but the search does not end */
	CRUX_MINIMISE_STOPPED,   /* by evaluate */
	CRUX_MINIMISE_TOO_LARGE, /* MINPACK counts in int */
	CRUX_MINIMISE_NO_MEMORY,
} crux_minimise_status;

/* Minimise from `variables`, which lie within the bounds and have finite residuals, and set `variables` to the best known ones
 * for every status. Set `evaluations` to the number of calls of evaluate. */
crux_minimise_status crux_minimise_by_gradient(const crux_squares *squares, double *variables, size_t *evaluations);
crux_minimise_status crux_minimise_by_simplex(const crux_squares *squares, double *variables, size_t *evaluations);

/* Sets jacobian[variable * residuals + i] to the derivative of residual i by central differences; by a one-sided difference if
 * the other side is beyond a bound or has no finite residuals; to 0 if neither side has. */
crux_minimise_status crux_minimise_jacobian(const crux_squares *squares, const double *variables, double *jacobian);
