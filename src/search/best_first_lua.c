/* libcrux.best_first: best-first searches with a traced step and priority over a set of states. States and moves count from 1. */
#include <lauxlib.h>

#include "lua/binding.h"
#include "lua/modules.h"
#include "search/best_first.h"
#include "states/state_set_lua.h"
#include "trace/level_shape_lua.h"
#include "trace/traced_lua.h"

#define TYPE "crux.best_first"

typedef struct guided {
	crux_best_first *search; /* NULL: closed */
	size_t parameter_count;  /* of the trace */
	bool is_bound;           /* to the parameters of a level, if there are any */
	uint32_t known;          /* number of states that the search left in its set; CRUX_STATE_NONE: it has not begun */
} guided;

enum { SET = CRUX_TRACED_FROM + 1 }; /* user value: the set that is searched */

static guided *check(lua_State *L)
{
	return crux_handle_check(L, 1, TYPE, "the search was closed");
}

/* The number at a place of the table on top of the stack, from 1, less 1; raises unless it is from 1 to `most`. */
static uint32_t take_index(lua_State *L, lua_Integer place, size_t most)
{
	lua_rawgeti(L, -1, place);
	lua_Integer const index = luaL_checkinteger(L, -1);
	luaL_argcheck(L, index >= 1 && (size_t)index <= most, 4, "a number in the list before it");
	lua_pop(L, 1);
	return (uint32_t)(index - 1);
}

/* Reads the expression { operation, a, b, c }, the table on top of the stack, of that place in the list. */
static crux_rank_node read_node(lua_State *L, size_t place, size_t integers)
{
	static const char *const names[] = {
		[CRUX_RANK_NUMBER] = "number", [CRUX_RANK_INTEGER] = "integer", [CRUX_RANK_WHERE] = "where", [CRUX_RANK_ADD] = "+",
		[CRUX_RANK_SUBTRACT] = "-", [CRUX_RANK_MULTIPLY] = "*", [CRUX_RANK_DIVIDE] = "/", [CRUX_RANK_POWER] = "^",
		[CRUX_RANK_MIN] = "min", [CRUX_RANK_MAX] = "max", [CRUX_RANK_SQRT] = "sqrt", [CRUX_RANK_ABS] = "abs", NULL,
	};
	crux_rank_node node = {.operation = CRUX_RANK_NUMBER};
	lua_rawgeti(L, -1, 1);
	node.operation = (crux_rank_operation)luaL_checkoption(L, -1, NULL, names);
	lua_rawgeti(L, -2, 2);
	if (node.operation == CRUX_RANK_NUMBER)
		node.number = luaL_checknumber(L, -1);
	lua_pop(L, 2);
	if (node.operation == CRUX_RANK_INTEGER)
		node.a = take_index(L, 2, integers);
	if (node.operation >= CRUX_RANK_WHERE)
		node.a = take_index(L, 2, place);
	if (node.operation >= CRUX_RANK_WHERE && node.operation < CRUX_RANK_SQRT)
		node.b = take_index(L, 3, place);
	if (node.operation == CRUX_RANK_WHERE)
		node.c = take_index(L, 4, integers);
	return node;
}

/* Reads the lists of expressions and of places at indices 4 and 5, into memory that is pushed. */
static crux_priority read_priority(lua_State *L, size_t integers)
{
	crux_priority p = {.node_count = crux_check_length(L, 4), .place_count = crux_check_length(L, 5), .integers = integers};
	luaL_argcheck(L, p.place_count > 0, 5, "a list of ranks");
	p.nodes = lua_newuserdatauv(L, p.node_count * sizeof *p.nodes + 1, 0);
	p.places = lua_newuserdatauv(L, p.place_count * sizeof *p.places, 0);
	p.lows = lua_newuserdatauv(L, integers * sizeof *p.lows + 1, 0);
	for (size_t i = 0; i < p.node_count; i++) {
		lua_rawgeti(L, 4, (lua_Integer)i + 1);
		p.nodes[i] = read_node(L, i, integers);
		lua_pop(L, 1);
	}
	for (size_t i = 0; i < p.place_count; i++) {
		lua_rawgeti(L, 5, (lua_Integer)i + 1);
		lua_rawgeti(L, -1, 2);
		bool const may_miss = !lua_isnil(L, -1);
		lua_pop(L, 1);
		p.places[i] = (crux_rank_place){take_index(L, 1, p.node_count), may_miss ? take_index(L, 2, integers) : UINT32_MAX};
		lua_pop(L, 1);
	}
	return p;
}

