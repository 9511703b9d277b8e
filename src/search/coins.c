/* Coins: random bits of which each holds with a probability; loops over generators, which the compiler vectorises. */
#include "search/coins.h"

#include "base/clones.h"
#include "stats/random.h"

enum { DIGITS = 12, WORDS = 3 };

crux_coins crux_coins_new(double probability, size_t count)
{
	return (crux_coins){(uint32_t)(probability * (1 << DIGITS) + 0.5), (uint32_t)count};
}

/* A digit's step: "or" with random bits where `digit` is all ones, "and" where it is 0. */
static inline uint64_t add_digit(uint64_t bits, uint64_t random, uint64_t digit)
{
	return (bits & random) | (digit & (bits | random));
}

/* WORDS random words, each for so many digits of `width` bits, from the first of `digits` on. */
#define THROW(name, pieces, width)                                                                            \
	CRUX_CLONES static void name(crux_generators g, const uint64_t *digits, uint64_t *restrict column)       \
	{                                                                                                         \
		uint64_t *restrict const s0 = g.words, *restrict const s1 = s0 + g.stride;                            \
		uint64_t *restrict const s2 = s1 + g.stride, *restrict const s3 = s2 + g.stride;                      \
		for (size_t i = 0; i < g.count; i++) {                                                                \
			uint64_t s[] = {s0[i], s1[i], s2[i], s3[i]}, bits = column[i];                                    \
			_Pragma("GCC unroll 4") for (int word = 0; word < WORDS; word++)                                      \
			{                                                                                                 \
				uint64_t const random = crux_random_step(s);                                                  \
				_Pragma("GCC unroll 4") for (int piece = 0; piece < (pieces); piece++)                        \
					bits = add_digit(bits, random >> piece * (width), digits[word * (pieces) + piece]);       \
			}                                                                                                 \
			column[i] = bits;                                                                                 \
			s0[i] = s[0];                                                                                     \
			s1[i] = s[1];                                                                                     \
			s2[i] = s[2];                                                                                     \
			s3[i] = s[3];                                                                                     \
		}                                                                                                     \
	}

THROW(throw_16, 4, 16)
THROW(throw_32, 2, 32)
THROW(throw_64, 1, 0)

static void throw_word(crux_coins coins, crux_generators generators, uint64_t *column)
{
	uint64_t digits[DIGITS];
	for (int i = 0; i < DIGITS; i++)
		digits[i] = 0 - (uint64_t)(coins.probability >> i & 1);
	for (size_t i = 0; i < generators.count; i++)
		column[i] = 0;
	if (coins.count <= 16) {
		throw_16(generators, digits, column);
	} else {
		void (*const throw)(crux_generators, const uint64_t *, uint64_t *) = coins.count <= 32 ? throw_32 : throw_64;
		int const step = WORDS * (coins.count <= 32 ? 2 : 1);
		for (int first = 0; first < DIGITS; first += step)
			throw(generators, digits + first, column);
	}
	if (coins.probability >> DIGITS)
		for (size_t i = 0; i < generators.count; i++)
			column[i] = UINT64_MAX;
}

void crux_coins_throw(crux_coins coins, crux_generators generators, uint64_t *columns)
{
	for (size_t word = 0; word < crux_coins_words(coins); word++)
		throw_word(coins, generators, columns + word * generators.stride);
}

CRUX_CLONES void crux_coins_draw(crux_generators g, uint64_t numbers, uint64_t *restrict column)
{
	uint64_t *restrict const s0 = g.words, *restrict const s1 = s0 + g.stride;
	uint64_t *restrict const s2 = s1 + g.stride, *restrict const s3 = s2 + g.stride;
	for (size_t i = 0; i < g.count; i++) {
		uint64_t s[] = {s0[i], s1[i], s2[i], s3[i]};
		column[i] = (crux_random_step(s) >> 32) * numbers >> 32;
		s0[i] = s[0];
		s1[i] = s[1];
		s2[i] = s[2];
		s3[i] = s[3];
	}
}
