/* board.c: every operation against a cell-by-cell reference, on seeded random boards of many shapes. */
#include "boards/board.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "stats/random.h"

enum { ROUNDS = 12 };

/* The reference: a set of cells, and the number of steps to each. */
typedef struct grid {
	int width, height;
	bool at[CRUX_BOARD_SIDE][CRUX_BOARD_SIDE]; /* [y][x] */
} grid;

static int const dx[] = {0, -1, 0, 1}, dy[] = {-1, 0, 1, 0}; /* in the order of crux_board_direction */

static grid empty(crux_board_shape shape)
{
	grid g;
	memset(&g, 0, sizeof g);
	g.width = shape.width;
	g.height = shape.height;
	return g;
}

/* A random set of cells; from round to round it is full, empty or in between. */
static grid draw(crux_random *random, crux_board_shape shape, int round)
{
	grid g = empty(shape);
	for (int y = 0; y < g.height; y++)
		for (int x = 0; x < g.width; x++)
			g.at[y][x] = crux_random_integer(random, 1, ROUNDS - 1) <= round;
	return g;
}

static void to_words(const grid *g, uint64_t *out)
{
	memset(out, 0, CRUX_BOARD_WORDS * sizeof *out);
	for (int y = 0; y < g->height; y++)
		for (int x = 0; x < g->width; x++) {
			int const bit = y * g->width + x;
			if (g->at[y][x])
				out[bit / 64] |= (uint64_t)1 << bit % 64;
		}
}

/* True when the words equal the grid, unused bits included; prints the differences. */
static bool same(const char *what, crux_board_shape shape, const uint64_t *found, const grid *expected)
{
	uint64_t words[CRUX_BOARD_WORDS];
	to_words(expected, words);
	if (memcmp(words, found, shape.words * sizeof *words) == 0)
		return true;
	printf("%dx%d: %s differs\n", shape.width, shape.height, what);
	return false;
}

static bool inside(const grid *g, int x, int y)
{
	return x >= 0 && x < g->width && y >= 0 && y < g->height;
}

static grid combine(crux_board_operator op, const grid *a, const grid *b)
{
	grid out = *a;
	for (int y = 0; y < a->height; y++)
		for (int x = 0; x < a->width; x++) {
			bool const p = a->at[y][x], q = b->at[y][x];
			out.at[y][x] = op == CRUX_BOARD_AND ? p && q : op == CRUX_BOARD_OR ? p || q : op == CRUX_BOARD_XOR ? p != q : p && !q;
		}
	return out;
}

/* One step at a time. */
static grid shift(const grid *a, int direction, int n, bool wrap)
{
	grid now = *a;
	for (int step = 0; step < abs(n); step++) {
		grid next = now;
		memset(next.at, 0, sizeof next.at);
		for (int y = 0; y < a->height; y++)
			for (int x = 0; x < a->width; x++) {
				int tx = x + (n < 0 ? -dx[direction] : dx[direction]), ty = y + (n < 0 ? -dy[direction] : dy[direction]);
				if (wrap) {
					tx = (tx + a->width) % a->width;
					ty = (ty + a->height) % a->height;
				}
				if (now.at[y][x] && inside(a, tx, ty))
					next.at[ty][tx] = true;
			}
		now = next;
	}
	return now;
}

static grid neighbours(const grid *a)
{
	grid out = *a;
	memset(out.at, 0, sizeof out.at);
	for (int y = 0; y < a->height; y++)
		for (int x = 0; x < a->width; x++)
			for (int d = 0; d < 4; d++)
				if (inside(a, x + dx[d], y + dy[d]) && a->at[y + dy[d]][x + dx[d]])
					out.at[y][x] = true;
	return out;
}

/* Shortest ways by relaxing every cell until nothing changes. */
static void distances(const grid *a, const grid *mask, int16_t *out)
{
	bool changed = true;
	for (int y = 0; y < a->height; y++)
		for (int x = 0; x < a->width; x++)
			out[y * a->width + x] = a->at[y][x] && mask->at[y][x] ? 0 : -1;
	while (changed) {
		changed = false;
		for (int y = 0; y < a->height; y++)
			for (int x = 0; x < a->width; x++)
				for (int d = 0; d < 4 && mask->at[y][x]; d++) {
					int const from = inside(a, x + dx[d], y + dy[d]) ? out[(y + dy[d]) * a->width + x + dx[d]] : -1;
					int16_t *const here = &out[y * a->width + x];
					if (from >= 0 && (*here < 0 || *here > from + 1)) {
						*here = (int16_t)(from + 1);
						changed = true;
					}
				}
	}
}

static grid flood(const grid *a, const grid *mask)
{
	int16_t steps[CRUX_BOARD_CELLS];
	grid out = *a;
	distances(a, mask, steps);
	for (int y = 0; y < a->height; y++)
		for (int x = 0; x < a->width; x++)
			out.at[y][x] = steps[y * a->width + x] >= 0;
	return out;
}

