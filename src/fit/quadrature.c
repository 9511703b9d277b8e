#include "fit/quadrature.h"

#include <lapacke.h>
#include <math.h>

/* Evaluates the orthonormal Hermite polynomials at x: sets *last to that of degree n - 1 and *squares to the sum of the squares
 * of all of lower degree than n; returns that of degree n. */
static double polynomial(size_t n, double x, double *last, double *squares)
{
	double before = 0, value = 1;
	*squares = 0;
	for (size_t k = 0; k < n; k++) {
		double const next = (x * value - sqrt((double)k) * before) / sqrt((double)k + 1);
		*squares += value * value;
		before = value;
		value = next;
	}
	*last = before;
	return value;
}

void crux_quadrature_normal(size_t n, double *nodes, double *weights)
{
	for (size_t i = 0; i < n; i++) {
		nodes[i] = 0;
		weights[i] = sqrt((double)i + 1); /* beside the diagonal of the recurrence's matrix */
	}
	LAPACKE_dsterf_work((lapack_int)n, nodes, weights);
	for (size_t i = 0; i <= (n - 1) / 2; i++) {
		size_t const mirror = n - 1 - i;
		double last, squares, x = i == mirror ? 0 : nodes[mirror];
		if (i != mirror)
			x -= polynomial(n, x, &last, &squares) / (sqrt((double)n) * last);
		polynomial(n, x, &last, &squares);
		nodes[i] = -x;
		nodes[mirror] = x;
		weights[i] = weights[mirror] = 1 / squares;
	}
}
