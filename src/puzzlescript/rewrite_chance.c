/* RC4 as a random number generator: see rewrite_chance.h. */
#include "puzzlescript/rewrite_chance.h"

static void swap(crux_rewrite_chance *chance, unsigned char a, unsigned char b)
{
	unsigned char const kept = chance->state[a];
	chance->state[a] = chance->state[b];
	chance->state[b] = kept;
}

crux_rewrite_chance crux_rewrite_chance_new(const char *seed, size_t bytes)
{
	crux_rewrite_chance chance = {.i = 0};
	for (int i = 0; i < 256; i++)
		chance.state[i] = (unsigned char)i;
	unsigned char j = 0;
	for (size_t i = 0; i < 256 && bytes > 0; i++) {
		j = (unsigned char)(j + chance.state[i] + (unsigned char)seed[i % bytes]);
		swap(&chance, (unsigned char)i, j);
	}
	return chance;
}

static unsigned next_byte(crux_rewrite_chance *chance)
{
	chance->i++;
	chance->j = (unsigned char)(chance->j + chance->state[chance->i]);
	swap(chance, chance->i, chance->j);
	return chance->state[(unsigned char)(chance->state[chance->i] + chance->state[chance->j])];
}

size_t crux_rewrite_chance_below(crux_rewrite_chance *chance, size_t count)
{
	double number = 0;
	for (int i = 0; i < 7; i++)
		number = number * 256 + next_byte(chance);
	size_t const result = (size_t)(number / 72057594037927935.0 * (double)count); /* 2^56 - 1 */
	return result < count ? result : count - 1;
}
