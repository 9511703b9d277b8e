/* A search of pushes, which its files share: pushing.c chooses the states that are expanded next, pushing_forward.c and
 * pushing_backward.c expand them, and pushing_solution.c finds the way. */
#pragma once

#include "puzzle/pushing.h"
#include "puzzle/pushing_bound.h"
#include "puzzle/pushing_pairs.h"
#include "puzzle/pushing_states.h"
#include "puzzle/pushing_symmetry.h"
#include "puzzle/pushing_triples.h"

/* A state of a solution that was found forward and is a win, or was found backward, too. */
typedef struct crux_pushing_meeting {
	uint32_t forward, backward;
} crux_pushing_meeting;

/* A push that is made on a solution with the fewest moves. */
typedef struct crux_pushing_aim {
	uint16_t from, at, to; /* the squares of the man and the box before it, and of the box after it */
	uint32_t moves;        /* up to it */
	unsigned box;
} crux_pushing_aim;

struct crux_pushing {
	const crux_pushing_level *level;
	bool by_moves;
	size_t byte_limit;
	crux_pushing_ways ways;
	crux_pushing_bound bound;
	crux_pushing_pairs pairs;     /* none before there are `pairs_from` states, or never */
	crux_pushing_triples triples; /* the same with `triples_from` */
	uint32_t pairs_from, triples_from;
	uint32_t coarse; /* states that were found before pairs or triples were */
	uint16_t *images; /* by symmetry and square: the square that it comes on */
	unsigned symmetries;
	crux_pushing_states forward, backward; /* lengths of `backward` are those to a win; its parents come after */
	bool is_both;                          /* the search goes backward, too */
	uint32_t few;                          /* states up to which it does not */
	size_t least;                          /* no solution that is not known is shorter */
	size_t deep;                           /* the state that is next in turn is this long or longer */
	size_t best;                           /* length of a solution that is known, else SIZE_MAX */
	crux_pushing_meeting *meetings;        /* of the solutions of that length */
	size_t meeting_count, meeting_room;
	size_t beyond; /* the least length of a solution through a state that was not added, of those after one state */
	crux_pushing_statistics statistics;
	/* The state that is looked at. Of the states that symmetries make of it, `key` and `man` name one for all. */
	uint16_t *boxes;   /* squares, ascending when it was loaded */
	bool *is_box;      /* by square */
	uint16_t *steps;   /* by square: the man's steps to it, CRUX_PUSHING_NONE where he does not come */
	uint64_t *key;
	uint16_t man;
	/* Scratch. */
	uint16_t *queue; /* the squares that the man came to when he walked last */
	unsigned reach;  /* their number */
	uint16_t *other_steps;
	bool *is_kept;     /* by square */
	uint64_t *image; /* another key */
	crux_pushing_aim *aims; /* those of the state */
	void *block;
};

static inline int crux_pushing_opposite(int direction)
{
	return (direction + 2) % 4;
}

/* Sets boxes and is_box to those of a state. */
void crux_pushing_load(crux_pushing *search, const crux_pushing_states *states, uint32_t index);

/* Sets them to those of the start. */
void crux_pushing_load_start(crux_pushing *search);

/* Moves a box to a square. */
static inline void crux_pushing_shift(crux_pushing *search, unsigned box, uint16_t to)
{
	search->is_box[search->boxes[box]] = false;
	search->boxes[box] = to;
	search->is_box[to] = true;
}

/* Sets, by square, the steps that the man takes there from a square, past the boxes. */
void crux_pushing_walk(crux_pushing *search, uint16_t from, uint16_t *steps);

/* Sets `key` and `man` to those of the state with these boxes. By pushes the man is on some square that he walked to last. */
void crux_pushing_name(crux_pushing *search, uint16_t man);

/* Names that state. Returns its number, and sets *slot to its place. */
uint32_t crux_pushing_find(crux_pushing *search, const crux_pushing_states *states, uint16_t man, size_t *slot);

/* Makes room for one more state; false when a limit is met. Places change. */
bool crux_pushing_reserve(crux_pushing *search, crux_pushing_states *states);

/* Gives the state that crux_pushing_find looked for a way of that length, if it is the first or shorter, and notes a solution. False when
 * memory is short. */
bool crux_pushing_arrive(crux_pushing *search, crux_pushing_states *states, uint32_t index, uint32_t parent, uint32_t length);

/* True if a box that can never be pushed again is on no goal. */
bool crux_pushing_is_frozen(crux_pushing *search);

/* Expand a closed state: add those after it, or those before it. False when a limit is met. */
bool crux_pushing_forward(crux_pushing *search, uint32_t index);
bool crux_pushing_backward(crux_pushing *search, uint32_t index);

/* Adds the states that have won, from which the search goes backward. */
bool crux_pushing_begin_backward(crux_pushing *search);
