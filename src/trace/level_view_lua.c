/* Views of a level: tables that stand for its tables while step is traced, and note what is read. */
#include <lauxlib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "boards/board_lua.h"
#include "lua/binding.h"
#include "trace/level_shape_lua.h"
#include "trace/symbol_lua.h"

int crux_level_refuse(lua_State *L, const char *what)
{
	lua_pushfstring(L, "found %s of the level, expected what can be compared with another level's", what);
	return crux_traced_raise(L);
}

crux_reading *crux_level_add_reading(lua_State *L, crux_level_shape *s, crux_reading_kind kind, uint32_t table)
{
	if (s->reading_count == CRUX_LEVEL_MAX_READINGS)
		luaL_error(L, "found a step that reads more than %d values of the level", CRUX_LEVEL_MAX_READINGS);
	if (s->reading_count == s->room) {
		size_t const room = 2 * s->room + 16;
		crux_reading *const readings = realloc(s->readings, room * sizeof *readings);
		if (!readings)
			luaL_error(L, "out of memory");
		s->readings = readings;
		s->room = room;
	}
	crux_reading *const r = &s->readings[s->reading_count++];
	*r = (crux_reading){.kind = kind, .table = table};
	return r;
}

/* Pops a value and returns its place in CRUX_SHAPE_NOTED of the shape at that index. */
static uint32_t note(lua_State *L, crux_level_shape *s, int index)
{
	lua_getiuservalue(L, index, CRUX_SHAPE_NOTED);
	lua_insert(L, -2);
	lua_rawseti(L, -2, ++s->noted_count);
	lua_pop(L, 1);
	return s->noted_count;
}

/* The index of the shape in functions of views. */
#define SHAPE lua_upvalueindex(1)

/* The number of the table for which the one at that index stands, by the shape at another; 0 when it stands for none. Raises
 * when the shape is finished. */
static uint32_t number_of(lua_State *L, const crux_level_shape *s, int shape_index, int table)
{
	if (!s->is_open) {
		lua_pushliteral(L, "found a level of which nothing is known any more, expected step to keep nothing");
		crux_traced_raise(L);
	}
	lua_getiuservalue(L, shape_index, CRUX_SHAPE_TABLES);
	lua_pushvalue(L, table);
	lua_rawget(L, -2);
	uint32_t const number = (uint32_t)lua_tointeger(L, -1);
	lua_pop(L, 2);
	return number;
}

/* The shape of the view at index 1, or of what reads of it gave, and the number of the table that it stands for. Scripts have
 * `next` of a view from pairs, and may call it with anything. */
static crux_level_shape *check_view(lua_State *L, uint32_t *number)
{
	crux_level_shape *const s = lua_touserdata(L, SHAPE);
	luaL_checktype(L, 1, LUA_TTABLE);
	*number = number_of(L, s, SHAPE, 1);
	luaL_argcheck(L, *number > 0, 1, "a table of the level");
	return s;
}

void crux_level_push_numbered(lua_State *L, int shape_index, uint32_t number)
{
	lua_getiuservalue(L, shape_index, CRUX_SHAPE_TABLES);
	lua_rawgeti(L, -1, number);
	lua_remove(L, -2);
}

enum { VIEW = 1, GOT, MARKS }; /* items of CRUX_SHAPE_VIEWS */

static void push_view(lua_State *L, int shape_index, uint32_t number, int item)
{
	lua_getiuservalue(L, shape_index, CRUX_SHAPE_VIEWS);
	lua_rawgeti(L, -1, number);
	lua_rawgeti(L, -1, item);
	lua_replace(L, -3);
	lua_pop(L, 1);
}

static int view_get(lua_State *L);
static int view_newindex(lua_State *L);
static int view_len(lua_State *L);
static int view_pairs(lua_State *L);
static int view_next(lua_State *L);

/* Methods of views; `get` and `next` serve the sandbox, too. */
static const luaL_Reg view_methods[] = {
	{"get",        view_get},
	{"__newindex", view_newindex},
	{"__len",      view_len},
	{"__pairs",    view_pairs},
	{"next",       view_next},
	{NULL,         NULL},
};

