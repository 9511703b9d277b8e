/* The functions and tables that a function reaches by its upvalues, their contents, and a check that these are unchanged. */
#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "trace/level_shape_lua.h"

enum { MAX_FOUND = 5000 };

/* Key in the registry: a table whose keys are the functions and tables that crux gives to scripts. */
static const char trusted;

/* True when no script can change what the value at the top of the stack, a function or table, holds: a function in C, a function
 * of crux, or a table of crux whose metatable is protected. */
static bool is_trusted(lua_State *L)
{
	int const value = lua_gettop(L);
	if (lua_iscfunction(L, value))
		return true;
	bool found = false;
	bool const is_fixed = lua_isfunction(L, value) || luaL_getmetafield(L, value, "__metatable") != LUA_TNIL;
	if (is_fixed && lua_rawgetp(L, LUA_REGISTRYINDEX, &trusted) != LUA_TNIL) {
		lua_pushvalue(L, value);
		found = lua_rawget(L, -2) != LUA_TNIL;
	}
	lua_settop(L, value);
	return found;
}

/* Adds the value at the top of the stack to a set, a table of keys; true when it was there before. */
static bool add_to_set(lua_State *L, int set)
{
	lua_pushvalue(L, -1);
	bool const is_known = lua_rawget(L, set) != LUA_TNIL;
	lua_pop(L, 1);
	lua_pushvalue(L, -1);
	lua_pushboolean(L, true);
	lua_rawset(L, set);
	return is_known;
}

/* Adds the function or table at the top of the stack, and what it holds if it is a table, to the set of trusted values. */
static void trust(lua_State *L, int trusted_index)
{
	int const value = lua_gettop(L);
	if (!(lua_istable(L, value) || lua_isfunction(L, value)) || add_to_set(L, trusted_index) || !lua_istable(L, value))
		return;
	luaL_checkstack(L, 10, NULL);
	for (lua_pushnil(L); lua_next(L, value); lua_pop(L, 1))
		trust(L, trusted_index);
	if (luaL_getmetafield(L, value, "__index") != LUA_TNIL)
		trust(L, trusted_index);
	lua_settop(L, value);
}

void crux_reached_trust(lua_State *L, int table)
{
	lua_pushvalue(L, table);
	if (lua_rawgetp(L, LUA_REGISTRYINDEX, &trusted) == LUA_TNIL) {
		lua_newtable(L);
		lua_createtable(L, 0, 1);
		lua_pushliteral(L, "k");
		lua_setfield(L, -2, "__mode");
		lua_setmetatable(L, -2);
		lua_pushvalue(L, -1);
		lua_rawsetp(L, LUA_REGISTRYINDEX, &trusted);
		lua_replace(L, -2);
	}
	lua_insert(L, -2);
	trust(L, lua_gettop(L) - 1);
	lua_pop(L, 2);
}

/* A value in two words: values with the same words are equal. Equal texts and floats may have different words. */
typedef struct identity {
	int type; /* of lua_type; LUA_NUMTYPES: an integer */
	int64_t bits;
} identity;

/* A traversal: stack indices of the list of functions and tables reached, the list of their contents, and the set of what is
 * reached. */
typedef struct traversal {
	int reached, found, known;
	bool is_new; /* makes the lists, instead of comparing with them */
	lua_Integer reached_count, found_count;
	identity *identities; /* of the contents, to compare with */
	size_t identity_count;
} traversal;

static identity identity_of(lua_State *L, int index)
{
	identity is = {.type = lua_type(L, index)};
	if (is.type == LUA_TBOOLEAN) {
		is.bits = lua_toboolean(L, index);
	} else if (is.type != LUA_TNUMBER) {
		is.bits = (intptr_t)lua_topointer(L, index);
	} else if (lua_isinteger(L, index)) {
		is = (identity){LUA_NUMTYPES, lua_tointeger(L, index)};
	} else {
		lua_Number const number = lua_tonumber(L, index);
		memcpy(&is.bits, &number, sizeof number);
	}
	return is;
}

