/* Penalised least squares of mixed models: the rows of crux_mixed (mixed.h), and the factor of the normal equations
 *     [U'WU + 1  U'WX] [u   ]   [U'p]
 *     [X'WU      X'WX] [beta] = [X'p]
 * (where 0 stands for 1 at the effects of fixed groupings), with a row's values of all effects in U = Z T, of fixed effects in X,
 * its weight in W, and in p its weight times its response.
 *
 * A row belongs to one group of grouping 0, so that its effects have no products with those of other groups: each group is a
 * small triangle, and subtracts its share from the dense part, which holds the effects of the other groupings and beta. */
#pragma once

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

/* A group of the first grouping, and where an effect is among those that it has met. */
typedef struct crux_mixed_meeting {
	uint32_t group, slot;
} crux_mixed_meeting;

struct crux_mixed {
	size_t rows, fixed, groupings, thetas;
	crux_mixed_grouping *grouping; /* the first is eliminated, and the caller's first is where that one was */
	size_t largest;                /* the caller's number of the eliminated one */
	size_t free_effects;           /* of fixed groupings */
	size_t effects, dense, size;   /* effects of all groupings; of all but the first; with beta */
	size_t fields;                 /* of a row: fixed effects, then columns of groupings */
	double *values;                /* rows x fields, the rows sorted by their group of the first grouping; one row if all are the same */
	size_t stride;                 /* from a row's values to the next: `fields` or 0 */
	double *response, *weight, *offset, *censored; /* of these rows; the last three are NULL where all rows have 1, 0 and 0 */
	crux_family family;
	size_t *first;                 /* row of each group, and the number of rows */
	size_t *met_first;             /* of each group, in `met` */
	uint32_t *met;                 /* places in the dense part of the effects that a group's rows have, ascending */
	size_t *meeting_first;         /* of each place in the dense part, in `meeting` */
	crux_mixed_meeting *meeting;   /* the groups that have met the place */
	uint32_t *slots;               /* rows x (groupings - 1): where the place of the row's first effect is among those */
	double *curvature, *pull;      /* of each row: W and p */
	double *solution, *before;     /* u by groupings, then beta */
	double *shift, *shift_before;  /* T u of each group */
	/* Results of the factorisation. */
	double *small;                 /* of each group of the first grouping: its triangle */
	double *cross;                 /* and its products with what it has met, then with the fixed effects */
	double *square;                /* of the dense part, by columns: its factor, and above the diagonal its inverse */
	double *diagonal;              /* of the inverse */
	/* Space to work in. */
	double *right, *blocks;        /* of the dense part */
	double *scaled;                /* T' z of a row, and thrice as many numbers */
	double *spread;                /* as large as `cross` */
	size_t *places;                /* of a row or a group in the dense part */
	size_t *slot;                  /* of a row's effects among those that its group has met */
	void *block, *crossed;         /* hold all arrays but those of groupings and `met` */
};

static inline const double *crux_mixed_values(const crux_mixed *mixed, size_t row) { return mixed->values + row * mixed->stride; }
static inline double crux_mixed_weight(const crux_mixed *mixed, size_t row) { return mixed->weight ? mixed->weight[row] : 1; }
static inline double crux_mixed_offset(const crux_mixed *mixed, size_t row) { return mixed->offset ? mixed->offset[row] : 0; }

/* Sets all triangles. */
void crux_mixed_set_theta(crux_mixed *mixed, const double *theta);

typedef struct crux_mixed_factor {
	double log_effects, log_fixed; /* of the determinant: the shares of random effects and of fixed ones */
} crux_mixed_factor;

/* Factors the equations for the first `fixed` fixed effects (all or none). Returns false where rounding or infinite numbers leave no
 * positive definite matrix. */
bool crux_mixed_factorise(crux_mixed *mixed, size_t fixed, crux_mixed_factor *factor);

/* After that, sets u, and beta behind it; without fixed effects leaves beta as it is. */
void crux_mixed_solve(crux_mixed *mixed, size_t fixed, double *solution);

/* After the factorisation, inverts the dense part, for all that follows, which takes the same number of fixed effects. */
void crux_mixed_invert(crux_mixed *mixed, size_t fixed);

/* Sets the variances of the linear predictors of all rows, and adds to `slopes`, of each theta, the derivatives of the logarithm of
 * the determinant at the same W. NULL is allowed for either. */
void crux_mixed_row_variances(crux_mixed *mixed, size_t fixed, double *variances, double *slopes);

/* Of groupings with one column each: adds to `slopes`, of each theta, the derivative of that logarithm for a linear model. It is
 * 2 / theta times the number of effects less the trace of the inverse over these. No row is read. */
void crux_mixed_trace_slopes(const crux_mixed *mixed, size_t fixed, double *slopes);

/* Adds to those of the thetas of a grouping, of T from its columns on: by z[row of T] * u[column] * factor. */
void crux_mixed_add_slopes(const crux_mixed_grouping *at, const double *z, const double *u, double factor, double *slopes);

/* Sets T u of all groups. */
void crux_mixed_shift(const crux_mixed *mixed, const double *u, double *shift);

/* The first effect of a row's group among those of all groupings, as in `solution`; `group` is that of the first grouping. */
size_t crux_mixed_effect(const crux_mixed *mixed, size_t row, size_t group, size_t grouping);

/* The sum of what the effects of `shift` and the first `fixed` numbers of beta add to the linear predictor of a row. */
double crux_mixed_predictor(const crux_mixed *mixed, size_t row, size_t group, const double *shift, const double *beta, size_t fixed);

/* Small matrices, by columns: the solution of L x = b or L' x = b in place of b, and the sum of products. */
void crux_mixed_forward(const double *triangle, size_t n, double *x);
void crux_mixed_backward(const double *triangle, size_t n, double *x);
double crux_mixed_dot(const double *x, const double *y, size_t n);

/* The products of a group of the first grouping with all that its rows have. */
typedef struct crux_mixed_eliminated {
	size_t columns, met;     /* effects of the group; of others that its rows have */
	const uint32_t *list;    /* their places in the dense part */
	double *small, *cross, *spread;
} crux_mixed_eliminated;

static inline crux_mixed_eliminated crux_mixed_group(const crux_mixed *mixed, size_t j)
{
	size_t const k = mixed->grouping[0].columns, start = mixed->met_first[j];
	return (crux_mixed_eliminated){
		.columns = k,
		.met = mixed->met_first[j + 1] - start,
		.list = mixed->met + start,
		.small = mixed->small + j * k * k,
		.cross = mixed->cross + k * (start + j * mixed->fixed),
		.spread = mixed->spread + k * (start + j * mixed->fixed),
	};
}

/* The place in the dense part of a column of `cross`: of an effect that the group has met, or behind these of a fixed one. */
static inline size_t crux_mixed_place(const crux_mixed *mixed, const crux_mixed_eliminated *group, size_t c)
{
	return c < group->met ? group->list[c] : mixed->dense + c - group->met;
}

/* The number of groups that have products with a place of the dense part, and one of them; of fixed effects all have. */
size_t crux_mixed_meetings(const crux_mixed *mixed, size_t place);
crux_mixed_meeting crux_mixed_meeting_at(const crux_mixed *mixed, size_t place, size_t number);

/* The same, and asks the caches for the products and places of a later group, which they are too small to keep: from the first, or from
 * that of the place on. */
crux_mixed_meeting crux_mixed_meeting_next(const crux_mixed *mixed, size_t place, size_t number, bool from_first);

/* Sets T' z. */
void crux_mixed_scale(const crux_mixed_grouping *at, const double *z, double *scaled);
