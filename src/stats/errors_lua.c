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
	return *(crux_errors **)crux_handle_check(L, 1, TYPE, "the object was closed");
}

/* new(rows, parts, details, predictions) -> object for at most that many rows and parts; nil and a message when memory is short */
static int errors_new(lua_State *L)
{
	lua_Integer const rows = luaL_checkinteger(L, 1), parts = luaL_checkinteger(L, 2);
	bool const has_details = lua_toboolean(L, 3), has_predictions = lua_toboolean(L, 4);
	luaL_argcheck(L, rows >= 0 && (lua_Unsigned)rows <= SIZE_MAX / sizeof(double), 1, "a number of rows");
	luaL_argcheck(L, parts >= 0 && parts <= UINT32_MAX, 2, "a number of parts");
	crux_errors **slot = crux_handle_new(L, TYPE, sizeof *slot, 0);
	*slot = crux_errors_new((size_t)rows, (size_t)parts, has_details, has_predictions);
	return *slot ? 1 : crux_fail(L, "out of memory");
}

/* add(columns, coefficients, values, weights or nil, folds, first, fold, sigma or log densities or nil): adds those rows of a
 * block that are in a fold; `first` rows of the frame come before the block. The prediction is the sum of columns (vectors)
 * times coefficients (numbers). */
static int errors_add(lua_State *L)
{
	crux_errors *errors = check(L);
	bool const has_densities = lua_isuserdata(L, 9);
	crux_compared compared = {.sigma = has_densities ? NAN : luaL_optnumber(L, 9, NAN)};
	luaL_checktype(L, 3, LUA_TTABLE);
	compared.values = crux_vector_check(L, 4, &compared.n);
	compared.weights = crux_vector_or_none(L, 5, compared.n);
	if (has_densities)
		compared.log_densities = crux_vector_of(L, 9, compared.n);
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
		return luaL_error(L, "more rows than there is room for, or a row again");
	return 0;
}

static void push(lua_State *L, crux_error_sums sums)
{
	lua_createtable(L, 0, 21);
#define SET(name) crux_set_number(L, #name, sums.name);
	CRUX_ERROR_SUMS(SET)
	CRUX_ERROR_STATISTICS(SET)
#undef SET
	crux_set_integer(L, "n", (lua_Integer)sums.n);
	crux_set_integer(L, "over", (lua_Integer)sums.over);
	crux_set_integer(L, "under", (lua_Integer)sums.under);
}

/* part(): ends the part at hand */
static int errors_part(lua_State *L)
{
	return crux_errors_end_part(check(L)) ? 0 : luaL_error(L, "more parts than there is room for");
}

/* sums() -> the sums of errors.h over all parts, a list of those of each part, or nil and a message; the object begins anew */
static int errors_sums(lua_State *L)
{
	crux_errors *errors = check(L);
	size_t const parts = crux_errors_parts(errors);
	crux_error_sums *sums = lua_newuserdatauv(L, (parts + 1) * sizeof *sums, 0);
	if (!crux_errors_sums(errors, sums))
		return crux_fail(L, "out of memory");
	push(L, sums[parts]);
	lua_createtable(L, (int)parts, 0);
	for (size_t part = 0; part < parts; part++) {
		push(L, sums[part]);
		lua_rawseti(L, -2, (lua_Integer)part + 1);
	}
	return 2;
}

static int push_rows(lua_State *L, const double *(*of)(const crux_errors *errors, size_t *n), const char *expected)
{
	size_t n;
	const double *rows = of(check(L), &n);
	luaL_argcheck(L, rows, 1, expected);
	memcpy(crux_vector_push(L, n), rows, n * sizeof *rows);
	return 1;
}

/* sizes() -> vector of |difference| of each row of the frame; only with details */
static int errors_sizes(lua_State *L) { return push_rows(L, crux_errors_sizes, "an object with details"); }

/* predictions() -> vector of the prediction of each row of the frame, 0 of those without one; only with predictions */
static int errors_predictions(lua_State *L) { return push_rows(L, crux_errors_predictions, "an object with predictions"); }

CRUX_RELEASE(errors_release, TYPE, crux_errors_free)

CRUX_TABLE(methods,
	{"add",         errors_add},
	{"part",        errors_part},
	{"sums",        errors_sums},
	{"sizes",       errors_sizes},
	{"predictions", errors_predictions},
	CRUX_CLOSES(errors_release))

CRUX_TABLE(functions,
	{"new", errors_new})

CRUX_TYPE_LIBRARY(errors, TYPE)
