/* libcrux.state_set: the states of a search, as the tables that scripts read and write and as packed keys.
 *
 * A field is a row { name =, kind = "flag" | "integer" | "board", low =, high =, width =, height =, count = }: with a
 * count it is a list of so many values. In a state it is a boolean, an integer from low to high, a board, or a list. */
#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

#include "binding.h"
#include "fault.h"
#include "primitives.h"
#include "search_lua.h"

#define LIST_TYPE "crux.state.list" /* the metatable of the lists in states */

typedef enum { FLAG, INTEGER, BOARD } field_kind;

typedef struct field {
	field_kind kind;
	int64_t low, high;      /* of an integer */
	crux_board_shape shape; /* of a board */
	int words;              /* that a value takes */
	int count;              /* of a list; -1: one value, no list */
} field;

typedef struct states {
	crux_state_layout *layout;
	crux_state_set *set; /* NULL: closed */
	size_t notes;
	bool may_add;      /* whether key is that of a state that is not in the set */
	int64_t *values;   /* room for one state, */
	uint64_t *key;     /* for its key, */
	const void *table; /* and the metatable of the tables that stand for states: user value 2 */
	int field_count;
	field fields[];
} states;

enum { NAMES = 1, METATABLE, ROOM }; /* user values: names of the fields, see table, memory of values and key */

static states *check(lua_State *L)
{
	states *s = luaL_checkudata(L, 1, CRUX_STATE_SET_TYPE);
	luaL_argcheck(L, s->set, 1, "the set was closed");
	return s;
}

crux_state_set *crux_state_set_check(lua_State *L, int index, const crux_state_layout **layout)
{
	states const *s = luaL_checkudata(L, index, CRUX_STATE_SET_TYPE);
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

/* An integer of the field, a table on the top of the stack. */
static lua_Integer member(lua_State *L, const char *name, lua_Integer low, lua_Integer high)
{
	int is_integer;
	lua_getfield(L, -1, name);
	lua_Integer const value = lua_tointegerx(L, -1, &is_integer);
	if (!is_integer || value < low || value > high)
		luaL_error(L, "field.%s: expected an integer from %I to %I", name, (LUAI_UACINT)low, (LUAI_UACINT)high);
	lua_pop(L, 1);
	return value;
}

/* Takes over a field, a table on the top of the stack. */
static void read_field(lua_State *L, field *to, crux_state_field *packed)
{
	static const char *const kinds[] = {[FLAG] = "flag", [INTEGER] = "integer", [BOARD] = "board", NULL};
	*to = (field){.high = 1, .words = 1, .count = -1};
	lua_getfield(L, -1, "kind");
	to->kind = (field_kind)luaL_checkoption(L, -1, NULL, kinds);
	lua_pop(L, 1);
	if (to->kind == INTEGER) {
		to->low = member(L, "low", LUA_MININTEGER, LUA_MAXINTEGER);
		to->high = member(L, "high", LUA_MININTEGER, LUA_MAXINTEGER);
	} else if (to->kind == BOARD) {
		lua_Integer const width = member(L, "width", 1, CRUX_BOARD_SIDE), height = member(L, "height", 1, CRUX_BOARD_SIDE);
		to->shape = crux_board_shape_of((unsigned)width, (unsigned)height);
		to->words = to->shape.words;
	}
	if (lua_getfield(L, -1, "count") != LUA_TNIL) {
		lua_pop(L, 1);
		to->count = (int)member(L, "count", 0, INT32_MAX);
	} else {
		lua_pop(L, 1);
	}
	*packed = (crux_state_field){to->low, to->high, to->shape.cells, to->count < 0 ? 1 : (size_t)to->count};
}

/* Takes over the fields at index 1, and their names into the table at index 5. */
static void read_fields(lua_State *L, states *s, crux_state_field *packed)
{
	for (int i = 0; i < s->field_count; i++) {
		lua_rawgeti(L, 1, i + 1);
		luaL_checktype(L, -1, LUA_TTABLE);
		lua_getfield(L, -1, "name");
		luaL_checktype(L, -1, LUA_TSTRING);
		lua_rawseti(L, 5, i + 1);
		read_field(L, &s->fields[i], &packed[i]);
		lua_pop(L, 1);
	}
}

/* Raises that a state has no such field; upvalue 1: the names. */
static int no_field(lua_State *L)
{
	luaL_Buffer names;
	luaL_buffinit(L, &names);
	for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, lua_upvalueindex(1)); i++) {
		luaL_addstring(&names, i == 1 ? "" : ", ");
		lua_rawgeti(L, lua_upvalueindex(1), i);
		luaL_addvalue(&names);
	}
	luaL_pushresult(&names);
	char const *const name = luaL_tolstring(L, 2, NULL);
	return luaL_error(L, "the state has no field '%s'; its fields: %s", name, lua_tostring(L, -2));
}

