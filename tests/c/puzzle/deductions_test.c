/* deductions.c on squares of 9 x 9 cells: sets of two words. The Lua test has the techniques one by one. */
#include "puzzle/deductions.h"

#include <string.h>

#include "check.h"

enum { SIDE = 9, CELLS = SIDE * SIDE, WORDS = 2, GROUPS = 3, SCRATCH = CELLS + (SIDE + 4) * WORDS };

static uint64_t sets[GROUPS * SIDE * WORDS], peers[CELLS * WORDS], planes[SIDE * WORDS], open[WORDS], scratch[SCRATCH];
static size_t const starts[GROUPS + 1] = {0, SIDE, 2 * SIDE, 3 * SIDE};
static crux_units const units = {CELLS, WORDS, GROUPS, starts, sets, peers};
static crux_candidates const candidates = {SIDE, planes, open};

static void add(uint64_t *set, size_t cell) { set[cell / 64] |= UINT64_C(1) << cell % 64; }

static bool has(const uint64_t *set, size_t cell) { return set[cell / 64] >> cell % 64 & 1; }

static size_t count(const uint64_t *set, size_t words)
{
	size_t sum = 0;
	for (size_t i = 0; i < words; i++)
		sum += (size_t)__builtin_popcountll(set[i]);
	return sum;
}

/* Rows, columns and boxes; all values in all cells. */
static void start(void)
{
	memset(sets, 0, sizeof sets);
	for (size_t cell = 0; cell < CELLS; cell++) {
		size_t const row = cell / SIDE, column = cell % SIDE;
		add(sets + row * WORDS, cell);
		add(sets + (SIDE + column) * WORDS, cell);
		add(sets + (2 * SIDE + row / 3 * 3 + column / 3) * WORDS, cell);
		add(open, cell);
		for (size_t value = 0; value < SIDE; value++)
			add(planes + value * WORDS, cell);
	}
	crux_units_find_peers(&units, peers);
}

static void drop(size_t value, size_t cell)
{
	planes[value * WORDS + cell / 64] &= ~(UINT64_C(1) << cell % 64);
}

/* The deductions taken: how many, and all that they remove and place. */
typedef struct record {
	size_t taken;
	uint64_t removed[SIDE * WORDS], placed[WORDS];
} record;

static void take(void *context, const crux_deduction *deduction)
{
	record *const r = context;
	r->taken++;
	for (size_t i = 0; i < SIDE * WORDS; i++)
		r->removed[i] |= deduction->removed[i];
	for (size_t i = 0; i < WORDS; i++)
		r->placed[i] |= deduction->placed[i];
}

static record find(crux_technique technique, unsigned size, uint64_t groups)
{
	record r = {0};
	crux_deduce(&units, &candidates, technique, size, groups, scratch, take, &r);
	return r;
}

static void test_units(void)
{
	start();
	CHECK(crux_deduce_scratch(&units, SIDE) == SCRATCH);
	for (size_t cell = 0; cell < CELLS; cell++)
		CHECK(count(peers + cell * WORDS, WORDS) == 20 && !has(peers + cell * WORDS, cell));
	for (unsigned technique = CRUX_DEDUCE_LAST; technique <= CRUX_DEDUCE_COLOURS; technique++)
		CHECK(find((crux_technique)technique, 1, 7).taken == 0);
}

/* The last cell has only the value 8: it is a naked single, and its 20 peers lose the value. */
static void test_single(void)
{
	start();
	for (size_t value = 0; value < SIDE - 1; value++)
		drop(value, CELLS - 1);
	record const naked = find(CRUX_DEDUCE_NAKED, 1, 7);
	CHECK(naked.taken == 1 && count(naked.placed, WORDS) == 1 && has(naked.placed, CELLS - 1));
	CHECK(count(naked.removed, SIDE * WORDS) == 20 && count(naked.removed + 8 * WORDS, WORDS) == 20);
	record placed = {0};
	crux_deduce_place(&units, &candidates, open, scratch, take, &placed);
	CHECK(memcmp(&placed, &naked, sizeof placed) == 0);
}

/* The value 0 is only in columns 1 and 8 of rows 0 and 8: the 14 other cells of these columns lose it. In rows alone nothing
 * is found. */
static void test_fish(void)
{
	start();
	for (size_t column = 0; column < SIDE; column++)
		if (column != 1 && column != 8) {
			drop(0, column);
			drop(0, 8 * SIDE + column);
		}
	record const fish = find(CRUX_DEDUCE_FISH, 2, 3);
	CHECK(count(fish.removed, SIDE * WORDS) == 14 && count(fish.removed, WORDS) == 14 && count(fish.placed, WORDS) == 0);
	for (size_t row = 1; row < 8; row++)
		CHECK(has(fish.removed, row * SIDE + 1) && has(fish.removed, row * SIDE + 8));
	CHECK(find(CRUX_DEDUCE_FISH, 2, 1).taken == 0);
}

int main(void)
{
	test_units();
	test_single();
	test_fish();
	return check_summary();
}
