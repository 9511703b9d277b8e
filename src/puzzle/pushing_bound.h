/* The cheapest assignment of boxes to goals: no solution has fewer pushes, as each box takes those to a goal of its own at least. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All arrays are of the owner: `size` elements each. A price is the dual value of a row or column: the cost of a row in a column is at
 * least the sum of their prices, and as much as it where they are assigned. */
typedef struct crux_pushing_bound {
	unsigned size;
	const uint16_t **rows;                /* by row: its cost in each column, UINT16_MAX where it cannot be */
	int32_t *row_prices, *column_prices;  /* the latter are kept from one assignment to the next: it is found sooner */
	int32_t *distance;
	uint16_t *row_of, *column_of, *before; /* row_of: of a column */
	bool *is_done;
	int32_t sum;                          /* of the assignment */
	void *block;
} crux_pushing_bound;

bool crux_pushing_bound_new(crux_pushing_bound *bound, unsigned size);
void crux_pushing_bound_free(crux_pushing_bound *bound);

/* Assigns all rows; false when that cannot be. */
bool crux_pushing_bound_assign(crux_pushing_bound *bound);

/* Returns the cost of the cheapest assignment if one row had other costs; -1 if there were none. Changes nothing. */
int32_t crux_pushing_bound_with(crux_pushing_bound *bound, unsigned row, const uint16_t *costs);
