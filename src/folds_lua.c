/* libcrux.folds: the fold of each row as a list that cannot be changed. */
#include <lauxlib.h>
#include <stdbool.h>

#include "binding.h"
#include "folds.h"
#include "primitives.h"

typedef struct list {
	size_t n;
	uint32_t count;
	uint32_t folds[];
} list;

static const list *check(lua_State *L, int index)
{
	return luaL_checkudata(L, index, CRUX_FOLDS_TYPE);
}

const uint32_t *crux_folds_check(lua_State *L, int index, size_t first, size_t rows)
{
	const list *self = check(L, index);
	luaL_argcheck(L, first <= self->n && rows <= self->n - first, index, "rows that have no fold");
	return self->folds + first;
}

/* new(rows, count, seed) -> folds of that many rows, 1 to count; shuffled if there is a seed */
static int folds_new(lua_State *L)
{
	lua_Integer const n = luaL_checkinteger(L, 1), count = luaL_checkinteger(L, 2);
	luaL_argcheck(L, n >= 1 && n <= UINT32_MAX, 1, "as many rows as there can be");
	luaL_argcheck(L, count >= 1 && count <= n, 2, "at least a row a fold");
	bool const shuffle = !lua_isnoneornil(L, 3);
	uint64_t const seed = shuffle ? (uint64_t)luaL_checkinteger(L, 3) : 0;
	list *self = lua_newuserdatauv(L, sizeof *self + (size_t)n * sizeof *self->folds, 0);
	self->n = (size_t)n;
	self->count = (uint32_t)count;
	luaL_setmetatable(L, CRUX_FOLDS_TYPE);
	crux_folds_assign(self->n, self->count, self->folds);
	if (shuffle)
		crux_folds_shuffle(self->n, self->folds, seed);
	return 1;
}

/* folds:count() -> how many folds there are */
static int folds_count(lua_State *L)
{
	lua_pushinteger(L, check(L, 1)->count);
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
	{"others",  folds_others},
	{"__len",   folds_len},
	{"__index", folds_index},
	{NULL,      NULL},
};

static const luaL_Reg functions[] = {
	{"new", folds_new},
	{NULL,  NULL},
};

int crux_open_folds(lua_State *L)
{
	return crux_open_type(L, CRUX_FOLDS_TYPE, methods, NULL, functions);
}
