/* libcrux.walk: random walks of many states at a time, with coins. Lanes count from 1. */
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

enum { STEP_LIMIT = 1000000 }; /* steps in a call of run */

static crux_walk *check(lua_State *L)
{
	return *(crux_walk **)crux_handle_check(L, 1, TYPE, "the walk was closed");
}

static crux_coins to_coins(lua_State *L, int probability, int count)
{
	lua_Number const p = luaL_checknumber(L, probability);
	lua_Integer const n = luaL_checkinteger(L, count);
	luaL_argcheck(L, p >= 0 && p <= 1, probability, "a probability lies between 0 and 1");
	luaL_argcheck(L, n >= 1 && n <= CRUX_COINS_MAX, count, "a number of coins");
	return crux_coins_new(p, (size_t)n);
}

/* Reads a list of { probability, count } into coins. */
static void read_coins(lua_State *L, int list, crux_coins *coins, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		lua_rawgeti(L, list, (lua_Integer)i + 1);
		luaL_checktype(L, -1, LUA_TTABLE);
		lua_rawgeti(L, -1, 1);
		lua_rawgeti(L, -2, 2);
		coins[i] = to_coins(L, lua_gettop(L) - 1, lua_gettop(L));
		lua_pop(L, 3);
	}
}

/* True when the inputs from `input` on are the words of the coins. */
static bool has_coins(const crux_traced *traced, size_t input, const crux_coins *coins, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (unsigned left = coins[i].count; left > 0; left -= left < 64 ? left : 64)
			if (input == traced->input_count || !crux_traced_takes(traced, input++, UINT64_MAX >> (left < 64 ? 64 - left : 0)))
				return false;
	return input == traced->input_count;
}

/* new(trace, set, number of moves, coins) -> walks of states like those of the set, with the recorded step; coins is a list of
 * { probability, count } */
static int walk_new(lua_State *L)
{
	crux_traced const *const traced = crux_traced_check(L, 1);
	crux_state_layout const *const layout = crux_state_set_layout(L, 2);
	lua_Integer const moves = luaL_checkinteger(L, 3);
	luaL_argcheck(L, moves >= 1 && moves <= INT16_MAX, 3, "a number of moves");
	lua_settop(L, 4);
	size_t const coin_count = crux_check_length(L, 4), values = layout->values;
	crux_coins *const coins = lua_newuserdatauv(L, (coin_count + 1) * sizeof *coins, 0);
	read_coins(L, 4, coins, coin_count);
	bool const is_whole = traced->trace->varies && crux_traced_has_states(traced, layout, 1, CRUX_WALK_OUTPUTS) &&
	                      traced->input_count > values && crux_traced_takes(traced, values, (uint64_t)moves - 1) &&
	                      has_coins(traced, values + 1, coins, coin_count);
	luaL_argcheck(L, is_whole, 1, "a trace of a step, of a state, a move and coins");
	luaL_argcheck(L, traced->outputs[values] == 0 && traced->outputs[values + 1] == 0, 1, "a trace of a step that ends nothing");
	crux_walk **const slot = crux_handle_new(L, TYPE, sizeof *slot, CRUX_TRACED_FROM);
	lua_pushvalue(L, 1);
	lua_setiuservalue(L, -2, CRUX_TRACED_FROM);
	crux_program *const program =
		crux_program_new(traced->trace, traced->inputs, traced->input_count, traced->outputs, traced->output_count);
	if (program)
		*slot = crux_walk_new(program, layout, traced->trace->parameter_count, (size_t)moves, coins, coin_count);
	return *slot ? 1 : crux_traced_refuse_size(L);
}

/* walk:enter(set, state, shape, random) -> the lane of a new walk from a state of a set, on the level that the shape was last
 * fitted to, by a copy of the generator; raises when there are `most` lanes */
static int walk_enter(lua_State *L)
{
	crux_walk *const walk = check(L);
	crux_state_set const *const set = crux_state_set_check(L, 2, walk->layout);
	lua_Integer const state = luaL_checkinteger(L, 3);
	luaL_argcheck(L, state >= 1 && state <= crux_state_set_count(set), 3, "no such state");
	luaL_argcheck(L, walk->lanes < CRUX_BATCH, 1, "there is no lane left");
	int64_t const *const parameters = crux_level_parameters(L, 4, walk->parameter_count);
	crux_walk_enter(walk, crux_state_set_key(set, (uint32_t)(state - 1)), parameters, *crux_random_check(L, 5));
	lua_pushinteger(L, (lua_Integer)walk->lanes);
	return 1;
}

/* walk:run(steps) -> false, and the states are undefined, when a step is wrong */
static int walk_run(lua_State *L)
{
	crux_walk *const walk = check(L);
	lua_Integer const steps = luaL_checkinteger(L, 2);
	luaL_argcheck(L, steps >= 0 && steps <= STEP_LIMIT, 2, "a number of steps");
	luaL_argcheck(L, walk->lanes > 0, 1, "there is no lane");
	lua_pushboolean(L, crux_walk_run(walk, (uint64_t)steps));
	return 1;
}

/* walk:state(set, lane) -> the index in a set of a lane's current state, which is added if missing; nil when the limit on bytes
 * is met */
static int walk_state(lua_State *L)
{
	crux_walk const *const walk = check(L);
	crux_state_layout const *const layout = walk->layout;
	crux_state_set *const set = crux_state_set_check(L, 2, layout);
	lua_Integer const lane = luaL_checkinteger(L, 3);
	luaL_argcheck(L, lane >= 1 && (size_t)lane <= walk->lanes, 3, "no such lane");
	uint64_t *const key = lua_newuserdatauv(L, layout->words * sizeof *key, 0);
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
	check(L)->lanes = 0;
	return 0;
}

/* walk:program() -> operations, bits of a lane */
static int walk_program(lua_State *L)
{
	crux_program_size const size = crux_program_measure(check(L)->program);
	lua_pushinteger(L, (lua_Integer)size.operations);
	lua_pushinteger(L, size.lane_bits);
	return 2;
}

/* draw(random, numbers) -> a number from 1 to `numbers`, drawn as a walk draws moves */
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

/* throw(random, probability, width, height) -> a board with each cell in it with that probability, as a walk throws coins */
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

CRUX_RELEASE(walk_release, TYPE, crux_walk_free)

CRUX_TABLE(methods,
	{"enter",   walk_enter},
	{"run",     walk_run},
	{"state",   walk_state},
	{"clear",   walk_clear},
	{"program", walk_program},
	{"close",   walk_release},
	CRUX_CLOSES(walk_release))

CRUX_TABLE(functions,
	{"new",   walk_new},
	{"draw",  walk_draw},
	{"throw", walk_throw})

/* { new =, draw =, throw =, most = limit on lanes, most_steps = limit on steps in a call of run } */
int crux_open_walk(lua_State *L)
{
	crux_open_type(L, TYPE, methods, functions);
	crux_set_integer(L, "most", CRUX_BATCH);
	crux_set_integer(L, "most_steps", STEP_LIMIT);
	return 1;
}
