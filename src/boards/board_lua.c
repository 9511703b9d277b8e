/* libcrux.board: sets of cells as immutable Lua values; columns and rows count from 1.
 *
 * A board takes 40 bytes of Lua's memory besides its words (64 cells each) and has no finalizer. */
#include "boards/board_lua.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/random_lua.h"

typedef struct board {
	crux_board_shape shape;
	uint64_t words[];
} board;

static board *push(lua_State *L, crux_board_shape shape)
{
	board *b = lua_newuserdatauv(L, sizeof *b + shape.words * sizeof *b->words, 0);
	b->shape = shape;
	luaL_setmetatable(L, CRUX_BOARD_TYPE);
	return b;
}

static const board *check(lua_State *L, int index)
{
	return luaL_checkudata(L, index, CRUX_BOARD_TYPE);
}

uint64_t *crux_board_push(lua_State *L, crux_board_shape shape) { return push(L, shape)->words; }

const uint64_t *crux_board_test(lua_State *L, int index, crux_board_shape *shape)
{
	board const *b = luaL_testudata(L, index, CRUX_BOARD_TYPE);
	if (!b)
		return NULL;
	*shape = b->shape;
	return b->words;
}

const uint64_t *crux_board_check(lua_State *L, int index, crux_board_shape *shape)
{
	board const *b = check(L, index);
	*shape = b->shape;
	return b->words;
}

/* The words of the board at that index; raises unless it has that shape. */
static const uint64_t *check_alike(lua_State *L, int index, crux_board_shape shape)
{
	board const *b = check(L, index);
	if (!crux_board_are_alike(b->shape, shape))
		luaL_error(L, "boards of different sizes: %dx%d and %dx%d", shape.width, shape.height, b->shape.width,
		           b->shape.height);
	return b->words;
}

int crux_board_to_cell(lua_State *L, int index, crux_board_shape shape)
{
	lua_Integer const x = luaL_checkinteger(L, index), y = luaL_checkinteger(L, index + 1);
	return x >= 1 && x <= shape.width && y >= 1 && y <= shape.height ? (int)((y - 1) * shape.width + x - 1) : -1;
}

static unsigned check_cell(lua_State *L, int index, crux_board_shape shape)
{
	int const cell = crux_board_to_cell(L, index, shape);
	if (cell < 0)
		luaL_error(L, "column %I, row %I is outside a board of %dx%d", (LUAI_UACINT)lua_tointeger(L, index),
		           (LUAI_UACINT)lua_tointeger(L, index + 1), shape.width, shape.height);
	return (unsigned)cell;
}

/* Pushes column, row and number in reading order (all from 1) of a cell; nil when it is -1. */
static int push_cell(lua_State *L, crux_board_shape shape, int cell)
{
	if (cell < 0) {
		lua_pushnil(L);
		return 1;
	}
	lua_pushinteger(L, cell % shape.width + 1);
	lua_pushinteger(L, cell / shape.width + 1);
	lua_pushinteger(L, cell + 1);
	return 3;
}

crux_board_shape crux_board_check_shape(lua_State *L, int index)
{
	lua_Integer const width = luaL_checkinteger(L, index), height = luaL_checkinteger(L, index + 1);
	luaL_argcheck(L, width >= 1 && width <= CRUX_BOARD_SIDE, index, "a board has 1 to 64 columns");
	luaL_argcheck(L, height >= 1 && height <= CRUX_BOARD_SIDE, index + 1, "a board has 1 to 64 rows");
	return crux_board_shape_of((unsigned)width, (unsigned)height);
}

/* new(width, height[, cells]) -> board with the cells of the list { { x, y }, ... } */
static int board_new(lua_State *L)
{
	crux_board_shape const shape = crux_board_check_shape(L, 1);
	lua_settop(L, 3);
	board *b = push(L, shape);
	memset(b->words, 0, b->shape.words * sizeof *b->words);
	if (lua_isnil(L, 3))
		return 1;
	luaL_checktype(L, 3, LUA_TTABLE);
	for (lua_Integer i = 1; lua_rawgeti(L, 3, i) != LUA_TNIL; i++) {
		bool pair = lua_istable(L, 5);
		if (pair) {
			lua_rawgeti(L, 5, 1);
			lua_rawgeti(L, 5, 2);
			pair = lua_isinteger(L, 6) && lua_isinteger(L, 7);
		}
		if (!pair)
			return luaL_error(L, "cell %I of the list is no pair { x, y } of integers", (LUAI_UACINT)i);
		crux_board_add(b->words, check_cell(L, 6, b->shape));
		lua_settop(L, 4);
	}
	lua_settop(L, 4);
	return 1;
}

