/* libcrux.walk: random walks of many states at a time, and the coins that are thrown on the way. Lanes count from 1. */
#include <lauxlib.h>

#include "boards/board_lua.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "search/walk.h"
#include "states/state_set_lua.h"
#include "stats/random_lua.h"
#include "trace/level_shape_lua.h"
#include "trace/traced_lua.h"

#define TYPE "crux.walk"

typedef struct handle {
	crux_walk *walk; /* NULL: closed */
} handle;

static crux_walk *check(lua_State *L)
{
	handle const *const h = luaL_checkudata(L, 1, TYPE);
	luaL_argcheck(L, h->walk, 1, "the walk was closed");
	return h->walk;
}

static crux_coins to_coins(lua_State *L, int probability, int count)
{
	lua_Number const p = luaL_checknumber(L, probability);
	lua_Integer const n = luaL_checkinteger(L, count);
	luaL_argcheck(L, p >= 0 && p <= 1, probability, "a probability lies between 0 and 1");
	luaL_argcheck(L, n >= 1 && n <= CRUX_COINS_MAX, count, "a number of coins");
	return crux_coins_new(p, (size_t)n);
}

/* Reads a list of { probability, count } into coins; returns how many inputs they take. */
static size_t read_coins(lua_State *L, int list, crux_coins *coins, size_t count)
{
	size_t inputs = 0;
	for (size_t i = 0; i < count; i++) {
		lua_rawgeti(L, list, (lua_Integer)i + 1);
		luaL_checktype(L, -1, LUA_TTABLE);
		lua_rawgeti(L, -1, 1);
		lua_rawgeti(L, -2, 2);
		coins[i] = to_coins(L, lua_gettop(L) - 1, lua_gettop(L));
		inputs += crux_coins_words(coins[i]);
		lua_pop(L, 3);
	}
	return inputs;
}

/* new(trace, set, number of moves, coins) -> a walk of states like those of the set, by what the trace recorded, in which
 * the coins, a list of { probability, count }, are thrown */
static int walk_new(lua_State *L)
{
	crux_traced const *const traced = crux_traced_check(L, 1);
	crux_state_layout const *layout;
	crux_state_set_check(L, 2, &layout);
	lua_Integer const moves = luaL_checkinteger(L, 3);
	luaL_argcheck(L, moves >= 1 && moves <= INT16_MAX, 3, "a number of moves");
	lua_settop(L, 4);
	size_t const coin_count = crux_check_length(L, 4), values = crux_state_layout_values(layout);
	crux_coins *const coins = lua_newuserdatauv(L, (coin_count + 1) * sizeof *coins, 0);
	size_t const inputs = values + 1 + read_coins(L, 4, coins, coin_count);
	bool const is_whole = crux_trace_varies(traced->trace) && traced->input_count == inputs &&
	                      traced->output_count == values + CRUX_WALK_OUTPUTS;
	luaL_argcheck(L, is_whole, 1, "a trace of a step, of a state, a move and coins");
	handle *const h = lua_newuserdatauv(L, sizeof *h, 0);
	h->walk = NULL;
	luaL_setmetatable(L, TYPE);
	crux_program *const program =
		crux_program_new(traced->trace, traced->inputs, traced->input_count, traced->outputs, traced->output_count);
	if (program)
		h->walk = crux_walk_new(program, layout, crux_trace_given(traced->trace), (size_t)moves, coins, coin_count);
	return h->walk ? 1 : luaL_error(L, "out of memory for a program of so many moves and values");
}

/* walk:enter(set, state, shape, random) -> the lane of a walk from that state of a set, on the level that the shape was last
 * fitted to, by a generator, of which it takes a copy; there are to be less than `most` */
static int walk_enter(lua_State *L)
{
	crux_walk *const walk = check(L);
	crux_state_layout const *layout;
	crux_state_set const *const set = crux_state_set_check(L, 2, &layout);
	lua_Integer const state = luaL_checkinteger(L, 3);
	luaL_argcheck(L, state >= 1 && state <= crux_state_set_count(set), 3, "no such state");
	luaL_argcheck(L, crux_walk_lanes(walk) < CRUX_BATCH, 1, "there is no lane left");
	int64_t const *const given = crux_level_given(L, 4);
	crux_walk_enter(walk, crux_state_set_key(set, (uint32_t)(state - 1)), given, *crux_random_check(L, 5));
	lua_pushinteger(L, (lua_Integer)crux_walk_lanes(walk));
	return 1;
}

