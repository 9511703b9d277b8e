/* Best-first search with a traced step and a traced priority: expands states in the order of a search in Lua. The moves of states
 * at the front of the queue are tried together, as their turn comes soon.
 *
 * States are in a set with two notes: the numbers, from 1, of the predecessor and of the move, on the shortest way that is known.
 * A state is queued when it is reached for the first time, and again when it is reached by fewer moves; a win is queued, too. Of
 * two lists of ranks the first number that differs decides, then the length, then which was queued first.
 *
 * The caller owns the search, and the set. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "search/native_batch.h"
#include "search/native_search.h"

/* Ranks are expressions of doubles, as Lua computes them, over integers that a program computes. */
typedef enum {
	CRUX_RANK_NUMBER,  /* a constant */
	CRUX_RANK_INTEGER, /* the integer of number a */
	CRUX_RANK_WHERE,   /* a if the integer of number c is not 0, else b; from here on, a and b are earlier expressions */
	CRUX_RANK_ADD,
	CRUX_RANK_SUBTRACT,
	CRUX_RANK_MULTIPLY,
	CRUX_RANK_DIVIDE,
	CRUX_RANK_POWER,
	CRUX_RANK_MIN,
	CRUX_RANK_MAX,
	CRUX_RANK_SQRT, /* of a */
	CRUX_RANK_ABS,  /* of a */
} crux_rank_operation;

typedef struct crux_rank_node {
	crux_rank_operation operation;
	uint32_t a, b, c;
	double number;
} crux_rank_node;

/* The place of a rank: its expression, and the integer that is 0 where the list of ranks has ended before; UINT32_MAX: nowhere. */
typedef struct crux_rank_place {
	uint32_t node, present;
} crux_rank_place;

/* The ranks of a state: a program's outputs are `integers` integers and a truth value, which holds when the program does not know
 * the ranks; the integers are its outputs plus `lows`. Its inputs are the values of a state and the number of moves to it. */
typedef struct crux_priority {
	crux_program *program;
	crux_rank_node *nodes;
	crux_rank_place *places;
	int64_t *lows;
	size_t node_count, place_count, integers;
} crux_priority;

/* All fields are for reading. States count from 0. */
typedef struct crux_best_first {
	crux_native_statistics statistics;
	uint32_t state; /* after a win: the state before it */
	uint32_t win;   /* and the number of the move, from 1 */
	crux_native_batch batch;
	crux_priority priority;
	void *block;       /* of the arrays below, and those of the priority */
	uint64_t *key;     /* of a successor */
	size_t lanes;      /* of the batch, whose states are */
	uint32_t *states;
	uint64_t *columns; /* words of keys of the states that are queued next, by lane, and the number of moves to them */
	uint32_t *indices, *wins; /* of these */
	uint64_t *outputs; /* of the program, by integer and lane */
	int64_t *values;   /* of a lane's integers */
	double *numbers;   /* of a lane's expressions */
	uint32_t *lengths; /* of the shortest known way to each state */
	size_t length_room;
	struct crux_queued *entries; /* places of the heap, of which `free` are not used */
	double *ranks;               /* of each entry, place_count */
	uint32_t *heap, *free;
	size_t heap_count, entry_count, entry_room, rank_room, heap_room, free_count, free_room;
	uint64_t pushed;
} crux_best_first;

/* Takes over both programs, also when it returns NULL, because memory is short or there are too many moves and values. Copies the
 * arrays of the priority. The outputs of `program` are those that crux_native_search_new names, without estimates. */
crux_best_first *crux_best_first_new(crux_program *program, const crux_state_layout *layout, size_t moves,
                                     const crux_priority *priority);

/* NULL is allowed. */
void crux_best_first_free(crux_best_first *search);

/* Sets the parameters of a level in the programs; false when their assumptions do not hold. */
bool crux_best_first_bind(crux_best_first *search, const int64_t *parameters);

/* Starts a search of a set of one state, the start: CRUX_NATIVE_PAUSED, CRUX_NATIVE_OPEN or CRUX_NATIVE_MEMORY. */
crux_native_end crux_best_first_begin(crux_best_first *search, const crux_state_set *set);

/* The ranks of the first state of the queue, which is not empty; *count is their number. */
const double *crux_best_first_ranks(const crux_best_first *search, size_t *count);

/* Expands the next states, at most `count`; OPEN: the programs do not know what a move does or a state's ranks. */
crux_native_end crux_best_first_expand(crux_best_first *search, crux_state_set *set, uint32_t count, uint32_t state_limit);
