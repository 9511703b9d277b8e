/* Penalised least squares of mixed models: the rows of crux_mixed (mixed.h), and the factor of the normal equations
 *     [U'WU + 1  U'WX] [u   ]   [U'p]
 *     [X'WU      X'WX] [beta] = [X'p]
 * (where 0 stands for 1 at the effects of fixed groupings), with a row's values of all effects in U = Z T, of fixed effects in X, its weight in W, and in p its weight times its response.
 *
 * A row belongs to one group of grouping 0, so that its effects have no products with those of other groups: each group is a
 * small triangle, and subtracts its share from the dense part, which holds the effects of the other groupings and beta. */
#ifndef CRUX_MIXED_SQUARES_H
#define CRUX_MIXED_SQUARES_H

#include <stdint.h>

#include "fit/mixed.h"

typedef struct crux_mixed_grouping {
	size_t groups, columns;
	size_t *blocks;
	size_t field;     /* of its first column in a row's fields */
	size_t start;     /* of its effects in `solution` */
	size_t theta;     /* its first parameter, among those of all groupings in the caller's order */
	size_t output;    /* its first effect in the caller's order */
	bool fixed;       /* T is 1, and u has no penalty */
	double *triangle; /* T, by columns */
} crux_mixed_grouping;

struct crux_mixed {
	size_t rows, fixed, groupings, thetas;
	crux_mixed_grouping *grouping; /* the first is eliminated, and the caller's first is where that one was */
	size_t largest;                /* the caller's number of the eliminated one */
	size_t free_effects;           /* of fixed groupings */
	size_t effects, dense, size;   /* effects of all groupings; of all but the first; with beta */
	size_t fields;                 /* of a row: fixed effects, then columns of groupings */
	double *values;                /* rows x fields, the rows sorted by their group of the first grouping */
	double *response, *weight, *offset, *censored; /* of these rows; censored may be NULL */
	crux_family family;
	size_t *first;                 /* row of each group, and the number of rows */
	size_t *met_first;             /* of each group, in `met` */
	uint32_t *met;                 /* places in the dense part of the effects that a group's rows have, ascending */
	uint32_t *slots;               /* rows x (groupings - 1): where the place of the row's first effect is among those */
	/* Results of the factorisation. */
	double *small;                 /* of each group of the first grouping: its triangle */
	double *heads;                 /* and its right side */
	double *cross;                 /* and its products with what it has met, then with the fixed effects */
	double *square, *right;        /* of the dense part, by columns */
	double *solution, *before;     /* u by groupings, then beta */
	double *curvature, *pull;      /* of each row: W and p */
	double *shift;                 /* T u of each group */
	double *scaled;                /* T' z of a row */
	size_t *places;                /* of a row or a group in the dense part */
};

/* Sets all triangles. */
void crux_mixed_set_theta(crux_mixed *mixed, const double *theta);

typedef struct crux_mixed_factor {
	double log_effects, log_fixed; /* of the determinant: the shares of random effects and of fixed ones */
	double explained;              /* sum of squares: p'(U X)(normal equations)^-1(U X)'p */
} crux_mixed_factor;

/* Factors the equations for the first `fixed` fixed effects (all or none) and reduces the right side. Returns false where rounding
 * or infinite numbers leave no positive definite matrix. */
bool crux_mixed_factorise(crux_mixed *mixed, size_t fixed, crux_mixed_factor *factor);

/* After that, sets `solution`; without fixed effects leaves beta as it is. */
void crux_mixed_solve(crux_mixed *mixed, size_t fixed);

/* After that, inverts the dense part, for the variances of sums and rows: destroys the factor. */
void crux_mixed_invert(crux_mixed *mixed);

/* After that, the variance of the linear predictor of a row, of that group of the first grouping. */
double crux_mixed_row_variance(crux_mixed *mixed, size_t row, size_t group);

/* Sets `shift` from the solution. */
void crux_mixed_shift(crux_mixed *mixed);

/* The linear predictor of a row by `shift`, its offset, and the first `fixed` fixed effects. */
double crux_mixed_predictor(const crux_mixed *mixed, size_t row, size_t group, size_t fixed);

#endif
