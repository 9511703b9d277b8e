/* libcrux.groups: statistics of vectors in groups of rows; see groups.h. `groups` is a vector of integers from 1 to count. */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/groups.h"
#include "stats/vector_lua.h"

/* The vector of groups at index `at` and, at the index behind, their count; raises for a group outside. */
static const double *check_groups(lua_State *L, int at, size_t *n, size_t *count)
{
	double const *const groups = crux_vector_check(L, at, n);
	lua_Integer const found = luaL_checkinteger(L, at + 1);
	luaL_argcheck(L, found >= 0 && found <= INT32_MAX, at + 1, "a count of groups");
	*count = (size_t)found;
	for (size_t i = 0; i < *n; i++)
		luaL_argcheck(L, groups[i] >= 1 && groups[i] <= (double)found && groups[i] == floor(groups[i]), at, "a group outside the count");
	return groups;
}

/* The arguments values, groups, count. */
static const double *check_values(lua_State *L, const double **groups, size_t *n, size_t *count)
{
	size_t found;
	double const *const values = crux_vector_check(L, 1, &found);
	*groups = check_groups(L, 2, n, count);
	luaL_argcheck(L, found == *n, 1, "a value for each row");
	return values;
}

/* middles(values, groups, count, "mean" | "median" | "trimmed") -> vector over the groups, NaN without values */
static int groups_middles(lua_State *L)
{
	static const char *const names[] = {"mean", "median", "trimmed", NULL};
	size_t n, count;
	double const *groups, *const values = check_values(L, &groups, &n, &count);
	crux_middle const middle = (crux_middle)luaL_checkoption(L, 4, NULL, names);
	if (!crux_groups_middles(middle, n, values, groups, count, crux_vector_push(L, count)))
		return luaL_error(L, "not enough memory");
	return 1;
}

/* ranges(values, groups, count) -> the lowest and the highest values, vectors over the groups */
static int groups_ranges(lua_State *L)
{
	size_t n, count;
	double const *groups, *const values = check_values(L, &groups, &n, &count);
	double *const lows = crux_vector_push(L, count), *const highs = crux_vector_push(L, count);
	crux_groups_ranges(n, values, groups, count, lows, highs);
	return 2;
}

/* squares(values, groups, count, centres) -> sums of squared differences, a vector over the groups */
static int groups_squares(lua_State *L)
{
	size_t n, count, found;
	double const *groups, *const values = check_values(L, &groups, &n, &count), *const centres = crux_vector_check(L, 4, &found);
	luaL_argcheck(L, found == count, 4, "a centre for each group");
	crux_groups_squares(n, values, groups, count, centres, crux_vector_push(L, count));
	return 1;
}

/* sums(values, groups, count) -> numbers of values, and their sums, vectors over the groups */
static int groups_sums(lua_State *L)
{
	size_t n, count;
	double const *groups, *const values = check_values(L, &groups, &n, &count);
	double *const counts = crux_vector_push(L, count), *const sums = crux_vector_push(L, count);
	crux_groups_sums(n, values, groups, count, counts, sums);
	return 2;
}

/* order(groups, count) -> the rows (from 1) by group, those of a group in order */
static int groups_order(lua_State *L)
{
	size_t n, count;
	double const *const groups = check_groups(L, 1, &n, &count);
	size_t *const ends = lua_newuserdatauv(L, (count + 1) * sizeof *ends, 0), *const rows = lua_newuserdatauv(L, (n + 1) * sizeof *rows, 0);
	crux_groups_order(n, groups, count, ends, rows);
	double *const out = crux_vector_push(L, n);
	for (size_t i = 0; i < n; i++)
		out[i] = (double)rows[i] + 1;
	return 1;
}

/* again(groups, other groups) -> the first row (from 1) with the same pair of groups as an earlier one, and that row; or nil */
static int groups_again(lua_State *L)
{
	size_t n, found, row, earlier;
	double const *const first = crux_vector_check(L, 1, &n), *const second = crux_vector_check(L, 2, &found);
	luaL_argcheck(L, found == n, 2, "vectors of different lengths");
	for (size_t i = 0; i < n; i++)
		luaL_argcheck(L, first[i] >= 1 && first[i] <= UINT32_MAX && second[i] >= 1 && second[i] <= UINT32_MAX, 1, "no group");
	if (!crux_groups_again(n, first, second, &row, &earlier))
		return luaL_error(L, "not enough memory");
	if (row == n)
		return 0;
	lua_pushinteger(L, (lua_Integer)row + 1);
	lua_pushinteger(L, (lua_Integer)earlier + 1);
	return 2;
}

static const luaL_Reg functions[] = {
	{"middles", groups_middles},
	{"ranges",  groups_ranges},
	{"squares", groups_squares},
	{"sums",    groups_sums},
	{"order",   groups_order},
	{"again",   groups_again},
	{NULL,      NULL},
};

CRUX_LIBRARY(groups)
