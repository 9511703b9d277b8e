/* beams.c against pictures drawn by hand and, on random grids, against the tracer of beams_reference.h. */
#include "puzzle/beams.h"

#include <stdlib.h>

#include "beams_random.h"
#include "check.h"

enum { PICTURE_ROWS = 9 };

/* Every point and tile, row by row: o x A B C D the tiles; at the points what the beams' arriving and leaving draws, that is
 * ` for \, / for /, X for both, and * where one is reflected or split. */
typedef struct picture {
	const char *name;
	size_t missed, reflections, intersections;
	const char *rows[PICTURE_ROWS];
	crux_emitter emitters[2]; /* the second may be missing: its dx is 0 */
	crux_target targets[2];   /* as many as there are: both are 0 in a missing one */
} picture;

static const picture pictures[] = {
	{"nothing in the way", 1, 0, 0, {" `   ", " o`o ", "   ` ", " x o`", "     "}, {{1, 0, 1, 1}}, {{4, 3}, {0, 1}}},
	{"A reflects at its upper side", 0, 1, 0, {" `   / ", " o`o/o ", "   *   ", " o A o ", "       "}, {{1, 0, 1, 1}},
	 {{5, 0}}},
	{"A reflects at its left side", 0, 1, 0, {"     ", " o o ", " `   ", " o*A ", " /   "}, {{1, 2, 1, 1}},
	 {{2, 3}, {1, 4}}},
	{"B absorbs", 1, 0, 0, {"     ", " o o ", " `   ", " o`B ", "     "}, {{1, 2, 1, 1}}, {{2, 3}, {1, 4}}},
	{"C does both", 0, 1, 0, {"       ", " o o o ", " `     ", " o*C o ", " / `   "}, {{1, 2, 1, 1}}, {{3, 4}, {1, 4}}},
	{"D refracts at its left side", 0, 0, 0, {"       ", " o o o ", " `     ", " o`D`o ", "     ` "}, {{1, 2, 1, 1}},
	 {{4, 3}, {5, 4}}},
	{"D refracts at its lower side", 0, 0, 0, {"   / ", " o D ", "   / ", " o/o ", "     "}, {{2, 3, 1, -1}}, {{3, 0}}},
	{"two beams across D", 0, 0, 0, {" ` ", "`D`", " ` "}, {{0, 1, 1, 1}, {1, 0, 1, 1}}, {{2, 1}, {1, 2}}},
	{"across D, reflected, and back", 0, 1, 0, {"     ", "XD*A ", "     "}, {{0, 1, 1, 1}}, {{2, 1}}},
	{"from the side of A at it", 0, 1, 0, {"     ", " o*A ", " /   "}, {{2, 1, 1, 1}}, {{2, 1}, {1, 2}}},
	{"from the side of A away from it", 0, 0, 0, {"     ", " o/A ", " /   "}, {{2, 1, -1, 1}}, {{2, 1}, {1, 2}}},
	{"from the side of B at it", 0, 0, 0, {"     ", " o`B ", "     "}, {{2, 1, 1, 1}}, {{2, 1}}},
	{"from the side of C at it", 0, 1, 0, {"     ", " o*C ", " / ` "}, {{2, 1, 1, 1}}, {{2, 1}, {3, 2}}},
	{"into A and C from between", 0, 2, 0, {"     ", " A*C ", "   ` "}, {{2, 1, 1, 1}}, {{3, 2}}},
	{"between two A", 0, 2, 0, {"     ", " A*A ", "     "}, {{2, 1, 1, 1}}, {{2, 1}}},
	{"out of the grid at once", 1, 0, 0, {" /   ", " o o ", "     "}, {{1, 0, 1, -1}}, {{1, 0}, {2, 1}}},
	{"a loop", 1, 4, 0, {"       ", " o A o ", "   *   ", " A*o*A ", "   *   ", " o A o ", "       "}, {{3, 2, 1, 1}},
	 {{3, 4}, {2, 5}}},
	{"a loop that C lets out", 0, 4, 0, {"       ", " o A o ", "   *   ", " A*o*A ", "   *   ", " o/C o ", " /     "},
	 {{3, 2, 1, 1}}, {{3, 4}, {2, 5}}},
	{"C after C", 0, 3, 0, {"     ", " o o ", " `   ", " o*C/", " / * ", "/o C`", "     "}, {{1, 2, 1, 1}},
	 {{4, 3}, {4, 5}}},
	{"a crossing", 0, 0, 1, {" `   / ", " o`o/o ", "   X   ", " o/o`o ", " /   ` "},
	 {{1, 0, 1, 1}, {5, 0, -1, 1}}, {{3, 2}}},
	{"a crossing at a start", 0, 0, 1, {" `     ", " o`o o ", "   X   ", " o/o`o ", " /   ` "},
	 {{1, 0, 1, 1}, {3, 2, -1, 1}}, {{3, 2}}},
	{"no crossing where beams leave the grid", 0, 0, 0, {"       ", " o`o/o ", "   X   "}, {{2, 1, 1, 1}, {4, 1, -1, 1}},
	 {{3, 2}, {3, 2}}},
	{"no crossing where beams are absorbed", 0, 0, 0, {" `   / ", " o`o/o ", "   X   ", " o B o ", "       "},
	 {{1, 0, 1, 1}, {5, 0, -1, 1}}, {{3, 2}}},
	{"merged beams reflect once", 0, 1, 0, {" `   / ", " o`o/o ", "   *   ", " o A o ", "       "},
	 {{1, 0, 1, 1}, {2, 1, 1, 1}}, {{5, 0}}},
	{"beams against each other reflect twice", 1, 2, 0, {" `   / ", " o`o/o ", "   *   ", " o A o ", "       "},
	 {{1, 0, 1, 1}, {5, 0, -1, 1}}, {{3, 4}, {3, 4}}},
};

