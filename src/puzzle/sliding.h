/* The states of a level of crux.kits.slide: pieces that slide on a board of at most 64 squares, all of them told apart.
 *
 * A state is a key of the positions of the pieces, each in the same number of bits, in the order of the pieces; no position is in
 * two words. States are found breadth-first: from each, in the order of their numbers, by all moves in order. A move is a piece,
 * one of the directions up, left, down and right, and a number of positions, in this order of importance. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "states/state_set.h"

enum {
	CRUX_SLIDING_PIECES = 64,
	CRUX_SLIDING_SQUARES = 64,
	CRUX_SLIDING_LINE = 8,
	CRUX_SLIDING_STATES = 1 << 18, /* whose distances take 0.1 s */
};

typedef struct crux_sliding_piece {
	int columns, rows;                     /* of its positions, which are numbered from 0 row by row */
	uint64_t covers[CRUX_SLIDING_SQUARES]; /* its squares, by position */
	size_t first_move;                     /* the rest is set by crux_sliding_begin */
	int across, down;                      /* the most positions of a move */
	size_t word;                           /* of a key, with its position at a bit */
	unsigned shift;
	bool is_line;                          /* it has at most CRUX_SLIDING_LINE positions, in a line: */
	uint64_t line[3 * CRUX_SLIDING_LINE];  /* its squares by CRUX_SLIDING_LINE and its position, all where it is not on the board */
} crux_sliding_piece;

typedef enum {
	CRUX_SLIDING_PAUSED,  /* `count` states were expanded */
	CRUX_SLIDING_THROUGH, /* all states were expanded */
	CRUX_SLIDING_WON,     /* a move wins: statistics.state and .move, from 0 */
	CRUX_SLIDING_FULL,    /* the limit on states is met */
	CRUX_SLIDING_BYTES,   /* the set's limit on bytes is met, or memory is short */
} crux_sliding_end;

typedef struct crux_sliding_statistics {
	int64_t expanded, generated, duplicates; /* states; moves tried; those that were blocked or led to known states */
	double set_seconds;
	bool is_won;
	uint32_t state;
	size_t move;
} crux_sliding_statistics;

/* Fields above `bits` are for the caller to set, the others for reading. */
typedef struct crux_sliding {
	size_t count, target;        /* target: the piece that wins */
	crux_sliding_piece pieces[CRUX_SLIDING_PIECES];
	uint64_t wall, goal;         /* goal: bits of the target's positions that win */
	int at[CRUX_SLIDING_PIECES]; /* the start */

	unsigned bits;               /* of a position */
	size_t words, moves;         /* of a key; of the level */
	crux_sliding_statistics statistics; /* of crux_sliding_expand */
	void *memory;                /* of a batch of slides: the keys that they lead to, notes, and numbers in the set */
	uint64_t *keys, *notes;
	uint32_t *indices;
	size_t batch;                /* slides in it */
	uint32_t next;               /* the state to expand */
	uint32_t *links;             /* the states to which slides lead, state by state, while there are at most CRUX_SLIDING_STATES */
	size_t *ends;                /* in them, of the links of each state */
	size_t link_count, link_room, end_room;
	crux_state_set *all;         /* the states of a search that ended; NULL: none */
	uint32_t *counts;            /* of crux_sliding_distances */
	size_t count_room;
} crux_sliding;

/* Prepares the level, whose other fields are 0. is_single: a move is by one position. False when memory is short. */
bool crux_sliding_begin(crux_sliding *s, bool is_single);

/* Frees what the level has allocated. */
void crux_sliding_free(crux_sliding *s);

/* Sets the key of the start, of s->words words. */
void crux_sliding_start(const crux_sliding *s, uint64_t *key);

/* Goes on with the search for a win in a set of the start and of what was found before, with two notes: the numbers, from 1, of the
 * parent and of the move. Expands at most `count` states. */
crux_sliding_end crux_sliding_expand(crux_sliding *s, crux_state_set *set, uint32_t count, uint32_t state_limit);

/* Sets s->counts[d] to the number of states that are d moves from the nearest one in which the target is at a goal, and returns how
 * many of these numbers there are; 0 when no state is such, there are more than CRUX_SLIDING_STATES states, or memory is short. A move
 * back is a move, too. No search can go on afterwards. */
size_t crux_sliding_distances(crux_sliding *s);
