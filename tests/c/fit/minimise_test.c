/* minimise.c: problems solved by hand and NIST's Misra1a, bounds that hold, limits, callbacks that stop or have no numbers. */
#include "fit/minimise.h"

#include "check.h"

typedef crux_minimise_status method(const crux_squares *, double *, size_t *);

static method *const methods[] = {crux_minimise_by_gradient, crux_minimise_by_simplex};

enum { MANY = 100000 };

static double const free_low[] = {-INFINITY, -INFINITY}, free_high[] = {INFINITY, INFINITY};

/* Rosenbrock's valley: (1, 1) is the one place where all residuals are 0. */
static bool valley(void *context, const double *x, double *residuals)
{
	(void)context;
	residuals[0] = 10 * (x[1] - x[0] * x[0]);
	residuals[1] = 1 - x[0];
	return true;
}

static void test_valley(void)
{
	crux_squares const squares = {2, 2, free_low, free_high, MANY, valley, NULL};
	for (int i = 0; i < 2; i++) {
		double x[] = {-1.2, 1};
		size_t evaluations;
		CHECK(methods[i](&squares, x, &evaluations) == CRUX_MINIMISE_CONVERGED);
		CHECK_NEAR(x[0], 1, 1e-6);
		CHECK_NEAR(x[1], 1, 1e-6);
		CHECK(evaluations > 0 && evaluations < 10000);
	}
}

/* NIST, Statistical Reference Datasets, nonlinear regression: Misra1a, y = a (1 - exp(-b x)). */
static double const misra_y[] = {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.40, 75.47,
                                 81.78};
static double const misra_x[] = {77.6, 114.9, 141.1, 190.8, 239.9, 289.0, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1,
                                 760.0};

static bool misra(void *context, const double *b, double *residuals)
{
	(void)context;
	for (int i = 0; i < 14; i++)
		residuals[i] = misra_y[i] - b[0] * (1 - exp(-b[1] * misra_x[i]));
	return true;
}

static void test_misra(void)
{
	double const zero[] = {0, 0}, high[] = {1000, 1};
	crux_squares squares = {2, 14, free_low, free_high, MANY, misra, NULL};
	for (int bounds = 0; bounds < 3; bounds++) { /* none, below, on both sides: none is met */
		squares.low = bounds > 0 ? zero : free_low;
		squares.high = bounds > 1 ? high : free_high;
		double b[] = {500, 0.0001};
		size_t evaluations;
		CHECK(crux_minimise_by_gradient(&squares, b, &evaluations) == CRUX_MINIMISE_CONVERGED);
		CHECK_NEAR(b[0], 2.3894212918E+02, 1e-9);
		CHECK_NEAR(b[1], 5.5015643181E-04, 1e-9);
	}
}

/* Derivatives of a (1 - exp(-b x)) against those by hand; on one side at a bound. */
static void test_jacobian(void)
{
	double const b[] = {240, 5e-4}, low[] = {240, 0}, high[] = {1000, 5e-4};
	double columns[28];
	crux_squares squares = {2, 14, free_low, free_high, MANY, misra, NULL};
	for (int bounds = 0; bounds < 2; bounds++) {
		CHECK(crux_minimise_jacobian(&squares, b, columns) == CRUX_MINIMISE_CONVERGED);
		for (int i = 0; i < 14; i++) {
			double const rest = exp(-b[1] * misra_x[i]);
			CHECK_NEAR(columns[i], rest - 1, bounds ? 1e-5 : 1e-9);
			CHECK_NEAR(columns[14 + i], -b[0] * misra_x[i] * rest, bounds ? 1e-5 : 1e-9);
		}
		squares.low = low;
		squares.high = high;
	}
}

/* The valley with x at most 0.5: the best is (0.5, 0.25), where the bound is met. */
static void test_met_bound(void)
{
	double const high[] = {0.5, INFINITY}, low[] = {-2, -INFINITY};
	crux_squares squares = {2, 2, free_low, high, MANY, valley, NULL};
	for (int both = 0; both < 2; both++)
		for (int i = 0; i < 2; i++) {
			squares.low = both ? low : free_low;
			double x[] = {-1.2, 1};
			size_t evaluations;
			CHECK(methods[i](&squares, x, &evaluations) == CRUX_MINIMISE_CONVERGED);
			CHECK(x[0] <= 0.5);
			CHECK_NEAR(x[0], 0.5, 1e-4);
			CHECK_NEAR(x[1], 0.25, 2e-4);
		}
}