static int no_element(lua_State *L)
{
	return luaL_error(L, "the list has no element %s, it has %I", luaL_tolstring(L, 2, NULL), (LUAI_UACINT)lua_rawlen(L, 1));
}

/* Makes the metatable of the tables that stand for states of the set at index 4; the names are at index 5. */
static void make_metatable(lua_State *L, states *s)
{
	lua_createtable(L, 0, 3);
	s->table = lua_topointer(L, -1);
	lua_pushboolean(L, false);
	lua_setfield(L, -2, "__metatable");
	lua_pushvalue(L, 5);
	lua_pushcclosure(L, no_field, 1);
	lua_pushvalue(L, -1);
	lua_setfield(L, -3, "__index");
	lua_setfield(L, -2, "__newindex");
	lua_setiuservalue(L, 4, METATABLE);
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
	states *s = lua_newuserdatauv(L, sizeof *s + field_count * sizeof *s->fields, ROOM);
	*s = (states){.field_count = (int)field_count, .notes = (size_t)notes};
	luaL_setmetatable(L, CRUX_STATE_SET_TYPE); /* releases what there is, whatever happens */
	lua_createtable(L, s->field_count, 0);
	crux_state_field *packed = lua_newuserdatauv(L, (field_count + 1) * sizeof *packed, 0);
	read_fields(L, s, packed);
	make_metatable(L, s);
	crux_fault fault;
	s->layout = crux_state_layout_new(packed, field_count, &fault);
	if (!s->layout)
		return crux_fail(L, fault.message);
	size_t const words = crux_state_layout_words(s->layout), values = crux_state_layout_values(s->layout);
	s->values = lua_newuserdatauv(L, values * sizeof *s->values + words * sizeof *s->key, 0);
	s->key = (uint64_t *)(s->values + values);
	lua_setiuservalue(L, 4, ROOM);
	lua_settop(L, 5);
	lua_setiuservalue(L, 4, NAMES);
	size_t const bits = crux_state_layout_bits(s->layout);
	s->set = crux_state_set_new(bits ? bits : 1, s->notes, (size_t)byte_limit);
	return s->set ? 1 : luaL_error(L, "out of memory");
}

/* Pushes a value of the field, whose words are at `values`, and returns where the next one's are. */
static const int64_t *push_value(lua_State *L, const field *f, const int64_t *values)
{
	if (f->kind == FLAG)
		lua_pushboolean(L, *values != 0);
	else if (f->kind == INTEGER)
		lua_pushinteger(L, *values);
	else
		memcpy(crux_board_push(L, f->shape), values, f->shape.words * sizeof *values);
	return values + f->words;
}

