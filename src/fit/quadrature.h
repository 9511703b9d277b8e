/* Gauss-Hermite quadrature: the mean of a function of a standard normal variable as a weighted sum of its values at nodes. With
 * n nodes it is exact, but for rounding, for polynomials of degree 2 n - 1.
 *
 * The nodes are the eigenvalues of the Hermite polynomials' recurrence (Golub and Welsch 1969), polished by Newton's method, so
 * that also the least weights have a relative error below 1e-12. The caller owns the arrays. Any thread may call. */
#pragma once

#include <stddef.h>

/* Sets n nodes, ascending and symmetric, and their weights, of sum 1, for n from 1 to CRUX_MOST_QUADRATURE_NODES. */
void crux_quadrature_normal(size_t n, double *nodes, double *weights);
