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
	bool is_single;              /* a move is by one position */
	crux_sliding_statistics statistics; /* of crux_sliding_expand */
	void *memory;                /* of a batch of slides: the keys that they lead to, and notes */
	uint64_t *keys, *notes;
	size_t batch;                /* slides in it */
	uint32_t next;               /* the state to expand */
} crux_sliding;

/* Prepares the level, whose other fields are 0. is_single: a move is by one position. False when memory is short. */
bool crux_sliding_begin(crux_sliding *s, bool is_single);

/* Frees what the level has allocated. */
void crux_sliding_free(crux_sliding *s);

/* Sets the key of the start, of s->words words. */
void crux_sliding_start(const crux_sliding *s, uint64_t *key);

/* The position of a piece in a state. */
static inline int crux_sliding_position(const crux_sliding *s, const crux_sliding_piece *piece, const uint64_t *key)
{
	return (int)(key[piece->word] >> piece->shift & ((UINT64_C(1) << s->bits) - 1));
}

/* True if the target is at a goal in a state. */
static inline bool crux_sliding_is_won(const crux_sliding *s, const uint64_t *key)
{
	return s->goal >> crux_sliding_position(s, &s->pieces[s->target], key) & 1;
}

/* The squares that walls and pieces cover in a state. */
static inline uint64_t crux_sliding_taken(const crux_sliding *s, const uint64_t *key)
{
	uint64_t taken = s->wall;
	for (size_t i = 0; i < s->count; i++)
		taken |= s->pieces[i].covers[crux_sliding_position(s, &s->pieces[i], key)];
	return taken;
}

/* Goes on with the search for a win, of a level whose keys have one word, in a set of the start and of what was found before, with two
 * notes: the numbers, from 1, of the parent and of the move. Expands at most `count` states. */
crux_sliding_end crux_sliding_expand(crux_sliding *s, crux_state_set *set, uint32_t count, uint32_t state_limit);
