/* libcrux.texts: columns of text (texts_lua.h), and the numbers of names in them. */
#include <lauxlib.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/block.h"
#include "base/number.h"
#include "files/texts_lua.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/vector_lua.h"

/* Names and their numbers: each text gets a number, from 1, when it is first seen. */
typedef struct names {
	char *bytes; /* each name ended by '\0' */
	size_t used, room;
	size_t *starts; /* starts[i - 1] of name i, starts[count] the end */
	size_t count, starts_room;
	uint32_t *slots; /* numbers, 0 where empty: an open-addressing table that is at most half full */
	size_t slot_count;
} names;

enum { FIRST_ROOM = 64 };

static void free_names(names *all)
{
	if (!all)
		return;
	free(all->bytes);
	free(all->starts);
	free(all->slots);
	free(all);
}

/* Returns NULL without memory. */
static names *new_names(void)
{
	names *const all = calloc(1, sizeof *all);
	if (!all)
		return NULL;
	all->room = all->starts_room = FIRST_ROOM;
	all->slot_count = 2 * FIRST_ROOM;
	all->bytes = malloc(all->room);
	all->starts = calloc(all->starts_room, sizeof *all->starts);
	all->slots = calloc(all->slot_count, sizeof *all->slots);
	if (all->bytes && all->starts && all->slots)
		return all;
	free_names(all);
	return NULL;
}

/* NULL does nothing. */
/* The name of that number, terminated, valid until the next call of number_of. */
static const char *name_at(const names *all, uint32_t number, size_t *length)
{
	size_t const start = all->starts[number - 1];
	*length = all->starts[number] - start - 1;
	return all->bytes + start;
}

/* The slot that holds the number of that text, or the empty one where it belongs. */
static uint32_t *find(const names *all, const char *text, size_t length)
{
	size_t const mask = all->slot_count - 1;
	size_t at = XXH3_64bits(text, length) & mask;
	for (; all->slots[at]; at = (at + 1) & mask) {
		size_t found;
		const char *const name = name_at(all, all->slots[at], &found);
		if (found == length && memcmp(name, text, length) == 0)
			break;
	}
	return &all->slots[at];
}

static int grow_slots(names *all)
{
	uint32_t *const slots = calloc(2 * all->slot_count, sizeof *slots);
	if (!slots)
		return 0;
	free(all->slots);
	all->slots = slots;
	all->slot_count *= 2;
	for (uint32_t i = 1; i <= all->count; i++) {
		size_t length;
		const char *const name = name_at(all, i, &length);
		*find(all, name, length) = i;
	}
	return 1;
}

/* Makes room for one more name; returns 0 without memory. */
static int reserve(names *all, size_t length)
{
	return crux_array_grow(CRUX_ARRAY(all->starts, all->count + 2), &all->starts_room) &&
	       crux_array_grow(CRUX_ARRAY(all->bytes, all->used + length + 1), &all->room) &&
	       (2 * (all->count + 1) <= all->slot_count || grow_slots(all));
}

/* The number of a text, which need not be terminated; 0 without memory, or for more than UINT32_MAX names. */
static uint32_t number_of(names *all, const char *text, size_t length)
{
	uint32_t const known = *find(all, text, length);
	if (known)
		return known;
	if (all->count == UINT32_MAX || !reserve(all, length))
		return 0;
	memcpy(all->bytes + all->used, text, length);
	all->used += length;
	all->bytes[all->used++] = '\0';
	all->starts[++all->count] = all->used;
	*find(all, text, length) = (uint32_t)all->count;
	return (uint32_t)all->count;
}

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

static names *check_names(lua_State *L)
{
	return *(names **)crux_handle_check(L, 1, NAMES_TYPE, "the names were freed");
}

/* names() -> names, none at first */
static int texts_names(lua_State *L)
{
	names **const slot = crux_handle_new(L, NAMES_TYPE, sizeof *slot, 0);
	*slot = new_names();
	return *slot ? 1 : luaL_error(L, "not enough memory");
}

/* names:numbers(texts) -> a vector of the numbers of the texts, in the order in which they were first seen */
static int names_numbers(lua_State *L)
{
	names *const all = check_names(L);
	const crux_texts *const texts = check(L, 2);
	double *const out = crux_vector_push(L, texts->n);
	for (size_t i = 0; i < texts->n; i++)
		if ((out[i] = number_of(all, texts->bytes + texts->starts[i], length_of(texts, i))) == 0)
			return luaL_error(L, "not enough memory");
	return 1;
}

/* names:texts() -> the names as a column, by number */
static int names_texts(lua_State *L)
{
	const names *const all = check_names(L);
	size_t const n = all->count;
	size_t bytes = 0, length;
	for (uint32_t i = 1; i <= n; i++) {
		name_at(all, i, &length);
		bytes += length + 1;
	}
	crux_texts *const texts = crux_texts_push(L, n, bytes);
	for (uint32_t i = 1; i <= n; i++) {
		const char *const name = name_at(all, i, &length);
		memcpy(texts->bytes + texts->starts[i - 1], name, length + 1);
		texts->starts[i] = texts->starts[i - 1] + length + 1;
	}
	return 1;
}

CRUX_RELEASE(names_release, NAMES_TYPE, free_names)

CRUX_TABLE(names_methods,
	{"numbers", names_numbers},
	{"texts",   names_texts},
	{"__gc",    names_release})

CRUX_TABLE(methods,
	{"gather",  texts_gather},
	{"numbers", texts_numbers},
	{"__index", texts_index},
	{"__len",   texts_len})

CRUX_TABLE(functions,
	{"of",     texts_of},
	{"concat", texts_concat},
	{"names",  texts_names})

int crux_open_texts(lua_State *L)
{
	crux_open_type(L, NAMES_TYPE, names_methods, (luaL_Reg[]){{NULL, NULL}});
	lua_pop(L, 1);
	return crux_open_type(L, CRUX_TEXTS_TYPE, methods, functions);
}
