/* libcrux.native_search: searches with a traced step over a set of states. States and moves count from 1. */
#include <lauxlib.h>
#include <stdbool.h>

#include "lua/binding.h"
#include "lua/modules.h"
#include "search/native_search.h"
#include "search/native_search_lua.h"
#include "states/state_set_lua.h"
#include "trace/level_shape_lua.h"
#include "trace/trace_guard.h"
#include "trace/traced_lua.h"

#define TYPE "crux.native_search"

enum {
	MAX_FLAGS = 8,     /* flags that are tried for special programs */
	LEAST_GUARDED = 8, /* moves of a program with guards */
};

typedef struct native {
	crux_native_search *search; /* NULL: closed */
	size_t moves, inputs, outputs, parameter_count; /* of the trace */
	bool is_bound;       /* to the parameters of a level, if there are any */
	uint32_t known;      /* number of states that the search left in its set */
	int64_t *successors; /* scratch: those of one state, then their estimates */
} native;

enum { SCRATCH = CRUX_TRACED_FROM + 1, SET }; /* user values: memory of successors, the set that is searched */

static native *check(lua_State *L)
{
	return crux_handle_check(L, 1, TYPE, "the search was closed");
}

/* Sets the guards of all moves, and then the estimate of idle moves; false when moves are few or most have none, so that all states are better stepped. */
static bool find_guards(crux_traced *traced, size_t values, bool informed, crux_node *guards)
{
	crux_trace_moves const moves = {traced->inputs, traced->outputs, traced->moves, values, informed, CRUX_NATIVE_OUTPUTS};
	return traced->moves >= LEAST_GUARDED && crux_trace_guards(traced->trace, &moves, guards) >= traced->moves / 2;
}

/* True when an output of CRUX_NATIVE_OUTPUTS may hold after some move. */
static bool may_hold(const crux_traced *traced, size_t output)
{
	size_t const outputs = traced->output_count / traced->moves;
	for (size_t end = outputs; end <= traced->output_count; end += outputs) {
		crux_trace_node const *const node = &traced->trace->nodes[traced->outputs[end - CRUX_NATIVE_OUTPUTS + output]];
		if (node->low != 0 || node->high != 0)
			return true;
	}
	return false;
}

/* new(trace, set, number of moves) -> search of states like those of the set, with the recorded step */
static int native_new(lua_State *L)
{
	crux_traced *const traced = crux_traced_check(L, 1);
	crux_state_layout const *const layout = crux_state_set_layout(L, 2);
	lua_Integer const moves = luaL_checkinteger(L, 3);
	luaL_argcheck(L, moves >= 1 && moves <= UINT16_MAX, 3, "a number of moves");
	size_t const values = layout->values;
	bool const informed = traced->move_outputs == values + CRUX_NATIVE_OUTPUTS + 1;
	bool const is_whole = !traced->trace->varies && traced->input_count == values &&
	                      crux_traced_has_states(traced, layout, (size_t)moves, CRUX_NATIVE_OUTPUTS + informed);
	luaL_argcheck(L, is_whole, 1, "a trace of all moves");
	native *const n = crux_handle_new(L, TYPE, sizeof *n, SET);
	*n = (native){.moves = (size_t)moves, .inputs = values, .outputs = traced->output_count};
	n->parameter_count = traced->trace->parameter_count;
	n->is_bound = n->parameter_count == 0;
	lua_pushvalue(L, 1);
	lua_setiuservalue(L, -2, CRUX_TRACED_FROM);
	n->successors = lua_newuserdatauv(L, 2 * n->moves * sizeof *n->successors, 0);
	lua_setiuservalue(L, -2, SCRATCH);
	crux_node *const guards = lua_newuserdatauv(L, (n->moves + 1) * sizeof *guards, 0);
	bool const is_guarded = find_guards(traced, values, informed, guards);
	crux_program *const program = crux_program_new_in_parts(traced->trace, traced->inputs, values, traced->outputs,
	                                                        traced->output_count, guards, is_guarded ? n->moves : 0);
	lua_pop(L, 1);
	n->search = program ? crux_native_search_new(program, layout, n->moves, informed, is_guarded) : NULL;
	if (!n->search)
		return crux_traced_refuse_size(L);
	n->search->batch.never_loses = !may_hold(traced, CRUX_NATIVE_OUTPUT_LOST);
	n->search->batch.never_wrong = !may_hold(traced, CRUX_NATIVE_OUTPUT_WRONG);
	return 1;
}

/* A program for states in which an input has a value; NULL when it has more than *operations operations, or memory is short.
 * Sets *operations to the number of its operations. */
