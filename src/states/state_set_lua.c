/* libcrux.state_set: the states of a search, as tables for scripts and as packed keys. */
#include "states/state_set_lua.h"

#include <lauxlib.h>
#include <stdbool.h>

#include "base/fault.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "states/state_table_lua.h"

#define TYPE CRUX_STATES_TYPE

typedef crux_states states;

static states *check_at(lua_State *L, int index) { return crux_states_check(L, index); }

static states *check(lua_State *L) { return check_at(L, 1); }

static size_t check_bytes(lua_State *L, int argument)
{
	lua_Integer const bytes = luaL_checkinteger(L, argument);
	luaL_argcheck(L, bytes >= 0, argument, "a number of bytes");
	return (size_t)bytes;
}

const crux_state_layout *crux_state_set_layout(lua_State *L, int index)
{
	return check_at(L, index)->layout;
}

crux_state_set *crux_state_set_check(lua_State *L, int index, const crux_state_layout *like)
{
	states const *s = check_at(L, index);
	luaL_argcheck(L, !like || crux_state_layout_are_alike(s->layout, like), index, "a set of other states");
	return s->set;
}

const uint64_t *crux_state_set_key_found(lua_State *L, int index)
{
	states const *const s = check_at(L, index);
	return s->has_key ? s->key : NULL;
}

size_t crux_state_set_note_count(lua_State *L, int index) { return check_at(L, index)->notes; }

static uint32_t check_index(lua_State *L, const states *s)
{
	lua_Integer const index = luaL_checkinteger(L, 2);
	luaL_argcheck(L, index >= 1 && index <= crux_state_set_count(s->set), 2, "no such state");
	return (uint32_t)(index - 1);
}

/* new(fields, notes, byte limit) -> an empty set of states with these fields and a number of notes (integers of 32 bits, 0 at
 * first); nil and a message when the states are too large */
static int set_new(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_Integer const notes = luaL_checkinteger(L, 2);
	luaL_argcheck(L, notes >= 0 && notes <= INT32_MAX, 2, "a number of notes");
	size_t const byte_limit = check_bytes(L, 3);
	lua_settop(L, 3);
	size_t const field_count = lua_rawlen(L, 1);
	luaL_argcheck(L, field_count <= CRUX_STATE_MAX_BITS, 1, "too many fields");
	states *s = crux_handle_new(L, TYPE, sizeof *s + field_count * sizeof *s->rows, CRUX_STATES_USER_VALUES);
	*s = (states){.fields = {(int)field_count, NULL, s->rows}, .notes = (size_t)notes};
	crux_state_field *packed = lua_newuserdatauv(L, (field_count + 1) * sizeof *packed, 0);
	crux_state_table_describe(L, &s->fields, packed);
	lua_setiuservalue(L, 4, CRUX_STATES_METATABLE);
	lua_setiuservalue(L, 4, CRUX_STATES_NAMES);
	crux_fault fault;
	s->layout = crux_state_layout_new(packed, field_count, &fault);
	if (!s->layout)
		return crux_fail(L, fault.message);
	size_t const words = s->layout->words, values = s->layout->values;
	s->values = lua_newuserdatauv(L, 2 * values * sizeof *s->values + words * sizeof *s->key, 0);
	s->after = s->values + values;
	s->key = (uint64_t *)(s->after + values);
	lua_setiuservalue(L, 4, CRUX_STATES_SCRATCH);
	lua_settop(L, 4);
	size_t const bits = s->layout->bits;
	s->set = crux_state_set_new(bits ? bits : 1, s->notes, byte_limit);
	return s->set ? 1 : luaL_error(L, "out of memory");
}

/* set:state(index) -> a new table of the state's fields */
static int set_state(lua_State *L)
{
	states const *s = check(L);
	crux_states_push(L, s, check_index(L, s));
	return 1;
}

/* set:copy(state) -> a copy of a table from set:state, with copies of its lists */
static int set_copy(lua_State *L)
{
	states const *s = check(L);
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_settop(L, 2);
	lua_getiuservalue(L, 1, CRUX_STATES_NAMES);
	lua_newtable(L);
	crux_state_table_push_lists(L, &s->fields);
	crux_state_table_copy(L, &s->fields);
	lua_settop(L, 4);
	return crux_states_set_metatable(L);
}

/* set:successor(state) -> the same, but in one table and with the same lists at each call */
static int set_successor(lua_State *L)
{
	states const *s = check(L);
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_settop(L, 2);
	crux_states_push_successor(L, s);
	lua_settop(L, 4);
	return 1;
}

/* Reads the state at index 2 into the key. Returns 0; when it is none, the number of results of find, pushed. */
static int read_key(lua_State *L, states *s)
{
	luaL_checktype(L, 2, LUA_TTABLE);
	s->has_key = s->may_add = false;
	lua_settop(L, 2);
	lua_getiuservalue(L, 1, CRUX_STATES_NAMES);
	int const results = crux_state_table_read(L, &s->fields, s->values);
	if (results)
		return results;
	crux_state_layout_pack(s->layout, s->values, s->key);
	s->has_key = true;
	return 0;
}

/* set:find(state) -> its index, or false when it is not in the set; set:add() then adds it. When the table is no state: nil, a
 * message, the field's name and, for an element of a list, its number. */
static int set_find(lua_State *L)
{
	states *s = check(L);
	int const results = read_key(L, s);
	if (results)
		return results;
	uint32_t const index = crux_state_set_find(s->set, s->key);
	s->may_add = index == CRUX_STATE_NONE;
	if (s->may_add)
		lua_pushboolean(L, false);
	else
		lua_pushinteger(L, (lua_Integer)index + 1);
	return 1;
}

