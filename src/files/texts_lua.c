/* libcrux.texts: columns of text, and the numbers of names in them; see texts_lua.h and names.h. */
#include "files/texts_lua.h"

#include <lauxlib.h>
#include <stdint.h>
#include <string.h>

#include "base/number.h"
#include "files/names.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/vector_lua.h"

#define NAMES_TYPE "crux.names"

crux_texts *crux_texts_push(lua_State *L, size_t n, size_t bytes)
{
	if (n > SIZE_MAX / 2 / sizeof(size_t) - 2 || bytes > SIZE_MAX / 2)
		luaL_error(L, "a column of %f texts does not fit into memory", (double)n);
	size_t const head = sizeof(crux_texts) + (n + 1) * sizeof(size_t);
	crux_texts *const texts = lua_newuserdatauv(L, head + bytes, 0);
	texts->n = n;
	texts->bytes = (char *)texts + head;
	texts->starts[0] = 0;
	texts->starts[n] = bytes;
	luaL_setmetatable(L, CRUX_TEXTS_TYPE);
	return texts;
}

static crux_texts *check(lua_State *L, int index)
{
	return luaL_checkudata(L, index, CRUX_TEXTS_TYPE);
}

static size_t length_of(const crux_texts *texts, size_t i)
{
	return texts->starts[i + 1] - texts->starts[i] - 1;
}

/* of{"a", "b"} -> column */
static int texts_of(lua_State *L)
{
	size_t const n = crux_check_length(L, 1);
	size_t bytes = 0, length;
	for (size_t i = 0; i < n; i++) {
		if (lua_rawgeti(L, 1, (lua_Integer)i + 1) != LUA_TSTRING)
			return luaL_error(L, "element %d is no text", (int)i + 1);
		bytes += lua_rawlen(L, -1) + 1;
		lua_pop(L, 1);
	}
	crux_texts *const texts = crux_texts_push(L, n, bytes);
	for (size_t i = 0; i < n; i++) {
		lua_rawgeti(L, 1, (lua_Integer)i + 1);
		const char *const text = lua_tolstring(L, -1, &length);
		memcpy(texts->bytes + texts->starts[i], text, length + 1);
		texts->starts[i + 1] = texts->starts[i] + length + 1;
		lua_pop(L, 1);
	}
	return 1;
}

/* concat{t, u, ...} -> one column of the texts of all */
static int texts_concat(lua_State *L)
{
	size_t const parts = crux_check_length(L, 1);
	size_t n = 0, bytes = 0;
	for (size_t i = 1; i <= parts; i++) {
		lua_rawgeti(L, 1, (lua_Integer)i);
		const crux_texts *const part = check(L, -1);
		n += part->n;
		bytes += part->starts[part->n];
		lua_pop(L, 1);
	}
	crux_texts *const texts = crux_texts_push(L, n, bytes);
	size_t row = 0;
	for (size_t i = 1; i <= parts; i++) {
		lua_rawgeti(L, 1, (lua_Integer)i);
		const crux_texts *const part = check(L, -1);
		size_t const start = texts->starts[row];
		memcpy(texts->bytes + start, part->bytes, part->starts[part->n]);
		for (size_t j = 1; j <= part->n; j++)
			texts->starts[++row] = start + part->starts[j];
		lua_pop(L, 1);
	}
	return 1;
}

/* t:gather(indices) -> the texts at these indices (from 1), in this order */
static int texts_gather(lua_State *L)
{
	const crux_texts *const from = check(L, 1);
	size_t n, bytes = 0;
	double const *const indices = crux_vector_check(L, 2, &n);
	for (size_t i = 0; i < n; i++) {
		luaL_argcheck(L, indices[i] >= 1 && indices[i] <= (double)from->n, 2, "index outside the column");
		bytes += length_of(from, (size_t)indices[i] - 1) + 1;
	}
	crux_texts *const texts = crux_texts_push(L, n, bytes);
	for (size_t i = 0; i < n; i++) {
		size_t const row = (size_t)indices[i] - 1, length = length_of(from, row);
		memcpy(texts->bytes + texts->starts[i], from->bytes + from->starts[row], length + 1);
		texts->starts[i + 1] = texts->starts[i] + length + 1;
	}
	return 1;
}

