/* State tables; see state_table_lua.h. */
#include "states/state_table_lua.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

#include "boards/board_lua.h"
#include "lua/binding.h"

#define LISTS "crux.state.lists" /* the metatables of the lists in states, by the number of elements */

/* An integer in the table at the top of the stack, which describes a field; raises when it is out of range. */
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

/* __newindex of a list: sets an element that was removed, and raises for others; upvalue 1: the number of elements. */
static int set_element(lua_State *L)
{
	lua_Integer const count = lua_tointeger(L, lua_upvalueindex(1));
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 3);
	if (lua_isinteger(L, 2) && lua_tointeger(L, 2) >= 1 && lua_tointeger(L, 2) <= count) {
		lua_rawset(L, 1);
		return 0;
	}
	crux_push_shown(L, 2);
	return luaL_error(L, "the list has no element %s, it has %I", lua_tostring(L, -1), (LUAI_UACINT)count);
}

/* Pushes the metatable of lists of `count` elements. */
static void push_list_metatable(lua_State *L, int count)
{
	lua_getfield(L, LUA_REGISTRYINDEX, LISTS);
	if (lua_rawgeti(L, -1, count) == LUA_TNIL) {
		lua_pop(L, 1);
		lua_createtable(L, 0, 2);
		lua_pushboolean(L, false);
		lua_setfield(L, -2, "__metatable");
		lua_pushinteger(L, count);
		lua_pushcclosure(L, set_element, 1);
		lua_setfield(L, -2, "__newindex");
		lua_pushvalue(L, -1);
		lua_rawseti(L, -3, count);
	}
	lua_replace(L, -2);
}

/* Reads a field from the table at the top of the stack. */
static void read_field(lua_State *L, crux_table_field *to, crux_state_field *packed)
{
	static const char *const kinds[] = {[CRUX_INTEGER] = "integer", [CRUX_TRUTH] = "flag", [CRUX_BOARD] = "board", NULL};
	*to = (crux_table_field){.high = 1, .shape.words = 1, .count = -1};
	lua_getfield(L, -1, "kind");
	to->kind = (crux_value_kind)luaL_checkoption(L, -1, NULL, kinds);
	lua_pop(L, 1);
	if (to->kind == CRUX_INTEGER) {
		to->low = member(L, "low", LUA_MININTEGER, LUA_MAXINTEGER);
		to->high = member(L, "high", LUA_MININTEGER, LUA_MAXINTEGER);
	} else if (to->kind == CRUX_BOARD) {
		lua_Integer const width = member(L, "width", 1, CRUX_BOARD_SIDE), height = member(L, "height", 1, CRUX_BOARD_SIDE);
		to->shape = crux_board_shape_of((unsigned)width, (unsigned)height);
	}
	bool const is_list = lua_getfield(L, -1, "count") != LUA_TNIL;
	lua_pop(L, 1);
	if (is_list) {
		to->count = (int)member(L, "count", 0, INT32_MAX);
		push_list_metatable(L, to->count);
		to->list_metatable = lua_topointer(L, -1);
		lua_pop(L, 1);
	}
	*packed = (crux_state_field){to->low, to->high, to->shape.cells, to->count < 0 ? 1 : (size_t)to->count};
}

/* __index and __newindex: raises that the state has no field of that name; upvalue 1: the names. */
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
	crux_push_shown(L, 2);
	return luaL_error(L, "the state has no field %s; its fields: %s", lua_tostring(L, -1), lua_tostring(L, -2));
}

void crux_state_table_describe(lua_State *L, crux_table_fields *fields, crux_state_field *packed)
{
	lua_createtable(L, fields->count, 0);
	int const names = lua_gettop(L);
	for (int i = 0; i < fields->count; i++) {
		lua_rawgeti(L, 1, i + 1);
		luaL_checktype(L, -1, LUA_TTABLE);
		lua_getfield(L, -1, "name");
		luaL_checktype(L, -1, LUA_TSTRING);
		lua_rawseti(L, names, i + 1);
		read_field(L, &fields->rows[i], &packed[i]);
		lua_pop(L, 1);
	}
	lua_createtable(L, 0, 3);
	fields->metatable = lua_topointer(L, -1);
	lua_pushboolean(L, false);
	lua_setfield(L, -2, "__metatable");
	lua_pushvalue(L, names);
	lua_pushcclosure(L, no_field, 1);
	lua_pushvalue(L, -1);
	lua_setfield(L, -3, "__index");
	lua_setfield(L, -2, "__newindex");
}