static crux_program *make_special(const crux_traced *traced, size_t input, bool value, crux_node *images, size_t *operations)
{
	crux_trace *const trace = crux_trace_specialise(traced->trace, traced->inputs[input], value, images);
	if (!trace)
		return NULL;
	crux_node *const nodes = images + traced->trace->count, *const outputs = nodes + traced->input_count;
	for (size_t i = 0; i < traced->input_count; i++)
		nodes[i] = images[traced->inputs[i]];
	for (size_t i = 0; i < traced->output_count; i++)
		outputs[i] = images[traced->outputs[i]];
	crux_program *const program = crux_program_new(trace, nodes, traced->input_count, outputs, traced->output_count);
	crux_trace_free(trace);
	if (program && crux_program_measure(program).operations <= *operations) {
		*operations = crux_program_measure(program).operations;
		return program;
	}
	crux_program_free(program);
	return NULL;
}

/* search:specialise(trace): adds a special program for the flag and value that shorten the program most, by at least a quarter;
 * call bind again afterwards */
static int native_specialise(lua_State *L)
{
	native *const n = check(L);
	crux_traced const *const traced = crux_traced_check(L, 2);
	lua_getiuservalue(L, 1, CRUX_TRACED_FROM);
	bool const is_same = lua_rawequal(L, 2, -1) && traced->input_count == n->inputs && traced->output_count == n->outputs &&
	                     traced->trace->parameter_count == n->parameter_count;
	luaL_argcheck(L, is_same, 2, "the trace that the search is made of");
	size_t const nodes = traced->trace->count + traced->input_count + traced->output_count;
	crux_node *const images = lua_newuserdatauv(L, nodes * sizeof *images, 0);
	size_t operations = crux_program_measure(n->search->batch.program).operations / 4 * 3;
	for (size_t i = 0, flags = 0; !n->search->batch.is_guarded && i < traced->input_count && flags < MAX_FLAGS; i++) {
		crux_trace_node const *const input = &traced->trace->nodes[traced->inputs[i]];
		if (input->operation != CRUX_INPUT || input->low != 0 || input->high != 1)
			continue;
		flags++;
		for (int value = 0; value <= 1; value++) {
			crux_program *const special = make_special(traced, i, value, images, &operations);
			if (special)
				crux_native_search_specialise(n->search, special, i, value);
		}
	}
	n->is_bound = n->parameter_count == 0;
	return 0;
}

/* search:bind(shape[, level]): fits the level to the shape, and sets the parameters of the level that the shape was last fitted
 * to -> false when the level does not fit, or the program does not hold for it */
static int native_bind(lua_State *L)
{
	native *const n = check(L);
	lua_settop(L, 3);
	if (!lua_isnil(L, 3) && !crux_level_fits(L, 2, 3)) {
		lua_pushboolean(L, false);
		return 1;
	}
	n->is_bound = crux_native_search_bind(n->search, crux_level_parameters(L, 2, n->parameter_count));
	lua_pushboolean(L, n->is_bound);
	return 1;
}

/* The set at index 2; raises unless it is the searched set, with the states that the search left in it. */
static crux_state_set *check_searched(lua_State *L, const native *n)
{
	crux_state_set *const set = crux_state_set_check(L, 2, NULL); /* begin has compared the layouts */
	lua_getiuservalue(L, 1, SET);
	luaL_argcheck(L, lua_rawequal(L, 2, -1) && crux_state_set_count(set) == n->known, 2, "the set that is searched");
	lua_pop(L, 1);
	return set;
}

crux_native_search *crux_native_search_check(lua_State *L, int index)
{
	native const *const n = crux_handle_check(L, index, TYPE, "the search was closed");
	luaL_argcheck(L, n->is_bound, index, "the search is not bound to a level");
	return n->search;
}

/* Expands the number of states at index 3, with the limit on states at index 4; returns the results of expand, pushed. */
static int expand(lua_State *L, native *n, crux_state_set *set)
{
	static const char *const names[] = {
		[CRUX_NATIVE_THROUGH] = "through",
		[CRUX_NATIVE_WON] = "won",
		[CRUX_NATIVE_OPEN] = "open",
		[CRUX_NATIVE_VIOLATION] = "violation",
		[CRUX_NATIVE_STATES] = "states",
		[CRUX_NATIVE_BYTES] = "bytes",
	};
	lua_Integer const count = luaL_checkinteger(L, 3), limit = luaL_checkinteger(L, 4);
	luaL_argcheck(L, count >= 0 && count <= UINT32_MAX, 3, "a number of states");
	luaL_argcheck(L, limit >= 1 && limit < UINT32_MAX, 4, "a number of states");
	crux_native_end const end = crux_native_search_expand(n->search, set, (uint32_t)count, (uint32_t)limit);
	n->known = crux_state_set_count(set);
	if (end == CRUX_NATIVE_MEMORY)
		return luaL_error(L, "out of memory");
	lua_pushinteger(L, n->search->next);
	lua_pushstring(L, names[end]);
	if (end != CRUX_NATIVE_OPEN)
		return 2;
	lua_pushinteger(L, (lua_Integer)(n->search->next + n->search->step / n->moves) + 1);
	lua_pushinteger(L, (lua_Integer)(n->search->step % n->moves) + 1);
	return 4;
}

