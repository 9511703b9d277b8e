/* Finds the places where a row of a rule matches a grid of cells, in the order of the original engine. */
#ifndef CRUX_RULE_MATCH_H
#define CRUX_RULE_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "puzzlescript/rule_program.h"

/* The cells, and the unions of their objects and movements by column, by row and over all cells. A union may hold bits that no
 * cell has any more; matching skips the lines whose union lacks a bit. */
typedef struct crux_rule_grid {
	size_t width, height, cells;
	uint64_t *objects, *moves;
	uint64_t *column_objects, *column_moves, *row_objects, *row_moves, *all_objects, *all_moves;
} crux_rule_grid;

typedef struct crux_rule_place {
	uint32_t cell, gaps[CRUX_RULE_MAX_GAPS]; /* cell: the first cell; gaps: lengths in cells */
} crux_rule_place;

typedef struct crux_rule_places {
	size_t count, room;
	crux_rule_place *list;
} crux_rule_places;

/* Returns the difference between the numbers of a cell and of the next cell in a direction. */
ptrdiff_t crux_rule_step(const crux_rule_grid *grid, int direction);

/* Returns false if the row cannot match in cells whose unions of objects and movements are these. */
static inline bool crux_rule_may_match(const crux_rule_program *program, const crux_rule_row *row, const uint64_t *objects,
                                       const uint64_t *moves)
{
	if (!crux_rule_passes(row->moves, moves) || !crux_rule_passes(row->objects, objects))
		return false;
	for (size_t i = 0; i < row->any_count; i++)
		if (!crux_rule_meets(row->any[i], objects, program->object_words))
			return false;
	return true;
}

/* Sets `places` to all places where the row matches. Returns false when memory is short. */
bool crux_rule_match(const crux_rule_program *program, const crux_rule_grid *grid, const crux_rule_row *row, int direction,
                     crux_rule_places *places);

/* Returns true if the row still matches at a place. */
bool crux_rule_matches_at(const crux_rule_program *program, const crux_rule_grid *grid, const crux_rule_row *row,
                          int direction, crux_rule_place place);

#endif
