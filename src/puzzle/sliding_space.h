/* All states of a level in which pieces slide that moves lead to, how far each is from the exit, and the first of the shortest
 * solutions.
 *
 * Method: a stretch is the states that differ only in how far one piece is along one axis, with nothing in the way between. A slide
 * leads from each of its states to each other. So states, and then their distances, are found stretch by stretch, each once, rather
 * than slide by slide: in levels of Rush Hour that are a third of the look-ups. States are in a hash table with linear probing of their
 * own, which most often fits into a processor's caches; crux_state_set is for larger ones. */
#pragma once

#include "puzzle/sliding.h"

enum { CRUX_SLIDING_STATES = 1 << 18 }; /* at most; they take 0.05 s */

/* An axis along which a piece slides. */
typedef struct crux_sliding_track {
	const crux_sliding_piece *piece;
	int by;                                   /* from a position to the next one */
	uint64_t enters[CRUX_SLIDING_SQUARES][2]; /* by position, the squares that steps to the next one and to the one before enter; all
	                                           * without such a position */
} crux_sliding_track;

/* All fields are for reading. A space of zeros has no states. */
typedef struct crux_sliding_space {
	const crux_sliding *level;
	crux_sliding_track tracks[2 * CRUX_SLIDING_PIECES];
	size_t track_count, most; /* most: states in the stretches of one, at most */
	uint32_t count;          /* of states; the first is the start */
	uint64_t *states;        /* a key each, and the squares that pieces and walls cover */
	uint32_t *stretches;     /* the number of a stretch, by state and track; 0: none, or not found yet */
	uint32_t *distances;     /* by state, one more than moves; 0 without a way out */
	uint32_t *queue;         /* the states by distance */
	uint32_t *table;         /* one more than the numbers of states by hashes of their keys; 0: none */
	size_t capacity;         /* states for which there is room in these; a quarter of the table */
	uint32_t *members;       /* the states of the stretches, one after the other in order of positions */
	uint32_t *ends;          /* in members, by stretch; those of number 0 are none */
	bool *is_done;           /* by stretch: its states were reached from one of them */
	size_t member_count, stretch_count;
	uint32_t open[2 * CRUX_SLIDING_PIECES]; /* of a state: tracks whose stretches are to be added, stretches that are not done */
	uint32_t *counts;        /* of states, by distance */
	size_t distance_count;   /* of these; 0 without a way out */
	size_t states_room, stretches_room, distances_room, queue_room, table_room, members_room, ends_room, is_done_room, counts_room;
} crux_sliding_space;

/* Finds all states of a level, which the space does not own, and their distances, in place of those that it has. False when there are
 * more than CRUX_SLIDING_STATES, or memory is short. A move back is a move, too. */
bool crux_sliding_space_explore(crux_sliding_space *a, const crux_sliding *level);

/* Sets the moves of the first of the shortest solutions, from 0; there are a->distances[0] - 1, if that is not 0. */
void crux_sliding_space_solve(const crux_sliding_space *a, uint32_t *moves);

/* Frees what the space has allocated. */
void crux_sliding_space_free(crux_sliding_space *a);
