/* libcrux.sliding: the squares of pieces of levels of crux.kits.slide; the states of a level for a search; and all its states, with the
 * first shortest solution and how far they are from the exit. */
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "boards/board_lua.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "puzzle/sliding_space.h"
#include "states/state_set_lua.h"

#define SLIDING "crux.sliding"

/* The integer at that index, from -64 to 64. */
static int check_number(lua_State *L, int index)
{
	lua_Integer const number = luaL_checkinteger(L, index);
	luaL_argcheck(L, number >= -CRUX_BOARD_SIDE && number <= CRUX_BOARD_SIDE, index, "a number of squares");
	return (int)number;
}

/* covers(squares, right, down, columns, rows) -> the squares of a piece by its position, from 0, row by row; at the first it is some
 * columns to the right of `squares`, and some rows below */
static int sliding_covers(lua_State *L)
{
	crux_board_shape shape;
	uint64_t const *const squares = crux_board_check(L, 1, &shape);
	int const right = check_number(L, 2), down = check_number(L, 3), columns = check_number(L, 4), rows = check_number(L, 5);
	lua_createtable(L, columns > 0 && rows > 0 ? columns * rows - 1 : 0, 1);
	for (int row = 0; row < rows; row++) {
		for (int column = 0; column < columns; column++) {
			uint64_t *const board = crux_board_push(L, shape);
			crux_board_shift(shape, squares, CRUX_BOARD_RIGHT, right + column, false, board);
			crux_board_shift(shape, board, CRUX_BOARD_DOWN, down + row, false, board);
			lua_rawseti(L, -2, row * columns + column);
		}
	}
	return 1;
}

/* The board of a shape at a position of the table at index 1, which is left on the stack. */
static const uint64_t *get_board(lua_State *L, int position, crux_board_shape shape)
{
	crux_board_shape its;
	lua_rawgeti(L, 1, position);
	uint64_t const *const board = crux_board_check(L, -1, &its);
	luaL_argcheck(L, crux_board_are_alike(shape, its), 1, "boards of one shape");
	return board;
}

/* Pushes the board of the squares that a piece enters by `count` steps from a position. Returns false, and pushes nothing, if these
 * meet a wall. */
static bool push_entered(lua_State *L, int position, int step, int count, const uint64_t *wall, crux_board_shape shape)
{
	uint64_t path[CRUX_BOARD_WORDS] = {0};
	for (int i = 0; i <= count; i++) {
		crux_board_combine(CRUX_BOARD_OR, shape, path, get_board(L, position + i * step, shape), path);
		lua_pop(L, 1);
	}
	uint64_t met = 0;
	for (size_t word = 0; word < shape.words; word++)
		met |= path[word] & wall[word];
	if (met)
		return false;
	uint64_t const *const covers = get_board(L, position, shape);
	crux_board_combine(CRUX_BOARD_MINUS, shape, path, covers, crux_board_push(L, shape));
	lua_remove(L, -2);
	return true;
}

/* enters(covers, columns, rows, right, down, count, wall, all) -> by position of a piece, see covers, the squares that it enters by
 * `count` steps to the right and down; `all`, a board, where it would leave its positions or meet a wall */
static int sliding_enters(lua_State *L)
{
	crux_board_shape shape, shape_of_all;
	luaL_checktype(L, 1, LUA_TTABLE);
	int const columns = check_number(L, 2), rows = check_number(L, 3), right = check_number(L, 4), down = check_number(L, 5);
	int const count = check_number(L, 6);
	uint64_t const *const wall = crux_board_check(L, 7, &shape);
	crux_board_check(L, 8, &shape_of_all);
	luaL_argcheck(L, crux_board_are_alike(shape, shape_of_all), 8, "a board of the wall's shape");
	lua_settop(L, 8);
	lua_createtable(L, columns > 0 && rows > 0 ? columns * rows - 1 : 0, 1);
	for (int position = 0; position < columns * rows; position++) {
		int const column = position % columns + right * count, row = position / columns + down * count;
		bool const is_inside = column >= 0 && column < columns && row >= 0 && row < rows;
		if (!is_inside || !push_entered(L, position, right + down * columns, count, wall, shape))
			lua_pushvalue(L, 8);
		lua_rawseti(L, 9, position);
	}
	return 1;
}

/* The integer field of the table at that index; raises unless it is from 1 to `most`. */
static int check_field(lua_State *L, int table, const char *name, int most)
{
	int value;
	crux_push_field(L, table, name);
	if (!crux_take_int(L, &value) || value < 1 || value > most)
		luaL_error(L, "field '%s': expected an integer from 1 to %d", name, most);
	return value;
}

/* Pops a board of one word. */
static uint64_t take_board(lua_State *L)
{
	crux_board_shape shape;
	uint64_t const *const words = crux_board_check(L, -1, &shape);
	luaL_argcheck(L, shape.words == 1, 1, "a level of at most 64 squares");
	lua_pop(L, 1);
	return words[0];
}

