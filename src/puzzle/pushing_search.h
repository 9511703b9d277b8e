/* The insides of a search of pushes: what pushing.c, which finds states, and pushing_solution.c, which finds the way to the last of
 * them, share. */
#pragma once

#include "puzzle/pushing.h"
#include "puzzle/pushing_bound.h"
#include "puzzle/pushing_states.h"

/* A push that is made on a solution with the fewest moves. */
typedef struct crux_pushing_aim {
	uint32_t state; /* after the push */
	uint16_t from;  /* the man's square before it */
} crux_pushing_aim;

struct crux_pushing {
	const crux_pushing_level *level;
	bool by_moves;
	size_t byte_limit;
	crux_pushing_ways ways;
	crux_pushing_bound bound;
	crux_pushing_states states;
	crux_pushing_statistics statistics;
	bool is_won;
	uint32_t last; /* a state that won */
	/* The state that is looked at. */
	uint16_t *boxes;   /* squares, ascending when it was loaded */
	bool *is_box;      /* by square */
	uint16_t *steps;   /* by square: the man's steps to it, CRUX_PUSHING_NONE where he does not come */
	/* Scratch. */
	uint16_t *queue;
	uint16_t *bit, *square; /* the bit of a square that is not dead, in a state's boxes, and the square of a bit */
	uint16_t *other_steps;
	bool *is_kept;     /* by square */
	uint64_t *key;
	crux_pushing_aim *aims; /* those of the state */
	void *block;
};

static inline int crux_pushing_opposite(int direction)
{
	return (direction + 2) % 4;
}

/* Sets boxes and is_box to those of a state. */
void crux_pushing_load(crux_pushing *search, uint32_t index);

/* Moves a box to a square. */
static inline void crux_pushing_shift(crux_pushing *search, unsigned box, uint16_t to)
{
	search->is_box[search->boxes[box]] = false;
	search->boxes[box] = to;
	search->is_box[to] = true;
}

/* Sets, by square, the steps that the man takes there from a square, past the boxes. Returns the first square. */
uint16_t crux_pushing_walk(crux_pushing *search, uint16_t from, uint16_t *steps);

/* The number of the state with these boxes; sets *slot to its place. */
uint32_t crux_pushing_find(crux_pushing *search, uint16_t man, size_t *slot);
