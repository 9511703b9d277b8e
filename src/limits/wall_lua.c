/* libcrux.wall: the second wall behind the sandbox of scripts; see wall.h. */
#include <lauxlib.h>
#include <string.h>

#include "base/executor.h"
#include "limits/wall.h"
#include "lua/binding.h"
#include "lua/modules.h"

/* raise() -> true, or nil and why not. Processes of MPI talk to each other; their workers have a wall of their own. */
static int wall_raise(lua_State *L)
{
	crux_fault fault;
	if (lua_getfield(L, LUA_REGISTRYINDEX, CRUX_EXECUTOR_KEY) != LUA_TNIL)
		return crux_fail(L, "processes of MPI talk to each other: it stands around their workers");
	if (!crux_wall_raise(&fault))
		return crux_fail(L, fault.message);
	lua_pushboolean(L, true);
	return 1;
}

/* attempts() -> a list of { what, why it failed, or nil if it did not }: what the wall prevents, tried */
static int wall_attempts(lua_State *L)
{
	lua_createtable(L, (int)crux_wall_attempt_count, 0);
	for (size_t i = 0; i < crux_wall_attempt_count; i++) {
		int const error = crux_wall_attempts[i].try();
		lua_createtable(L, 2, 0);
		lua_pushstring(L, crux_wall_attempts[i].what);
		lua_rawseti(L, -2, 1);
		if (error != 0) {
			lua_pushstring(L, strerror(error));
			lua_rawseti(L, -2, 2);
		}
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

static const luaL_Reg functions[] = {
	{"raise",    wall_raise},
	{"attempts", wall_attempts},
	{NULL,       NULL},
};

int crux_open_wall(lua_State *L)
{
	luaL_newlib(L, functions);
	lua_pushstring(L, crux_wall_missing);
	lua_setfield(L, -2, "missing"); /* why there is none, or nil */
	return 1;
}
