/* libcrux.exact_cover: the fewest options that cover all items once, and the number of such covers; exact_cover.h says what
 * they mean. */
#include <lauxlib.h>
#include <string.h>

#include "base/fault.h"
#include "limits/budget.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "puzzle/exact_cover.h"

/* Reads the items of the option at the top, which it pops, into its set. */
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

/* Reads the problem that is the first argument; its sets are a userdata on the stack. */
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

/* Reads { count =, nodes =, seconds =, bytes = } from the second argument, which may be nil. */
static crux_cover_limits check_options(lua_State *L, bool *count)
{
	crux_cover_limits limits = {.bytes = crux_check_bytes(L, 2), .latest = crux_budget_deadline(L)};
	*count = false;
	if (lua_isnil(L, 2))
		return limits;
	luaL_checktype(L, 2, LUA_TTABLE);
	crux_push_field(L, 2, "count");
	*count = lua_toboolean(L, -1);
	lua_pop(L, 1);
	limits.nodes = crux_check_limit(L, 2, "nodes");
	limits.seconds = crux_check_seconds(L, 2, "seconds");
	return limits;
}

static void push_result(lua_State *L, const crux_exact_cover *cover, const size_t *pieces)
{
	static const char *const statuses[] = {"solved", "unsolvable", "unknown", "unknown", "unknown"}; /* by outcome */
	static const char *const limits[] = {NULL, NULL, "nodes", "seconds", "bytes"};
	lua_createtable(L, 0, 8);
	crux_set_string(L, "status", statuses[cover->outcome]);
	if (limits[cover->outcome])
		crux_set_string(L, "limit", limits[cover->outcome]);
	if (cover->outcome == CRUX_COVER_SOLVED) {
		lua_createtable(L, (int)cover->pieces, 0);
		for (size_t i = 0; i < cover->pieces; i++) {
			lua_pushinteger(L, (lua_Integer)pieces[i] + 1);
			lua_rawseti(L, -2, (lua_Integer)i + 1);
		}
		lua_setfield(L, -2, "pieces");
	}
	if (cover->counted || cover->outcome == CRUX_COVER_NONE)
		crux_set_solutions(L, cover->solutions);
	crux_set_integer(L, "expanded", (lua_Integer)cover->expanded);
	crux_set_integer(L, "generated", (lua_Integer)cover->generated);
	crux_set_integer(L, "backtracks", (lua_Integer)cover->backtracks);
}

/* solve(problem, { count =, nodes =, seconds =, bytes = }) -> result, or nil and a message when the contents of the problem
 * are wrong
 *
 * problem: { items = their number, options = list of lists of the items (from 1) that each covers }
 * count: whether the covers are to be counted
 * nodes, seconds, bytes: limits, see exact_cover.h; those on nodes and seconds hold for each search by itself; as
 * many bytes as limit_bytes allows, at most, and none else unless given
 *
 * result: status  "solved", "unsolvable" or "unknown"
 *   limit         unknown: which one was met, "nodes", "seconds" or "bytes"
 *   pieces        solved: the numbers of the options in the first cover with the fewest
 *   solutions     how many covers have as few; missing when not counted, or when a limit was met in counting;
 *                 solutions_overflow = true instead when there are more than 2^63 - 1
 *   expanded, generated, backtracks   the search for the fewest pieces: times that it branched, pieces that it laid and
 *                 those that it took back */
static int exact_cover_solve(lua_State *L)
{
	crux_cover_problem problem;
	crux_exact_cover cover;
	crux_fault fault;
	bool count;
	lua_settop(L, 2);
	crux_cover_limits const limits = check_options(L, &count);
	if (!read_problem(L, &problem, &fault))
		return crux_fail(L, fault.message);
	size_t *const pieces = lua_newuserdatauv(L, problem.items * sizeof *pieces + 1, 0);
	if (!crux_exact_cover_solve(&problem, limits, count, pieces, &cover, &fault))
		return crux_fail(L, fault.message);
	push_result(L, &cover, pieces);
	return 1;
}

static const luaL_Reg functions[] = {
	{"solve", exact_cover_solve},
	{NULL,    NULL},
};

int crux_open_exact_cover(lua_State *L)
{
	luaL_newlib(L, functions);
	return 1;
}
