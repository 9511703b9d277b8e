/* libcrux.deductions: deductions by common techniques, on boards; see deductions.h. */
#include <assert.h>
#include <lauxlib.h>
#include <string.h>

#include "boards/board_lua.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "puzzle/deductions.h"

#define TYPE "crux.units"

/* Units in one block of Lua's memory: `words` holds the starts of groups, the sets and the peers. */
typedef struct units_block {
	crux_board_shape shape;
	crux_units units;
	uint64_t words[];
} units_block;

/* Deductions on the way to Lua. */
typedef struct results {
	lua_State *L;
	crux_board_shape shape;
	size_t values;
	lua_Integer count;
} results;

/* Pushes a field of the table at that index, which has to be a board of that shape, or any if its width is 0. */
static const uint64_t *push_board(lua_State *L, int table, lua_Integer index, crux_board_shape *shape)
{
	crux_board_shape found;
	lua_rawgeti(L, table, index);
	uint64_t const *const words = crux_board_test(L, -1, &found);
	if (!words || (shape->width > 0 && !crux_board_are_alike(found, *shape)))
		luaL_error(L, "units: expected boards of one size");
	*shape = found;
	return words;
}

/* The length of the list at the top of the stack. */
static size_t list_length(lua_State *L, const char *what)
{
	size_t const length = lua_istable(L, -1) ? crux_check_length(L, -1) : 0;
	if (length < 1 || length > CRUX_DEDUCE_MOST)
		luaL_error(L, "%s: expected a list of 1 to %d", what, CRUX_DEDUCE_MOST);
	return length;
}

/* new(groups) -> units: for lists of boards, all of one size, each with 1 to 64 cells */
static int deductions_new(lua_State *L)
{
	size_t starts[CRUX_DEDUCE_MOST + 1] = {0};
	crux_board_shape shape = {0};
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	size_t const groups = list_length(L, "groups");
	for (size_t g = 0; g < groups; g++) {
		lua_rawgeti(L, 1, (lua_Integer)g + 1);
		starts[g + 1] = starts[g] + list_length(L, "a group");
		for (size_t u = starts[g]; u < starts[g + 1]; u++) {
			uint64_t const *const words = push_board(L, 2, (lua_Integer)(u - starts[g]) + 1, &shape);
			size_t cells = 0;
			for (size_t i = 0; i < shape.words; i++)
				cells += (size_t)__builtin_popcountll(words[i]);
			if (cells < 1 || cells > CRUX_DEDUCE_MOST)
				luaL_error(L, "units: found %d cells, expected 1 to %d", (int)cells, CRUX_DEDUCE_MOST);
			lua_pop(L, 1);
		}
		lua_settop(L, 1);
	}
	size_t const units = starts[groups], set_words = units * shape.words;
	size_t const words = set_words + (size_t)shape.cells * shape.words;
	units_block *const b = lua_newuserdatauv(L, sizeof *b + words * sizeof *b->words + sizeof starts, 0);
	luaL_setmetatable(L, TYPE);
	size_t *const kept = (size_t *)(void *)(b->words + words);
	memcpy(kept, starts, sizeof starts);
	b->shape = shape;
	b->units = (crux_units){shape.cells, shape.words, groups, kept, b->words, b->words + set_words};
	for (size_t g = 0; g < groups; g++) {
		lua_rawgeti(L, 1, (lua_Integer)g + 1);
		for (size_t u = starts[g]; u < starts[g + 1]; u++) {
			memcpy(b->words + u * shape.words, push_board(L, 3, (lua_Integer)(u - starts[g]) + 1, &shape),
			       shape.words * sizeof *b->words);
			lua_pop(L, 1);
		}
		lua_pop(L, 1);
	}
	crux_units_find_peers(&b->units, b->words + set_words);
	return 1;
}

/* Copies a field of the candidates at index 2. */
static void copy_board(lua_State *L, const char *name, crux_board_shape shape, uint64_t *words)
{
	crux_board_shape found;
	crux_push_field(L, 2, name);
	uint64_t const *const board = crux_board_test(L, -1, &found);
	if (!board || !crux_board_are_alike(found, shape))
		luaL_error(L, "candidates: field '%s': expected a board of %d x %d", name, (int)shape.width, (int)shape.height);
	assert(board); /* luaL_error does not return */
	memcpy(words, board, shape.words * sizeof *words);
	lua_pop(L, 1);
}

