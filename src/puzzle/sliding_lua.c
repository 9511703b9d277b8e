/* libcrux.sliding: how far the states of a level of crux.kits.slide are from its exit. A slide back is a slide, too. */
#include <lauxlib.h>
#include <string.h>

#include "boards/board_lua.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "states/state_set.h"

enum {
	MOST_PIECES = 64,
	MOST_SQUARES = 64,      /* of a board in one word */
	MOST_SLIDES = MOST_PIECES * MOST_SQUARES,
	MOST_STATES = 1 << 18,  /* whose distances take 0.3 s */
	DISTANCE = 0, PLACE = 1, /* notes of a state: its distance and 1, 0 while that is unknown; and the state at its place of the queue */
};

typedef struct sliding_piece {
	int columns, rows;             /* of its positions, which are numbered from 0 row by row */
	uint64_t weight;               /* of its position in the number of a state */
	uint64_t covers[MOST_SQUARES]; /* its squares, by position */
} sliding_piece;

typedef struct puzzle {
	size_t count;
	sliding_piece pieces[MOST_PIECES];
	uint64_t wall;
	bool is_single;                /* slides are by one square */
	uint64_t next[MOST_SLIDES];    /* the states that slides of a state lead to */
	uint64_t notes[MOST_SLIDES];   /* of new states: none */
	uint32_t indices[MOST_SLIDES]; /* of these in a set */
	uint32_t counts[MOST_STATES];  /* of states, by distance */
} puzzle;

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

/* Reads the piece on top of the stack, which it pops; false when numbers of states do not hold its positions. */
static bool read_piece(lua_State *L, puzzle *p, uint64_t *states)
{
	luaL_argcheck(L, lua_istable(L, -1), 1, "a list of pieces");
	sliding_piece *const piece = &p->pieces[p->count++];
	int const table = lua_gettop(L);
	piece->columns = check_field(L, table, "columns", MOST_SQUARES);
	piece->rows = check_field(L, table, "rows", MOST_SQUARES);
	int const positions = piece->columns * piece->rows;
	luaL_argcheck(L, positions <= MOST_SQUARES, 1, "pieces of at most 64 positions");
	luaL_argcheck(L, crux_push_field(L, table, "covers") == LUA_TTABLE, 1, "a table of the squares of positions");
	for (int position = 0; position < positions; position++) {
		lua_rawgeti(L, -1, position);
		piece->covers[position] = take_board(L);
	}
	lua_pop(L, 2);
	piece->weight = *states;
	return !__builtin_mul_overflow(*states, (uint64_t)positions, states);
}

/* Adds the states to which slides of a piece by `step` positions lead, at most `room` steps. */
static size_t slide(puzzle *p, size_t number, uint64_t state, int at, int step, int room, uint64_t taken, size_t count)
{
	sliding_piece const *const piece = &p->pieces[number];
	for (int i = 1; i <= (p->is_single && room > 1 ? 1 : room) && !(piece->covers[at + i * step] & taken); i++)
		p->next[count++] = state + (uint64_t)((int64_t)i * step) * piece->weight;
	return count;
}

/* Sets the indices of the states to which slides of a state lead, and adds those that are new. Returns their number; SIZE_MAX when
 * there are too many states. */
static size_t slide_all(puzzle *p, crux_state_set *set, uint32_t index)
{
	uint64_t const state = *crux_state_set_key(set, index);
	uint64_t rest = state, taken = p->wall;
	int at[MOST_PIECES];
	size_t const pieces = p->count;
	size_t count = 0;
	for (size_t i = 0; i < pieces; i++) {
		uint64_t const positions = (uint64_t)(p->pieces[i].columns * p->pieces[i].rows);
		at[i] = (int)(rest % positions);
		rest /= positions;
		taken |= p->pieces[i].covers[at[i]];
	}
	for (size_t i = 0; i < pieces; i++) {
		sliding_piece const *const piece = &p->pieces[i];
		int const column = at[i] % piece->columns, row = at[i] / piece->columns;
		uint64_t const others = taken & ~piece->covers[at[i]];
		count = slide(p, i, state, at[i], -1, column, others, count);
		count = slide(p, i, state, at[i], 1, piece->columns - 1 - column, others, count);
		count = slide(p, i, state, at[i], -piece->columns, row, others, count);
		count = slide(p, i, state, at[i], piece->columns, piece->rows - 1 - row, others, count);
	}
	bool const is_whole = crux_state_set_merge(set, p->next, p->notes, count, MOST_STATES, p->indices) == count;
	return is_whole ? count : SIZE_MAX;
}