/* new(trace, set, number of moves, expressions, places) -> search of states like those of the set, with the recorded step, and the
 * recorded priority: expressions { operation, operands... }, each of earlier ones, and for each rank a place { expression, the
 * integer that tells whether the list goes so far, or nil } */
static int best_first_new(lua_State *L)
{
	crux_traced *const traced = crux_traced_check(L, 1);
	crux_state_layout const *const layout = crux_state_set_layout(L, 2);
	lua_Integer const moves = luaL_checkinteger(L, 3);
	luaL_argcheck(L, moves >= 1 && moves <= UINT16_MAX, 3, "a number of moves");
	lua_settop(L, 5);
	size_t const values = layout->values, stepped = (size_t)moves * (values + CRUX_NATIVE_OUTPUTS);
	bool const is_whole = !traced->trace->varies && traced->input_count == values + 1 && traced->output_count > stepped &&
	                      crux_traced_has_states(traced, layout, (size_t)moves, CRUX_NATIVE_OUTPUTS);
	luaL_argcheck(L, is_whole, 1, "a trace of all moves and of a priority");
	crux_priority priority = read_priority(L, traced->output_count - stepped - 1);
	crux_node const *const outputs = traced->outputs + stepped;
	for (size_t i = 0; i < priority.integers; i++)
		priority.lows[i] = traced->trace->nodes[outputs[i]].low;
	guided *const g = crux_handle_new(L, TYPE, sizeof *g, SET);
	g->parameter_count = traced->trace->parameter_count;
	g->is_bound = g->parameter_count == 0;
	g->known = CRUX_STATE_NONE;
	lua_pushvalue(L, 1);
	lua_setiuservalue(L, -2, CRUX_TRACED_FROM);
	crux_program *const program = crux_program_new(traced->trace, traced->inputs, values, traced->outputs, stepped);
	priority.program = crux_program_new(traced->trace, traced->inputs, values + 1, outputs, priority.integers + 1);
	if (program && priority.program) {
		g->search = crux_best_first_new(program, layout, (size_t)moves, &priority);
	} else {
		crux_program_free(program);
		crux_program_free(priority.program);
	}
	return g->search ? 1 : crux_traced_refuse_size(L);
}

/* search:bind(shape[, level]): as that of libcrux.native_search */
static int best_first_bind(lua_State *L)
{
	guided *const g = check(L);
	lua_settop(L, 3);
	g->is_bound = (lua_isnil(L, 3) || crux_level_fits(L, 2, 3)) &&
	              crux_best_first_bind(g->search, crux_level_parameters(L, 2, g->parameter_count));
	lua_pushboolean(L, g->is_bound);
	return 1;
}

/* Pushes the reason why a search ended: "through", "won", "open", "states", "bytes", or nil when it goes on. */
static int push_end(lua_State *L, guided *g, const crux_state_set *set, crux_native_end end)
{
	static const char *const names[] = {
		[CRUX_NATIVE_THROUGH] = "through", [CRUX_NATIVE_WON] = "won", [CRUX_NATIVE_OPEN] = "open",
		[CRUX_NATIVE_STATES] = "states", [CRUX_NATIVE_BYTES] = "bytes", [CRUX_NATIVE_MEMORY] = NULL,
	};
	if (end == CRUX_NATIVE_MEMORY)
		return luaL_error(L, "out of memory");
	g->known = crux_state_set_count(set);
	lua_pushstring(L, names[end]);
	return 1;
}

