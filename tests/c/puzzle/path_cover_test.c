/* path_cover.c: against enumeration of all covers, against published numbers of Hamiltonian paths, and its limits. */
#include "puzzle/path_cover.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "stats/random.h"

enum { MAX_CELLS = 2 * 400, SMALL_CELLS = 36 };

static crux_path_limits const no_limits = {0, 0, 0};

static crux_path_cover solve(const crux_path_grid *grid, crux_path_limits limits, unsigned char *sides)
{
	crux_path_cover cover = {0};
	crux_fault fault = {""};
	CHECK(crux_path_cover_solve(grid, limits, sides, &cover, &fault) && fault.message[0] == '\0');
	return cover;
}

/* All covers of a small grid by drawing one path after the other. */
typedef struct enumeration {
	const crux_path_grid *grid;
	int cells;
	unsigned char sides[SMALL_CELLS]; /* of the paths drawn so far */
	bool covered[SMALL_CELLS];
	uint64_t count;
	size_t turns; /* of the best */
	unsigned char best[SMALL_CELLS];
} enumeration;

static size_t turns_of(const unsigned char *sides, int cells)
{
	size_t turns = 0;
	for (int i = 0; i < cells; i++)
		turns += __builtin_popcount(sides[i]) == 2 && sides[i] != (CRUX_PATH_UP | CRUX_PATH_DOWN) &&
		         sides[i] != (CRUX_PATH_LEFT | CRUX_PATH_RIGHT);
	return turns;
}

/* Whether the first of two different covers comes first, as path_cover.h says. */
static bool comes_first(const crux_path_grid *grid, const unsigned char *a, const unsigned char *b)
{
	bool const wide = grid->width > grid->height;
	unsigned const borders[] = {wide ? CRUX_PATH_DOWN : CRUX_PATH_RIGHT, wide ? CRUX_PATH_RIGHT : CRUX_PATH_DOWN};
	for (int i = 0; i < grid->width * grid->height; i++) {
		int const cell = wide ? i % grid->height * grid->width + i / grid->height : i;
		for (int k = 0; k < 2; k++)
			if ((a[cell] ^ b[cell]) & borders[k])
				return a[cell] & borders[k];
	}
	return false;
}

static void take_cover(enumeration *e)
{
	size_t const turns = turns_of(e->sides, e->cells);
	if (e->count == 0 || turns < e->turns || (turns == e->turns && comes_first(e->grid, e->sides, e->best))) {
		e->turns = turns;
		memcpy(e->best, e->sides, sizeof e->best);
	}
	e->count++;
}

static void draw_next(enumeration *e);

/* Leads a path that has come to a cell on in all ways. */
static void lead_on(enumeration *e, int cell, int colour)
{
	static const struct {
		int dx, dy;
		unsigned char out, in;
	} steps[] = {{0, -1, CRUX_PATH_UP, CRUX_PATH_DOWN}, {1, 0, CRUX_PATH_RIGHT, CRUX_PATH_LEFT},
	             {0, 1, CRUX_PATH_DOWN, CRUX_PATH_UP}, {-1, 0, CRUX_PATH_LEFT, CRUX_PATH_RIGHT}};
	int const width = e->grid->width, height = e->grid->height;
	for (size_t k = 0; k < 4; k++) {
		int const x = cell % width + steps[k].dx, y = cell / width + steps[k].dy, next = y * width + x;
		if (x < 0 || x >= width || y < 0 || y >= height || e->covered[next] ||
		    (e->grid->cells[next] != CRUX_PATH_EMPTY && e->grid->cells[next] != colour))
			continue;
		e->covered[next] = true;
		e->sides[cell] |= steps[k].out;
		e->sides[next] |= steps[k].in;
		if (e->grid->cells[next] == colour)
			draw_next(e);
		else
			lead_on(e, next, colour);
		e->covered[next] = false;
		e->sides[cell] ^= steps[k].out;
		e->sides[next] ^= steps[k].in;
	}
}

/* Starts at the first endpoint without a path. */
static void draw_next(enumeration *e)
{
	int open = 0;
	for (int cell = 0; cell < e->cells; cell++) {
		if (e->covered[cell] || e->grid->cells[cell] == CRUX_PATH_BLOCKED)
			continue;
		open++;
		if (e->grid->cells[cell] == CRUX_PATH_EMPTY)
			continue;
		e->covered[cell] = true;
		lead_on(e, cell, e->grid->cells[cell]);
		e->covered[cell] = false;
		return;
	}
	if (open == 0)
		take_cover(e);
}

