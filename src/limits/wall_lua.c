/* libcrux.wall: the filter of system calls; see wall.h. */
#include <lauxlib.h>
#include <limits.h>
#include <string.h>

#include "base/executor.h"
#include "limits/probes.h"
#include "limits/wall.h"
#include "lua/binding.h"
#include "lua/modules.h"

/* raise(socket) -> true; or nil and why not. A server names the socket on which it listens. Processes of MPI need sockets; their workers raise walls of their own. */
static int wall_raise(lua_State *L)
{
	lua_Integer const listening = luaL_optinteger(L, 1, -1);
	crux_fault fault;
	luaL_argcheck(L, listening >= -1 && listening <= INT_MAX, 1, "a descriptor");
	if (lua_getfield(L, LUA_REGISTRYINDEX, CRUX_EXECUTOR_KEY) != LUA_TNIL)
		return crux_fail(L, "processes of MPI talk to each other: it stands around their workers");
	if (!crux_wall_raise_serving((int)listening, &fault))
		return crux_fail(L, fault.message);
	lua_pushboolean(L, true);
	return 1;
}

/* probes() -> a list of { what, message }: tries what the wall prevents; message is why that failed, nil if it did not */
static int wall_probes(lua_State *L)
{
	lua_createtable(L, (int)crux_probe_count, 0);
	for (size_t i = 0; i < crux_probe_count; i++) {
		int const error = crux_probes[i].try();
		lua_createtable(L, 2, 0);
		lua_pushstring(L, crux_probes[i].what);
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
	{"probes", wall_probes},
	{NULL,       NULL},
};

int crux_open_wall(lua_State *L)
{
	luaL_newlib(L, functions);
	crux_set_string(L, "missing", crux_wall_missing); /* nil if this build has a wall */
	return 1;
}