/* t:numbers() -> vector with NaN for missing numbers and 0 for texts that are no numbers, and the index of the first of these,
 * or nil */
static int texts_numbers(lua_State *L)
{
	const crux_texts *const texts = check(L, 1);
	double *const out = crux_vector_push(L, texts->n);
	size_t wrong = 0;
	for (size_t i = texts->n; i-- > 0;) {
		out[i] = 0;
		if (crux_number_parse(texts->bytes + texts->starts[i], length_of(texts, i), &out[i]) > CRUX_NUMBER_MISSING)
			wrong = i + 1;
	}
	if (!wrong)
		return 1;
	lua_pushinteger(L, (lua_Integer)wrong);
	return 2;
}

static void push_text(lua_State *L, const crux_texts *texts, size_t i)
{
	lua_pushlstring(L, texts->bytes + texts->starts[i], length_of(texts, i));
}

/* t[i] -> text, nil outside; t.name -> method */
static int texts_index(lua_State *L)
{
	const crux_texts *const texts = check(L, 1);
	int is_integer;
	lua_Integer const i = lua_tointegerx(L, 2, &is_integer);
	if (is_integer && i >= 1 && (lua_Unsigned)i <= texts->n)
		push_text(L, texts, (size_t)i - 1);
	else if (lua_type(L, 2) != LUA_TSTRING || luaL_getmetafield(L, 1, lua_tostring(L, 2)) == LUA_TNIL)
		lua_pushnil(L);
	return 1;
}

static int texts_len(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)check(L, 1)->n);
	return 1;
}

static crux_names *check_names(lua_State *L)
{
	return *(crux_names **)crux_handle_check(L, 1, NAMES_TYPE, "the names were freed");
}

/* names() -> names, none at first */
static int texts_names(lua_State *L)
{
	crux_names **const slot = crux_handle_new(L, NAMES_TYPE, sizeof *slot, 0);
	*slot = crux_names_new();
	return *slot ? 1 : luaL_error(L, "not enough memory");
}

/* names:numbers(texts) -> a vector of the numbers of the texts, in the order in which they were first seen */
static int names_numbers(lua_State *L)
{
	crux_names *const names = check_names(L);
	const crux_texts *const texts = check(L, 2);
	double *const out = crux_vector_push(L, texts->n);
	for (size_t i = 0; i < texts->n; i++)
		if ((out[i] = crux_names_number(names, texts->bytes + texts->starts[i], length_of(texts, i))) == 0)
			return luaL_error(L, "not enough memory");
	return 1;
}

/* names:texts() -> the names as a column, by number */
static int names_texts(lua_State *L)
{
	const crux_names *const names = check_names(L);
	size_t const n = crux_names_count(names);
	size_t bytes = 0, length;
	for (uint32_t i = 1; i <= n; i++) {
		crux_names_get(names, i, &length);
		bytes += length + 1;
	}
	crux_texts *const texts = crux_texts_push(L, n, bytes);
	for (uint32_t i = 1; i <= n; i++) {
		const char *const name = crux_names_get(names, i, &length);
		memcpy(texts->bytes + texts->starts[i - 1], name, length + 1);
		texts->starts[i] = texts->starts[i - 1] + length + 1;
	}
	return 1;
}

static int names_release(lua_State *L)
{
	crux_names_free(crux_handle_take(L, NAMES_TYPE));
	return 0;
}

static const luaL_Reg names_methods[] = {
	{"numbers", names_numbers},
	{"texts",   names_texts},
	{"__gc",    names_release},
	{NULL,      NULL},
};

static const luaL_Reg methods[] = {
	{"gather",  texts_gather},
	{"numbers", texts_numbers},
	{"__index", texts_index},
	{"__len",   texts_len},
	{NULL,      NULL},
};

static const luaL_Reg functions[] = {
	{"of",     texts_of},
	{"concat", texts_concat},
	{"names",  texts_names},
	{NULL,     NULL},
};

int crux_open_texts(lua_State *L)
{
	crux_open_type(L, NAMES_TYPE, names_methods, (luaL_Reg[]){{NULL, NULL}});
	lua_pop(L, 1);
	return crux_open_type(L, CRUX_TEXTS_TYPE, methods, functions);
}
