/* libcrux.ols: least squares over blocks of rows; see ols.h. */
#include "fit/ols_lua.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "fit/ols.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/folds_lua.h"
#include "stats/vector.h"
#include "stats/vector_lua.h"

#define TYPE "crux.ols"

crux_ols *crux_ols_check(lua_State *L, int index)
{
	return *(crux_ols **)crux_handle_check(L, index, TYPE, "the object was closed");
}

/* new(terms) -> object, or nil and a message */
static int ols_new(lua_State *L)
{
	lua_Integer const terms = luaL_checkinteger(L, 1);
	luaL_argcheck(L, terms >= 1 && terms <= 10000, 1, "1 to 10000 terms");
	crux_ols **slot = crux_handle_new(L, TYPE, sizeof *slot, 0);
	*slot = crux_ols_new((size_t)terms);
	if (*slot)
		return 1;
	return crux_fail(L, "out of memory");
}

/* Rows of vectors passed by Lua. */
typedef struct block {
	size_t rows;
	const double **columns;
	const double *response, *weights;
} block;

/* Reads columns (a list of vectors), response and weights (or nil) at the indices 2 to 4. Pushes one userdata. */
static block check_block(lua_State *L, size_t terms)
{
	block at;
	size_t n;
	at.response = crux_vector_check(L, 3, &at.rows);
	at.weights = crux_vector_or_none(L, 4, at.rows);
	at.columns = crux_vectors_check(L, 2, at.rows, &n);
	luaL_argcheck(L, n == terms, 2, "one column for each term");
	return at;
}

/* add(columns, response, weights) */
static int ols_add(lua_State *L)
{
	crux_ols *ols = crux_ols_check(L, 1);
	block const at = check_block(L, crux_ols_terms(ols));
	crux_ols_add(ols, at.rows, at.columns, at.response, at.weights);
	return 0;
}

static int ols_residuals(lua_State *L)
{
	crux_ols *ols = crux_ols_check(L, 1);
	block const at = check_block(L, crux_ols_terms(ols));
	crux_ols_residuals(ols, at.rows, at.columns, at.response, at.weights);
	return 0;
}

/* distribute(objects, columns, response, weights, folds, first): adds each row of a block to the object of its fold; `first`:
 * number of rows before the block */
static int ols_distribute(lua_State *L)
{
	size_t const count = crux_check_length(L, 1);
	luaL_argcheck(L, count > 0, 1, "no objects");
	lua_Integer const first = luaL_checkinteger(L, 6);
	luaL_argcheck(L, first >= 0, 6, "not negative");
	crux_ols **objects = lua_newuserdatauv(L, count * sizeof *objects, 0);
	for (size_t i = 0; i < count; i++) {
		lua_rawgeti(L, 1, (lua_Integer)i + 1);
		objects[i] = crux_ols_check(L, -1);
		luaL_argcheck(L, crux_ols_terms(objects[i]) == crux_ols_terms(objects[0]), 1, "objects of different terms");
		lua_pop(L, 1); /* the list keeps it alive */
	}
	block const at = check_block(L, crux_ols_terms(objects[0]));
	uint32_t const *folds = crux_folds_check(L, 5, (size_t)first, at.rows);
	for (size_t row = 0; row < at.rows; row++) {
		luaL_argcheck(L, folds[row] < count, 5, "a fold without an object");
		crux_ols_add_row(objects[folds[row]], row, at.columns, at.response, at.weights);
	}
	return 0;
}

/* merge(other): adds the rows of another object */
static int ols_merge(lua_State *L)
{
	crux_ols *ols = crux_ols_check(L, 1), *other = crux_ols_check(L, 2);
	luaL_argcheck(L, crux_ols_terms(ols) == crux_ols_terms(other) && ols != other, 2, "another object of as many terms");
	crux_ols_merge(ols, other);
	return 0;
}

/* solve(tolerance) -> true if a pass of refinement would help */
static int ols_solve(lua_State *L)
{
	lua_pushboolean(L, crux_ols_solve(crux_ols_check(L, 1), luaL_checknumber(L, 2)));
	return 1;
}

/* refine() -> true if another pass would help */
static int ols_refine(lua_State *L)
{
	lua_pushboolean(L, crux_ols_refine(crux_ols_check(L, 1)));
	return 1;
}

