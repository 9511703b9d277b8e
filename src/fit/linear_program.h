/* Linear programs: the least value of a linear objective over variables and rows of them that have bounds.
 *
 * Method: the dual simplex of COIN-OR's Clp, the primal one where that gets lost. Rows, the objective
 * and all bounds together are scaled by powers of two to a largest number near 1, so that tolerances (1e-10) are relative
 * to that.
 *
 * Nothing is printed, nothing is kept: the caller owns all arrays. No global state; any thread may call. Clp, which is
 * C++, ends the process where memory is too short for its own part. */
#ifndef CRUX_LINEAR_PROGRAM_H
#define CRUX_LINEAR_PROGRAM_H

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
	CRUX_LINEAR_STOPPED, /* at the limit of iterations, or lost to rounding */
	CRUX_LINEAR_TOO_LARGE, /* for Clp, which counts in int */
	CRUX_LINEAR_NO_MEMORY,
	CRUX_LINEAR_NO_SOLVER, /* there is no library of Clp */
} crux_linear_status;

/* Minimises. Of an optimum gives the variables, for each row the change of the value with the bound that holds it (0 where
 * none does), and the value; else these stay undefined. Coefficients must be finite, bounds not NaN. */
crux_linear_status crux_linear_program_solve(const crux_linear_program *program, double *variables, double *duals,
                                             double *value);

#endif
