/* libcrux.legend: the texts of cells, to parse levels into boards and to write boards as text. */
#include <assert.h>
#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

#include "base/character.h"
#include "base/fault.h"
#include "base/sizes.h"
#include "boards/board_lua.h"
#include "lua/binding.h"
#include "lua/modules.h"

#define TYPE "crux.legend"

enum { PLANES = CRUX_MOST_PLANES, SHOWN = 16 }; /* limits on planes, which are bits of a word, and on tokens in a message */

/* A token is the text of one cell: a character, or a word when cells are separated by blanks. Bit i of its mask is set when the
 * cell is in plane i. */
typedef struct legend {
	bool separated, padded;
	uint64_t pad; /* mask of the cells added to short rows */
	int planes;
} legend;

/* User values of a legend. */
enum {
	NAMES = 1, /* [i from 1] = the plane's name, [name] = i */
	MASKS,     /* [token] = mask */
	TOKENS,    /* [mask] = the first token of that mask */
	EXPECTED,  /* the tokens as words for messages */
	COMMENT,   /* start of lines that are no rows, or nil */
	USER_VALUES = COMMENT,
};

/* The number of characters in n bytes, where an invalid byte counts as one; *valid becomes true when there are none. */
static size_t characters(const char *text, size_t n, bool *valid)
{
	size_t count = 0;
	*valid = true;
	for (size_t i = 0; i < n; count++) {
		size_t const length = crux_character_size(text + i, n - i);
		*valid = *valid && length > 0;
		i += length > 0 ? length : 1;
	}
	return count;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* The state of parsing a text. */
typedef struct reading {
	lua_State *L;
	legend const *legend;
	lua_Integer line, first_line; /* numbers of the current row's line and of the first row's, for messages */
	unsigned width, height;
	uint8_t widths[CRUX_BOARD_SIDE];
	uint64_t masks[CRUX_BOARD_SIDE][CRUX_BOARD_SIDE];
} reading;

enum { MASKS_INDEX = 4, EXPECTED_INDEX, COMMENT_INDEX }; /* on the stack of parse */

/* Pushes the message that a token in a line is not in the legend; returns false. */
static bool fail_unknown(reading *r, const char *line, const char *token, size_t n)
{
	char quoted[64];
	bool valid, unused;
	characters(token, n, &valid);
	lua_pushfstring(r->L, "line %I, column %I: found %s, expected %s", (LUAI_UACINT)r->line,
	                (LUAI_UACINT)characters(line, (size_t)(token - line), &unused) + 1,
	                valid ? crux_fault_quote(quoted, token, n) : "bytes that are not UTF-8",
	                lua_tostring(r->L, EXPECTED_INDEX));
	return false;
}

/* False, and pushes a message, when the next row cannot have that width. */
static bool check_row(reading *r, unsigned width)
{
	if (width == 0)
		lua_pushfstring(r->L, "line %I: found an empty line, expected a row of cells", (LUAI_UACINT)r->line);
	else if (r->height == CRUX_BOARD_SIDE)
		lua_pushfstring(r->L, "line %I: found more than %d rows, expected at most %d", (LUAI_UACINT)r->line,
		                CRUX_BOARD_SIDE, CRUX_BOARD_SIDE);
	else if (r->height > 0 && !r->legend->padded && width != r->width)
		lua_pushfstring(r->L, "line %I: found %d column%s, expected %d as in line %I", (LUAI_UACINT)r->line, (int)width,
		                width == 1 ? "" : "s", (int)r->width, (LUAI_UACINT)r->first_line);
	else
		return true;
	return false;
}

static bool read_row(reading *r, const char *line, const char *end)
{
	uint64_t masks[CRUX_BOARD_SIDE];
	unsigned width = 0;
	for (const char *at = line;;) {
		while (r->legend->separated && at < end && is_blank(*at))
			at++;
		if (at == end)
			break;
		const char *const token = at;
		size_t const length = crux_character_size(at, (size_t)(end - at));
		at += length > 0 ? length : 1;
		while (r->legend->separated && at < end && !is_blank(*at))
			at++;
		lua_pushlstring(r->L, token, (size_t)(at - token));
		if (lua_rawget(r->L, MASKS_INDEX) == LUA_TNIL)
			return fail_unknown(r, line, token, (size_t)(at - token));
		if (width == CRUX_BOARD_SIDE) {
			lua_pushfstring(r->L, "line %I: found more than %d columns, expected at most %d", (LUAI_UACINT)r->line,
			                CRUX_BOARD_SIDE, CRUX_BOARD_SIDE);
			return false;
		}
		masks[width++] = (uint64_t)lua_tointeger(r->L, -1);
		lua_pop(r->L, 1);
	}
	if (!check_row(r, width))
		return false;
	if (r->height == 0)
		r->first_line = r->line;
	memcpy(r->masks[r->height], masks, width * sizeof *masks);
	r->widths[r->height++] = (uint8_t)width;
	r->width = width > r->width ? width : r->width;
	return true;
}

/* Reads all rows; false, and pushes a message, when one is wrong. */
static bool read_rows(reading *r, const char *text, size_t n)
{
	size_t prefix = 0;
	const char *const comment = lua_tolstring(r->L, COMMENT_INDEX, &prefix);
	const char *end = text + n;
	while (end > text && (end[-1] == '\n' || end[-1] == '\r'))
		end--;
	for (const char *line = text; line < end; r->line++) {
		const char *const newline = memchr(line, '\n', (size_t)(end - line));
		const char *stop = newline ? newline : end;
		const char *const next = newline ? newline + 1 : end;
		if (stop > line && stop[-1] == '\r')
			stop--;
		bool const is_comment = comment && (size_t)(stop - line) >= prefix && memcmp(line, comment, prefix) == 0;
		if (!is_comment && !read_row(r, line, stop))
			return false;
		line = next;
	}
	if (r->height == 0)
		lua_pushfstring(r->L, "line %I: found no rows, expected a level", (LUAI_UACINT)r->line);
	return r->height > 0;
}

/* Pushes a table of the boards of planes by name. */
static void push_planes(reading *r)
{
	lua_State *L = r->L;
	crux_board_shape const shape = crux_board_shape_of(r->width, r->height);
	uint64_t *planes[PLANES];
	lua_createtable(L, 0, r->legend->planes);
	lua_getiuservalue(L, 1, NAMES);
	for (int i = 0; i < r->legend->planes; i++) {
		lua_rawgeti(L, -1, i + 1);
		planes[i] = crux_board_push(L, shape);
		memset(planes[i], 0, shape.words * sizeof *planes[i]);
		lua_rawset(L, -4);
	}
	lua_pop(L, 1);
	for (unsigned y = 0; y < r->height; y++)
		for (unsigned x = 0; x < r->width; x++)
			for (uint64_t mask = x < r->widths[y] ? r->masks[y][x] : r->legend->pad; mask != 0; mask &= mask - 1)
				crux_board_add(planes[__builtin_ctzll(mask)], y * r->width + x);
}

/* l:parse(text, line) -> { [plane] = board }, width, height; or nil and a message. `line` (1 by default) is the number of the
 * text's first line in messages. Blank lines at the end are ignored. */
static int legend_parse(lua_State *L)
{
	legend const *l = luaL_checkudata(L, 1, TYPE);
	size_t n;
	const char *const text = luaL_checklstring(L, 2, &n);
	reading r;
	r.L = L;
	r.legend = l;
	r.line = r.first_line = luaL_optinteger(L, 3, 1);
	luaL_argcheck(L, r.line >= 1 && r.line <= INT32_MAX, 3, "the number of a line");
	r.width = r.height = 0;
	lua_settop(L, 3);
	lua_getiuservalue(L, 1, MASKS);
	lua_getiuservalue(L, 1, EXPECTED);
	lua_getiuservalue(L, 1, COMMENT);
	if (!read_rows(&r, text, n)) {
		lua_pushnil(L);
		lua_insert(L, -2);
		return 2;
	}
	push_planes(&r);
	lua_pushinteger(L, r.width);
	lua_pushinteger(L, r.height);
	return 3;
}

/* Sets the mask of each cell from the planes in the table at index 2; raises unless they are boards of one size. */
static crux_board_shape gather(lua_State *L, legend const *l, uint64_t masks[CRUX_BOARD_CELLS])
{
	crux_board_shape shape = {0}, other;
	lua_getiuservalue(L, 1, NAMES);
	for (int i = 0; i < l->planes; i++) {
		lua_rawgeti(L, 3, i + 1);
		const char *const name = lua_tostring(L, -1);
		if (lua_rawget(L, 2) != LUA_TNIL) {
			uint64_t const *const words = crux_board_test(L, -1, &other);
			if (!words)
				luaL_error(L, "plane '%s' is a %s, not a board", name, luaL_typename(L, -1));
			if (shape.cells == 0)
				memset(masks, 0, other.cells * sizeof *masks);
			shape = shape.cells == 0 ? other : shape;
			if (!crux_board_are_alike(shape, other))
				luaL_error(L, "boards of different sizes: %dx%d and %dx%d", shape.width, shape.height, other.width,
				           other.height);
			CRUX_BOARD_EACH(cell, other, words)
				masks[cell] |= UINT64_C(1) << i;
		}
		lua_pop(L, 1);
	}
	luaL_argcheck(L, shape.cells > 0, 2, "at least one plane of the legend expected");
	return shape;
}

/* Raises that no token has the planes of that cell. */
static void fail_without_token(lua_State *L, crux_board_shape shape, int cell, uint64_t mask)
{
	luaL_Buffer names;
	luaL_buffinit(L, &names);
	if (mask == 0)
		luaL_addstring(&names, "no plane");
	for (uint64_t rest = mask; rest != 0; rest &= rest - 1) {
		luaL_addstring(&names, rest == mask ? "" : " and ");
		lua_rawgeti(L, 3, __builtin_ctzll(rest) + 1);
		luaL_addvalue(&names);
	}
	luaL_pushresult(&names);
	luaL_error(L, "column %d, row %d is in %s: the legend has no token for that", cell % shape.width + 1,
	           cell / shape.width + 1, lua_tostring(L, -1));
}

/* l:format(planes) -> the rows as lines. Missing planes are empty, other fields are ignored. Words are padded to columns. */
static int legend_format(lua_State *L)
{
	legend const *l = luaL_checkudata(L, 1, TYPE);
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_settop(L, 2);
	uint64_t masks[CRUX_BOARD_CELLS];
	crux_board_shape const shape = gather(L, l, masks);
	size_t longest = 0, lengths[CRUX_BOARD_CELLS];
	lua_getiuservalue(L, 1, TOKENS);
	for (int cell = 0; cell < shape.cells; cell++) {
		size_t n;
		bool unused;
		if (lua_rawgeti(L, 4, (lua_Integer)masks[cell]) == LUA_TNIL)
			fail_without_token(L, shape, cell, masks[cell]);
		const char *const token = lua_tolstring(L, -1, &n);
		lengths[cell] = characters(token, n, &unused);
		longest = lengths[cell] > longest ? lengths[cell] : longest;
		lua_pop(L, 1);
	}
	luaL_Buffer text;
	luaL_buffinit(L, &text);
	for (int cell = 0; cell < shape.cells; cell++) {
		bool const last = cell % shape.width + 1 == shape.width;
		lua_rawgeti(L, 4, (lua_Integer)masks[cell]);
		luaL_addvalue(&text);
		for (size_t n = lengths[cell]; l->separated && !last && n <= longest; n++)
			luaL_addchar(&text, ' ');
		if (last && cell + 1 < shape.cells)
			luaL_addchar(&text, '\n');
	}
	luaL_pushresult(&text);
	return 1;
}

CRUX_TABLE(methods,
	{"parse",  legend_parse},
	{"format", legend_format})

/* Raises unless the value at the top of the stack can be a token. */
static void check_token(lua_State *L, lua_Integer entry, bool separated)
{
	size_t n = 0;
	bool valid;
	const char *const token = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &n) : NULL;
	if (!token || n == 0)
		luaL_error(L, "entry %I of the legend: { token, plane, ... } expected", (LUAI_UACINT)entry);
	assert(token); /* luaL_error does not return */
	size_t const count = characters(token, n, &valid);
	bool const broken = strcspn(token, separated ? " \t\r\n" : "\r\n") < n; /* NUL included */
	if (!valid || broken || (count > 1 && !separated))
		luaL_error(L, "entry %I of the legend: a token is %s", (LUAI_UACINT)entry,
		           separated ? "a word without blanks" : "one character (words need separated = true)");
}

