/* libcrux.folds: the fold of each row, as an immutable list. */
#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/folds_lua.h"
#include "stats/random.h"
#include "stats/vector_lua.h"

#define TYPE "crux.folds"

typedef struct list {
	size_t n;
	uint32_t count;
	uint32_t folds[]; /* n folds; then n rows, fold by fold; then count + 1 places in these rows where the folds start */
} list;

static const list *check(lua_State *L, int index) { return luaL_checkudata(L, index, TYPE); }

const uint32_t *crux_folds_check(lua_State *L, int index, size_t first, size_t rows)
{
	const list *l = check(L, index);
	luaL_argcheck(L, first <= l->n && rows <= l->n - first, index, "rows that have no fold");
	return l->folds + first;
}

size_t crux_folds_rows(lua_State *L, int index, uint32_t fold, const uint32_t **rows)
{
	const list *l = check(L, index);
	luaL_argcheck(L, fold < l->count, index, "no such fold");
	const uint32_t *const all = l->folds + l->n, *const starts = all + l->n;
	*rows = all + starts[fold];
	return starts[fold + 1] - starts[fold];
}

static list *push(lua_State *L, lua_Integer n, lua_Integer count)
{
	luaL_argcheck(L, n >= 1 && n <= UINT32_MAX / 4, 1, "as many rows as there can be");
	luaL_argcheck(L, count >= 1 && count <= n, 2, "at least a row a fold");
	list *l = lua_newuserdatauv(L, sizeof *l + (2 * (size_t)n + (size_t)count + 1) * sizeof *l->folds, 0);
	l->n = (size_t)n;
	l->count = (uint32_t)count;
	luaL_setmetatable(L, TYPE);
	return l;
}

/* Lists the rows fold by fold, by a counting sort. */
static void list_rows(list *l)
{
	uint32_t *const rows = l->folds + l->n, *const starts = rows + l->n;
	memset(starts, 0, (l->count + (size_t)1) * sizeof *starts);
	for (size_t row = 0; row < l->n; row++)
		starts[l->folds[row] + 1]++;
	for (uint32_t fold = 0; fold < l->count; fold++)
		starts[fold + 1] += starts[fold];
	for (size_t row = 0; row < l->n; row++)
		rows[starts[l->folds[row]]++] = (uint32_t)row;
	memmove(starts + 1, starts, l->count * sizeof *starts);
	starts[0] = 0;
}

/* new(rows, count, seed, stream) -> folds 1 to count of `rows` rows, contiguous as in Mutser (2014), section 6.1; shuffled when there is a
 * seed; the stream is 0 by default */
static int folds_new(lua_State *L)
{
	bool const is_shuffled = !lua_isnoneornil(L, 3);
	lua_Integer const seed = is_shuffled ? luaL_checkinteger(L, 3) : 0, stream = luaL_optinteger(L, 4, 0);
	list *l = push(L, luaL_checkinteger(L, 1), luaL_checkinteger(L, 2));
	for (size_t i = 0; i < l->n; i++)
		l->folds[i] = (uint32_t)((uint64_t)i * l->count / l->n);
	crux_random random = crux_random_new((uint64_t)seed, (uint64_t)stream);
	for (size_t i = is_shuffled ? l->n : 0; i > 1; i--) { /* all orders equally likely */
		size_t const j = (size_t)crux_random_integer(&random, 0, (int64_t)i - 1);
		uint32_t const fold = l->folds[i - 1];
		l->folds[i - 1] = l->folds[j];
		l->folds[j] = fold;
	}
	list_rows(l);
	return 1;
}

/* spread(groups, folds) -> folds of rows; row i gets the fold of group groups[i], which counts from 1 */
static int folds_spread(lua_State *L)
{
	size_t n;
	double const *groups = crux_vector_check(L, 1, &n);
	const list *of = check(L, 2);
	list *l = push(L, (lua_Integer)n, of->count);
	for (size_t row = 0; row < n; row++) {
		luaL_argcheck(L, groups[row] >= 1 && groups[row] <= (double)of->n, 1, "a group without a fold");
		l->folds[row] = of->folds[(size_t)groups[row] - 1];
	}
	list_rows(l);
	return 1;
}

/* folds:count() -> the number of folds */
static int folds_count(lua_State *L)
{
	lua_pushinteger(L, check(L, 1)->count);
	return 1;
}

/* folds:rows(fold) -> vector of the rows (from 1) in the fold */
static int folds_rows(lua_State *L)
{
	const uint32_t *rows;
	lua_Integer const fold = luaL_checkinteger(L, 2);
	luaL_argcheck(L, fold >= 1 && fold <= UINT32_MAX, 2, "a fold");
	size_t const n = crux_folds_rows(L, 1, (uint32_t)fold - 1, &rows);
	double *out = crux_vector_push(L, n);
	for (size_t i = 0; i < n; i++)
		out[i] = (double)rows[i] + 1;
	return 1;
}

/* folds:others(fold) -> vector of the rows (from 1) in other folds */
static int folds_others(lua_State *L)
{
	const list *l = check(L, 1);
	lua_Integer const fold = luaL_checkinteger(L, 2);
	size_t others = 0;
	for (size_t row = 0; row < l->n; row++)
		others += l->folds[row] + 1 != fold;
	double *out = crux_vector_push(L, others);
	for (size_t row = 0; row < l->n; row++)
		if (l->folds[row] + 1 != fold)
			*out++ = (double)row + 1;
	return 1;
}

static int folds_len(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)check(L, 1)->n);
	return 1;
}

/* folds[row] -> fold, nil outside; folds.name -> method */
static int folds_index(lua_State *L)
{
	const list *l = check(L, 1);
	int is_integer;
	lua_Integer const row = lua_tointegerx(L, 2, &is_integer);
	if (is_integer && row >= 1 && (lua_Unsigned)row <= l->n)
		lua_pushinteger(L, (lua_Integer)l->folds[row - 1] + 1);
	else if (lua_type(L, 2) != LUA_TSTRING || luaL_getmetafield(L, 1, lua_tostring(L, 2)) == LUA_TNIL)
		lua_pushnil(L);
	return 1;
}

CRUX_TABLE(methods,
	{"count",   folds_count},
	{"rows",    folds_rows},
	{"others",  folds_others},
	{"__len",   folds_len},
	{"__index", folds_index})

CRUX_TABLE(functions,
	{"new",    folds_new},
	{"spread", folds_spread})

CRUX_TYPE_LIBRARY(folds, TYPE)
