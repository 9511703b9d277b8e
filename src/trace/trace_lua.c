/* libcrux.trace: records a step, called once for all states with symbols instead of the values of a state. */
#include <assert.h>
#include <lauxlib.h>
#include <stdlib.h>

#include "base/block.h"
#include "boards/board_lua.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "states/state_table_lua.h"
#include "trace/mask_lua.h"
#include "trace/symbol_lua.h"

enum { MAX_OUTPUTS = 1 << 22 }; /* of all moves; constants cost nothing */

/* Appends to one of a trace's lists. */
static void append(lua_State *L, crux_node **list, size_t *count, size_t *room, crux_node node)
{
	if (*count == MAX_OUTPUTS)
		luaL_error(L, "found more than %d values that moves lead to, expected fewer", MAX_OUTPUTS);
	if (!crux_array_grow(CRUX_ARRAY(*list, *count + 1), room))
		luaL_error(L, "out of memory");
	(*list)[(*count)++] = node;
}

static void add_input(lua_State *L, crux_traced *traced, crux_node node)
{
	luaL_argcheck(L, traced->output_count == 0, 1, "a trace without values that moves lead to");
	append(L, &traced->inputs, &traced->input_count, &traced->input_room, node);
}

static void add_output(lua_State *L, crux_traced *traced, crux_node node)
{
	append(L, &traced->outputs, &traced->output_count, &traced->output_room, node);
}

/* Raises unless the next word of a move's successor has this range: that of the state's word or, after the state, of an
 * estimate. */
static void check_range(lua_State *L, const crux_traced *traced, crux_range r)
{
	size_t const place = traced->output_count - traced->finished;
	crux_node const input = place < traced->input_count ? traced->inputs[place] : 0;
	crux_trace_node const *const node = &traced->trace->nodes[input];
	bool const is_right = place < traced->input_count ? node->low == r.low && node->high == r.high : r.low >= 0 && r.high <= INT32_MAX;
	luaL_argcheck(L, is_right, 1, "a trace of a state whose next value has this range");
}

/* new([line], varies) -> an empty trace; line() tells "script:line: " of the node that is being made; varies: each state has its
 * own level */
static int trace_new(lua_State *L)
{
	bool const notes_lines = lua_toboolean(L, 1), varies = lua_toboolean(L, 2);
	if (notes_lines)
		luaL_checktype(L, 1, LUA_TFUNCTION);
	crux_traced *const traced = crux_handle_new(L, CRUX_TRACE_TYPE, sizeof *traced, 1);
	traced->notes_lines = notes_lines;
	if (notes_lines) {
		lua_newtable(L);
		lua_pushvalue(L, 1);
		lua_rawseti(L, -2, -1); /* nodes count from 0 */
		lua_setiuservalue(L, -2, 1);
	}
	crux_symbol_register(L, traced);
	traced->trace = crux_trace_new();
	if (!traced->trace)
		return luaL_error(L, "out of memory");
	if (varies)
		traced->trace->varies = true;
	return 1;
}

/* trace:flag() -> symbolic truth value, the next word of a state */
static int trace_flag(lua_State *L)
{
	crux_traced *const traced = crux_traced_check(L, 1);
	crux_node const input = crux_trace_input(traced->trace, 0, 1);
	add_input(L, traced, input);
	return crux_operand_push_truth(L, traced, apply(traced, CRUX_SUBTRACT, 0, input));
}

/* trace:integer(low, high) -> symbolic integer, the next word of a state */
static int trace_integer(lua_State *L)
{
	crux_traced *const traced = crux_traced_check(L, 1);
	int64_t const low = luaL_checkinteger(L, 2), high = luaL_checkinteger(L, 3);
	luaL_argcheck(L, low <= high, 3, "the range is empty");
	crux_operand v = {.shape.words = 1};
	v.nodes[0] = low == high ? crux_trace_constant(traced->trace, low) : crux_trace_input(traced->trace, low, high);
	add_input(L, traced, v.nodes[0]);
	return crux_operand_push(L, traced, &v);
}

/* trace:choose(input, first, values) -> values[i] where the symbolic integer `input` is first + i - 1; nil unless the values are
 * all integers, all truth values or all boards of one size */
