/* libcrux.mixed: mixed models; see mixed.h. */
#include <lauxlib.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/sizes.h"
#include "fit/mixed.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/vector_lua.h"

#define TYPE "crux.mixed"

static crux_mixed *check(lua_State *L)
{
	return *(crux_mixed **)crux_handle_check(L, 1, TYPE, "the object was closed");
}

/* Pushes a field of the table at that index, a list of vectors of n numbers, and the array of these. */
static const double *const *check_columns(lua_State *L, int table, const char *name, size_t n, size_t *count)
{
	lua_getfield(L, table, name);
	if (!lua_istable(L, -1))
		luaL_error(L, "%s: expected a list", name);
	return crux_vectors_check(L, lua_gettop(L), n, count);
}

/* Reads a grouping, the table on top of the stack. */
static void check_grouping(lua_State *L, size_t rows, crux_grouping *grouping)
{
	int const table = lua_gettop(L);
	luaL_checkstack(L, 10, NULL);
	luaL_argcheck(L, lua_istable(L, table), 1, "groupings: expected tables");
	grouping->groups = crux_check_limit(L, table, "groups");
	grouping->group = crux_vector_field(L, table, "group", rows, false);
	grouping->values = check_columns(L, table, "columns", rows, &grouping->columns);
	luaL_argcheck(L, grouping->groups > 0 && grouping->groups <= rows && grouping->columns > 0 && grouping->columns <= 100, 1,
	              "groupings: expected groups and columns");
	for (size_t i = 0; i < rows; i++)
		luaL_argcheck(L, grouping->group[i] >= 1 && grouping->group[i] <= (double)grouping->groups, 1,
		              "group: expected numbers from 1 to groups");
	const double *blocks = crux_vector_field(L, table, "blocks", grouping->columns, false);
	size_t *numbers = lua_newuserdatauv(L, grouping->columns * sizeof *numbers, 0);
	for (size_t k = 0; k < grouping->columns; k++) {
		luaL_argcheck(L, blocks[k] >= 1 && blocks[k] <= (double)grouping->columns, 1, "blocks: expected numbers from 1");
		numbers[k] = (size_t)blocks[k];
	}
	grouping->blocks = numbers;
	lua_getfield(L, table, "fixed");
	grouping->fixed = lua_toboolean(L, -1);
	luaL_argcheck(L, !grouping->fixed || grouping->columns == 1, 1, "fixed: expected one column");
}

/* new { family = "normal", "cumulative" or "censored", response = vector, columns = list of vectors, weights, offset, censored =
 * vectors or nil, groupings = list of { groups = their number, group = vector, columns = list, blocks = vector, fixed = boolean } } -> object;
 * or nil and a message */
static int mixed_new(lua_State *L)
{
	static const char *const families[] = {"normal", "cumulative", "censored", NULL};
	crux_mixed_rows rows = {0};
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	lua_getfield(L, 1, "family");
	rows.family = (crux_family)luaL_checkoption(L, -1, NULL, families);
	lua_getfield(L, 1, "response");
	rows.response = crux_vector_check(L, -1, &rows.rows);
	luaL_argcheck(L, rows.rows > 0 && rows.rows < UINT32_MAX, 1, "response: expected rows");
	for (size_t i = 0; i < rows.rows && rows.family == CRUX_CUMULATIVE; i++)
		luaL_argcheck(L, rows.response[i] >= 0 && rows.response[i] <= 1000, 1, "response: expected categories from 0");
	rows.columns = check_columns(L, 1, "columns", rows.rows, &rows.fixed);
	rows.weights = crux_vector_field(L, 1, "weights", rows.rows, true);
	rows.offset = crux_vector_field(L, 1, "offset", rows.rows, true);
	rows.censored = crux_vector_field(L, 1, "censored", rows.rows, true);
	lua_getfield(L, 1, "groupings");
	int const list = lua_gettop(L);
	rows.groupings = crux_check_length(L, list);
	luaL_argcheck(L, rows.groupings > 0 && rows.groupings <= 100, 1, "groupings: expected a list");
	crux_grouping *groupings = lua_newuserdatauv(L, rows.groupings * sizeof *groupings, 0);
	for (size_t g = 0; g < rows.groupings; g++) {
		lua_rawgeti(L, list, (lua_Integer)g + 1);
		check_grouping(L, rows.rows, &groupings[g]);
	}
	rows.grouping = groupings;
	size_t const dense = crux_mixed_dense(&rows) + rows.fixed;
	if (dense > CRUX_MOST_MIXED_EFFECTS)
		return crux_fail(L, "too large");
	crux_mixed **slot = crux_handle_new(L, TYPE, sizeof *slot, 0);
	*slot = crux_mixed_new(&rows);
	return *slot ? 1 : crux_fail(L, "out of memory");
}