/* search:begin(set, count, state limit, counts, timed[, bound]): starts a search of a set of one state, see crux_native_search_begin,
 * and expands states: as expand */
static int native_begin(lua_State *L)
{
	native *const n = check(L);
	crux_native_search_check(L, 1);
	crux_state_set *const set = crux_state_set_check(L, 2, n->search->batch.layout);
	bool const is_start = crux_state_set_count(set) == 1 && crux_state_set_note_count(L, 2) == 2;
	luaL_argcheck(L, is_start, 2, "a set of one state, with two notes");
	n->known = CRUX_STATE_NONE;
	if (!crux_native_search_begin(n->search, lua_toboolean(L, 5), lua_toboolean(L, 6), luaL_optinteger(L, 7, INT64_MAX)))
		return luaL_error(L, "out of memory");
	lua_pushvalue(L, 2);
	lua_setiuservalue(L, 1, SET);
	n->known = 1;
	return expand(L, n, set);
}

/* search:expand(set, count, state limit) -> number of states expanded so far; the reason for the end: "through", "won",
 * "open", "violation", a limit ("states", "bytes"), or nothing when `count` states were expanded; state and move of an open step */
static int native_expand(lua_State *L)
{
	native *const n = check(L);
	crux_native_search_check(L, 1);
	return expand(L, n, check_searched(L, n));
}

/* search:settle(set, outcome[, estimate]): tells what the open step does: "won", "lost", "refused" or "state", the one of the last
 * call of set:find; without an estimate, though one is needed, it is refused unless an earlier step wins */
static int native_settle(lua_State *L)
{
	static const char *const names[] = {
		[CRUX_NATIVE_LEADS_ON] = "state", [CRUX_NATIVE_WINS] = "won", [CRUX_NATIVE_LOSES] = "lost",
		[CRUX_NATIVE_IS_REFUSED] = "refused", NULL,
	};
	native *const n = check(L);
	check_searched(L, n);
	crux_native_search *const search = n->search;
	luaL_argcheck(L, crux_native_search_is_open(search), 1, "a search with an open step");
	int const outcome = luaL_checkoption(L, 3, NULL, names);
	uint64_t const *const key = crux_state_set_key_found(L, 2);
	luaL_argcheck(L, key || outcome != CRUX_NATIVE_LEADS_ON, 2, "a set whose last call of find got a state");
	bool const is_refused = lua_isnoneornil(L, 4) && search->batch.informed && outcome == CRUX_NATIVE_LEADS_ON &&
	                        !crux_native_search_has_win(search);
	crux_native_search_settle(search, is_refused ? CRUX_NATIVE_IS_REFUSED : (crux_native_outcome)outcome, key,
	                          (uint64_t)luaL_optinteger(L, 4, 0));
	return 0;
}

/* search:place() -> state and move of the first win, or of the step that was refused; nothing when there is none */
static int native_place(lua_State *L)
{
	crux_native_search const *const search = check(L)->search;
	if (!search->has_place)
		return 0;
	lua_pushinteger(L, (lua_Integer)search->state + 1);
	lua_pushinteger(L, (lua_Integer)search->move + 1);
	return 2;
}

/* search:outcome(set) -> list of the number of states at each depth, from 0; the numbers of states expanded, of steps that were
 * generated, led to known states, lost, and led beyond the bound, and of those that were open; the least sum of depth and estimate
 * above the bound, or nil when there is none; after a win, its state and move, and the number of ways to win in as few moves, -1 for
 * more than an integer holds */
