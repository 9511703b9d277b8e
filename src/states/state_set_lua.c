/* libcrux.state_set: the states of a search, as tables that scripts read and write and as packed keys. */
#include "states/state_set_lua.h"

#include <lauxlib.h>
#include <stdbool.h>

#include "base/fault.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "states/state_table_lua.h"

#define TYPE "crux.state_set"

typedef struct states {
	crux_state_layout *layout;
	crux_state_set *set; /* NULL: closed */
	size_t notes;
	bool may_add;    /* whether key is that of a state that is not in the set */
	int64_t *values; /* room for one state, */
	uint64_t *key;   /* and for its key */
	crux_table_fields fields;
	crux_table_field rows[];
} states;

enum { NAMES = 1, METATABLE, ROOM }; /* user values: of tables that stand for states, and the memory of values and key */

static states *check(lua_State *L)
{
	states *s = luaL_checkudata(L, 1, TYPE);
	luaL_argcheck(L, s->set, 1, "the set was closed");
	return s;
}

crux_state_set *crux_state_set_check(lua_State *L, int index, const crux_state_layout **layout)
{
	states const *s = luaL_checkudata(L, index, TYPE);
	luaL_argcheck(L, s->set, index, "the set was closed");
	*layout = s->layout;
	return s->set;
}

static uint32_t check_index(lua_State *L, const states *s)
{
	lua_Integer const index = luaL_checkinteger(L, 2);
	luaL_argcheck(L, index >= 1 && index <= crux_state_set_count(s->set), 2, "no such state");
	return (uint32_t)(index - 1);
}

/* new(fields, notes, byte limit) -> an empty set of states of those fields, with so many notes each (integers of 32 bits,
 * 0 until set); nil and a message when the states take too much */
static int set_new(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_Integer const notes = luaL_checkinteger(L, 2), byte_limit = luaL_checkinteger(L, 3);
	luaL_argcheck(L, notes >= 0 && notes <= INT32_MAX, 2, "a number of notes");
	luaL_argcheck(L, byte_limit >= 0, 3, "a number of bytes");
	lua_settop(L, 3);
	size_t const field_count = lua_rawlen(L, 1);
	luaL_argcheck(L, field_count <= CRUX_STATE_MAX_BITS, 1, "too many fields");
	states *s = lua_newuserdatauv(L, sizeof *s + field_count * sizeof *s->rows, ROOM);
	*s = (states){.fields = {(int)field_count, NULL, s->rows}, .notes = (size_t)notes};
	luaL_setmetatable(L, TYPE); /* releases what there is, whatever happens */
	crux_state_field *packed = lua_newuserdatauv(L, (field_count + 1) * sizeof *packed, 0);
	crux_state_table_describe(L, &s->fields, packed);
	lua_setiuservalue(L, 4, METATABLE);
	lua_setiuservalue(L, 4, NAMES);
	crux_fault fault;
	s->layout = crux_state_layout_new(packed, field_count, &fault);
	if (!s->layout)
		return crux_fail(L, fault.message);
	size_t const words = crux_state_layout_words(s->layout), values = crux_state_layout_values(s->layout);
	s->values = lua_newuserdatauv(L, values * sizeof *s->values + words * sizeof *s->key, 0);
	s->key = (uint64_t *)(s->values + values);
	lua_setiuservalue(L, 4, ROOM);
	lua_settop(L, 4);
	size_t const bits = crux_state_layout_bits(s->layout);
	s->set = crux_state_set_new(bits ? bits : 1, s->notes, (size_t)byte_limit);
	return s->set ? 1 : luaL_error(L, "out of memory");
}

/* Gives the table at the top of the stack the metatable of those that stand for states; returns 1. */
static int set_metatable(lua_State *L)
{
	lua_getiuservalue(L, 1, METATABLE);
	lua_setmetatable(L, -2);
	return 1;
}

/* set:state(index) -> a new table of the state's fields */
static int set_state(lua_State *L)
{
	states const *s = check(L);
	uint32_t const index = check_index(L, s);
	crux_state_layout_unpack(s->layout, crux_state_set_key(s->set, index), s->values);
	lua_settop(L, 2);
	lua_getiuservalue(L, 1, NAMES);
	crux_state_table_push(L, &s->fields, s->values);
	return set_metatable(L);
}

/* set:copy(state) -> a table like one that set:state gave, with lists of its own */
static int set_copy(lua_State *L)
{
	states const *s = check(L);
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_settop(L, 2);
	lua_getiuservalue(L, 1, NAMES);
	crux_state_table_copy(L, &s->fields);
	return set_metatable(L);
}

