/* lpeg as the program and the library have it: linked in. */
#include <lauxlib.h>
#include <lua-lpeg.h>

#include "primitives.h"

void crux_lpeg_preload(lua_State *L)
{
	luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
	lua_pushcfunction(L, luaopen_lpeg);
	lua_setfield(L, -2, "lpeg");
	lua_pop(L, 1);
}
