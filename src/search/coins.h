/* Coins: random bits of which each holds with a probability, for many generators at a time.
 *
 * Method: a bit holds with the probability 0.b1b2...b12 (binary) when it is made from b12 to b1 by "or" with a random bit
 * (b = 1) or "and" with one (b = 0). So coins take the same random numbers whatever becomes of them: a word of 64 bits serves
 * four digits of up to 16 coins, two of up to 32, one of up to 64. A probability is off by at most 2^-13. What comes out is
 * part of what a seed means. */
#ifndef CRUX_COINS_H
#define CRUX_COINS_H

#include <stddef.h>
#include <stdint.h>

#define CRUX_COINS_MAX 1024 /* thrown together */

typedef struct crux_coins {
	uint32_t probability; /* times 2^12 */
	uint32_t count;
} crux_coins;

/* Generators in lanes: word w of the state (see random.h) of the one in a lane is words[w * stride + lane]. */
typedef struct crux_generators {
	uint64_t *words;
	size_t stride, count;
} crux_generators;

/* Coins of about a probability from 0 to 1. */
crux_coins crux_coins_new(double probability, size_t count);

/* How many words hold them; bits beyond are of no meaning. */
static inline size_t crux_coins_words(crux_coins coins)
{
	return ((size_t)coins.count + 63) / 64;
}

/* Throws coins: columns[w * stride + lane] becomes word w of what the generator in a lane threw. */
void crux_coins_throw(crux_coins coins, crux_generators generators, uint64_t *columns);

/* Draws a number from 0 up to, and without, `numbers` (less than 2^32) by each generator; each is as likely, but for
 * 2^-32. */
void crux_coins_draw(crux_generators generators, uint64_t numbers, uint64_t *column);

#endif
