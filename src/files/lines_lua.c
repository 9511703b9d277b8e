/* libcrux.lines: rows of columns as lines of CSV or objects of JSON. A column is a vector, a column of texts, a list, which may
 * have holes, or false for one without values. */
#include <ctype.h>
#include <lauxlib.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/number.h"
#include "files/texts_lua.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/vector_lua.h"

typedef struct line_column {
	const double *numbers;
	const crux_texts *texts;
	int list; /* its place on the stack, or 0 */
} line_column;

/* The lines: bytes in a userdata at a place on the stack. */
typedef struct output {
	lua_State *L;
	int place;
	char *bytes;
	size_t used, room;
} output;

static void start(lua_State *L, output *out, size_t room)
{
	char *const bytes = lua_newuserdatauv(L, room, 0);
	*out = (output){ .L = L, .bytes = bytes, .room = room, .place = lua_gettop(L) };
}

/* The place for n more bytes. */
static char *make_room(output *out, size_t n)
{
	if (out->used + n > out->room) {
		out->room = 2 * (out->used + n);
		out->bytes = memcpy(lua_newuserdatauv(out->L, out->room, 0), out->bytes, out->used);
		lua_replace(out->L, out->place);
	}
	return out->bytes + out->used;
}

static void add(output *out, const char *text, size_t length)
{
	memcpy(make_room(out, length), text, length);
	out->used += length;
}

static void add_number(output *out, double x)
{
	out->used += crux_number_print(x, make_room(out, CRUX_NUMBER_PRINTED));
}

/* Reads the list of columns at that index; their lists stay on the stack. Returns an array that Lua owns. */
static line_column *check_columns(lua_State *L, int index, size_t rows, size_t *count)
{
	*count = crux_check_length(L, index);
	line_column *const columns = lua_newuserdatauv(L, *count * sizeof *columns, 0);
	luaL_checkstack(L, (int)*count + 10, "too many columns");
	for (size_t j = 0; j < *count; j++) {
		line_column *const c = &columns[j];
		size_t n = rows;
		*c = (line_column){ 0 };
		int const type = lua_rawgeti(L, index, (lua_Integer)j + 1);
		if (type == LUA_TTABLE)
			c->list = lua_gettop(L);
		else if (type != LUA_TBOOLEAN && (c->texts = luaL_testudata(L, -1, CRUX_TEXTS_TYPE)))
			n = c->texts->n;
		else if (type != LUA_TBOOLEAN)
			c->numbers = crux_vector_check(L, -1, &n);
		luaL_argcheck(L, n == rows, index, "columns of different lengths");
	}
	return columns;
}

static bool is_blank(char c) { return isspace((unsigned char)c); }

static bool begins_with(const char *text, size_t length, const char *start)
{
	size_t const n = strlen(start);
	return length >= n && memcmp(text, start, n) == 0;
}

