/* Families of mixed models; see mixed_family.h. */
#include "fit/mixed_family.h"

#include <math.h>
#include <stddef.h>

static double const log_root_2_pi = 0.918938533204672741780329736406;

/* The logistic function of x and of -x, and its logarithm. */
typedef struct side {
	double here, beyond, value;
} side;

static side logistic(double x)
{
	double const small = exp(-fabs(x)), large = 1 / (1 + small);
	double const value = -log1p(small) + (x < 0 ? x : 0);
	return x < 0 ? (side){small * large, large, value} : (side){large, small * large, value};
}

/* With L the logistic function, P(k) = L(high) - L(low) = L(high) L(-low) (1 - exp(low - high)), the first factor being absent in
 * the highest category, the second in the lowest, the third in both. */
static crux_density cumulative(double response, double eta, const double *thresholds, double highest)
{
	crux_density sum = {0};
	if (response < highest) {
		side const high = logistic(thresholds[(size_t)response] - eta);
		sum = (crux_density){high.value, -high.beyond, high.here * high.beyond};
	}
	if (response > 0) {
		side const low = logistic(eta - thresholds[(size_t)response - 1]);
		sum.value += low.value;
		sum.slope += low.beyond;
		sum.curvature += low.here * low.beyond;
	}
	if (response > 0 && response < highest)
		sum.value += log1p(-exp(thresholds[(size_t)response - 1] - thresholds[(size_t)response]));
	return sum;
}

/* The density of the standard normal distribution over its upper tail, from 0 on; beyond 10 by its continued fraction. */
static double hazard(double z)
{
	if (z < 10)
		return exp(-z * z / 2 - log_root_2_pi) / (erfc(z * M_SQRT1_2) / 2);
	double tail = z;
	for (int i = 30; i >= 1; i--)
		tail = z + i / tail;
	return tail;
}

static crux_density censored(double response, bool is_censored, double eta, double log_sigma)
{
	double const sigma = exp(log_sigma), z = (response - eta) / sigma;
	if (!is_censored)
		return (crux_density){-log_sigma - z * z / 2 - log_root_2_pi, z / sigma, 1 / (sigma * sigma)};
	double const h = hazard(z), log_tail = z < 10 ? log(erfc(z * M_SQRT1_2) / 2) : -z * z / 2 - log_root_2_pi - log(h);
	return (crux_density){log_tail, h / sigma, fmax(0, h * (h - z)) / (sigma * sigma)};
}

crux_density crux_family_density(crux_family family, double response, bool is_censored, double eta, const double *extras,
                                 double highest)
{
	return family == CRUX_CUMULATIVE ? cumulative(response, eta, extras, highest)
	                                 : censored(response, is_censored, eta, extras[0]);
}