/* set:find(state) -> its index, or false when it is not in the set: then set:add() adds it. When the table is no state:
 * nil, a message, the field's name and, if it is a list whose length is right, the number of the element. */
static int set_find(lua_State *L)
{
	states *s = check(L);
	luaL_checktype(L, 2, LUA_TTABLE);
	s->may_add = false;
	lua_settop(L, 2);
	lua_getiuservalue(L, 1, NAMES);
	int const results = crux_state_table_read(L, &s->fields, s->values);
	if (results)
		return results;
	crux_state_layout_pack(s->layout, s->values, s->key);
	uint32_t const index = crux_state_set_find(s->set, s->key);
	s->may_add = index == CRUX_STATE_NONE;
	if (s->may_add)
		lua_pushboolean(L, false);
	else
		lua_pushinteger(L, (lua_Integer)index + 1);
	return 1;
}

/* set:add() -> the index of the state that find was last called with; nil when that takes more bytes than allowed */
static int set_add(lua_State *L)
{
	states *s = check(L);
	if (!s->may_add)
		return luaL_error(L, "the last call of find found its state, or none");
	uint32_t const index = crux_state_set_add(s->set, s->key);
	s->may_add = index == CRUX_STATE_NONE;
	if (s->may_add)
		lua_pushnil(L);
	else
		lua_pushinteger(L, (lua_Integer)index + 1);
	return 1;
}

/* set:clear(byte limit): empties it */
static int set_clear(lua_State *L)
{
	states *s = check(L);
	lua_Integer const byte_limit = luaL_checkinteger(L, 2);
	luaL_argcheck(L, byte_limit >= 0, 2, "a number of bytes");
	crux_state_set_clear(s->set, (size_t)byte_limit);
	s->may_add = false;
	return 0;
}

static uint32_t *check_note(lua_State *L)
{
	states const *s = check(L);
	uint32_t const index = check_index(L, s);
	lua_Integer const note = luaL_checkinteger(L, 3);
	luaL_argcheck(L, note >= 1 && (size_t)note <= s->notes, 3, "no such note");
	return crux_state_set_notes(s->set, index) + note - 1;
}

/* set:note(index, number) -> integer */
static int set_note(lua_State *L)
{
	lua_pushinteger(L, *check_note(L));
	return 1;
}

/* set:set_note(index, number, integer) */
static int set_set_note(lua_State *L)
{
	uint32_t *const note = check_note(L);
	lua_Integer const value = luaL_checkinteger(L, 4);
	luaL_argcheck(L, value >= 0 && value <= UINT32_MAX, 4, "a note has 32 bits");
	*note = (uint32_t)value;
	return 0;
}

/* set:bits() -> of one state */
static int set_bits(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)crux_state_layout_bits(check(L)->layout));
	return 1;
}

/* set:bytes() -> taken by the set now */
static int set_bytes(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)crux_state_set_bytes(check(L)->set));
	return 1;
}

static int set_length(lua_State *L)
{
	lua_pushinteger(L, crux_state_set_count(check(L)->set));
	return 1;
}

static int set_tostring(lua_State *L)
{
	states const *s = luaL_checkudata(L, 1, TYPE);
	if (s->set)
		lua_pushfstring(L, "set of %I states", (LUAI_UACINT)crux_state_set_count(s->set));
	else
		lua_pushliteral(L, "set of states (closed)");
	return 1;
}

static int set_release(lua_State *L)
{
	states *s = luaL_checkudata(L, 1, TYPE);
	crux_state_layout_free(s->layout);
	crux_state_set_free(s->set);
	s->layout = NULL;
	s->set = NULL;
	return 0;
}

static const luaL_Reg metamethods[] = {
	{"__len",      set_length},
	{"__tostring", set_tostring},
	{"__gc",       set_release},
	{"__close",    set_release},
	{NULL,         NULL},
};

static const luaL_Reg methods[] = {
	{"state",    set_state},
	{"copy",     set_copy},
	{"find",     set_find},
	{"add",      set_add},
	{"note",     set_note},
	{"set_note", set_set_note},
	{"bits",     set_bits},
	{"bytes",    set_bytes},
	{"clear",    set_clear},
	{"close",    set_release},
	{NULL,       NULL},
};

static const luaL_Reg functions[] = {
	{"new", set_new},
	{NULL,  NULL},
};

int crux_open_state_set(lua_State *L)
{
	crux_state_table_open(L);
	return crux_open_type(L, TYPE, metamethods, methods, functions);
}