/* Tells whether a spreadsheet runs a text as a formula; the last four starts are full-width forms of = + - @. */
static bool is_formula(const char *text, size_t length)
{
	static const char *const starts[] = { "\t", "\r", "\n", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0" };
	double number;
	size_t at = 0;
	while (at < length && is_blank(text[at]))
		at++;
	bool runs = at < length && memchr("=+-@", text[at], 4);
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		runs = runs || begins_with(text, length, starts[i]);
	return runs && crux_number_parse(text, length, &number) > CRUX_NUMBER_MISSING;
}

/* Adds a text, quoted if it must be; for spreadsheets, including those that split at ; or tabs, made harmless. */
static void add_csv_text(output *out, const char *text, size_t length, bool is_safe)
{
	bool const is_defused = is_safe && is_formula(text, length);
	bool is_quoted = length && ((!is_defused && is_blank(text[0])) || is_blank(text[length - 1]));
	for (size_t i = 0; i < length && !is_quoted; i++)
		is_quoted = text[i] == '"' || text[i] == ',' || text[i] == '\r' || text[i] == '\n' ||
			(is_safe && (text[i] == ';' || text[i] == '\t'));
	if (is_quoted)
		add(out, "\"", 1);
	if (is_defused)
		add(out, "'", 1);
	if (!is_quoted)
		add(out, text, length);
	for (size_t i = 0; is_quoted && i < length; i++)
		add(out, text[i] == '"' ? "\"\"" : text + i, text[i] == '"' ? 2 : 1);
	if (is_quoted)
		add(out, "\"", 1);
}

/* Adds the value on top of the stack. */
static void add_csv_value(output *out, bool is_safe)
{
	lua_State *const L = out->L;
	size_t length;
	if (lua_type(L, -1) == LUA_TNUMBER && !lua_isinteger(L, -1)) {
		add_number(out, lua_tonumber(L, -1));
	} else if (!lua_isnil(L, -1)) {
		bool const is_number = lua_type(L, -1) == LUA_TNUMBER;
		const char *const text = luaL_tolstring(L, -1, &length);
		add_csv_text(out, text, length, is_safe && !is_number);
		lua_pop(L, 1);
	}
}

static const char *text_of(const crux_texts *texts, size_t row, size_t *length)
{
	*length = texts->starts[row + 1] - texts->starts[row] - 1;
	return texts->bytes + texts->starts[row];
}

/* csv(columns, rows, is_safe) -> lines; numbers as base/number.h prints them, nil as nothing */
static int lines_csv(lua_State *L)
{
	size_t const rows = (size_t)luaL_checkinteger(L, 2);
	bool const is_safe = lua_toboolean(L, 3);
	size_t count, length;
	output out;
	line_column const *const columns = check_columns(L, 1, rows, &count);
	start(L, &out, rows * (20 * count + 1) + 1);
	for (size_t row = 0; row < rows; row++)
		for (size_t j = 0; j < count; j++) {
			line_column const *const c = &columns[j];
			if (c->numbers) {
				add_number(&out, c->numbers[row]);
			} else if (c->texts) {
				const char *const text = text_of(c->texts, row, &length);
				add_csv_text(&out, text, length, is_safe);
			} else if (c->list) {
				lua_rawgeti(L, c->list, (lua_Integer)row + 1);
				add_csv_value(&out, is_safe);
				lua_pop(L, 1);
			}
			add(&out, j + 1 < count ? "," : "\n", 1);
		}
	lua_pushlstring(L, out.bytes, out.used);
	return 1;
}

/* Adds a text in quotes if all its bytes are printable ASCII, else returns false. */
static bool add_json_text(output *out, const char *text, size_t length)
{
	char *at = make_room(out, 2 * length + 2);
	*at++ = '"';
	for (size_t i = 0; i < length; i++) {
		if (text[i] < ' ' || text[i] > '~') /* a char may be signed or not */
			return false;
		if (text[i] == '"' || text[i] == '\\')
			*at++ = '\\';
		*at++ = text[i];
	}
	*at++ = '"';
	out->used = (size_t)(at - out->bytes);
	return true;
}

/* Adds the value on top of the stack, no table: a float or a plain text, or what the function at index 4 makes of it. */
static void add_json_value(output *out)
{
	lua_State *const L = out->L;
	size_t length;
	const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &length) : NULL;
	double const number = lua_type(L, -1) == LUA_TNUMBER && !lua_isinteger(L, -1) ? lua_tonumber(L, -1) : NAN;
	if (isfinite(number)) {
		add_number(out, number);
	} else if (lua_isnil(L, -1)) {
		add(out, "null", 4);
	} else if (!text || !add_json_text(out, text, length)) {
		lua_pushvalue(L, 4);
		lua_pushvalue(L, -2);
		lua_call(L, 1, 1);
		text = luaL_checklstring(L, -1, &length);
		add(out, text, length);
		lua_pop(L, 1);
	}
}

/* json(columns, rows, starts, encode) -> an object of one line for each row, separated by ",\n  ", or nil if a value is a table; each
 * start is the JSON in front of a column's value, and encode(value) makes JSON of a value */
static int lines_json(lua_State *L)
{
	size_t const rows = (size_t)luaL_checkinteger(L, 2);
	size_t count, length;
	output out;
	line_column const *const columns = check_columns(L, 1, rows, &count);
	luaL_argcheck(L, crux_check_length(L, 3) == count, 3, "a key for each column");
	struct { const char *text; size_t length; } *const starts = lua_newuserdatauv(L, count * sizeof *starts, 0);
	for (size_t j = 0; j < count; j++) {
		lua_rawgeti(L, 3, (lua_Integer)j + 1);
		starts[j].text = luaL_checklstring(L, -1, &starts[j].length);
		lua_pop(L, 1); /* the list keeps it alive */
	}
	start(L, &out, rows * (32 * count + 8) + 1);
	for (size_t row = 0; row < rows; row++) {
		add(&out, row == 0 ? "{" : ",\n  {", row == 0 ? 1 : 5);
		for (size_t j = 0; j < count; j++) {
			line_column const *const c = &columns[j];
			add(&out, starts[j].text, starts[j].length);
			const char *const text = c->texts ? text_of(c->texts, row, &length) : NULL;
			if (c->numbers && isfinite(c->numbers[row])) {
				add_number(&out, c->numbers[row]);
			} else if (!text || !add_json_text(&out, text, length)) {
				if (text)
					lua_pushlstring(L, text, length);
				else if (c->list)
					lua_rawgeti(L, c->list, (lua_Integer)row + 1);
				else
					lua_pushnil(L);
				if (lua_istable(L, -1)) {
					lua_pushnil(L);
					return 1;
				}
				add_json_value(&out);
				lua_pop(L, 1);
			}
		}
		add(&out, "}", 1);
	}
	lua_pushlstring(L, out.bytes, out.used);
	return 1;
}

CRUX_LIBRARY(lines,
	{"csv",  lines_csv},
	{"json", lines_json})
