/* Families of mixed models: the logarithm of a row's density as a concave function of its linear predictor. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum crux_family {
	CRUX_NORMAL,     /* linear; the variance of the residuals is profiled, here 1; no extras */
	CRUX_CUMULATIVE, /* logit P(response <= k) = threshold k - eta for categories 0, 1, ...; extras: the first threshold, then the
	                  * logarithms of the distances of neighbours. With the one threshold 0 this is logistic regression */
	CRUX_CENSORED,   /* normal, or above the response where it is censored; extra: the logarithm of the standard deviation */
} crux_family;

typedef struct crux_density {
	double value;     /* logarithm; of CRUX_NORMAL without its constant */
	double slope;     /* its derivative by the linear predictor */
	double curvature; /* minus the second derivative, not negative */
} crux_density;

/* The density of a response. For CRUX_CUMULATIVE `extras` are the thresholds, ascending; `highest` is the last category. */
crux_density crux_family_density(crux_family family, double response, bool is_censored, double eta, const double *extras,
                                 double highest);

/* Derivatives of a density: that of its curvature by the linear predictor, and those of its numbers by at most two of the extras. */
typedef struct crux_density_slopes {
	double curvature;
	size_t count;
	size_t extra[2];
	crux_density by[2];
} crux_density_slopes;

crux_density_slopes crux_family_slopes(crux_family family, double response, bool is_censored, double eta, const double *extras,
                                       double highest);
