/* libcrux.expressions: the expressions of measures, and the sums of them that fit best; see expressions.h and sums.h. */
#include "fit/expressions.h"

#include <lauxlib.h>

#include "fit/sums.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/vector_lua.h"

#define TYPE "crux.expressions"

static const crux_expressions *check(lua_State *L)
{
	return luaL_checkudata(L, 1, TYPE);
}

/* new(columns, low, high, nodes, most) -> object, or nil and a message. columns: list of vectors, one a measure; low, high:
 * vectors of the ranges of the measures */
static int expressions_new(lua_State *L)
{
	size_t rows, measures, lows, highs;
	lua_Integer const nodes = luaL_checkinteger(L, 4), most = luaL_checkinteger(L, 5);
	double const *low = crux_vector_check(L, 2, &lows), *high = crux_vector_check(L, 3, &highs);
	lua_settop(L, 5);
	luaL_argcheck(L, lua_rawlen(L, 1) > 0, 1, "no measure");
	lua_rawgeti(L, 1, 1);
	crux_vector_check(L, -1, &rows);
	double const *const *columns = crux_vectors_check(L, 1, rows, &measures);
	luaL_argcheck(L, rows > 0 && lows == measures && highs == measures, 2, "a row, and a range for each measure");
	luaL_argcheck(L, nodes >= 1 && nodes <= 100, 4, "from 1 to 100 nodes");
	luaL_argcheck(L, most >= (lua_Integer)measures && most < UINT32_MAX, 5, "at least the measures");
	crux_expressions *made = lua_newuserdatauv(L, sizeof *made, 0);
	*made = (crux_expressions){0};
	luaL_setmetatable(L, TYPE);
	return crux_expressions_make(made, measures, rows, columns, low, high, (uint32_t)nodes, (size_t)most) ? 1
	     : crux_fail(L, "out of memory");
}

/* object:search(weights, response) -> list by numbers of nodes: { nodes =, error = share of the variance, indices of the terms },
 * or false where no sum has so many; or nil and a message. weights, response: vectors of the rows; weight 0 leaves a row out */
static int expressions_search(lua_State *L)
{
	const crux_expressions *expressions = check(L);
	size_t rows, values;
	size_t const sizes = crux_sums_nodes(expressions);
	double const *weights = crux_vector_check(L, 2, &rows), *response = crux_vector_check(L, 3, &values);
	luaL_argcheck(L, rows == expressions->rows && values == rows, 2, "a number for each row");
	crux_sum *best = lua_newuserdatauv(L, sizes * sizeof *best, 0);
	if (!crux_sums_search(expressions, weights, response, best))
		return crux_fail(L, "out of memory");
	lua_createtable(L, (int)sizes, 0);
	for (size_t i = 0; i < sizes; i++) {
		lua_createtable(L, CRUX_SUM_TERMS, 2);
		crux_set_number(L, "error", best[i].error);
		crux_set_integer(L, "nodes", best[i].nodes);
		for (uint32_t term = 0; term < best[i].terms; term++) {
			lua_pushinteger(L, (lua_Integer)best[i].expressions[term] + 1);
			lua_rawseti(L, -2, (lua_Integer)term + 1);
		}
		if (!best[i].terms) {
			lua_pop(L, 1);
			lua_pushboolean(L, false);
		}
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* object:at(index) -> kind, left, right: "measure" and its number, or an operation and the indices of its operands */
static int expressions_at(lua_State *L)
{
	static const char *const kinds[] = {"measure", "+", "-", "*", "/", "log", "sqrt", "square"};
	const crux_expressions *expressions = check(L);
	lua_Integer const index = luaL_checkinteger(L, 2);
	luaL_argcheck(L, index >= 1 && (size_t)index <= expressions->count, 2, "no such expression");
	const crux_expression *x = &expressions->list[index - 1];
	lua_pushstring(L, kinds[x->kind]);
	lua_pushinteger(L, (lua_Integer)x->left + 1);
	lua_pushinteger(L, (lua_Integer)x->right + 1);
	return 3;
}

/* object:size() -> number of expressions, number of those tried, most nodes of one */
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

static const luaL_Reg methods[] = {
	{"search",  expressions_search},
	{"at",      expressions_at},
	{"size",    expressions_size},
	{"__gc",    expressions_release},
	{NULL,      NULL},
};

static const luaL_Reg functions[] = {
	{"new", expressions_new},
	{NULL,  NULL},
};

int crux_open_expressions(lua_State *L)
{
	return crux_open_type(L, TYPE, methods, functions);
}