static char mark_of(unsigned what)
{
	if (what & CRUX_BEAM_TURNS)
		return '*';
	bool const falling = what & CRUX_BEAM_FALLING, rising = what & CRUX_BEAM_RISING;
	return falling && rising ? 'X' : falling ? '`' : rising ? '/' : ' ';
}

static void check_picture(const picture *p)
{
	static const char letters[] = "oABCDx";
	unsigned char tiles[PICTURE_ROWS * PICTURE_ROWS], points[PICTURE_ROWS * PICTURE_ROWS];
	int const columns = (int)strlen(p->rows[0]);
	int rows = 0, tile_count = 0;
	while (rows < PICTURE_ROWS && p->rows[rows])
		rows++;
	for (int y = 1; y < rows; y += 2)
		for (int x = 1; x < columns; x += 2)
			tiles[tile_count++] = (unsigned char)(strchr(letters, p->rows[y][x]) - letters);
	crux_beam_grid const grid = {columns / 2, rows / 2, tiles, p->emitters, p->emitters[1].dx ? 2 : 1, p->targets,
	                             p->targets[1].x + p->targets[1].y ? 2 : 1};
	crux_beam_summary summary;
	crux_fault fault;
	bool alike = crux_beams_trace(&grid, points, &summary, &fault);
	CHECK(alike);
	for (int y = 0; alike && y < rows; y++)
		for (int x = 0; x < columns; x++)
			alike &= mark_of(points[y * columns + x]) == (x & y & 1 ? ' ' : p->rows[y][x]);
	alike &= summary.missed == p->missed && summary.reflections == p->reflections &&
	         summary.intersections == p->intersections;
	CHECK(alike);
	if (!alike)
		printf("  picture: %s\n", p->name);
}

/* True when a trace agrees with the reference. */
static bool agrees(const crux_beam_grid *grid, const unsigned char *points, const crux_beam_summary *summary,
                   const reference *r)
{
	size_t missed = 0, intersections = 0;
	for (size_t i = 0; i < grid->target_count; i++) {
		bool again = false;
		for (size_t k = 0; k < i; k++)
			again |= grid->targets[k].x == grid->targets[i].x && grid->targets[k].y == grid->targets[i].y;
		missed += !again && !reference_passes(r, grid->targets[i].x, grid->targets[i].y);
	}
	for (int y = 0; y <= 2 * grid->height; y++) {
		for (int x = 0; x <= 2 * grid->width; x++) {
			unsigned const what = (r->been[y][x][0][0] ? CRUX_BEAM_LEFT_UP : 0u) |
			                      (r->been[y][x][0][1] ? CRUX_BEAM_RIGHT_UP : 0u) |
			                      (r->been[y][x][1][0] ? CRUX_BEAM_LEFT_DOWN : 0u) |
			                      (r->been[y][x][1][1] ? CRUX_BEAM_RIGHT_DOWN : 0u) |
			                      (r->turned[y][x] ? CRUX_BEAM_TURNS : 0u);
			if (points[y * (2 * grid->width + 1) + x] != what)
				return false;
			intersections += r->straight[y][x][0] && r->straight[y][x][1] && !r->turned[y][x];
		}
	}
	return missed == summary->missed && intersections == summary->intersections && r->reflections == summary->reflections;
}

