/* Makes the modules of C known to require. */
#include "host/primitives.h"

#include <lauxlib.h>

#include "lua/modules.h"

#define MODULE(name) {"libcrux." #name, crux_open_##name},
static const luaL_Reg modules[] = {CRUX_MODULES(MODULE){NULL, NULL}};
#undef MODULE

void crux_primitives_preload(lua_State *L)
{
	luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
	luaL_setfuncs(L, modules, 0);
	lua_pop(L, 1);
}