/* walk:run(steps) -> whether all went well; else the states are of no meaning */
static int walk_run(lua_State *L)
{
	crux_walk *const walk = check(L);
	lua_Integer const steps = luaL_checkinteger(L, 2);
	luaL_argcheck(L, steps >= 0, 2, "a number of steps");
	luaL_argcheck(L, crux_walk_lanes(walk) > 0, 1, "there is no lane");
	lua_pushboolean(L, crux_walk_run(walk, (uint64_t)steps));
	return 1;
}

/* walk:state(set, lane) -> the index of the state at which a lane is in a set, to which it is added if need be; nil when that
 * takes more bytes than allowed */
static int walk_state(lua_State *L)
{
	crux_walk const *const walk = check(L);
	crux_state_layout const *layout;
	crux_state_set *const set = crux_state_set_check(L, 2, &layout);
	lua_Integer const lane = luaL_checkinteger(L, 3);
	luaL_argcheck(L, lane >= 1 && (size_t)lane <= crux_walk_lanes(walk), 3, "no such lane");
	uint64_t *const key = lua_newuserdatauv(L, crux_state_layout_words(layout) * sizeof *key, 0);
	crux_walk_key(walk, (size_t)lane - 1, key);
	uint32_t state = crux_state_set_find(set, key);
	if (state == CRUX_STATE_NONE)
		state = crux_state_set_add(set, key);
	if (state == CRUX_STATE_NONE)
		return 0;
	lua_pushinteger(L, (lua_Integer)state + 1);
	return 1;
}

/* walk:clear(): removes all lanes */
static int walk_clear(lua_State *L)
{
	crux_walk_clear(check(L));
	return 0;
}

/* walk:program() -> operations, bits of a lane */
static int walk_program(lua_State *L)
{
	crux_program const *const program = crux_walk_program(check(L));
	lua_pushinteger(L, (lua_Integer)crux_program_operations(program));
	lua_pushinteger(L, crux_program_lane_bits(program));
	return 2;
}

/* draw(random, numbers) -> a number from 1 to so many, as a walk draws moves */
static int walk_draw(lua_State *L)
{
	crux_random *const random = crux_random_check(L, 1);
	lua_Integer const numbers = luaL_checkinteger(L, 2);
	luaL_argcheck(L, numbers >= 1 && numbers <= INT16_MAX, 2, "a number of moves");
	uint64_t drawn;
	crux_coins_draw((crux_generators){random->state, 1, 1}, (uint64_t)numbers, &drawn);
	lua_pushinteger(L, (lua_Integer)drawn + 1);
	return 1;
}

/* throw(random, probability, width, height) -> a board of cells that each hold with that probability, as a walk throws coins */
static int walk_throw(lua_State *L)
{
	crux_random *const random = crux_random_check(L, 1);
	lua_Integer const width = luaL_checkinteger(L, 3), height = luaL_checkinteger(L, 4);
	luaL_argcheck(L, width >= 1 && width <= CRUX_BOARD_SIDE, 3, "a width");
	luaL_argcheck(L, height >= 1 && height <= CRUX_BOARD_SIDE, 4, "a height");
	crux_board_shape const shape = crux_board_shape_of((unsigned)width, (unsigned)height);
	lua_settop(L, 4);
	lua_pushinteger(L, width * height);
	crux_coins const coins = to_coins(L, 2, 5);
	uint64_t *const words = crux_board_push(L, shape);
	crux_coins_throw(coins, (crux_generators){random->state, 1, 1}, words);
	for (size_t i = 0; i < shape.words; i++)
		words[i] &= crux_board_full_word(shape, i);
	return 1;
}

static int walk_release(lua_State *L)
{
	handle *const h = luaL_checkudata(L, 1, TYPE);
	crux_walk_free(h->walk);
	h->walk = NULL;
	return 0;
}

static const luaL_Reg metamethods[] = {
	{"__gc",    walk_release},
	{"__close", walk_release},
	{NULL,      NULL},
};

static const luaL_Reg methods[] = {
	{"enter",   walk_enter},
	{"run",     walk_run},
	{"state",   walk_state},
	{"clear",   walk_clear},
	{"program", walk_program},
	{"close",   walk_release},
	{NULL,      NULL},
};

static const luaL_Reg functions[] = {
	{"new",   walk_new},
	{"draw",  walk_draw},
	{"throw", walk_throw},
	{NULL,    NULL},
};

/* { new =, draw =, throw =, most = lanes of a walk } */
int crux_open_walk(lua_State *L)
{
	crux_open_type(L, TYPE, metamethods, methods, functions);
	crux_set_integer(L, "most", CRUX_BATCH);
	return 1;
}
