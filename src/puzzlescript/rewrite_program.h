/* A program of rewrites of a grid of cells, read from the words that lua/crux/puzzlescript/program.lua writes.
 *
 * A cell holds a set of objects, each of which is on one layer, and a set of movements for each layer (rewrite_sets.h).
 *
 * The words, in order (a set of objects is written O, movements M; lists have their length in front):
 *   objects, layers, flags (crux_rewrite_flags)
 *   for each object its layer; O: the player
 *   the win conditions: quantifier (0 no, 1 some, 2 all), 1 if a cell must have all of the first set, the same for the
 *     second, O, O
 *   the other names than the objects, which are the names 0 to objects - 1, each: 1 for an aggregate, 0 for a property; the
 *     list of its objects
 *   the texts: cells as they are written in rewrites, each a list of pairs: a word of rewrite_text.h, the number of a name
 *   the groups, then the late groups, each: its number among the rigid groups (from 1; 0: not rigid), the group to loop back to
 *     (from 1; 0: none), its lines, which rewrite_line.h describes
 *
 * The caller owns the program. It never changes: threads may share one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crux.h"
#include "puzzlescript/rewrite_cell.h"
#include "puzzlescript/rewrite_line.h"
#include "puzzlescript/rewrite_sets.h"

enum crux_rewrite_flags {
	CRUX_REWRITE_PLAYER_IS_ALL = 1,  /* a cell has the player if it has all of its objects, not any one */
	CRUX_REWRITE_PLAYER_MUST_MOVE = 2,
	CRUX_REWRITE_RUNS_ON_START = 4,
	CRUX_REWRITE_NO_RESTART = 8,
	CRUX_REWRITE_NO_UNDO = 16,
};

/* Bits of commands. Higher bits are sounds and messages, which do not act on the cells. */
enum crux_rewrite_commands {
	CRUX_REWRITE_CANCEL = 1,
	CRUX_REWRITE_RESTART = 2,
	CRUX_REWRITE_WIN = 4,
	CRUX_REWRITE_AGAIN = 8,
	CRUX_REWRITE_CHECKPOINT = 16,
};

enum {
	CRUX_REWRITE_MAX_OBJECTS = 1024,
	CRUX_REWRITE_MAX_OBJECT_WORDS = CRUX_REWRITE_MAX_OBJECTS / 64,
	CRUX_REWRITE_MAX_MOVE_WORDS = (CRUX_REWRITE_MAX_OBJECTS + CRUX_REWRITE_LAYERS_A_WORD - 1) / CRUX_REWRITE_LAYERS_A_WORD,
	CRUX_REWRITE_MAX_RIGID_GROUPS = 30,
};

typedef struct crux_rewrite_group {
	bool is_random;
	unsigned rigid;
	size_t loop; /* from 1; 0: none */
	size_t rewrite_count;
	size_t line_count;
	crux_rewrite_line *lines;
} crux_rewrite_group;

typedef struct crux_rewrite_groups {
	size_t count;
	crux_rewrite_group *groups;
} crux_rewrite_groups;

typedef struct crux_win_condition {
	int quantifier; /* -1 no, 0 some, 1 all */
	bool all_of_first, all_of_second;
	const uint64_t *first, *second;
} crux_win_condition;

typedef struct crux_rewrite_program {
	size_t object_count, layer_count, line_count, rewrite_count, object_words, move_words;
	uint64_t flags;
	size_t *layer_of;      /* by object */
	uint64_t *layer_masks; /* object_words words a layer */
	const uint64_t *player;
	size_t condition_count;
	crux_win_condition *conditions;
	size_t name_count, cell_count;
	crux_rewrite_name *names;
	uint64_t *name_sets, *numbers; /* storage of the sets of the names, and of the lists of those of single objects */
	crux_rewrite_cell **cells;
	crux_rewrite_groups early, late;
	bool is_rigid;
	bool has_chance;
	uint64_t *changing; /* the player, and the objects that rewrites may create, remove or move */
	uint64_t commands; /* union over all rewrites */
	uint64_t *words;   /* storage of all sets */
} crux_rewrite_program;

/* Copies the words. Returns NULL and sets the fault when they are not a program or memory is short, or sets the mistake of a
 * line. */
crux_rewrite_program *crux_rewrite_program_new(const int64_t *words, size_t count, crux_rewrite_mistake *mistake,
                                               crux_fault *fault);

/* NULL is allowed. */
void crux_rewrite_program_free(crux_rewrite_program *program);
