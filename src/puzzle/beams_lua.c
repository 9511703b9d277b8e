/* libcrux.beams: beams through blocks, and placing the blocks; see beams.h and placement.h.
 *
 * Each function takes a problem, a table of
 *   width, height  in tiles
 *   tiles          'o' usable, 'x' not usable, 'A' reflects, 'B' absorbs, 'C' passes and reflects, 'D' refracts; in reading
 *                  order, as a string or a list of strings, one a row; white space is ignored
 *   emitters       list of { x, y, dx, dy }
 *   targets        list of { x, y }
 *   blocks         numbers of blocks in hand: { A =, B =, C =, D = }; a missing kind is 0
 * and returns nil and a message when its contents are wrong. */
#include <ctype.h>
#include <lauxlib.h>
#include <string.h>

#include "base/fault.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "puzzle/placement.h"
#include "puzzle/solver_lua.h"

enum {
	MAX_TILES = CRUX_BEAMS_MAX_SIDE * CRUX_BEAMS_MAX_SIDE,
	MAX_ITEMS = 10000, /* emitters or targets; at most 8448 emitters differ */
};

static const char letters[] = "oABCDx"; /* by crux_tile */

/* A problem from Lua; its arrays are userdata on the stack. */
typedef struct problem {
	crux_beam_grid grid;
	crux_blocks blocks;
} problem;

/* Reads exactly `expected` tiles from text; messages start with `where`. */
static bool read_text(const char *where, const char *text, size_t length, unsigned char *tiles, size_t expected,
                      crux_fault *fault)
{
	size_t count = 0;
	for (size_t i = 0; i < length; i++) {
		if (isspace((unsigned char)text[i]))
			continue;
		const char *const letter = memchr(letters, text[i], sizeof letters - 1);
		if (!letter) {
			char quoted[64];
			crux_fault_quote(quoted, text + i, 1);
			crux_fault_set(fault, "%stile %zu: %s, expected o, x, A, B, C or D", where, count + 1, quoted);
			return false;
		}
		if (count < expected)
			tiles[count] = (unsigned char)(letter - letters);
		count++;
	}
	if (count == expected)
		return true;
	crux_fault_set(fault, "%s%zu tiles, expected %zu", where, count, expected);
	return false;
}

/* Reads the tiles of a grid of known width and height from the value at that index. */
static bool read_tiles(lua_State *L, int index, const crux_beam_grid *grid, unsigned char *tiles, crux_fault *fault)
{
	size_t const width = (size_t)grid->width, height = (size_t)grid->height;
	size_t length;
	if (lua_type(L, index) == LUA_TSTRING) {
		const char *const text = lua_tolstring(L, index, &length);
		return read_text("", text, length, tiles, width * height, fault);
	}
	if (lua_type(L, index) != LUA_TTABLE || lua_rawlen(L, index) != height) {
		crux_fault_set(fault, "tiles: expected a string of %d x %d tiles or a list of %d rows", grid->width, grid->height,
		               grid->height);
		return false;
	}
	for (size_t row = 0; row < height; row++) {
		char where[32];
		snprintf(where, sizeof where, "row %zu: ", row + 1);
		if (lua_rawgeti(L, index, (lua_Integer)row + 1) != LUA_TSTRING) {
			crux_fault_set(fault, "%sexpected a string of %zu tiles", where, width);
			return false;
		}
		const char *const text = lua_tolstring(L, -1, &length);
		if (!read_text(where, text, length, tiles + row * width, width, fault))
			return false;
		lua_pop(L, 1);
	}
	return true;
}

/* Reads a list of lists of `width` integers from a field, which may be missing; NULL with a fault when it is something else. */
static int *read_list(lua_State *L, int index, const char *name, int width, size_t *count, crux_fault *fault)
{
	int const type = crux_push_field(L, index, name);
	int const list = lua_gettop(L);
	*count = type == LUA_TTABLE ? lua_rawlen(L, list) : 0;
	if ((type != LUA_TTABLE && type != LUA_TNIL) || *count > MAX_ITEMS) {
		crux_fault_set(fault, "%s: expected a list of at most %d", name, MAX_ITEMS);
		return NULL;
	}
	int *const values = lua_newuserdatauv(L, *count * (size_t)width * sizeof *values + 1, 0);
	for (size_t i = 0; i < *count; i++) {
		bool good = lua_rawgeti(L, list, (lua_Integer)i + 1) == LUA_TTABLE;
		for (int k = 0; good && k < width; k++) {
			lua_rawgeti(L, -1, k + 1);
			good = crux_take_int(L, &values[i * (size_t)width + (size_t)k]);
		}
		if (!good) {
			crux_fault_set(fault, "%s: item %zu: expected %d integers", name, i + 1, width);
			return NULL;
		}
		lua_pop(L, 1);
	}
	return values;
}

