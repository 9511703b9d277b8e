/* crux.so: what require "crux" loads in a Lua that is not crux's own. lua/crux/plugin.lua does the rest. */
#include <lauxlib.h>

#include "budget.h"
#include "crux.h"
#include "fault.h"
#include "home.h"
#include "primitives.h"

void crux_lpeg_preload(lua_State *unused) { (void)unused; }

/* Opens the library. Lua calls it with the name that is required and the path of this file. */
CRUX_API int luaopen_crux(lua_State *L);

int luaopen_crux(lua_State *L)
{
	char home[PATH_MAX];
	crux_fault fault;
	luaL_checkversion(L);
	if (!crux_home_find(NULL, home, &fault))
		return luaL_error(L, "%s", fault.message);
	crux_budget_adopt(L);
	crux_primitives_preload(L);
	lua_pushfstring(L, "%s/lua/crux/plugin.lua", home);
	if (luaL_loadfile(L, lua_tostring(L, -1)) != LUA_OK)
		return lua_error(L);
	lua_pushstring(L, home);
	lua_call(L, 1, 1);
	return 1;
}