static int trace_choose(lua_State *L)
{
	crux_traced *const traced = crux_traced_check(L, 1);
	int64_t const first = luaL_checkinteger(L, 3);
	crux_operand input, chosen, next;
	luaL_argcheck(L, crux_operand_read(L, traced, 2, &input) && input.kind == CRUX_INTEGER, 2, "an integer");
	size_t const count = crux_check_length(L, 4);
	luaL_argcheck(L, count > 0 && first <= INT64_MAX - (int64_t)count, 4, "a list of values");
	assert(count > 0); /* luaL_argcheck does not return */
	crux_node *const nodes = lua_newuserdatauv(L, CRUX_BOARD_WORDS * count * sizeof *nodes, 0);
	for (size_t i = 0; i < count; i++) {
		lua_rawgeti(L, 4, (lua_Integer)i + 1);
		bool const is_read = crux_operand_read(L, traced, -1, &next);
		lua_pop(L, 1);
		chosen = i == 0 ? next : chosen;
		if (!is_read || !crux_operand_are_alike(&chosen, &next))
			return 0;
		for (size_t word = 0; word < next.shape.words; word++)
			nodes[word * count + i] = next.nodes[word];
	}
	for (size_t word = 0; word < chosen.shape.words; word++)
		chosen.nodes[word] = crux_trace_choose(traced->trace, input.nodes[0], first, nodes + word * count, count);
	return crux_operand_push(L, traced, &chosen);
}

/* trace:board(width, height) -> symbolic board, the next words of a state */
static int trace_board(lua_State *L)
{
	crux_traced *const traced = crux_traced_check(L, 1);
	crux_operand v = {.kind = CRUX_BOARD, .shape = crux_board_check_shape(L, 2)};
	for (size_t i = 0; i < v.shape.words; i++) {
		crux_range const r = crux_traced_word_range(v.shape, i);
		v.nodes[i] = crux_trace_input(traced->trace, r.low, r.high);
		add_input(L, traced, v.nodes[i]);
	}
	return crux_operand_push(L, traced, &v);
}

/* trace:given_board(board) -> symbolic board, a parameter that is `board` on the current level */
static int trace_given_board(lua_State *L)
{
	crux_traced *const traced = crux_traced_check(L, 1);
	crux_operand v = {.kind = CRUX_BOARD};
	uint64_t const *const words = crux_board_check(L, 2, &v.shape);
	for (size_t i = 0; i < v.shape.words; i++) {
		crux_range const r = crux_traced_word_range(v.shape, i);
		v.nodes[i] = crux_trace_parameter(traced->trace, r.low, r.high, (int64_t)words[i]);
	}
	return crux_operand_push(L, traced, &v);
}

/* trace:put_flag(value): adds the next word of the move's successor -> false when the value is no truth value */
static int trace_put_flag(lua_State *L)
{
	crux_traced *const traced = crux_traced_check(L, 1);
	crux_operand v;
	check_range(L, traced, (crux_range){0, 1});
	bool const fits = crux_operand_read(L, traced, 2, &v) && v.kind == CRUX_TRUTH;
	if (fits)
		add_output(L, traced, apply(traced, CRUX_SUBTRACT, 0, v.nodes[0]));
	lua_pushboolean(L, fits);
	return 1;
}

/* trace:put_integer(value, low, high): the same for an integer; one outside the range makes the move wrong */
static int trace_put_integer(lua_State *L)
{
	crux_traced *const traced = crux_traced_check(L, 1);
	int64_t const first = luaL_checkinteger(L, 3), last = luaL_checkinteger(L, 4);
	crux_operand v;
	check_range(L, traced, (crux_range){first, last});
	crux_node const low = crux_trace_constant(traced->trace, first), high = crux_trace_constant(traced->trace, last);
	bool const fits = crux_operand_read(L, traced, 2, &v) && v.kind == CRUX_INTEGER;
	if (fits) {
		add_output(L, traced, v.nodes[0]);
		crux_node const is_outside =
			apply(traced, CRUX_OR, apply(traced, CRUX_LESS, v.nodes[0], low), apply(traced, CRUX_LESS, high, v.nodes[0]));
		traced->outside = apply(traced, CRUX_OR, traced->outside, is_outside);
	}
	lua_pushboolean(L, fits);
	return 1;
}

