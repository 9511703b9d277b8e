/* libcrux.folds: the fold of each row as a list that cannot be changed. */
#include "stats/folds_lua.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/folds.h"
#include "stats/vector_lua.h"

#define TYPE "crux.folds"

typedef struct list {
	size_t n;
	uint32_t count;
	uint32_t folds[]; /* n of them; behind them the rows fold by fold, n, and where those of each start, count + 1 */
} list;

static const list *check(lua_State *L, int index)
{
	return luaL_checkudata(L, index, TYPE);
}

const uint32_t *crux_folds_check(lua_State *L, int index, size_t first, size_t rows)
{
	const list *self = check(L, index);
	luaL_argcheck(L, first <= self->n && rows <= self->n - first, index, "rows that have no fold");
	return self->folds + first;
}

size_t crux_folds_rows(lua_State *L, int index, uint32_t fold, const uint32_t **rows)
{
	const list *self = check(L, index);
	luaL_argcheck(L, fold < self->count, index, "no such fold");
	const uint32_t *const all = self->folds + self->n, *const starts = all + self->n;
	*rows = all + starts[fold];
	return starts[fold + 1] - starts[fold];
}

static list *push(lua_State *L, lua_Integer n, lua_Integer count)
{
	luaL_argcheck(L, n >= 1 && n <= UINT32_MAX / 4, 1, "as many rows as there can be");
	luaL_argcheck(L, count >= 1 && count <= n, 2, "at least a row a fold");
	list *self = lua_newuserdatauv(L, sizeof *self + (2 * (size_t)n + (size_t)count + 1) * sizeof *self->folds, 0);
	self->n = (size_t)n;
	self->count = (uint32_t)count;
	luaL_setmetatable(L, TYPE);
	return self;
}

/* Sorts the rows by their folds, by counting. */
static void list_rows(list *self)
{
	uint32_t *const rows = self->folds + self->n, *const starts = rows + self->n;
	memset(starts, 0, (self->count + (size_t)1) * sizeof *starts);
	for (size_t row = 0; row < self->n; row++)
		starts[self->folds[row] + 1]++;
	for (uint32_t fold = 0; fold < self->count; fold++)
		starts[fold + 1] += starts[fold];
	for (size_t row = 0; row < self->n; row++)
		rows[starts[self->folds[row]]++] = (uint32_t)row;
	memmove(starts + 1, starts, self->count * sizeof *starts);
	starts[0] = 0;
}

/* new(rows, count, seed, stream) -> folds of that many rows, 1 to count; shuffled if there is a seed, a way for each stream,
 * 0 unless given */
static int folds_new(lua_State *L)
{
	bool const shuffle = !lua_isnoneornil(L, 3);
	uint64_t const seed = shuffle ? (uint64_t)luaL_checkinteger(L, 3) : 0, stream = (uint64_t)luaL_optinteger(L, 4, 0);
	list *self = push(L, luaL_checkinteger(L, 1), luaL_checkinteger(L, 2));
	crux_folds_assign(self->n, self->count, self->folds);
	if (shuffle)
		crux_folds_shuffle(self->n, self->folds, seed, stream);
	list_rows(self);
	return 1;
}

/* spread(groups, folds) -> folds of rows, each in the fold of its group: groups is a vector of numbers from 1 */
static int folds_spread(lua_State *L)
{
	size_t n;
	double const *groups = crux_vector_check(L, 1, &n);
	const list *of = check(L, 2);
	list *self = push(L, (lua_Integer)n, of->count);
	for (size_t row = 0; row < n; row++) {
		luaL_argcheck(L, groups[row] >= 1 && groups[row] <= (double)of->n, 1, "a group without a fold");
		self->folds[row] = of->folds[(size_t)groups[row] - 1];
	}
	list_rows(self);
	return 1;
}

/* folds:count() -> how many folds there are */
static int folds_count(lua_State *L)
{
	lua_pushinteger(L, check(L, 1)->count);
	return 1;
}

/* folds:rows(fold) -> vector of the rows (from 1) that are in it */
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

/* folds:others(fold) -> vector of the rows (from 1) that are in other folds */
static int folds_others(lua_State *L)
{
	const list *self = check(L, 1);
	lua_Integer const fold = luaL_checkinteger(L, 2);
	size_t others = 0;
	for (size_t row = 0; row < self->n; row++)
		others += self->folds[row] + 1 != fold;
	double *out = crux_vector_push(L, others);
	for (size_t row = 0; row < self->n; row++)
		if (self->folds[row] + 1 != fold)
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
	const list *self = check(L, 1);
	int is_integer;
	lua_Integer const row = lua_tointegerx(L, 2, &is_integer);
	if (is_integer && row >= 1 && (lua_Unsigned)row <= self->n)
		lua_pushinteger(L, (lua_Integer)self->folds[row - 1] + 1);
	else if (lua_type(L, 2) != LUA_TSTRING || luaL_getmetafield(L, 1, lua_tostring(L, 2)) == LUA_TNIL)
		lua_pushnil(L);
	return 1;
}

static const luaL_Reg methods[] = {
	{"count",   folds_count},
	{"rows",    folds_rows},
	{"others",  folds_others},
	{"__len",   folds_len},
	{"__index", folds_index},
	{NULL,      NULL},
};

static const luaL_Reg functions[] = {
	{"new",    folds_new},
	{"spread", folds_spread},
	{NULL,     NULL},
};

int crux_open_folds(lua_State *L)
{
	return crux_open_type(L, TYPE, methods, NULL, functions);
}
