/* Random walks of many states at a time: each by random moves, with coins, of its own generator.
 *
 * A lane is a walk: a state, the numbers of its level, a generator. A step draws a move and throws all coins, whatever the
 * move makes of them; so a walk is the same in any company. The program is that of a trace that varies. Its inputs are the
 * values of a state, the number of the move from 0, and the words of all coins in order; its outputs are the values of the
 * state that follows, and those of CRUX_WALK_OUTPUTS.
 *
 * The caller owns the walk, which belongs to one thread at a time. */
#ifndef CRUX_WALK_H
#define CRUX_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "search/coins.h"
#include "states/state_layout.h"
#include "stats/random.h"
#include "trace/program.h"

/* Truth values; only the last one is of interest: whether the step does what it must not. */
enum { CRUX_WALK_OUTPUT_WRONG = 2, CRUX_WALK_OUTPUTS };

typedef struct crux_walk crux_walk;

/* Takes over the program; NULL when memory is short. Levels have so many numbers to give. */
crux_walk *crux_walk_new(crux_program *program, const crux_state_layout *layout, size_t given, size_t moves,
                         const crux_coins *coins, size_t coin_count);

/* NULL is allowed. */
void crux_walk_free(crux_walk *walk);

/* Adds a lane: the key of its state, what its level gives, and its generator. There are to be less than CRUX_BATCH. */
void crux_walk_enter(crux_walk *walk, const uint64_t *key, const int64_t *given, crux_random random);

/* How many lanes there are. */
size_t crux_walk_lanes(const crux_walk *walk);

/* Takes steps; false, and the states of no meaning, when one of them was wrong. There is to be a lane. */
bool crux_walk_run(crux_walk *walk, uint64_t steps);

/* Writes the key of the state at which a lane is. */
void crux_walk_key(const crux_walk *walk, size_t lane, uint64_t *key);

/* Removes all lanes. */
void crux_walk_clear(crux_walk *walk);

const crux_program *crux_walk_program(const crux_walk *walk);

#endif
