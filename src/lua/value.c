/* Plain Lua values as bytes: a tag, then its data; the elements, keys and values of a table follow it. */
#include "lua/value.h"

#include <lauxlib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fault.h"

enum {
	DEEPEST = 100, /* levels of tables in tables; also ends the walk of a table that contains itself */
	STACK = 8,     /* slots that a level of nesting needs, with those of a message */
	MOST = 1 << 30 /* bytes; a table that many tables share is written for each, and may grow without end */
};

typedef enum { NIL, FALSE, TRUE, INTEGER, FLOAT, STRING, TABLE, END } tag;

typedef struct writer {
	lua_State *L;
	crux_bytes *out;
	char found[64];       /* what cannot be sent */
	const char *expected; /* NULL: memory is short */
	char place[160];      /* of `found` within the value; built from its end */
} writer;

static bool refuse(writer *w, const char *found, const char *expected)
{
	snprintf(w->found, sizeof w->found, "%s", found);
	w->expected = expected;
	return false;
}

static bool put(writer *w, tag kind, const void *bytes, size_t n)
{
	char const byte = (char)kind;
	if (w->out->size > MOST)
		return refuse(w, "a value of more than 1 GiB", "a smaller one");
	return crux_bytes_append(w->out, &byte, 1) && crux_bytes_append(w->out, bytes, n);
}

static bool put_string(writer *w, int index)
{
	size_t length;
	const char *const text = lua_tolstring(w->L, index, &length);
	return put(w, STRING, &length, sizeof length) && crux_bytes_append(w->out, text, length);
}

static bool put_number(writer *w, int index)
{
	if (lua_isinteger(w->L, index)) {
		lua_Integer const value = lua_tointeger(w->L, index);
		return put(w, INTEGER, &value, sizeof value);
	}
	lua_Number const value = lua_tonumber(w->L, index);
	return put(w, FLOAT, &value, sizeof value);
}

/* Refuses a value for its type: the name of its metatable or that of Lua. */
static bool refuse_type(writer *w, int index, const char *use, const char *expected)
{
	bool const has_name = luaL_getmetafield(w->L, index, "__name") == LUA_TSTRING;
	const char *const name = has_name ? lua_tostring(w->L, -1) : luaL_typename(w->L, index);
	return refuse(w, lua_pushfstring(w->L, "a %s%s", name, use), expected);
}

/* Puts the key at that index in front of the place and drops the values above it. Returns false. */
static bool place_below(writer *w, int key)
{
	char below[sizeof w->place];
	memcpy(below, w->place, sizeof below);
	lua_settop(w->L, key);
	if (lua_type(w->L, key) == LUA_TSTRING)
		snprintf(w->place, sizeof w->place, ".%.40s%.110s", lua_tostring(w->L, key), below);
	else
		snprintf(w->place, sizeof w->place, "[%.40s]%.110s", luaL_tolstring(w->L, key, NULL), below);
	lua_settop(w->L, key);
	return false;
}

static bool put_value(writer *w, int index, int depth);

/* The number of elements before the first nil. The length that Lua tells may count nils behind it, up to 2^63 - 1 of them. */
static lua_Integer count_elements(lua_State *L, int table)
{
	lua_Integer n = 0;
	while (lua_rawgeti(L, table, n + 1) != LUA_TNIL) {
		lua_pop(L, 1);
		n++;
	}
	lua_pop(L, 1);
	return n;
}

/* Writes the elements 1 to n, without their keys. */
static bool put_elements(writer *w, int table, lua_Integer n, int depth)
{
	int const element = lua_gettop(w->L) + 1;
	for (lua_Integer i = 1; i <= n; i++) {
		lua_rawgeti(w->L, table, i);
		if (!put_value(w, element, depth)) {
			lua_pushinteger(w->L, i);
			lua_replace(w->L, element);
			return place_below(w, element);
		}
		lua_pop(w->L, 1);
	}
	return true;
}

static bool put_key(writer *w, int index)
{
	switch (lua_type(w->L, index)) {
	case LUA_TBOOLEAN:
	case LUA_TNUMBER:
	case LUA_TSTRING:
		return put_value(w, index, 0);
	default:
		return refuse_type(w, index, " as a key", "a boolean, a number or a string");
	}
}

/* Writes keys and values in turn, without the elements 1 to n. */
static bool put_fields(writer *w, int table, lua_Integer n, int depth)
{
	lua_State *L = w->L;
	lua_pushnil(L);
	while (lua_next(L, table)) {
		int const value = lua_gettop(L), key = value - 1;
		bool const is_element = lua_isinteger(L, key) && lua_tointeger(L, key) >= 1 && lua_tointeger(L, key) <= n;
		if (!is_element) {
			if (!put_key(w, key))
				return false;
			if (!put_value(w, value, depth))
				return place_below(w, key);
		}
		lua_settop(L, key);
	}
	return true;
}

static bool put_table(writer *w, int index, int depth)
{
	lua_State *L = w->L;
	if (lua_getmetatable(L, index))
		return refuse(w, "a table with a metatable", "a plain table");
	if (depth == DEEPEST)
		return refuse(w, "tables nested more than 100 deep", "fewer, and no table in itself");
	lua_Integer const n = count_elements(L, index);
	return put(w, TABLE, &n, sizeof n) && put_elements(w, index, n, depth + 1) && put_fields(w, index, n, depth + 1) &&
	       put(w, END, NULL, 0);
}

