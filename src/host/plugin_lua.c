/* crux.so: what require "crux" loads in a Lua that is not crux's own. lua/crux/api/plugin.lua does the rest. */
#include <lauxlib.h>

#include "base/fault.h"
#include "crux.h"
#include "host/home.h"
#include "host/primitives.h"
#include "host/workers.h"
#include "limits/budget.h"

/* Opens the library. Lua calls it with the name that is required and the path of this file. */
CRUX_API int luaopen_crux(lua_State *L);

int luaopen_crux(lua_State *L)
{
	char home[PATH_MAX];
	crux_fault fault;
	luaL_checkversion(L);
	if (!crux_home_find(NULL, home, &fault))
		return luaL_error(L, "%s", fault.message);
	crux_primitives_preload(L);
	crux_workers_preload(L, NULL);
	const char *const own = lua_pushfstring(L, "@%s/lua/", home);
	luaL_ref(L, LUA_REGISTRYINDEX);
	crux_budget_adopt(L, own);
	lua_pushfstring(L, "%s/lua/crux/api/plugin.lua", home);
	if (luaL_loadfile(L, lua_tostring(L, -1)) != LUA_OK)
		return lua_error(L);
	lua_pushstring(L, home);
	lua_call(L, 1, 1);
	return 1;
}
