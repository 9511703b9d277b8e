/* libcrux.level_shape: what a step reads of a level while it is traced, so that its program can serve other levels.
 *
 * The step sees a view: tables that stand for those of the level and note what is read. Boards, and the stretches of tables
 * that `lookup` reads, become parameters of the trace; all else (numbers, texts, truth values, nothing, lengths, the order
 * of keys) is noted with its value. A level has the shape when it has these values there, boards of these sizes and
 * numbers within these ranges: then step would do the same operations. What else could decide them, the functions and
 * tables that step reaches by its upvalues, must be as it was, too.
 *
 * A view that is not shared only guards against writes; the values that step reads are the level's own. */
#include "trace/level_shape_lua.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "boards/board_lua.h"
#include "lua/binding.h"
#include "lua/modules.h"

#define TYPE "crux.level_shape"

static crux_level_shape *check(lua_State *L, int index)
{
	return luaL_checkudata(L, index, TYPE);
}

/* new(trace, level, step, is shared) -> shape, view */
static int shape_new(lua_State *L)
{
	crux_traced_check(L, 1);
	luaL_checktype(L, 2, LUA_TTABLE);
	luaL_checktype(L, 3, LUA_TFUNCTION);
	lua_settop(L, 4);
	crux_level_shape *const s = lua_newuserdatauv(L, sizeof *s, CRUX_SHAPE_USER_VALUES);
	*s = (crux_level_shape){.is_shared = lua_toboolean(L, 4), .is_open = true};
	luaL_setmetatable(L, TYPE);
	lua_pushvalue(L, 1);
	lua_setiuservalue(L, 5, CRUX_SHAPE_TRACE);
	for (int i = CRUX_SHAPE_TABLES; i <= CRUX_SHAPE_NOTED; i++) {
		lua_newtable(L);
		lua_setiuservalue(L, 5, i);
	}
	bool const is_complete = crux_reached_push(L, 3);
	lua_setiuservalue(L, 5, CRUX_SHAPE_REACHED);
	if (s->is_shared && !is_complete)
		return luaL_error(L, "found a step that reaches too much to be compared");
	lua_pushvalue(L, 2);
	crux_level_exchange_for_view(L, s, 5);
	return 2;
}

/* Whether all that step reaches is as it was when the shape, at index 1, was made. */
static bool is_step_same(lua_State *L)
{
	lua_getiuservalue(L, 1, CRUX_SHAPE_REACHED);
	bool const is_same = crux_reached_is_same(L, lua_gettop(L));
	lua_pop(L, 1);
	return is_same;
}

/* Whether step reaches a table of the level by another way, so that it could tell it from its view. */
static bool reaches_level(lua_State *L)
{
	lua_getiuservalue(L, 1, CRUX_SHAPE_REACHED);
	lua_rawgeti(L, -1, 1);
	lua_replace(L, -2);
	lua_getiuservalue(L, 1, CRUX_SHAPE_TABLES);
	for (lua_Integer i = 1; lua_rawgeti(L, 2, i) != LUA_TNIL; i++) {
		if (lua_rawget(L, 3) != LUA_TNIL)
			return true;
		lua_pop(L, 1);
	}
	lua_settop(L, 1);
	return false;
}

/* shape:finish() -> whether step could not tell the view from the level, and, when it is shared, changed nothing that it
 * reaches. The views are of no use from then on. */
static int shape_finish(lua_State *L)
{
	crux_level_shape *const s = check(L, 1);
	luaL_argcheck(L, s->is_open, 1, "the shape is finished");
	lua_settop(L, 1);
	s->is_open = false;
	bool const is_right = !reaches_level(L) && (!s->is_shared || is_step_same(L));
	lua_settop(L, 1);
	lua_getiuservalue(L, 1, CRUX_SHAPE_TRACE);
	s->given = calloc(crux_trace_given(crux_traced_check(L, -1)->trace) + 1, sizeof *s->given);
	if (!s->given)
		return luaL_error(L, "out of memory");
	for (int i = CRUX_SHAPE_TRACE; i <= CRUX_SHAPE_VIEWS; i++) {
		lua_pushnil(L);
		lua_setiuservalue(L, 1, i);
	}
	lua_pushboolean(L, is_right);
	return 1;
}