/* Marks metatables of views, in themselves. */
static const char mark;

/* Pushes a new view, and the table of what reads of it gave, which asks for the rest. */
static void make_view(lua_State *L, int shape_index)
{
	lua_newtable(L);
	lua_newtable(L);
	lua_createtable(L, 0, 1);
	lua_pushvalue(L, shape_index);
	lua_pushcclosure(L, view_get, 1);
	lua_setfield(L, -2, "__index");
	lua_setmetatable(L, -2);
	lua_createtable(L, 0, 8);
	lua_pushvalue(L, shape_index);
	luaL_setfuncs(L, view_methods, 1);
	lua_pushvalue(L, -2);
	lua_setfield(L, -2, "__index");
	lua_pushboolean(L, false);
	lua_setfield(L, -2, "__metatable");
	lua_pushvalue(L, shape_index);
	lua_rawsetp(L, -2, &mark);
	lua_setmetatable(L, -3);
}

/* Notes the number of a table. */
static void set_number(lua_State *L, int tables, int index, uint32_t number)
{
	lua_pushvalue(L, index);
	lua_pushinteger(L, number);
	lua_rawset(L, tables);
}

/* Numbers the level's table at that index, the shape's tables being at the next one, and makes its view. */
static uint32_t add_table(lua_State *L, crux_level_shape *s, int shape_index, int table)
{
	if (s->table_count == CRUX_LEVEL_MAX_TABLES)
		luaL_error(L, "found a step that reads more than %d tables of the level", CRUX_LEVEL_MAX_TABLES);
	uint32_t const number = ++s->table_count;
	make_view(L, shape_index);
	set_number(L, table + 1, table, number);
	set_number(L, table + 1, table + 2, number);
	set_number(L, table + 1, table + 3, number);
	lua_pushvalue(L, table);
	lua_rawseti(L, table + 1, number);
	lua_getiuservalue(L, shape_index, CRUX_SHAPE_VIEWS);
	lua_createtable(L, MARKS, 0);
	for (int item = VIEW; item <= GOT; item++) {
		lua_pushvalue(L, table + 1 + item);
		lua_rawseti(L, -2, item);
	}
	lua_newtable(L);
	lua_rawseti(L, -2, MARKS);
	lua_rawseti(L, -2, number);
	return number;
}

uint32_t crux_level_exchange_for_view(lua_State *L, crux_level_shape *s, int shape_index)
{
	int const table = lua_gettop(L);
	if (lua_getmetatable(L, table)) {
		lua_pop(L, 1);
		return s->is_shared ? (uint32_t)crux_level_refuse(L, "a table with a metatable") : 0;
	}
	lua_getiuservalue(L, shape_index, CRUX_SHAPE_TABLES);
	lua_pushvalue(L, table);
	lua_rawget(L, -2);
	uint32_t number = (uint32_t)lua_tointeger(L, -1);
	lua_pop(L, 1);
	if (number == 0)
		number = add_table(L, s, shape_index, table);
	lua_settop(L, table);
	push_view(L, shape_index, number, VIEW);
	lua_replace(L, table);
	return number;
}

/* Puts a parameter of the trace in the place of the board at the top of the stack. */
static void exchange_for_parameter(lua_State *L, crux_reading *r)
{
	crux_board_check(L, -1, &r->list.shape);
	lua_getiuservalue(L, SHAPE, CRUX_SHAPE_TRACE);
	r->place = crux_trace_given(crux_traced_check(L, -1)->trace);
	lua_getfield(L, -1, "given_board");
	lua_insert(L, -3);
	lua_insert(L, -2);
	lua_call(L, 2, 1);
}

