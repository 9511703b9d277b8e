/* quasi_newton.c: functions whose least values are known, with and without bounds, and a search that is cut short. */
#include "fit/quasi_newton.h"

#include "check.h"

typedef struct counted {
	size_t values;
} counted;

/* Rosenbrock (1960): 0 at (1, 1). */
static double valley(void *context, const double *x, double *gradient)
{
	double const across = x[1] - x[0] * x[0], along = 1 - x[0];
	((counted *)context)->values += gradient == NULL;
	if (gradient) {
		gradient[0] = -400 * x[0] * across - 2 * along;
		gradient[1] = 200 * across;
	}
	return 100 * across * across + along * along;
}

/* 1e9, which hides the last steps, and a square around (2, -3). */
static double hidden(void *context, const double *x, double *gradient)
{
	((counted *)context)->values += gradient == NULL;
	if (gradient) {
		gradient[0] = 2 * (x[0] - 2) + (x[1] + 3);
		gradient[1] = 4 * (x[1] + 3) + (x[0] - 2);
	}
	return 1e9 + (x[0] - 2) * (x[0] - 2) + 2 * (x[1] + 3) * (x[1] + 3) + (x[0] - 2) * (x[1] + 3);
}

static crux_smooth_status least(double (*function)(void *, const double *, double *), const double *low, size_t most, double *x, double *value)
{
	counted count = {0};
	crux_smooth const smooth = {.variables = 2, .low = low, .precision = 1e-7, .most_evaluations = most, .evaluate = function, .context = &count};
	crux_smooth_status const status = crux_quasi_newton(&smooth, x, value);
	CHECK(count.values <= most);
	return status;
}

int main(void)
{
	double const none[] = {-HUGE_VAL, -HUGE_VAL}, above[] = {-HUGE_VAL, 2}, beyond[] = {0, 0};
	double x[2] = {-1.2, 1}, value;
	CHECK(least(valley, none, 100, x, &value) == CRUX_SMOOTH_CONVERGED);
	CHECK(fabs(x[0] - 1) < 1e-7 && fabs(x[1] - 1) < 1e-7 && value < 1e-12);
	x[0] = -1.2;
	x[1] = 2;
	CHECK(least(valley, above, 100, x, &value) == CRUX_SMOOTH_CONVERGED); /* on the bound: the root of 400 x^3 - 798 x - 2 near 1.4 */
	CHECK(x[1] == 2 && fabs(400 * x[0] * x[0] * x[0] - 798 * x[0] - 2) < 1e-3);
	double y[2] = {50, 50};
	CHECK(least(hidden, none, 100, y, &value) == CRUX_SMOOTH_CONVERGED);
	CHECK(fabs(y[0] - 2) < 1e-6 && fabs(y[1] + 3) < 1e-6);
	y[0] = y[1] = 50;
	CHECK(least(hidden, beyond, 100, y, &value) == CRUX_SMOOTH_CONVERGED); /* y[1] = 0: the least of (x - 2)^2 + 3 (x - 2) is at 0.5 */
	CHECK(y[1] == 0 && fabs(y[0] - 0.5) < 1e-6);
	y[0] = y[1] = 50;
	CHECK(least(hidden, none, 4, y, &value) == CRUX_SMOOTH_LIMIT && value < 1e9 + 10466);
	return check_summary();
}
