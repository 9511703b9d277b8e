/* Elementwise arithmetic on columns of doubles. */
#include "stats/vector.h"

#include <math.h>
#include <stdbool.h>

static double power(double base, double exponent)
{
	return exponent == 2 ? base * base : pow(base, exponent); /* as R, so that model matrices are equal to the last bit */
}

static double lesser(double a, double b) { return isnan(a) || a < b ? a : b; }

static double compared(double a, double b, bool holds)
{
	return isnan(a) || isnan(b) ? NAN : holds;
}

/* Sets each out[i] to an expression of x = a[i] and y = b[i]. */
#define CASE(operator, expression)                                \
	case operator:                                                \
		for (size_t i = 0; i < n; i++) {                          \
			double const x = a[i * a_step], y = b[i * b_step];    \
			out[i] = (expression);                                \
		}                                                         \
		break;

void crux_vector_combine(crux_vector_operator op, size_t n, const double *a, size_t a_step, const double *b, size_t b_step,
                         double *out)
{
	switch (op) {
		CASE(CRUX_VECTOR_ADD, x + y)
		CASE(CRUX_VECTOR_SUBTRACT, x - y)
		CASE(CRUX_VECTOR_MULTIPLY, x * y)
		CASE(CRUX_VECTOR_DIVIDE, x / y)
		CASE(CRUX_VECTOR_POWER, power(x, y))
		CASE(CRUX_VECTOR_EQUAL, isfinite(x) ? x == y : NAN)
		CASE(CRUX_VECTOR_MINIMUM, lesser(x, y))
		CASE(CRUX_VECTOR_MAXIMUM, -lesser(-x, -y))
		CASE(CRUX_VECTOR_LESS, compared(x, y, x < y))
		CASE(CRUX_VECTOR_LESS_OR_EQUAL, compared(x, y, x <= y))
	}
}

void crux_vector_choose(size_t n, const double *test, const double *a, size_t a_step, const double *b, size_t b_step, double *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = isnan(test[i]) ? NAN : test[i] != 0 ? a[i * a_step] : b[i * b_step];
}

void crux_vector_map(double (*function)(double), size_t n, const double *a, double *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = function(a[i]);
}

double crux_vector_sum(size_t n, const double *a)
{
	crux_sum sum = {0};
	for (size_t i = 0; i < n; i++)
		crux_sum_add(&sum, a[i]);
	return crux_sum_value(sum);
}

size_t crux_vector_first_nonfinite(size_t n, const double *a)
{
	size_t i = 0;
	while (i < n && isfinite(a[i]))
		i++;
	return i;
}
