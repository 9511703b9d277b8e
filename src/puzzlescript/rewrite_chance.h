/* Random numbers from RC4 seeded with a text, equal to those of the original engine. */
#pragma once

#include <stddef.h>

typedef struct crux_rewrite_chance {
	unsigned char state[256];
	unsigned char i, j;
} crux_rewrite_chance;

/* Returns a generator seeded with a text. */
crux_rewrite_chance crux_rewrite_chance_new(const char *seed, size_t bytes);

/* Returns a number from 0 to count - 1; count must be at least 1. */
size_t crux_rewrite_chance_below(crux_rewrite_chance *chance, size_t count);
