/* Coins: random bits with a given probability, for many generators at a time.
 *
 * Method: a bit is 1 with the probability 0.b1b2...b12 (binary) when it starts as 0 and, from b12 to b1, is combined with a
 * random bit by "or" (b = 1) or "and" (b = 0). So every throw of coins takes the same number of random words: a word of 64 bits
 * serves four digits of up to 16 coins, two of up to 32, one of up to 64. A probability is off by at most 2^-13. The results
 * for a seed never change: levels are made from them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define CRUX_COINS_MAX 1024 /* coins in a throw */

typedef struct crux_coins {
	uint32_t probability; /* times 2^12 */
	uint32_t count;
} crux_coins;

/* Generators in lanes: word w of the state (see random.h) of a lane's generator is words[w * stride + lane]. */
typedef struct crux_generators {
	uint64_t *words;
	size_t stride, count;
} crux_generators;

/* `count` coins with a probability from 0 to 1, rounded to 12 binary digits. */
crux_coins crux_coins_new(double probability, size_t count);

/* The number of words of a throw; unused bits are undefined. */
static inline size_t crux_coins_words(crux_coins coins) { return ((size_t)coins.count + 63) / 64; }

/* Throws coins: columns[w * stride + lane] becomes word w of the throw by a lane's generator. */
void crux_coins_throw(crux_coins coins, crux_generators generators, uint64_t *columns);

/* Draws a number in [0, numbers) by each generator, numbers < 2^32; all equally likely, to within 2^-32. */
void crux_coins_draw(crux_generators generators, uint64_t numbers, uint64_t *column);
