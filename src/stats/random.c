/* Random numbers: xoshiro256**. */
#include "stats/random.h"

static uint64_t const golden = UINT64_C(0x9e3779b97f4a7c15); /* 2^64 over the golden ratio: SplitMix64's step */

uint64_t crux_random_splitmix(uint64_t *state)
{
	uint64_t z = *state += golden;
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

crux_random crux_random_new(uint64_t seed, uint64_t stream)
{
	uint64_t at = crux_random_splitmix(&seed) + 4 * stream * golden;
	crux_random random;
	for (int i = 0; i < 4; i++)
		random.state[i] = crux_random_splitmix(&at);
	return random;
}

uint64_t crux_random_next(crux_random *random) { return crux_random_step(random->state); }

int64_t crux_random_integer(crux_random *random, int64_t low, int64_t high)
{
	uint64_t const range = (uint64_t)high - (uint64_t)low;
	uint64_t const mask = UINT64_MAX >> __builtin_clzll(range | 1);
	uint64_t drawn;
	do
		drawn = crux_random_next(random) & mask;
	while (drawn > range); /* fewer than two draws on average, without bias */
	return (int64_t)((uint64_t)low + drawn);
}

double crux_random_real(crux_random *random)
{
	return (double)(crux_random_next(random) >> 11) * 0x1p-53;
}