static void check_sets(crux_board_shape shape, const grid *a, const grid *b)
{
	static const char *const names[] = {"and", "or", "xor", "minus"};
	uint64_t words_a[CRUX_BOARD_WORDS], words_b[CRUX_BOARD_WORDS], out[CRUX_BOARD_WORDS];
	bool holds = true;
	to_words(a, words_a);
	to_words(b, words_b);
	for (int op = CRUX_BOARD_AND; op <= CRUX_BOARD_MINUS; op++) {
		grid const expected = combine((crux_board_operator)op, a, b);
		crux_board_combine((crux_board_operator)op, shape, words_a, words_b, out);
		holds = same(names[op], shape, out, &expected) && holds;
		memcpy(out, words_b, sizeof out);
		crux_board_combine((crux_board_operator)op, shape, words_a, out, out);
		holds = same(names[op], shape, out, &expected) && holds;
	}
	grid full = empty(shape);
	memset(full.at, true, sizeof full.at);
	grid const rest = combine(CRUX_BOARD_MINUS, &full, a);
	crux_board_complement(shape, words_a, out);
	CHECK(same("complement", shape, out, &rest) && holds);
	CHECK(crux_board_equal(shape, words_a, words_a));
	CHECK(crux_board_equal(shape, words_a, words_b) == (memcmp(a, b, sizeof *a) == 0));
}

static void check_cells(crux_board_shape shape, const grid *a)
{
	uint64_t words[CRUX_BOARD_WORDS], rebuilt[CRUX_BOARD_WORDS] = {0}, emptied[CRUX_BOARD_WORDS];
	crux_board_box box = {99, 99, 99, 99}, expected = {99, 99, 0, 0};
	unsigned count = 0;
	bool holds = true;
	to_words(a, words);
	memcpy(emptied, words, sizeof words);
	int at = crux_board_next(shape, words, 0);
	for (unsigned cell = 0; cell < shape.cells; cell++) {
		unsigned const x = cell % shape.width, y = cell / shape.width;
		holds = crux_board_has(words, cell) == a->at[y][x] && holds;
		if (!a->at[y][x])
			continue;
		count++;
		holds = at == (int)cell && holds;
		at = crux_board_next(shape, words, cell + 1);
		crux_board_add(rebuilt, cell);
		crux_board_remove(emptied, cell);
		expected.left = x < expected.left ? x : expected.left;
		expected.right = x > expected.right ? x : expected.right;
		expected.top = y < expected.top ? y : expected.top;
		expected.bottom = y;
	}
	CHECK(holds && at == -1 && crux_board_next(shape, words, shape.cells) == -1);
	CHECK(crux_board_count(shape, words) == count && crux_board_any(shape, words) == (count > 0));
	CHECK(crux_board_equal(shape, words, rebuilt) && !crux_board_any(shape, emptied));
	CHECK(crux_board_bounds(shape, words, &box) == (count > 0));
	if (count > 0)
		CHECK(memcmp(&box, &expected, sizeof box) == 0);
}

static void check_shifts(crux_board_shape shape, const grid *a)
{
	uint64_t words[CRUX_BOARD_WORDS], out[CRUX_BOARD_WORDS];
	int const side = a->width > a->height ? a->width : a->height;
	bool holds = true;
	to_words(a, words);
	for (int direction = CRUX_BOARD_UP; direction <= CRUX_BOARD_RIGHT; direction++)
		for (int n = -side - 2; n <= side + 2; n++)
			for (int wrap = 0; wrap <= 1; wrap++) {
				grid const expected = shift(a, direction, n, wrap);
				crux_board_shift(shape, words, (crux_board_direction)direction, n, wrap, out);
				holds = same(wrap ? "wrapped shift" : "shift", shape, out, &expected) && holds;
				memcpy(out, words, sizeof out);
				crux_board_shift(shape, out, (crux_board_direction)direction, n, wrap, out);
				holds = same("shift in place", shape, out, &expected) && holds;
			}
	CHECK(holds);
	int64_t const far[] = {INT64_MAX, INT64_MIN, (int64_t)1 << 32, -((int64_t)1 << 32)};
	for (size_t i = 0; i < 4; i++) {
		grid const lost = empty(shape), wrapped = shift(a, CRUX_BOARD_LEFT, (int)(far[i] % shape.width), true);
		crux_board_shift(shape, words, CRUX_BOARD_LEFT, far[i], false, out);
		CHECK(same("far shift", shape, out, &lost));
		crux_board_shift(shape, words, CRUX_BOARD_LEFT, far[i], true, out);
		CHECK(same("far wrapped shift", shape, out, &wrapped));
	}
}

