/* libcrux.csv: CSV files as blocks of columns; csv_reader.h says how they are read. */
#include <lauxlib.h>
#include <string.h>

#include "base/number.h"
#include "files/csv_reader.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/vector_lua.h"

#define TYPE "crux.csv"

static crux_csv *check(lua_State *L)
{
	crux_csv **slot = luaL_checkudata(L, 1, TYPE);
	luaL_argcheck(L, *slot, 1, "the reader was closed");
	return *slot;
}

static size_t check_column(lua_State *L, const crux_csv *reader)
{
	lua_Integer const column = luaL_checkinteger(L, 2);
	luaL_argcheck(L, column >= 1 && (lua_Unsigned)column <= crux_csv_columns(reader), 2, "no such column");
	return (size_t)column - 1;
}

/* open(path, delimiter) -> reader, or nil and a message */
static int csv_open(lua_State *L)
{
	const char *const path = luaL_checkstring(L, 1);
	size_t length;
	const char *const delimiter = luaL_checklstring(L, 2, &length);
	luaL_argcheck(L, length == 1, 2, "a delimiter is one byte");
	crux_csv **slot = lua_newuserdatauv(L, sizeof *slot, 1); /* the value: rows of the block at hand */
	crux_fault fault;
	*slot = NULL;
	luaL_setmetatable(L, TYPE);
	*slot = crux_csv_open(path, NULL, *delimiter, &fault);
	return *slot ? 1 : crux_fail(L, fault.message);
}

/* reader:columns() -> list of names */
static int csv_columns(lua_State *L)
{
	crux_csv const *reader = check(L);
	size_t const count = crux_csv_columns(reader);
	lua_createtable(L, (int)count, 0);
	for (size_t column = 0; column < count; column++) {
		lua_pushstring(L, crux_csv_column(reader, column));
		lua_rawseti(L, -2, (lua_Integer)column + 1);
	}
	return 1;
}

/* reader:select(column, "skip" | "number" | "text" | "guess") */
static int csv_select(lua_State *L)
{
	static const char *const names[] = {"skip", "number", "text", "guess", NULL};
	static const crux_csv_kind kinds[] = {CRUX_CSV_SKIP, CRUX_CSV_NUMBER, CRUX_CSV_TEXT, CRUX_CSV_GUESS};
	crux_csv *reader = check(L);
	size_t const column = check_column(L, reader);
	crux_csv_select(reader, column, kinds[luaL_checkoption(L, 3, NULL, names)]);
	return 0;
}

/* reader:next() -> rows of the next block, 0 at the end, or nil and a message */
static int csv_next(lua_State *L)
{
	crux_fault fault;
	long const rows = crux_csv_next(check(L), &fault);
	if (rows < 0)
		return crux_fail(L, fault.message);
	lua_pushinteger(L, rows);
	lua_pushvalue(L, -1);
	lua_setiuservalue(L, 1, 1);
	return 1;
}

static size_t rows_at_hand(lua_State *L)
{
	lua_getiuservalue(L, 1, 1);
	size_t const rows = (size_t)lua_tointeger(L, -1);
	lua_pop(L, 1);
	return rows;
}

/* reader:numbers(column) -> vector; nil for a guessed column that is text */
static int csv_numbers(lua_State *L)
{
	crux_csv const *reader = check(L);
	double const *cells = crux_csv_numbers(reader, check_column(L, reader));
	size_t const rows = rows_at_hand(L);
	if (cells)
		memcpy(crux_vector_push(L, rows), cells, rows * sizeof *cells);
	else
		lua_pushnil(L);
	return 1;
}

/* reader:texts(column) -> list of strings */
static int csv_texts(lua_State *L)
{
	crux_csv const *reader = check(L);
	size_t const column = check_column(L, reader);
	size_t const rows = rows_at_hand(L);
	lua_createtable(L, (int)rows, 0);
	for (size_t row = 0; row < rows; row++) {
		const char *const text = crux_csv_text(reader, column, row);
		luaL_argcheck(L, text, 2, "a column that was not selected as text");
		lua_pushstring(L, text);
		lua_rawseti(L, -2, (lua_Integer)row + 1);
	}
	return 1;
}

/* reader:lines() -> the line on which the first row of the block begins, when each row is a line; else a vector of the
 * lines on which the rows begin */
static int csv_lines(lua_State *L)
{
	crux_csv const *reader = check(L);
	size_t const rows = rows_at_hand(L);
	size_t const *lines = crux_csv_lines(reader);
	if (rows == 0 || lines[rows - 1] - lines[0] == rows - 1) {
		lua_pushinteger(L, rows == 0 ? 0 : (lua_Integer)lines[0]);
		return 1;
	}
	double *out = crux_vector_push(L, rows);
	for (size_t row = 0; row < rows; row++)
		out[row] = (double)lines[row];
	return 1;
}

static int csv_rewind(lua_State *L)
{
	crux_csv_rewind(check(L));
	return 0;
}

static int csv_release(lua_State *L)
{
	crux_csv **slot = luaL_checkudata(L, 1, TYPE);
	crux_csv_close(*slot);
	*slot = NULL;
	return 0;
}

/* number(text) -> number, NaN when it is missing; nil and what was found when it is none */
static int csv_number(lua_State *L)
{
	size_t length;
	const char *const text = luaL_checklstring(L, 1, &length);
	double value;
	char quoted[64];
	switch (crux_number_parse(text, length, &value)) {
	case CRUX_NUMBER_OK:
	case CRUX_NUMBER_MISSING:
		lua_pushnumber(L, value);
		return 1;
	default:
		return crux_fail(L, crux_fault_quote(quoted, text, length));
	}
}

static const luaL_Reg methods[] = {
	{"columns", csv_columns},
	{"select",  csv_select},
	{"next",    csv_next},
	{"numbers", csv_numbers},
	{"texts",   csv_texts},
	{"lines",   csv_lines},
	{"rewind",  csv_rewind},
	{"__gc",    csv_release},
	{"__close", csv_release},
	{NULL,      NULL},
};

static const luaL_Reg functions[] = {
	{"open",   csv_open},
	{"number", csv_number},
	{NULL,     NULL},
};

int crux_open_csv(lua_State *L)
{
	return crux_open_type(L, TYPE, methods, NULL, functions);
}
