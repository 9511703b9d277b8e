/* libcrux.csv: CSV files as blocks of columns; see csv_reader.h. */
#include <lauxlib.h>
#include <string.h>

#include "base/number.h"
#include "files/csv_reader.h"
#include "files/texts_lua.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/vector_lua.h"

#define TYPE "crux.csv"

static crux_csv *check(lua_State *L)
{
	return *(crux_csv **)crux_handle_check(L, 1, TYPE, "the reader was closed");
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
	crux_csv **slot = crux_handle_new(L, TYPE, sizeof *slot, 1); /* user value: the number of rows in the current block */
	crux_fault fault;
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

/* reader:next() -> the number of rows in the next block, 0 at the end; or nil and a message; for a cell that is no number
 * also its text and its column */
static int csv_next(lua_State *L)
{
	crux_fault fault;
	long const rows = crux_csv_next(check(L), &fault);
	if (rows < 0) {
		size_t column;
		const char *const cell = crux_csv_no_number(check(L), &column);
		crux_fail(L, fault.message);
		lua_pushstring(L, cell);
		lua_pushinteger(L, (lua_Integer)column + 1);
		return 4;
	}
	lua_pushinteger(L, rows);
	lua_pushvalue(L, -1);
	lua_setiuservalue(L, 1, 1);
	return 1;
}

static size_t block_rows(lua_State *L)
{
	lua_getiuservalue(L, 1, 1);
	size_t const rows = (size_t)lua_tointeger(L, -1);
	lua_pop(L, 1);
	return rows;
}

/* reader:numbers(column) -> vector; nil for a column of text */
static int csv_numbers(lua_State *L)
{
	crux_csv const *reader = check(L);
	double const *cells = crux_csv_numbers(reader, check_column(L, reader));
	size_t const rows = block_rows(L);
	if (cells)
		memcpy(crux_vector_push(L, rows), cells, rows * sizeof *cells);
	else
		lua_pushnil(L);
	return 1;
}

/* reader:texts(column) -> column of texts */
static int csv_texts(lua_State *L)
{
	crux_csv const *reader = check(L);
	size_t const column = check_column(L, reader);
	size_t const rows = block_rows(L);
	size_t bytes = 0;
	for (size_t row = 0; row < rows; row++) {
		const char *const text = crux_csv_text(reader, column, row);
		luaL_argcheck(L, text, 2, "a column that was not selected as text");
		bytes += strlen(text) + 1;
	}
	crux_texts *const texts = crux_texts_push(L, rows, bytes);
	char *at = texts->bytes;
	for (size_t row = 0; row < rows; row++) {
		texts->starts[row] = (size_t)(at - texts->bytes);
		at = stpcpy(at, crux_csv_text(reader, column, row)) + 1;
	}
	return 1;
}

/* reader:lines() -> the line of the first row of the block, if each row is one line; else a vector of the lines on which the
 * rows begin */
static int csv_lines(lua_State *L)
{
	crux_csv const *reader = check(L);
	size_t const rows = block_rows(L);
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

CRUX_RELEASE(csv_release, TYPE, crux_csv_close)

/* number(text) -> number, NaN for a missing one; or nil, what was found and what was expected */
static int csv_number(lua_State *L)
{
	size_t length;
	const char *const text = luaL_checklstring(L, 1, &length);
	double value;
	char quoted[64];
	crux_number const result = crux_number_parse(text, length, &value);
	if (result == CRUX_NUMBER_OK || result == CRUX_NUMBER_MISSING) {
		lua_pushnumber(L, value);
		return 1;
	}
	crux_fail(L, crux_fault_quote(quoted, text, length));
	lua_pushstring(L, crux_number_expected(result));
	return 3;
}

/* exact(number) -> the shortest decimal of 15 to 17 digits that reads back as the same double; "" for nil and NaN */
static int csv_exact(lua_State *L)
{
	char digits[CRUX_NUMBER_PRINTED];
	if (lua_isinteger(L, 1))
		lua_pushfstring(L, "%I", (LUAI_UACINT)lua_tointeger(L, 1));
	else
		lua_pushlstring(L, digits, lua_isnoneornil(L, 1) ? 0 : crux_number_print(luaL_checknumber(L, 1), digits));
	return 1;
}

CRUX_TABLE(methods,
	{"columns", csv_columns},
	{"select",  csv_select},
	{"next",    csv_next},
	{"numbers", csv_numbers},
	{"texts",   csv_texts},
	{"lines",   csv_lines},
	{"rewind",  csv_rewind},
	CRUX_CLOSES(csv_release))

CRUX_TABLE(functions,
	{"open",   csv_open},
	{"number", csv_number},
	{"exact",  csv_exact})

CRUX_TYPE_LIBRARY(csv, TYPE)