/* Checks that the traces of the paths are neighbours all along, join equal endpoints, and cover the grid. */
static void check_traces(const crux_path_grid *grid, const unsigned char *sides)
{
	size_t const cells = (size_t)grid->width * (size_t)grid->height, width = (size_t)grid->width;
	size_t *const path = malloc(cells * sizeof *path);
	size_t covered = 0, expected = 0;
	bool joined = true;
	for (size_t cell = 0; cell < cells; cell++) {
		expected += grid->cells[cell] != CRUX_PATH_BLOCKED;
		if (grid->cells[cell] <= 0)
			continue;
		size_t const length = crux_path_cover_trace(grid, sides, cell, path);
		joined = joined && path[0] == cell && path[length - 1] != cell &&
		         grid->cells[path[length - 1]] == grid->cells[cell];
		for (size_t i = 1; i < length; i++) {
			size_t const low = path[i] < path[i - 1] ? path[i] : path[i - 1], step = path[i] + path[i - 1] - 2 * low;
			joined = joined && (step == width || (step == 1 && low % width + 1 < width));
			joined = joined && (i + 1 == length || grid->cells[path[i]] == CRUX_PATH_EMPTY);
		}
		covered += path[length - 1] > cell ? length : 0;
	}
	CHECK(joined);
	CHECK(covered == expected);
	free(path);
}

/* Whether there is a cover, having compared with enumeration. */
static bool check_small(const crux_path_grid *grid)
{
	enumeration e = {.grid = grid, .cells = grid->width * grid->height};
	unsigned char sides[SMALL_CELLS];
	draw_next(&e);
	crux_path_cover const cover = solve(grid, no_limits, sides), counted = solve(grid, no_limits, NULL);
	CHECK(cover.outcome == (e.count ? CRUX_PATH_SOLVED : CRUX_PATH_NONE));
	CHECK(cover.solutions == e.count && cover.turns == e.turns);
	CHECK(counted.outcome == cover.outcome && counted.solutions == e.count && counted.turns == e.turns);
	CHECK(counted.states == cover.states && counted.peak == cover.peak && counted.bytes <= cover.bytes);
	if (!e.count)
		return false;
	CHECK(memcmp(sides, e.best, (size_t)e.cells) == 0);
	check_traces(grid, sides);
	return true;
}

/* Puts endpoints of that many colours, and blocks, on cells drawn at random. */
static void scatter(crux_random *random, int *cells, int count, int colours, int blocks)
{
	memset(cells, 0, (size_t)count * sizeof *cells);
	for (int i = 0; i < 2 * colours + blocks;) {
		int64_t const cell = crux_random_integer(random, 0, count - 1);
		if (cells[cell])
			continue;
		cells[cell] = i < 2 * colours ? i / 2 + 1 : CRUX_PATH_BLOCKED;
		i++;
	}
}

/* Puts the ends of random walks on a grid, and blocks where none came by, so that there is a cover. */
static void walk(crux_random *random, int *cells, int width, int height, int walks)
{
	static int const dx[] = {0, 1, 0, -1}, dy[] = {-1, 0, 1, 0};
	bool used[SMALL_CELLS] = {false};
	memset(cells, 0, (size_t)(width * height) * sizeof *cells);
	for (int colour = 1; colour <= walks; colour++) {
		int const start = (int)crux_random_integer(random, 0, width * height - 1);
		int end = start;
		for (int tries = 0; !used[start] && tries < 20; tries++) {
			int64_t const k = crux_random_integer(random, 0, 3);
			int const x = end % width + dx[k], y = end / width + dy[k], next = y * width + x;
			if (x >= 0 && x < width && y >= 0 && y < height && next != start && !used[next]) {
				used[end] = end != start;
				end = next;
			}
		}
		if (end != start) {
			used[start] = used[end] = true;
			cells[start] = cells[end] = 10 * colour; /* any numbers will do */
		}
	}
	for (int i = 0; i < width * height; i++)
		if (!used[i])
			cells[i] = CRUX_PATH_BLOCKED;
}

