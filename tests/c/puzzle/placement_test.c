/* placement.c against plain enumeration of all placements, each traced by beams_reference.h. */
#include "puzzle/placement.h"

#include <stdlib.h>

#include "beams_random.h"
#include "check.h"

static const crux_solver_limits unlimited = {0};

/* All ways to lay blocks on the empty tiles of a grid, one after the other in the order of placements. */
typedef struct enumeration {
	const crux_beam_grid *grid;
	unsigned char tiles[CRUX_BEAMS_MAX_SIDE * CRUX_BEAMS_MAX_SIDE];
	int left[CRUX_TILE_REFRACT + 1];
	bool at_most; /* blocks may stay in hand */
	int64_t solutions;
	unsigned char first[CRUX_BEAMS_MAX_SIDE * CRUX_BEAMS_MAX_SIDE];
	int64_t passed[REFERENCE_SIDE * REFERENCE_SIDE]; /* solutions by the points that beams pass, in reading order */
	int64_t courses; /* with at_most: placements of which every block is met by a beam; there is one for each course */
	reference traced;
} enumeration;

static void judge(enumeration *e)
{
	size_t const size = (size_t)(e->grid->width * e->grid->height);
	bool const all = e->left[CRUX_TILE_REFLECT] + e->left[CRUX_TILE_ABSORB] + e->left[CRUX_TILE_SPLIT] +
	                     e->left[CRUX_TILE_REFRACT] == 0;
	if (!all && !e->at_most)
		return;
	reference_run(&e->traced, e->grid, e->tiles);
	bool const solved = all && reference_solved(&e->traced, e->grid);
	if (solved && e->solutions++ == 0)
		memcpy(e->first, e->tiles, size);
	int const columns = 2 * e->grid->width + 1;
	for (int i = 0; solved && i < columns * (2 * e->grid->height + 1); i++)
		e->passed[i] += reference_passes(&e->traced, i % columns, i / columns);
	bool met = true;
	for (size_t i = 0; i < size; i++)
		met &= e->tiles[i] == e->grid->tiles[i] || e->traced.entered[i / (size_t)e->grid->width][i % (size_t)e->grid->width];
	e->courses += met;
}

static void enumerate(enumeration *e, int tile)
{
	if (tile == e->grid->width * e->grid->height) {
		judge(e);
		return;
	}
	if (e->grid->tiles[tile] != CRUX_TILE_EMPTY) {
		enumerate(e, tile + 1);
		return;
	}
	for (unsigned char kind = CRUX_TILE_EMPTY; kind <= CRUX_TILE_REFRACT; kind++) {
		if (kind != CRUX_TILE_EMPTY && e->left[kind] == 0)
			continue;
		e->left[kind]--;
		e->tiles[tile] = kind;
		enumerate(e, tile + 1);
		e->left[kind]++;
	}
	e->tiles[tile] = CRUX_TILE_EMPTY;
}

/* The courses by their definition, each time from the emitters on, branching at the last undecided tile that is entered. */
static int64_t courses_by_branching(const crux_beam_grid *grid, unsigned char *tiles, int left[], reference *r)
{
	int tile = -1;
	reference_run(r, grid, tiles);
	for (int i = 0; i < grid->width * grid->height; i++)
		if (tiles[i] == CRUX_TILE_UNDECIDED && r->entered[i / grid->width][i % grid->width])
			tile = i;
	if (tile < 0)
		return 1;
	int64_t leaves = 0;
	for (unsigned char kind = CRUX_TILE_EMPTY; kind <= CRUX_TILE_REFRACT; kind++) {
		if (kind != CRUX_TILE_EMPTY && left[kind] == 0)
			continue;
		left[kind]--;
		tiles[tile] = kind;
		leaves += courses_by_branching(grid, tiles, left, r);
		left[kind]++;
	}
	tiles[tile] = CRUX_TILE_UNDECIDED;
	return leaves;
}

static void start(enumeration *e, const crux_beam_grid *grid, crux_blocks blocks)
{
	memset(e, 0, sizeof *e);
	e->grid = grid;
	memcpy(e->tiles, grid->tiles, (size_t)(grid->width * grid->height));
	e->left[CRUX_TILE_REFLECT] = (int)blocks.reflect;
	e->left[CRUX_TILE_ABSORB] = (int)blocks.absorb;
	e->left[CRUX_TILE_SPLIT] = (int)blocks.split;
	e->left[CRUX_TILE_REFRACT] = (int)blocks.refract;
}

