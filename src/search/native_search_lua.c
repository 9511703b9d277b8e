/* libcrux.native_search: searches with a traced step over a set of states. States and moves count from 1. */
#include <lauxlib.h>
#include <stdbool.h>

#include "lua/binding.h"
#include "lua/modules.h"
#include "search/native_search.h"
#include "states/state_set_lua.h"
#include "trace/level_shape_lua.h"
#include "trace/traced_lua.h"

#define TYPE "crux.native_search"

enum { MAX_FLAGS = 8 }; /* that are looked at for programs of their own */

typedef struct native {
	crux_native_search *search; /* NULL: closed */
	size_t moves;
	int64_t *successors; /* room for one state's, and for their estimates; user value 1 */
} native;

static native *check(lua_State *L)
{
	native *const n = luaL_checkudata(L, 1, TYPE);
	luaL_argcheck(L, n->search, 1, "the search was closed");
	return n;
}

/* new(trace, set, number of moves) -> search of that set with what the trace recorded */
static int native_new(lua_State *L)
{
	crux_traced const *const traced = crux_traced_check(L, 1);
	crux_state_layout const *layout;
	crux_state_set_check(L, 2, &layout);
	lua_Integer const moves = luaL_checkinteger(L, 3);
	luaL_argcheck(L, moves >= 1 && moves <= UINT16_MAX, 3, "a number of moves");
	size_t const values = crux_state_layout_values(layout);
	size_t const outputs = (size_t)moves * (values + CRUX_NATIVE_OUTPUTS);
	bool const informed = traced->output_count == outputs + (size_t)moves;
	bool const is_whole = traced->input_count == values && (informed || traced->output_count == outputs);
	luaL_argcheck(L, is_whole, 1, "a trace of all moves");
	native *const n = lua_newuserdatauv(L, sizeof *n, 1);
	*n = (native){.moves = (size_t)moves};
	luaL_setmetatable(L, TYPE);
	n->successors = lua_newuserdatauv(L, 2 * n->moves * sizeof *n->successors, 0);
	lua_setiuservalue(L, -2, 1);
	crux_program *const program =
		crux_program_new(traced->trace, traced->inputs, traced->input_count, traced->outputs, traced->output_count);
	n->search = program ? crux_native_search_new(program, layout, n->moves, informed) : NULL;
	return n->search ? 1 : luaL_error(L, "out of memory for a program of so many moves and values");
}

/* A program for states of which that input is known; *operations are those that it may have, and those that it has. NULL
 * when it has more, or memory is short. */
static crux_program *make_special(const crux_traced *traced, size_t input, bool value, crux_node *images, size_t *operations)
{
	crux_trace *const trace = crux_trace_specialise(traced->trace, traced->inputs[input], value, images);
	if (!trace)
		return NULL;
	crux_node *const nodes = images + crux_trace_count(traced->trace), *const outputs = nodes + traced->input_count;
	for (size_t i = 0; i < traced->input_count; i++)
		nodes[i] = images[traced->inputs[i]];
	for (size_t i = 0; i < traced->output_count; i++)
		outputs[i] = images[traced->outputs[i]];
	crux_program *const program = crux_program_new(trace, nodes, traced->input_count, outputs, traced->output_count);
	crux_trace_free(trace);
	if (program && crux_program_operations(program) <= *operations) {
		*operations = crux_program_operations(program);
		return program;
	}
	crux_program_free(program);
	return NULL;
}

/* search:specialise(trace): looks for a flag that makes the program much shorter when it is the same for all states, and
 * gives these a program of their own; then the search is to be bound anew */
