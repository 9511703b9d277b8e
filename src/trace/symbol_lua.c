/* Values of a state that are not known, as Lua values: what they are made of, and what they refuse to do.
 *
 * What would need to know one (a comparison by <, a loop over the cells of a board) raises at the script's line and says
 * what to write instead. Lua offers no way to see `if`, `and`, `or`, `not`, `x == 3` and `t[x]`: results are to be compared
 * with those of plain values. */
#include "trace/symbol_lua.h"

#include <lauxlib.h>
#include <string.h>

#include "boards/board_lua.h"
#include "lua/binding.h"
#include "states/state_table_lua.h"

/* Upvalues of all functions: the metatable of symbols, and a table of all traces by their addresses, which does not keep
 * them; of words and methods also their crux_word. */
enum { METATABLE = 1, TRACES, WORD };

typedef struct symbol {
	crux_traced *owner; /* user value 1 keeps it */
	crux_value_kind kind;
	crux_board_shape shape;
	crux_node nodes[];
} symbol;

const crux_word *crux_symbol_word(lua_State *L)
{
	return lua_touserdata(L, lua_upvalueindex(WORD));
}

int crux_symbol_refuse(lua_State *L, int count, const char *expected)
{
	crux_word_push_found(L, crux_symbol_word(L), count);
	lua_pushfstring(L, ", expected %s", expected);
	lua_concat(L, 2);
	return crux_traced_raise(L);
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
	crux_traced_raise(L);
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
		if (crux_trace_at(traced->trace, operand->nodes[i])->operation != CRUX_CONSTANT)
			return false;
	return true;
}

/* Notes the script's line with all nodes that are new. */
static void note_line(lua_State *L, crux_traced *traced)
{
	lua_rawgetp(L, lua_upvalueindex(TRACES), traced);
	lua_getiuservalue(L, -1, 1);
	crux_traced_push_line(L);
	for (; traced->noted < crux_trace_count(traced->trace); traced->noted++) {
		lua_pushvalue(L, -1);
		lua_rawseti(L, -3, traced->noted);
	}
	lua_pop(L, 3);
}

static int push_plain(lua_State *L, crux_traced *traced, const crux_operand *from)
{
	int64_t const first = crux_trace_at(traced->trace, from->nodes[0])->low;
	if (from->kind == CRUX_INTEGER) {
		lua_pushinteger(L, first);
	} else if (from->kind == CRUX_TRUTH) {
		lua_pushboolean(L, first != 0);
	} else {
		uint64_t *const words = crux_board_push(L, from->shape);
		for (size_t i = 0; i < from->shape.words; i++)
			words[i] = (uint64_t)crux_trace_at(traced->trace, from->nodes[i])->low;
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
	crux_trace_node const first = *crux_trace_at(traced->trace, from->nodes[0]);
	if (from->kind != CRUX_BOARD && first.is_uniform && first.operation != CRUX_CONSTANT) {
		crux_trace_assume(traced->trace, from->nodes[0]);
		known.nodes[0] = crux_trace_constant(traced->trace, first.value);
	}
	if (crux_trace_failed(traced->trace)) {
		lua_pushliteral(L, "found a step of too many operations, expected fewer");
		return crux_traced_raise(L);
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

/* Upvalue 1: what to write instead. */
static int raise_unknown(lua_State *L)
{
	lua_pushfstring(L, "found a value of the state, which differs from state to state: %s",
	                lua_tostring(L, lua_upvalueindex(1)));
	return crux_traced_raise(L);
}

/* __index; upvalue 1: all methods. */
static int symbol_method(lua_State *L)
{
	lua_settop(L, 2);
	lua_pushvalue(L, 2);
	if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
		return 1;
	crux_push_shown(L, 2);
	lua_pushfstring(L, "found a value of the state, which differs from state to state: it has no %s", lua_tostring(L, -1));
	return crux_traced_raise(L);
}

/* Metamethods of what cannot be known, and what to write instead. */
static const char *const unknowns[][2] = {
	{"__lt", "write crux.lt(a, b) or crux.gt(a, b)"},
	{"__le", "write crux.le(a, b) or crux.ge(a, b)"},
	{"__eq", "write crux.eq(a, b) instead of a == b"},
	{"__concat", "it cannot be put into text"},
	{"__tostring", "it cannot be put into text"},
	{"__div", "it cannot be divided"},
	{"__idiv", "it cannot be divided; write >> or crux.lookup"},
	{"__mod", "it has no remainder; write & or crux.lookup"},
	{"__pow", "it has no power"},
	{"__len", "write crux.count(board)"},
	{"__call", "it cannot be called"},
	{"__newindex", "it has no fields"},
};

void crux_symbol_set_functions(lua_State *L, const luaL_Reg *functions)
{
	lua_pushvalue(L, METATABLE);
	lua_pushvalue(L, TRACES);
	luaL_setfuncs(L, functions, 2);
}

/* The same for words or methods. */
static void set_words(lua_State *L, const crux_word *words)
{
	for (; words->name; words++) {
		lua_pushvalue(L, METATABLE);
		lua_pushvalue(L, TRACES);
		lua_pushlightuserdata(L, (void *)words);
		lua_pushcclosure(L, words->on_symbols, WORD);
		lua_setfield(L, -2, words->name);
	}
}

void crux_symbol_own(lua_State *L, const crux_traced *traced)
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
		lua_pushcclosure(L, raise_unknown, 1);
		lua_setfield(L, -2, unknowns[i][0]);
	}
	crux_set_string(L, "__shown", "a value of the state");
	lua_pushboolean(L, false);
	lua_setfield(L, -2, "__metatable");
	lua_newtable(L);
	set_words(L, methods);
	lua_pushcclosure(L, symbol_method, 1);
	lua_setfield(L, -2, "__index");
	lua_pop(L, 1);
}
