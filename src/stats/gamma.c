/* The gamma function's logarithm by the C library, its derivatives by recurrence (DLMF 5.5.2, 5.15.5) up to where the
 * asymptotic series (5.11.2, 5.15.8) are good. */
#include "stats/gamma.h"

#include <math.h>

/* The first terms left out, 3617 / 8160 / x^16 and 3617 / 510 / x^17, are below 4e-18 times the sums from here on. */
static const double far = 14;

double crux_log_gamma(double x)
{
	int sign; /* lgamma would write to a global variable */
	return x > 0 ? lgamma_r(x, &sign) : NAN;
}

double crux_digamma(double x)
{
	if (!(x > 0))
		return NAN;
	double below = 0;
	for (; x < far; x++)
		below += 1 / x;
	double const w = 1 / (x * x);
	double const tail = 1 / 240.0 - w * (1 / 132.0 - w * (691 / 32760.0 - w / 12));
	return log(x) - 0.5 / x - w * (1 / 12.0 - w * (1 / 120.0 - w * (1 / 252.0 - w * tail))) - below;
}

double crux_trigamma(double x)
{
	if (!(x > 0))
		return NAN;
	double below = 0;
	for (; x < far; x++)
		below += 1 / (x * x);
	double const w = 1 / (x * x);
	double const tail = 1 / 30.0 - w * (5 / 66.0 - w * (691 / 2730.0 - w * 7 / 6));
	return (1 + 0.5 / x + w * (1 / 6.0 - w * (1 / 30.0 - w * (1 / 42.0 - w * tail)))) / x + below;
}
