/* Random numbers as the original makes them: RC4 of a text, so that games of chance go as they went there. */
#ifndef CRUX_RULE_CHANCE_H
#define CRUX_RULE_CHANCE_H

#include <stddef.h>

typedef struct crux_rule_chance {
	unsigned char state[256];
	unsigned char i, j;
} crux_rule_chance;

/* A generator that a text seeds. */
crux_rule_chance crux_rule_chance_new(const char *seed, size_t bytes);

/* A number from 0 up to, and without, count, which is at least 1. */
size_t crux_rule_chance_below(crux_rule_chance *chance, size_t count);

#endif
