/* Symbols as Lua values: operands, and operations that are refused.
 *
 * An operation that needs a known value (a comparison by <, a loop over the cells of a board) raises at the script's line and
 * says what to write instead. Lua cannot intercept `if`, `and`, `or`, `not`, `x == 3` and `t[x]`, so results must be compared
 * with those of plain values. */
#include "trace/symbol_lua.h"

#include <lauxlib.h>
#include <string.h>

#include "boards/board_lua.h"
#include "lua/binding.h"
#include "states/state_table_lua.h"

/* Upvalues of all functions: the metatable of symbols, and a weak table of all traces by their addresses; of words and methods
 * also their crux_word. */
enum { METATABLE = 1, TRACES, WORD };

typedef struct symbol {
	crux_traced *owner; /* user value 1 keeps it alive */
	crux_value_kind kind;
	crux_board_shape shape;
	crux_node nodes[];
} symbol;

const crux_word *crux_symbol_word(lua_State *L)
{
	return lua_touserdata(L, lua_upvalueindex(WORD));
}

enum { SHOWN = 8 }; /* limit on arguments in a message */

/* Pushes "WORD: found A and B" for the first `count` arguments. */
static void push_found(lua_State *L, const crux_word *word, int count)
{
	lua_pushfstring(L, "%s: found %s", word->sign ? word->sign : word->name, count == 0 ? "nothing" : "");
	for (int i = 1; i <= count && i <= SHOWN; i++) {
		lua_pushstring(L, i == 1 ? "" : " and ");
		crux_push_shown(L, i);
		lua_concat(L, 3);
	}
	if (count > SHOWN) {
		lua_pushfstring(L, " and %d more", count - SHOWN);
		lua_concat(L, 2);
	}
}

int crux_symbol_refuse(lua_State *L, int count, const char *expected)
{
	crux_word const *const word = crux_symbol_word(L);
	bool is_converted = false;
	for (int i = 1; i <= count; i++) {
		is_converted |= lua_type(L, i) == LUA_TSTRING || (lua_type(L, i) == LUA_TNUMBER && !lua_isinteger(L, i));
	}
	push_found(L, word, count);
	lua_pushfstring(L, ", expected %s", expected);
	lua_concat(L, 2);
	return is_converted ? crux_traced_refuse(L) : crux_traced_raise(L);
}

/* NULL when it is none. */
static const symbol *to_symbol(lua_State *L, int index)
{
	if (!lua_getmetatable(L, index))
		return NULL;
	bool const is_symbol = lua_rawequal(L, -1, lua_upvalueindex(METATABLE));
	lua_pop(L, 1);
	return is_symbol ? lua_touserdata(L, index) : NULL;
}

crux_traced *crux_symbol_owner(lua_State *L, int count)
{
	for (int i = 1; i <= count; i++) {
		symbol const *const s = to_symbol(L, i);
		if (s && s->owner->trace)
			return s->owner;
	}
	lua_pushliteral(L, "found a value of a state of which nothing is known any more, expected step to keep nothing");
	crux_traced_refuse(L);
	return NULL;
}

bool crux_operand_read(lua_State *L, crux_traced *traced, int index, crux_operand *to)
{
	uint64_t const *words;
	*to = (crux_operand){.shape.words = 1};
	symbol const *const s = to_symbol(L, index);
	if (s) {
		to->kind = s->kind;
		to->shape = s->shape;
		memcpy(to->nodes, s->nodes, s->shape.words * sizeof *s->nodes);
		return s->owner == traced;
	}
	if (lua_isinteger(L, index)) {
		to->nodes[0] = crux_trace_constant(traced->trace, lua_tointeger(L, index));
	} else if (lua_isboolean(L, index)) {
		to->kind = CRUX_TRUTH;
		to->nodes[0] = crux_trace_constant(traced->trace, -lua_toboolean(L, index));
	} else if ((words = crux_board_test(L, index, &to->shape))) {
		to->kind = CRUX_BOARD;
		for (size_t i = 0; i < to->shape.words; i++)
			to->nodes[i] = crux_trace_constant(traced->trace, (int64_t)words[i]);
	} else {
		return false;
	}
	return true;
}

bool crux_operand_is_constant(const crux_traced *traced, const crux_operand *operand)
{
	for (size_t i = 0; i < operand->shape.words; i++)
		if (traced->trace->nodes[operand->nodes[i]].operation != CRUX_CONSTANT)
			return false;
	return true;
}

/* Stores the script's line for all new nodes. */
static void note_line(lua_State *L, crux_traced *traced)
{
	if (traced->noted == traced->trace->count)
		return;
	lua_rawgetp(L, lua_upvalueindex(TRACES), traced);
	lua_getiuservalue(L, -1, 1);
	lua_rawgeti(L, -1, -1);
	lua_call(L, 0, 1);
	for (; traced->noted < traced->trace->count; traced->noted++) {
		lua_pushvalue(L, -1);
		lua_rawseti(L, -3, traced->noted);
	}
	lua_pop(L, 3);
}

static int push_plain(lua_State *L, crux_traced *traced, const crux_operand *from)
{
	int64_t const first = traced->trace->nodes[from->nodes[0]].low;
	if (from->kind == CRUX_INTEGER) {
		lua_pushinteger(L, first);
	} else if (from->kind == CRUX_TRUTH) {
		lua_pushboolean(L, first != 0);
	} else {
		uint64_t *const words = crux_board_push(L, from->shape);
		for (size_t i = 0; i < from->shape.words; i++)
			words[i] = (uint64_t)traced->trace->nodes[from->nodes[i]].low;
	}
	return 1;
}

