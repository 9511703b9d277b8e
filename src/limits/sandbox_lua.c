/* libcrux.sandbox: library functions for scripts that can neither loop long in C nor change what is not the script's. */
#include <lauxlib.h>

#include "lua/binding.h"
#include "lua/modules.h"

enum { LONGEST = 1 << 24 }; /* elements of a list */

/* Calls the original function with the same arguments. */
static int call_original(lua_State *L) { return lua_tocfunction(L, lua_upvalueindex(1))(L); }

/* table.concat, insert, remove, sort: __len, or a few elements far apart, can make a table of any length. */
static int with_list(lua_State *L)
{
	if (lua_istable(L, 1)) {
		lua_Integer const length = luaL_len(L, 1);
		if (length > LONGEST)
			return luaL_error(L, "found a list of %I elements, expected at most %d", (LUAI_UACINT)length, LONGEST);
	}
	return call_original(L);
}

/* table.concat(list, separator, first, last), table.move(list, first, last, ...) */
static int with_range(lua_State *L, int first, int last)
{
	lua_Integer const low = luaL_optinteger(L, first, 1);
	lua_Integer const high = luaL_optinteger(L, last, low);
	if (high >= low && (lua_Unsigned)high - (lua_Unsigned)low >= LONGEST)
		return luaL_error(L, "found a range from %I to %I, expected at most %d elements", (LUAI_UACINT)low,
		                  (LUAI_UACINT)high, LONGEST);
	return 0;
}

static int concat(lua_State *L)
{
	with_range(L, 3, 4);
	return with_list(L);
}

static int with_range_2_3(lua_State *L)
{
	with_range(L, 2, 3);
	return call_original(L);
}

/* string.rep: an empty text repeated any number of times is empty */
static int rep(lua_State *L)
{
	size_t length, separator;
	luaL_checklstring(L, 1, &length);
	luaL_optlstring(L, 3, "", &separator);
	if (length + separator > 0)
		return call_original(L);
	lua_pushliteral(L, "");
	return 1;
}

/* setmetatable: Lua calls no hook within __gc, which could loop for ever */
static int set_metatable(lua_State *L)
{
	if (lua_istable(L, 2)) {
		lua_pushliteral(L, "__gc");
		if (lua_rawget(L, 2) != LUA_TNIL)
			return luaL_error(L, "found a metatable with __gc, expected none in a script");
		lua_pop(L, 1);
	}
	return call_original(L);
}

/* rawset: refuses tables whose metatables are protected, such as crux's */
static int raw_set(lua_State *L)
{
	if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
		return luaL_error(L, "found a table that is protected, expected one of the script's");
	return call_original(L);
}

/* bound(how, f) -> the library function f, made safe in one of the ways above: "list", "range" (arguments 2 and 3), "join",
 * "repeat", "metatable", "set" */
static int sandbox_bound(lua_State *L)
{
	static const char *const names[] = {"list", "range", "join", "repeat", "metatable", "set", NULL};
	static lua_CFunction const safe[] = {with_list, with_range_2_3, concat, rep, set_metatable, raw_set};
	int const how = luaL_checkoption(L, 1, NULL, names);
	luaL_argcheck(L, lua_tocfunction(L, 2), 2, "a function in C");
	lua_settop(L, 2);
	lua_pushcclosure(L, safe[how], 1);
	return 1;
}

CRUX_LIBRARY(sandbox,
	{"bound", sandbox_bound})
