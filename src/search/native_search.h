/* Breadth-first search with a traced step: whole batches of states at once, in the order of a search one by one.
 *
 * The states lie in a set, with two notes each: the number from 1 of the state that led to it, and that of the move. States
 * are expanded frontier by frontier: all states of one depth, in the order of their numbers. Whatever the batches, the
 * states found, their order, the statistics and the first win are those of a search that tries move after move of state
 * after state.
 *
 * The caller owns the search, and the set. */
#ifndef CRUX_NATIVE_SEARCH_H
#define CRUX_NATIVE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "search/native_batch.h"

#define CRUX_WAYS_MANY (-1) /* a number of ways above INT64_MAX */

typedef struct crux_native_search crux_native_search;

/* Why an expansion ended. */
typedef enum {
	CRUX_NATIVE_PAUSED,    /* as many states were expanded as were asked for */
	CRUX_NATIVE_THROUGH,   /* all states were expanded */
	CRUX_NATIVE_WON,       /* a move wins; if the ways are counted, all states of its depth were expanded */
	CRUX_NATIVE_VIOLATION, /* a move leads to what is no state, or does what the script must not */
	CRUX_NATIVE_STATES,    /* the limit on states is met */
	CRUX_NATIVE_BYTES,     /* that on the set's bytes */
	CRUX_NATIVE_MEMORY,    /* there is no more memory for counting */
} crux_native_end;

typedef struct crux_native_statistics {
	int64_t expanded, generated, duplicates, lost, beyond; /* up to the first win; beyond: left out for the bound */
} crux_native_statistics;

/* What a move leads to, beside numbers of states from 0. */
enum { CRUX_NATIVE_IS_WON = -1, CRUX_NATIVE_IS_LOST = -2, CRUX_NATIVE_IS_WRONG = -3, CRUX_NATIVE_IS_NEW = -4 };

/* Takes over the program, whose inputs are the layout's values and whose outputs are, move after move, these values and
 * CRUX_NATIVE_OUTPUTS truth values; `informed` tells whether there are estimates, of 0 to 2^31 - 1. `wrong` may hold only
 * when the move must be refused. NULL, and the program freed, when memory is short or these are too many. */
crux_native_search *crux_native_search_new(crux_program *program, const crux_state_layout *layout, size_t moves,
                                           bool informed);

/* NULL is allowed. */
void crux_native_search_free(crux_native_search *search);

/* Takes over a program that may run instead when a value of the state, a flag, is the same for all states at hand; of two
 * the later one stays. */
void crux_native_search_specialise(crux_native_search *search, crux_program *program, size_t flag, bool value);

/* Gives the programs the numbers of a level; false when they do not hold for it. */
bool crux_native_search_bind(crux_native_search *search, const int64_t *given);

/* Begins anew with a set of one state, the start; `counts` tells whether to count the ways to win, `timed` whether to look
 * at the clock. States whose depth and estimate add up to more than the bound are left out. False when memory is short. */
bool crux_native_search_begin(crux_native_search *search, bool counts, bool timed, int64_t bound);

/* The least sum of depth and estimate of the states that were left out; INT64_MAX when there were none. */
int64_t crux_native_search_beyond(const crux_native_search *search);

/* The seconds that a timed search took for the script's step, and for the set of states. */
typedef struct crux_native_times {
	double step, set;
} crux_native_times;

crux_native_times crux_native_search_times(const crux_native_search *search);

/* Expands the next states, at most so many. */
crux_native_end crux_native_search_expand(crux_native_search *search, crux_state_set *set, uint32_t most,
                                          uint32_t state_limit);

/* How many states were expanded, or begun to be. */
uint32_t crux_native_search_expanded(const crux_native_search *search);

/* The numbers of states at each depth, from 0, that was reached; *count is how many depths there are. */
const uint32_t *crux_native_search_frontiers(crux_native_search *search, const crux_state_set *set, size_t *count);

/* The state and the move that won first, or that were refused; false when there was neither. Both count from 0. */
bool crux_native_search_place(const crux_native_search *search, uint32_t *state, size_t *move);

/* The ways to win in as many moves as the first win took, in the part of the frontier that was expanded. */
int64_t crux_native_search_solutions(const crux_native_search *search);

crux_native_statistics crux_native_search_statistics(const crux_native_search *search);

/* What each move makes of a state of the set; and, of an informed search, the estimate then. */
void crux_native_search_try(crux_native_search *search, const crux_state_set *set, uint32_t state, int64_t *successors,
                            int64_t *estimates);

bool crux_native_search_is_informed(const crux_native_search *search);

const crux_program *crux_native_search_program(const crux_native_search *search);

#endif
