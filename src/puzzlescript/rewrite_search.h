/* Breadth-first search of a level of a program of rewrites. The states are in a state set.
 *
 * A state has one value for each layer whose objects may change and each cell: 0 if the cell has none of these objects, else
 * the number of its object in the layer, from 1. The search expands states in the order of their numbers and tries moves in the
 * order of inputs, so the first win ends the first of the shortest solutions. The two notes of a state in the set are the
 * numbers (from 1) of the parent state and of the move.
 *
 * The caller owns the search, and keeps the program, the turns (which the search changes) and the layout. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "puzzlescript/rewrite_turn.h"
#include "states/state_layout.h"
#include "states/state_set.h"

typedef struct crux_rewrite_search crux_rewrite_search;

typedef enum {
	CRUX_REWRITE_PAUSED,  /* `count` states were expanded */
	CRUX_REWRITE_THROUGH, /* all states were expanded */
	CRUX_REWRITE_WON,     /* a move wins */
	CRUX_REWRITE_STATES,  /* the limit on states is reached */
	CRUX_REWRITE_BYTES,   /* the limit on bytes of the set is reached, or memory is short */
	CRUX_REWRITE_FAILED,  /* a turn failed: see the fault */
} crux_rewrite_end;

/* objects[layer][value - 1] is the object of a value of a layer; sizes[layer] is the number of objects of a layer. */
typedef struct crux_rewrite_layers {
	size_t count;
	const size_t *sizes;
	const size_t *const *objects;
} crux_rewrite_layers;

/* Copies the layers; tries the inputs 0 to moves - 1. A search that counts goes on after the first win through the states of
 * the same depth, adds none, and counts the shortest solutions. Returns NULL when memory is short. */
crux_rewrite_search *crux_rewrite_search_new(const crux_rewrite_program *program, crux_turns *turns,
                                             const crux_rewrite_layers *layers, size_t moves, bool counts);

/* NULL is allowed. */
void crux_rewrite_search_free(crux_rewrite_search *search);

/* Returns true if states of the layout have one value for each layer and cell, from 0 to at most the number of the layer's
 * objects. The other functions take sets of such states with two notes. */
bool crux_rewrite_search_takes(const crux_rewrite_search *search, const crux_state_layout *layout);

/* Expands at most `count` more states of the set. */
crux_rewrite_end crux_rewrite_search_expand(crux_rewrite_search *search, crux_state_set *set, const crux_state_layout *layout,
                                      uint32_t count, uint32_t state_limit, crux_fault *fault);

/* Counts until now or until the first win: states expanded, moves tried, and moves that led to known states. */
typedef struct crux_rewrite_statistics {
	int64_t expanded, generated, duplicates;
	double set_seconds; /* spent in the set of states */
	bool is_won;
	uint32_t state; /* the state and the move that wins from it, both from 0 */
	size_t move;
	int64_t solutions; /* shortest ones, if counted; -1: more than 2^63 - 1 */
} crux_rewrite_statistics;

/* Counts over all reachable states. */
typedef struct crux_rewrite_space {
	uint32_t states, dead; /* dead: states from which no win can be reached */
	int64_t changing, losing; /* moves from states that are not dead: to another state or a win; to a dead state */
} crux_rewrite_space;

/* Expands all states from the start, which must be the only state in the set. Returns false when the states exceed state_limit
 * or the memory, or a turn fails. */
bool crux_rewrite_search_sweep(crux_rewrite_search *search, crux_state_set *set, const crux_state_layout *layout,
                               uint32_t state_limit, crux_rewrite_space *space);

crux_rewrite_statistics crux_rewrite_search_statistics(const crux_rewrite_search *search);