static void random_traces(void)
{
	static random_grid g;
	static reference r;
	static unsigned char points[REFERENCE_SIDE * REFERENCE_SIDE];
	unsigned long long state = 20261121;
	size_t crossings = 0;
	for (int round = 0; round < 2000; round++) {
		int const side = round % 100 ? 6 : CRUX_BEAMS_MAX_SIDE;
		int const width = side == 6 ? 1 + draw(&state, side) : side, height = side == 6 ? 1 + draw(&state, side) : side;
		crux_beam_summary summary;
		crux_fault fault;
		draw_grid(&state, width, height, draw(&state, 9), &g);
		reference_run(&r, &g.grid, g.tiles);
		CHECK(crux_beams_trace(&g.grid, points, &summary, &fault) && agrees(&g.grid, points, &summary, &r));
		crossings += summary.intersections;
		crux_beam_summary again;
		CHECK(crux_beams_trace(&g.grid, NULL, &again, &fault) && again.reflections == summary.reflections);
	}
	CHECK(crossings > 300); /* the grids are not all trivial */

}

/* Tiles decided one by one, and taken back, against a fresh start. */
static void random_rewinds(void)
{
	static random_grid g;
	static reference r;
	unsigned long long state = 7;
	for (int round = 0; round < 500; round++) {
		crux_fault fault;
		draw_grid(&state, 1 + draw(&state, 5), 1 + draw(&state, 5), 2, &g);
		crux_beams *beams = crux_beams_new(&g.grid, &fault);
		for (int i = 0; i < g.grid.width * g.grid.height; i++)
			if (g.tiles[i] == CRUX_TILE_EMPTY)
				crux_beams_set(beams, i, CRUX_TILE_UNDECIDED);
		for (int attempt = 0; attempt < 3; attempt++) {
			crux_beam_mark const start = crux_beams_mark(beams);
			int decided[CRUX_BEAMS_MAX_SIDE * CRUX_BEAMS_MAX_SIDE], count = 0;
			for (int tile = crux_beams_run(beams); tile >= 0; tile = crux_beams_run(beams)) {
				CHECK(g.tiles[tile] == CRUX_TILE_EMPTY);
				g.tiles[tile] = (unsigned char)draw(&state, CRUX_TILE_REFRACT + 1);
				bool const hope = crux_beams_would_pass(beams, CRUX_TILE_ANY);
				crux_beams_set(beams, tile, g.tiles[tile]);
				CHECK(hope || !crux_beams_would_pass(beams, CRUX_TILE_ANY));
				decided[count++] = tile;
			}
			reference_run(&r, &g.grid, g.tiles);
			CHECK((crux_beams_missed(beams) == 0) == reference_solved(&r, &g.grid));
			CHECK(crux_beams_would_pass(beams, CRUX_TILE_ABSORB) == reference_solved(&r, &g.grid));
			crux_beams_rewind(beams, start);
			while (count-- > 0) {
				g.tiles[decided[count]] = CRUX_TILE_EMPTY;
				crux_beams_set(beams, decided[count], CRUX_TILE_UNDECIDED);
			}
		}
		crux_beams_free(beams);
	}
	crux_beams_free(NULL);
}

enum { UNDO_SIDE = 5, UNDO_POINTS = (2 * UNDO_SIDE + 1) * (2 * UNDO_SIDE + 1) };

/* Marks the points that the beams have passed so far. */
typedef struct passed {
	int64_t points[UNDO_POINTS];
	size_t missed;
} passed;

static passed passed_by(const crux_beams *beams)
{
	passed p = {.missed = crux_beams_missed(beams)};
	crux_beams_tally(beams, 1, p.points);
	return p;
}

static bool same(const passed *a, const passed *b)
{
	return a->missed == b->missed && memcmp(a->points, b->points, sizeof a->points) == 0;
}

/* Runs new beams on these tiles to the next undecided tile, and returns it. */
static int run_afresh(const crux_beam_grid *grid, const unsigned char *tiles, passed *p)
{
	crux_fault fault;
	unsigned char const bare[UNDO_SIDE * UNDO_SIDE] = {CRUX_TILE_EMPTY};
	crux_beam_grid start = *grid;
	start.tiles = bare;
	crux_beams *const beams = crux_beams_new(&start, &fault);
	for (int i = 0; i < grid->width * grid->height; i++)
		crux_beams_set(beams, i, tiles[i]);
	int const tile = crux_beams_run(beams);
	*p = passed_by(beams);
	crux_beams_free(beams);
	return tile;
}

/* True when beams that have ended passed the same points as the reference. */
static bool as_reference(const passed *p, const crux_beam_grid *grid, const unsigned char *tiles)
{
	static reference r;
	int const columns = 2 * grid->width + 1;
	bool equal = true;
	reference_run(&r, grid, tiles);
	for (int i = 0; i < columns * (2 * grid->height + 1); i++) {
		bool const *const been = &r.been[i / columns][i % columns][0][0];
		equal &= p->points[i] == (been[0] || been[1] || been[2] || been[3]);
	}
	return equal;
}

