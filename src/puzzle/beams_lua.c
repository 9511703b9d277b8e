/* libcrux.beams: beams through blocks, and where to place the blocks; beams.h and placement.h say what they mean.
 *
 * Each function takes a problem, a table of
 *   width, height  in tiles
 *   tiles          'o' usable, 'x' not usable, 'A' reflects, 'B' absorbs, 'C' passes and reflects; in reading order, as a
 *                  string or a list of strings, one a row; white space counts for nothing
 *   emitters       list of { x, y, dx, dy }
 *   targets        list of { x, y }
 *   blocks         numbers of blocks in hand: { A =, B =, C = }; a kind that is missing is 0
 * and returns nil and a message when there is something wrong with its contents. */
#include <ctype.h>
#include <lauxlib.h>
#include <string.h>

#include "base/fault.h"
#include "limits/budget.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "puzzle/placement.h"

enum {
	MAX_TILES = CRUX_BEAMS_MAX_SIDE * CRUX_BEAMS_MAX_SIDE,
	MAX_ITEMS = 10000, /* emitters or targets; there are 8448 different emitters at most */
};

static const char letters[] = "oABCx"; /* by crux_tile */

/* A problem read from Lua; its arrays are userdata on the stack. */
typedef struct problem {
	crux_beam_grid grid;
	crux_blocks blocks;
} problem;

/* Reads exactly `expected` tiles from text; `where` starts the message. */
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
			crux_fault_set(fault, "%stile %zu: %s, expected o, x, A, B or C", where, count + 1, quoted);
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

/* Reads the tiles of a grid, its sides known, from the value at that index. */
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

/* Reads a list of lists of `width` integers from a field that may be missing; NULL with a fault when it is no such. */
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
	int const *values = read_list(L, index, "emitters", 4, &grid->emitter_count, fault);
	if (!values)
		return false;
	crux_emitter *emitters = lua_newuserdatauv(L, grid->emitter_count * sizeof *emitters + 1, 0);
	for (size_t i = 0; i < grid->emitter_count; i++, values += 4)
		emitters[i] = (crux_emitter){values[0], values[1], values[2], values[3]};
	grid->emitters = emitters;
	values = read_list(L, index, "targets", 2, &grid->target_count, fault);
	if (!values)
		return false;
	crux_target *targets = lua_newuserdatauv(L, grid->target_count * sizeof *targets + 1, 0);
	for (size_t i = 0; i < grid->target_count; i++, values += 2)
		targets[i] = (crux_target){values[0], values[1]};
	grid->targets = targets;
	return true;
}

