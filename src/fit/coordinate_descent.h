/* Coefficients of least squares with penalties and bounds, from sums of products:
 *
 *     minimise  b'Gb / 2 - c'b + l1 |b|_1 + l2 |b|^2 / 2   subject to  lower <= b <= upper
 *
 * Method: a round of cyclic coordinate descent (J. Friedman, T. Hastie, R. Tibshirani, Regularization paths for generalized
 * linear models via coordinate descent, Journal of Statistical Software 33, 2010, its covariance updates) decides which
 * coefficients are off zero and off their bounds; for these, Cholesky's factors of their part of G lead to the least value
 * that their signs and bounds allow, as in an active-set method, a column that is a combination of others being exchanged
 * for these where that gains anything. Each only lowers the objective, and it ends when a round changes nothing: usually
 * the second to fifth, exact but for rounding. A round takes time of n^3 in the coefficients that are not 0. Among
 * coefficients that are as good, G being singular, it finds some. It gives up on columns that agree in all but the seventh
 * digit without a penalty to choose between them.
 *
 * A plain function on the caller's arrays; nothing is allocated. */
#ifndef CRUX_COORDINATE_DESCENT_H
#define CRUX_COORDINATE_DESCENT_H

#include <stddef.h>

typedef struct crux_descent {
	size_t n;
	size_t stride;          /* from one row of G to the next, at least n */
	const double *products; /* G: symmetric, positive semidefinite; 0 in its diagonal: that coefficient is left alone */
	const double *targets;  /* c */
	double l1, l2;          /* not negative */
	const double *lower;    /* NULL: none; may be infinite; lower <= upper */
	const double *upper;
	double *work;           /* crux_descent_work(n) numbers */
} crux_descent;

size_t crux_descent_work(size_t n);

/* Moves b, any start within the bounds, to the minimum. Returns the number of rounds; 0 when it gave up. */
size_t crux_descent_solve(const crux_descent *problem, double *b);

#endif