static int push_symbol(lua_State *L, crux_traced *traced, const crux_operand *from)
{
	symbol *const s = lua_newuserdatauv(L, sizeof *s + from->shape.words * sizeof *s->nodes, 1);
	lua_rawgetp(L, lua_upvalueindex(TRACES), traced);
	lua_setiuservalue(L, -2, 1);
	s->owner = traced;
	s->kind = from->kind;
	s->shape = from->shape;
	memcpy(s->nodes, from->nodes, from->shape.words * sizeof *s->nodes);
	lua_pushvalue(L, lua_upvalueindex(METATABLE));
	lua_setmetatable(L, -2);
	return 1;
}

int crux_operand_push(lua_State *L, crux_traced *traced, const crux_operand *from)
{
	crux_operand known = *from;
	if (traced->notes_lines)
		note_line(L, traced);
	crux_trace_node const first = traced->trace->nodes[from->nodes[0]];
	if (from->kind != CRUX_BOARD && first.is_uniform && first.operation != CRUX_CONSTANT) {
		crux_trace_assume(traced->trace, from->nodes[0]);
		known.nodes[0] = crux_trace_constant(traced->trace, first.value);
	}
	if (traced->trace->failed) {
		lua_pushliteral(L, "found a step of too many operations, expected fewer");
		return crux_traced_refuse(L);
	}
	return crux_operand_is_constant(traced, &known) ? push_plain(L, traced, &known) : push_symbol(L, traced, &known);
}

int crux_operand_push_truth(lua_State *L, crux_traced *traced, crux_node node)
{
	crux_operand const truth = {.kind = CRUX_TRUTH, .shape.words = 1, .nodes = {node}};
	return crux_operand_push(L, traced, &truth);
}

bool crux_operand_are_alike(const crux_operand *a, const crux_operand *b)
{
	return a->kind == b->kind && crux_board_are_alike(a->shape, b->shape);
}

crux_traced *crux_operand_read_pair(lua_State *L, crux_operand *a, crux_operand *b, const char *expected)
{
	crux_traced *const traced = crux_symbol_owner(L, 2);
	if (!crux_operand_read(L, traced, 1, a) || !crux_operand_read(L, traced, 2, b))
		crux_symbol_refuse(L, 2, expected);
	return traced;
}

/* Raises that an operator cannot be compiled; upvalue 1 is the advice. */
static int refuse_operator(lua_State *L)
{
	lua_pushvalue(L, lua_upvalueindex(1));
	return crux_traced_refuse(L);
}

/* Operators that symbols have not, and what to write instead. */
static const char *const unknowns[][2] = {
	{"__concat", "found a value of the state put into text, expected texts chosen by if, or by a table's field"},
	{"__tostring", "found a value of the state put into text, expected texts chosen by if, or by a table's field"},
	{"__div", "found a division with fractions of a value of the state, expected // or a table's field"},
	{"__pow", "found a power of a value of the state, expected products"},
};

void crux_symbol_set_functions(lua_State *L, const luaL_Reg *functions)
{
	lua_pushvalue(L, METATABLE);
	lua_pushvalue(L, TRACES);
	luaL_setfuncs(L, functions, 2);
}

/* An operator: that of another operand which is a table, as a union is, or the word's own. */
static int operate(lua_State *L)
{
	crux_word const *const word = crux_symbol_word(L);
	if (!lua_istable(L, 2) || luaL_getmetafield(L, 2, word->name) == LUA_TNIL)
		return word->function(L);
	lua_insert(L, 1);
	lua_call(L, 2, 1);
	return 1;
}

/* The same for words or methods. */
static void set_words(lua_State *L, const crux_word *words)
{
	for (; words->name; words++) {
		lua_pushvalue(L, METATABLE);
		lua_pushvalue(L, TRACES);
		lua_pushlightuserdata(L, (void *)words);
		lua_pushcclosure(L, words->sign ? operate : words->function, WORD);
		lua_setfield(L, -2, words->name);
	}
}

void crux_symbol_register(lua_State *L, const crux_traced *traced)
{
	lua_pushvalue(L, -1);
	lua_rawsetp(L, lua_upvalueindex(TRACES), traced);
}

void crux_symbol_open(lua_State *L, const crux_word *words, const crux_word *methods)
{
	luaL_newmetatable(L, CRUX_SYMBOL_TYPE);
	lua_newtable(L);
	lua_createtable(L, 0, 1);
	lua_pushliteral(L, "v");
	lua_setfield(L, -2, "__mode");
	lua_setmetatable(L, TRACES);
	lua_pushvalue(L, METATABLE);
	set_words(L, words);
	for (size_t i = 0; i < sizeof unknowns / sizeof *unknowns; i++) {
		lua_pushstring(L, unknowns[i][1]);
		lua_pushcclosure(L, refuse_operator, 1);
		lua_setfield(L, -2, unknowns[i][0]);
	}
	crux_set_string(L, "__shown", "a value of the state");
	lua_pushboolean(L, false);
	lua_setfield(L, -2, "__metatable");
	lua_newtable(L);
	set_words(L, methods);
	lua_setfield(L, -2, "__index");
	lua_pop(L, 1);
}
