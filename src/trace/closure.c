/* Closures of boards: each round takes the four neighbours of all cells, until no lane changes. */
#include "trace/closure.h"

#include <string.h>

#include "base/clones.h"

void crux_closure_landing(crux_board_shape shape, uint64_t *out)
{
	uint64_t full[CRUX_BOARD_WORDS];
	for (size_t i = 0; i < shape.words; i++)
		full[i] = crux_board_full_word(shape, i);
	crux_board_shift(shape, full, CRUX_BOARD_RIGHT, 1, false, out);
	crux_board_shift(shape, full, CRUX_BOARD_LEFT, 1, false, out + shape.words);
}

#define FOR_LANES _Pragma("GCC ivdep") for (size_t i = 0; i < CRUX_CLOSURE_LANES; i++)

/* A round; `above` and `below` are 0 outside the board. Returns the bits that changed in any lane. */
static inline __attribute__((always_inline)) uint64_t run_round(crux_closure_kind kind, crux_board_shape shape,
                                                                const uint64_t *landing, crux_closure_row *x,
                                                                crux_closure_row *others, size_t words)
{
	unsigned const width = shape.width;
	uint64_t const *const right = landing, *const left = landing + words;
	crux_closure_row changed = {0};
	for (size_t w = 0; w < words; w++) {
		uint64_t const *const before = x[w], *const after = x[w + 2];
		uint64_t *const here = x[w + 1];
		FOR_LANES
		{
			uint64_t const h = here[i];
			uint64_t const across = ((h << 1 | before[i] >> 63) & right[w]) | ((h >> 1 | after[i] << 63) & left[w]);
			uint64_t const down = h << (width - 1) << 1 | before[i] >> (64 - width) | h >> (width - 1) >> 1 | after[i] << (64 - width);
			uint64_t const now = kind == CRUX_FLOOD ? h | ((across | down) & others[w][i])
			                                        : h & (across | others[w][i]) & (down | others[words + w][i]);
			changed[i] |= now ^ h;
			here[i] = now;
		}
	}
	uint64_t any = 0;
	for (size_t i = 0; i < CRUX_CLOSURE_LANES; i++)
		any |= changed[i];
	return any;
}

/* Inlined, usual numbers of words become constants. */
static inline __attribute__((always_inline)) void run(crux_closure_kind kind, crux_board_shape shape, const uint64_t *landing,
                                                      crux_closure_row *rows, size_t words)
{
	crux_closure_row x[CRUX_BOARD_WORDS + 2], *const others = rows + words;
	memset(x[0], 0, sizeof x[0]);
	memset(x[words + 1], 0, sizeof x[0]);
	for (size_t w = 0; w < words; w++)
		FOR_LANES x[w + 1][i] = rows[w][i] & (kind == CRUX_FLOOD ? others[w][i] : UINT64_MAX);
	while (run_round(kind, shape, landing, x, others, words))
		continue;
	memcpy(rows, x + 1, words * sizeof *rows);
}

CRUX_CLONES void crux_closure_run(crux_closure_kind kind, crux_board_shape shape, const uint64_t *landing, crux_closure_row *rows)
{
	if (kind == CRUX_FLOOD && shape.words == 1)
		run(CRUX_FLOOD, shape, landing, rows, 1);
	else if (kind == CRUX_FLOOD && shape.words == 2)
		run(CRUX_FLOOD, shape, landing, rows, 2);
	else if (kind == CRUX_FLOOD)
		run(CRUX_FLOOD, shape, landing, rows, shape.words);
	else
		run(CRUX_FROZEN, shape, landing, rows, shape.words);
}
