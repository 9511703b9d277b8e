/* Elementwise arithmetic on columns of doubles. */
#include "stats/vector.h"

#include <math.h>

static double power(double base, double exponent)
{
	return exponent == 2 ? base * base : pow(base, exponent); /* as R, so that model matrices are equal to the last bit */
}

static double lesser(double a, double b)
{
	return isnan(a) || a < b ? a : b;
}

void crux_vector_combine(crux_vector_operator op, size_t n, const double *a, size_t a_step, const double *b, size_t b_step,
                         double *out)
{
	switch (op) {
	case CRUX_VECTOR_ADD:
		for (size_t i = 0; i < n; i++)
			out[i] = a[i * a_step] + b[i * b_step];
		break;
	case CRUX_VECTOR_SUBTRACT:
		for (size_t i = 0; i < n; i++)
			out[i] = a[i * a_step] - b[i * b_step];
		break;
	case CRUX_VECTOR_MULTIPLY:
		for (size_t i = 0; i < n; i++)
			out[i] = a[i * a_step] * b[i * b_step];
		break;
	case CRUX_VECTOR_DIVIDE:
		for (size_t i = 0; i < n; i++)
			out[i] = a[i * a_step] / b[i * b_step];
		break;
	case CRUX_VECTOR_POWER:
		for (size_t i = 0; i < n; i++)
			out[i] = power(a[i * a_step], b[i * b_step]);
		break;
	case CRUX_VECTOR_MINIMUM:
		for (size_t i = 0; i < n; i++)
			out[i] = lesser(a[i * a_step], b[i * b_step]);
		break;
	case CRUX_VECTOR_MAXIMUM:
		for (size_t i = 0; i < n; i++)
			out[i] = -lesser(-a[i * a_step], -b[i * b_step]);
		break;
	case CRUX_VECTOR_EQUAL:
		for (size_t i = 0; i < n; i++)
			out[i] = isfinite(a[i * a_step]) ? a[i * a_step] == b[i * b_step] : NAN;
		break;
	}
}

void crux_vector_map(double (*function)(double), size_t n, const double *a, double *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = function(a[i]);
}

double crux_vector_sum(size_t n, const double *a)
{
	double sum = 0, lost = 0;
	for (size_t i = 0; i < n; i++) {
		double const next = sum + a[i];
		lost += fabs(sum) >= fabs(a[i]) ? (sum - next) + a[i] : (a[i] - next) + sum;
		sum = next;
	}
	return isfinite(lost) ? sum + lost : sum;
}

size_t crux_vector_first_nonfinite(size_t n, const double *a)
{
	size_t i = 0;
	while (i < n && isfinite(a[i]))
		i++;
	return i;
}
