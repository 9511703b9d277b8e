/* libcrux.subsets: the errors of subsets of measures on splits of rows; see subsets.h and splits.h. */
#include <lauxlib.h>

#include "base/sizes.h"
#include "fit/ols_lua.h"
#include "fit/subsets.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/folds_lua.h"
#include "stats/vector_lua.h"

#define TYPE "crux.splits"

static const crux_splits *check(lua_State *L)
{
	return *(crux_splits **)crux_handle_check(L, 1, TYPE, "the object was closed");
}

/* splits(training, test, tolerance) -> object, or nil and a message. training, test: lists of objects of libcrux.ols with the
 * rows of each split, ones as their first column. */
static int subsets_splits(lua_State *L)
{
	size_t const count = crux_check_length(L, 1);
	double const tolerance = luaL_checknumber(L, 3);
	luaL_argcheck(L, count > 0 && crux_check_length(L, 2) == count, 2, "test rows for each split");
	crux_split *list = lua_newuserdatauv(L, count * sizeof *list, 0);
	for (size_t i = 0; i < count; i++) {
		lua_rawgeti(L, 1, (lua_Integer)i + 1);
		lua_rawgeti(L, 2, (lua_Integer)i + 1);
		list[i] = (crux_split){crux_ols_check(L, -2), crux_ols_check(L, -1)};
		luaL_argcheck(L, crux_ols_rows(list[i].training) > 0, 1, "no rows");
		luaL_argcheck(L, crux_ols_terms(list[i].training) == crux_ols_terms(list[0].training) &&
		                 crux_ols_terms(list[i].test) == crux_ols_terms(list[0].training), 1, "objects of different terms");
		lua_pop(L, 2); /* the lists keep them alive */
	}
	crux_splits **slot = crux_handle_new(L, TYPE, sizeof *slot, 0);
	*slot = crux_splits_new(count, list, tolerance);
	return *slot ? 1 : crux_fail(L, "out of memory");
}

/* Reads the limit on the measures in a subset at `index` and, at index + 1, a list of the subset that each measure needs, or
 * nil. Pushes one userdata. */
static crux_subsets check_which(lua_State *L, size_t measures, int index)
{
	lua_Integer const most = luaL_checkinteger(L, index);
	luaL_argcheck(L, most >= 0, index, "a number of measures is not negative");
	lua_settop(L, index + 1);
	bool const has_list = !lua_isnil(L, index + 1);
	if (has_list)
		luaL_checktype(L, index + 1, LUA_TTABLE);
	uint64_t *needs = lua_newuserdatauv(L, measures * sizeof *needs + 1, 0);
	for (size_t i = 0; i < measures; i++) {
		needs[i] = 0;
		if (has_list) {
			lua_rawgeti(L, index + 1, (lua_Integer)i + 1);
			needs[i] = (uint64_t)luaL_checkinteger(L, -1);
			lua_pop(L, 1);
		}
		luaL_argcheck(L, needs[i] >> i == 0, index + 1, "a measure needs earlier ones only");
	}
	return (crux_subsets){measures, (size_t)most, needs};
}

/* count(measures, most, needs) -> the number of subsets, with the empty one; nothing if a sweep cannot take them */
static int subsets_count(lua_State *L)
{
	lua_Integer const measures = luaL_checkinteger(L, 1);
	if (measures > CRUX_SUBSETS_MEASURES)
		return 0;
	luaL_argcheck(L, measures >= 0, 1, "a number of measures is not negative");
	crux_subsets const which = check_which(L, (size_t)measures, 2);
	size_t const n = crux_subsets_count(&which, CRUX_MOST_SUBSETS + 1);
	if (n > CRUX_MOST_SUBSETS)
		return 0;
	lua_pushinteger(L, (lua_Integer)n);
	return 1;
}

/* splits:errors(most, needs) -> vector of the mean squared errors of the subsets, vector of the subsets, the empty one first;
 * or nil and a message */
