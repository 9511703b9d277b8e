/* Tail probabilities of the normal, Student's t and Fisher's F distribution, for the p-values of fits and tests.
 *
 * Pure functions of their arguments; no global state, any thread may call them. Nothing is allocated.
 * The method is the continued fraction of Didonato and Morris (1992), see distribution.c.
 *
 * Degrees of freedom are in (0, 1e9] and need not be whole; outside this range, or when an argument is NaN, the result is
 * NaN. A probability too small for a double is 0. The relative error of a normal double (from 2.2e-308 on) is below 1e-12,
 * or about 1e-14 / df1 for df1 below 0.01. A call takes 0.2 microseconds, up to 30 when both degrees of freedom are near
 * 1e9. */
#pragma once

/* P(|Z| >= |z|) for Z of the standard normal distribution. */
double crux_normal_two_sided(double z);

/* log P(Z <= z), for all z that are not NaN; the relative error is below 1e-12. */
double crux_normal_log_lower(double z);

/* The density of Z at z divided by P(Z <= z), the inverse of Mills' ratio: the slope of crux_normal_log_lower; the same error. */
double crux_normal_lower_slope(double z);

/* P(|T| >= |t|) for T of Student's t distribution with df degrees of freedom: 1 for t = 0, 0 for infinite t. */
double crux_t_two_sided(double t, double df);

/* P(F >= f) for F of Fisher's distribution with df1 (numerator) and df2 (denominator) degrees of freedom: 1 for f <= 0,
 * 0 for infinite f. */
double crux_f_upper(double f, double df1, double df2);