/* Makes what was read of a key of a table at the top of the stack what step gets, and notes it. */
static void take_value(lua_State *L, crux_level_shape *s, uint32_t table, int key)
{
	int const type = lua_type(L, -1);
	bool const is_board = luaL_testudata(L, -1, CRUX_BOARD_TYPE) != NULL;
	bool const is_plain = type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING;
	if (!s->is_shared) {
		if (type == LUA_TTABLE)
			crux_level_exchange_for_view(L, s, SHAPE);
		return;
	}
	if (!is_plain && !is_board && type != LUA_TTABLE)
		crux_level_refuse(L, lua_typename(L, type));
	lua_pushvalue(L, key);
	uint32_t const noted = note(L, s, SHAPE);
	uint32_t value = 0;
	if (is_plain) {
		lua_pushvalue(L, -1);
		value = note(L, s, SHAPE);
	} else if (type == LUA_TTABLE) {
		value = crux_level_exchange_for_view(L, s, SHAPE);
	}
	crux_reading_kind const kind = is_plain ? CRUX_READ_VALUE : is_board ? CRUX_READ_BOARD : CRUX_READ_TABLE;
	crux_reading *const r = crux_level_add_reading(L, s, kind, table);
	r->key = noted;
	r->value = value;
	if (is_board)
		exchange_for_parameter(L, r);
}

static void check_key(lua_State *L, int key)
{
	int const type = lua_type(L, key);
	if (luaL_testudata(L, key, CRUX_SYMBOL_TYPE)) {
		lua_pushliteral(L, "found a value of the state, which differs from state to state, as a key of a table; "
		                   "write crux.lookup(t, x)");
		crux_traced_raise(L);
	}
	if (type != LUA_TSTRING && type != LUA_TNUMBER && type != LUA_TBOOLEAN)
		crux_level_refuse(L, "another key than a number, a text or a truth value of a table");
}

/* Whether that was noted of the table before; it is popped and noted. */
static bool is_noted(lua_State *L, uint32_t number)
{
	push_view(L, SHAPE, number, MARKS);
	lua_pushvalue(L, -2);
	bool const known = lua_rawget(L, -2) != LUA_TNIL;
	lua_pop(L, 1);
	lua_insert(L, -2);
	lua_pushboolean(L, true);
	lua_rawset(L, -3);
	lua_pop(L, 1);
	return known;
}

/* Pushes what step gets for the key at that index of the table with that number. */
static void push_value(lua_State *L, crux_level_shape *s, uint32_t number, int key)
{
	check_key(L, key);
	push_view(L, SHAPE, number, GOT);
	int const got = lua_gettop(L);
	lua_pushvalue(L, key);
	if (lua_rawget(L, got) != LUA_TNIL)
		return;
	crux_level_push_numbered(L, SHAPE, number);
	lua_pushvalue(L, key);
	lua_rawget(L, -2);
	lua_pushvalue(L, key);
	if (lua_isnil(L, -2) && is_noted(L, number))
		return;
	lua_settop(L, got + 3);
	take_value(L, s, number, key);
	lua_pushvalue(L, key);
	lua_pushvalue(L, -2);
	lua_rawset(L, got);
}

/* get(view, key) -> what step gets; also asked by the table of what reads of the view gave */
static int view_get(lua_State *L)
{
	uint32_t number;
	lua_settop(L, 2);
	crux_level_shape *const s = check_view(L, &number);
	if (!lua_isnil(L, 2))
		push_value(L, s, number, 2);
	return 1;
}

static int view_newindex(lua_State *L)
{
	lua_pushliteral(L, "found a write to the level, expected step to change nothing but the state");
	return crux_traced_raise(L);
}

static int view_len(lua_State *L)
{
	static const char what;
	uint32_t number;
	lua_settop(L, 1);
	crux_level_shape *const s = check_view(L, &number);
	crux_level_push_numbered(L, SHAPE, number);
	size_t const length = lua_rawlen(L, -1);
	lua_pushlightuserdata(L, (void *)&what);
	if (!is_noted(L, number) && s->is_shared)
		crux_level_add_reading(L, s, CRUX_READ_LENGTH, number)->count = length;
	lua_pushinteger(L, (lua_Integer)length);
	return 1;
}