/* |x - 3| and |y| as residuals' roots: a corner where gradients mislead. The best is (3, 0). */
static bool corner(void *context, const double *x, double *residuals)
{
	(void)context;
	residuals[0] = sqrt(fabs(x[0] - 3) + 2 * fabs(x[1] - x[0] + 3));
	return true;
}

static void test_corner(void)
{
	crux_squares const squares = {2, 1, free_low, free_high, MANY, corner, NULL};
	double x[] = {10, -4};
	size_t evaluations;
	CHECK(crux_minimise_by_simplex(&squares, x, &evaluations) == CRUX_MINIMISE_CONVERGED);
	CHECK_NEAR(x[0], 3, 1e-6);
	CHECK(fabs(x[1]) < 1e-6);
	double again[] = {10, -4};
	size_t same;
	CHECK(crux_minimise_by_simplex(&squares, again, &same) == CRUX_MINIMISE_CONVERGED);
	CHECK(again[0] == x[0] && again[1] == x[1] && same == evaluations);
	CHECK(crux_minimise_by_gradient(&squares, x, &evaluations) == CRUX_MINIMISE_TOO_LARGE); /* fewer residuals */
}

/* log(x) - log(2) has no numbers below 0, where the first steps lead from far away. */
static bool logarithm(void *context, const double *x, double *residuals)
{
	size_t *calls = context;
	if (calls && --*calls == 0)
		return false;
	residuals[0] = residuals[1] = log(x[0]) - log(2);
	return true;
}

static void test_no_numbers(void)
{
	crux_squares const squares = {1, 2, free_low, free_high, MANY, logarithm, NULL};
	for (int i = 0; i < 2; i++) {
		double x[] = {50};
		size_t evaluations;
		CHECK(methods[i](&squares, x, &evaluations) == CRUX_MINIMISE_CONVERGED);
		CHECK_NEAR(x[0], 2, 1e-6);
	}
}

static void test_ends(void)
{
	for (int i = 0; i < 2; i++)
		for (size_t most = 1; most < 8; most++) {
			size_t calls = most, evaluations;
			crux_squares squares = {1, 2, free_low, free_high, MANY, logarithm, &calls};
			double x[] = {50};
			CHECK(methods[i](&squares, x, &evaluations) == CRUX_MINIMISE_STOPPED);
			CHECK(evaluations == most);
			squares.context = NULL;
			squares.most_evaluations = most;
			double y[] = {50};
			CHECK(methods[i](&squares, y, &evaluations) == CRUX_MINIMISE_LIMIT);
			CHECK(evaluations == most && isfinite(y[0]) && y[0] > 0);
		}
}

/* a x / (x + b) for x^2, which curves the other way: the larger a and b, the better. */
static bool saturation(void *context, const double *b, double *residuals)
{
	(void)context;
	for (int x = 1; x <= 10; x++)
		residuals[x - 1] = x * x - b[0] * x / (x + b[1]);
	return true;
}

static void test_growth_without_end(void)
{
	double const zero[] = {0, 0};
	crux_squares squares = {2, 10, free_low, free_high, MANY, saturation, NULL};
	for (int i = 0; i < 2; i++) {
		squares.low = i ? free_low : zero;
		for (int j = 0; j < 2; j++) {
			double b[] = {10, 5};
			size_t evaluations;
			CHECK(methods[j](&squares, b, &evaluations) == CRUX_MINIMISE_AWAY);
			CHECK(b[1] > 5000 && evaluations < 3000);
		}
	}
}

int main(void)
{
	test_valley();
	test_misra();
	test_jacobian();
	test_met_bound();
	test_corner();
	test_no_numbers();
	test_ends();
	test_growth_without_end();
	return check_summary();
}
