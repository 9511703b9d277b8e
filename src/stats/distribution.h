/* Tail probabilities of the normal, Student's t and Fisher's F distribution, for the p-values of fits and tests.
 *
 * Pure functions of their arguments; no global state, any thread may call them. Nothing is allocated.
 * The method is the continued fraction of Didonato and Morris (1992), see distribution.c.
 *
 * Degrees of freedom are in (0, 1e9] and need not be whole; outside of that, or if any argument is NaN, the result is
 * NaN. Otherwise it is a probability, 0 if too small for a double. Its relative error is below 1e-12 as long as it is a
 * normal double (from 2.2e-308 on); only df1 below 0.01 costs digits, leaving about 1e-14 / df1. A call takes some 0.2
 * microseconds, up to 30 where both degrees of freedom come near 1e9. */
#ifndef CRUX_DISTRIBUTION_H
#define CRUX_DISTRIBUTION_H

/* P(|Z| >= |z|) for Z of the standard normal distribution. */
double crux_normal_two_sided(double z);

/* P(|T| >= |t|) for T of Student's t distribution with df degrees of freedom: 1 for t = 0, 0 for infinite t. */
double crux_t_two_sided(double t, double df);

/* P(F >= f) for F of Fisher's distribution with df1 (numerator) and df2 (denominator) degrees of freedom: 1 for f <= 0,
 * 0 for infinite f. */
double crux_f_upper(double f, double df1, double df2);

#endif