/* Gives a state a distance, unless it has one, and puts it at the end of the queue; returns the length of the queue. */
static uint32_t reach(puzzle *p, crux_state_set *set, uint32_t index, uint32_t distance, uint32_t length)
{
	uint32_t *const notes = crux_state_set_notes(set, index);
	if (notes[DISTANCE])
		return length;
	notes[DISTANCE] = distance + 1;
	crux_state_set_notes(set, length)[PLACE] = index;
	p->counts[distance]++;
	return length + 1;
}

/* Counts states by their distance; returns the number of distances, 0 when there are too many states, or no way out. */
static size_t count_states(puzzle *p, crux_state_set *set, uint64_t start, const sliding_piece *target, uint64_t goal)
{
	uint32_t length = 0;
	size_t distances = 0;
	if (crux_state_set_add(set, &start) == CRUX_STATE_NONE)
		return 0;
	for (uint32_t index = 0; index < crux_state_set_count(set); index++)
		if (slide_all(p, set, index) == SIZE_MAX)
			return 0;
	for (uint32_t index = 0; index < crux_state_set_count(set); index++) {
		uint64_t const at = *crux_state_set_key(set, index) / target->weight % (uint64_t)(target->columns * target->rows);
		if (goal >> at & 1)
			length = reach(p, set, index, 0, length);
	}
	for (uint32_t i = 0; i < length; i++) {
		uint32_t const index = crux_state_set_notes(set, i)[PLACE], distance = crux_state_set_notes(set, index)[DISTANCE];
		distances = distance;
		size_t const count = slide_all(p, set, index);
		for (size_t k = 0; k < count; k++)
			length = reach(p, set, p->indices[k], distance, length);
	}
	return distances;
}

/* Reads the pieces of the level at index 1, and the number of its state at the start; false when there are too many states. */
static bool read_level(lua_State *L, puzzle *p, uint64_t *start)
{
	uint64_t states = 1;
	crux_push_field(L, 1, "wall");
	p->wall = take_board(L);
	crux_push_field(L, 1, "at");
	crux_push_field(L, 1, "pieces");
	size_t const count = crux_check_length(L, -1);
	luaL_argcheck(L, count <= MOST_PIECES && crux_check_length(L, -2) == count, 1, "as many positions as pieces, at most 64");
	for (size_t i = 0; i < count; i++) {
		int at;
		uint64_t const weight = states;
		lua_rawgeti(L, -1, (lua_Integer)i + 1);
		if (!read_piece(L, p, &states))
			return false;
		lua_rawgeti(L, -2, (lua_Integer)i + 1);
		bool const is_position = crux_take_int(L, &at) && at >= 0 && (uint64_t)at < states / weight;
		luaL_argcheck(L, is_position, 1, "positions of the pieces");
		*start += weight * (uint64_t)at;
	}
	lua_pop(L, 2);
	return true;
}

/* distances(level, is single) -> how many states are at each distance from the exit, in slides, from 0 on, all pieces being told
 * apart; nil when there is no way out, or there are more than 2^18 states or too many for an integer */
static int sliding_distances(lua_State *L)
{
	uint64_t start = 0, goal = 0;
	lua_settop(L, 2);
	luaL_checktype(L, 1, LUA_TTABLE);
	puzzle *const p = lua_newuserdatauv(L, sizeof *p, 0);
	memset(p, 0, sizeof *p);
	p->is_single = lua_toboolean(L, 2);
	if (!read_level(L, p, &start))
		return 0;
	int const target = check_field(L, 1, "target", (int)p->count);
	luaL_argcheck(L, crux_push_field(L, 1, "goal") == LUA_TTABLE, 1, "a table of goals");
	for (int position = 0; position < MOST_SQUARES; position++) {
		lua_rawgeti(L, -1, position);
		goal |= (uint64_t)lua_toboolean(L, -1) << position;
		lua_pop(L, 1);
	}
	crux_state_set *const set = crux_state_set_new(64, 2, SIZE_MAX);
	size_t const distances = set ? count_states(p, set, start, &p->pieces[target - 1], goal) : 0;
	crux_state_set_free(set);
	if (!distances)
		return 0;
	lua_createtable(L, (int)distances, 0);
	for (size_t i = 0; i < distances; i++) {
		lua_pushinteger(L, p->counts[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

CRUX_LIBRARY(sliding,
	{"distances", sliding_distances})
