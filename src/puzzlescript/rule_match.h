/* Where the rows of a rule match a grid of cells: places in the order in which the original engine finds them. */
#ifndef CRUX_RULE_MATCH_H
#define CRUX_RULE_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "puzzlescript/rule_program.h"

/* The cells, with what there is at most (objects, movements) in each column, in each row, and anywhere: it may be more than
 * there is, and lets whole lines be skipped. */
typedef struct crux_rule_grid {
	size_t width, height, cells;
	uint64_t *objects, *moves;
	uint64_t *column_objects, *column_moves, *row_objects, *row_moves, *all_objects, *all_moves;
} crux_rule_grid;

typedef struct crux_rule_place {
	uint32_t cell, gaps[CRUX_RULE_MOST_GAPS]; /* of its first cell; lengths of the gaps */
} crux_rule_place;

typedef struct crux_rule_places {
	size_t count, room;
	crux_rule_place *list;
} crux_rule_places;

/* The step from a cell to the next one in a direction. */
ptrdiff_t crux_rule_step(const crux_rule_grid *grid, int direction);

/* Whether a row may match among cells that together have these objects and movements. */
static inline bool crux_rule_may_match(const crux_rule_program *program, const crux_rule_row *row, const uint64_t *objects,
                                       const uint64_t *moves)
{
	if (!crux_rule_within(row->moving, moves, program->move_words) ||
	    !crux_rule_within(row->present, objects, program->object_words))
		return false;
	for (size_t i = 0; i < row->cell_count; i++)
		for (size_t k = 0; k < row->cells[i].any_count; k++)
			if (!crux_rule_meets(row->cells[i].any + k * program->object_words, objects, program->object_words))
				return false;
	return true;
}

/* Puts all places where the row matches into `places`; false when memory is short. */
bool crux_rule_match(const crux_rule_program *program, const crux_rule_grid *grid, const crux_rule_row *row, int direction,
                     crux_rule_places *places);

/* Whether the row still matches at a place. */
bool crux_rule_matches_at(const crux_rule_program *program, const crux_rule_grid *grid, const crux_rule_row *row,
                          int direction, crux_rule_place place);

#endif
