/* coordinate_descent.c: cases by hand, and the conditions of a minimum on random problems, singular ones among them. */
#include "fit/coordinate_descent.h"

#include <stdlib.h>

#include "check.h"
#include "stats/random.h"

enum { MOST = 8 };

static double work[MOST * MOST + 3 * MOST];

/* Two columns of mean square 1 whose mean product is 1/2, targets 2 and 0. */
static void check_by_hand(void)
{
	double const products[] = {1, 0.5, 0.5, 1}, targets[] = {2, 0};
	crux_descent problem = {.n = 2, .stride = 2, .products = products, .targets = targets, .work = work};
	CHECK(crux_descent_work(2) == 10);
	double b[2] = {0};
	CHECK(crux_descent_solve(&problem, b) > 0);
	CHECK_NEAR(b[0], 8.0 / 3, 1e-15); /* b0 + b1 / 2 = 2, b0 / 2 + b1 = 0 */
	CHECK_NEAR(b[1], -4.0 / 3, 1e-15);
	problem.l1 = 0.75;
	CHECK(crux_descent_solve(&problem, b) > 0);
	CHECK_NEAR(b[0], 1.25, 1e-15); /* 2 - 0.75 with b1 = 0, whose pull 0.625 is less than 0.75 */
	CHECK(b[1] == 0);
	problem.l1 = 0;
	problem.l2 = 1;
	CHECK(crux_descent_solve(&problem, b) > 0);
	CHECK_NEAR(b[0], 16.0 / 15, 1e-15); /* 2 b0 + b1 / 2 = 2, b0 / 2 + 2 b1 = 0 */
	CHECK_NEAR(b[1], -4.0 / 15, 1e-15);
	problem.l2 = 0;
	double const lower[] = {-INFINITY, -1}, upper[] = {INFINITY, 3};
	problem.lower = lower;
	problem.upper = upper;
	CHECK(crux_descent_solve(&problem, b) > 0);
	CHECK_NEAR(b[0], 2.5, 1e-15);
	CHECK(b[1] == -1);
}

/* The third column is the sum of the first two, and says all that they say: one coefficient of 1 costs less than two. */
static void check_combination(void)
{
	double const products[] = {1, 0, 1, 0, 1, 1, 1, 1, 2}, targets[] = {1, 1, 2};
	crux_descent const problem = {.n = 3, .stride = 3, .products = products, .targets = targets, .l1 = 0.25, .work = work};
	double b[3] = {0};
	CHECK(crux_descent_solve(&problem, b) > 0);
	CHECK(b[0] == 0 && b[1] == 0);
	CHECK_NEAR(b[2], 0.875, 1e-15); /* (2 - 0.25) / 2 */
	crux_descent const nothing = {.n = 0, .work = work};
	CHECK(crux_descent_solve(&nothing, b) > 0);
}

static double uniform(crux_random *random) { return 2 * crux_random_real(random) - 1; }

/* Whether no coefficient can move to lower the objective. */
static bool is_minimum(const crux_descent *problem, const double *b)
{
	for (size_t j = 0; j < problem->n; j++) {
		double pull = problem->targets[j] - problem->l2 * b[j];
		for (size_t i = 0; i < problem->n; i++)
			pull -= problem->products[j * problem->stride + i] * b[i];
		double const up = pull - (b[j] < 0 ? -problem->l1 : problem->l1), down = pull + (b[j] > 0 ? -problem->l1 : problem->l1);
		bool const may_rise = !problem->upper || b[j] < problem->upper[j], may_fall = !problem->lower || b[j] > problem->lower[j];
		if ((may_rise && up > 1e-9) || (may_fall && down < -1e-9))
			return false;
	}
	return true;
}

/* Mean products of n columns of as many rows as the rank, and of a response in the same rows. */
static void check_random(crux_random *random)
{
	size_t const n = (size_t)crux_random_integer(random, 1, MOST), rank = (size_t)crux_random_integer(random, 1, MOST);
	double rows[MOST][MOST + 1], products[MOST * MOST], targets[MOST], b[MOST] = {0}, lower[MOST], upper[MOST];
	for (size_t row = 0; row < rank; row++)
		for (size_t j = 0; j <= n; j++)
			rows[row][j] = uniform(random);
	for (size_t i = 0; i < n; i++) {
		targets[i] = 0;
		for (size_t row = 0; row < rank; row++)
			targets[i] += rows[row][i] * rows[row][n];
		for (size_t j = 0; j < n; j++) {
			products[i * n + j] = 0;
			for (size_t row = 0; row < rank; row++)
				products[i * n + j] += rows[row][i] * rows[row][j];
		}
		lower[i] = fmin(uniform(random), 0);
		upper[i] = fmax(uniform(random), 0);
	}
	crux_descent problem = {.n = n, .stride = n, .products = products, .targets = targets, .work = work};
	problem.l1 = crux_random_real(random) < 0.6 ? crux_random_real(random) / 2 : 0;
	problem.l2 = crux_random_real(random) < 0.3 ? crux_random_real(random) / 2 : 0;
	problem.lower = crux_random_real(random) < 0.4 ? lower : NULL;
	problem.upper = crux_random_real(random) < 0.4 ? upper : NULL;
	size_t const rounds = crux_descent_solve(&problem, b);
	CHECK(rounds > 0);
	CHECK(is_minimum(&problem, b));
	/* The penalty that leaves no coefficient, but for rounding, whatever the start. */
	problem.l1 = 0;
	for (size_t i = 0; i < n; i++)
		problem.l1 = fmax(problem.l1, fabs(targets[i]) * (1 - 0x1p-52));
	CHECK(crux_descent_solve(&problem, b) > 0);
	for (size_t i = 0; i < n; i++)
		CHECK(b[i] == 0);
}

int main(void)
{
	check_by_hand();
	check_combination();
	crux_random random = crux_random_new(5, 0);
	for (int i = 0; i < 20000; i++)
		check_random(&random);
	return check_summary();
}
