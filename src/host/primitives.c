/* Registers the modules in C with require. */
#include "host/primitives.h"

#include <lauxlib.h>

#include "lua/modules.h"

void crux_preload(lua_State *L, const char *name, lua_CFunction open)
{
	luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
	lua_pushcfunction(L, open);
	lua_setfield(L, -2, name);
	lua_pop(L, 1);
}

void crux_primitives_preload(lua_State *L)
{
#define PRELOAD(name) crux_preload(L, "libcrux." #name, crux_open_##name);
	CRUX_MODULES(PRELOAD)
#undef PRELOAD
}
