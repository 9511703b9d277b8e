/* What is recorded of a step that is traced; see traced_lua.h. */
#include "trace/traced_lua.h"

#include <lauxlib.h>

#include "lua/binding.h"

crux_traced *crux_traced_check(lua_State *L, int index)
{
	crux_traced *traced = luaL_checkudata(L, index, CRUX_TRACE_TYPE);
	luaL_argcheck(L, traced->trace, index, "the trace was closed");
	return traced;
}

void crux_traced_push_line(lua_State *L)
{
	lua_Debug about;
	for (int level = 1; lua_getstack(L, level, &about); level++) {
		lua_getinfo(L, "Sl", &about);
		if (about.currentline > 0) {
			lua_pushfstring(L, "%s:%d: ", about.short_src, about.currentline);
			return;
		}
	}
	lua_pushliteral(L, "");
}

int crux_traced_raise(lua_State *L)
{
	crux_traced_push_line(L);
	lua_insert(L, -2);
	lua_concat(L, 2);
	return lua_error(L);
}
