/* libcrux.ols: least squares over blocks of rows; ols.h says what each step means. */
#include <lauxlib.h>
#include <math.h>

#include "binding.h"
#include "ols.h"
#include "primitives.h"

static crux_ols *check(lua_State *L)
{
	crux_ols **slot = luaL_checkudata(L, 1, CRUX_OLS_TYPE);
	luaL_argcheck(L, *slot, 1, "the object was closed");
	return *slot;
}

/* new(terms) -> object, or nil and a message */
static int ols_new(lua_State *L)
{
	lua_Integer const terms = luaL_checkinteger(L, 1);
	luaL_argcheck(L, terms >= 1 && terms <= 10000, 1, "1 to 10000 terms");
	crux_ols **slot = lua_newuserdatauv(L, sizeof *slot, 0);
	*slot = NULL;
	luaL_setmetatable(L, CRUX_OLS_TYPE);
	*slot = crux_ols_new((size_t)terms);
	if (*slot)
		return 1;
	return crux_fail(L, "out of memory");
}

typedef void pass(crux_ols *, size_t, const double *const *, const double *, const double *);

/* Calls function with a block: columns (a list of vectors), response, weights (or nil). */
static int each_block(lua_State *L, pass *function)
{
	crux_ols *ols = check(L);
	size_t const terms = crux_ols_terms(ols);
	size_t rows, n;
	double const *response = crux_vector_check(L, 3, &rows);
	double const *weights = NULL;
	if (!lua_isnoneornil(L, 4)) {
		weights = crux_vector_check(L, 4, &n);
		luaL_argcheck(L, n == rows, 4, "vectors of different lengths");
	}
	luaL_checktype(L, 2, LUA_TTABLE);
	luaL_argcheck(L, lua_rawlen(L, 2) == terms, 2, "one column for each term");
	double const **columns = lua_newuserdatauv(L, terms * sizeof *columns, 0);
	for (size_t term = 0; term < terms; term++) {
		lua_rawgeti(L, 2, (lua_Integer)term + 1);
		columns[term] = crux_vector_check(L, -1, &n);
		luaL_argcheck(L, n == rows, 2, "vectors of different lengths");
		lua_pop(L, 1); /* the list keeps it alive */
	}
	function(ols, rows, columns, response, weights);
	return 0;
}

static int ols_add(lua_State *L)
{
	return each_block(L, crux_ols_add);
}

static int ols_residuals(lua_State *L)
{
	return each_block(L, crux_ols_residuals);
}

static int ols_solve(lua_State *L)
{
	crux_ols_solve(check(L), luaL_checknumber(L, 2));
	return 0;
}

/* refine() -> whether another pass would help */
static int ols_refine(lua_State *L)
{
	lua_pushboolean(L, crux_ols_refine(check(L)));
	return 1;
}

/* result() -> { rows, rank, rss, log_weights, [term] = { estimate, unit_error, explained } or { aliased = true } } */
static int ols_result(lua_State *L)
{
	crux_ols const *ols = check(L);
	lua_createtable(L, (int)crux_ols_terms(ols), 4);
	crux_set_integer(L, "rows", (lua_Integer)crux_ols_rows(ols));
	crux_set_integer(L, "rank", (lua_Integer)crux_ols_rank(ols));
	crux_set_number(L, "rss", crux_ols_rss(ols));
	crux_set_number(L, "log_weights", crux_ols_log_weights(ols));
	for (size_t term = 0; term < crux_ols_terms(ols); term++) {
		lua_createtable(L, 0, 3);
		if (crux_ols_aliased(ols, term)) {
			lua_pushboolean(L, true);
			lua_setfield(L, -2, "aliased");
		} else {
			crux_set_number(L, "estimate", crux_ols_estimate(ols, term));
			crux_set_number(L, "unit_error", crux_ols_unit_error(ols, term));
			crux_set_number(L, "explained", crux_ols_explained(ols, term));
		}
		lua_rawseti(L, -2, (lua_Integer)term + 1);
	}
	return 1;
}

static int ols_release(lua_State *L)
{
	crux_ols **slot = luaL_checkudata(L, 1, CRUX_OLS_TYPE);
	crux_ols_free(*slot);
	*slot = NULL;
	return 0;
}

static const luaL_Reg methods[] = {
	{"add",       ols_add},
	{"solve",     ols_solve},
	{"residuals", ols_residuals},
	{"refine",    ols_refine},
	{"result",    ols_result},
	{"__gc",      ols_release},
	{"__close",   ols_release},
	{NULL,        NULL},
};

static const luaL_Reg functions[] = {
	{"new", ols_new},
	{NULL,  NULL},
};

int crux_open_ols(lua_State *L)
{
	luaL_newmetatable(L, CRUX_OLS_TYPE);
	luaL_setfuncs(L, methods, 0);
	lua_pushvalue(L, -1);
	lua_setfield(L, -2, "__index");
	luaL_newlib(L, functions);
	return 1;
}
