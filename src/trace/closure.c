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

#define FOR_LANES CRUX_IVDEP for (size_t i = 0; i < CRUX_CLOSURE_LANES; i++)

/* A step of all cells of a word. */
typedef struct step {
	unsigned width;
	uint64_t right, left; /* the cells to which such steps lead */
} step;

/* Word `here` of a board whose cells all move by a step, from the words before and after it. A step down may leave the board. */
static inline __attribute__((always_inline)) uint64_t moved(crux_board_direction direction, step by, uint64_t before, uint64_t here,
                                                            uint64_t after)
{
	switch (direction) {
	case CRUX_BOARD_UP:
		return here >> (by.width - 1) >> 1 | after << (64 - by.width);
	case CRUX_BOARD_LEFT:
		return (here >> 1 | after << 63) & by.left;
	case CRUX_BOARD_DOWN:
		return here << (by.width - 1) << 1 | before >> (64 - by.width);
	default:
		return (here << 1 | before >> 63) & by.right;
	}
}

#define MOVED(direction, x) moved(CRUX_BOARD_##direction, by, (x)[w][i], (x)[w + 1][i], (x)[w + 2][i])

/* True when a row is not 0 in all lanes. */
static inline __attribute__((always_inline)) bool is_any(const crux_closure_row row)
{
	uint64_t any = 0;
	for (size_t i = 0; i < CRUX_CLOSURE_LANES; i++)
		any |= row[i];
	return any != 0;
}

/* A round; the words of x before the first and after the last are 0. Returns true when a lane changed. */
static inline __attribute__((always_inline)) bool run_round(crux_closure_kind kind, crux_board_shape shape,
                                                            const uint64_t *landing, crux_closure_row *x,
                                                            crux_closure_row *others, size_t words)
{
	crux_closure_row changed = {0};
	for (size_t w = 0; w < words; w++) {
		step const by = {shape.width, landing[w], landing[words + w]};
		FOR_LANES
		{
			uint64_t const h = x[w + 1][i], across = MOVED(RIGHT, x) | MOVED(LEFT, x), down = MOVED(DOWN, x) | MOVED(UP, x);
			uint64_t const now = kind == CRUX_FLOOD ? h | ((across | down) & others[w][i])
			                                        : h & (across | others[w][i]) & (down | others[words + w][i]);
			changed[i] |= now ^ h;
			x[w + 1][i] = now;
		}
	}
	return is_any(changed);
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