/* result() -> { rows, rank, rss, log_weights, [term] = { estimate, unit_error, explained } or { aliased = true } } */
static int ols_result(lua_State *L)
{
	crux_ols const *ols = crux_ols_check(L, 1);
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

/* inverse() -> R's inverse for the terms that are not aliased: a list of its columns in turn, each down to the diagonal */
static int ols_inverse(lua_State *L)
{
	crux_ols const *ols = crux_ols_check(L, 1);
	lua_Integer place = 0;
	lua_newtable(L);
	for (size_t k = 0; k < crux_ols_rank(ols); k++) {
		for (size_t i = 0; i <= k; i++) {
			lua_pushnumber(L, crux_ols_inverse(ols, i, k));
			lua_rawseti(L, -2, ++place);
		}
	}
	return 1;
}

/* spread(inverse, columns, rows) -> vector of x'(X'WX)^-1 x for each row x */
static int ols_spread(lua_State *L)
{
	size_t terms;
	lua_Integer const rows = luaL_checkinteger(L, 3);
	luaL_argcheck(L, rows >= 0, 3, "not negative");
	const double *const *columns = crux_vectors_check(L, 2, (size_t)rows, &terms);
	const double *inverse = crux_vector_of(L, 1, terms * (terms + 1) / 2);
	crux_ols_spread(terms, inverse, (size_t)rows, columns, crux_vector_push(L, (size_t)rows));
	return 1;
}

/* covariances(inverse, x) -> vector (X'WX)^-1 x */
static int ols_covariances(lua_State *L)
{
	size_t terms;
	const double *x = crux_vector_check(L, 2, &terms);
	const double *inverse = crux_vector_of(L, 1, terms * (terms + 1) / 2);
	double *out = crux_vector_push(L, terms);
	memcpy(out, x, terms * sizeof *out);
	crux_ols_covariances(terms, inverse, out);
	return 1;
}

/* left_out(columns, direction, residuals, leverage, weights or nil, row, change, share) -> of the other rows, the weighted mean size
 * of the residuals of leaving one out, by the fit without that row, and the highest leverage; the same by the fit with it. That
 * fit's residuals and leverages are given; x being how much a row of the columns has of the direction, those of the fit without
 * the row are larger by x change and weight x^2 share. */
static int ols_left_out(lua_State *L)
{
	size_t terms, rows;
	const double *const direction = crux_vector_check(L, 2, &terms), *const residuals = crux_vector_check(L, 3, &rows);
	const double *const leverage = crux_vector_of(L, 4, rows), *const weights = crux_vector_or_none(L, 5, rows);
	lua_Integer const row = luaL_checkinteger(L, 6);
	double const change = luaL_checknumber(L, 7), share = luaL_checknumber(L, 8);
	size_t count;
	const double *const *columns = crux_vectors_check(L, 1, rows, &count);
	luaL_argcheck(L, count == terms, 2, "a number for each column");
	luaL_argcheck(L, row >= 1 && (lua_Unsigned)row <= rows, 6, "a row");
	crux_sum whole = {0}, without = {0}, with = {0};
	double highest = 0, highest_with = 0;
	for (size_t i = 0; i < rows; i++) {
		double const weight = weights ? weights[i] : 1;
		double x = 0;
		for (size_t k = 0; k < terms && i + 1 != (size_t)row; k++)
			x += columns[k][i] * direction[k];
		double const moved = leverage[i] + weight * (x * x) * share;
		highest = moved > highest ? moved : highest;
		highest_with = leverage[i] > highest_with ? leverage[i] : highest_with;
		if (i + 1 == (size_t)row)
			continue;
		crux_sum_add(&whole, weight);
		crux_sum_add(&without, fabs((residuals[i] + x * change) / (1 - moved)) * weight);
		crux_sum_add(&with, fabs(residuals[i] / (1 - leverage[i])) * weight);
	}
	lua_pushnumber(L, crux_sum_value(without) / crux_sum_value(whole));
	lua_pushnumber(L, highest);
	lua_pushnumber(L, crux_sum_value(with) / crux_sum_value(whole));
	lua_pushnumber(L, highest_with);
	return 4;
}

CRUX_RELEASE(ols_release, TYPE, crux_ols_free)

CRUX_TABLE(methods,
	{"add",       ols_add},
	{"merge",     ols_merge},
	{"solve",     ols_solve},
	{"residuals", ols_residuals},
	{"refine",    ols_refine},
	{"result",    ols_result},
	{"inverse",   ols_inverse},
	CRUX_CLOSES(ols_release))

CRUX_TABLE(functions,
	{"new",         ols_new},
	{"distribute",  ols_distribute},
	{"spread",      ols_spread},
	{"covariances", ols_covariances},
	{"left_out",    ols_left_out})

CRUX_TYPE_LIBRARY(ols, TYPE)
