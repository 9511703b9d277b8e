/* The least value of a smooth function of few variables with lower bounds, by its first derivatives: the method of Broyden, Fletcher,
 * Goldfarb and Shanno, projected on the bounds (Bertsekas 1982). Near the end, where rounding hides what a step gains, a step counts
 * if the slope along it falls (Hager and Zhang 2005). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct crux_smooth {
	size_t variables;
	const double *low;        /* of each variable; -HUGE_VAL: none */
	double precision;         /* the search ends before a step that moves no variable by more */
	size_t most_evaluations;
	/* Returns the value, finite at the start; with a gradient, sets the derivatives, which is asked only where the value is finite. */
	double (*evaluate)(void *context, const double *variables, double *gradient);
	void *context;
} crux_smooth;

typedef enum crux_smooth_status {
	CRUX_SMOOTH_CONVERGED,
	CRUX_SMOOTH_LIMIT, /* most_evaluations, or no step is found that leads down */
	CRUX_SMOOTH_NO_MEMORY,
} crux_smooth_status;

/* From `variables`, of which a change by 1 should matter about equally, to those of the least value, which is set. */
crux_smooth_status crux_quasi_newton(const crux_smooth *function, double *variables, double *value);
