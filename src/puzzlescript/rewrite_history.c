/* Earlier cells of a level: see rewrite_history.h. */
#include "puzzlescript/rewrite_history.h"

#include <stdlib.h>
#include <string.h>

#include "base/block.h"

bool crux_rewrite_history_add(crux_rewrite_history *history, const uint64_t *cells, size_t bytes)
{
	uint64_t *const level =
	    crux_array_grow(CRUX_ARRAY(history->levels, history->count + 1), &history->room) ? malloc(bytes) : NULL;
	if (!level)
		return false;
	memcpy(level, cells, bytes);
	history->levels[history->count++] = level;
	return true;
}

uint64_t *crux_rewrite_history_take(crux_rewrite_history *history, const uint64_t *now, size_t bytes)
{
	while (history->count) {
		uint64_t *const level = history->levels[--history->count];
		if (memcmp(level, now, bytes) != 0)
			return level;
		free(level);
	}
	return NULL;
}

void crux_rewrite_history_close(crux_rewrite_history *history)
{
	for (size_t i = 0; i < history->count; i++)
		free(history->levels[i]);
	free(history->levels);
}
