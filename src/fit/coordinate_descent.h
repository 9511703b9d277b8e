/* Coefficients of least squares with penalties and bounds, from sums of products:
 *
 *     minimise  b'Gb / 2 - c'b + l1 |b|_1 + l2 |b|^2 / 2   subject to  lower <= b <= upper
 *
 * Method: a round of cyclic coordinate descent with covariance updates (J. Friedman, T. Hastie, R. Tibshirani, Regularization
 * paths for generalized linear models via coordinate descent, Journal of Statistical Software 33, 2010) finds the free
 * coefficients: neither 0 nor on a bound. The round then moves the free coefficients, by the Cholesky factor of their part of
 * G, to the least objective that their signs and bounds allow, as an active-set method does. A column that is a linear
 * combination of others is exchanged for them if that lowers the objective. No step raises the objective. The search ends
 * when a round changes nothing, usually the second to fifth; the result is exact but for rounding. A round takes time of
 * order n^3 in the free coefficients. If G is singular, the result is one of the minima. Without a penalty the search may
 * give up on columns that agree to about seven digits. The loops do not call LAPACK: for a few columns a call takes longer
 * than the work.
 *
 * The function works on the caller's arrays and allocates nothing. */
#pragma once

#include <stddef.h>

typedef struct crux_descent {
	size_t n;
	size_t stride;          /* numbers from one row of G to the next, at least n */
	const double *products; /* G: symmetric, positive semidefinite; a coefficient with diagonal 0 is not changed */
	const double *targets;  /* c */
	double l1, l2;          /* not negative */
	const double *lower;    /* NULL: none; may be infinite; lower <= upper */
	const double *upper;
	double *work;           /* crux_descent_work(n) numbers */
} crux_descent;

size_t crux_descent_work(size_t n);

/* Moves b from a start within the bounds to the minimum. Returns the number of rounds; 0 if it did not converge. */
size_t crux_descent_solve(const crux_descent *problem, double *b);
