/* The gamma function's logarithm and its derivatives, for the likelihoods of shares.
 *
 * Pure functions for x above 0, NaN elsewhere; any thread may call them. Nothing is allocated. Errors are below 2e-15 times
 * the value or, where the value is near 0, below 2e-15. */
#pragma once

/* log gamma(x) */
double crux_log_gamma(double x);

/* Its first derivative. */
double crux_digamma(double x);

/* Its second derivative. */
double crux_trigamma(double x);
