/* Breadth-first search with a traced step: expands batches of states, with the results of a search one by one.
 *
 * States are in a set with two notes: the numbers, from 1, of the predecessor and of the move. They are expanded frontier by
 * frontier: all states of one depth, in the order of their numbers. The states found, their order, the statistics and the first
 * win do not depend on the batches: they are those of a search that tries one move of one state at a time.
 *
 * The caller owns the search, and the set. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "search/native_batch.h"
#include "states/state_set.h"

#define CRUX_WAYS_MANY (-1) /* more ways than INT64_MAX */

/* The reason for the end of an expansion. */
typedef enum {
	CRUX_NATIVE_PAUSED,    /* the number of states asked for was expanded */
	CRUX_NATIVE_THROUGH,   /* all states were expanded */
	CRUX_NATIVE_WON,       /* a move wins; when counting ways, all states of its depth were expanded */
	CRUX_NATIVE_OPEN,      /* the program does not know what a move does: crux_native_search_settle tells */
	CRUX_NATIVE_VIOLATION, /* a move was settled as refused */
	CRUX_NATIVE_STATES,    /* the limit on states is met */
	CRUX_NATIVE_BYTES,     /* the limit on the set's bytes is met */
	CRUX_NATIVE_MEMORY,    /* memory for counting is short */
} crux_native_end;

typedef struct crux_native_statistics {
	int64_t expanded, generated, duplicates, lost, beyond; /* up to the first win; beyond: above the bound */
} crux_native_statistics;

/* The seconds that a timed search took for the script's step, and for the set of states. */
typedef struct crux_native_times {
	double step, set;
} crux_native_times;

/* All fields are for reading; the first group is the result. States and moves count from 0. */
typedef struct crux_native_search {
	crux_native_statistics statistics;
	crux_native_times times;
	bool has_place;    /* state and move are those of the first win, or of the step that was refused */
	uint32_t state;
	size_t move;
	int64_t solutions; /* ways to win in as few moves as the first win, in the expanded part of the frontier */
	uint32_t next;     /* the first state that was not expanded */
	int64_t settled;   /* steps that were open */
	crux_native_batch batch; /* batch.beyond: the least sum of depth and estimate above the bound; INT64_MAX: none */

	size_t lanes, step;   /* of a batch that is not added to the set yet, 0: none; its first step that may be open */
	uint32_t *indices;    /* numbers in the set of the states that the batch leads to */
	uint32_t first, end;  /* of the frontier */
	uint32_t *frontiers;  /* numbers of states of all frontiers, with room for one more */
	size_t depths, depth_room;
	bool counts, timed, has_goal;
	int64_t *ways, *next_ways; /* to each state of the frontier, and of the next */
	size_t ways_room, next_room;
} crux_native_search;

/* Successors that are no numbers of states. */
enum { CRUX_NATIVE_IS_WON = -1, CRUX_NATIVE_IS_LOST = -2, CRUX_NATIVE_IS_UNKNOWN = -3, CRUX_NATIVE_IS_NEW = -4 };

/* Takes over the program. Its inputs are the layout's values; its outputs are, move after move, these values, an estimate from 0
 * to 2^31 - 1 if `informed`, and CRUX_NATIVE_OUTPUTS truth values, of which `wrong` holds when the program does not know what the
 * move does. NULL, and the program freed, when memory is short or there are too many moves and values. is_guarded: the program has
 * a part for each move. */
crux_native_search *crux_native_search_new(crux_program *program, const crux_state_layout *layout, size_t moves,
                                           bool informed, bool is_guarded);

/* NULL is allowed. */
void crux_native_search_free(crux_native_search *search);

/* Takes over a program for batches in which a flag, a value of the state, is `value` in all states. Replaces the last one. */
void crux_native_search_specialise(crux_native_search *search, crux_program *program, size_t flag, bool value);

/* Sets the parameters of a level in the programs; false when their assumptions do not hold. */
bool crux_native_search_bind(crux_native_search *search, const int64_t *parameters);

/* Starts a search of a set of one state, the start; counts ways to win if `counts`, measures times if `timed`. States whose
 * sum of depth and estimate is above the bound are left out. False when memory is short. */
bool crux_native_search_begin(crux_native_search *search, bool counts, bool timed, int64_t bound);

/* Expands the next states, at most `count`. */
crux_native_end crux_native_search_expand(crux_native_search *search, crux_state_set *set, uint32_t count,
                                          uint32_t state_limit);

/* True when the step `step` of the batch after `next` is open. */
bool crux_native_search_is_open(const crux_native_search *search);

/* True when a step before the open one wins: then it does not matter where the open one leads. */
bool crux_native_search_has_win(const crux_native_search *search);

/* Settles the open step; the next call of crux_native_search_expand goes on from there. */
void crux_native_search_settle(crux_native_search *search, crux_native_outcome outcome, const uint64_t *key, uint64_t estimate);

/* The number of states at each depth, from 0; *count is the number of depths reached. */
const uint32_t *crux_native_search_frontiers(crux_native_search *search, const crux_state_set *set, size_t *count);

/* Sets the successor of a state of the set by each move and, in an informed search, its estimate. */
void crux_native_search_try(crux_native_search *search, const crux_state_set *set, uint32_t state, int64_t *successors,
                            int64_t *estimates);

/* The same, but adds new states to the set, with two notes: `state` and the move, from 1. False when state_limit or the set's limit on bytes
 * allows no more. */
bool crux_native_search_visit(crux_native_search *search, crux_state_set *set, uint32_t state, uint32_t state_limit,
                              int64_t *successors);
