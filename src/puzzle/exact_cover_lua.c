/* libcrux.exact_cover: the fewest options that cover all items once, and the number of such covers; see exact_cover.h. */
#include <lauxlib.h>
#include <string.h>

#include "base/fault.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "puzzle/exact_cover.h"
#include "puzzle/solver_lua.h"

/* Pops an option, a list of items, and reads it into a set. */
static bool read_option(lua_State *L, size_t number, size_t items, uint64_t *mask, crux_fault *fault)
{
	size_t const count = lua_type(L, -1) == LUA_TTABLE ? lua_rawlen(L, -1) : 0;
	bool good = count > 0;
	for (size_t i = 0; i < count && good; i++) {
		int item;
		lua_rawgeti(L, -1, (lua_Integer)i + 1);
		good = crux_take_int(L, &item) && item >= 1 && (size_t)item <= items;
		if (good)
			mask[(size_t)(item - 1) / 64] |= (uint64_t)1 << (item - 1) % 64;
	}
	lua_pop(L, 1);
	if (!good)
		crux_fault_set(fault, "option %zu: expected a list of items from 1 to %zu, at least one", number, items);
	return good;
}

/* Reads the problem at index 1; pushes one userdata, which holds its sets. */
static bool read_problem(lua_State *L, crux_cover_problem *problem, crux_fault *fault)
{
	int items;
	luaL_checktype(L, 1, LUA_TTABLE);
	crux_push_field(L, 1, "items");
	if (!crux_take_int(L, &items) || items < 0 || items > CRUX_COVER_MAX_ITEMS) {
		crux_fault_set(fault, "items: expected an integer from 0 to %d", CRUX_COVER_MAX_ITEMS);
		return false;
	}
	problem->items = (size_t)items;
	bool const is_list = crux_push_field(L, 1, "options") == LUA_TTABLE;
	problem->options = is_list ? lua_rawlen(L, -1) : 0;
	if (!is_list || problem->options > CRUX_COVER_MAX_OPTIONS) {
		crux_fault_set(fault, "options: expected a list of at most %d", CRUX_COVER_MAX_OPTIONS);
		return false;
	}
	size_t const words = crux_cover_words(problem->items), size = problem->options * words * sizeof *problem->masks;
	uint64_t *const masks = lua_newuserdatauv(L, size + 1, 0);
	memset(masks, 0, size);
	problem->masks = masks;
	for (size_t i = 0; i < problem->options; i++) {
		lua_rawgeti(L, -2, (lua_Integer)i + 1);
		if (!read_option(L, i + 1, problem->items, masks + i * words, fault))
			return false;
	}
	return true;
}

static void push_result(lua_State *L, const crux_exact_cover *cover, const size_t *pieces)
{
	lua_createtable(L, 0, 8);
	crux_solver_set_outcome(L, cover->outcome);
	if (cover->outcome == CRUX_SOLVED) {
		crux_solver_push_indices(L, pieces, cover->pieces);
		lua_setfield(L, -2, "pieces");
	}
	if (cover->counted || cover->outcome == CRUX_UNSOLVABLE)
		crux_set_solutions(L, cover->solutions);
	crux_solver_set_statistics(L, cover->statistics);
}

/* The number of covers to count by the options at index 2; raises when it is wrong. */
static uint64_t check_count(lua_State *L)
{
	if (!crux_solver_has_option(L, "count"))
		return 0;
	bool const is_number = crux_push_field(L, 2, "count") == LUA_TNUMBER;
	lua_pop(L, 1);
	return is_number ? crux_check_limit(L, 2, "count") : UINT64_MAX;
}

/* solve(problem, { count =, nodes =, seconds =, bytes = }) -> result, or nil and a message when the contents of the problem
 * are wrong
 *
 * problem: { items = their number, options = a list of lists of items (from 1) }
 * count: true counts the covers, a number counts up to that many: 2 tells if there is only one
 * nodes, seconds, bytes: limits, see exact_cover.h and solver_lua.h
 *
 * result: status  "solved", "unsolvable" or "unknown"
 *   limit         unknown: the limit that was met, "nodes", "seconds" or "bytes"
 *   pieces        solved: the numbers of the options in the first cover with the fewest
 *   solutions     number of covers with as few pieces; missing when not counted, or when a limit was met in counting;
 *                 solutions_overflow = true instead when there are more than 2^63 - 1
 *   expanded, generated, backtracks   of the search for the fewest pieces: branchings, pieces laid, pieces taken back */
static int exact_cover_solve(lua_State *L)
{
	crux_cover_problem problem;
	crux_exact_cover cover;
	crux_fault fault;
	lua_settop(L, 2);
	crux_solver_limits const limits = crux_solver_check_limits(L);
	uint64_t const count = check_count(L);
	if (!read_problem(L, &problem, &fault))
		return crux_fail(L, fault.message);
	size_t *const pieces = lua_newuserdatauv(L, problem.items * sizeof *pieces + 1, 0);
	if (!crux_exact_cover_solve(&problem, limits, count, pieces, &cover, &fault))
		return crux_fail(L, fault.message);
	push_result(L, &cover, pieces);
	return 1;
}

CRUX_LIBRARY(exact_cover,
	{"solve", exact_cover_solve})