static int native_specialise(lua_State *L)
{
	native *const n = check(L);
	crux_traced const *const traced = crux_traced_check(L, 2);
	size_t const nodes = crux_trace_count(traced->trace) + traced->input_count + traced->output_count;
	crux_node *const images = lua_newuserdatauv(L, nodes * sizeof *images, 0);
	size_t operations = crux_program_operations(crux_native_search_program(n->search)) / 4 * 3;
	for (size_t i = 0, flags = 0; i < traced->input_count && flags < MAX_FLAGS; i++) {
		crux_trace_node const *const input = crux_trace_at(traced->trace, traced->inputs[i]);
		if (input->operation != CRUX_INPUT || input->low != 0 || input->high != 1)
			continue;
		flags++;
		for (int value = 0; value <= 1; value++) {
			crux_program *const special = make_special(traced, i, value, images, &operations);
			if (special)
				crux_native_search_specialise(n->search, special, i, value);
		}
	}
	return 0;
}

/* search:bind(shape) -> whether the program holds for the level that the shape was last fitted to, and then is for it */
static int native_bind(lua_State *L)
{
	native *const n = check(L);
	lua_pushboolean(L, crux_native_search_bind(n->search, crux_level_given(L, 2)));
	return 1;
}

/* search:begin(set, counts, timed[, bound]): anew, with a set of one state; counts: the ways to win; states whose depth and
 * estimate add up to more than the bound are left out */
static int native_begin(lua_State *L)
{
	native *const n = check(L);
	crux_state_layout const *layout;
	luaL_argcheck(L, crux_state_set_count(crux_state_set_check(L, 2, &layout)) == 1, 2, "a set of one state");
	if (!crux_native_search_begin(n->search, lua_toboolean(L, 3), lua_toboolean(L, 4), luaL_optinteger(L, 5, INT64_MAX)))
		return luaL_error(L, "out of memory");
	return 0;
}

/* search:expand(set, most, state limit) -> how many states were expanded so far; what ended that: "through", "won",
 * "violation", the name of a limit ("states", "bytes"), or nothing when there is more to do */
static int native_expand(lua_State *L)
{
	static const char *const names[] = {
		[CRUX_NATIVE_THROUGH] = "through",
		[CRUX_NATIVE_WON] = "won",
		[CRUX_NATIVE_VIOLATION] = "violation",
		[CRUX_NATIVE_STATES] = "states",
		[CRUX_NATIVE_BYTES] = "bytes",
	};
	native *const n = check(L);
	crux_state_layout const *layout;
	crux_state_set *const set = crux_state_set_check(L, 2, &layout);
	lua_Integer const most = luaL_checkinteger(L, 3), limit = luaL_checkinteger(L, 4);
	luaL_argcheck(L, most >= 1 && most <= UINT32_MAX, 3, "a number of states");
	luaL_argcheck(L, limit >= 1 && limit < UINT32_MAX, 4, "a number of states");
	crux_native_end const end = crux_native_search_expand(n->search, set, (uint32_t)most, (uint32_t)limit);
	if (end == CRUX_NATIVE_MEMORY)
		return luaL_error(L, "out of memory");
	lua_pushinteger(L, crux_native_search_expanded(n->search));
	lua_pushstring(L, names[end]);
	return 2;
}

