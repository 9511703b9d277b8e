/* Mixed models: rows of a response that fixed effects and effects of groups (players, levels) explain, linear in both.
 *
 * A row of groupings f = 1, 2, ... with columns z_f has the linear predictor
 *     eta = offset + x' beta + sum over f of z_f' b_f[group of the row],    b_f[group] = T_f u_f[group],
 * where all u are independent normal of variance 1 (times that of the residuals in linear models), and the lower triangle T_f holds
 * the parameters theta (Bates, Maechler, Bolker and Walker, Fitting Linear Mixed-Effects Models Using lme4, 2015).
 *
 * The effects of a grouping may also be fixed, one of each group, as those of levels in "levels fixed, players random": they are
 * then like columns of x that are 1 in the rows of a group, but take no memory for each row. The likelihood of such a model is always
 * restricted: integrated over these effects, with a flat prior.
 *
 * Linear models maximise the profiled likelihood, or the restricted one; others the likelihood by Laplace's approximation at the
 * most probable u or, with one grouping of one column, by adaptive Gauss-Hermite quadrature. A quasi-Newton search varies theta (of
 * other models also beta and the extras of the family), by derivatives that follow from the inverse of the normal equations (of
 * Laplace's approximation: Kristensen, Nielsen, Berg, Skaug and Bell 2016; of quadrature: by differences). Inside, penalised least
 * squares give u (and beta).
 *
 * Penalised least squares factor U'U + 1 with U the columns of all u: the grouping of the most effects is eliminated group by
 * group, as no row is in two of them; the rest, with x, is one dense triangle (cholesky.h). Memory: 8 bytes times the square of
 * the number of other effects, and a copy of the rows.
 *
 * The caller owns all arrays; the object keeps a copy of the rows. No global state: one object belongs to one thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "fit/mixed_family.h"

typedef struct crux_mixed crux_mixed;

typedef struct crux_grouping {
	size_t groups, columns;        /* at least 1 each */
	const double *group;           /* of each row, from 1 to groups */
	const double *const *values;   /* values[column][row] */
	const size_t *blocks;          /* of each column: those of one block are correlated */
	bool fixed;                    /* its effects are fixed ones, without a distribution and thetas; one column, all 1 */
} crux_grouping;

typedef struct crux_mixed_rows {
	size_t rows, fixed, groupings; /* at least 1 row and 1 grouping */
	const double *const *columns;  /* of the fixed effects: columns[i][row], linearly independent */
	const crux_grouping *grouping;
	const double *response;        /* as the family says */
	const double *weights;         /* case weights above 0; NULL: all 1 */
	const double *offset;          /* NULL: all 0 */
	const double *censored;        /* not 0: the response is a lower bound; NULL: none is; of CRUX_CENSORED alone */
	crux_family family;
} crux_mixed_rows;

/* Copies the rows; NULL when memory is short. */
crux_mixed *crux_mixed_new(const crux_mixed_rows *rows);

/* NULL is allowed. */
void crux_mixed_free(crux_mixed *mixed);

size_t crux_mixed_thetas(const crux_mixed *mixed);  /* in the order of groupings, blocks, columns of triangles, as lme4's */
size_t crux_mixed_effects(const crux_mixed *mixed); /* of all groups: by groupings, groups, columns */
size_t crux_mixed_fixed(const crux_mixed *mixed);
size_t crux_mixed_groups(const crux_mixed *mixed, size_t grouping, size_t *columns); /* 0 and 0 where there is no such grouping */
size_t crux_mixed_extras(const crux_mixed *mixed);  /* the least number that its family needs for its responses */
bool crux_mixed_is_scalar(const crux_mixed *mixed); /* one grouping of one column: quadrature is possible */

/* The number of effects beside the eliminated grouping: the dense triangle has their square. */
size_t crux_mixed_dense(const crux_mixed_rows *rows);

typedef struct crux_mixed_options {
	bool restricted;         /* of linear models: REML */
	size_t nodes;            /* of quadrature; 1: Laplace */
	size_t extras;           /* numbers of the family: one less than there are categories, or 1 */
	size_t kept_extras;      /* the first of them that are kept as given */
	size_t most_evaluations;
	bool expected;           /* of crux_mixed_modes: means and variances rather than modes and curvatures there */
	bool sums;               /* of crux_mixed_modes: crux_mixed_sum follows */
} crux_mixed_options;

typedef struct crux_mixed_fit {
	double deviance;         /* -2 log likelihood, or the restricted criterion */
	double variance;         /* of the residuals in linear models; else 1 */
	size_t evaluations;
	bool converged;
} crux_mixed_fit;

typedef enum crux_mixed_status {
	CRUX_MIXED_DONE,
	CRUX_MIXED_NO_MEMORY,
	CRUX_MIXED_NOT_FINITE, /* the likelihood at the start: numbers too large or too small */
} crux_mixed_status;

/* Estimates all parameters, from the given ones. theta: crux_mixed_thetas numbers; beta: fixed numbers, their start is computed
 * inside; extras: options->extras numbers; covariance: (fixed + free extras)^2 numbers, NaN where the information is singular. */
crux_mixed_status crux_mixed_estimate(crux_mixed *mixed, const crux_mixed_options *options, double *theta, double *beta,
                                      double *extras, double *covariance, crux_mixed_fit *fit);

typedef struct crux_mixed_point {
	double log_effects, log_fixed; /* their sum: the log determinant of the penalised normal equations of u and beta */
	double value;                  /* of linear models the penalised sum of squares, of others the log-likelihood minus u'u / 2 */
} crux_mixed_point;

/* Finds the most probable u and beta at given theta and extras, with a flat prior of beta. effects: crux_mixed_effects numbers, those
 * of the groups, b; NULL is allowed. */
crux_mixed_status crux_mixed_modes(crux_mixed *mixed, const crux_mixed_options *options, const double *theta, const double *extras,
                                   double *effects, crux_mixed_point *point);

/* After that: the mean and the variance of x' beta + z' b of a group, given theta and extras (Henderson 1975, from the inverse of the
 * whole matrix; the variance in units of that of the residuals in linear models). x: crux_mixed_fixed numbers; z: one number for each
 * column of the grouping, the number of groupings standing for none. */
void crux_mixed_sum(crux_mixed *mixed, const double *x, size_t grouping, size_t group, const double *z, double *mean,
                    double *variance);
