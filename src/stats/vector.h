/* Elementwise arithmetic on columns of doubles, for formulas over blocks of rows.
 *
 * Plain functions on the caller's arrays: nothing is allocated, nothing fails; results follow IEEE 754 (log(-1) is
 * NaN, 1 / 0 infinite). `out` may be one of the inputs. */
#pragma once

#include <math.h>
#include <stddef.h>

/* From CRUX_VECTOR_MINIMUM on, the result is NaN where a or b is NaN. */
typedef enum {
	CRUX_VECTOR_ADD,
	CRUX_VECTOR_SUBTRACT,
	CRUX_VECTOR_MULTIPLY,
	CRUX_VECTOR_DIVIDE,
	CRUX_VECTOR_POWER,
	CRUX_VECTOR_EQUAL, /* 1 or 0; NaN where a is not finite */
	CRUX_VECTOR_MINIMUM,
	CRUX_VECTOR_MAXIMUM,
	CRUX_VECTOR_LESS, /* 1 or 0 */
	CRUX_VECTOR_LESS_OR_EQUAL,
} crux_vector_operator;

/* out[i] = a[i] op b[i] for n elements; an operand whose step is 0 is a single number for all of them, else 1. */
void crux_vector_combine(crux_vector_operator op, size_t n, const double *a, size_t a_step, const double *b, size_t b_step,
                         double *out);

/* out[i] = a[i] where test[i] is not 0, else b[i]; NaN where the test is. Steps as those of combine. */
void crux_vector_choose(size_t n, const double *test, const double *a, size_t a_step, const double *b, size_t b_step, double *out);

/* out[i] = function(a[i]). */
void crux_vector_map(double (*function)(double), size_t n, const double *a, double *out);

/* A sum, compensated (Neumaier): as exact as if it were rounded twice, at the end. Begins as 0. */
typedef struct crux_sum {
	double rounded, lost;
} crux_sum;

static inline void crux_sum_add(crux_sum *sum, double a)
{
	double const next = sum->rounded + a;
	sum->lost += fabs(sum->rounded) >= fabs(a) ? (sum->rounded - next) + a : (a - next) + sum->rounded;
	sum->rounded = next;
}

static inline double crux_sum_value(crux_sum sum) { return isfinite(sum.lost) ? sum.rounded + sum.lost : sum.rounded; }

/* Such a sum of n elements. */
double crux_vector_sum(size_t n, const double *a);

/* The index from 0 of the first element that is infinite or NaN; n when all are finite. */
size_t crux_vector_first_nonfinite(size_t n, const double *a);