/* search:frontiers(set) -> list of the numbers of states at each depth, from 0 */
static int native_frontiers(lua_State *L)
{
	native *const n = check(L);
	crux_state_layout const *layout;
	size_t count;
	uint32_t const *const sizes = crux_native_search_frontiers(n->search, crux_state_set_check(L, 2, &layout), &count);
	lua_createtable(L, (int)count, 0);
	for (size_t i = 0; i < count; i++) {
		lua_pushinteger(L, sizes[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* search:place() -> the state and the move that won first, or that were refused; nothing when there was neither */
static int native_place(lua_State *L)
{
	uint32_t state;
	size_t move;
	if (!crux_native_search_place(check(L)->search, &state, &move))
		return 0;
	lua_pushinteger(L, (lua_Integer)state + 1);
	lua_pushinteger(L, (lua_Integer)move + 1);
	return 2;
}

/* search:solutions() -> the ways to win in as many moves as the first win took; -1 for more than an integer holds */
static int native_solutions(lua_State *L)
{
	lua_pushinteger(L, crux_native_search_solutions(check(L)->search));
	return 1;
}

/* search:beyond() -> the least sum of depth and estimate that was left out; nothing when none was */
static int native_beyond(lua_State *L)
{
	int64_t const beyond = crux_native_search_beyond(check(L)->search);
	if (beyond == INT64_MAX)
		return 0;
	lua_pushinteger(L, beyond);
	return 1;
}

/* search:statistics() -> expanded, generated, duplicates, lost, beyond */
static int native_statistics(lua_State *L)
{
	crux_native_statistics const found = crux_native_search_statistics(check(L)->search);
	lua_pushinteger(L, found.expanded);
	lua_pushinteger(L, found.generated);
	lua_pushinteger(L, found.duplicates);
	lua_pushinteger(L, found.lost);
	lua_pushinteger(L, found.beyond);
	return 5;
}

/* search:try(set, state) -> list of what each move makes of it: a state, "won", "lost", "wrong", or false for a state that
 * is not in the set; list of the estimates then, if there are any */
static int native_try(lua_State *L)
{
	native *const n = check(L);
	crux_state_layout const *layout;
	crux_state_set const *const set = crux_state_set_check(L, 2, &layout);
	lua_Integer const state = luaL_checkinteger(L, 3);
	luaL_argcheck(L, state >= 1 && state <= crux_state_set_count(set), 3, "no such state");
	crux_native_search_try(n->search, set, (uint32_t)(state - 1), n->successors, n->successors + n->moves);
	lua_createtable(L, (int)n->moves, 0);
	for (size_t i = 0; i < n->moves; i++) {
		int64_t const successor = n->successors[i];
		if (successor >= 0)
			lua_pushinteger(L, successor + 1);
		else if (successor == CRUX_NATIVE_IS_NEW)
			lua_pushboolean(L, false);
		else
			lua_pushstring(L, successor == CRUX_NATIVE_IS_WON    ? "won"
			                  : successor == CRUX_NATIVE_IS_LOST ? "lost"
			                                                     : "wrong");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	if (!crux_native_search_is_informed(n->search))
		return 1;
	lua_createtable(L, (int)n->moves, 0);
	for (size_t i = 0; i < n->moves; i++) {
		lua_pushinteger(L, n->successors[n->moves + i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 2;
}

/* search:times() -> the seconds that a timed search took for step, and for the set */
static int native_times(lua_State *L)
{
	crux_native_times const times = crux_native_search_times(check(L)->search);
	lua_pushnumber(L, times.step);
	lua_pushnumber(L, times.set);
	return 2;
}

/* search:program() -> operations, registers, bits of a lane, the node of the trace that made them more than 16 (else 0) */
static int native_program(lua_State *L)
{
	crux_program const *const program = crux_native_search_program(check(L)->search);
	lua_pushinteger(L, (lua_Integer)crux_program_operations(program));
	lua_pushinteger(L, (lua_Integer)crux_program_registers(program));
	lua_pushinteger(L, crux_program_lane_bits(program));
	lua_pushinteger(L, crux_program_widest(program));
	return 4;
}

static int native_release(lua_State *L)
{
	native *const n = luaL_checkudata(L, 1, TYPE);
	crux_native_search_free(n->search);
	n->search = NULL;
	return 0;
}

static const luaL_Reg metamethods[] = {
	{"__gc",    native_release},
	{"__close", native_release},
	{NULL,      NULL},
};

static const luaL_Reg methods[] = {
	{"specialise", native_specialise},
	{"bind",       native_bind},
	{"begin",      native_begin},
	{"expand",     native_expand},
	{"frontiers",  native_frontiers},
	{"place",      native_place},
	{"solutions",  native_solutions},
	{"beyond",     native_beyond},
	{"statistics", native_statistics},
	{"times",      native_times},
	{"try",        native_try},
	{"program",    native_program},
	{"close",      native_release},
	{NULL,         NULL},
};

static const luaL_Reg functions[] = {
	{"new", native_new},
	{NULL,  NULL},
};

int crux_open_native_search(lua_State *L)
{
	return crux_open_type(L, TYPE, metamethods, methods, functions);
}