/* Pushes the value of a field, whose words are at `values`, and returns the address of the next value. */
static const int64_t *push_value(lua_State *L, const crux_table_field *f, const int64_t *values)
{
	if (f->kind == CRUX_TRUTH)
		lua_pushboolean(L, *values != 0);
	else if (f->kind == CRUX_INTEGER)
		lua_pushinteger(L, *values);
	else
		memcpy(crux_board_push(L, f->shape), values, f->shape.words * sizeof *values);
	return values + f->shape.words;
}

void crux_state_table_push(lua_State *L, const crux_table_fields *fields, const int64_t *values)
{
	lua_createtable(L, 0, fields->count);
	for (crux_table_field const *f = fields->rows; f < fields->rows + fields->count; f++) {
		lua_rawgeti(L, 3, f - fields->rows + 1);
		if (f->count < 0) {
			values = push_value(L, f, values);
		} else {
			lua_createtable(L, f->count, 0);
			for (int i = 1; i <= f->count; i++) {
				values = push_value(L, f, values);
				lua_rawseti(L, -2, i);
			}
			push_list_metatable(L, f->count);
			lua_setmetatable(L, -2);
		}
		lua_rawset(L, 4);
	}
}

void crux_state_table_push_lists(lua_State *L, const crux_table_fields *fields)
{
	lua_createtable(L, fields->count, 0);
	for (int i = 0; i < fields->count; i++) {
		int const count = fields->rows[i].count;
		if (count < 0)
			continue;
		lua_createtable(L, count, 0);
		push_list_metatable(L, count);
		lua_setmetatable(L, -2);
		lua_rawseti(L, -2, i + 1);
	}
}

void crux_state_table_copy(lua_State *L, const crux_table_fields *fields)
{
	for (int i = 0; i < fields->count; i++) {
		int const count = fields->rows[i].count;
		lua_rawgeti(L, 3, i + 1);
		lua_pushvalue(L, 6);
		if (lua_rawget(L, 2) == LUA_TTABLE && count >= 0) {
			lua_rawgeti(L, 5, i + 1);
			for (int k = 1; k <= count; k++) {
				lua_rawgeti(L, 7, k);
				lua_rawseti(L, 8, k);
			}
			lua_replace(L, 7);
		}
		lua_rawset(L, 4);
	}
}

/* Reads the value at the top of the stack; false when the field cannot have it. */
static bool read_value(lua_State *L, const crux_table_field *f, int64_t *to)
{
	if (f->kind == CRUX_TRUTH) {
		*to = lua_toboolean(L, -1);
		return lua_isboolean(L, -1);
	}
	if (f->kind == CRUX_INTEGER) {
		*to = lua_tointeger(L, -1);
		return lua_isinteger(L, -1) && *to >= f->low && *to <= f->high;
	}
	crux_board_shape shape;
	uint64_t const *words = crux_board_test(L, -1, &shape);
	if (!words || !crux_board_are_alike(shape, f->shape))
		return false;
	memcpy(to, words, shape.words * sizeof *words);
	return true;
}

/* Reads the elements of the list at the top of the stack; false when the field cannot have one. */
static bool read_elements(lua_State *L, const crux_table_field *f, int64_t *to)
{
	bool is_right = true;
	for (int i = 1; is_right && i <= f->count; i++, to += f->shape.words) {
		lua_rawgeti(L, -1, i);
		is_right = read_value(L, f, to);
		lua_pop(L, 1);
	}
	return is_right;
}

bool crux_state_table_read_copy(lua_State *L, const crux_table_fields *fields, int64_t *values)
{
	int const top = lua_gettop(L);
	bool is_right = true;
	for (int i = 0; is_right && i < fields->count; i++) {
		crux_table_field const *const f = &fields->rows[i];
		lua_rawgeti(L, 3, i + 1);
		lua_rawget(L, 4);
		if (f->count < 0) {
			is_right = read_value(L, f, values);
			values += f->shape.words;
		} else {
			lua_rawgeti(L, 5, i + 1);
			is_right = lua_rawequal(L, -1, -2) && read_elements(L, f, values);
			values += f->shape.words * f->count;
		}
		lua_settop(L, top);
	}
	return is_right;
}

