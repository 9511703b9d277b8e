/* Helpers of all bindings; see binding.h. */
#include "lua/binding.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

int crux_fail(lua_State *L, const char *message)
{
	lua_pushnil(L);
	lua_pushstring(L, message);
	return 2;
}

int crux_open_type(lua_State *L, const char *type, const luaL_Reg *methods, const luaL_Reg *functions)
{
	luaL_newmetatable(L, type);
	lua_newtable(L); /* not the metatable itself, as values would then have the metamethods as fields */
	for (luaL_Reg const *m = methods; m->name; m++) {
		if (strncmp(m->name, "__", 2) == 0)
			continue;
		lua_pushcfunction(L, m->func);
		lua_setfield(L, -2, m->name);
	}
	lua_setfield(L, -2, "__index");
	luaL_setfuncs(L, methods, 0);
	lua_newtable(L);
	luaL_setfuncs(L, functions, 0);
	return 1;
}

void *crux_handle_new(lua_State *L, const char *type, size_t size, int user_values)
{
	void *const handle = memset(lua_newuserdatauv(L, size, user_values), 0, size);
	luaL_setmetatable(L, type);
	return handle;
}

void *crux_handle_check(lua_State *L, int index, const char *type, const char *closed)
{
	void *const handle = luaL_checkudata(L, index, type), *content;
	memcpy(&content, handle, sizeof content);
	luaL_argcheck(L, content, index, closed);
	return handle;
}

void *crux_handle_take(lua_State *L, const char *type)
{
	void *const handle = luaL_checkudata(L, 1, type), *content;
	memcpy(&content, handle, sizeof content);
	memset(handle, 0, sizeof content);
	return content;
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

size_t crux_check_length(lua_State *L, int index)
{
	luaL_checktype(L, index, LUA_TTABLE);
	lua_Unsigned const length = lua_rawlen(L, index);
	luaL_argcheck(L, length <= INT32_MAX, index, "a list without holes expected");
	return (size_t)length;
}

int crux_check_descriptor(lua_State *L)
{
	luaL_Stream const *stream = luaL_checkudata(L, 1, LUA_FILEHANDLE);
	luaL_argcheck(L, stream->closef, 1, "closed file");
	return fileno(stream->f);
}

size_t crux_check_limit(lua_State *L, int table, const char *name)
{
	lua_Integer value = 0;
	if (crux_push_field(L, table, name) != LUA_TNIL) {
		value = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : 0;
		if (value < 1)
			luaL_argerror(L, table, lua_pushfstring(L, "%s: expected an integer from 1", name));
	}
	lua_pop(L, 1);
	return (size_t)value;
}

double crux_check_seconds(lua_State *L, int table, const char *name)
{
	double value = 0;
	if (crux_push_field(L, table, name) != LUA_TNIL) {
		value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
		if (!(value > 0))
			luaL_argerror(L, table, lua_pushfstring(L, "%s: expected a number above 0", name));
	}
	lua_pop(L, 1);
	return value;
}

/* Its address is the key of the bytes that limit_bytes allows, in the registry. */
static const char bytes_key;

int crux_limit_bytes(lua_State *L)
{
	lua_Integer const limit = luaL_optinteger(L, 1, (lua_Integer)1 << 30);
	luaL_argcheck(L, limit >= 1, 1, "a number of bytes from 1");
	lua_pushinteger(L, limit);
	lua_rawsetp(L, LUA_REGISTRYINDEX, &bytes_key);
	return 0;
}

size_t crux_check_bytes(lua_State *L, int table)
{
	bool const is_set = lua_rawgetp(L, LUA_REGISTRYINDEX, &bytes_key) != LUA_TNIL;
	size_t const limit = is_set ? (size_t)lua_tointeger(L, -1) : (size_t)1 << 30;
	lua_pop(L, 1);
	size_t const bytes = lua_istable(L, table) ? crux_check_limit(L, table, "bytes") : 0;
	return bytes > 0 && bytes < limit ? bytes : limit;
}

void crux_set_operators(lua_State *L, const char *type, lua_CFunction function, const char *const *events, size_t count)
{
	luaL_getmetatable(L, type);
	for (size_t i = 0; i < count; i++) {
		lua_pushinteger(L, (lua_Integer)i);
		lua_pushcclosure(L, function, 1);
		lua_setfield(L, -2, events[i]);
	}
	lua_pop(L, 1);
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

void crux_set_solutions(lua_State *L, uint64_t count)
{
	if (count <= LUA_MAXINTEGER) {
		crux_set_integer(L, "solutions", (lua_Integer)count);
		return;
	}
	lua_pushboolean(L, true);
	lua_setfield(L, -2, "solutions_overflow");
}

/* True for a text that is short enough for messages, and printable. */
static bool is_short(const char *text)
{
	size_t length = 0;
	while (length < 40 && isprint((unsigned char)text[length]))
		length++;
	return text[length] == '\0';
}

void crux_push_shown(lua_State *L, int index)
{
	int const type = lua_type(L, index);
	index = lua_absindex(L, index);
	if (type == LUA_TUSERDATA && luaL_getmetafield(L, index, "__shown") != LUA_TNIL) {
		if (lua_isfunction(L, -1)) {
			lua_pushvalue(L, index);
			lua_call(L, 1, 1);
		}
	} else if (type == LUA_TNIL) {
		lua_pushliteral(L, "nothing");
	} else if (type == LUA_TNUMBER || type == LUA_TBOOLEAN) {
		luaL_tolstring(L, index, NULL);
	} else if (type == LUA_TSTRING && is_short(lua_tostring(L, index))) {
		lua_pushfstring(L, "'%s'", lua_tostring(L, index));
	} else {
		lua_pushfstring(L, "a %s", luaL_typename(L, index));
	}
}