/* Blocks placed and taken back in random order: after each, the beams are as if they had run on these tiles afresh, and
 * after taking back as they were before. */
static void random_undos(void)
{
	static random_grid g;
	static struct {
		int tile;
		crux_beam_mark mark;
		passed before;
	} placed[UNDO_SIDE * UNDO_SIDE];
	unsigned long long state = 11;
	for (int round = 0; round < 200; round++) {
		crux_fault fault;
		draw_grid(&state, 1 + draw(&state, UNDO_SIDE), 1 + draw(&state, UNDO_SIDE), 2, &g);
		crux_beams *beams = crux_beams_new(&g.grid, &fault);
		for (int i = 0; i < g.grid.width * g.grid.height; i++) {
			g.tiles[i] = g.tiles[i] == CRUX_TILE_EMPTY ? CRUX_TILE_UNDECIDED : g.tiles[i];
			crux_beams_set(beams, i, g.tiles[i]);
		}
		int count = 0;
		for (int turn = 0; turn < 60; turn++) {
			passed afresh, before;
			int tile = crux_beams_run(beams);
			before = passed_by(beams);
			CHECK(run_afresh(&g.grid, g.tiles, &afresh) == tile && same(&afresh, &before));
			CHECK(tile >= 0 || as_reference(&before, &g.grid, g.tiles));
			if (tile >= 0 && draw(&state, 5) > 1) {
				placed[count].tile = tile;
				placed[count].mark = crux_beams_mark(beams);
				placed[count++].before = before;
				g.tiles[tile] = (unsigned char)draw(&state, CRUX_TILE_REFRACT + 1);
			} else if (count > 0) {
				tile = placed[--count].tile;
				crux_beams_rewind(beams, placed[count].mark);
				before = passed_by(beams);
				CHECK(same(&before, &placed[count].before));
				g.tiles[tile] = CRUX_TILE_UNDECIDED;
			} else {
				break;
			}
			crux_beams_set(beams, tile, g.tiles[tile]);
		}
		crux_beams_free(beams);
	}
}

typedef struct wrong {
	const char *message; /* a part of it */
	int width, height;
	unsigned char tile;
	crux_emitter emitter;
	crux_target target;
} wrong;

static void bad_grids(void)
{
	static const wrong cases[] = {
		{"grid of 0 x 1", 0, 1, 0, {1, 0, 1, 1}, {1, 0}},
		{"1 x 1 to 32 x 32", 1, 33, 0, {1, 0, 1, 1}, {1, 0}},
		{"grid of -1 x -1", -1, -1, 0, {1, 0, 1, 1}, {1, 0}},
		{"tile 1: unknown kind 6", 1, 1, CRUX_TILE_UNDECIDED, {1, 0, 1, 1}, {1, 0}},
		{"emitter 1: (0, 0) is not the middle", 1, 1, 0, {0, 0, 1, 1}, {1, 0}},
		{"emitter 1: (1, 1) is not the middle", 1, 1, 0, {1, 1, 1, 1}, {1, 0}},
		{"emitter 1: (3, 0) lies outside the grid, expected 0..2 and 0..2", 1, 1, 0, {3, 0, 1, 1}, {1, 0}},
		{"emitter 1: (1, -2147483648) lies outside", 1, 1, 0, {1, -2147483647 - 1, 1, 1}, {1, 0}},
		{"emitter 1: direction (0, 1), expected 1 or -1", 1, 1, 0, {1, 0, 0, 1}, {1, 0}},
		{"emitter 1: direction (1, 2), expected 1 or -1", 1, 1, 0, {1, 0, 1, 2}, {1, 0}},
		{"target 1: (-1, 0) lies outside", 1, 1, 0, {1, 0, 1, 1}, {-1, 0}},
		{"target 1: (2, 2) is not the middle", 1, 1, 0, {1, 0, 1, 1}, {2, 2}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		wrong const *c = &cases[i];
		unsigned char tiles[CRUX_BEAMS_MAX_SIDE + 1] = {c->tile};
		crux_beam_grid const grid = {c->width, c->height, tiles, &c->emitter, 1, &c->target, 1};
		crux_fault fault = {""};
		crux_beam_summary summary;
		CHECK(!crux_beams_check(&grid, &fault) && strstr(fault.message, c->message));
		CHECK(!crux_beams_new(&grid, &fault) && !crux_beams_trace(&grid, NULL, &summary, &fault));
	}
}

int main(void)
{
	for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
		check_picture(&pictures[i]);
	random_traces();
	random_rewinds();
	random_undos();
	bad_grids();
	return check_summary();
}
