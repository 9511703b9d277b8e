/* Folds of cross-validation, in order or shuffled. */
#include "stats/folds.h"

#include "stats/random.h"

void crux_folds_assign(size_t n, uint32_t count, uint32_t *folds)
{
	for (size_t i = 0; i < n; i++)
		folds[i] = (uint32_t)((uint64_t)i * count / n);
}

void crux_folds_shuffle(size_t n, uint32_t *folds, uint64_t seed, uint64_t stream)
{
	crux_random random = crux_random_new(seed, stream);
	for (size_t i = n; i > 1; i--) {
		size_t const j = (size_t)crux_random_integer(&random, 0, (int64_t)i - 1);
		uint32_t const fold = folds[i - 1];
		folds[i - 1] = folds[j];
		folds[j] = fold;
	}
}