/* The mask of the planes that the entry at the top of the stack names; adds new planes. */
static uint64_t add_planes(lua_State *L, legend *l, int names, lua_Integer entry)
{
	uint64_t mask = 0;
	for (lua_Integer i = 2; lua_rawgeti(L, -1, i) != LUA_TNIL; i++) {
		if (lua_type(L, -1) != LUA_TSTRING)
			luaL_error(L, "entry %I of the legend: a plane's name is a string", (LUAI_UACINT)entry);
		lua_pushvalue(L, -1);
		if (lua_rawget(L, names) == LUA_TNIL) {
			if (l->planes == PLANES)
				luaL_error(L, "entry %I of the legend: more than %d planes", (LUAI_UACINT)entry, PLANES);
			lua_pushvalue(L, -2);
			lua_rawseti(L, names, ++l->planes);
			lua_pushvalue(L, -2);
			lua_pushinteger(L, l->planes);
			lua_rawset(L, names);
			mask |= UINT64_C(1) << (l->planes - 1);
		} else {
			mask |= UINT64_C(1) << (lua_tointeger(L, -1) - 1);
		}
		lua_pop(L, 2);
	}
	lua_pop(L, 1);
	return mask;
}

/* Raises when the list (argument 1) has a field that is no option, so that misspelt options are found. */
static void check_options(lua_State *L)
{
	static const char *const options[] = {"separated", "pad", "comment", "expected", NULL};
	for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
		if (lua_isinteger(L, -2))
			continue;
		const char *const name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
		int i = 0;
		while (options[i] && strcmp(options[i], name) != 0)
			i++;
		if (!options[i])
			luaL_error(L, "a legend has no option '%s'", name);
		if (i > 0 && lua_type(L, -1) != LUA_TSTRING)
			luaL_error(L, "the legend's option '%s' is a string", name);
	}
}

