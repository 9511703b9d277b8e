/* Families of mixed models; see mixed_family.h. */
#include "fit/mixed_family.h"

#include <math.h>

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
	double const rest = response - eta;
	return family == CRUX_NORMAL       ? (crux_density){-rest * rest / 2, rest, 1}
	       : family == CRUX_CUMULATIVE ? cumulative(response, eta, extras, highest)
	                                   : censored(response, is_censored, eta, extras[0]);
}

/* Each of the first two factors of P(k) depends on the distance between eta and a threshold, so that to move a threshold is to move
 * eta the other way. */
static crux_density_slopes cumulative_slopes(double response, double eta, const double *thresholds, double highest)
{
	crux_density_slopes found = {0};
	size_t const place = (size_t)response;
	double const between = response > 0 && response < highest ? 1 / expm1(thresholds[place] - thresholds[place - 1]) : 0;
	if (response < highest) {
		side const high = logistic(thresholds[place] - eta);
		double const curvature = high.here * high.beyond, third = curvature * (high.here - high.beyond);
		found.curvature += third;
		found.extra[found.count] = place;
		found.by[found.count++] = (crux_density){high.beyond + between, curvature, -third};
	}
	if (response > 0) {
		side const low = logistic(eta - thresholds[place - 1]);
		double const curvature = low.here * low.beyond, third = curvature * (low.beyond - low.here);
		found.curvature += third;
		found.extra[found.count] = place - 1;
		found.by[found.count++] = (crux_density){-low.beyond - between, curvature, -third};
	}
	return found;
}

/* By the hazard h, of which h (h - z) is the derivative by z, and the chain rule: z falls with eta by 1 / sigma, with log sigma by z. */
static crux_density_slopes censored_slopes(double response, bool is_censored, double eta, double log_sigma)
{
	double const sigma = exp(log_sigma), z = (response - eta) / sigma;
	if (!is_censored)
		return (crux_density_slopes){.count = 1, .by = {{z * z - 1, -2 * z / sigma, -2 / (sigma * sigma)}}};
	double const h = hazard(z), first = h * (h - z), second = first * (2 * h - z) - h;
	return (crux_density_slopes){.curvature = -second / (sigma * sigma * sigma), .count = 1,
	                             .by = {{h * z, -(h + z * first) / sigma, -(2 * first + z * second) / (sigma * sigma)}}};
}

crux_density_slopes crux_family_slopes(crux_family family, double response, bool is_censored, double eta, const double *extras,
                                       double highest)
{
	if (family == CRUX_NORMAL)
		return (crux_density_slopes){0};
	return family == CRUX_CUMULATIVE ? cumulative_slopes(response, eta, extras, highest)
	                                 : censored_slopes(response, is_censored, eta, extras[0]);
}
