/* A level while rewrites change it: its cells, the marks of rigid groups, the commands of the turn, and why a turn failed. */
#pragma once

#include "puzzlescript/rewrite_chance.h"
#include "puzzlescript/rewrite_match.h"
#include "puzzlescript/rewrite_program.h"

typedef struct crux_rewrite_level {
	const crux_rewrite_program *program;
	crux_rewrite_grid grid;
	uint64_t *rigid_groups, *rigid_layers; /* by cell, laid out as movements: number of the group; all bits */
	bool *banned;                          /* by early group */
	bool *used;                            /* by line: a rewrite of it changed a cell or gave a command */
	crux_rewrite_places places[CRUX_REWRITE_MAX_ROWS];
	crux_rewrite_chance chance;
	uint64_t commands; /* of the current turn */
	size_t work;       /* cells tried and matches found by all rewrites since the last input */
	bool is_out_of_memory, is_over_limit;
} crux_rewrite_level;

/* Copies the objects. Returns false when memory is short; crux_rewrite_level_close must then be called, too. */
bool crux_rewrite_level_init(crux_rewrite_level *level, const crux_rewrite_program *program, size_t width, size_t height,
                          const uint64_t *objects, crux_rewrite_chance chance);
void crux_rewrite_level_close(crux_rewrite_level *level);

/* Adds the objects or the movements of a cell to the unions of the grid. */
void crux_rewrite_level_add_objects(crux_rewrite_level *level, size_t cell);
void crux_rewrite_level_add_moves(crux_rewrite_level *level, size_t cell);

/* Makes the unions of the grid again from all cells, none of which has a movement. */
void crux_rewrite_level_make_unions(crux_rewrite_level *level);

void crux_rewrite_level_clear_moves(crux_rewrite_level *level);

static inline bool crux_rewrite_level_failed(const crux_rewrite_level *level)
{
	return level->is_out_of_memory || level->is_over_limit;
}

/* Moves all objects that can move, then clears all movements. Returns true if it banned a rigid group with a movement that
 * failed: the turn must be repeated. */
bool crux_rewrite_move(crux_rewrite_level *level);