/* Adds the token at the top of the stack to the text of expected tokens at index `words`. */
static void add_expected(lua_State *L, lua_Integer entry, int words)
{
	const char *const token = lua_tostring(L, -1);
	const char *const quote = strspn(token, " \t") > 0 ? "'" : "";
	if (entry > SHOWN + 1)
		return;
	if (entry <= SHOWN)
		lua_pushfstring(L, "%s %s%s%s", lua_tostring(L, words), quote, token, quote);
	else
		lua_pushfstring(L, "%s ...", lua_tostring(L, words));
	lua_replace(L, words);
}

/* Reads the entries of the list (argument 1) into the legend; its user value NAME is at stack index NAME + 2. */
static void add_entries(lua_State *L, legend *l)
{
	lua_Integer i = 1;
	for (; lua_rawgeti(L, 1, i) != LUA_TNIL; i++) {
		luaL_argcheck(L, lua_istable(L, -1), 1, "a list of { token, plane, ... } expected");
		uint64_t const mask = add_planes(L, l, NAMES + 2, i);
		lua_rawgeti(L, -1, 1);
		check_token(L, i, l->separated);
		lua_pushvalue(L, -1);
		if (lua_rawget(L, MASKS + 2) != LUA_TNIL)
			luaL_error(L, "entry %I of the legend: '%s' stands there twice", (LUAI_UACINT)i, lua_tostring(L, -2));
		lua_pop(L, 1);
		lua_pushvalue(L, -1);
		lua_pushinteger(L, (lua_Integer)mask);
		lua_rawset(L, MASKS + 2);
		if (lua_rawgeti(L, TOKENS + 2, (lua_Integer)mask) == LUA_TNIL) {
			lua_pushvalue(L, -2);
			lua_rawseti(L, TOKENS + 2, (lua_Integer)mask);
		}
		lua_pop(L, 1);
		add_expected(L, i, EXPECTED + 2);
		lua_pop(L, 2);
	}
	luaL_argcheck(L, i > 1, 1, "a legend has at least one token");
	lua_pop(L, 1);
}