/* True when the value at that index equals the last visited one of the contents. */
static bool is_equal(lua_State *L, const traversal *t, int index)
{
	size_t const i = (size_t)t->found_count - 1;
	identity const is = identity_of(L, index);
	if (i >= t->identity_count || is.type != t->identities[i].type)
		return false;
	if (is.bits == t->identities[i].bits)
		return true;
	lua_pushvalue(L, index);
	lua_rawgeti(L, t->found, t->found_count);
	bool const is_same = lua_rawequal(L, -1, -2);
	lua_pop(L, 2);
	return is_same;
}

/* Adds the value at that index to the contents or, with existing lists, compares it with the next one; false when they differ. */
static bool visit_value(lua_State *L, traversal *t, int index)
{
	++t->found_count;
	if (!t->is_new)
		return is_equal(L, t, index);
	lua_pushvalue(L, index);
	lua_pushvalue(L, -1);
	lua_rawseti(L, t->found, t->found_count);
	int const type = lua_type(L, -1);
	if ((type == LUA_TTABLE || type == LUA_TFUNCTION) && !is_trusted(L) && !add_to_set(L, t->known)) {
		lua_pushvalue(L, -1);
		lua_rawseti(L, t->reached, ++t->reached_count);
	}
	lua_pop(L, 1);
	return true;
}

/* Visits the contents of the function or table at the top of the stack. */
static bool visit_contents(lua_State *L, traversal *t)
{
	int const from = lua_gettop(L);
	bool is_same = true;
	if (lua_isfunction(L, from)) {
		for (int i = 1; is_same && lua_getupvalue(L, from, i); i++, lua_pop(L, 1))
			is_same = visit_value(L, t, -1);
	} else {
		if (!lua_getmetatable(L, from))
			lua_pushnil(L);
		is_same = visit_value(L, t, -1);
		for (lua_pushnil(L); is_same && t->found_count < MAX_FOUND && lua_next(L, from); lua_pop(L, 1))
			is_same = visit_value(L, t, -1) && visit_value(L, t, -2);
	}
	lua_pushlightuserdata(L, (void *)&trusted); /* marks the end of these contents */
	is_same = is_same && visit_value(L, t, -1);
	lua_settop(L, from);
	return is_same;
}

/* Visits all that is reached; false when something has changed, or there is too much. */
static bool visit_all(lua_State *L, traversal *t)
{
	bool is_same = true;
	for (lua_Integer i = 1; is_same && i <= t->reached_count; i++) {
		lua_rawgeti(L, t->reached, i);
		is_same = visit_contents(L, t) && t->found_count < MAX_FOUND;
		lua_pop(L, 1);
	}
	return is_same;
}

bool crux_reached_push(lua_State *L, int function)
{
	int const base = lua_gettop(L);
	lua_createtable(L, 3, 0);
	lua_newtable(L);
	lua_newtable(L);
	lua_newtable(L);
	lua_pushvalue(L, function);
	lua_rawseti(L, base + 2, 1);
	for (int i = 1; i <= 2; i++) {
		lua_pushvalue(L, base + 1 + i);
		lua_rawseti(L, base + 1, i);
	}
	traversal t = {.reached = base + 2, .found = base + 3, .known = base + 4, .is_new = true, .reached_count = 1};
	bool const is_complete = visit_all(L, &t);
	identity *const identities = lua_newuserdatauv(L, (size_t)t.found_count * sizeof *identities, 0);
	lua_rawseti(L, base + 1, 3);
	for (lua_Integer i = 0; i < t.found_count; i++) {
		lua_rawgeti(L, t.found, i + 1);
		identities[i] = identity_of(L, -1);
		lua_pop(L, 1);
	}
	lua_settop(L, base + 1);
	return is_complete;
}

bool crux_reached_is_unchanged(lua_State *L, int index)
{
	int const base = lua_gettop(L);
	lua_rawgeti(L, index, 1);
	lua_rawgeti(L, index, 2);
	lua_rawgeti(L, index, 3);
	traversal t = {.reached = base + 1, .found = base + 2, .reached_count = (lua_Integer)lua_rawlen(L, base + 1)};
	t.identities = lua_touserdata(L, -1);
	t.identity_count = lua_rawlen(L, -1) / sizeof *t.identities;
	bool const is_same = visit_all(L, &t);
	lua_settop(L, base);
	return is_same;
}
