/* Squares of three boxes from which they never come to goals together. */
#pragma once

#include "puzzle/pushing_level.h"

/* A triple of squares that are not dead, whose numbers are a < b < c, has the number c (c - 1) (c - 2) / 6 + b (b - 1) / 2 + a. */
typedef struct crux_pushing_triples {
	uint8_t *part;    /* [triple * squares + man]: the part, without the three squares, in which the man's square is */
	uint8_t *is_lost; /* by triple: a bit for each part from which no three goals are reached */
	void *block;
} crux_pushing_triples;

/* The memory that they take. */
uint64_t crux_pushing_triples_bytes(const crux_pushing_level *level, const crux_pushing_ways *ways);

/* False when memory is short. */
bool crux_pushing_triples_find(crux_pushing_triples *triples, const crux_pushing_level *level, const crux_pushing_ways *ways);
void crux_pushing_triples_free(crux_pushing_triples *triples);

/* True if a box and two others never come to goals together. */
bool crux_pushing_triples_are_lost(const crux_pushing_triples *triples, const crux_pushing_level *level, const crux_pushing_ways *ways,
                                   const uint16_t *boxes, unsigned box, unsigned man);