static crux_placement ask(const crux_beam_grid *grid, crux_blocks blocks, crux_placement_question question,
                          unsigned char *tiles)
{
	crux_placement result = {.count = -2};
	crux_fault fault;
	CHECK(crux_placement_search(grid, blocks, question, unlimited, tiles, &result, &fault));
	return result;
}

/* Compares the placements that pass each point with the enumeration. */
static void compare_passes(const enumeration *e, crux_blocks blocks)
{
	int64_t passed[REFERENCE_SIDE * REFERENCE_SIDE];
	size_t const points = (size_t)((2 * e->grid->width + 1) * (2 * e->grid->height + 1));
	crux_placement result;
	crux_fault fault;
	memset(passed, 0xff, sizeof passed);
	CHECK(crux_placement_passes(e->grid, blocks, unlimited, passed, &result, &fault));
	CHECK(result.count == e->solutions && memcmp(passed, e->passed, points * sizeof *passed) == 0);
	CHECK(passed[points] == -1); /* not written */
}

/* Compares all answers with the enumeration; returns the number of placements. */
static int64_t compare(const crux_beam_grid *grid, crux_blocks blocks)
{
	static enumeration e;
	unsigned char tiles[CRUX_BEAMS_MAX_SIDE * CRUX_BEAMS_MAX_SIDE];
	size_t const size = (size_t)(grid->width * grid->height);
	start(&e, grid, blocks);
	enumerate(&e, 0);
	int64_t const solutions = e.solutions;
	crux_placement const first = ask(grid, blocks, CRUX_PLACEMENT_FIRST, tiles);
	CHECK(first.outcome == (solutions ? CRUX_SOLVED : CRUX_UNSOLVABLE));
	if (solutions) {
		crux_beam_grid placed = *grid;
		crux_beam_summary summary;
		crux_fault fault;
		placed.tiles = tiles;
		CHECK(memcmp(tiles, e.first, size) == 0);
		CHECK(crux_beams_trace(&placed, NULL, &summary, &fault) && summary.missed == 0);
		reference_run(&e.traced, grid, e.first);
		CHECK(summary.reflections == e.traced.reflections);
	}
	crux_placement const count = ask(grid, blocks, CRUX_PLACEMENT_COUNT, NULL);
	CHECK(count.count == solutions && count.outcome == first.outcome);
	CHECK(first.statistics.generated <= count.statistics.generated && first.statistics.backtracks <= first.statistics.generated);
	compare_passes(&e, blocks);

	start(&e, grid, blocks);
	e.at_most = true;
	enumerate(&e, 0);
	for (size_t i = 0; i < size; i++)
		tiles[i] = grid->tiles[i] == CRUX_TILE_EMPTY ? CRUX_TILE_UNDECIDED : grid->tiles[i];
	CHECK(courses_by_branching(grid, tiles, e.left, &e.traced) == e.courses);
	crux_placement const courses = ask(grid, blocks, CRUX_PLACEMENT_COURSES, NULL);
	CHECK(courses.count == e.courses && courses.outcome == CRUX_SOLVED && courses.statistics.backtracks == 0);
	return solutions;
}

/* Puts the blocks on random tiles and draws the targets from the points that beams then pass. */
static void make_solvable(unsigned long long *state, random_grid *g, crux_blocks blocks)
{
	static reference r;
	unsigned char tiles[CRUX_BEAMS_MAX_SIDE * CRUX_BEAMS_MAX_SIDE];
	int const size = g->grid.width * g->grid.height;
	int left[] = {0, (int)blocks.reflect, (int)blocks.absorb, (int)blocks.split, (int)blocks.refract};
	memcpy(tiles, g->tiles, (size_t)size);
	for (int kind = CRUX_TILE_REFLECT; kind <= CRUX_TILE_REFRACT; kind++) {
		for (int attempts = 0; left[kind] > 0 && attempts < 1000; attempts++) {
			int const tile = draw(state, size);
			if (tiles[tile] == CRUX_TILE_EMPTY) {
				tiles[tile] = (unsigned char)kind;
				left[kind]--;
			}
		}
	}
	reference_run(&r, &g->grid, tiles);
	for (size_t i = 0; i < g->grid.target_count; i++) {
		crux_target *t = &g->targets[i];
		for (int attempts = 0; attempts < 1000 && !reference_passes(&r, t->x, t->y); attempts++)
			draw_point(state, &g->grid, &t->x, &t->y);
	}
}

