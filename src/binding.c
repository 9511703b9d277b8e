/* Small things that bindings do; see binding.h. */
#include "binding.h"

int crux_fail(lua_State *L, const char *message)
{
	lua_pushnil(L);
	lua_pushstring(L, message);
	return 2;
}

bool crux_take_int(lua_State *L, int *value)
{
	int is_integer;
	lua_Integer const found = lua_tointegerx(L, -1, &is_integer);
	lua_pop(L, 1);
	*value = (int)found;
	return is_integer && found == *value;
}

int crux_push_field(lua_State *L, int table, const char *name)
{
	lua_pushstring(L, name);
	return lua_rawget(L, table);
}

void crux_set_integer(lua_State *L, const char *name, lua_Integer value)
{
	lua_pushinteger(L, value);
	lua_setfield(L, -2, name);
}

void crux_set_number(lua_State *L, const char *name, lua_Number value)
{
	lua_pushnumber(L, value);
	lua_setfield(L, -2, name);
}

void crux_set_string(lua_State *L, const char *name, const char *value)
{
	lua_pushstring(L, value);
	lua_setfield(L, -2, name);
}