static int splits_errors(lua_State *L)
{
	const crux_splits *splits = check(L);
	luaL_argcheck(L, crux_splits_measures(splits) <= CRUX_SUBSETS_MEASURES, 1, "at most 52 measures");
	crux_subsets const which = check_which(L, crux_splits_measures(splits), 2);
	size_t const n = crux_subsets_count(&which, CRUX_MOST_SUBSETS + 1);
	luaL_argcheck(L, n <= CRUX_MOST_SUBSETS, 2, "as many subsets as libcrux.sizes allows, or fewer");
	double *errors = crux_vector_push(L, n), *subsets = crux_vector_push(L, n);
	return crux_subsets_errors(&which, splits, errors, subsets) ? 2 : crux_fail(L, "out of memory");
}

/* splits:neighbours(set, is_removal) -> vector: for each measure the error of the set, a list of indices from 1, with or
 * without that measure, NaN where there is no such set; then the error of the set itself; or nil and a message */
static int splits_neighbours(lua_State *L)
{
	const crux_splits *splits = check(L);
	size_t const measures = crux_splits_measures(splits);
	luaL_checktype(L, 2, LUA_TTABLE);
	size_t const count = lua_rawlen(L, 2);
	luaL_argcheck(L, count <= measures, 2, "more measures than there are");
	double *errors = crux_vector_push(L, measures + 1);
	size_t *set = lua_newuserdatauv(L, count * sizeof *set + 1, 0);
	for (size_t i = 0; i < measures; i++)
		errors[i] = 0;
	for (size_t i = 0; i < count; i++) {
		lua_rawgeti(L, 2, (lua_Integer)i + 1);
		lua_Integer const measure = luaL_checkinteger(L, -1);
		luaL_argcheck(L, measure >= 1 && (size_t)measure <= measures && errors[measure - 1] == 0, 2,
		              "numbers of measures, each once");
		errors[measure - 1] = 1;
		set[i] = (size_t)measure - 1;
		lua_pop(L, 1);
	}
	bool const done = crux_subsets_neighbours(splits, set, count, lua_toboolean(L, 3), errors);
	lua_pop(L, 1);
	return done ? 1 : crux_fail(L, "out of memory");
}

/* best(errors, subsets, count, size) -> list of the indices of the `count` best subsets, or all if fewer, best first: of those
 * with `size` measures if it is given, else of all but the empty one */
static int subsets_best(lua_State *L)
{
	size_t n;
	double const *errors = crux_vector_check(L, 1, &n), *numbers = crux_vector_of(L, 2, n);
	luaL_argcheck(L, n <= CRUX_MOST_SUBSETS, 2, "as many subsets as libcrux.sizes allows, or fewer");
	for (size_t i = 0; i < n; i++)
		luaL_argcheck(L, numbers[i] >= 0 && numbers[i] < 1ull << CRUX_SUBSETS_MEASURES, 2, "subsets as splits:errors gives them");
	lua_Integer count = luaL_checkinteger(L, 3);
	lua_Integer const size = luaL_optinteger(L, 4, 0);
	luaL_argcheck(L, count >= 0, 3, "a number of subsets is not negative");
	luaL_argcheck(L, size >= 0, 4, "a number of measures is not negative");
	count = count > (lua_Integer)n ? (lua_Integer)n : count;
	uint32_t *best = lua_newuserdatauv(L, (size_t)count * sizeof *best + 1, 0);
	size_t const found = crux_subsets_best(n, errors, numbers, (size_t)size, (size_t)count, best);
	lua_createtable(L, (int)found, 0);
	for (size_t i = 0; i < found; i++) {
		lua_pushinteger(L, (lua_Integer)best[i] + 1);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

CRUX_RELEASE(splits_release, TYPE, crux_splits_free)

CRUX_TABLE(methods,
	{"errors",     splits_errors},
	{"neighbours", splits_neighbours},
	CRUX_CLOSES(splits_release))

CRUX_TABLE(functions,
	{"splits", subsets_splits},
	{"count",  subsets_count},
	{"best",   subsets_best})

CRUX_TYPE_LIBRARY(subsets, TYPE)