/* Calls the operator of an operand that is another table or userdata with this metamethod, such as a symbol of a traced step;
 * raises when there is none. */
static int combine_unlike(lua_State *L, const char *event)
{
	lua_settop(L, 2);
	for (int i = 1; i <= 2; i++) {
		bool const other = !luaL_testudata(L, i, CRUX_BOARD_TYPE);
		if (other && (lua_istable(L, i) || lua_isuserdata(L, i)) && luaL_getmetafield(L, i, event) != LUA_TNIL) {
			lua_insert(L, 1);
			lua_call(L, 2, 1);
			return 1;
		}
	}
	check_alike(L, 2, check(L, 1)->shape); /* one of the two raises */
	return 0;
}

static const char *const operators[] = {
	[CRUX_BOARD_AND] = "__band", [CRUX_BOARD_OR] = "__bor", [CRUX_BOARD_XOR] = "__bxor", [CRUX_BOARD_MINUS] = "__sub",
};

/* Combines two boards by operator number upvalue 1. */
static int board_combine(lua_State *L)
{
	crux_board_operator const op = (crux_board_operator)lua_tointeger(L, lua_upvalueindex(1));
	board const *a = luaL_testudata(L, 1, CRUX_BOARD_TYPE), *b = luaL_testudata(L, 2, CRUX_BOARD_TYPE);
	if (!a || !b || !crux_board_are_alike(a->shape, b->shape))
		return combine_unlike(L, operators[op]);
	crux_board_combine(op, a->shape, a->words, b->words, push(L, a->shape)->words);
	return 1;
}

static int board_bnot(lua_State *L)
{
	board const *b = check(L, 1);
	crux_board_complement(b->shape, b->words, push(L, b->shape)->words);
	return 1;
}

/* a == b: same size and same cells; a symbol of a traced step is asked for its __eq */
static int board_eq(lua_State *L)
{
	lua_settop(L, 2);
	board const *a = luaL_testudata(L, 1, CRUX_BOARD_TYPE), *b = luaL_testudata(L, 2, CRUX_BOARD_TYPE);
	if (!b && lua_isuserdata(L, 2) && luaL_getmetafield(L, 2, "__eq") != LUA_TNIL) {
		lua_insert(L, 1);
		lua_call(L, 2, 1);
		return 1;
	}
	lua_pushboolean(L, a && b && crux_board_are_alike(a->shape, b->shape) && crux_board_equal(a->shape, a->words, b->words));
	return 1;
}

/* #b: the number of its cells */
static int board_len(lua_State *L)
{
	board const *b = check(L, 1);
	lua_pushinteger(L, crux_board_count(b->shape, b->words));
	return 1;
}

static int board_any(lua_State *L)
{
	board const *b = check(L, 1);
	lua_pushboolean(L, crux_board_any(b->shape, b->words));
	return 1;
}

static int board_none(lua_State *L)
{
	board const *b = check(L, 1);
	lua_pushboolean(L, !crux_board_any(b->shape, b->words));
	return 1;
}

/* b:size() -> width, height */
static int board_size(lua_State *L)
{
	board const *b = check(L, 1);
	lua_pushinteger(L, b->shape.width);
	lua_pushinteger(L, b->shape.height);
	return 2;
}

/* b:key() -> a string, equal only for equal boards, as a key of tables */
static int board_key(lua_State *L)
{
	board const *b = check(L, 1);
	luaL_Buffer key;
	luaL_buffinit(L, &key);
	luaL_addchar(&key, (char)b->shape.width);
	luaL_addchar(&key, (char)b->shape.height);
	luaL_addlstring(&key, (const char *)b->words, b->shape.words * sizeof *b->words);
	luaL_pushresult(&key);
	return 1;
}

/* b:has(x, y) -> boolean; false outside */
static int board_has(lua_State *L)
{
	board const *b = check(L, 1);
	int const cell = crux_board_to_cell(L, 2, b->shape);
	lua_pushboolean(L, cell >= 0 && crux_board_has(b->words, (unsigned)cell));
	return 1;
}