static uint32_t check_note(lua_State *L, int argument)
{
	lua_Integer const value = luaL_checkinteger(L, argument);
	luaL_argcheck(L, value >= 0 && value <= UINT32_MAX, argument, "a note has 32 bits");
	return (uint32_t)value;
}

/* set:add([parent, move]) -> the index of the state of the last call of find, with these as its first notes; nil when the limit
 * on bytes is met */
static int set_add(lua_State *L)
{
	states *s = check(L);
	if (!s->may_add)
		return luaL_error(L, "the last call of find found its state, or none");
	bool const is_noted = lua_gettop(L) > 1;
	luaL_argcheck(L, !is_noted || s->notes >= 2, 1, "a set with two notes");
	uint32_t const parent = is_noted ? check_note(L, 2) : 0, move = is_noted ? check_note(L, 3) : 0;
	uint32_t const index = crux_state_set_add(s->set, s->key);
	s->may_add = index == CRUX_STATE_NONE;
	if (!s->may_add && is_noted) {
		uint32_t *const notes = crux_state_set_notes(s->set, index);
		notes[0] = parent;
		notes[1] = move;
	}
	if (s->may_add)
		lua_pushnil(L);
	else
		lua_pushinteger(L, (lua_Integer)index + 1);
	return 1;
}

/* set:clear(byte limit): empties the set */
static int set_clear(lua_State *L)
{
	states *s = check(L);
	crux_state_set_clear(s->set, check_bytes(L, 2));
	s->may_add = false;
	return 0;
}

/* set:begin(state, byte limit) -> true, and the set has this state alone, or none if the limit allows none; as find when the table is
 * no state */
static int set_begin(lua_State *L)
{
	states *s = check(L);
	size_t const byte_limit = check_bytes(L, 3);
	int const results = read_key(L, s);
	if (results)
		return results;
	crux_state_set_clear(s->set, byte_limit);
	crux_state_set_add(s->set, s->key);
	lua_pushboolean(L, true);
	return 1;
}

/* The place among a state's notes of the one whose number is the argument. */
static size_t check_place(lua_State *L, const states *s, int argument)
{
	lua_Integer const note = luaL_checkinteger(L, argument);
	luaL_argcheck(L, note >= 1 && (size_t)note <= s->notes, argument, "no such note");
	return (size_t)note - 1;
}

static uint32_t *note_at(lua_State *L)
{
	states const *s = check(L);
	uint32_t const index = check_index(L, s);
	return crux_state_set_notes(s->set, index) + check_place(L, s, 3);
}

/* set:path(index, parent, move, names[, with states]) -> list of the moves from the first state to that state, by their names in
 * the list `names`; if asked for, list of the states before and after them. Notes of the numbers `parent` and `move` are each
 * state's parent, and the move from there. */
static int set_path(lua_State *L)
{
	states const *s = check(L);
	uint32_t const last = check_index(L, s), count = crux_state_set_count(s->set);
	size_t const parent = check_place(L, s, 3), move = check_place(L, s, 4);
	luaL_checktype(L, 5, LUA_TTABLE);
	lua_Integer length = 0;
	for (uint32_t at = last; at > 0; at = crux_state_set_notes(s->set, at)[parent] - 1, length++)
		if (at >= count || length >= count)
			return luaL_error(L, "no path of parents leads from the first state to this one");
	bool const with_states = lua_toboolean(L, 6);
	lua_settop(L, 5);
	lua_createtable(L, (int)length + 1, 0); /* with room for one more move */
	if (with_states)
		lua_createtable(L, (int)length + 1, 0);
	for (uint32_t at = last; at > 0; at = crux_state_set_notes(s->set, at)[parent] - 1, length--) {
		lua_rawgeti(L, 5, crux_state_set_notes(s->set, at)[move]);
		lua_rawseti(L, 6, length);
		if (with_states) {
			lua_pushinteger(L, (lua_Integer)at + 1);
			lua_rawseti(L, 7, length + 1);
		}
	}
	if (!with_states)
		return 1;
	lua_pushinteger(L, 1);
	lua_rawseti(L, 7, 1);
	return 2;
}

/* set:note(index, number) -> integer */
static int set_note(lua_State *L)
{
	lua_pushinteger(L, *note_at(L));
	return 1;
}

/* set:set_note(index, number, integer) */
static int set_set_note(lua_State *L)
{
	uint32_t *const note = note_at(L);
	*note = check_note(L, 4);
	return 0;
}

/* set:size() -> number of states, bits of a state, bytes in use */
static int set_size(lua_State *L)
{
	states const *const s = check(L);
	lua_pushinteger(L, crux_state_set_count(s->set));
	lua_pushinteger(L, (lua_Integer)s->layout->bits);
	lua_pushinteger(L, (lua_Integer)crux_state_set_bytes(s->set));
	return 3;
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

CRUX_TABLE(methods,
	{"state",      set_state},
	{"copy",       set_copy},
	{"successor",  set_successor},
	{"find",       set_find},
	{"add",        set_add},
	{"note",       set_note},
	{"set_note",   set_set_note},
	{"path",       set_path},
	{"size",       set_size},
	{"clear",      set_clear},
	{"begin",      set_begin},
	{"steps",      crux_states_steps},
	{"expand",     crux_states_expand},
	{"close",      set_release},
	{"__len",      set_length},
	{"__tostring", set_tostring},
	CRUX_CLOSES(set_release))

CRUX_TABLE(functions,
	{"new", set_new})

int crux_open_state_set(lua_State *L)
{
	crux_state_table_open(L);
	return crux_open_type(L, TYPE, methods, functions);
}
