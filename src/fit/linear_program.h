/* Linear programs: minimises a linear objective of variables with bounds, subject to rows (linear functions) with bounds.
 *
 * Method: the dual simplex of COIN-OR's Clp, then the primal simplex if the dual one finds no optimum. Each row,
 * the objective and all bounds together are scaled by powers of two to a largest number near 1; tolerances (1e-10) are
 * relative to that.
 *
 * Nothing is printed; the caller owns all arrays. Any thread may call. If Clp runs out of memory, its model leaks. The one
 * global state is C++'s new-handler: it is replaced while a thread is in Clp, and calls the host's handler for other threads. */
#pragma once

#include <stddef.h>

typedef struct crux_linear_program {
	size_t variables, rows;
	const double *const *matrix; /* matrix[row][variable] */
	const double *objective;     /* of each variable */
	const double *lower, *upper; /* of each variable; infinite where there is no bound */
	const double *row_lower, *row_upper;
	size_t most_iterations;      /* 0: no limit */
} crux_linear_program;

typedef enum crux_linear_status {
	CRUX_LINEAR_OPTIMAL,
	CRUX_LINEAR_INFEASIBLE,
	CRUX_LINEAR_UNBOUNDED,
	CRUX_LINEAR_STOPPED, /* at the limit of iterations, or because of rounding */
	CRUX_LINEAR_TOO_LARGE, /* Clp counts in int */
	CRUX_LINEAR_NO_MEMORY,
	CRUX_LINEAR_NO_SOLVER, /* the library of Clp was not found */
} crux_linear_status;

/* Minimises. Sets the variables, the dual of each row (change of the value per unit of its active bound; 0 if none is active)
 * and the value at an optimum; else these are undefined. Coefficients must be finite, bounds not NaN. */
crux_linear_status crux_linear_program_solve(const crux_linear_program *program, double *variables, double *duals,
                                             double *value);