/* set:state(index) -> a new table of the state's fields */
static int set_state(lua_State *L)
{
	states const *s = check(L);
	uint32_t const index = check_index(L, s);
	crux_state_layout_unpack(s->layout, crux_state_set_key(s->set, index), s->values);
	int64_t const *values = s->values;
	lua_settop(L, 2);
	lua_getiuservalue(L, 1, NAMES);
	lua_createtable(L, 0, s->field_count);
	for (field const *f = s->fields; f < s->fields + s->field_count; f++) {
		lua_rawgeti(L, 3, f - s->fields + 1);
		if (f->count < 0) {
			values = push_value(L, f, values);
		} else {
			lua_createtable(L, f->count, 0);
			for (int i = 1; i <= f->count; i++) {
				values = push_value(L, f, values);
				lua_rawseti(L, -2, i);
			}
			luaL_setmetatable(L, LIST_TYPE);
		}
		lua_rawset(L, 4);
	}
	lua_getiuservalue(L, 1, METATABLE);
	lua_setmetatable(L, 4);
	return 1;
}

/* set:copy(state) -> a table like one that set:state gave, with lists of its own */
static int set_copy(lua_State *L)
{
	states const *s = check(L);
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_settop(L, 2);
	lua_getiuservalue(L, 1, NAMES);
	lua_createtable(L, 0, s->field_count);
	for (field const *f = s->fields; f < s->fields + s->field_count; f++) {
		lua_rawgeti(L, 3, f - s->fields + 1);
		lua_pushvalue(L, 5);
		if (lua_rawget(L, 2) == LUA_TTABLE) {
			lua_createtable(L, f->count, 0);
			for (int i = 1; i <= f->count; i++) {
				lua_rawgeti(L, 6, i);
				lua_rawseti(L, 7, i);
			}
			luaL_setmetatable(L, LIST_TYPE);
			lua_replace(L, 6);
		}
		lua_rawset(L, 4);
	}
	lua_getiuservalue(L, 1, METATABLE);
	lua_setmetatable(L, 4);
	return 1;
}

/* Takes the value on the top of the stack; false when it is none of the field. */
static bool read_value(lua_State *L, const field *f, int64_t *to)
{
	if (f->kind == FLAG) {
		*to = lua_toboolean(L, -1);
		return lua_isboolean(L, -1);
	}
	if (f->kind == INTEGER) {
		*to = lua_tointeger(L, -1);
		return lua_isinteger(L, -1) && *to >= f->low && *to <= f->high;
	}
	if (!luaL_testudata(L, -1, CRUX_BOARD_TYPE))
		return false;
	crux_board_shape shape;
	uint64_t const *words = crux_board_check(L, -1, &shape);
	if (shape.width != f->shape.width || shape.height != f->shape.height)
		return false;
	memcpy(to, words, shape.words * sizeof *words);
	return true;
}

/* Pushes what a value of the field is called in messages. */
static void push_expected(lua_State *L, const field *f)
{
	if (f->kind == FLAG)
		lua_pushliteral(L, "true or false");
	else if (f->kind == INTEGER)
		lua_pushfstring(L, "an integer from %I to %I", (LUAI_UACINT)f->low, (LUAI_UACINT)f->high);
	else
		lua_pushfstring(L, "a board of %d x %d", f->shape.width, f->shape.height);
}

/* The results of find for a value that is wrong; what was found and expected is on the top of the stack, the field's name
 * at index 4. An element of 0: the field has none, or all of it is wrong. */
static int complain(lua_State *L, int element)
{
	char const *const found = lua_tostring(L, -2), *const expected = lua_tostring(L, -1);
	lua_pushnil(L);
	lua_pushfstring(L, "found %s, expected %s", found, expected);
	luaL_tolstring(L, 4, NULL);
	if (element == 0)
		return 3;
	lua_pushinteger(L, element);
	return 4;
}

/* The results of find when the value on the top of the stack is none of the field. */
static int complain_of_value(lua_State *L, const field *f, int element)
{
	crux_push_shown(L, -1);
	push_expected(L, f);
	return complain(L, element);
}

/* The number of keys of the table on the top of the stack. */
static int count_keys(lua_State *L)
{
	int count = 0;
	for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
		count++;
	return count;
}

