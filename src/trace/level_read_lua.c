/* What a step reads while it is compiled: of the level, and of variables and tables that outlive the call. */
#include <lauxlib.h>
#include <stdbool.h>

#include "base/block.h"
#include "boards/board_lua.h"
#include "trace/level_shape_lua.h"
#include "trace/symbol_lua.h"

int crux_level_refuse(lua_State *L, const char *what)
{
	lua_pushfstring(L, "found %s of the level, expected what can be compared with another level's", what);
	return crux_traced_refuse(L);
}

/* Pops a value and returns its index in CRUX_SHAPE_RECORDED of the shape at index 1. */
static uint32_t record(lua_State *L, crux_level_shape *s)
{
	lua_getiuservalue(L, 1, CRUX_SHAPE_RECORDED);
	lua_insert(L, -2);
	lua_rawseti(L, -2, ++s->recorded_count);
	lua_pop(L, 1);
	return s->recorded_count;
}

crux_reading *crux_level_add_reading(lua_State *L, crux_level_shape *s, crux_reading_kind kind, uint32_t table, int place)
{
	if (s->reading_count == CRUX_LEVEL_MAX_READINGS)
		luaL_error(L, "found a step that reads more than %d values of the level", CRUX_LEVEL_MAX_READINGS);
	if (!crux_array_grow(CRUX_ARRAY(s->readings, s->reading_count + 1), &s->room))
		luaL_error(L, "out of memory");
	lua_pushvalue(L, place);
	uint32_t const line = record(L, s);
	crux_reading *const r = &s->readings[s->reading_count++];
	*r = (crux_reading){.kind = kind, .table = table, .line = line};
	return r;
}

void crux_level_push_numbered(lua_State *L, int shape_index, uint32_t number)
{
	lua_getiuservalue(L, shape_index, CRUX_SHAPE_TABLES);
	lua_rawgeti(L, -1, number);
	lua_remove(L, -2);
}

uint32_t crux_level_number(lua_State *L, crux_level_shape *s, int shape_index)
{
	int const table = lua_gettop(L);
	if (lua_getmetatable(L, table))
		return (uint32_t)crux_level_refuse(L, "a table with a metatable");
	lua_getiuservalue(L, shape_index, CRUX_SHAPE_TABLES);
	lua_pushvalue(L, table);
	lua_rawget(L, -2);
	uint32_t number = (uint32_t)lua_tointeger(L, -1);
	if (number == 0) {
		if (s->table_count == CRUX_LEVEL_MAX_TABLES)
			luaL_error(L, "found a step that reads more than %d tables of the level", CRUX_LEVEL_MAX_TABLES);
		number = ++s->table_count;
		lua_pushvalue(L, table);
		lua_pushinteger(L, number);
		lua_rawset(L, table + 1);
		lua_pushvalue(L, table);
		lua_rawseti(L, table + 1, number);
	}
	lua_settop(L, table);
	return number;
}

/* The open shape at index 1. */
static crux_level_shape *check_open(lua_State *L)
{
	crux_level_shape *const s = luaL_checkudata(L, 1, CRUX_LEVEL_SHAPE_TYPE);
	luaL_argcheck(L, s->is_open, 1, "the shape is finished");
	return s;
}

/* The number at index 2 of a table of the level. */
static uint32_t check_number(lua_State *L, const crux_level_shape *s)
{
	lua_Integer const number = luaL_checkinteger(L, 2);
	luaL_argcheck(L, number >= 1 && number <= s->table_count, 2, "the number of a table");
	return (uint32_t)number;
}

static void check_key(lua_State *L, int key)
{
	int const type = lua_type(L, key);
	if (type != LUA_TSTRING && type != LUA_TNUMBER && type != LUA_TBOOLEAN)
		crux_level_refuse(L, "another key than a number, a text or a truth value of a table");
}