/* Whether the value at the top of the stack is the one that was noted there; the notes are at index 3. */
static bool is_value(lua_State *L, uint32_t noted)
{
	lua_rawgeti(L, 3, noted);
	return lua_rawequal(L, -1, -2) && lua_isinteger(L, -1) == lua_isinteger(L, -2);
}

/* Takes the table at the top of the stack as the one with that number; tables follow from index 4 on. */
static bool is_table(lua_State *L, uint32_t number)
{
	if (!lua_istable(L, -1) || lua_getmetatable(L, -1))
		return false;
	void const *const table = lua_topointer(L, -1);
	uint32_t const known = (uint32_t)lua_gettop(L) - 4;
	for (uint32_t i = 1; i <= known; i++)
		if ((lua_topointer(L, 3 + (int)i) == table) != (i == number))
			return false;
	return number <= known + 1;
}

/* Whether the table at the top of the stack has the keys of the list that was noted there, in that order. */
static bool has_keys(lua_State *L, uint32_t noted)
{
	int const table = lua_gettop(L);
	lua_rawgeti(L, 3, noted);
	lua_Integer count = 0;
	for (lua_pushnil(L); lua_next(L, table);) {
		lua_pop(L, 1);
		lua_rawgeti(L, table + 1, ++count);
		bool const is_same = lua_rawequal(L, -1, -2);
		lua_pop(L, 1);
		if (!is_same)
			return false;
	}
	return count == (lua_Integer)lua_rawlen(L, table + 1);
}

/* Whether the level is as a reading says. What it reads is left at the top of the stack. */
static bool fits_reading(lua_State *L, crux_level_shape *s, const crux_reading *r)
{
	lua_pushvalue(L, 3 + (int)r->table);
	if (r->kind == CRUX_READ_LENGTH)
		return lua_rawlen(L, -1) == r->count;
	if (r->kind == CRUX_READ_KEYS)
		return has_keys(L, r->key);
	if (r->kind == CRUX_READ_LIST)
		return crux_level_fit_list(L, r, s->given);
	lua_rawgeti(L, 3, r->key);
	lua_rawget(L, -2);
	lua_remove(L, -2);
	if (r->kind == CRUX_READ_VALUE)
		return is_value(L, r->value);
	if (r->kind == CRUX_READ_TABLE)
		return is_table(L, r->value);
	crux_board_shape found;
	uint64_t const *const words = crux_board_test(L, -1, &found);
	if (!words || !crux_board_are_alike(found, r->list.shape))
		return false;
	memcpy(s->given + r->place, words, found.words * sizeof *words);
	return true;
}

/* shape:fits(level) -> whether the level has the shape; then it is the one that the shape has the numbers of */
static int shape_fits(lua_State *L)
{
	crux_level_shape *const s = check(L, 1);
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_settop(L, 2);
	luaL_checkstack(L, CRUX_LEVEL_MAX_TABLES + 20, NULL);
	lua_getiuservalue(L, 1, CRUX_SHAPE_NOTED);
	lua_pushvalue(L, 2);
	bool fits = s->given && is_table(L, 1);
	for (size_t i = 0; fits && i < s->reading_count; i++) {
		int const tables = lua_gettop(L);
		crux_reading const *const r = &s->readings[i];
		fits = fits_reading(L, s, r);
		bool const is_new = fits && r->kind == CRUX_READ_TABLE && r->value == (uint32_t)tables - 2;
		lua_settop(L, tables + is_new);
	}
	lua_settop(L, 2);
	lua_pushboolean(L, fits && is_step_same(L));
	return 1;
}

const int64_t *crux_level_given(lua_State *L, int index)
{
	crux_level_shape const *const s = check(L, index);
	luaL_argcheck(L, s->given, index, "the shape is not finished");
	return s->given;
}

static int shape_release(lua_State *L)
{
	crux_level_shape *const s = check(L, 1);
	free(s->readings);
	free(s->given);
	*s = (crux_level_shape){.is_shared = false};
	return 0;
}

static const luaL_Reg metamethods[] = {
	{"__gc", shape_release},
	{NULL,   NULL},
};

static const luaL_Reg methods[] = {
	{"finish", shape_finish},
	{"fits",   shape_fits},
	{NULL,     NULL},
};

static const luaL_Reg functions[] = {
	{"new",   shape_new},
	{"guard", crux_level_guard},
	{NULL,    NULL},
};

int crux_open_level_shape(lua_State *L)
{
	return crux_open_type(L, TYPE, metamethods, methods, functions);
}
