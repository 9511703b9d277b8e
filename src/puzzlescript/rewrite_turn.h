/* Plays a level by a program of rewrites, turn by turn.
 *
 * The order is that of the original engine, because results depend on it. A turn applies the rewrites of each group in rounds
 * until a round changes nothing (at most 200 rounds), then moves objects, then applies the late rewrites in the same way. A
 * rewrite finds all its matches first, then applies each one that still matches. Cells are numbered column by column.
 *
 * The caller owns the play and keeps the program. Only one thread at a time may use a play. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "puzzlescript/rewrite_chance.h"
#include "puzzlescript/rewrite_program.h"

/* Inputs: up, left, down, right, action are 0 to 4; CRUX_TURN_TICK is a tick of the clock without input. */
enum { CRUX_TURN_ACTION = 4, CRUX_TURN_TICK = -1 };

enum {
	CRUX_TURN_MAX_REPEATS = 50, /* repeats of a turn in which rigid groups fail */
	CRUX_TURN_MAX_AGAIN = 1000, /* successive turns after an input that "again" asks for */
};

typedef struct crux_turns crux_turns;

/* Copies the objects of a level, object_words words a cell. Returns NULL when memory is short. */
crux_turns *crux_turns_new(const crux_rewrite_program *program, size_t width, size_t height, const uint64_t *objects,
                           crux_rewrite_chance chance);

/* NULL is allowed. */
void crux_turns_free(crux_turns *turns);

/* Stops recording turns for undo; searches call it. */
void crux_turns_record_no_undo(crux_turns *turns);

/* Lets turns continue after a win: no level follows this one, only a message or the end of the game. */
void crux_turns_continue_after_win(crux_turns *turns);

/* Begins the level: runs the rewrites if the program has CRUX_REWRITE_RUNS_ON_START. This and the functions with a fault below return
 * false and set the fault when memory is short or rewrites exceed a limit of rewrite_apply.h. */
bool crux_turns_start(crux_turns *turns, crux_fault *fault);

/* Takes the turn of an input or a tick, then the turns that "again" asks for. */
bool crux_turns_input(crux_turns *turns, int input, crux_fault *fault);

/* Takes the turn of an input or a tick alone; crux_turns_asks_again() then tells whether the turn of a tick is to follow. */
bool crux_turns_take(crux_turns *turns, int input, crux_fault *fault);
bool crux_turns_asks_again(const crux_turns *turns);
bool crux_turns_restart(crux_turns *turns, crux_fault *fault);
bool crux_turns_undo(crux_turns *turns, crux_fault *fault);

/* Replaces the cells; a restart then goes back to the beginning of the level, not to a checkpoint. */
void crux_turns_set(crux_turns *turns, const uint64_t *objects);

bool crux_turns_won(const crux_turns *turns);
const uint64_t *crux_turns_objects(const crux_turns *turns);

/* Returns, for each line of rewrites, true if a rewrite of it changed a cell or gave a command since the level began. */
const bool *crux_turns_used_lines(const crux_turns *turns);

size_t crux_turns_cells(const crux_turns *turns);
