/* quadrature.c: the rules of 2 and 3 nodes by hand, and the moments of the normal distribution, which n nodes give exactly up to
 * the degree 2 n - 1. High moments need the tails: of 100 nodes, the least weight is below 1e-76. */
#include "fit/quadrature.h"

#include "base/sizes.h"
#include "check.h"

static void by_hand(void)
{
	double nodes[3], weights[3];
	crux_quadrature_normal(1, nodes, weights);
	CHECK(nodes[0] == 0 && weights[0] == 1);
	crux_quadrature_normal(2, nodes, weights);
	CHECK_NEAR(nodes[1], 1, 1e-15);
	CHECK(nodes[0] == -nodes[1]);
	CHECK_NEAR(weights[0], 0.5, 1e-15);
	crux_quadrature_normal(3, nodes, weights);
	CHECK_NEAR(nodes[2], sqrt(3), 1e-15);
	CHECK(nodes[1] == 0);
	CHECK_NEAR(weights[1], 2.0 / 3, 1e-15);
	CHECK_NEAR(weights[2], 1.0 / 6, 1e-15);
}

/* The mean of x^(2 k) is (2 k - 1) (2 k - 3) ... 1. */
static void moments(void)
{
	double nodes[CRUX_MOST_QUADRATURE_NODES], weights[CRUX_MOST_QUADRATURE_NODES];
	for (size_t n = 1; n <= CRUX_MOST_QUADRATURE_NODES; n++) {
		crux_quadrature_normal(n, nodes, weights);
		double expected = 1;
		for (size_t k = 0; k < n; expected *= 2 * (double)k++ + 1) {
			double sum = 0;
			for (size_t i = 0; i < n; i++)
				sum += weights[i] * pow(nodes[i], 2 * (double)k);
			CHECK_NEAR(sum, expected, 1e-12);
		}
	}
}

int main(void)
{
	by_hand();
	moments();
	return check_summary();
}
