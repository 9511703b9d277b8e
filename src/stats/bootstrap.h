/* The bootstrap of ratios of sums, such as weighted means: rows are drawn anew, with replacement, as many as there are
 * (B. Efron, R. Tibshirani, An Introduction to the Bootstrap, 1993).
 *
 * Plain functions on the caller's arrays; nothing is allocated, nothing fails. */
#ifndef CRUX_BOOTSTRAP_H
#define CRUX_BOOTSTRAP_H

#include <stddef.h>
#include <stdint.h>

/* ratios[draw] is the sum of the numerators of n drawn rows over that of their denominators. For a seed and n the same rows are
 * drawn, whatever stands in them: what is compared is paired. n is at least 1. */
void crux_bootstrap_ratios(size_t n, const double *numerators, const double *denominators, uint64_t seed, size_t draws,
                           double *ratios);

#endif