static board *push_copy(lua_State *L, const board *b)
{
	board *copy = push(L, b->shape);
	memcpy(copy->words, b->words, b->shape.words * sizeof *b->words);
	return copy;
}

/* b:with(x, y) -> board */
static int board_with(lua_State *L)
{
	board const *b = check(L, 1);
	unsigned const cell = check_cell(L, 2, b->shape);
	crux_board_add(push_copy(L, b)->words, cell);
	return 1;
}

/* b:without(x, y) -> board */
static int board_without(lua_State *L)
{
	board const *b = check(L, 1);
	unsigned const cell = check_cell(L, 2, b->shape);
	crux_board_remove(push_copy(L, b)->words, cell);
	return 1;
}

static int next_cell(lua_State *L)
{
	board const *b = lua_touserdata(L, lua_upvalueindex(1));
	int const cell = crux_board_next(b->shape, b->words, (unsigned)lua_tointeger(L, lua_upvalueindex(2)));
	if (cell >= 0) {
		lua_pushinteger(L, cell + 1);
		lua_replace(L, lua_upvalueindex(2));
	}
	return push_cell(L, b->shape, cell);
}

/* for x, y, i in b:cells(): its cells in reading order; i is their number in this order */
static int board_cells(lua_State *L)
{
	check(L, 1);
	lua_settop(L, 1);
	lua_pushinteger(L, 0);
	lua_pushcclosure(L, next_cell, 2);
	return 1;
}

/* b:first() -> x, y, i of its first cell; nil when the board is empty */
static int board_first(lua_State *L)
{
	board const *b = check(L, 1);
	return push_cell(L, b->shape, crux_board_next(b->shape, b->words, 0));
}

/* The n-th cell, from 1, of a board with at least n cells. */
static int nth(const board *b, int64_t n)
{
	int cell = crux_board_next(b->shape, b->words, 0);
	for (int64_t i = 1; i < n; i++)
		cell = crux_board_next(b->shape, b->words, (unsigned)cell + 1);
	return cell;
}

/* b:nth(n) -> x, y, i of its n-th cell, n from 1 to #b */
static int board_nth(lua_State *L)
{
	board const *b = check(L, 1);
	lua_Integer const n = luaL_checkinteger(L, 2);
	luaL_argcheck(L, n >= 1 && n <= (lua_Integer)crux_board_count(b->shape, b->words), 2, "the board has no such cell");
	return push_cell(L, b->shape, nth(b, n));
}

/* b:pick(random) -> x, y, i of a random cell, all equally likely; nil when the board is empty */
static int board_pick(lua_State *L)
{
	board const *b = check(L, 1);
	crux_random *random = crux_random_check(L, 2);
	unsigned const count = crux_board_count(b->shape, b->words);
	return push_cell(L, b->shape, count == 0 ? -1 : nth(b, crux_random_integer(random, 1, count)));
}

/* b:sample(random, p) -> board with each of its cells with probability p */
static int board_sample(lua_State *L)
{
	board const *b = check(L, 1);
	crux_random *random = crux_random_check(L, 2);
	lua_Number const p = luaL_checknumber(L, 3);
	board *chosen = push_copy(L, b);
	CRUX_BOARD_EACH(cell, b->shape, b->words)
		if (crux_random_real(random) >= p)
			crux_board_remove(chosen->words, (unsigned)cell);
	return 1;
}

/* b:bounds() -> left, top, right, bottom of the smallest box around its cells; nil when the board is empty */
static int board_bounds(lua_State *L)
{
	board const *b = check(L, 1);
	crux_board_box box;
	if (!crux_board_bounds(b->shape, b->words, &box)) {
		lua_pushnil(L);
		return 1;
	}
	lua_pushinteger(L, box.left + 1);
	lua_pushinteger(L, box.top + 1);
	lua_pushinteger(L, box.right + 1);
	lua_pushinteger(L, box.bottom + 1);
	return 4;
}

