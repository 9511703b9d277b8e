/* Checks of arguments of crux.h, and tables for Lua. */
#include "host/arguments.h"

#include <lauxlib.h>
#include <string.h>

#include "base/fault.h"
#include "base/sizes.h"
#include "lua/binding.h"
#include "stats/vector_lua.h"

bool crux_is_given(const void *argument, const char *function, const char *expected, crux_fault *fault)
{
	if (!argument)
		crux_fault_set(fault, "%s: found NULL, expected %s", function, expected);
	return argument != NULL;
}

bool crux_is_long_enough(const void *array, size_t length, size_t least, const char *function, const char *of, crux_fault *fault)
{
	if (array ? length >= least : least == 0)
		return true;
	if (array)
		crux_fault_set(fault, "%s: found an array of %zu %s, expected at least %zu", function, length, of, least);
	else
		crux_fault_set(fault, "%s: found NULL, expected an array of %zu %s", function, least, of);
	return false;
}

bool crux_are_names(const char *const *names, size_t count, const char *function, const char *of, crux_fault *fault)
{
	for (size_t i = 0; i < count; i++)
		if (!names[i]) {
			crux_fault_set(fault, "%s: found NULL, expected the name of %s %zu", function, of, i + 1);
			return false;
		}
	return true;
}

bool crux_is_table(const crux_table *table, const char *function, crux_fault *fault)
{
	if (!crux_is_given(table, function, "a table", fault))
		return false;
	size_t cells;
	if (table->rows > CRUX_MOST_CSV_ROWS || table->columns > CRUX_MOST_CSV_COLUMNS ||
	    __builtin_mul_overflow(table->rows, table->columns, &cells)) {
		crux_fault_set(fault, "%s: found a table of %zu rows and %zu columns, expected at most %d and %d", function,
		               table->rows, table->columns, CRUX_MOST_CSV_ROWS, CRUX_MOST_CSV_COLUMNS);
		return false;
	}
	return crux_is_long_enough(table->names, table->columns, table->columns, function, "names", fault) &&
	       crux_is_long_enough(table->values, table->length, cells, function, "values", fault) &&
	       crux_are_names(table->names, table->columns, function, "column", fault);
}

void crux_table_push(lua_State *L, const crux_table *table)
{
	char quoted[64];
	lua_createtable(L, 0, 3);
	crux_set_integer(L, "rows", (lua_Integer)table->rows);
	lua_createtable(L, (int)table->columns, 0);
	lua_createtable(L, 0, (int)table->columns);
	for (size_t column = 0; column < table->columns; column++) {
		const char *const name = table->names[column];
		if (lua_getfield(L, -1, name) != LUA_TNIL)
			luaL_error(L, "table: found two columns %s, expected different names", crux_fault_quote(quoted, name, strlen(name)));
		lua_pop(L, 1);
		lua_pushstring(L, name);
		lua_pushvalue(L, -1);
		lua_rawseti(L, -4, (lua_Integer)column + 1);
		double *elements = crux_vector_push(L, table->rows);
		if (table->rows > 0)
			memcpy(elements, table->values + column * table->rows, table->rows * sizeof *elements);
		lua_rawset(L, -3);
	}
	lua_setfield(L, -3, "vectors");
	lua_setfield(L, -2, "columns");
}

void crux_texts_list_push(lua_State *L, const char *const *texts, size_t count)
{
	lua_newtable(L);
	for (size_t i = 0; i < count; i++) {
		lua_pushstring(L, texts[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}
