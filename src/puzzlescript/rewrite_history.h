/* The earlier cells of a level, which "undo" brings back. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct crux_rewrite_history {
	size_t count, room;
	uint64_t **levels;
} crux_rewrite_history;

/* Adds a copy of the cells, `bytes` long. Returns false when memory is short. */
bool crux_rewrite_history_add(crux_rewrite_history *history, const uint64_t *cells, size_t bytes);

/* Takes the latest cells that differ from `now`, and forgets those after them. The caller frees them. Returns NULL if there are
 * none. */
uint64_t *crux_rewrite_history_take(crux_rewrite_history *history, const uint64_t *now, size_t bytes);

void crux_rewrite_history_close(crux_rewrite_history *history);
