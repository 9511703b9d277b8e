/* How many more pushes two boxes take together than each of them takes alone: they are added to the bound of pushing_bound.h. */
#pragma once

#include "puzzle/pushing_level.h"

/* A pair of squares that are not dead, whose numbers are a < b, has the number b * (b - 1) / 2 + a. */
typedef struct crux_pushing_pairs {
	uint8_t *part;    /* [pair * squares + man]: the part, without the two squares, in which the man's square is */
	uint8_t *beyond;  /* by pair and part: the least number of pushes beyond, for all two goals; UINT8_MAX: to none */
	uint8_t *most;    /* by pair: the most in any part */
	bool *is_taken;   /* scratch, by box */
	void *block;
} crux_pushing_pairs;

/* The memory that they take. */
uint64_t crux_pushing_pairs_bytes(const crux_pushing_level *level, const crux_pushing_ways *ways);

/* False when memory is short. */
bool crux_pushing_pairs_find(crux_pushing_pairs *pairs, const crux_pushing_level *level, const crux_pushing_ways *ways);
void crux_pushing_pairs_free(crux_pushing_pairs *pairs);

/* Pushes that boxes take beyond those of their cheapest assignment to goals, at least; -1 if two of them never come to goals together. */
int32_t crux_pushing_pairs_beyond(const crux_pushing_pairs *pairs, const crux_pushing_level *level, const crux_pushing_ways *ways,
                                  const uint16_t *boxes, unsigned man);
