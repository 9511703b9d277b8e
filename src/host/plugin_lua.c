/* crux.so: require "crux" loads it in other Lua programs. It runs lua/crux/api/plugin.lua, which opens the library. */
#include <lauxlib.h>

#include "base/fault.h"
#include "crux.h"
#include "host/home.h"
#include "host/module_searcher.h"
#include "host/primitives.h"
#include "host/workers.h"
#include "limits/budget.h"

/* Lua calls it with the required name and the path of this file. */
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
	const char *const source_prefix = lua_pushfstring(L, "@%s/lua/", home);
	luaL_ref(L, LUA_REGISTRYINDEX);
	crux_budget_adopt(L, source_prefix);
	crux_module_searcher_add(L, home, &crux_engine_modules);
	lua_getglobal(L, "require");
	lua_pushliteral(L, "crux.api.plugin");
	lua_call(L, 1, 1);
	return 1;
}