crux_board_direction crux_board_check_direction(lua_State *L, int index)
{
	static const char names[] = {
		[CRUX_BOARD_UP] = 'U', [CRUX_BOARD_LEFT] = 'L', [CRUX_BOARD_DOWN] = 'D', [CRUX_BOARD_RIGHT] = 'R',
	};
	size_t length = 0;
	char const *const text = lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &length) : NULL;
	char const *const name = length == 1 ? memchr(names, *text, sizeof names) : NULL;
	if (name)
		return (crux_board_direction)(name - names);
	crux_push_shown(L, index);
	luaL_argerror(L, index, lua_pushfstring(L, "found %s, expected 'U', 'L', 'D' or 'R'", lua_tostring(L, -1)));
	return CRUX_BOARD_UP;
}

/* b:shift("U" or "L", "D", "R", n, wrap) -> board with every cell shifted by n steps (1 by default), see crux_board_shift */
static int board_shift(lua_State *L)
{
	board const *b = check(L, 1);
	crux_board_direction const direction = crux_board_check_direction(L, 2);
	lua_Integer const n = luaL_optinteger(L, 3, 1);
	bool const wrap = lua_toboolean(L, 4);
	crux_board_shift(b->shape, b->words, direction, n, wrap, push(L, b->shape)->words);
	return 1;
}

/* b:neighbours() -> the neighbours of its cells */
static int board_neighbours(lua_State *L)
{
	board const *b = check(L, 1);
	crux_board_neighbours(b->shape, b->words, push(L, b->shape)->words);
	return 1;
}

/* Calls the method of a symbol of a traced step, the argument at that index, with all arguments; false when there is no symbol. */
static bool call_on_symbol(lua_State *L, int index, const char *method)
{
	int const count = lua_gettop(L);
	bool const has_methods = lua_isuserdata(L, index) && !luaL_testudata(L, index, CRUX_BOARD_TYPE) &&
	                         luaL_getmetafield(L, index, "__index") != LUA_TNIL;
	if (!has_methods || lua_getfield(L, index, method) != LUA_TFUNCTION) {
		lua_settop(L, count);
		return false;
	}
	lua_insert(L, 1);
	lua_settop(L, count + 1);
	lua_call(L, count, 1);
	return true;
}

/* b:flood(mask) -> the cells reached from its cells within mask */
static int board_flood(lua_State *L)
{
	if (call_on_symbol(L, 2, "flood"))
		return 1;
	board const *b = check(L, 1);
	uint64_t const *mask = check_alike(L, 2, b->shape);
	crux_board_flood(b->shape, b->words, mask, push(L, b->shape)->words);
	return 1;
}

/* b:frozen(walls[, dead]) -> the boxes, its cells, that can never be pushed to a goal: pushing them across and down is blocked by
 * walls, the edge of the board, or other such boxes; or a box is lost on both sides, as they are dead */
static int board_frozen(lua_State *L)
{
	board const *b = check(L, 1);
	for (int i = 2; i <= 3; i++)
		if (call_on_symbol(L, i, "frozen"))
			return 1;
	uint64_t const *const walls = check_alike(L, 2, b->shape);
	uint64_t const *const dead = lua_isnoneornil(L, 3) ? walls : check_alike(L, 3, b->shape);
	uint64_t across[CRUX_BOARD_WORDS], down[CRUX_BOARD_WORDS];
	crux_board_blocked(b->shape, walls, dead, true, across);
	crux_board_blocked(b->shape, walls, dead, false, down);
	crux_board_frozen(b->shape, b->words, across, down, push(L, b->shape)->words);
	return 1;
}

/* b:corral(reach, walls, dead, goals) -> the boxes, of its cells, of which one can be the next to be pushed: see crux_board_corral */
static int board_corral(lua_State *L)
{
	board const *b = check(L, 1);
	uint64_t const *others[4];
	for (int i = 0; i < 4; i++)
		others[i] = check_alike(L, i + 2, b->shape);
	crux_board_corral(b->shape, b->words, others[0], others[1], others[2], others[3], push(L, b->shape)->words);
	return 1;
}

/* b:components() -> list of its connected components, in reading order of their first cells */
static int board_components(lua_State *L)
{
	board const *b = check(L, 1);
	uint64_t rest[CRUX_BOARD_WORDS], part[CRUX_BOARD_WORDS];
	memcpy(rest, b->words, b->shape.words * sizeof *rest);
	lua_newtable(L);
	for (lua_Integer i = 1; crux_board_component(b->shape, rest, part); i++) {
		memcpy(push(L, b->shape)->words, part, b->shape.words * sizeof *part);
		lua_rawseti(L, -2, i);
	}
	return 1;
}