/* Whether the table on the top of the stack is a list of a state, which has no other keys than it was made with. */
static bool is_own_list(lua_State *L)
{
	bool const is_own = lua_getmetatable(L, -1) && (luaL_getmetatable(L, LIST_TYPE), lua_rawequal(L, -1, -2));
	lua_settop(L, 5);
	return is_own;
}

/* Takes the list at index 5, the top of the stack. Returns 0, or the number of find's results when it is wrong. */
static int read_list(lua_State *L, const field *f, int64_t *to)
{
	if (!lua_istable(L, 5) || (lua_Integer)lua_rawlen(L, 5) != f->count || !(is_own_list(L) || count_keys(L) == f->count)) {
		if (!lua_istable(L, 5))
			crux_push_shown(L, -1);
		else
			lua_pushfstring(L, "a list of %I%s", (LUAI_UACINT)lua_rawlen(L, 5),
			                (lua_Integer)lua_rawlen(L, 5) == f->count ? " with other fields" : "");
		lua_pushfstring(L, "a list of %d", f->count);
		return complain(L, 0);
	}
	for (int i = 1; i <= f->count; i++) {
		lua_rawgeti(L, 5, i);
		if (!read_value(L, f, to))
			return complain_of_value(L, f, i);
		to += f->words;
		lua_pop(L, 1);
	}
	return 0;
}

/* The results of find for a table at index 2 of which every field is right, but that has another key; the names are at
 * index 3. */
static int complain_of_keys(lua_State *L, int field_count)
{
	lua_settop(L, 3);
	for (lua_pushnil(L); lua_next(L, 2); lua_settop(L, 4)) {
		bool is_known = false;
		for (int i = 1; i <= field_count && !is_known; i++) {
			lua_rawgeti(L, 3, i);
			is_known = lua_rawequal(L, 4, -1);
			lua_pop(L, 1);
		}
		if (!is_known)
			break;
	}
	crux_push_shown(L, -1);
	lua_pushliteral(L, "no field of that name");
	return complain(L, 0);
}

/* Takes the state at index 2 into `values`; the names are at index 3. Returns 0, or the number of find's results when it is
 * wrong. */
static int read_state(lua_State *L, states *s)
{
	int64_t *to = s->values;
	for (field const *f = s->fields; f < s->fields + s->field_count; f++) {
		lua_rawgeti(L, 3, f - s->fields + 1);
		lua_pushvalue(L, 4);
		lua_rawget(L, 2);
		if (f->count < 0) {
			if (!read_value(L, f, to))
				return complain_of_value(L, f, 0);
			to += f->words;
		} else {
			int const results = read_list(L, f, to);
			if (results)
				return results;
			to += f->words * f->count;
		}
		lua_settop(L, 3);
	}
	bool const is_own = lua_getmetatable(L, 2) && lua_topointer(L, -1) == s->table;
	lua_settop(L, 3);
	lua_pushvalue(L, 2);
	return is_own || count_keys(L) == s->field_count ? 0 : complain_of_keys(L, s->field_count);
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
	int const results = read_state(L, s);
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
	states const *s = luaL_checkudata(L, 1, CRUX_STATE_SET_TYPE);
	if (s->set)
		lua_pushfstring(L, "set of %I states", (LUAI_UACINT)crux_state_set_count(s->set));
	else
		lua_pushliteral(L, "set of states (closed)");
	return 1;
}

static int set_release(lua_State *L)
{
	states *s = luaL_checkudata(L, 1, CRUX_STATE_SET_TYPE);
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
	if (luaL_newmetatable(L, LIST_TYPE)) {
		lua_pushboolean(L, false);
		lua_setfield(L, -2, "__metatable");
		lua_pushcfunction(L, no_element);
		lua_setfield(L, -2, "__newindex");
	}
	return crux_open_type(L, CRUX_STATE_SET_TYPE, metamethods, methods, functions);
}