/* Notes the keys of the table at the top of the stack, in the order of next. */
static void note_keys(lua_State *L, crux_level_shape *s, uint32_t number)
{
	static const char what;
	lua_pushlightuserdata(L, (void *)&what);
	if (is_noted(L, number) || !s->is_shared)
		return;
	int const table = lua_gettop(L);
	lua_newtable(L);
	lua_Integer count = 0;
	for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
		check_key(L, -2);
		lua_pushvalue(L, -2);
		lua_rawseti(L, table + 1, ++count);
	}
	uint32_t const keys = note(L, s, SHAPE);
	crux_level_add_reading(L, s, CRUX_READ_KEYS, number)->key = keys;
}

/* next(view, key) -> the key after that of the level's table, and its value */
static int view_next(lua_State *L)
{
	uint32_t number;
	lua_settop(L, 2);
	crux_level_shape *const s = check_view(L, &number);
	crux_level_push_numbered(L, SHAPE, number);
	note_keys(L, s, number);
	lua_pushvalue(L, 2);
	if (!lua_next(L, 3)) {
		lua_pushnil(L);
		return 1;
	}
	lua_pop(L, 1);
	lua_replace(L, 2);
	lua_settop(L, 2);
	lua_pushvalue(L, 2);
	push_value(L, s, number, 2);
	lua_pushvalue(L, 2);
	lua_insert(L, -2);
	return 2;
}

static int view_pairs(lua_State *L)
{
	lua_settop(L, 1);
	if (luaL_getmetafield(L, 1, "next") == LUA_TNIL)
		return luaL_argerror(L, 1, "a table of the level");
	lua_insert(L, 1);
	lua_pushnil(L);
	return 3;
}

crux_level_shape *crux_level_push_shape(lua_State *L, int index, uint32_t *number)
{
	if (!lua_istable(L, index) || !lua_getmetatable(L, index))
		return NULL;
	lua_rawgetp(L, -1, &mark);
	lua_remove(L, -2);
	crux_level_shape *const s = lua_touserdata(L, -1);
	if (!s) {
		lua_pop(L, 1);
		return NULL;
	}
	*number = number_of(L, s, lua_gettop(L), index);
	return s;
}

bool crux_level_push_table(lua_State *L, int index)
{
	uint32_t number;
	if (!crux_level_push_shape(L, index, &number))
		return false;
	crux_level_push_numbered(L, lua_gettop(L), number);
	lua_remove(L, -2);
	return true;
}

/* Calls upvalue 1, a raw function, with the level's table in place of a view; with a view, `next` is the view's. */
static int without_views(lua_State *L)
{
	int const count = lua_gettop(L);
	uint32_t number;
	if (count > 0 && crux_level_push_shape(L, 1, &number)) {
		lua_pop(L, 1);
		if (luaL_getmetafield(L, 1, lua_tostring(L, lua_upvalueindex(2))) == LUA_TNIL)
			return crux_level_refuse(L, "a raw write");
	} else {
		lua_pushvalue(L, lua_upvalueindex(1));
	}
	lua_insert(L, 1);
	lua_call(L, count, LUA_MULTRET);
	return lua_gettop(L);
}

/* guard(environment): makes next, rawget, rawlen and rawset of a script's environment, in which it did not run yet, treat
 * views as the tables for which they stand; all functions there are trusted to depend on nothing that changes */
int crux_level_guard(lua_State *L)
{
	static const char *const names[][2] = {
		{"next", "next"}, {"rawget", "get"}, {"rawlen", "__len"}, {"rawset", "__newindex"},
	};
	luaL_checktype(L, 1, LUA_TTABLE);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		lua_getfield(L, 1, names[i][0]);
		lua_pushstring(L, names[i][1]);
		lua_pushcclosure(L, without_views, 2);
		lua_setfield(L, 1, names[i][0]);
	}
	crux_reached_trust(L, 1);
	return 0;
}