static void check_random(void)
{
	int cells[SMALL_CELLS], solved = 0, cases = 0;
	crux_random random = crux_random_new(20, 0);
	for (int i = 0; i < 3000; i++) {
		int const width = (int)crux_random_integer(&random, 1, 6);
		int const height = (int)crux_random_integer(&random, 1, width == 6 ? 4 : 5);
		crux_path_grid const grid = {width, height, cells};
		int const count = width * height, colours = (int)crux_random_integer(&random, 0, 4);
		int const blocks = (int)crux_random_integer(&random, 0, 1) * count / 8;
		if (2 * colours + blocks <= count) {
			scatter(&random, cells, count, colours, blocks);
			solved += check_small(&grid);
			cases++;
		}
		walk(&random, cells, width, height, 1 + count / 6);
		CHECK(check_small(&grid));
	}
	CHECK(cases > 2000 && solved > 200);
}

/* Solves an otherwise empty grid with one colour, the endpoints at two cells. */
static crux_path_cover solve_pair(int width, int height, int a, int b)
{
	static int cells[MAX_CELLS];
	crux_path_grid const grid = {width, height, cells};
	memset(cells, 0, sizeof cells);
	cells[a] = cells[b] = 7;
	return solve(&grid, no_limits, NULL);
}

/* Hamiltonian paths of n x n between corners: opposite ones of odd n, https://oeis.org/A001184, and on one side,
 * https://oeis.org/A000532. */
static void check_published(void)
{
	static uint64_t const opposite[] = {2, 104, 111712, 2688307514, 1445778936756068};
	static uint64_t const beside[] = {1, 2, 8, 86, 1770, 88418, 8934966, 2087813834, 1013346943033, 1111598871478668};
	for (int i = 0; i < 5; i++) {
		int const n = 2 * i + 3;
		CHECK(solve_pair(n, n, 0, n * n - 1).solutions == opposite[i]);
	}
	for (int i = 0; i < 10; i++) {
		int const n = i + 2;
		CHECK(solve_pair(n, n, 0, n * (n - 1)).solutions == beside[i]);
		CHECK(solve_pair(n, n, 0, n - 1).solutions == beside[i]);
	}
}

/* Strips two cells wide have one cover when the endpoints lie side by side at an end, or where there is no choice. */
static void check_strips(void)
{
	for (int n = 1; n <= 400; n += 57) {
		crux_path_cover const tall = solve_pair(2, n, 0, 1), wide = solve_pair(n, 2, 0, n);
		CHECK(tall.solutions == 1 && tall.turns == (n > 1 ? 2 : 0));
		CHECK(wide.solutions == 1 && wide.turns == tall.turns && wide.states == tall.states);
	}
	CHECK(solve_pair(400, 1, 0, 399).solutions == 1);
	CHECK(solve_pair(400, 1, 1, 399).outcome == CRUX_PATH_NONE);
}

/* 3 x 3 cells from corner to corner have two covers, both with four turns; the one that starts to the right comes first.
 * Several such squares between blocked cells, four in a row, have a power of two; more than 61 need 7 bits a colour, of
 * 16 * 7. */
static void check_saturation(void)
{
	enum { R = CRUX_PATH_RIGHT, D = CRUX_PATH_DOWN, L = CRUX_PATH_LEFT, U = CRUX_PATH_UP, SQUARES = 66, HEIGHT = 4 * 17 };
	static unsigned char const first[3][3] = {{R, L | R, L | D}, {R | D, L | R, U | L}, {U | R, L | R, L}};
	static int cells[15 * HEIGHT];
	static unsigned char sides[15 * HEIGHT];
	crux_path_grid const grid = {15, HEIGHT, cells};
	for (int i = 0; i < 15 * HEIGHT; i++)
		cells[i] = CRUX_PATH_BLOCKED;
	for (int n = 1; n <= SQUARES; n++) {
		int const corner = (n - 1) / 4 * 4 * 15 + (n - 1) % 4 * 4;
		for (int k = 0; k < 9; k++)
			cells[corner + k / 3 * 15 + k % 3] = k % 8 == 0 ? n : CRUX_PATH_EMPTY;
		crux_path_cover const cover = solve(&grid, no_limits, sides);
		CHECK(cover.solutions == (n < 64 ? UINT64_C(1) << n : UINT64_MAX));
		CHECK(cover.outcome == CRUX_PATH_SOLVED && cover.turns == 4 * (size_t)n);
		for (int row = 0; row < 3; row++)
			CHECK(memcmp(sides + corner + row * 15, first[row], sizeof first[row]) == 0);
	}
}