/* Pushes a userdata with the candidates at index 2 of the values at index 3; `*scratch` is memory behind these. */
static crux_candidates push_candidates(lua_State *L, const units_block *b, uint64_t **scratch)
{
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_pushvalue(L, 3);
	size_t const values = list_length(L, "values"), words = b->units.words;
	size_t const size = (values + 1) * words + crux_deduce_scratch(&b->units, values);
	uint64_t *const memory = lua_newuserdatauv(L, size * sizeof *memory, 0);
	for (size_t value = 0; value < values; value++) {
		if (lua_rawgeti(L, 3, (lua_Integer)value + 1) != LUA_TSTRING)
			luaL_error(L, "values: expected a list of names");
		copy_board(L, lua_tostring(L, -1), b->shape, memory + value * words);
		lua_pop(L, 1);
	}
	copy_board(L, "open", b->shape, memory + values * words);
	*scratch = memory + (values + 1) * words;
	return (crux_candidates){values, memory, memory + values * words};
}

/* Sets a field of the table at the top of the stack, whose name is below it, to a board, unless that is empty. */
static void set_board(results *r, const uint64_t *words)
{
	bool any = false;
	for (size_t i = 0; i < r->shape.words; i++)
		any |= words[i] != 0;
	if (any) {
		lua_pushvalue(r->L, -2);
		memcpy(crux_board_push(r->L, r->shape), words, r->shape.words * sizeof *words);
		lua_rawset(r->L, -3);
	}
	lua_remove(r->L, -2);
}

/* Appends a deduction to the list at the top of the stack. */
static void take(void *context, const crux_deduction *deduction)
{
	results *const r = context;
	luaL_checkstack(r->L, 6, NULL);
	lua_createtable(r->L, 0, 4);
	for (size_t value = 0; value < r->values; value++) {
		lua_rawgeti(r->L, 3, (lua_Integer)value + 1);
		lua_insert(r->L, -2);
		set_board(r, deduction->removed + value * r->shape.words);
	}
	lua_pushliteral(r->L, "open");
	lua_insert(r->L, -2);
	set_board(r, deduction->placed);
	lua_rawseti(r->L, -2, ++r->count);
}

static const char *const techniques[] = {"last", "naked", "hidden", "fish", "colours", NULL};

/* units:find(candidates, values, technique, size, groups) -> list of deductions
 *
 * candidates: by value the board of the cells that may have it; `open`, those into which no value was placed
 * values: their names, which are fields of the candidates
 * technique: "last", "naked", "hidden", "fish" or "colours", with sets of `size` from 1 to 8
 * groups: their numbers; all for nil
 *
 * A deduction has, under the same names, the boards of what it takes away from the candidates. */
static int units_find(lua_State *L)
{
	units_block const *const b = luaL_checkudata(L, 1, TYPE);
	crux_technique const technique = (crux_technique)luaL_checkoption(L, 4, NULL, techniques);
	lua_Integer const size = luaL_optinteger(L, 5, 1);
	uint64_t groups = lua_isnoneornil(L, 6) ? UINT64_MAX : 0;
	uint64_t *scratch;
	luaL_argcheck(L, size >= 1 && size <= 8, 5, "expected 1 to 8");
	lua_settop(L, 6);
	for (size_t i = 0; !lua_isnil(L, 6) && i < crux_check_length(L, 6); i++) {
		int number;
		lua_rawgeti(L, 6, (lua_Integer)i + 1);
		luaL_argcheck(L, crux_take_int(L, &number) && number >= 1 && (size_t)number <= b->units.groups, 6, "no such group");
		groups |= (uint64_t)1 << (number - 1);
	}
	crux_candidates const candidates = push_candidates(L, b, &scratch);
	results r = {L, b->shape, candidates.values, 0};
	lua_newtable(L);
	crux_deduce(&b->units, &candidates, technique, (unsigned)size, groups, scratch, take, &r);
	return 1;
}

/* units:place(candidates, values, cells) -> deduction, or nil if no cell of the board has one candidate
 *
 * Places the only candidates of these cells. */
static int units_place(lua_State *L)
{
	units_block const *const b = luaL_checkudata(L, 1, TYPE);
	crux_board_shape shape;
	uint64_t *scratch;
	uint64_t const *const cells = crux_board_check(L, 4, &shape);
	luaL_argcheck(L, crux_board_are_alike(shape, b->shape), 4, "expected a board of the units' size");
	lua_settop(L, 4);
	crux_candidates const candidates = push_candidates(L, b, &scratch);
	results r = {L, b->shape, candidates.values, 0};
	lua_newtable(L);
	crux_deduce_place(&b->units, &candidates, cells, scratch, take, &r);
	lua_rawgeti(L, -1, 1);
	return 1;
}

CRUX_TABLE(methods,
	{"find",  units_find},
	{"place", units_place})

CRUX_TABLE(functions,
	{"new", deductions_new})

CRUX_TYPE_LIBRARY(deductions, TYPE)