/* Pushes a field of the table at index 2, a vector of n numbers, and a copy of it. */
static double *copy_field(lua_State *L, const char *name, size_t n)
{
	const double *from = crux_vector_field(L, 2, name, n, false);
	double *to = crux_vector_push(L, n);
	memcpy(to, from, n * sizeof *to);
	return to;
}

/* Reads the options at index 2. */
static crux_mixed_options check_options(lua_State *L, const crux_mixed *mixed)
{
	crux_mixed_options options = {0};
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_settop(L, 2);
	lua_getfield(L, 2, "extras");
	crux_vector_check(L, -1, &options.extras);
	luaL_argcheck(L, options.extras >= crux_mixed_extras(mixed), 2, "extras: expected one for each category but the first");
	lua_getfield(L, 2, "restricted");
	options.restricted = lua_toboolean(L, -1);
	options.kept_extras = crux_check_limit(L, 2, "kept_extras");
	luaL_argcheck(L, options.kept_extras <= options.extras, 2, "kept_extras: more than there are");
	options.nodes = crux_check_limit(L, 2, "nodes");
	options.most_evaluations = crux_check_limit(L, 2, "most_evaluations");
	options.nodes = options.nodes > 0 ? options.nodes : 1;
	luaL_argcheck(L, options.nodes <= 100 && (options.nodes == 1 || crux_mixed_is_scalar(mixed)), 2,
	              "nodes: expected at most 100, and one grouping of one column");
	luaL_argcheck(L, options.most_evaluations <= INT_MAX, 2, "most_evaluations: too many");
	lua_getfield(L, 2, "expected");
	options.expected = lua_toboolean(L, -1);
	if (options.most_evaluations == 0)
		options.most_evaluations = 20000;
	lua_settop(L, 2);
	return options;
}

static int fail(lua_State *L, crux_mixed_status status)
{
	return crux_fail(L, status == CRUX_MIXED_NO_MEMORY ? "out of memory" : "not finite");
}

/* object:estimate { theta = start, extras = start, restricted =, nodes =, kept_extras =, most_evaluations = } -> { theta, beta,
 * extras, covariance, deviance, variance, evaluations, converged }; or nil and a message: "not finite" */
static int mixed_estimate(lua_State *L)
{
	crux_mixed *mixed = check(L);
	crux_mixed_options const options = check_options(L, mixed);
	size_t const fixed = crux_mixed_fixed(mixed), estimated = fixed + options.extras - options.kept_extras;
	crux_mixed_fit fit;
	lua_createtable(L, 0, 8);
	double *theta = copy_field(L, "theta", crux_mixed_thetas(mixed));
	lua_setfield(L, 3, "theta");
	lua_settop(L, 3);
	double *extras = copy_field(L, "extras", options.extras);
	lua_setfield(L, 3, "extras");
	lua_settop(L, 3);
	double *beta = crux_vector_push(L, fixed);
	lua_setfield(L, 3, "beta");
	double *covariance = crux_vector_push(L, estimated * estimated);
	lua_setfield(L, 3, "covariance");
	crux_mixed_status const status = crux_mixed_estimate(mixed, &options, theta, beta, extras, covariance, &fit);
	if (status != CRUX_MIXED_DONE)
		return fail(L, status);
	crux_set_number(L, "deviance", fit.deviance);
	crux_set_number(L, "variance", fit.variance);
	crux_set_integer(L, "evaluations", (lua_Integer)fit.evaluations);
	lua_pushboolean(L, fit.converged);
	lua_setfield(L, 3, "converged");
	return 1;
}