static bool put_value(writer *w, int index, int depth)
{
	luaL_checkstack(w->L, STACK, "value to send");
	switch (lua_type(w->L, index)) {
	case LUA_TNIL:
		return put(w, NIL, NULL, 0);
	case LUA_TBOOLEAN:
		return put(w, lua_toboolean(w->L, index) ? TRUE : FALSE, NULL, 0);
	case LUA_TNUMBER:
		return put_number(w, index);
	case LUA_TSTRING:
		return put_string(w, index);
	case LUA_TTABLE:
		return put_table(w, index, depth);
	default:
		return refuse_type(w, index, "", "nil, a boolean, a number, a string or a table of these");
	}
}

bool crux_value_write(lua_State *L, int index, const char *name, crux_bytes *out, crux_fault *fault)
{
	writer w = {.L = L, .out = out};
	int const top = lua_gettop(L);
	bool const done = put_value(&w, lua_absindex(L, index), 0);
	if (!done && w.expected)
		crux_fault_set(fault, "%s%s: found %s, expected %s", name, w.place, w.found, w.expected);
	else if (!done)
		crux_fault_set(fault, "out of memory");
	lua_settop(L, top);
	return done;
}

/* Returns the end of the value that starts at `at`; NULL if it is no whole value. */
static const char *skip(const char *at, const char *end, int depth);

static const char *skip_bytes(const char *at, const char *end, size_t n)
{
	return n <= (size_t)(end - at) ? at + n : NULL;
}

static const char *skip_key(const char *at, const char *end)
{
	lua_Number number = 0;
	bool const is_key = at < end && (*at == FALSE || *at == TRUE || *at == INTEGER || *at == FLOAT || *at == STRING);
	char const *const after = is_key ? skip(at, end, 0) : NULL;
	if (after && *at == FLOAT)
		memcpy(&number, at + 1, sizeof number);
	return number == number ? after : NULL;
}

static const char *skip_table(const char *at, const char *end, int depth)
{
	lua_Integer n;
	char const *const elements = skip_bytes(at, end, sizeof n);
	if (!elements || depth == DEEPEST)
		return NULL;
	memcpy(&n, at, sizeof n);
	at = n >= 0 ? elements : NULL;
	for (lua_Integer i = 0; i < n && at; i++)
		at = skip(at, end, depth + 1);
	while (at && at < end && *at != END) {
		at = skip_key(at, end);
		at = at ? skip(at, end, depth + 1) : NULL;
	}
	return at && at < end ? at + 1 : NULL;
}

static const char *skip(const char *at, const char *end, int depth)
{
	size_t length;
	char const *text;
	if (at == end)
		return NULL;
	switch (*at++) {
	case NIL:
	case FALSE:
	case TRUE:
		return at;
	case INTEGER:
		return skip_bytes(at, end, sizeof(lua_Integer));
	case FLOAT:
		return skip_bytes(at, end, sizeof(lua_Number));
	case STRING:
		text = skip_bytes(at, end, sizeof length);
		if (!text)
			return NULL;
		memcpy(&length, at, sizeof length);
		return skip_bytes(text, end, length);
	case TABLE:
		return skip_table(at, end, depth);
	default:
		return NULL;
	}
}

bool crux_value_check(const char *bytes, size_t size)
{
	return size > 0 && skip(bytes, bytes + size, 0) == bytes + size;
}

static const char *push_string(lua_State *L, const char *bytes)
{
	size_t length;
	memcpy(&length, bytes, sizeof length);
	lua_pushlstring(L, bytes + sizeof length, length);
	return bytes + sizeof length + length;
}

static const char *push_table(lua_State *L, const char *bytes)
{
	lua_Integer n;
	memcpy(&n, bytes, sizeof n);
	bytes += sizeof n;
	lua_createtable(L, n < INT32_MAX ? (int)n : 0, 0);
	for (lua_Integer i = 1; i <= n; i++) {
		bytes = crux_value_push(L, bytes);
		lua_rawseti(L, -2, i);
	}
	while (*bytes != END) {
		bytes = crux_value_push(L, bytes);
		bytes = crux_value_push(L, bytes);
		lua_rawset(L, -3);
	}
	return bytes + 1;
}

const char *crux_value_push(lua_State *L, const char *bytes)
{
	lua_Integer integer;
	lua_Number number;
	luaL_checkstack(L, STACK, "value that was sent");
	switch (*bytes++) {
	case INTEGER:
		memcpy(&integer, bytes, sizeof integer);
		lua_pushinteger(L, integer);
		return bytes + sizeof integer;
	case FLOAT:
		memcpy(&number, bytes, sizeof number);
		lua_pushnumber(L, number);
		return bytes + sizeof number;
	case STRING:
		return push_string(L, bytes);
	case TABLE:
		return push_table(L, bytes);
	case NIL:
		lua_pushnil(L);
		return bytes;
	default:
		lua_pushboolean(L, bytes[-1] == TRUE);
		return bytes;
	}
}
