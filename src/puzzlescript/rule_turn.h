/* Playing a level by a program of rules: what a turn makes of the cells.
 *
 * The order of everything is that of the original engine, as results depend on it: rules of a group in turn until none changes
 * anything (at most 200 rounds), matches found first and then applied, each after it is tried again; then movements; then the
 * late rules. Cells are numbered column by column.
 *
 * The caller owns the play and keeps the program; one play belongs to one thread at a time. */
#ifndef CRUX_RULE_TURN_H
#define CRUX_RULE_TURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "puzzlescript/rule_chance.h"
#include "puzzlescript/rule_program.h"

/* What a player may do, beside the five inputs up, left, down, right, action (0 to 4). */
enum { CRUX_TURN_ACTION = 4, CRUX_TURN_TICK = -1 };

enum {
	CRUX_TURN_MOST_ROUNDS = 200,   /* of a group of rules, and of a loop of groups */
	CRUX_TURN_MOST_REPEATS = 50,   /* of a turn in which rigid groups fail */
	CRUX_TURN_MOST_AGAIN = 1000,   /* turns that a rule asks for, one after the other */
	CRUX_TURN_MOST_TUPLES = 1 << 24, /* matches of all rows of a rule together */
	CRUX_TURN_MOST_WORK = 1 << 28,   /* cells that rules are tried at, and their matches, in an input */
};

typedef struct crux_turns crux_turns;

/* A level of a program as it stands, with object_words words a cell. NULL when memory is short. */
crux_turns *crux_turns_new(const crux_rule_program *program, size_t width, size_t height, const uint64_t *objects,
                           crux_rule_chance chance);

/* NULL is allowed. */
void crux_turns_free(crux_turns *turns);

/* Turns need not be undone: for searches. */
void crux_turns_forget(crux_turns *turns);

/* The level that was won stays: no level follows, but a message, or the end. */
void crux_turns_stay(crux_turns *turns);

/* Begins the level: rules run if the program wants that on start. All of these return false when memory is short, or a rule has
 * more matches, or asks for more turns, than can be waited for. */
bool crux_turns_start(crux_turns *turns, crux_fault *fault);

/* An input, or the passing of time, with all turns that follow by themselves. */
bool crux_turns_input(crux_turns *turns, int input, crux_fault *fault);
bool crux_turns_restart(crux_turns *turns, crux_fault *fault);
bool crux_turns_undo(crux_turns *turns, crux_fault *fault);

/* Goes on from other cells of the level: a restart goes back to its beginning. */
void crux_turns_set(crux_turns *turns, const uint64_t *objects);

bool crux_turns_won(const crux_turns *turns);
const uint64_t *crux_turns_objects(const crux_turns *turns);
size_t crux_turns_cells(const crux_turns *turns);

#endif
