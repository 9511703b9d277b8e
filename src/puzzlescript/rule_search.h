/* Breadth-first search of a level of a program of rules, over states that lie in a set.
 *
 * A state has, for each layer whose objects may change, a value a cell: 0 for none of them, or the number from 1 of the one that
 * is there. States are expanded in the order of their numbers, moves in that of the inputs, so that the first win ends the
 * first of all shortest solutions. With each state the set keeps the numbers from 1 of the state and the move that led to it.
 *
 * The caller owns the search, keeps the turns, which the search plays, and the layout. */
#ifndef CRUX_RULE_SEARCH_H
#define CRUX_RULE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "puzzlescript/rule_turn.h"
#include "states/state_layout.h"
#include "states/state_set.h"

typedef struct crux_rule_search crux_rule_search;

typedef enum {
	CRUX_RULE_PAUSED,  /* as many states were expanded as were asked for */
	CRUX_RULE_THROUGH, /* all were */
	CRUX_RULE_WON,     /* a move wins */
	CRUX_RULE_STATES,  /* the limit on states is met */
	CRUX_RULE_BYTES,   /* that on the bytes of the set */
	CRUX_RULE_FAILED,  /* a turn failed; see the fault */
} crux_rule_end;

/* layers: the objects that a value of each layer stands for, objects[layer][value - 1]. NULL when memory is short. */
typedef struct crux_rule_layers {
	size_t count;
	const size_t *sizes;
	const size_t *const *objects;
} crux_rule_layers;

crux_rule_search *crux_rule_search_new(const crux_rule_program *program, crux_turns *turns, const crux_rule_layers *layers,
                                       size_t moves);

/* NULL is allowed. */
void crux_rule_search_free(crux_rule_search *search);

/* True when a state of the layout has a value for each layer and cell, from 0 to the number of the layer's objects. The other
 * functions take sets of such states with two notes. */
bool crux_rule_search_takes(const crux_rule_search *search, const crux_state_layout *layout);

/* Expands at most `most` further states of the set. */
crux_rule_end crux_rule_search_expand(crux_rule_search *search, crux_state_set *set, const crux_state_layout *layout,
                                      uint32_t most, uint32_t state_limit, crux_fault *fault);

/* Up to the first win. */
typedef struct crux_rule_statistics {
	int64_t expanded, generated, duplicates;
	uint32_t state; /* from which a move won, and that move, from 0 */
	size_t move;
} crux_rule_statistics;

/* What a sweep through all states finds. */
typedef struct crux_rule_space {
	uint32_t states, dead; /* dead: no win is left */
	int64_t changing, losing; /* moves from states that are not dead: those that lead to another state or win, and to a dead one */
} crux_rule_space;

/* Expands all states, from the start, which is the only one in the set. False when there are more than state_limit or than
 * there is room for, or a turn fails. */
bool crux_rule_search_sweep(crux_rule_search *search, crux_state_set *set, const crux_state_layout *layout, uint32_t state_limit,
                            crux_rule_space *space);

crux_rule_statistics crux_rule_search_statistics(const crux_rule_search *search);

#endif