/* Reads the piece on top of the stack, which it pops. */
static void read_piece(lua_State *L, crux_sliding_piece *piece)
{
	luaL_argcheck(L, lua_istable(L, -1), 1, "a list of pieces");
	int const table = lua_gettop(L);
	piece->columns = check_field(L, table, "columns", CRUX_SLIDING_SQUARES);
	piece->rows = check_field(L, table, "rows", CRUX_SLIDING_SQUARES);
	int const positions = piece->columns * piece->rows;
	luaL_argcheck(L, positions <= CRUX_SLIDING_SQUARES, 1, "pieces of at most 64 positions");
	luaL_argcheck(L, crux_push_field(L, table, "covers") == LUA_TTABLE, 1, "a table of the squares of positions");
	for (int position = 0; position < positions; position++) {
		lua_rawgeti(L, -1, position);
		piece->covers[position] = take_board(L);
	}
	lua_pop(L, 2);
}

/* Reads the pieces of the level at index 1, and their positions. */
static void read_pieces(lua_State *L, crux_sliding *s)
{
	crux_push_field(L, 1, "wall");
	s->wall = take_board(L);
	crux_push_field(L, 1, "at");
	crux_push_field(L, 1, "pieces");
	s->count = crux_check_length(L, -1);
	bool const is_right = s->count >= 1 && s->count <= CRUX_SLIDING_PIECES && crux_check_length(L, -2) == s->count;
	luaL_argcheck(L, is_right, 1, "as many positions as pieces, at most 64");
	for (size_t i = 0; i < s->count; i++) {
		crux_sliding_piece *const piece = &s->pieces[i];
		lua_rawgeti(L, -1, (lua_Integer)i + 1);
		read_piece(L, piece);
		lua_rawgeti(L, -2, (lua_Integer)i + 1);
		bool const is_position = crux_take_int(L, &s->at[i]) && s->at[i] >= 0 && s->at[i] < piece->columns * piece->rows;
		luaL_argcheck(L, is_position, 1, "positions of the pieces");
	}
	lua_pop(L, 2);
}

enum { REUSED = 1 << 17 }; /* states for which there is room, at most, in memory that is used for another level */

typedef struct states {
	crux_sliding level;
	crux_sliding_space space;
	bool was_explored, is_complete; /* space was asked for; has all states */
} states;

static void free_states(states *its)
{
	if (!its)
		return;
	crux_sliding_free(&its->level);
	crux_sliding_space_free(&its->space);
	free(its);
}

/* States of no level, in the memory of those at that index, which are closed, unless that is nil or they are many. */
static states *new_states(lua_State *L, int index)
{
	states **const old = lua_isnil(L, index) ? NULL : crux_handle_check(L, index, SLIDING, "the states were closed");
	if (!old || (*old)->space.capacity > REUSED)
		return calloc(1, sizeof **old);
	states *const its = *old;
	*old = NULL;
	crux_sliding_free(&its->level);
	memset(&its->level, 0, sizeof its->level);
	its->was_explored = its->is_complete = false;
	return its;
}

/* new(level, is single, old) -> the states of a level of at most 64 squares, all pieces being told apart; is single: a move is by one
 * square; old: other states, whose memory these may take, so that nothing else can be done with them; or nil */
