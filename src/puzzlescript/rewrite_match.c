/* Matching rows of cells: see rewrite_match.h. */
#include "puzzlescript/rewrite_match.h"

#include <assert.h>
#include <stdlib.h>

#include "base/block.h"

ptrdiff_t crux_rewrite_step(const crux_rewrite_grid *grid, int direction)
{
	ptrdiff_t const height = (ptrdiff_t)grid->height;
	ptrdiff_t const steps[] = {-1, 1, -height, height};
	return steps[direction];
}

static inline bool cell_matches(const crux_rewrite_program *p, const crux_rewrite_grid *grid, const crux_rewrite_cell *cell,
                                size_t at)
{
	const uint64_t *const objects = grid->objects + at * p->object_words;
	if (!crux_rewrite_passes(cell->moves, grid->moves + at * p->move_words) || !crux_rewrite_passes(cell->objects, objects))
		return false;
	for (size_t i = 0; i < cell->any_count; i++)
		if (!crux_rewrite_meets(cell->any + i * p->object_words, objects, p->object_words))
			return false;
	return true;
}

/* Matches the cells of a row from number `from` up to the next gap or the end of the row, and sets *at to the cell behind them.
 * Returns the number of the gap, cell_count at the end of the row, SIZE_MAX when a cell does not match. */
static size_t match_part(const crux_rewrite_program *p, const crux_rewrite_grid *grid, const crux_rewrite_row *row, size_t from,
                         ptrdiff_t step, size_t *at)
{
	size_t i = from, cell = *at;
	for (; i < row->cell_count && row->cells[i]; i++, cell += (size_t)step)
		if (!cell_matches(p, grid, row->cells[i], cell))
			return SIZE_MAX;
	*at = cell;
	return i;
}

bool crux_rewrite_matches_at(const crux_rewrite_program *p, const crux_rewrite_grid *grid, const crux_rewrite_row *row,
                             int direction, crux_rewrite_place place)
{
	ptrdiff_t const step = crux_rewrite_step(grid, direction);
	size_t at = place.cell;
	for (size_t from = 0, gap = 0; from <= row->cell_count; gap++) {
		size_t const end = match_part(p, grid, row, from, step, &at);
		if (end == SIZE_MAX || end == row->cell_count)
			return end != SIZE_MAX;
		assert(gap < CRUX_REWRITE_MAX_GAPS);
		at += place.gaps[gap] * (size_t)step;
		from = end + 1;
	}
	return true;
}

static bool add(crux_rewrite_places *places, crux_rewrite_place place)
{
	if (!crux_array_grow(CRUX_ARRAY(places->list, places->count + 1), &places->room))
		return false;
	places->list[places->count++] = place;
	return true;
}

/* Tries all lengths of the gap at number `gap` of the row and of the gaps behind it, together at most `max` cells. */
static bool match_gaps(const crux_rewrite_program *p, const crux_rewrite_grid *grid, const crux_rewrite_row *row,
                       ptrdiff_t step, size_t gap, size_t number, size_t at, size_t max, crux_rewrite_place place,
                       crux_rewrite_places *places)
{
	for (size_t length = 0; length <= max; length++) {
		size_t behind = at + length * (size_t)step;
		size_t const end = match_part(p, grid, row, gap + 1, step, &behind);
		place.gaps[number] = (uint32_t)length;
		if (end == SIZE_MAX)
			continue;
		if (end == row->cell_count ? !add(places, place)
		                           : !match_gaps(p, grid, row, step, end, number + 1, behind, max - length, place, places))
			return false;
	}
	return true;
}

/* Adds the places of a row whose first cell matches a cell. */
static bool match_behind(const crux_rewrite_program *p, const crux_rewrite_grid *grid, const crux_rewrite_row *row,
                         ptrdiff_t step, size_t cell, size_t room, crux_rewrite_places *places)
{
	size_t at = cell + (size_t)step;
	size_t const end = match_part(p, grid, row, 1, step, &at);
	crux_rewrite_place const place = {.cell = (uint32_t)cell};
	if (end == SIZE_MAX)
		return true;
	return end == row->cell_count ? add(places, place) : match_gaps(p, grid, row, step, end, 0, at, room, place, places);
}

bool crux_rewrite_match(const crux_rewrite_program *p, const crux_rewrite_grid *grid, const crux_rewrite_row *row,
                        int direction, crux_rewrite_places *places)
{
	bool const is_vertical = direction == CRUX_REWRITE_UP || direction == CRUX_REWRITE_DOWN;
	bool const is_back = direction == CRUX_REWRITE_UP || direction == CRUX_REWRITE_LEFT;
	size_t const length = row->cell_count - row->gap_count, ow = p->object_words, mw = p->move_words;
	size_t const lines = is_vertical ? grid->width : grid->height, cells = is_vertical ? grid->height : grid->width;
	const uint64_t *const objects = is_vertical ? grid->column_objects : grid->row_objects;
	const uint64_t *const moves = is_vertical ? grid->column_moves : grid->row_moves;
	size_t const line_step = is_vertical ? grid->height : 1, cell_step = is_vertical ? 1 : grid->height;
	ptrdiff_t const step = crux_rewrite_step(grid, direction);
	places->count = 0;
	if (length > cells)
		return true;
	size_t const first = is_back ? length - 1 : 0, last = is_back ? cells - 1 : cells - length;
	for (size_t line = 0; line < lines; line++) {
		if (!crux_rewrite_may_match(p, row, objects + line * ow, moves + line * mw))
			continue;
		for (size_t i = first; i <= last; i++) {
			size_t const cell = line * line_step + i * cell_step, room = is_back ? i - first : last - i;
			if (cell_matches(p, grid, row->cells[0], cell) && !match_behind(p, grid, row, step, cell, room, places))
				return false;
		}
	}
	return true;
}