/* trace:put_board(value, width, height): the same for a board */
static int trace_put_board(lua_State *L)
{
	crux_traced *const traced = crux_traced_check(L, 1);
	crux_operand v, like = {.kind = CRUX_BOARD, .shape = crux_board_check_shape(L, 3)};
	bool const fits = crux_operand_read(L, traced, 2, &v) && crux_operand_are_alike(&v, &like);
	for (size_t i = 0; fits && i < v.shape.words; i++) {
		check_range(L, traced, crux_traced_word_range(v.shape, i));
		add_output(L, traced, v.nodes[i]);
	}
	lua_pushboolean(L, fits);
	return 1;
}

/* trace:finish(won, lost[, with wins]): completes the move -> false when won is no truth value, or lost is no truth value or nil. The
 * values of states that are won are only used `with wins`. */
static int trace_finish(lua_State *L)
{
	crux_traced *const traced = crux_traced_check(L, 1);
	crux_operand won, lost = {.kind = CRUX_TRUTH, .shape.words = 1};
	lua_settop(L, 4);
	bool const fits = crux_operand_read(L, traced, 2, &won) && won.kind == CRUX_TRUTH &&
	                  (lua_isnil(L, 3) || (crux_operand_read(L, traced, 3, &lost) && lost.kind == CRUX_TRUTH));
	if (fits) {
		crux_node const ends = lua_toboolean(L, 4) ? apply(traced, CRUX_AND_NOT, lost.nodes[0], won.nodes[0])
		                                           : apply(traced, CRUX_OR, won.nodes[0], lost.nodes[0]);
		crux_node const is_outside = apply(traced, CRUX_AND_NOT, traced->outside, ends);
		add_output(L, traced, won.nodes[0]);
		add_output(L, traced, lost.nodes[0]);
		add_output(L, traced, apply(traced, CRUX_OR, traced->wrong, is_outside));
		traced->wrong = traced->outside = 0;
		size_t const outputs = traced->output_count - traced->finished;
		luaL_argcheck(L, traced->moves++ == 0 || outputs == traced->move_outputs, 1, "a trace of moves that lead to as much");
		traced->move_outputs = outputs;
		traced->finished = traced->output_count;
	}
	if (traced->trace->failed)
		return luaL_error(L, "found a step of too many operations, expected fewer");
	lua_pushboolean(L, fits);
	return 1;
}

/* trace:put_rest(value): adds an integer, or a truth value as 0 or 1, to those that follow all moves */
static int trace_put_rest(lua_State *L)
{
	crux_traced *const traced = crux_traced_check(L, 1);
	crux_operand v;
	luaL_argcheck(L, crux_operand_read(L, traced, 2, &v) && v.kind != CRUX_BOARD, 2, "an integer or a truth value");
	add_output(L, traced, v.kind == CRUX_TRUTH ? apply(traced, CRUX_SUBTRACT, 0, v.nodes[0]) : v.nodes[0]);
	return 0;
}

/* trace:finish_rest(): completes them by the truth value that they must be refused */
static int trace_finish_rest(lua_State *L)
{
	crux_traced *const traced = crux_traced_check(L, 1);
	add_output(L, traced, apply(traced, CRUX_OR, traced->wrong, traced->outside));
	traced->wrong = traced->outside = 0;
	traced->finished = traced->output_count;
	if (traced->trace->failed)
		return luaL_error(L, "found a step of too many operations, expected fewer");
	return 0;
}