static int native_outcome(lua_State *L)
{
	native *const n = check(L);
	size_t count;
	uint32_t const *const sizes = crux_native_search_frontiers(n->search, check_searched(L, n), &count);
	lua_createtable(L, (int)count, 0);
	for (size_t i = 0; i < count; i++) {
		lua_pushinteger(L, sizes[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	crux_native_statistics const found = n->search->statistics;
	lua_pushinteger(L, found.expanded);
	lua_pushinteger(L, found.generated);
	lua_pushinteger(L, found.duplicates);
	lua_pushinteger(L, found.lost);
	lua_pushinteger(L, found.beyond);
	lua_pushinteger(L, n->search->settled);
	if (n->search->batch.beyond == INT64_MAX)
		lua_pushnil(L);
	else
		lua_pushinteger(L, n->search->batch.beyond);
	if (!n->search->has_goal)
		return 8;
	lua_pushinteger(L, (lua_Integer)n->search->state + 1);
	lua_pushinteger(L, (lua_Integer)n->search->move + 1);
	lua_pushinteger(L, n->search->solutions);
	return 11;
}

/* search:try(set, state) -> list by move: the successor, "won", "lost", "open", or false for a state that is not in the set;
 * in an informed search also the list of its estimates */
static int native_try(lua_State *L)
{
	static const char *const outcomes[] = {
		[-CRUX_NATIVE_IS_WON] = "won", [-CRUX_NATIVE_IS_LOST] = "lost", [-CRUX_NATIVE_IS_UNKNOWN] = "open",
	};
	native *const n = check(L);
	crux_native_search_check(L, 1);
	crux_state_set const *const set = crux_state_set_check(L, 2, n->search->batch.layout);
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
			lua_pushstring(L, outcomes[-successor]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	if (!n->search->batch.informed)
		return 1;
	lua_createtable(L, (int)n->moves, 0);
	for (size_t i = 0; i < n->moves; i++) {
		lua_pushinteger(L, n->successors[n->moves + i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 2;
}

/* search:visit(set, state, state limit) -> list by move: the successor, which becomes a state of the set if it is new, 2^32 - 1 for a
 * win, 2^32 - 2 for a loss, 0 for an open step; nil when a limit allows no more states */
static int native_visit(lua_State *L)
{
	static const lua_Integer outcomes[] = {
		[-CRUX_NATIVE_IS_WON] = UINT32_MAX, [-CRUX_NATIVE_IS_LOST] = UINT32_MAX - 1, [-CRUX_NATIVE_IS_UNKNOWN] = 0,
	};
	native *const n = check(L);
	crux_native_search_check(L, 1);
	crux_state_set *const set = crux_state_set_check(L, 2, n->search->batch.layout);
	lua_Integer const state = luaL_checkinteger(L, 3), limit = luaL_checkinteger(L, 4);
	luaL_argcheck(L, state >= 1 && state <= crux_state_set_count(set), 3, "no such state");
	luaL_argcheck(L, limit >= 1 && limit < UINT32_MAX - 1, 4, "a number of states");
	luaL_argcheck(L, crux_state_set_note_count(L, 2) >= 2, 2, "a set with two notes");
	if (!crux_native_search_visit(n->search, set, (uint32_t)(state - 1), (uint32_t)limit, n->successors))
		return 0;
	lua_createtable(L, (int)n->moves, 0);
	for (size_t i = 0; i < n->moves; i++) {
		int64_t const successor = n->successors[i];
		lua_pushinteger(L, successor >= 0 ? successor + 1 : outcomes[-successor]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* search:times() -> seconds that a timed search took for step, and for the set */
static int native_times(lua_State *L)
{
	crux_native_times const times = check(L)->search->times;
	lua_pushnumber(L, times.step);
	lua_pushnumber(L, times.set);
	return 2;
}

/* search:program() -> operations, registers, bits of a lane, the first node of the trace that needs more than 16 bits (or 0);
 * true when moves are tried only where their guards hold */
static int native_program(lua_State *L)
{
	crux_program_size const size = crux_program_measure(check(L)->search->batch.program);
	lua_pushinteger(L, (lua_Integer)size.operations);
	lua_pushinteger(L, (lua_Integer)size.registers);
	lua_pushinteger(L, size.lane_bits);
	lua_pushinteger(L, size.widest);
	lua_pushboolean(L, check(L)->search->batch.is_guarded);
	return 5;
}

CRUX_RELEASE(native_release, TYPE, crux_native_search_free)

CRUX_TABLE(methods,
	{"specialise", native_specialise},
	{"bind",       native_bind},
	{"begin",      native_begin},
	{"expand",     native_expand},
	{"outcome",    native_outcome},
	{"place",      native_place},
	{"settle",     native_settle},
	{"times",      native_times},
	{"try",        native_try},
	{"visit",      native_visit},
	{"program",    native_program},
	{"close",      native_release},
	CRUX_CLOSES(native_release))

CRUX_TABLE(functions,
	{"new", native_new})

CRUX_TYPE_LIBRARY(native_search, TYPE)
