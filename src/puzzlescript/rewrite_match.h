/* Finds the places where a row of a rewrite matches a grid of cells, in the order of the original engine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "puzzlescript/rewrite_program.h"

/* The cells, and the unions of their objects and movements by column, by row and over all cells. A union may hold bits that no
 * cell has any more; matching skips the lines whose union lacks a bit. */
typedef struct crux_rewrite_grid {
	size_t width, height, cells;
	uint64_t *objects, *moves;
	uint64_t *column_objects, *column_moves, *row_objects, *row_moves, *all_objects, *all_moves;
} crux_rewrite_grid;

typedef struct crux_rewrite_place {
	uint32_t cell, gaps[CRUX_REWRITE_MAX_GAPS]; /* cell: the first cell; gaps: lengths in cells */
} crux_rewrite_place;

typedef struct crux_rewrite_places {
	size_t count, room;
	crux_rewrite_place *list;
} crux_rewrite_places;

/* Returns the difference between the numbers of a cell and of the next cell in a direction. */
ptrdiff_t crux_rewrite_step(const crux_rewrite_grid *grid, int direction);

/* Returns false if the row cannot match in cells whose unions of objects and movements are these. */
static inline bool crux_rewrite_may_match(const crux_rewrite_program *program, const crux_rewrite_row *row,
                                          const uint64_t *objects, const uint64_t *moves)
{
	if (!crux_rewrite_passes(row->moves, moves) || !crux_rewrite_passes(row->objects, objects))
		return false;
	for (size_t i = 0; i < row->any_count; i++)
		if (!crux_rewrite_meets(row->any[i], objects, program->object_words))
			return false;
	return true;
}

/* Sets `places` to all places where the row matches. Returns false when memory is short. */
bool crux_rewrite_match(const crux_rewrite_program *program, const crux_rewrite_grid *grid, const crux_rewrite_row *row,
                        int direction, crux_rewrite_places *places);

/* Returns true if the row still matches at a place. */
bool crux_rewrite_matches_at(const crux_rewrite_program *program, const crux_rewrite_grid *grid, const crux_rewrite_row *row,
                          int direction, crux_rewrite_place place);
