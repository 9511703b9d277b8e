/* The bootstrap of ratios of sums, such as weighted means: each draw takes n of n rows, with replacement
 * (B. Efron, R. Tibshirani, An Introduction to the Bootstrap, 1993).
 *
 * Plain functions on the caller's arrays; nothing is allocated, nothing fails. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* ratios[draw] is the sum of the numerators of n drawn rows over the sum of their denominators. The drawn rows depend only on
 * seed and n, so comparisons are paired. n is at least 1. */
void crux_bootstrap_ratios(size_t n, const double *numerators, const double *denominators, uint64_t seed, size_t draws,
                           double *ratios);