/* Copies the elements of the list in field i that differ from the state's. */
static void restore_elements(lua_State *L, const crux_table_field *f, int i, const int64_t *values, const int64_t *differing)
{
	size_t const words = f->shape.words;
	lua_rawgeti(L, 3, i + 1);
	lua_rawget(L, 2);
	lua_rawgeti(L, 5, i + 1);
	for (int k = 1; k <= f->count; k++, values += words, differing += words) {
		if (memcmp(values, differing, words * sizeof *values) == 0)
			continue;
		lua_rawgeti(L, 6, k);
		lua_rawseti(L, 7, k);
	}
	lua_settop(L, 5);
}

void crux_state_table_restore(lua_State *L, const crux_table_fields *fields, const int64_t *values, const int64_t *differing)
{
	for (int i = 0; i < fields->count; i++) {
		crux_table_field const *const f = &fields->rows[i];
		size_t const words = f->shape.words * (f->count < 0 ? 1 : (size_t)f->count);
		bool const is_same = memcmp(values, differing, words * sizeof *values) == 0;
		if (!is_same && f->count >= 0) {
			restore_elements(L, f, i, values, differing);
		} else if (!is_same) {
			lua_rawgeti(L, 3, i + 1);
			lua_pushvalue(L, 6);
			lua_rawget(L, 2);
			lua_rawset(L, 4);
		}
		values += words;
		differing += words;
	}
}

/* Pushes the words for values of a field in messages. */
static void push_expected(lua_State *L, const crux_table_field *f)
{
	if (f->kind == CRUX_TRUTH)
		lua_pushliteral(L, "true or false");
	else if (f->kind == CRUX_INTEGER)
		lua_pushfstring(L, "an integer from %I to %I", (LUAI_UACINT)f->low, (LUAI_UACINT)f->high);
	else
		lua_pushfstring(L, "a board of %d x %d", f->shape.width, f->shape.height);
}

/* Pushes the results of find for a wrong value, and returns their number. The stack has the words for what was found and
 * expected at its top, the field's name at index 4. `element` is 0 when the value is no element of a list. */
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

/* The same when the field cannot have the value at the top of the stack. */
static int complain_of_value(lua_State *L, const crux_table_field *f, int element)
{
	crux_push_shown(L, -1);
	push_expected(L, f);
	return complain(L, element);
}

/* The number of keys of the table at the top of the stack. */
static int count_keys(lua_State *L)
{
	int count = 0;
	for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
		count++;
	return count;
}

/* True when the table at index 5, the top of the stack, is a list of a state table, which has no keys beyond its elements. */
static bool is_state_list(lua_State *L, const crux_table_field *f)
{
	bool const is_list = lua_getmetatable(L, 5) && lua_topointer(L, -1) == f->list_metatable;
	lua_settop(L, 5);
	return is_list;
}

/* Reads the list at index 5, the top of the stack. Returns 0, or the number of find's results when it is wrong. */
static int read_list(lua_State *L, const crux_table_field *f, int64_t *to)
{
	if (!lua_istable(L, 5) || (lua_Integer)lua_rawlen(L, 5) != f->count || !(is_state_list(L, f) || count_keys(L) == f->count)) {
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
		to += f->shape.words;
		lua_pop(L, 1);
	}
	return 0;
}

/* Pushes the results of find for the table at index 2, whose fields are right but which has another key; the names are at
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

int crux_state_table_read(lua_State *L, const crux_table_fields *fields, int64_t *values)
{
	for (crux_table_field const *f = fields->rows; f < fields->rows + fields->count; f++) {
		lua_rawgeti(L, 3, f - fields->rows + 1);
		lua_pushvalue(L, 4);
		lua_rawget(L, 2);
		if (f->count < 0) {
			if (!read_value(L, f, values))
				return complain_of_value(L, f, 0);
			values += f->shape.words;
		} else {
			int const results = read_list(L, f, values);
			if (results)
				return results;
			values += f->shape.words * f->count;
		}
		lua_settop(L, 3);
	}
	bool const is_state = lua_getmetatable(L, 2) && lua_topointer(L, -1) == fields->metatable;
	lua_settop(L, 3);
	lua_pushvalue(L, 2);
	return is_state || count_keys(L) == fields->count ? 0 : complain_of_keys(L, fields->count);
}

void crux_state_table_open(lua_State *L)
{
	luaL_getsubtable(L, LUA_REGISTRYINDEX, LISTS);
	lua_pop(L, 1);
}
