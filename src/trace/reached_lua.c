/* What a function reaches by its upvalues: the functions and tables, and what is in them, and whether that is as it was. */
#include <lauxlib.h>
#include <stdbool.h>

#include "trace/level_shape_lua.h"

enum { MAX_FOUND = 5000 };

/* In the registry: functions that depend on nothing that changes, as keys. */
static const char trusted;

/* Whether the function at the top of the stack is C, which no script reaches into, or trusted. */
static bool is_trusted(lua_State *L)
{
	if (lua_iscfunction(L, -1))
		return true;
	if (lua_rawgetp(L, LUA_REGISTRYINDEX, &trusted) == LUA_TNIL) {
		lua_pop(L, 1);
		return false;
	}
	lua_pushvalue(L, -2);
	bool const found = lua_rawget(L, -2) != LUA_TNIL;
	lua_pop(L, 2);
	return found;
}

/* Trusts the functions in the table at the top of the stack, and in tables in it, by entering them in a table. */
static void trust(lua_State *L, int trusted_index)
{
	luaL_checkstack(L, 10, NULL);
	int const table = lua_gettop(L);
	lua_pushvalue(L, table);
	lua_pushboolean(L, true);
	lua_rawset(L, trusted_index);
	for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
		lua_pushvalue(L, -1);
		bool const is_known = lua_rawget(L, trusted_index) != LUA_TNIL;
		lua_pop(L, 1);
		if (lua_istable(L, -1) && !is_known)
			trust(L, trusted_index);
		if (!lua_isfunction(L, -1))
			continue;
		lua_pushvalue(L, -1);
		lua_pushboolean(L, true);
		lua_rawset(L, trusted_index);
	}
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

/* What was gone through: where the lists of what is reached, and of what was found there, are on the stack, with a table
 * of all that is reached. */
typedef struct tour {
	int reached, found, known;
	bool is_new; /* the lists are made */
	lua_Integer reached_count, found_count;
} tour;

/* Compares the value at the top of the stack, which is popped, with the next one that was found, or, when the lists are
 * made, adds it. */
static bool take_value(lua_State *L, tour *t)
{
	int const type = lua_type(L, -1);
	bool is_same = true;
	++t->found_count;
	if (t->is_new) {
		lua_pushvalue(L, -1);
		lua_rawseti(L, t->found, t->found_count);
	} else {
		lua_rawgeti(L, t->found, t->found_count);
		is_same = lua_rawequal(L, -1, -2) && lua_isinteger(L, -1) == lua_isinteger(L, -2);
		lua_pop(L, 1);
	}
	if (t->is_new && (type == LUA_TTABLE || (type == LUA_TFUNCTION && !is_trusted(L)))) {
		lua_pushvalue(L, -1);
		bool const is_known = lua_rawget(L, t->known) != LUA_TNIL;
		lua_pop(L, 1);
		if (!is_known) {
			lua_pushvalue(L, -1);
			lua_pushboolean(L, true);
			lua_rawset(L, t->known);
			lua_pushvalue(L, -1);
			lua_rawseti(L, t->reached, ++t->reached_count);
		}
	}
	lua_pop(L, 1);
	return is_same;
}

/* Goes through one function or table, at the top of the stack. */
static bool take_contents(lua_State *L, tour *t)
{
	int const from = lua_gettop(L);
	bool is_same = true;
	if (lua_isfunction(L, from)) {
		for (int i = 1; is_same && lua_getupvalue(L, from, i); i++)
			is_same = take_value(L, t);
	} else {
		if (!lua_getmetatable(L, from))
			lua_pushnil(L);
		is_same = take_value(L, t);
		for (lua_pushnil(L); is_same && t->found_count < MAX_FOUND && lua_next(L, from);) {
			is_same = take_value(L, t);
			if (is_same) {
				lua_pushvalue(L, -1);
				is_same = take_value(L, t);
			}
		}
		lua_settop(L, from);
	}
	lua_pushlightuserdata(L, (void *)&trusted); /* that is all */
	is_same = is_same && take_value(L, t);
	lua_settop(L, from);
	return is_same;
}

/* Goes through all; false when it is not as it was, or too much. */
static bool take_all(lua_State *L, tour *t)
{
	bool is_same = true;
	for (lua_Integer i = 1; is_same && i <= t->reached_count; i++) {
		lua_rawgeti(L, t->reached, i);
		is_same = take_contents(L, t) && t->found_count < MAX_FOUND;
		lua_pop(L, 1);
	}
	return is_same;
}

bool crux_reached_push(lua_State *L, int function)
{
	int const base = lua_gettop(L);
	lua_createtable(L, 2, 0);
	lua_newtable(L);
	lua_newtable(L);
	lua_newtable(L);
	lua_pushvalue(L, function);
	lua_rawseti(L, base + 2, 1);
	for (int i = 1; i <= 2; i++) {
		lua_pushvalue(L, base + 1 + i);
		lua_rawseti(L, base + 1, i);
	}
	tour t = {.reached = base + 2, .found = base + 3, .known = base + 4, .is_new = true, .reached_count = 1};
	bool const is_complete = take_all(L, &t);
	lua_settop(L, base + 1);
	return is_complete;
}

bool crux_reached_is_same(lua_State *L, int index)
{
	int const base = lua_gettop(L);
	lua_rawgeti(L, index, 1);
	lua_rawgeti(L, index, 2);
	tour t = {.reached = base + 1, .found = base + 2, .reached_count = (lua_Integer)lua_rawlen(L, base + 1)};
	bool const is_same = take_all(L, &t);
	lua_settop(L, base);
	return is_same;
}
