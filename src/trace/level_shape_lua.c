/* libcrux.level_shape: records what a step reads while it is compiled, so that its program can serve other levels.
 *
 * Boards, and the ranges of tables that step reads at an index of the state, become parameters of the trace; other values
 * (numbers, texts, truth values, nil, lengths, the order of keys) are recorded. A level fits the shape when it has the same
 * recorded values, boards of the same sizes and numbers within the same ranges: then step does the same operations. What step
 * reads of variables and tables that outlive the call must be unchanged. */
#include "trace/level_shape_lua.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "boards/board_lua.h"
#include "lua/binding.h"
#include "lua/modules.h"

static crux_level_shape *check(lua_State *L, int index)
{
	return luaL_checkudata(L, index, CRUX_LEVEL_SHAPE_TYPE);
}

/* new(trace, level) -> shape; the level's table has number 1 */
static int shape_new(lua_State *L)
{
	crux_traced_check(L, 1);
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_settop(L, 2);
	crux_level_shape *const s = lua_newuserdatauv(L, sizeof *s, CRUX_SHAPE_USER_VALUES);
	*s = (crux_level_shape){.is_open = true};
	luaL_setmetatable(L, CRUX_LEVEL_SHAPE_TYPE);
	lua_pushvalue(L, 1);
	lua_setiuservalue(L, 3, CRUX_SHAPE_TRACE);
	for (int i = CRUX_SHAPE_TABLES; i <= CRUX_SHAPE_RECORDED; i++) {
		lua_newtable(L);
		lua_setiuservalue(L, 3, i);
	}
	lua_pushvalue(L, 2);
	crux_level_number(L, s, 3);
	lua_settop(L, 3);
	return 1;
}

/* shape:finish(): ends the recording */
static int shape_finish(lua_State *L)
{
	crux_level_shape *const s = check(L, 1);
	luaL_argcheck(L, s->is_open, 1, "the shape is finished");
	lua_settop(L, 1);
	s->is_open = false;
	lua_getiuservalue(L, 1, CRUX_SHAPE_TRACE);
	s->parameter_count = crux_traced_check(L, -1)->trace->parameter_count;
	s->parameters = calloc(s->parameter_count + 1, sizeof *s->parameters);
	s->tables = calloc(s->table_count + 1, sizeof *s->tables);
	if (!s->parameters || !s->tables)
		return luaL_error(L, "out of memory");
	lua_pushnil(L);
	lua_setiuservalue(L, 1, CRUX_SHAPE_TABLES);
	return 0;
}

/* A level that is compared with a shape. Behind the stack index of the recorded values are the `known` tables of the level that
 * have been read so far, by number. */
typedef struct fitting {
	crux_level_shape *shape;
	int recorded;
	uint32_t known;
} fitting;

/* True when the value at the top of the stack is the recorded value of that number. */
static bool is_value(lua_State *L, const fitting *f, uint32_t number)
{
	lua_rawgeti(L, f->recorded, number);
	return lua_rawequal(L, -1, -2) && lua_isinteger(L, -1) == lua_isinteger(L, -2);
}

/* True when the value just behind the known tables can be table `number` of the level; a new one becomes known. */
static bool is_table(lua_State *L, fitting *f, uint32_t number)
{
	if (!lua_istable(L, -1) || lua_getmetatable(L, -1) || number > f->known + 1)
		return false;
	if (number <= f->known)
		return lua_rawequal(L, -1, f->recorded + (int)number);
	f->shape->tables[f->known++] = (uintptr_t)lua_topointer(L, -1);
	return true;
}

static int compare(const void *a, const void *b)
{
	uintptr_t const x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;
	return (x > y) - (x < y);
}

/* True when no table of the level has two numbers. */
static bool are_different(const fitting *f)
{
	uintptr_t *const tables = f->shape->tables;
	qsort(tables, f->known, sizeof *tables, compare);
	for (uint32_t i = 1; i < f->known; i++)
		if (tables[i] == tables[i - 1])
			return false;
	return true;
}

/* True when the table at that index has the keys of the recorded list, in the same order. */
static bool has_keys(lua_State *L, const fitting *f, int table, uint32_t number)
{
	lua_rawgeti(L, f->recorded, number);
	int const list = lua_gettop(L);
	lua_Integer count = 0;
	for (lua_pushnil(L); lua_next(L, table);) {
		lua_pop(L, 1);
		lua_rawgeti(L, list, ++count);
		bool const is_same = lua_rawequal(L, -1, -2);
		lua_pop(L, 1);
		if (!is_same)
			return false;
	}
	return count == (lua_Integer)lua_rawlen(L, list);
}

/* True when a variable or table that outlives the call holds what it held. */
static bool is_held(lua_State *L, const fitting *f, const crux_reading *r)
{
	lua_rawgeti(L, f->recorded, r->table);
	lua_rawgeti(L, f->recorded, r->key);
	int const key = lua_gettop(L);
	return crux_level_push_held(L, key - 1, key) && is_value(L, f, r->value);
}

