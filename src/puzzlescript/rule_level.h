/* A level while rules rewrite it: its cells, the marks of rigid groups, the commands of the turn, and why a turn failed. */
#ifndef CRUX_RULE_LEVEL_H
#define CRUX_RULE_LEVEL_H

#include "puzzlescript/rule_chance.h"
#include "puzzlescript/rule_match.h"
#include "puzzlescript/rule_program.h"

typedef struct crux_rule_level {
	const crux_rule_program *program;
	crux_rule_grid grid;
	uint64_t *rigid_groups, *rigid_layers; /* by cell, laid out as movements: number of the group; all bits */
	bool *banned;                          /* by early group */
	bool *used;                            /* by line: a rule of it changed a cell or gave a command */
	crux_rule_places places[CRUX_RULE_MAX_ROWS];
	crux_rule_chance chance;
	uint64_t commands; /* of the current turn */
	size_t work;       /* cells tried and matches found by all rules since the last input */
	bool is_out_of_memory, is_over_limit;
} crux_rule_level;

/* Copies the objects. Returns false when memory is short; crux_rule_level_close must then be called, too. */
bool crux_rule_level_init(crux_rule_level *level, const crux_rule_program *program, size_t width, size_t height,
                          const uint64_t *objects, crux_rule_chance chance);
void crux_rule_level_close(crux_rule_level *level);

/* Adds the objects or the movements of a cell to the unions of the grid. */
void crux_rule_level_add_objects(crux_rule_level *level, size_t cell);
void crux_rule_level_add_moves(crux_rule_level *level, size_t cell);

/* Makes the unions of the grid again from all cells, none of which has a movement. */
void crux_rule_level_make_unions(crux_rule_level *level);

void crux_rule_level_clear_moves(crux_rule_level *level);

static inline bool crux_rule_level_failed(const crux_rule_level *level)
{
	return level->is_out_of_memory || level->is_over_limit;
}

#endif