/* legend{ { token, plane, ... }, ..., separated = true, pad = token, comment = text, expected = text } -> legend
 *
 * A token's cell is in all planes named after it. Tokens are characters or, with `separated`, words separated by blanks. Rows have
 * equal lengths unless short rows are filled with the token `pad`. Lines that begin with `comment` are skipped. `expected` names
 * the tokens in messages (by default "one of" and the tokens). Of several tokens for the same planes format writes the first. */
static int legend_new(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	check_options(L);
	legend *l = lua_newuserdatauv(L, sizeof *l, USER_VALUES);
	crux_push_field(L, 1, "separated");
	*l = (legend){.separated = lua_toboolean(L, -1)};
	lua_pop(L, 1);
	for (int value = NAMES; value <= TOKENS; value++)
		lua_newtable(L);
	lua_pushliteral(L, "one of");
	add_entries(L, l);
	l->padded = crux_push_field(L, 1, "pad") != LUA_TNIL;
	if (l->padded && lua_rawget(L, MASKS + 2) == LUA_TNIL)
		return luaL_error(L, "the legend's option 'pad' is one of its tokens");
	l->pad = (uint64_t)lua_tointeger(L, -1);
	lua_pop(L, 1);
	if (crux_push_field(L, 1, "expected") != LUA_TNIL)
		lua_replace(L, EXPECTED + 2);
	else
		lua_pop(L, 1);
	crux_push_field(L, 1, "comment");
	for (int value = USER_VALUES; value >= NAMES; value--)
		lua_setiuservalue(L, 2, value);
	if (luaL_newmetatable(L, TYPE)) {
		luaL_newlib(L, methods);
		lua_setfield(L, -2, "__index");
	}
	lua_setmetatable(L, 2);
	return 1;
}

CRUX_LIBRARY(legend,
	{"new", legend_new})
