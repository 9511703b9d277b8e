/* libcrux.database: a database of SQLite; see database.h. */
#include <lauxlib.h>
#include <limits.h>

#include "lua/binding.h"
#include "lua/modules.h"
#include "serve/database.h"

#define TYPE "crux.database"

typedef struct handle {
	crux_database *database; /* NULL: closed */
} handle;

static crux_database *check(lua_State *L)
{
	return ((handle *)crux_handle_check(L, 1, TYPE, "the database was closed"))->database;
}

/* open(path, makes) -> database, or nil and a message */
static int database_open(lua_State *L)
{
	const char *const path = luaL_checkstring(L, 1);
	bool const makes = lua_toboolean(L, 2);
	crux_fault fault;
	handle *h = crux_handle_new(L, TYPE, sizeof *h, 0);
	h->database = crux_database_open(path, makes, &fault);
	return h->database ? 1 : crux_fail(L, fault.message);
}

/* The value at that index; true is 1, false 0. */
static crux_database_value check_value(lua_State *L, int index)
{
	crux_database_value value = {.kind = CRUX_DATABASE_NULL};
	switch (lua_type(L, index)) {
	case LUA_TNIL:
		break;
	case LUA_TBOOLEAN:
		value.kind = CRUX_DATABASE_INTEGER;
		value.integer = lua_toboolean(L, index);
		break;
	case LUA_TNUMBER:
		value.kind = lua_isinteger(L, index) ? CRUX_DATABASE_INTEGER : CRUX_DATABASE_REAL;
		value.integer = lua_tointeger(L, index);
		value.real = lua_tonumber(L, index);
		break;
	default:
		value.kind = CRUX_DATABASE_TEXT;
		value.text = luaL_checklstring(L, index, &value.size);
		luaL_argcheck(L, value.size <= INT_MAX, index, "too long");
	}
	return value;
}

static void push_value(lua_State *L, crux_database_value value)
{
	switch (value.kind) {
	case CRUX_DATABASE_NULL:
		lua_pushnil(L);
		break;
	case CRUX_DATABASE_INTEGER:
		lua_pushinteger(L, (lua_Integer)value.integer);
		break;
	case CRUX_DATABASE_REAL:
		lua_pushnumber(L, value.real);
		break;
	case CRUX_DATABASE_TEXT:
		lua_pushlstring(L, value.text ? value.text : "", value.size);
		break;
	}
}

/* database:run(sql, ...) -> the rows, tables by column, of one statement whose parameters are the other arguments; or nil and a
 * message */
static int database_run(lua_State *L)
{
	crux_database *const database = check(L);
	const char *const sql = luaL_checkstring(L, 2);
	int const top = lua_gettop(L);
	crux_fault fault;
	int found = -1;
	bool done = crux_database_begin(database, sql, &fault);
	for (int i = 3; done && i <= top; i++)
		done = crux_database_bind(database, i - 2, check_value(L, i), &fault);
	lua_newtable(L);
	for (lua_Integer row = 1; done && (found = crux_database_step(database, &fault)) == 1; row++) {
		int const columns = crux_database_columns(database);
		lua_createtable(L, 0, columns);
		for (int i = 0; i < columns; i++) {
			push_value(L, crux_database_column(database, i));
			lua_setfield(L, -2, crux_database_name(database, i));
		}
		lua_rawseti(L, -2, row);
	}
	crux_database_end(database);
	return found == 0 ? 1 : crux_fail(L, fault.message);
}

/* database:close() */
static int database_close(lua_State *L)
{
	crux_database_close(crux_handle_take(L, TYPE));
	return 0;
}

static const luaL_Reg methods[] = {
	{"run",     database_run},
	{"close",   database_close},
	{"__gc",    database_close},
	{"__close", database_close},
	{NULL,      NULL},
};

static const luaL_Reg functions[] = {
	{"open", database_open},
	{NULL,   NULL},
};

CRUX_TYPE_LIBRARY(database, TYPE)