static void check_reach(crux_board_shape shape, const grid *a, const grid *mask)
{
	uint64_t words[CRUX_BOARD_WORDS], mask_words[CRUX_BOARD_WORDS], out[CRUX_BOARD_WORDS];
	int16_t found[CRUX_BOARD_CELLS], expected_steps[CRUX_BOARD_CELLS];
	to_words(a, words);
	to_words(mask, mask_words);
	grid const beside = neighbours(a), reached = flood(a, mask);
	crux_board_neighbours(shape, words, out);
	CHECK(same("neighbours", shape, out, &beside));
	crux_board_flood(shape, words, mask_words, out);
	CHECK(same("flood", shape, out, &reached));
	distances(a, mask, expected_steps);
	crux_board_distances(shape, words, mask_words, found);
	CHECK(memcmp(found, expected_steps, shape.cells * sizeof *found) == 0);
	memcpy(out, words, sizeof out);
	crux_board_neighbours(shape, out, out);
	CHECK(same("neighbours in place", shape, out, &beside));
	crux_board_flood(shape, words, mask_words, words);
	CHECK(same("flood in place", shape, words, &reached));
	to_words(a, words);
	crux_board_flood(shape, words, mask_words, mask_words);
	CHECK(same("flood in the mask's place", shape, mask_words, &reached));
}

static void check_components(crux_board_shape shape, const grid *a)
{
	uint64_t rest[CRUX_BOARD_WORDS], part[CRUX_BOARD_WORDS];
	grid left = *a;
	bool holds = true;
	to_words(a, rest);
	for (int y = 0; y < a->height; y++)
		for (int x = 0; x < a->width; x++) {
			if (!left.at[y][x])
				continue;
			grid first = empty(shape);
			first.at[y][x] = true;
			grid const expected = flood(&first, a);
			left = combine(CRUX_BOARD_MINUS, &left, &expected);
			holds = crux_board_component(shape, rest, part) && holds;
			holds = same("component", shape, part, &expected) && same("the rest", shape, rest, &left) && holds;
		}
	CHECK(holds && !crux_board_component(shape, rest, part));
}

/* A way of many turns, the longest that a board of full size has room for: 32 rows, joined at alternating ends. */
static void check_longest_way(void)
{
	crux_board_shape const shape = crux_board_shape_of(64, 64);
	grid way = empty(shape), start = empty(shape);
	uint64_t words[CRUX_BOARD_WORDS], seed[CRUX_BOARD_WORDS];
	int16_t steps[CRUX_BOARD_CELLS];
	for (int y = 0; y < 64; y++)
		for (int x = 0; x < 64; x++)
			way.at[y][x] = y % 2 == 0 || x == (y % 4 == 1 ? 63 : 0);
	start.at[0][0] = true;
	to_words(&way, words);
	to_words(&start, seed);
	crux_board_distances(shape, seed, words, steps);
	CHECK(steps[63] == 63 && steps[2 * 64] == 128 && steps[63 * 64] == 32 * 65 - 1 && steps[62 * 64] == 32 * 65 - 2);
	crux_board_flood(shape, seed, words, seed);
	CHECK(crux_board_equal(shape, seed, words));
}

int main(void)
{
	static const struct {
		unsigned width, height, words;
	} shapes[] = {
	    {1, 1, 1},  {1, 2, 1},   {2, 1, 1},   {1, 32, 1},  {32, 1, 1},  {2, 32, 1},  {32, 2, 1},  {3, 5, 1},
	    {7, 9, 1},  {8, 8, 1},   {16, 4, 1},  {5, 13, 2},  {9, 9, 2},   {12, 11, 3}, {31, 7, 4},  {7, 31, 4},
	    {16, 16, 4}, {21, 21, 7}, {31, 31, 16}, {32, 31, 16}, {31, 32, 16}, {32, 32, 16},
	    {64, 1, 1}, {64, 3, 3}, {1, 64, 1}, {63, 5, 5}, {33, 64, 33}, {64, 64, 64},
	};
	crux_random random = crux_random_new(20, 6);
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		crux_board_shape const shape = crux_board_shape_of(shapes[i].width, shapes[i].height);
		CHECK(shape.cells == shapes[i].width * shapes[i].height && shape.words == shapes[i].words);
		for (int round = shape.cells > 1024 ? 7 : 1; round < (shape.cells > 1024 ? 8 : ROUNDS); round += check_count(3, 1)) {
			grid const a = draw(&random, shape, round), b = draw(&random, shape, (int)crux_random_integer(&random, 0, ROUNDS - 1));
			check_sets(shape, &a, &b);
			check_cells(shape, &a);
			if (round % 4 == 3)
				check_shifts(shape, &a);
			check_reach(shape, &b, &a);
			check_components(shape, &a);
		}
	}
	check_longest_way();
	return check_summary();
}