static void random_placements(void)
{
	static random_grid g;
	unsigned long long state = 20261121;
	int solved = 0, single = 0, none = 0;
	for (int round = 0; round < 1500; round++) {
		draw_grid(&state, 1 + draw(&state, 4), 1 + draw(&state, 3), draw(&state, 5), &g);
		crux_blocks blocks = {(size_t)draw(&state, 4), (size_t)draw(&state, 3), (size_t)draw(&state, 3), (size_t)draw(&state, 3)};
		if (blocks.reflect + blocks.absorb + blocks.split + blocks.refract > 4)
			blocks.absorb = blocks.refract = 0;
		if (round % 3)
			make_solvable(&state, &g, blocks);
		int64_t const solutions = compare(&g.grid, blocks);
		solved += solutions > 1;
		single += solutions == 1;
		none += solutions == 0;
	}
	CHECK(solved > 300 && single > 50 && none > 300);
}

/* n tiles without beams and k blocks: n over k placements. The first has the blocks at the end. */
static void counts_without_beams(void)
{
	unsigned char tiles[CRUX_BEAMS_MAX_SIDE * CRUX_BEAMS_MAX_SIDE] = {0}, first[sizeof tiles];
	crux_beam_grid grid = {5, 4, tiles, NULL, 0, NULL, 0};
	CHECK(ask(&grid, (crux_blocks){5, 5, 5, 0}, CRUX_PLACEMENT_COUNT, NULL).count == 11732745024); /* 20! / 5!^4 */
	CHECK(ask(&grid, (crux_blocks){5, 5, 5, 5}, CRUX_PLACEMENT_COUNT, NULL).count == 11732745024);
	CHECK(ask(&grid, (crux_blocks){5, 5, 5, 5}, CRUX_PLACEMENT_COURSES, NULL).count == 1);
	CHECK(ask(&grid, (crux_blocks){1, 1, 1, 1}, CRUX_PLACEMENT_FIRST, first).outcome == CRUX_SOLVED);
	static const unsigned char last[] = {CRUX_TILE_EMPTY, CRUX_TILE_REFLECT, CRUX_TILE_ABSORB, CRUX_TILE_SPLIT,
	                                     CRUX_TILE_REFRACT};
	CHECK(memcmp(first, tiles, 15) == 0 && memcmp(first + 15, last, 5) == 0);
	CHECK(ask(&grid, (crux_blocks){20, 0, 0, 0}, CRUX_PLACEMENT_COUNT, NULL).count == 1);
	CHECK(ask(&grid, (crux_blocks){20, 0, 0, 1}, CRUX_PLACEMENT_COUNT, NULL).outcome == CRUX_UNSOLVABLE);
	CHECK(ask(&grid, (crux_blocks){SIZE_MAX, 1, 0, 0}, CRUX_PLACEMENT_COUNT, NULL).outcome == CRUX_UNSOLVABLE);
	CHECK(ask(&grid, (crux_blocks){SIZE_MAX, 1, 0, 0}, CRUX_PLACEMENT_COURSES, NULL).count == 1);
	grid.width = 11;
	grid.height = 6;
	CHECK(ask(&grid, (crux_blocks){33, 0, 0, 0}, CRUX_PLACEMENT_COUNT, NULL).count == 7219428434016265740); /* 66 over 33 */
	CHECK(ask(&grid, (crux_blocks){32, 0, 1, 0}, CRUX_PLACEMENT_COUNT, NULL).count == -1);
	grid.width = 32;
	grid.height = 32;
	CHECK(ask(&grid, (crux_blocks){500, 0, 0, 0}, CRUX_PLACEMENT_COUNT, NULL).count == -1);
	CHECK(ask(&grid, (crux_blocks){1023, 0, 0, 0}, CRUX_PLACEMENT_COUNT, NULL).count == 1024);
}

/* Two leaves whose sum, n over 33, is at most 63 bits for n = 66 and more for 67: the tile at the upper left lets one
 * beam through to the target or not, and another beam, which comes later, passes it anyway. */
