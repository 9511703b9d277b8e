/* Sums and products of doubles in twice the precision: a value is the unevaluated sum of two doubles.
 *
 * Error-free transformations: T. J. Dekker, A floating-point technique for extending the available precision (1971),
 * and D. E. Knuth, The Art of Computer Programming, volume 2, 4.2.2. Needs round to nearest and no contraction of
 * a * b + c (as -std=c11 gives), and is portable where long double is not. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

/* x rounded to 41 binary digits (12 decimal ones): where numbers that differ by rounding errors are to be equal. */
static inline double crux_rounded(double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	bits = (bits + (UINT64_C(1) << 11)) & ~(UINT64_C(4095));
	memcpy(&x, &bits, sizeof x);
	return x;
}

typedef struct crux_dd {
	double high, low; /* |low| is at most half a unit in the last place of high */
} crux_dd;

/* a + b exactly. */
static inline crux_dd crux_dd_sum(double a, double b)
{
	double const sum = a + b;
	double const part = sum - a;
	return (crux_dd){sum, (a - (sum - part)) + (b - part)};
}

/* a * b exactly (unless it underflows). */
static inline crux_dd crux_dd_product(double a, double b)
{
	double const product = a * b;
	return (crux_dd){product, fma(a, b, -product)};
}

/* a + b, relative error about 2^-104 without cancellation. */
static inline crux_dd crux_dd_add(crux_dd a, crux_dd b)
{
	crux_dd const sum = crux_dd_sum(a.high, b.high);
	crux_dd const rest = crux_dd_sum(a.low, b.low);
	crux_dd const first = crux_dd_sum(sum.high, sum.low + rest.high);
	return crux_dd_sum(first.high, first.low + rest.low);
}

/* a * b, relative error about 2^-104. */
static inline crux_dd crux_dd_scale(crux_dd a, double b)
{
	crux_dd const product = crux_dd_product(a.high, b);
	return crux_dd_sum(product.high, fma(a.low, b, product.low));
}
