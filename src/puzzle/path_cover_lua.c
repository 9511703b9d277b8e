/* libcrux.path_cover: the cover of a grid by paths and the number of covers; see path_cover.h. */
#include <lauxlib.h>

#include "base/fault.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "puzzle/path_cover.h"
#include "puzzle/solver_lua.h"

/* Reads the grid at index 1; pushes one userdata, which holds its cells. */
static bool read_grid(lua_State *L, crux_path_grid *grid, crux_fault *fault)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	crux_push_field(L, 1, "width");
	bool sized = crux_take_int(L, &grid->width);
	crux_push_field(L, 1, "height");
	sized = crux_take_int(L, &grid->height) && sized;
	if (!sized || grid->width < 1 || grid->height < 1) {
		crux_fault_set(fault, "width, height: expected integers from 1");
		return false;
	}
	size_t const count = (size_t)grid->width * (size_t)grid->height;
	if (crux_push_field(L, 1, "cells") != LUA_TTABLE || lua_rawlen(L, -1) != count) {
		crux_fault_set(fault, "cells: expected a list of %d x %d integers", grid->width, grid->height);
		return false;
	}
	int *const cells = lua_newuserdatauv(L, count * sizeof *cells, 0);
	grid->cells = cells;
	for (size_t i = 0; i < count; i++) {
		lua_rawgeti(L, -2, (lua_Integer)i + 1);
		if (!crux_take_int(L, &cells[i])) {
			crux_fault_set(fault, "cells: number %zu: expected an integer", i + 1);
			return false;
		}
	}
	return true;
}

/* Sets `paths` of the table at the top of the stack; `path` has room for all cells. */
static void set_paths(lua_State *L, const crux_path_grid *grid, const unsigned char *sides, size_t *path)
{
	size_t const count = (size_t)grid->width * (size_t)grid->height;
	lua_newtable(L);
	for (size_t cell = 0; cell < count; cell++) {
		int const colour = grid->cells[cell];
		if (colour < 1)
			continue;
		bool const is_second = lua_rawgeti(L, -1, colour) != LUA_TNIL;
		lua_pop(L, 1);
		if (is_second)
			continue;
		size_t const length = crux_path_cover_trace(grid, sides, cell, path);
		crux_solver_push_indices(L, path, length);
		lua_rawseti(L, -2, colour);
	}
	lua_setfield(L, -2, "paths");
}

/* solve(grid, { paths =, bytes =, seconds = }) -> result, or nil and a message when the contents of the grid are wrong
 *
 * grid: { width =, height =, cells = list in reading order: 0 empty, -1 blocked, from 1 the colour of an endpoint }
 * bytes, seconds: limits, see solver_lua.h
 *
 * result: status  "solved", "unsolvable" or "unknown"
 *   limit         unknown: the limit that was met, "bytes" or "seconds"
 *   solutions     number of covers; solutions_overflow = true instead when there are more than 2^63 - 1
 *   turns         solved: the fewest
 *   paths         solved, and with paths = true: the best cover, { [colour] = list of cells (from 1, in reading order)
 *                 from the first endpoint in reading order to the other }
 *   states, peak  states of the sweep in all, and the largest number in one step
 *   bytes         largest memory in use */
static int path_cover_solve(lua_State *L)
{
	crux_path_grid grid;
	crux_path_cover cover;
	crux_fault fault;
	lua_settop(L, 2);
	crux_solver_limits const limits = crux_solver_check_limits(L);
	bool const paths = crux_solver_has_option(L, "paths");
	if (!read_grid(L, &grid, &fault))
		return crux_fail(L, fault.message);
	size_t const count = (size_t)grid.width * (size_t)grid.height;
	size_t *const path = paths ? lua_newuserdatauv(L, count * sizeof *path, 0) : NULL;
	unsigned char *const sides = paths ? lua_newuserdatauv(L, count, 0) : NULL;
	if (!crux_path_cover_solve(&grid, limits, sides, &cover, &fault))
		return crux_fail(L, fault.message);
	lua_createtable(L, 0, 8);
	crux_solver_set_outcome(L, cover.outcome);
	if (cover.outcome <= CRUX_UNSOLVABLE)
		crux_set_solutions(L, cover.solutions);
	if (cover.outcome == CRUX_SOLVED)
		crux_set_integer(L, "turns", (lua_Integer)cover.turns);
	if (paths && cover.outcome == CRUX_SOLVED)
		set_paths(L, &grid, sides, path);
	crux_set_integer(L, "states", (lua_Integer)cover.states);
	crux_set_integer(L, "peak", (lua_Integer)cover.peak);
	crux_set_integer(L, "bytes", (lua_Integer)cover.bytes);
	return 1;
}

CRUX_LIBRARY(path_cover,
	{"solve", path_cover_solve})
