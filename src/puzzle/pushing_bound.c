/* The cheapest assignment of boxes to goals: see pushing_bound.h. Jonker and Volgenant, A shortest augmenting path algorithm for
 * dense and sparse linear assignment problems, 1987. */
#include "puzzle/pushing_bound.h"

#include <stdlib.h>
#include <string.h>

#include "base/block.h"

enum { NONE = UINT16_MAX };

bool crux_pushing_bound_new(crux_pushing_bound *bound, unsigned size)
{
	*bound = (crux_pushing_bound){.size = size};
	bound->block = crux_block_new((crux_array[]){CRUX_ARRAY(bound->rows, size), CRUX_ARRAY(bound->row_prices, size),
	                              CRUX_ARRAY(bound->column_prices, size), CRUX_ARRAY(bound->distance, size),
	                              CRUX_ARRAY(bound->row_of, size), CRUX_ARRAY(bound->column_of, size),
	                              CRUX_ARRAY(bound->before, size), CRUX_ARRAY(bound->is_done, size)}, 8);
	return bound->block;
}

void crux_pushing_bound_free(crux_pushing_bound *bound)
{
	free(bound->block);
	bound->block = NULL;
}

/* Sets the distances to the columns that are nearer by a row, at that distance itself. */
static void relax(crux_pushing_bound *b, const uint16_t *costs, int32_t offset, uint16_t column)
{
	for (unsigned j = 0; j < b->size; j++) {
		if (b->is_done[j] || costs[j] == NONE)
			continue;
		int32_t const distance = costs[j] - b->column_prices[j] + offset;
		if (distance < b->distance[j]) {
			b->distance[j] = distance;
			b->before[j] = column;
		}
	}
}

/* The free column that is nearest to a row by costs less prices; NONE when there is none. */
static uint16_t nearest_free(crux_pushing_bound *b, const uint16_t *costs, int32_t row_price)
{
	for (unsigned j = 0; j < b->size; j++) {
		b->distance[j] = INT32_MAX;
		b->is_done[j] = false;
	}
	relax(b, costs, -row_price, NONE);
	while (true) {
		uint16_t nearest = NONE;
		int32_t least = INT32_MAX;
		for (unsigned j = 0; j < b->size; j++)
			if (!b->is_done[j] && b->distance[j] < least) {
				least = b->distance[j];
				nearest = (uint16_t)j;
			}
		if (nearest == NONE || b->row_of[nearest] == NONE)
			return nearest;
		b->is_done[nearest] = true;
		uint16_t const row = b->row_of[nearest];
		relax(b, b->rows[row], least - b->row_prices[row], nearest);
	}
}

/* Assigns one more row. */
static bool augment(crux_pushing_bound *b, uint16_t row)
{
	uint16_t column = nearest_free(b, b->rows[row], b->row_prices[row]);
	if (column == NONE)
		return false;
	int32_t const least = b->distance[column];
	for (unsigned j = 0; j < b->size; j++)
		if (b->is_done[j]) {
			b->row_prices[b->row_of[j]] += least - b->distance[j];
			b->column_prices[j] -= least - b->distance[j];
		}
	b->row_prices[row] += least;
	for (uint16_t before; column != NONE; column = before) {
		before = b->before[column];
		b->row_of[column] = before == NONE ? row : b->row_of[before];
		b->column_of[b->row_of[column]] = column;
	}
	return true;
}

bool crux_pushing_bound_assign(crux_pushing_bound *b)
{
	memset(b->row_of, 0xff, b->size * sizeof *b->row_of);
	memset(b->column_of, 0xff, b->size * sizeof *b->column_of);
	for (unsigned i = 0; i < b->size; i++) {
		uint16_t best = NONE;
		int32_t least = INT32_MAX;
		for (unsigned j = 0; j < b->size; j++) {
			int32_t const cost = b->rows[i][j] - b->column_prices[j];
			if (b->rows[i][j] != NONE && (cost < least || (cost == least && b->row_of[best] != NONE))) {
				least = cost;
				best = (uint16_t)j;
			}
		}
		if (best == NONE)
			return false;
		b->row_prices[i] = least;
		if (b->row_of[best] != NONE)
			continue;
		b->row_of[best] = (uint16_t)i;
		b->column_of[i] = best;
	}
	for (unsigned i = 0; i < b->size; i++)
		if (b->column_of[i] == NONE && !augment(b, (uint16_t)i))
			return false;
	b->sum = 0;
	for (unsigned i = 0; i < b->size; i++)
		b->sum += b->rows[i][b->column_of[i]];
	return true;
}

int32_t crux_pushing_bound_with(crux_pushing_bound *b, unsigned row, const uint16_t *costs)
{
	uint16_t const freed = b->column_of[row];
	b->row_of[freed] = NONE;
	uint16_t const column = nearest_free(b, costs, 0);
	b->row_of[freed] = (uint16_t)row;
	return column == NONE ? -1 : b->sum - b->row_prices[row] + b->distance[column];
}
