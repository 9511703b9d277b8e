/* libcrux.errors: errors of predictions over the folds of frames of vectors. */
#include <lauxlib.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/errors.h"
#include "stats/folds_lua.h"
#include "stats/vector_lua.h"

#define TYPE "crux.errors"

static crux_errors *check(lua_State *L)
{
	crux_errors **slot = luaL_checkudata(L, 1, TYPE);
	luaL_argcheck(L, *slot, 1, "the object was closed");
	return *slot;
}

/* new(rows, details) -> object for at most that many rows, with details or not, or nil and a message */
static int errors_new(lua_State *L)
{
	lua_Integer const rows = luaL_checkinteger(L, 1);
	bool const has_details = lua_toboolean(L, 2);
	luaL_argcheck(L, rows >= 0 && (lua_Unsigned)rows <= SIZE_MAX / sizeof(double), 1, "a number of rows");
	crux_errors **slot = lua_newuserdatauv(L, sizeof *slot, 0);
	*slot = NULL;
	luaL_setmetatable(L, TYPE);
	*slot = crux_errors_new((size_t)rows, has_details);
	return *slot ? 1 : crux_fail(L, "out of memory");
}

/* add(columns, coefficients, values, weights or nil, folds, first, fold, sigma or nil): the rows of a block, before which there
 * are `first` others, that are in a fold; predicted by the sum of columns (vectors) times coefficients (numbers) */
static int errors_add(lua_State *L)
{
	crux_errors *errors = check(L);
	size_t n;
	crux_compared compared = {.sigma = luaL_optnumber(L, 9, NAN)};
	luaL_checktype(L, 3, LUA_TTABLE);
	compared.values = crux_vector_check(L, 4, &compared.n);
	if (!lua_isnoneornil(L, 5)) {
		compared.weights = crux_vector_check(L, 5, &n);
		luaL_argcheck(L, n == compared.n, 5, "vectors of different lengths");
	}
	lua_Integer const first = luaL_checkinteger(L, 7), fold = luaL_checkinteger(L, 8);
	luaL_argcheck(L, first >= 0, 7, "not negative");
	luaL_argcheck(L, fold >= 1 && fold <= UINT32_MAX, 8, "a fold");
	compared.first = (size_t)first;
	crux_folds_check(L, 6, compared.first, compared.n);
	compared.count = crux_folds_rows(L, 6, (uint32_t)fold - 1, &compared.rows);
	size_t terms;
	double const **columns = crux_vectors_check(L, 2, compared.n, &terms);
	double *coefficients = lua_newuserdatauv(L, terms * sizeof *coefficients, 0);
	for (size_t term = 0; term < terms; term++) {
		lua_rawgeti(L, 3, (lua_Integer)term + 1);
		luaL_argcheck(L, lua_isnumber(L, -1), 3, "a number for each column");
		coefficients[term] = lua_tonumber(L, -1);
		lua_pop(L, 1);
	}
	crux_predictions const predictions = {terms, columns, coefficients};
	if (!crux_errors_add(errors, &predictions, &compared))
		return luaL_error(L, "more rows than there is room for");
	return 0;
}

static int push(lua_State *L, crux_error_sums sums)
{
	struct {
		const char *name;
		double value;
	} const fields[] = {
		{"weight", sums.weight},
		{"absolute", sums.absolute},
		{"weighted", sums.weighted},
		{"relative", sums.relative},
		{"weighted_relative", sums.weighted_relative},
		{"square", sums.square},
		{"weighted_square", sums.weighted_square},
		{"log_density", sums.log_density},
		{"values", sums.values},
		{"predictions", sums.predictions},
		{"values_square", sums.values_square},
		{"predictions_square", sums.predictions_square},
		{"product", sums.product},
		{"median", sums.median},
		{"tau", sums.tau},
		{"rho", sums.rho},
		{"median_square", sums.median_square},
		{"largest_square", sums.largest_square},
	};
	lua_createtable(L, 0, 21);
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		lua_pushnumber(L, fields[i].value);
		lua_setfield(L, -2, fields[i].name);
	}
	crux_set_integer(L, "n", (lua_Integer)sums.n);
	crux_set_integer(L, "over", (lua_Integer)sums.over);
	crux_set_integer(L, "under", (lua_Integer)sums.under);
	return 1;
}

/* part() -> the sums of errors.h over the rows since the last part */
static int errors_part(lua_State *L)
{
	crux_error_sums sums;
	return crux_errors_part(check(L), &sums) ? push(L, sums) : crux_fail(L, "out of memory");
}

/* all() -> the sums over all parts */
static int errors_all(lua_State *L)
{
	crux_error_sums sums;
	return crux_errors_all(check(L), &sums) ? push(L, sums) : crux_fail(L, "out of memory");
}

/* sizes() -> vector of |difference| of each row of the frame; only with details */
static int errors_sizes(lua_State *L)
{
	size_t n;
	const double *sizes = crux_errors_sizes(check(L), &n);
	luaL_argcheck(L, sizes, 1, "an object with details");
	memcpy(crux_vector_push(L, n), sizes, n * sizeof *sizes);
	return 1;
}

static int errors_release(lua_State *L)
{
	crux_errors **slot = luaL_checkudata(L, 1, TYPE);
	crux_errors_free(*slot);
	*slot = NULL;
	return 0;
}

static const luaL_Reg methods[] = {
	{"add",     errors_add},
	{"part",    errors_part},
	{"all",     errors_all},
	{"sizes",   errors_sizes},
	{"__gc",    errors_release},
	{"__close", errors_release},
	{NULL,      NULL},
};

static const luaL_Reg functions[] = {
	{"new", errors_new},
	{NULL,  NULL},
};

int crux_open_errors(lua_State *L)
{
	return crux_open_type(L, TYPE, methods, NULL, functions);
}
