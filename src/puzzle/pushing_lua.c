/* libcrux.pushing: solutions with the fewest pushes, or the fewest moves, of levels in which a man pushes boxes; see pushing.h. */
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>

#include "boards/board_lua.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "puzzle/pushing.h"

#define TYPE "crux.pushing"

/* The search points to the level. */
typedef struct content {
	crux_pushing_level level;
	crux_pushing *search;
} content;

typedef struct handle {
	content *content;
	bool by_moves, is_won;
} handle;

static void free_content(void *pointer)
{
	content *const c = pointer;
	if (!c)
		return;
	crux_pushing_free(c->search);
	crux_pushing_level_free(&c->level);
	free(c);
}

static handle *check(lua_State *L)
{
	return crux_handle_check(L, 1, TYPE, "the search is closed");
}

static const uint64_t *check_board(lua_State *L, int index, crux_board_shape shape)
{
	crux_board_shape other;
	uint64_t const *const board = crux_board_check(L, index, &other);
	luaL_argcheck(L, crux_board_are_alike(shape, other), index, "a board of the size of the floor");
	return board;
}

static bool is_within(crux_board_shape shape, const uint64_t *board, const uint64_t *floor)
{
	for (size_t i = 0; i < shape.words; i++)
		if (board[i] & ~floor[i])
			return false;
	return true;
}

/* new(floor, man, boxes, goals, by moves, bytes, few) -> search of the fewest moves, or pushes. The arguments are boards: the man is on the
 * first square of his, one of the floor without a box; boxes and goals are on the floor, equally many, one or more. From `few` states on
 * it searches backward, too. nil and a message when memory is short. */
static int pushing_new(lua_State *L)
{
	crux_board_shape shape;
	uint64_t const *const floor = crux_board_check(L, 1, &shape), *const man = check_board(L, 2, shape);
	uint64_t const *const boxes = check_board(L, 3, shape), *const goals = check_board(L, 4, shape);
	lua_Integer const bytes = luaL_checkinteger(L, 6);
	lua_Integer const few = luaL_checkinteger(L, 7);
	unsigned const count = crux_board_count(shape, boxes);
	int const at = crux_board_next(shape, man, 0);
	luaL_argcheck(L, at >= 0 && crux_board_has(floor, (unsigned)at) && !crux_board_has(boxes, (unsigned)at), 2,
	              "a square of the floor without a box");
	luaL_argcheck(L, count > 0 && is_within(shape, boxes, floor), 3, "boxes on the floor");
	luaL_argcheck(L, crux_board_count(shape, goals) == count && is_within(shape, goals, floor), 4, "as many goals on the floor");
	luaL_argcheck(L, bytes > 0, 6, "a number of bytes");
	luaL_argcheck(L, few >= 0 && few < UINT32_MAX, 7, "a number of states");
	handle *const h = crux_handle_new(L, TYPE, sizeof *h, 0);
	h->by_moves = lua_toboolean(L, 5);
	h->content = calloc(1, sizeof *h->content);
	if (h->content && crux_pushing_level_read(&h->content->level, shape, floor, boxes, goals, (unsigned)at))
		h->content->search = crux_pushing_new(&h->content->level, h->by_moves, (size_t)bytes, (uint32_t)few);
	return h->content && h->content->search ? 1 : crux_fail(L, "out of memory");
}

/* search:expand(count, state limit) -> "paused", "through" (there is no solution), "won", "states" or "bytes" */
static int pushing_expand(lua_State *L)
{
	static const char *const names[] = {[CRUX_PUSHING_PAUSED] = "paused", [CRUX_PUSHING_THROUGH] = "through",
		[CRUX_PUSHING_WON] = "won", [CRUX_PUSHING_STATES] = "states", [CRUX_PUSHING_BYTES] = "bytes"};
	handle *const h = check(L);
	lua_Integer const count = luaL_checkinteger(L, 2), limit = luaL_checkinteger(L, 3);
	luaL_argcheck(L, count >= 1 && count <= UINT32_MAX, 2, "a number of states");
	luaL_argcheck(L, limit >= 1 && limit < UINT32_MAX, 3, "a number of states");
	crux_pushing_end const end = crux_pushing_expand(h->content->search, (uint32_t)count, (uint32_t)limit);
	h->is_won = end == CRUX_PUSHING_WON;
	lua_pushstring(L, names[end]);
	return 1;
}

/* search:statistics() -> { expanded =, generated =, duplicates =, lost =, states =, bits = of a state, bytes =, least = } */
static int pushing_statistics(lua_State *L)
{
	crux_pushing_statistics const s = crux_pushing_measure(check(L)->content->search);
	lua_createtable(L, 0, 8);
	crux_set_integer(L, "expanded", (lua_Integer)s.expanded);
	crux_set_integer(L, "generated", (lua_Integer)s.generated);
	crux_set_integer(L, "duplicates", (lua_Integer)s.duplicates);
	crux_set_integer(L, "lost", (lua_Integer)s.lost);
	crux_set_integer(L, "states", (lua_Integer)s.states);
	crux_set_integer(L, "bits", (lua_Integer)s.state_bytes * 8);
	crux_set_integer(L, "bytes", (lua_Integer)s.bytes);
	crux_set_integer(L, "least", (lua_Integer)s.least);
	return 1;
}

/* search:solution() -> after "won" its moves: "R"; for the fewest pushes the box's column and row, from 1, and direction: "3 2 R" */
static int pushing_solution(lua_State *L)
{
	handle const *const h = check(L);
	luaL_argcheck(L, h->is_won, 1, "a search that has won");
	content const *const c = h->content;
	size_t const length = crux_pushing_measure(c->search).least;
	unsigned const width = c->level.shape.width;
	crux_pushing_step *const steps = lua_newuserdatauv(L, length * sizeof *steps + 1, 0);
	crux_pushing_solution(c->search, steps);
	lua_createtable(L, (int)length, 0);
	for (size_t i = 0; i < length; i++) {
		unsigned const cell = c->level.cell[steps[i].square];
		char text[16];
		int const n = h->by_moves ? 0 : snprintf(text, sizeof text, "%u %u ", cell % width + 1, cell / width + 1);
		text[n] = "ULDR"[steps[i].direction];
		lua_pushlstring(L, text, (size_t)n + 1);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

CRUX_RELEASE(pushing_release, TYPE, free_content)

CRUX_TABLE(methods,
	{"expand",     pushing_expand},
	{"statistics", pushing_statistics},
	{"solution",   pushing_solution},
	{"close",      pushing_release},
	CRUX_CLOSES(pushing_release))

CRUX_TABLE(functions,
	{"new", pushing_new})

CRUX_TYPE_LIBRARY(pushing, TYPE)