static int sliding_new(lua_State *L)
{
	lua_settop(L, 3);
	luaL_checktype(L, 1, LUA_TTABLE);
	states **const handle = crux_handle_new(L, SLIDING, sizeof *handle, 0);
	states *const its = *handle = new_states(L, 3);
	if (!its)
		return luaL_error(L, "out of memory");
	crux_sliding *const s = &its->level;
	read_pieces(L, s);
	s->target = (size_t)check_field(L, 1, "target", (int)s->count) - 1;
	luaL_argcheck(L, crux_push_field(L, 1, "goal") == LUA_TTABLE, 1, "a table of goals");
	for (int position = 0; position < CRUX_SLIDING_SQUARES; position++) {
		lua_rawgeti(L, -1, position);
		s->goal |= (uint64_t)lua_toboolean(L, -1) << position;
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
	return crux_sliding_begin(s, lua_toboolean(L, 2)) ? 1 : luaL_error(L, "out of memory");
}

static states *check_states(lua_State *L)
{
	return *(states **)crux_handle_check(L, 1, SLIDING, "the states were closed");
}

static crux_sliding *check_sliding(lua_State *L)
{
	return &check_states(L)->level;
}

CRUX_RELEASE(sliding_free, SLIDING, free_states)

/* True when keys of the layout are those of the level. */
static bool takes(const crux_sliding *s, const crux_state_layout *layout)
{
	bool fits = s->words == 1 && layout->words == 1 && layout->values == s->count;
	for (size_t i = 0; fits && i < s->count; i++) {
		crux_state_place const *const place = &layout->places[i];
		fits = place->shift == s->pieces[i].shift && place->bits == s->bits && place->low == 0;
	}
	return fits;
}

/* sliding:takes(set, number of moves) -> whether the level has that many moves, and the set has states of its kind: then sliding:expand
 * searches them */
static int sliding_takes(lua_State *L)
{
	crux_sliding const *const s = check_sliding(L);
	bool const fits = takes(s, crux_state_set_layout(L, 2)) && crux_state_set_note_count(L, 2) == 2;
	lua_pushboolean(L, fits && luaL_checkinteger(L, 3) == (lua_Integer)s->moves);
	return 1;
}

/* sliding:expand(set, states to expand, state limit) -> "paused", "through", "won", "states" or "bytes" */
static int sliding_expand(lua_State *L)
{
	static const char *const ends[] = {"paused", "through", "won", "states", "bytes"};
	crux_sliding *const s = check_sliding(L);
	crux_state_layout const *const layout = crux_state_set_layout(L, 2);
	luaL_argcheck(L, takes(s, layout) && crux_state_set_note_count(L, 2) == 2, 2, "a set of the level's states, with two notes");
	crux_state_set *const set = crux_state_set_check(L, 2, layout);
	lua_Integer const count = luaL_checkinteger(L, 3), limit = luaL_checkinteger(L, 4);
	luaL_argcheck(L, count >= 1 && count <= UINT32_MAX, 3, "a number of states expected");
	luaL_argcheck(L, limit >= 1, 4, "a number of states expected");
	luaL_argcheck(L, crux_state_set_count(set) > s->next, 2, "the states that were found before");
	uint32_t const state_limit = limit < UINT32_MAX ? (uint32_t)limit : UINT32_MAX;
	lua_pushstring(L, ends[crux_sliding_expand(s, set, (uint32_t)count, state_limit)]);
	return 1;
}

/* sliding:statistics() -> counts of the search: states expanded, moves tried, moves that led to known states; seconds in the set of
 * states; after a win, the numbers (from 1) of the state and of the move that won from it */
static int sliding_statistics(lua_State *L)
{
	crux_sliding_statistics const found = check_sliding(L)->statistics;
	lua_pushinteger(L, found.expanded);
	lua_pushinteger(L, found.generated);
	lua_pushinteger(L, found.duplicates);
	lua_pushnumber(L, found.set_seconds);
	if (!found.is_won)
		return 4;
	lua_pushinteger(L, (lua_Integer)found.state + 1);
	lua_pushinteger(L, (lua_Integer)found.move + 1);
	return 6;
}

/* All states of the level; NULL if there are too many. */
static const crux_sliding_space *explored(states *its)
{
	if (!its->was_explored)
		its->is_complete = crux_sliding_space_explore(&its->space, &its->level);
	its->was_explored = true;
	return its->is_complete ? &its->space : NULL;
}

/* Pushes a list of numbers, each larger by `more`. */
static void push_list(lua_State *L, const uint32_t *numbers, size_t count, uint32_t more)
{
	lua_createtable(L, (int)count, 0);
	for (size_t i = 0; i < count; i++) {
		lua_pushinteger(L, (lua_Integer)numbers[i] + more);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

/* sliding:distances() -> how many states are at each distance from the exit, in slides, from 0 on; nil when there is no way out, or
 * more than 2^18 states */
static int sliding_distances(lua_State *L)
{
	crux_sliding_space const *const space = explored(check_states(L));
	if (!space || !space->distance_count)
		return 0;
	push_list(L, space->counts, space->distance_count, 0);
	return 1;
}

/* sliding:solution() -> the numbers of the moves of the first of the shortest solutions; false when there is no way out, nil when there
 * are more than 2^18 states */
static int sliding_solution(lua_State *L)
{
	crux_sliding_space const *const space = explored(check_states(L));
	if (!space)
		return 0;
	if (!space->distance_count) {
		lua_pushboolean(L, false);
		return 1;
	}
	size_t const count = space->distances[0] - 1;
	uint32_t *const moves = lua_newuserdatauv(L, count * sizeof *moves, 0);
	crux_sliding_space_solve(space, moves);
	push_list(L, moves, count, 1);
	return 1;
}

CRUX_TABLE(methods, CRUX_CLOSES(sliding_free),
	{"close",      sliding_free},
	{"takes",      sliding_takes},
	{"expand",     sliding_expand},
	{"statistics", sliding_statistics},
	{"distances",  sliding_distances},
	{"solution",   sliding_solution})

CRUX_TABLE(functions,
	{"covers", sliding_covers},
	{"enters", sliding_enters},
	{"new",    sliding_new})

CRUX_TYPE_LIBRARY(sliding, SLIDING)