/* The memory that it says it took is enough, and a byte less is not. */
static void check_limits(void)
{
	int cells[81] = {1, [80] = 1};
	unsigned char sides[81];
	crux_path_grid const grid = {9, 9, cells};
	for (int k = 0; k < 2; k++) {
		unsigned char *const out = k ? sides : NULL;
		crux_path_cover const cover = solve(&grid, no_limits, out);
		crux_path_cover limited = solve(&grid, (crux_path_limits){cover.bytes, 3600, 0}, out);
		CHECK(limited.outcome == CRUX_PATH_SOLVED && limited.solutions == 2688307514 && limited.bytes == cover.bytes);
		for (size_t bytes = 1; bytes < cover.bytes; bytes *= 2) {
			limited = solve(&grid, (crux_path_limits){bytes, 0, 0}, out);
			CHECK(limited.outcome == CRUX_PATH_MEMORY && limited.solutions == 0 && limited.bytes <= bytes);
		}
		limited = solve(&grid, (crux_path_limits){cover.bytes - 1, 0, 0}, out);
		CHECK(limited.outcome == CRUX_PATH_MEMORY && limited.states < cover.states);
		limited = solve(&grid, (crux_path_limits){0, 1e-9, 0}, out);
		CHECK(limited.outcome == CRUX_PATH_TIME && limited.solutions == 0);
	}
}

static void check_fault(int width, int height, const int *cells, const char *message)
{
	crux_path_grid const grid = {width, height, cells};
	crux_path_cover cover;
	crux_fault fault = {""};
	CHECK(!crux_path_cover_solve(&grid, no_limits, NULL, &cover, &fault));
	CHECK(strcmp(fault.message, message) == 0);
}

static void check_faults(void)
{
	static int many[64 * 64]; /* empty */
	check_fault(0, 3, many, "the grid is 0 x 3, expected at least 1 x 1");
	check_fault(3, -1, many, "the grid is 3 x -1, expected at least 1 x 1");
	check_fault(2, 2, (int[]){1, 2, 0, 2}, "colour 1 has 1 endpoint, expected 2");
	check_fault(2, 2, (int[]){5, 5, 0, 5}, "colour 5 has 3 endpoints, expected 2");
	check_fault(2, 2, (int[]){1, 0, -2, 1}, "cell 3 is -2, expected a colour from 1, 0 (empty) or -1 (blocked)");
	check_fault(64, 64, many, "the shorter side has 64 cells, expected at most 63 with 0 colours");
	for (int i = 0; i < 2 * 14; i++)
		many[i] = i / 2 + 1;
	check_fault(32, 33, many, "the shorter side has 32 cells, expected at most 24 with 14 colours");
	many[26] = many[27] = 0;
	crux_path_grid const grid = {31, 32, many}; /* with 13 colours it has room, but too many states */
	CHECK(solve(&grid, (crux_path_limits){1 << 20, 0, 0}, NULL).outcome == CRUX_PATH_MEMORY);
}

/* Endpoints on all cells of 15 x 15 but one, each pair side by side: 8 bits a colour, of all 128 bits. */
static void check_widest(void)
{
	static int cells[15 * 15] = {[15 * 15 - 1] = CRUX_PATH_BLOCKED};
	static unsigned char sides[15 * 15];
	crux_path_grid const grid = {15, 15, cells};
	for (int row = 0; row < 15; row++)
		for (int column = 0; column < 14; column++)
			cells[row * 15 + column] = 1000000 - (row * 14 + column) / 2;
	for (int row = 0; row < 14; row++)
		cells[row * 15 + 14] = 1 + row / 2;
	crux_path_cover const cover = solve(&grid, no_limits, sides);
	CHECK(cover.outcome == CRUX_PATH_SOLVED && cover.solutions == 1 && cover.turns == 0);
	CHECK(sides[0] == CRUX_PATH_RIGHT && sides[14] == CRUX_PATH_DOWN && sides[15 * 15 - 1] == 0);
	check_traces(&grid, sides);
}

int main(void)
{
	check_random();
	check_published();
	check_strips();
	check_saturation();
	check_limits();
	check_faults();
	check_widest();
	return check_summary();
}