static bool read_items(lua_State *L, int index, crux_beam_grid *grid, crux_fault *fault)
{
	_Static_assert(sizeof(crux_emitter) == 4 * sizeof(int) && sizeof(crux_target) == 2 * sizeof(int), "lists are arrays");
	grid->emitters = (crux_emitter *)read_list(L, index, "emitters", 4, &grid->emitter_count, fault);
	if (!grid->emitters)
		return false;
	grid->targets = (crux_target *)read_list(L, index, "targets", 2, &grid->target_count, fault);
	return grid->targets != NULL;
}

static bool read_blocks(lua_State *L, int index, crux_blocks *blocks, crux_fault *fault)
{
	static const char *const names[] = {"A", "B", "C", "D"};
	size_t *const counts[] = {&blocks->reflect, &blocks->absorb, &blocks->split, &blocks->refract};
	int const type = crux_push_field(L, index, "blocks");
	int const table = lua_gettop(L);
	*blocks = (crux_blocks){0};
	if (type == LUA_TNIL)
		return true;
	for (int i = 0; type == LUA_TTABLE && i < 4; i++) {
		int count = 0;
		bool const given = crux_push_field(L, table, names[i]) != LUA_TNIL;
		if (!crux_take_int(L, &count) && given)
			count = -1;
		if (count < 0) {
			crux_fault_set(fault, "blocks: %s: expected a number of blocks", names[i]);
			return false;
		}
		*counts[i] = (size_t)count;
	}
	if (type != LUA_TTABLE)
		crux_fault_set(fault, "blocks: expected a table of numbers");
	return type == LUA_TTABLE;
}

/* Reads the problem at index 1; the value at index `tiles`, unless that is 0, replaces its tiles. */
static bool read_problem(lua_State *L, int tiles, problem *p, crux_fault *fault)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	memset(p, 0, sizeof *p);
	crux_push_field(L, 1, "width");
	bool sized = crux_take_int(L, &p->grid.width);
	crux_push_field(L, 1, "height");
	sized = crux_take_int(L, &p->grid.height) && sized;
	int const width = p->grid.width, height = p->grid.height;
	if (!sized || width < 1 || height < 1 || width > CRUX_BEAMS_MAX_SIDE || height > CRUX_BEAMS_MAX_SIDE) {
		crux_fault_set(fault, "width, height: expected integers from 1 to %d", CRUX_BEAMS_MAX_SIDE);
		return false;
	}
	unsigned char *kinds = lua_newuserdatauv(L, MAX_TILES, 0);
	p->grid.tiles = kinds;
	if (!tiles)
		crux_push_field(L, 1, "tiles");
	return read_tiles(L, tiles ? tiles : lua_gettop(L), &p->grid, kinds, fault) &&
	       read_items(L, 1, &p->grid, fault) && read_blocks(L, 1, &p->blocks, fault) &&
	       crux_beams_check(&p->grid, fault);
}

/* Sets `points` of the table at the top of the stack: { x =, y =, mark = "\\" or "/" or "X", turns = true or nil } in reading
 * order. */
static void set_points(lua_State *L, const crux_beam_grid *grid, const unsigned char *points)
{
	static const char *const marks[] = {"\\", "/", "X"};
	int const columns = 2 * grid->width + 1;
	lua_Integer count = 0;
	lua_newtable(L);
	for (int i = 0; i < columns * (2 * grid->height + 1); i++) {
		if (!points[i])
			continue;
		bool const falling = points[i] & CRUX_BEAM_FALLING, rising = points[i] & CRUX_BEAM_RISING;
		lua_createtable(L, 0, 4);
		crux_set_integer(L, "x", i % columns);
		crux_set_integer(L, "y", i / columns);
		lua_pushstring(L, marks[falling && rising ? 2 : rising]);
		lua_setfield(L, -2, "mark");
		if (points[i] & CRUX_BEAM_TURNS) {
			lua_pushboolean(L, true);
			lua_setfield(L, -2, "turns");
		}
		lua_rawseti(L, -2, ++count);
	}
	lua_setfield(L, -2, "points");
}

/* trace(problem, tiles) -> { solved =, reflections =, intersections =, points = see set_points, hit = list of booleans,
 * one a target }; `tiles` are by default those of the problem */