/* shape:read(number, key, place) -> the value at a key of a table for step: a board is a parameter; and the number of a table */
int crux_level_read(lua_State *L)
{
	crux_level_shape *const s = check_open(L);
	uint32_t const table = check_number(L, s);
	lua_settop(L, 4);
	check_key(L, 3);
	crux_level_push_numbered(L, 1, table);
	lua_pushvalue(L, 3);
	lua_rawget(L, 5);
	int const type = lua_type(L, 6);
	bool const is_board = luaL_testudata(L, 6, CRUX_BOARD_TYPE) != NULL;
	bool const is_plain = type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING;
	if (!is_plain && !is_board && type != LUA_TTABLE)
		return crux_level_refuse(L, lua_typename(L, type));
	crux_reading_kind const kind = is_plain ? CRUX_READ_VALUE : is_board ? CRUX_READ_BOARD : CRUX_READ_TABLE;
	uint32_t const number = type == LUA_TTABLE ? crux_level_number(L, s, 1) : 0;
	crux_reading *const r = crux_level_add_reading(L, s, kind, table, 4);
	lua_pushvalue(L, 3);
	r->key = record(L, s);
	r->value = number;
	if (is_plain) {
		lua_pushvalue(L, 6);
		r->value = record(L, s);
	} else if (is_board) {
		crux_board_check(L, 6, &r->list.shape);
		lua_getiuservalue(L, 1, CRUX_SHAPE_TRACE);
		r->place = crux_traced_check(L, -1)->trace->parameter_count;
		lua_getfield(L, -1, "given_board");
		lua_insert(L, -2);
		lua_pushvalue(L, 6);
		lua_call(L, 2, 1);
	} else {
		lua_pushinteger(L, number);
		return 2;
	}
	return 1;
}

/* shape:length(number, place) -> the length of a table */
int crux_level_length(lua_State *L)
{
	crux_level_shape *const s = check_open(L);
	uint32_t const table = check_number(L, s);
	lua_settop(L, 3);
	crux_level_push_numbered(L, 1, table);
	size_t const length = lua_rawlen(L, 4);
	crux_level_add_reading(L, s, CRUX_READ_LENGTH, table, 3)->count = length;
	lua_pushinteger(L, (lua_Integer)length);
	return 1;
}

/* shape:keys(number, place) -> list of the keys of a table, in the order of next */
int crux_level_keys(lua_State *L)
{
	crux_level_shape *const s = check_open(L);
	uint32_t const table = check_number(L, s);
	lua_settop(L, 3);
	crux_level_push_numbered(L, 1, table);
	lua_newtable(L);
	lua_Integer count = 0;
	for (lua_pushnil(L); lua_next(L, 4); lua_pop(L, 1)) {
		check_key(L, -2);
		lua_pushvalue(L, -2);
		lua_rawseti(L, 5, ++count);
	}
	crux_reading *const r = crux_level_add_reading(L, s, CRUX_READ_KEYS, table, 3);
	lua_pushvalue(L, 5);
	r->key = record(L, s);
	return 1;
}

bool crux_level_push_held(lua_State *L, int holder, int key)
{
	if (lua_isfunction(L, holder))
		return lua_getupvalue(L, holder, (int)lua_tointeger(L, key)) != NULL;
	if (!lua_isnil(L, key)) {
		lua_pushvalue(L, key);
		lua_rawget(L, holder);
	} else if (!lua_getmetatable(L, holder)) {
		lua_pushnil(L);
	}
	return true;
}

/* shape:held(holder, key, place) -> the value at a key of a table that is no level's, the upvalue of a function with that number,
 * or without a key the metatable of a table: it must be the same for other levels */
int crux_level_held(lua_State *L)
{
	crux_level_shape *const s = check_open(L);
	lua_settop(L, 4);
	luaL_argcheck(L, lua_istable(L, 2) || (lua_isfunction(L, 2) && !lua_iscfunction(L, 2) && lua_isinteger(L, 3)), 2,
	              "a table, or a function in Lua and a number");
	if (!crux_level_push_held(L, 2, 3))
		return luaL_argerror(L, 3, "the number of an upvalue");
	crux_reading *const r = crux_level_add_reading(L, s, CRUX_READ_HELD, 0, 4);
	lua_pushvalue(L, 2);
	r->table = record(L, s);
	lua_pushvalue(L, 3);
	r->key = record(L, s);
	lua_pushvalue(L, 5);
	r->value = record(L, s);
	lua_settop(L, 5);
	return 1;
}