/* Sets the fields `means` and `variances` of the sums that the table on top of the stack describes. */
static void set_sums(lua_State *L, crux_mixed *mixed)
{
	int const table = lua_gettop(L);
	luaL_checkstack(L, 10, NULL);
	luaL_argcheck(L, lua_istable(L, table), 2, "sums: expected tables");
	size_t const rows = crux_check_limit(L, table, "rows"), grouping = crux_check_limit(L, table, "grouping");
	size_t fixed, columns, expected;
	size_t const groups = crux_mixed_groups(mixed, grouping - 1, &expected); /* none where no grouping is named */
	const double *const *x = check_columns(L, table, "columns", rows, &fixed), *const *z = check_columns(L, table, "values", rows, &columns);
	luaL_argcheck(L, fixed == crux_mixed_fixed(mixed) && columns == expected, 2, "sums: expected a number for each effect");
	const double *group = crux_vector_field(L, table, "group", rows, groups == 0);
	double *means = crux_vector_push(L, rows), *variances = crux_vector_push(L, rows);
	double *at = lua_newuserdatauv(L, (fixed + columns + 1) * sizeof *at, 0);
	for (size_t i = 0; i < rows; i++) {
		luaL_argcheck(L, groups == 0 || (group[i] >= 1 && group[i] <= (double)groups), 2, "group: expected numbers from 1 to groups");
		for (size_t c = 0; c < fixed + columns; c++)
			at[c] = c < fixed ? x[c][i] : z[c - fixed][i];
		crux_mixed_sum(mixed, at, grouping - 1, groups == 0 ? 0 : (size_t)group[i] - 1, at + fixed, &means[i], &variances[i]);
	}
	lua_pop(L, 1);
	lua_setfield(L, table, "variances");
	lua_setfield(L, table, "means");
	lua_settop(L, table);
}

/* object:modes { theta, extras = vectors, sums = list or nil } -> vector of effects, log_effects, log_fixed, value (mixed.h); or nil and a
 * message. Each of the sums { rows =, columns = list of vectors x, grouping = its number or nil, group = vector, values = list of
 * vectors z } gets the vectors `means` and `variances` of x' beta + z' b. */
static int mixed_modes(lua_State *L)
{
	crux_mixed *mixed = check(L);
	crux_mixed_options options = check_options(L, mixed);
	crux_mixed_point point;
	const double *theta = crux_vector_field(L, 2, "theta", crux_mixed_thetas(mixed), false);
	const double *extras = crux_vector_field(L, 2, "extras", options.extras, false);
	lua_getfield(L, 2, "sums");
	int const sums = lua_gettop(L);
	options.sums = lua_istable(L, sums);
	double *effects = crux_vector_push(L, crux_mixed_effects(mixed));
	crux_mixed_status const status = crux_mixed_modes(mixed, &options, theta, extras, effects, &point);
	if (status != CRUX_MIXED_DONE)
		return fail(L, status);
	for (lua_Integer i = 1; lua_istable(L, sums) && lua_rawgeti(L, sums, i) != LUA_TNIL; i++) {
		set_sums(L, mixed);
		lua_settop(L, sums + 1);
	}
	lua_settop(L, sums + 1);
	lua_pushnumber(L, point.log_effects);
	lua_pushnumber(L, point.log_fixed);
	lua_pushnumber(L, point.value);
	return 4;
}

CRUX_RELEASE(mixed_release, TYPE, crux_mixed_free)

CRUX_TABLE(methods,
	{"estimate", mixed_estimate},
	{"modes",    mixed_modes},
	CRUX_CLOSES(mixed_release))

CRUX_TABLE(functions,
	{"new", mixed_new})

CRUX_TYPE_LIBRARY(mixed, TYPE)