static bool read_blocks(lua_State *L, int index, crux_blocks *blocks, crux_fault *fault)
{
	static const char *const names[] = {"A", "B", "C"};
	size_t *const counts[] = {&blocks->reflect, &blocks->absorb, &blocks->split};
	int const type = crux_push_field(L, index, "blocks");
	int const table = lua_gettop(L);
	*blocks = (crux_blocks){0, 0, 0};
	if (type == LUA_TNIL)
		return true;
	for (int i = 0; type == LUA_TTABLE && i < 3; i++) {
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

/* Reads the problem that is the first argument; the value at index `tiles` (0: none) takes the place of its tiles. */
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

/* Reads { nodes =, seconds = } from the second argument, which may be missing. */
static crux_placement_limits check_limits(lua_State *L)
{
	crux_placement_limits limits = {.latest = crux_budget_deadline(L)};
	if (lua_isnoneornil(L, 2))
		return limits;
	luaL_checktype(L, 2, LUA_TTABLE);
	if (crux_push_field(L, 2, "nodes") != LUA_TNIL) {
		luaL_argcheck(L, lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 0, 2, "nodes: a number of branches");
		limits.nodes = (uint64_t)lua_tointeger(L, -1);
	}
	if (crux_push_field(L, 2, "seconds") != LUA_TNIL) {
		luaL_argcheck(L, lua_type(L, -1) == LUA_TNUMBER && lua_tonumber(L, -1) >= 0, 2, "seconds: a time");
		limits.seconds = lua_tonumber(L, -1);
	}
	lua_pop(L, 2);
	return limits;
}

/* Sets `points` of the table on the top: { x =, y =, mark = "\\" or "/" or "X", turns = true or nil } in reading order. */
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
 * one a target }; the blocks are those of `tiles` or, without, of the problem */
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

/* Adds the number of placements to the table on the top: solutions =, or solutions_overflow = true for more than 2^63 - 1;
 * neither at a limit. */
static bool set_solutions(lua_State *L, const problem *p, crux_placement_limits limits, crux_fault *fault)
{
	crux_placement count;
	if (!crux_placement_search(&p->grid, p->blocks, CRUX_PLACEMENT_COUNT, limits, NULL, &count, fault))
		return false;
	if (count.outcome == CRUX_PLACEMENT_LIMIT)
		return true;
	crux_set_solutions(L, count.count < 0 ? UINT64_MAX : (uint64_t)count.count);
	return true;
}

/* place(problem, { count =, nodes =, seconds = }) -> { status = "solved", "unsolvable" or "unknown", expanded =, generated
 * =, backtracks = }; solved, also tiles = the first placement in the problem's letters; with count, not at a limit, also
 * solutions = their number, or solutions_overflow = true. The limits hold for each of the two searches; 0: none. */
static int beams_place(lua_State *L)
{
	static const char *const names[] = {"solved", "unsolvable", "unknown"}; /* by crux_placement_outcome */
	unsigned char tiles[MAX_TILES];
	char text[MAX_TILES];
	problem p;
	crux_fault fault;
	crux_placement first;
	lua_settop(L, 2);
	crux_placement_limits const limits = check_limits(L);
	bool const count = !lua_isnil(L, 2) && crux_push_field(L, 2, "count") != LUA_TNIL && lua_toboolean(L, -1);
	if (!read_problem(L, 0, &p, &fault) ||
	    !crux_placement_search(&p.grid, p.blocks, CRUX_PLACEMENT_FIRST, limits, tiles, &first, &fault))
		return crux_fail(L, fault.message);
	lua_createtable(L, 0, 6);
	lua_pushstring(L, names[first.outcome]);
	lua_setfield(L, -2, "status");
	crux_set_integer(L, "expanded", (lua_Integer)first.expanded);
	crux_set_integer(L, "generated", (lua_Integer)first.generated);
	crux_set_integer(L, "backtracks", (lua_Integer)first.backtracks);
	if (first.outcome == CRUX_PLACEMENT_SOLVED) {
		int const tile_count = p.grid.width * p.grid.height;
		for (int i = 0; i < tile_count; i++)
			text[i] = letters[tiles[i]];
		lua_pushlstring(L, text, (size_t)tile_count);
		lua_setfield(L, -2, "tiles");
	}
	if (count && first.outcome != CRUX_PLACEMENT_LIMIT && !set_solutions(L, &p, limits, &fault))
		return crux_fail(L, fault.message);
	return 1;
}

/* courses(problem, { nodes =, seconds = }) -> number of courses, or nil and a message */
static int beams_courses(lua_State *L)
{
	problem p;
	crux_fault fault;
	crux_placement result;
	lua_settop(L, 2);
	crux_placement_limits const limits = check_limits(L);
	if (!read_problem(L, 0, &p, &fault) ||
	    !crux_placement_search(&p.grid, p.blocks, CRUX_PLACEMENT_COURSES, limits, NULL, &result, &fault))
		return crux_fail(L, fault.message);
	if (result.outcome == CRUX_PLACEMENT_LIMIT)
		return crux_fail(L, "the limit is reached before all courses are counted");
	lua_pushinteger(L, result.count); /* each took a step: their number fits 63 bits */
	return 1;
}

/* passes(problem, { nodes =, seconds = }) -> list of how many placements' beams pass each point, in reading order; or nil
 * and a message */
static int beams_passes(lua_State *L)
{
	problem p;
	crux_fault fault;
	crux_placement result;
	lua_settop(L, 2);
	crux_placement_limits const limits = check_limits(L);
	if (!read_problem(L, 0, &p, &fault))
		return crux_fail(L, fault.message);
	int const points = (2 * p.grid.width + 1) * (2 * p.grid.height + 1);
	int64_t *passed = lua_newuserdatauv(L, (size_t)points * sizeof *passed, 0);
	if (!crux_placement_passes(&p.grid, p.blocks, limits, passed, &result, &fault))
		return crux_fail(L, fault.message);
	if (result.outcome == CRUX_PLACEMENT_LIMIT || result.count < 0)
		return crux_fail(L, "the limit is reached before all placements are counted");
	lua_createtable(L, points, 0);
	for (int i = 0; i < points; i++) {
		lua_pushinteger(L, passed[i]);
		lua_rawseti(L, -2, i + 1);
	}
	return 1;
}

static const luaL_Reg functions[] = {
	{"trace",   beams_trace},
	{"place",   beams_place},
	{"courses", beams_courses},
	{"passes",  beams_passes},
	{NULL,      NULL},
};

int crux_open_beams(lua_State *L)
{
	luaL_newlib(L, functions);
	return 1;
}