/* True when the level fits a reading. */
static bool fits_reading(lua_State *L, fitting *f, const crux_reading *r)
{
	if (r->kind == CRUX_READ_HELD)
		return is_held(L, f, r);
	int const table = f->recorded + (int)r->table;
	int64_t *const parameters = f->shape->parameters;
	if (r->kind == CRUX_READ_LENGTH)
		return lua_rawlen(L, table) == r->count;
	if (r->kind == CRUX_READ_KEYS)
		return has_keys(L, f, table, r->key);
	if (r->kind == CRUX_READ_LIST) {
		lua_pushvalue(L, table);
		return crux_level_fit_list(L, r, parameters);
	}
	lua_rawgeti(L, f->recorded, r->key);
	lua_rawget(L, table);
	if (r->kind == CRUX_READ_VALUE)
		return is_value(L, f, r->value);
	if (r->kind == CRUX_READ_TABLE)
		return is_table(L, f, r->value);
	crux_board_shape found;
	uint64_t const *const words = crux_board_test(L, -1, &found);
	if (!words || !crux_board_are_alike(found, r->list.shape))
		return false;
	memcpy(parameters + r->place, words, found.words * sizeof *words);
	return true;
}

bool crux_level_fits(lua_State *L, int shape, int level)
{
	int const top = lua_gettop(L);
	crux_level_shape *const s = check(L, shape);
	luaL_checktype(L, level, LUA_TTABLE);
	luaL_checkstack(L, (int)s->table_count + 10, "too many tables of a level");
	lua_getiuservalue(L, shape, CRUX_SHAPE_RECORDED);
	fitting f = {s, top + 1, 0};
	s->is_fitted = false;
	s->differing = NULL;
	lua_pushvalue(L, level);
	bool fits = s->parameters && s->tables && is_table(L, &f, 1);
	for (size_t i = 0; fits && i < s->reading_count; i++) {
		lua_settop(L, f.recorded + (int)f.known);
		fits = fits_reading(L, &f, &s->readings[i]);
		s->differing = fits ? NULL : &s->readings[i];
	}
	lua_settop(L, top);
	s->is_fitted = fits && are_different(&f);
	return s->is_fitted;
}

/* shape:fits(level) -> true when the level fits the shape, which then holds its parameters */
static int shape_fits(lua_State *L)
{
	lua_pushboolean(L, crux_level_fits(L, 1, 2));
	return 1;
}

/* shape:difference() -> "found ..." about the first reading by which the last level did not fit, and the place of that reading;
 * nothing when it fitted all readings */
static int shape_difference(lua_State *L)
{
	static const char *const words[] = {
		[CRUX_READ_VALUE] = "'%s'",
		[CRUX_READ_TABLE] = "'%s'",
		[CRUX_READ_BOARD] = "the size of the board '%s'",
		[CRUX_READ_LENGTH] = "the length of a list",
		[CRUX_READ_KEYS] = "the fields of a table",
		[CRUX_READ_LIST] = "the range of a table's values",
		[CRUX_READ_HELD] = "what outlives the call",
	};
	crux_reading const *const r = check(L, 1)->differing;
	if (!r)
		return 0;
	lua_settop(L, 1);
	lua_getiuservalue(L, 1, CRUX_SHAPE_RECORDED);
	lua_rawgeti(L, 2, r->key);
	const char *const what = lua_pushfstring(L, words[r->kind], luaL_tolstring(L, 3, NULL));
	lua_pushfstring(L, "found levels that differ in %s, expected only boards and tables for lookup to differ", what);
	lua_rawgeti(L, 2, r->line);
	return 2;
}

const int64_t *crux_level_parameters(lua_State *L, int index, size_t count)
{
	crux_level_shape const *const s = check(L, index);
	luaL_argcheck(L, s->is_fitted, index, "the shape fits no level");
	luaL_argcheck(L, s->parameter_count == count && crux_traced_are_same(L, 1, index), index, "a shape of the same trace");
	return s->parameters;
}

static int shape_release(lua_State *L)
{
	crux_level_shape *const s = check(L, 1);
	free(s->readings);
	free(s->parameters);
	free(s->tables);
	*s = (crux_level_shape){.is_open = false};
	return 0;
}

static const luaL_Reg methods[] = {
	{"finish",     shape_finish},
	{"fits",       shape_fits},
	{"difference", shape_difference},
	{"read",       crux_level_read},
	{"length",     crux_level_length},
	{"keys",       crux_level_keys},
	{"held",       crux_level_held},
	{"__gc",       shape_release},
	{NULL,         NULL},
};

static const luaL_Reg functions[] = {
	{"new", shape_new},
	{NULL,  NULL},
};

int crux_open_level_shape(lua_State *L)
{
	return crux_open_type(L, CRUX_LEVEL_SHAPE_TYPE, methods, functions);
}