static int beams_trace(lua_State *L)
{
	problem p;
	crux_fault fault;
	crux_beam_summary summary;
	lua_settop(L, 2);
	unsigned char *points = lua_newuserdatauv(L, (2 * CRUX_BEAMS_MAX_SIDE + 1) * (2 * CRUX_BEAMS_MAX_SIDE + 1), 0);
	if (!read_problem(L, lua_isnil(L, 2) ? 0 : 2, &p, &fault) || !crux_beams_trace(&p.grid, points, &summary, &fault))
		return crux_fail(L, fault.message);
	lua_createtable(L, 0, 5);
	lua_pushboolean(L, summary.missed == 0);
	lua_setfield(L, -2, "solved");
	crux_set_integer(L, "reflections", (lua_Integer)summary.reflections);
	crux_set_integer(L, "intersections", (lua_Integer)summary.intersections);
	set_points(L, &p.grid, points);
	lua_createtable(L, (int)p.grid.target_count, 0);
	for (size_t i = 0; i < p.grid.target_count; i++) {
		crux_target const *target = &p.grid.targets[i];
		lua_pushboolean(L, points[target->y * (2 * p.grid.width + 1) + target->x] != 0);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "hit");
	return 1;
}

/* place(problem, { count =, nodes =, seconds = }) -> the table of solver_lua.h; solved, also tiles = the first placement in the
 * problem's letters; with count, and unless a limit is met, also solutions = their number, or solutions_overflow = true for
 * more than 2^63 - 1. Each of the two searches has all nodes and seconds. */
static int beams_place(lua_State *L)
{
	unsigned char tiles[MAX_TILES];
	char text[MAX_TILES];
	problem p;
	crux_fault fault;
	crux_placement first, all;
	lua_settop(L, 2);
	crux_solver_limits const limits = crux_solver_check_limits(L);
	if (!read_problem(L, 0, &p, &fault) ||
	    !crux_placement_search(&p.grid, p.blocks, CRUX_PLACEMENT_FIRST, limits, tiles, &first, &fault))
		return crux_fail(L, fault.message);
	lua_createtable(L, 0, 6);
	crux_solver_set_outcome(L, first.outcome);
	crux_solver_set_statistics(L, first.statistics);
	if (first.outcome == CRUX_SOLVED) {
		int const tile_count = p.grid.width * p.grid.height;
		for (int i = 0; i < tile_count; i++)
			text[i] = letters[tiles[i]];
		lua_pushlstring(L, text, (size_t)tile_count);
		lua_setfield(L, -2, "tiles");
	}
	if (!crux_solver_has_option(L, "count") || first.outcome > CRUX_UNSOLVABLE)
		return 1;
	if (!crux_placement_search(&p.grid, p.blocks, CRUX_PLACEMENT_COUNT, limits, NULL, &all, &fault))
		return crux_fail(L, fault.message);
	if (all.outcome <= CRUX_UNSOLVABLE)
		crux_set_solutions(L, all.count < 0 ? UINT64_MAX : (uint64_t)all.count);
	return 1;
}

/* courses(problem, { nodes =, seconds = }) -> number of courses; nil and a message at a limit */
static int beams_courses(lua_State *L)
{
	problem p;
	crux_fault fault;
	crux_placement result;
	lua_settop(L, 2);
	crux_solver_limits const limits = crux_solver_check_limits(L);
	if (!read_problem(L, 0, &p, &fault) ||
	    !crux_placement_search(&p.grid, p.blocks, CRUX_PLACEMENT_COURSES, limits, NULL, &result, &fault))
		return crux_fail(L, fault.message);
	if (result.outcome > CRUX_UNSOLVABLE)
		return crux_fail(L, "the limit is reached before all courses are counted");
	lua_pushinteger(L, result.count); /* each took a step, so 63 bits hold their number */
	return 1;
}

/* passes(problem, { nodes =, seconds = }) -> list of the number of placements whose beams pass each point, in reading order;
 * nil and a message at a limit */
static int beams_passes(lua_State *L)
{
	problem p;
	crux_fault fault;
	crux_placement result;
	lua_settop(L, 2);
	crux_solver_limits const limits = crux_solver_check_limits(L);
	if (!read_problem(L, 0, &p, &fault))
		return crux_fail(L, fault.message);
	int const points = (2 * p.grid.width + 1) * (2 * p.grid.height + 1);
	int64_t *passed = lua_newuserdatauv(L, (size_t)points * sizeof *passed, 0);
	if (!crux_placement_passes(&p.grid, p.blocks, limits, passed, &result, &fault))
		return crux_fail(L, fault.message);
	if (result.outcome > CRUX_UNSOLVABLE || result.count < 0)
		return crux_fail(L, "the limit is reached before all placements are counted");
	lua_createtable(L, points, 0);
	for (int i = 0; i < points; i++) {
		lua_pushinteger(L, passed[i]);
		lua_rawseti(L, -2, i + 1);
	}
	return 1;
}

CRUX_LIBRARY(beams,
	{"trace",   beams_trace},
	{"place",   beams_place},
	{"courses", beams_courses},
	{"passes",  beams_passes})
