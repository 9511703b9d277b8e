/* Random walks of many states at a time, by random moves and coins.
 *
 * A lane is a walk: a state, the parameters of its level, a generator. Each step draws a move and throws all coins, whether the
 * move uses them or not, so a walk does not depend on the other lanes. The program is that of a trace that varies. Its inputs
 * are the values of a state, the number of the move from 0, and the words of all coins in order; its outputs are the values of
 * the next state, then the CRUX_WALK_OUTPUTS.
 *
 * The caller owns the walk, which belongs to one thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "search/coins.h"
#include "states/state_layout.h"
#include "stats/random.h"
#include "trace/program.h"

/* Truth values: won, lost (both unused), and wrong: the step must be refused. */
enum { CRUX_WALK_OUTPUT_WRONG = 2, CRUX_WALK_OUTPUTS };

/* All fields are for reading, but 0 may be assigned to `lanes`, which removes all lanes. */
typedef struct crux_walk {
	crux_program *program;
	crux_state_layout *layout;
	size_t moves, lanes, values, words; /* values of a state, words of its key */
	size_t parameter_count, coin_count;
	void *block;          /* of the arrays below */
	crux_coins *coins;
	int64_t *parameters;  /* of the level of the first lane */
	uint64_t *columns;    /* words of the keys, by lane */
	uint64_t *generators; /* words of their states, by lane */
	uint64_t *thrown;     /* by word and lane: the move, or words of coins */
} crux_walk;

/* Takes over the program and copies the layout; NULL when memory is short. */
crux_walk *crux_walk_new(crux_program *program, const crux_state_layout *layout, size_t parameter_count, size_t moves,
                         const crux_coins *coins, size_t coin_count);

/* NULL is allowed. */
void crux_walk_free(crux_walk *walk);

/* Adds a lane to fewer than CRUX_BATCH: the key of its state, the parameters of its level, its generator. */
void crux_walk_enter(crux_walk *walk, const uint64_t *key, const int64_t *parameters, crux_random random);

/* Takes steps with at least one lane; false, and the states undefined, when a step is wrong. */
bool crux_walk_run(crux_walk *walk, uint64_t steps);

/* Writes the key of the current state of a lane. */
void crux_walk_key(const crux_walk *walk, size_t lane, uint64_t *key);
