/* Tails of the normal distribution, and of Student's t and Fisher's F by way of the regularised incomplete beta function.
 *
 * With a = df2/2, b = df1/2, x = df2 / (df2 + df1 f) and y = 1 - x,
 *
 *     P(F >= f) = I_x(a, b) = x^a y^b / B(a, b) * fraction.
 *
 * The fraction is that of Didonato and Morris, "Algorithm 708", ACM TOMS 18 (1992): the even part of DLMF
 * 8.17.22, all its terms positive for the first b steps. The factor before it is written, as Loader does for the
 * binomial density (2000), around the mean a / (a + b), so that large terms never cancel:
 *
 *     x^a y^b / B(a, b) = sqrt(ab / (2 pi (a + b))) * exp(-a phi(u) - b phi(v) + s(a + b) - s(a) - s(b))
 *
 * where u = x (a + b) / a - 1, v = y (a + b) / b - 1, phi(u) = u - log(1 + u) >= 0 and s is the error of Stirling's
 * formula for log gamma. */
#include "stats/distribution.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

static const double pi = 3.14159265358979323846;
/* Below df_least a tail has no correct digits any more, and f df1 / df2 could overflow. */
static const double df_least = 1e-90, df_limit = 1e9;
static const int step_limit = 20000; /* the slowest arguments known, both df at 1e9 and f near 1, take 5000 */

/* Where f is above 1e200, x is below 1e-180 for every sensible df, and the tail is a pure power of f. */
static const double far_f = 1e200, far_t = 1e100;

/* u - log(1 + u); 1 + u is an argument because u near -1 has too few digits to compute it. */
static double phi(double u, double one_plus_u)
{
	double const r = u / (2 + u);
	if (fabs(r) > 0.5)
		return u - log(one_plus_u);
	/* log(1 + u) = 2 atanh(r) = 2 (r + r^3/3 + r^5/5 + ...), and u - 2r = u r */
	double sum = 0, power = 2 * r * r;
	for (int k = 3; power > DBL_EPSILON * fabs(u) / 4; k += 2, power *= r * r)
		sum += power / k;
	return r * (u - sum);
}

/* log gamma(z) - ((z - 1/2) log z - z + log(2 pi) / 2), to about 1e-16 absolute. */
static double stirling_rest(double z)
{
	double rest = 0;
	for (; z < 10; z++) /* the asymptotic series is good from 10 on: its next term is below 3e-17 */
		rest += (z + 0.5) * log1p(1 / z) - 1;
	double const w = 1 / (z * z);
	double const tail = 1 / 1680.0 - w * (1 / 1188.0 - w * (691 / 360360.0 - w / 156));
	return rest + (1 / 12.0 - w * (1 / 360.0 - w * (1 / 1260.0 - w * tail))) / z;
}

/* The continued fraction for I_x(a, b) by the modified Lentz method, with u as above. Requires x <= (a + 1) / (a + b + 2),
 * so that lambda > -1. */
static double fraction(double a, double b, double x, double y, double u)
{
	double const lambda = -a * u; /* a - (a + b) x */
	double c = a / (a + 1) * (lambda + 1), d = 0, product = c;
	for (int m = 1; m <= step_limit; m++) { /* the parentheses around m - 1 keep the digits of a small a */
		double const k = a + (2 * m - 1);
		double const bx = m * (b - m) * x / k;
		double const alpha = bx * x * ((a + (m - 1)) * (a + b + (m - 1)) / k);
		double const beta = m + bx + (a + m) / (k + 2) * (lambda + 1 + m * (1 + y));
		d = 1 / (beta + alpha * d);
		c = beta + alpha / c;
		product *= c * d;
		if (fabs(c * d - 1) <= DBL_EPSILON / 2)
			break;
	}
	return 1 / product;
}

static bool is_df(double df) { return df > 0 && df <= df_limit; }

double crux_f_upper(double f, double df1, double df2)
{
	if (isnan(f) || !is_df(df1) || !is_df(df2))
		return NAN;
	if (f <= 0)
		return 1;
	if (f > far_f)
		return crux_f_upper(far_f, df1, df2) * pow(far_f / f, df2 / 2);

	df1 = fmax(df1, df_least);
	df2 = fmax(df2, df_least);
	double const a = df2 / 2, b = df1 / 2, ratio = df1 / df2;
	double const x = 1 / (1 + ratio * f), y = ratio * f * x;
	double const u = ratio * (1 - f) * x, v = (f - 1) * x;
	double const one_plus_u = (1 + ratio) * x, one_plus_v = one_plus_u * f;
	double const exponent = -a * phi(u, one_plus_u) - b * phi(v, one_plus_v) + stirling_rest(a + b) - stirling_rest(a) -
	                        stirling_rest(b);
	double const factor = sqrt(a / (a + b) * (b / (2 * pi))) * exp(exponent);
	if (x <= (a + 1) / (a + b + 2))
		return fmin(factor * fraction(a, b, x, y, u), 1);
	return fmax(1 - factor * fraction(b, a, y, x, v), 0);
}

double crux_normal_two_sided(double z) { return erfc(fabs(z) / sqrt(2)); }

/* Below this erfc loses relative accuracy to underflow sooner or later, and 60 steps of the continued fraction are exact. */
static const double far_z = -5;

double crux_normal_lower_slope(double z)
{
	if (z >= far_z)
		return exp(-z * z / 2) * sqrt(2 / pi) / erfc(-z / sqrt(2));
	double slope = -z; /* Laplace's fraction: |z| + 1 / (|z| + 2 / (|z| + 3 / ...)) */
	for (int k = 60; k > 0; k--)
		slope = k / slope - z;
	return slope;
}

double crux_normal_log_lower(double z)
{
	if (z > 0)
		return log1p(-erfc(z / sqrt(2)) / 2);
	if (z >= far_z)
		return log(erfc(-z / sqrt(2)) / 2);
	return -z * z / 2 - log(2 * pi) / 2 - log(crux_normal_lower_slope(z));
}

double crux_t_two_sided(double t, double df)
{
	double const size = fabs(t);
	if (size > far_t)
		return crux_f_upper(far_f, 1, df) * pow(far_t / size, df);
	return crux_f_upper(size * size, 1, df);
}