/* search:begin(set): starts a search of a set of one state -> "open" when the ranks of the start are not known */
static int best_first_begin(lua_State *L)
{
	guided *const g = check(L);
	crux_state_set const *const set = crux_state_set_check(L, 2, g->search->batch.layout);
	bool const is_start = crux_state_set_count(set) == 1 && crux_state_set_note_count(L, 2) == 2;
	luaL_argcheck(L, is_start, 2, "a set of one state, with two notes");
	luaL_argcheck(L, g->is_bound, 1, "the search is not bound to a level");
	lua_pushvalue(L, 2);
	lua_setiuservalue(L, 1, SET);
	return push_end(L, g, set, crux_best_first_begin(g->search, set));
}

/* search:ranks() -> list of the ranks of the state that is expanded next */
static int best_first_ranks(lua_State *L)
{
	guided const *const g = check(L);
	luaL_argcheck(L, g->search->heap_count > 0, 1, "a search with a queue");
	size_t count;
	double const *const ranks = crux_best_first_ranks(g->search, &count);
	lua_createtable(L, (int)count, 0);
	for (size_t i = 0; i < count; i++) {
		lua_pushnumber(L, ranks[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* search:expand(set, count, state limit) -> the reason for the end, or nil when `count` states were expanded */
static int best_first_expand(lua_State *L)
{
	guided *const g = check(L);
	crux_state_set *const set = crux_state_set_check(L, 2, NULL); /* begin has compared the layouts */
	lua_Integer const count = luaL_checkinteger(L, 3), limit = luaL_checkinteger(L, 4);
	lua_getiuservalue(L, 1, SET);
	luaL_argcheck(L, lua_rawequal(L, 2, -1) && crux_state_set_count(set) == g->known, 2, "the set that is searched");
	luaL_argcheck(L, g->is_bound, 1, "the search is not bound to a level");
	luaL_argcheck(L, count >= 1 && count <= UINT32_MAX, 3, "a number of states");
	luaL_argcheck(L, limit >= 1 && limit < UINT32_MAX, 4, "a number of states");
	return push_end(L, g, set, crux_best_first_expand(g->search, set, (uint32_t)count, (uint32_t)limit));
}

/* search:outcome() -> expanded, generated, duplicates, lost; after a win the state before it and the move */
static int best_first_outcome(lua_State *L)
{
	crux_best_first const *const s = check(L)->search;
	lua_pushinteger(L, s->statistics.expanded);
	lua_pushinteger(L, s->statistics.generated);
	lua_pushinteger(L, s->statistics.duplicates);
	lua_pushinteger(L, s->statistics.lost);
	lua_pushinteger(L, (lua_Integer)s->state + 1);
	lua_pushinteger(L, s->win);
	return 6;
}

/* search:program() -> operations, registers and bits of a lane of the step */
static int best_first_program(lua_State *L)
{
	crux_program_size const size = crux_program_measure(check(L)->search->batch.program);
	lua_pushinteger(L, (lua_Integer)size.operations);
	lua_pushinteger(L, (lua_Integer)size.registers);
	lua_pushinteger(L, size.lane_bits);
	return 3;
}

CRUX_RELEASE(best_first_release, TYPE, crux_best_first_free)

CRUX_TABLE(methods,
	{"bind",    best_first_bind},
	{"begin",   best_first_begin},
	{"ranks",   best_first_ranks},
	{"expand",  best_first_expand},
	{"outcome", best_first_outcome},
	{"program", best_first_program},
	{"close",   best_first_release},
	CRUX_CLOSES(best_first_release))

CRUX_TABLE(functions,
	{"new", best_first_new})

CRUX_TYPE_LIBRARY(best_first, TYPE)
