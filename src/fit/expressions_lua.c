/* libcrux.expressions: the expressions of measures, and the sums of them that fit best; see expressions.h and sums.h. */
#include "fit/expressions.h"

#include <lauxlib.h>
#include <stdatomic.h>
#include <string.h>

#include "fit/sums.h"
#include "limits/budget.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/vector_lua.h"

#define TYPE "crux.expressions"

static const crux_expressions *check(lua_State *L) { return luaL_checkudata(L, 1, TYPE); }

/* new(columns, low, high, units, nodes, most) -> object, or nil and a message. columns: list of vectors, one a measure; low,
 * high, units: vectors of a number for each measure */
static int expressions_new(lua_State *L)
{
	size_t rows, measures;
	lua_Integer const nodes = luaL_checkinteger(L, 5), most = luaL_checkinteger(L, 6);
	lua_settop(L, 6);
	luaL_argcheck(L, lua_rawlen(L, 1) > 0, 1, "no measure");
	lua_rawgeti(L, 1, 1);
	crux_vector_check(L, -1, &rows);
	double const *const *columns = crux_vectors_check(L, 1, rows, &measures);
	double const *low = crux_vector_of(L, 2, measures), *high = crux_vector_of(L, 3, measures), *units = crux_vector_of(L, 4, measures);
	luaL_argcheck(L, rows > 0, 1, "no row");
	luaL_argcheck(L, nodes >= 1 && nodes <= 100, 5, "from 1 to 100 nodes");
	luaL_argcheck(L, most >= (lua_Integer)measures && most < UINT32_MAX, 6, "at least the measures");
	crux_expressions *made = lua_newuserdatauv(L, sizeof *made, 0);
	*made = (crux_expressions){0};
	luaL_setmetatable(L, TYPE);
	return crux_expressions_make(made, measures, rows, columns, low, high, units, (uint32_t)nodes, (size_t)most) ? 1
	     : crux_fail(L, "out of memory");
}

/* Reads the problem on top of the stack, and pops it. */
static crux_sum_problem check_problem(lua_State *L, size_t rows)
{
	luaL_checktype(L, -1, LUA_TTABLE);
	int const table = lua_gettop(L);
	crux_sum_problem const problem = {.weights = crux_vector_field(L, table, "weights", rows, false),
		.response = crux_vector_field(L, table, "response", rows, false)};
	lua_pop(L, 3);
	return problem;
}

/* Pushes the list of the best sums of a problem. */
static void push_sums(lua_State *L, const crux_sum_problem *problem, size_t sizes, size_t rows)
{
	lua_createtable(L, (int)sizes, 0);
	for (size_t i = 0; i < sizes; i++) {
		const crux_sum *sum = &problem->best[i];
		lua_createtable(L, CRUX_SUM_TERMS, 3);
		crux_set_number(L, "error", sum->error);
		crux_set_integer(L, "nodes", sum->nodes);
		for (uint32_t term = 0; term < sum->terms; term++) {
			lua_pushinteger(L, (lua_Integer)sum->expressions[term] + 1);
			lua_rawseti(L, -2, (lua_Integer)term + 1);
		}
		memcpy(crux_vector_push(L, rows), problem->predictions + i * rows, rows * sizeof *problem->predictions);
		lua_setfield(L, -2, "predictions");
		if (!sum->terms) {
			lua_pop(L, 1);
			lua_pushboolean(L, false);
		}
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

/* object:search(problems, threads) -> for each problem a list by numbers of nodes: { nodes =, error = share of the variance,
 * predictions = vector of all rows, indices of the terms }, or false where no sum has that number of nodes; or nil and a message.
 * problems: list of { weights =, response = }, vectors of the rows; weight 0 leaves a row out */
static int expressions_search(lua_State *L)
{
	static const atomic_int never = 0;
	const crux_expressions *expressions = check(L);
	lua_Integer const threads = luaL_checkinteger(L, 3);
	luaL_checktype(L, 2, LUA_TTABLE);
	size_t const rows = expressions->rows, sizes = crux_sums_nodes(expressions), count = crux_check_length(L, 2);
	luaL_argcheck(L, threads >= 1 && threads <= 1000, 3, "from 1 to 1000 threads");
	crux_sum_problem *problems = lua_newuserdatauv(L, (count + 1) * sizeof *problems, 0);
	for (size_t i = 0; i < count; i++) {
		lua_rawgeti(L, 2, (lua_Integer)i + 1);
		problems[i] = check_problem(L, rows);
	}
	crux_sum *best = lua_newuserdatauv(L, (count * sizes + 1) * sizeof *best, 0);
	double *predictions = lua_newuserdatauv(L, (count * sizes * rows + 1) * sizeof *predictions, 0);
	memset(best, 0, count * sizes * sizeof *best);
	for (size_t i = 0; i < count; i++)
		problems[i].best = best + i * sizes, problems[i].predictions = predictions + i * sizes * rows;
	const crux_budget *budget = crux_budget_of(L);
	const atomic_int *stop = budget ? &budget->stop : &never;
	if (!crux_sums_search(expressions, problems, count, (size_t)threads, stop))
		return crux_fail(L, "out of memory");
	if (*stop)
		return crux_fail(L, "stopped");
	lua_createtable(L, (int)count, 0);
	for (size_t i = 0; i < count; i++) {
		push_sums(L, &problems[i], sizes, rows);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* object:at(index) -> kind, left, right: "measure" and its number, or an operation and the indices of its operands */
static int expressions_at(lua_State *L)
{
	static const char *const kinds[] = {"measure", "+", "-", "*", "/", "log", "sqrt", "square", "increment"};
	const crux_expressions *expressions = check(L);
	lua_Integer const index = luaL_checkinteger(L, 2);
	luaL_argcheck(L, index >= 1 && (size_t)index <= expressions->count, 2, "no such expression");
	const crux_expression *x = &expressions->list[index - 1];
	lua_pushstring(L, kinds[x->kind]);
	lua_pushinteger(L, (lua_Integer)x->left + 1);
	lua_pushinteger(L, (lua_Integer)x->right + 1);
	return 3;
}

/* object:size() -> number of expressions, number of those tried, up to how many nodes all are made */
static int expressions_size(lua_State *L)
{
	const crux_expressions *expressions = check(L);
	lua_pushinteger(L, (lua_Integer)expressions->count);
	lua_pushinteger(L, (lua_Integer)expressions->tried);
	lua_pushinteger(L, (lua_Integer)expressions->nodes);
	return 3;
}

static int expressions_release(lua_State *L)
{
	crux_expressions_clear(luaL_checkudata(L, 1, TYPE));
	return 0;
}

CRUX_TABLE(methods,
	{"search",  expressions_search},
	{"at",      expressions_at},
	{"size",    expressions_size},
	{"__gc",    expressions_release})

CRUX_TABLE(functions,
	{"new", expressions_new})

CRUX_TYPE_LIBRARY(expressions, TYPE)