/* b:distances(mask) -> list of the distances of all cells from its cells, in reading order: steps of a shortest way within mask
 * (by default the whole board), -1 where there is none */
static int board_distances(lua_State *L)
{
	board const *b = check(L, 1);
	uint64_t everywhere[CRUX_BOARD_WORDS];
	int16_t distances[CRUX_BOARD_CELLS];
	for (size_t i = 0; i < b->shape.words; i++)
		everywhere[i] = crux_board_full_word(b->shape, i);
	uint64_t const *mask = lua_isnoneornil(L, 2) ? everywhere : check_alike(L, 2, b->shape);
	crux_board_distances(b->shape, b->words, mask, distances);
	lua_createtable(L, b->shape.cells, 0);
	for (int cell = 0; cell < b->shape.cells; cell++) {
		lua_pushinteger(L, distances[cell]);
		lua_rawseti(L, -2, cell + 1);
	}
	return 1;
}

/* b:rings(count) -> list of boards: the cells at a city-block distance of at most 0, 1, 2, ... from its cells, up to the whole
 * board, which is repeated until there are `count` boards (1 by default); empty for an empty board */
static int board_rings(lua_State *L)
{
	board const *ring = check(L, 1);
	lua_Integer const count = luaL_optinteger(L, 2, 1);
	luaL_argcheck(L, count >= 1 && count <= CRUX_BOARD_CELLS, 2, "a number of boards");
	bool done = !crux_board_any(ring->shape, ring->words);
	lua_Integer last = 0;
	lua_settop(L, 1);
	lua_createtable(L, (int)count, 0);
	while (!done) {
		board *wider = push_copy(L, ring);
		if (last > 0) {
			crux_board_neighbours(ring->shape, ring->words, wider->words);
			crux_board_combine(CRUX_BOARD_OR, ring->shape, ring->words, wider->words, wider->words);
		}
		lua_rawseti(L, 2, ++last);
		ring = wider;
		done = crux_board_count(ring->shape, ring->words) == ring->shape.cells;
	}
	while (last > 0 && last < count) {
		lua_rawgeti(L, 2, last);
		lua_rawseti(L, 2, ++last);
	}
	return 1;
}

/* tostring(b) -> its rows as lines of '#' and '.' */
static int board_tostring(lua_State *L)
{
	board const *b = check(L, 1);
	luaL_Buffer text;
	luaL_buffinit(L, &text);
	for (unsigned cell = 0; cell < b->shape.cells; cell++) {
		if (cell > 0 && cell % b->shape.width == 0)
			luaL_addchar(&text, '\n');
		luaL_addchar(&text, crux_board_has(b->words, cell) ? '#' : '.');
	}
	luaL_pushresult(&text);
	return 1;
}

/* Pushes the words for a board in messages. */
static int board_shown(lua_State *L)
{
	crux_board_shape const shape = check(L, 1)->shape;
	lua_pushfstring(L, "a board of %d x %d", shape.width, shape.height);
	return 1;
}

CRUX_TABLE(methods,
	{"any",        board_any},
	{"none",       board_none},
	{"size",       board_size},
	{"key",        board_key},
	{"has",        board_has},
	{"with",       board_with},
	{"without",    board_without},
	{"cells",      board_cells},
	{"first",      board_first},
	{"nth",        board_nth},
	{"pick",       board_pick},
	{"sample",     board_sample},
	{"bounds",     board_bounds},
	{"shift",      board_shift},
	{"neighbours", board_neighbours},
	{"flood",      board_flood},
	{"frozen",     board_frozen},
	{"corral",     board_corral},
	{"components", board_components},
	{"distances",  board_distances},
	{"rings",      board_rings},
	{"__bnot",     board_bnot},
	{"__eq",       board_eq},
	{"__len",      board_len},
	{"__tostring", board_tostring},
	{"__shown",    board_shown})

CRUX_TABLE(functions,
	{"new", board_new})

int crux_open_board(lua_State *L)
{
	crux_open_type(L, CRUX_BOARD_TYPE, methods, functions);
	crux_set_operators(L, CRUX_BOARD_TYPE, board_combine, operators, sizeof operators / sizeof *operators);
	return 1;
}
