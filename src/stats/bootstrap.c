/* The bootstrap of ratios of sums. */
#include "stats/bootstrap.h"

#include "stats/random.h"

void crux_bootstrap_ratios(size_t n, const double *numerators, const double *denominators, uint64_t seed, size_t draws,
                           double *ratios)
{
	crux_random random = crux_random_new(seed, 0);
	for (size_t draw = 0; draw < draws; draw++) {
		double numerator = 0, denominator = 0;
		for (size_t i = 0; i < n; i++) {
			size_t const row = (size_t)crux_random_integer(&random, 0, (int64_t)n - 1);
			numerator += numerators[row];
			denominator += denominators[row];
		}
		ratios[draw] = numerator / denominator;
	}
}