static void counts_that_overflow(void)
{
	unsigned char tiles[9 * 8] = {0};
	crux_emitter const emitters[] = {{1, 0, 1, 1}, {3, 2, -1, -1}};
	crux_target const target = {2, 1};
	crux_beam_grid const grid = {9, 8, tiles, emitters, 2, &target, 1};
	tiles[1] = CRUX_TILE_UNUSABLE;
	tiles[9 + 1] = CRUX_TILE_ABSORB;
	for (int i = 0; i < 3; i++)
		tiles[69 + i] = CRUX_TILE_UNUSABLE;
	crux_placement const more = ask(&grid, (crux_blocks){33, 0, 0, 0}, CRUX_PLACEMENT_COUNT, NULL);
	CHECK(more.count == -1 && more.outcome == CRUX_SOLVED && more.statistics.generated == 2);
	CHECK(ask(&grid, (crux_blocks){20, 0, 20, 0}, CRUX_PLACEMENT_COUNT, NULL).count == -1); /* in each leaf */
	int64_t passed[(2 * 9 + 1) * (2 * 8 + 1)];
	crux_placement passes;
	crux_fault fault;
	CHECK(crux_placement_passes(&grid, (crux_blocks){33, 0, 0, 0}, unlimited, passed, &passes, &fault) && passes.count == -1);
	tiles[68] = CRUX_TILE_UNUSABLE;
	crux_placement const fewer = ask(&grid, (crux_blocks){33, 0, 0, 0}, CRUX_PLACEMENT_COUNT, NULL);
	CHECK(fewer.count == 7219428434016265740 && fewer.statistics.generated == 2);
}

static void limits(void)
{
	unsigned char tiles[20 * 20] = {0}, first[20 * 20];
	crux_emitter const emitters[] = {{1, 0, 1, 1}, {0, 21, 1, 1}};
	crux_target const targets[] = {{2, 39}, {40, 37}};
	crux_beam_grid const small = {4, 4, tiles, emitters, 1, targets + 1, 0};
	crux_beam_grid const large = {20, 20, tiles, emitters, 2, targets, 2};
	crux_blocks const blocks = {2, 1, 1, 0}, many = {9, 9, 9, 0};
	crux_placement result;
	crux_fault fault;
	crux_placement const all = ask(&small, blocks, CRUX_PLACEMENT_COURSES, NULL);
	crux_solver_limits nodes = {.nodes = all.statistics.generated};
	CHECK(crux_placement_search(&small, blocks, CRUX_PLACEMENT_COURSES, nodes, NULL, &result, &fault));
	CHECK(result.outcome == CRUX_SOLVED && result.count == all.count);
	nodes.nodes--;
	CHECK(crux_placement_search(&small, blocks, CRUX_PLACEMENT_COURSES, nodes, NULL, &result, &fault));
	CHECK(result.outcome == CRUX_LIMIT_NODES && result.statistics.generated == nodes.nodes);
	int64_t passed[9 * 9];
	CHECK(crux_placement_passes(&small, blocks, nodes, passed, &result, &fault) && result.outcome == CRUX_LIMIT_NODES);
	for (int question = CRUX_PLACEMENT_FIRST; question <= CRUX_PLACEMENT_COURSES; question++) {
		crux_solver_limits const time = {.seconds = 0.01};
		CHECK(crux_placement_search(&large, many, (crux_placement_question)question, time, first, &result, &fault));
		CHECK(result.outcome == CRUX_LIMIT_SECONDS);
	}
}

static void bad_grid(void)
{
	unsigned char tile = CRUX_TILE_UNDECIDED;
	crux_beam_grid const grid = {1, 1, &tile, NULL, 0, NULL, 0};
	int64_t passed[9];
	crux_placement result;
	crux_fault fault = {""};
	CHECK(!crux_placement_search(&grid, (crux_blocks){0, 0, 0, 0}, CRUX_PLACEMENT_FIRST, unlimited, &tile, &result, &fault));
	CHECK(strstr(fault.message, "unknown kind"));
	CHECK(!crux_placement_passes(&grid, (crux_blocks){0, 0, 0, 0}, unlimited, passed, &result, &fault));
}

int main(void)
{
	random_placements();
	counts_without_beams();
	counts_that_overflow();
	limits();
	bad_grid();
	return check_summary();
}
