/* libcrux.random: the generator of random.h as a Lua value. */
#include "stats/random_lua.h"

#include <lauxlib.h>
#include <stdbool.h>

#include "lua/binding.h"
#include "lua/modules.h"

#define TYPE "crux.random"

typedef struct generator {
	crux_random random;
	lua_Integer seed, stream;
} generator;

static generator *check(lua_State *L) { return luaL_checkudata(L, 1, TYPE); }

crux_random *crux_random_check(lua_State *L, int index)
{
	generator *g = luaL_checkudata(L, index, TYPE);
	return &g->random;
}

/* new(seed, stream) -> generator; the stream is 0 by default */
static int random_new(lua_State *L)
{
	lua_Integer const seed = luaL_checkinteger(L, 1), stream = luaL_optinteger(L, 2, 0);
	generator *g = lua_newuserdatauv(L, sizeof *g, 0);
	*g = (generator){crux_random_new((uint64_t)seed, (uint64_t)stream), seed, stream};
	luaL_setmetatable(L, TYPE);
	return 1;
}

/* r:integer(low, high) -> an integer from low to high, both included */
static int random_integer(lua_State *L)
{
	generator *g = check(L);
	lua_Integer const low = luaL_checkinteger(L, 2), high = luaL_checkinteger(L, 3);
	luaL_argcheck(L, low <= high, 3, "the range is empty");
	lua_pushinteger(L, crux_random_integer(&g->random, low, high));
	return 1;
}

/* r:real() -> a number in [0, 1) */
static int random_real(lua_State *L)
{
	lua_pushnumber(L, crux_random_real(&check(L)->random));
	return 1;
}

/* r:chance(p) -> true with probability p */
static int random_chance(lua_State *L)
{
	generator *g = check(L);
	lua_Number const p = luaL_checknumber(L, 2);
	luaL_argcheck(L, p >= 0 && p <= 1, 2, "a probability lies between 0 and 1");
	lua_pushboolean(L, crux_random_real(&g->random) < p);
	return 1;
}

/* r:shuffle(list) -> the list, its elements in random order, all orders equally likely; raises for a list with holes, whose
 * length Lua may give as up to 2^63 */
static int random_shuffle(lua_State *L)
{
	generator *g = check(L);
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_settop(L, 2);
	for (lua_Integer i = (lua_Integer)lua_rawlen(L, 2); i > 1; i--) {
		lua_Integer const j = crux_random_integer(&g->random, 1, i);
		bool const is_there = lua_rawgeti(L, 2, i) != LUA_TNIL && lua_rawgeti(L, 2, j) != LUA_TNIL;
		luaL_argcheck(L, is_there, 2, "a list without holes expected");
		lua_rawseti(L, 2, i);
		lua_rawseti(L, 2, j);
	}
	return 1;
}

/* r:pick(list) -> one of its elements */
static int random_pick(lua_State *L)
{
	generator *g = check(L);
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_Integer const n = (lua_Integer)lua_rawlen(L, 2);
	luaL_argcheck(L, n > 0, 2, "the list is empty");
	lua_rawgeti(L, 2, crux_random_integer(&g->random, 1, n));
	return 1;
}

static int random_tostring(lua_State *L)
{
	generator const *g = check(L);
	lua_pushfstring(L, "xoshiro256** of seed %I, stream %I", (LUAI_UACINT)g->seed, (LUAI_UACINT)g->stream);
	return 1;
}

CRUX_TABLE(methods,
	{"integer",    random_integer},
	{"real",       random_real},
	{"chance",     random_chance},
	{"shuffle",    random_shuffle},
	{"pick",       random_pick},
	{"__tostring", random_tostring})

CRUX_TABLE(functions,
	{"new", random_new})

CRUX_TYPE_LIBRARY(random, TYPE)
