/* The search for a solution with the fewest pushes, or with the fewest moves, of a level in which a man pushes boxes onto goals.
 *
 * It is an A* search (Hart, Nilsson and Raphael, 1968), and goes from both sides when there are many states (Chen, Holte, Zilles and
 * Sturtevant, Front-to-end bidirectional heuristic search with near-optimal node expansions, 2017). For the fewest pushes a state has the
 * boxes and the squares that the man can walk to; a step is a push. For the fewest moves it has the boxes and his square after a push; a
 * step is a walk and a push. States that symmetries of the level make of each other are one. The estimate is that of pushing_bound.h and
 * pushing_pairs.h, which is at most the pushes that are left; docs/search.md has the proofs. */
#pragma once

#include "puzzle/pushing_level.h"

typedef struct crux_pushing crux_pushing;

typedef enum {
	CRUX_PUSHING_PAUSED,  /* `count` states were expanded */
	CRUX_PUSHING_THROUGH, /* there is no solution */
	CRUX_PUSHING_WON,
	CRUX_PUSHING_STATES, /* the limit on states is reached */
	CRUX_PUSHING_BYTES,  /* the limit on bytes is reached, or memory is short */
} crux_pushing_end;

/* Keeps the level, which the caller owns. From `few` states on it searches backward from the wins, too, and keeps fewer states that are
 * not expanded. Returns NULL when memory is short. */
crux_pushing *crux_pushing_new(const crux_pushing_level *level, bool by_moves, size_t bytes, uint32_t few);

/* NULL is allowed. */
void crux_pushing_free(crux_pushing *search);

/* Expands at most `count` more states. Call it again only while it returns CRUX_PUSHING_PAUSED. */
crux_pushing_end crux_pushing_expand(crux_pushing *search, uint32_t count, uint32_t state_limit);

typedef struct crux_pushing_statistics {
	uint64_t expanded, generated, duplicates, lost; /* states; pushes; those that lead to known states; those that lose */
	uint32_t states;
	size_t bytes, state_bytes; /* of all states; of one */
	size_t least;              /* no solution has fewer pushes or moves */
} crux_pushing_statistics;

crux_pushing_statistics crux_pushing_measure(const crux_pushing *search);

/* A step of a solution: a push of the box on a square; for the fewest moves the man's step from a square. */
typedef struct crux_pushing_step {
	uint16_t square;
	uint8_t direction;
} crux_pushing_step;

/* After CRUX_PUSHING_WON: sets the steps of a solution, `least` of them; by moves of the first of all with the fewest, directions in
 * the order of crux_board_direction. */
void crux_pushing_solution(crux_pushing *search, crux_pushing_step *steps);
