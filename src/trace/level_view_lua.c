/* Views of a level: tables that stand for its tables while step is traced, and record reads. */
#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

#include "base/block.h"
#include "boards/board_lua.h"
#include "lua/binding.h"
#include "trace/level_shape_lua.h"
#include "trace/symbol_lua.h"

int crux_level_refuse(lua_State *L, const char *what)
{
	lua_pushfstring(L, "found %s of the level, expected what can be compared with another level's", what);
	return crux_traced_raise(L);
}

/* Pops a value and returns its index in CRUX_SHAPE_RECORDED of the shape at that index. */
static uint32_t record(lua_State *L, crux_level_shape *s, int index)
{
	lua_getiuservalue(L, index, CRUX_SHAPE_RECORDED);
	lua_insert(L, -2);
	lua_rawseti(L, -2, ++s->recorded_count);
	lua_pop(L, 1);
	return s->recorded_count;
}

crux_reading *crux_level_add_reading(lua_State *L, crux_level_shape *s, int index, crux_reading_kind kind, uint32_t table)
{
	if (s->reading_count == CRUX_LEVEL_MAX_READINGS)
		luaL_error(L, "found a step that reads more than %d values of the level", CRUX_LEVEL_MAX_READINGS);
	if (!crux_array_grow(CRUX_ARRAY(s->readings, s->reading_count + 1), &s->room))
		luaL_error(L, "out of memory");
	crux_traced_push_line(L);
	uint32_t const line = record(L, s, index);
	crux_reading *const r = &s->readings[s->reading_count++];
	*r = (crux_reading){.kind = kind, .table = table, .line = line};
	return r;
}

/* The index of the shape in functions of views. */
#define SHAPE lua_upvalueindex(1)

/* The number of the level's table for which the table at index `table` stands; 0 when it stands for none. Raises when the shape
 * is finished. */
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

/* The shape of the view (or its table of results) at index 1, and the number of its table. Raises for other values: scripts get
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

enum { VIEW = 1, RESULTS, MARKS }; /* items of CRUX_SHAPE_VIEWS */

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

/* Methods of views; crux_level_guard uses some, too. */
static const luaL_Reg view_methods[] = {
	{"get",        view_get},
	{"__newindex", view_newindex},
	{"__len",      view_len},
	{"__pairs",    view_pairs},
	{"next",       view_next},
	{NULL,         NULL},
};

/* Key of the shape in metatables of views. */
static const char mark;

/* Pushes a new view, and its table of results, whose __index reads the level. */
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

/* Sets the number of a table. */
static void set_number(lua_State *L, int tables, int index, uint32_t number)
{
	lua_pushvalue(L, index);
	lua_pushinteger(L, number);
	lua_rawset(L, tables);
}

/* Numbers the level's table at index `table` and makes its view; CRUX_SHAPE_TABLES is at the next index. */
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
	for (int item = VIEW; item <= RESULTS; item++) {
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

/* Replaces the board at the top of the stack by a parameter of the trace. */
static void exchange_for_parameter(lua_State *L, crux_reading *r)
{
	crux_board_check(L, -1, &r->list.shape);
	lua_getiuservalue(L, SHAPE, CRUX_SHAPE_TRACE);
	r->place = crux_traced_check(L, -1)->trace->parameter_count;
	lua_getfield(L, -1, "given_board");
	lua_insert(L, -3);
	lua_insert(L, -2);
	lua_call(L, 2, 1);
}

/* Records the value at the top of the stack, read at a key of a table, and replaces it by the value for step. */
static void record_value(lua_State *L, crux_level_shape *s, uint32_t table, int key)
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
	uint32_t const recorded = record(L, s, SHAPE);
	uint32_t value = 0;
	if (is_plain) {
		lua_pushvalue(L, -1);
		value = record(L, s, SHAPE);
	} else if (type == LUA_TTABLE) {
		value = crux_level_exchange_for_view(L, s, SHAPE);
	}
	crux_reading_kind const kind = is_plain ? CRUX_READ_VALUE : is_board ? CRUX_READ_BOARD : CRUX_READ_TABLE;
	crux_reading *const r = crux_level_add_reading(L, s, SHAPE, kind, table);
	r->key = recorded;
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

/* Pops a value and adds it to the marks of a table; true when it was there before. */
static bool add_mark(lua_State *L, uint32_t number)
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

/* Pushes the value for step of the key at index `key` in a table. */
static void push_value(lua_State *L, crux_level_shape *s, uint32_t number, int key)
{
	check_key(L, key);
	push_view(L, SHAPE, number, RESULTS);
	int const results = lua_gettop(L);
	lua_pushvalue(L, key);
	if (lua_rawget(L, results) != LUA_TNIL)
		return;
	crux_level_push_numbered(L, SHAPE, number);
	lua_pushvalue(L, key);
	lua_rawget(L, -2);
	lua_pushvalue(L, key);
	if (lua_isnil(L, -2) && add_mark(L, number))
		return;
	lua_settop(L, results + 3);
	record_value(L, s, number, key);
	lua_pushvalue(L, key);
	lua_pushvalue(L, -2);
	lua_rawset(L, results);
}

/* get(view, key) -> the value for step; also __index of the table of results */
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
	if (!add_mark(L, number) && s->is_shared)
		crux_level_add_reading(L, s, SHAPE, CRUX_READ_LENGTH, number)->count = length;
	lua_pushinteger(L, (lua_Integer)length);
	return 1;
}

/* Records the keys of the table at the top of the stack, in the order of next. */
static void record_keys(lua_State *L, crux_level_shape *s, uint32_t number)
{
	static const char what;
	lua_pushlightuserdata(L, (void *)&what);
	if (add_mark(L, number) || !s->is_shared)
		return;
	int const table = lua_gettop(L);
	lua_newtable(L);
	lua_Integer count = 0;
	for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
		check_key(L, -2);
		lua_pushvalue(L, -2);
		lua_rawseti(L, table + 1, ++count);
	}
	uint32_t const keys = record(L, s, SHAPE);
	crux_level_add_reading(L, s, SHAPE, CRUX_READ_KEYS, number)->key = keys;
}

/* next(view, key) -> the next key of the level's table, and its value */
static int view_next(lua_State *L)
{
	uint32_t number;
	lua_settop(L, 2);
	crux_level_shape *const s = check_view(L, &number);
	crux_level_push_numbered(L, SHAPE, number);
	record_keys(L, s, number);
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

bool crux_level_push_trace(lua_State *L, int index)
{
	uint32_t number;
	if (!crux_level_push_shape(L, index, &number))
		return false;
	lua_getiuservalue(L, -1, CRUX_SHAPE_TRACE);
	lua_remove(L, -2);
	return true;
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

/* Calls the view's method named by upvalue 2 if the first argument is a view, else upvalue 1, a raw function. */
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

/* guard(environment): makes next, rawget, rawlen and rawset in the environment of a script that has not run yet handle views, and
 * marks all functions and protected tables there as depending on nothing that changes */
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