/* trace:origin(node) -> "script:line: operation", the number of an input, or nil for a parameter; lowest and highest value */
static int trace_origin(lua_State *L)
{
	static const char *const names[] = {
		[CRUX_AND] = "&", [CRUX_OR] = "|", [CRUX_XOR] = "~", [CRUX_AND_NOT] = "-", [CRUX_ADD] = "+", [CRUX_SUBTRACT] = "-",
		[CRUX_MULTIPLY] = "*", [CRUX_SHIFT_LEFT] = "<<", [CRUX_SHIFT_RIGHT] = ">>", [CRUX_MIN] = "min", [CRUX_MAX] = "max",
		[CRUX_ABS] = "abs", [CRUX_COUNT] = "count", [CRUX_SELECT] = "where", [CRUX_LOOKUP] = "lookup",
	};
	crux_traced *const traced = crux_traced_check(L, 1);
	lua_Integer const number = luaL_checkinteger(L, 2);
	luaL_argcheck(L, number >= 0 && number < traced->trace->count, 2, "no such node");
	crux_trace_node const node = traced->trace->nodes[(crux_node)number];
	if (node.operation == CRUX_INPUT) {
		size_t i = 0;
		while (i < traced->input_count && traced->inputs[i] != (crux_node)number)
			i++;
		lua_pushinteger(L, (lua_Integer)i + 1);
	} else if (node.operation < CRUX_AND || !names[node.operation] || lua_getiuservalue(L, 1, 1) != LUA_TTABLE ||
	           lua_rawgeti(L, -1, number) != LUA_TSTRING) {
		lua_pushnil(L);
	} else {
		lua_pushstring(L, names[node.operation]);
		lua_concat(L, 2);
	}
	lua_pushinteger(L, node.low);
	lua_pushinteger(L, node.high);
	return 3;
}

/* trace:look(value) -> "integer", its lowest and highest value; "truth"; a number for each size of boards; or nothing */
static int trace_look(lua_State *L)
{
	crux_traced *const traced = crux_traced_check(L, 1);
	crux_operand v;
	if (!crux_operand_read(L, traced, 2, &v))
		return 0;
	if (v.kind == CRUX_BOARD) {
		lua_pushinteger(L, v.shape.width * (CRUX_BOARD_SIDE + 1) + v.shape.height);
		return 1;
	}
	lua_pushstring(L, v.kind == CRUX_INTEGER ? "integer" : "truth");
	lua_pushinteger(L, traced->trace->nodes[v.nodes[0]].low);
	lua_pushinteger(L, traced->trace->nodes[v.nodes[0]].high);
	return 3;
}

/* trace:refuse(truth): the move is wrong where the truth value holds */
static int trace_refuse(lua_State *L)
{
	crux_traced *const traced = crux_traced_check(L, 1);
	crux_operand v;
	luaL_argcheck(L, crux_operand_read(L, traced, 2, &v) && v.kind == CRUX_TRUTH, 2, "a truth value");
	traced->wrong = apply(traced, CRUX_OR, traced->wrong, v.nodes[0]);
	return 0;
}

static int trace_release(lua_State *L)
{
	crux_traced *const traced = luaL_checkudata(L, 1, CRUX_TRACE_TYPE);
	crux_trace_free(traced->trace);
	free(traced->inputs);
	free(traced->outputs);
	*traced = (crux_traced){.trace = NULL};
	return 0;
}

static const luaL_Reg trace_methods[] = {
	{"flag",        trace_flag},
	{"integer",     trace_integer},
	{"board",       trace_board},
	{"given_board", trace_given_board},
	{"lookup",      crux_symbol_lookup},
	{"lookup_level", crux_symbol_lookup_level},
	{"look",        trace_look},
	{"refuse",      trace_refuse},
	{"choose",      trace_choose},
	{"masks",       crux_masks_push},
	{"put_flag",    trace_put_flag},
	{"put_integer", trace_put_integer},
	{"put_board",   trace_put_board},
	{"finish",      trace_finish},
	{"put_rest",    trace_put_rest},
	{"finish_rest", trace_finish_rest},
	{"origin",      trace_origin},
	{"close",       trace_release},
	{NULL,          NULL},
};

static const luaL_Reg trace_metamethods[] = {
	{"__gc",    trace_release},
	{"__close", trace_release},
	{NULL,      NULL},
};

static const luaL_Reg functions[] = {
	{"new", trace_new},
	{NULL,  NULL},
};

int crux_open_trace(lua_State *L)
{
	lua_settop(L, 0);
	crux_symbol_open(L, crux_symbol_words, crux_symbol_methods);
	crux_masks_open(L);
	luaL_newmetatable(L, CRUX_TRACE_TYPE);
	luaL_setfuncs(L, trace_metamethods, 0);
	lua_newtable(L);
	crux_symbol_set_functions(L, trace_methods);
	lua_setfield(L, -2, "__index");
	lua_newtable(L);
	crux_symbol_set_functions(L, functions);
	luaL_getmetatable(L, CRUX_SYMBOL_TYPE);
	lua_setfield(L, -2, "words");
	return 1;
}
