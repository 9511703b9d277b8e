/* Random numbers: xoshiro256**, with a separate stream for each level, worker or trial.
 *
 * The generator is D. Blackman's and S. Vigna's xoshiro256** 1.0 (Scrambled linear pseudorandom number generators, ACM
 * Transactions on Mathematical Software 47, 2021; https://prng.di.unimi.it): 256 bits of state, period 2^256 - 1. The
 * results for a seed and a stream are the same on every machine and never change: levels are made from them. All state is
 * in the struct, which is the caller's; nothing fails. */
#pragma once

#include <stdint.h>

typedef struct crux_random {
	uint64_t state[4]; /* never all 0 */
} crux_random;

/* The start of a stream: the state is outputs 4 * stream to 4 * stream + 3 of SplitMix64 (as its authors advise), seeded
 * with the first SplitMix64 output of the seed. So the 2^62 streams of a seed start in different states, at equal cost. */
crux_random crux_random_new(uint64_t seed, uint64_t stream);

static inline uint64_t crux_random_rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

/* 64 random bits from the four words of a state; inline, so that loops over many states can be vectorised. */
static inline uint64_t crux_random_step(uint64_t *s)
{
	uint64_t const result = crux_random_rotate(s[1] * 5, 7) * 9;
	uint64_t const t = s[1] << 17;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = crux_random_rotate(s[3], 45);
	return result;
}

/* 64 random bits. */
uint64_t crux_random_next(crux_random *random);

/* An integer from low to high, both included, all equally likely; low <= high. */
int64_t crux_random_integer(crux_random *random, int64_t low, int64_t high);

/* A multiple of 2^-53 in [0, 1). */
double crux_random_real(crux_random *random);

/* The next output of SplitMix64 (G. Steele, D. Lea, C. Flood, Fast splittable pseudorandom number generators, 2014). */
uint64_t crux_random_splitmix(uint64_t *state);
