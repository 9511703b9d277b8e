/* libcrux.vocabulary: the words of `step` and `heuristic` in scripts, for plain values: integers, truth values and boards.
 *
 * Conditions are values, not branches: where(eq(a, b), x, y), not `if a == b then ...`, so that one run serves all states.
 * Truth values have &, | and ~; see enable. A word raises at the script's line. */
#include "trace/vocabulary_lua.h"

#include <lauxlib.h>

#include "boards/board_lua.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "trace/level_shape_lua.h"
#include "trace/symbol_lua.h"

/* The running word. */
static const crux_word *called(lua_State *L)
{
	return lua_touserdata(L, lua_upvalueindex(1));
}

/* True when the argument is a symbol, which has the words as methods. */
static bool is_symbol(lua_State *L, int index)
{
	return luaL_testudata(L, index, CRUX_SYMBOL_TYPE) != NULL;
}

/* Calls the word of the first symbol among `count` arguments, with one result; raises for plain values: found these arguments,
 * expected others. */
static int refuse(lua_State *L, int count, const char *expected)
{
	lua_settop(L, count);
	for (int i = 1; i <= count; i++) {
		if (is_symbol(L, i) && luaL_getmetafield(L, i, called(L)->name) != LUA_TNIL) {
			lua_insert(L, 1);
			lua_call(L, count, 1);
			return 1;
		}
	}
	luaL_where(L, 1);
	crux_word_push_found(L, called(L), count);
	lua_pushfstring(L, ", expected %s", expected);
	lua_concat(L, 3);
	return lua_error(L);
}

static bool are_integers(lua_State *L)
{
	return lua_isinteger(L, 1) && lua_isinteger(L, 2);
}

/* The result of the running word's operation on two numbers. */
static int64_t evaluate(lua_State *L, int64_t a, int64_t b)
{
	crux_word const *const word = called(L);
	return crux_operation_evaluate(word->operation, word->is_swapped ? b : a, word->is_swapped ? a : b, 0);
}

/* where(condition, a, b) -> a when the condition holds, else b */
static int word_where(lua_State *L)
{
	if (!lua_isboolean(L, 1))
		return refuse(L, is_symbol(L, 1) ? 3 : 1, "a truth value first");
	lua_settop(L, lua_toboolean(L, 1) ? 2 : 3);
	return 1;
}

/* any(x) -> true when an integer is not 0, a board not empty; none(x) -> the opposite */
static int word_any(lua_State *L)
{
	crux_board_shape shape;
	bool const is_integer = lua_isinteger(L, 1);
	uint64_t const *const words = is_integer ? NULL : crux_board_test(L, 1, &shape);
	if (!is_integer && !words)
		return refuse(L, 1, "an integer or a board");
	bool const any = words ? crux_board_any(shape, words) : lua_tointeger(L, 1) != 0;
	lua_pushboolean(L, any == (called(L)->operation == CRUX_UNEQUAL));
	return 1;
}

/* eq(a, b) -> true when both are the same integer, truth value or board; ne(a, b) -> the opposite */
static int word_compare(lua_State *L)
{
	crux_board_shape shape;
	if (!are_integers(L) && !(lua_isboolean(L, 1) && lua_isboolean(L, 2)) &&
	    !(crux_board_test(L, 1, &shape) && crux_board_test(L, 2, &shape)))
		return refuse(L, 2, "two integers, truth values or boards");
	lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPEQ) == (called(L)->operation == CRUX_EQUAL));
	return 1;
}

/* lt(a, b), le(a, b), gt(a, b), ge(a, b) -> a < b, a <= b, a > b, a >= b, of integers */
static int word_order(lua_State *L)
{
	if (!are_integers(L))
		return refuse(L, 2, "two integers");
	lua_pushboolean(L, evaluate(L, lua_tointeger(L, 1), lua_tointeger(L, 2)) != 0);
	return 1;
}

/* min(x, ...), max(x, ...) of integers */
static int word_extreme(lua_State *L)
{
	int const count = lua_gettop(L);
	if (!lua_isinteger(L, 1))
		return refuse(L, count, "integers");
	lua_Integer best = lua_tointeger(L, 1);
	for (int i = 2; i <= count; i++) {
		if (!lua_isinteger(L, i))
			return refuse(L, count, "integers");
		best = evaluate(L, best, lua_tointeger(L, i));
	}
	lua_pushinteger(L, best);
	return 1;
}

/* abs(x); sgn(x) -> -1, 0 or 1 */
static int word_of_integer(lua_State *L)
{
	if (!lua_isinteger(L, 1))
		return refuse(L, 1, "an integer");
	lua_pushinteger(L, evaluate(L, lua_tointeger(L, 1), 0));
	return 1;
}

/* count(x) -> the number of 1 bits of an integer, of cells of a board */
static int word_count(lua_State *L)
{
	if (lua_isinteger(L, 1)) {
		lua_pushinteger(L, evaluate(L, lua_tointeger(L, 1), 0));
		return 1;
	}
	crux_board_shape shape;
	uint64_t const *const words = crux_board_test(L, 1, &shape);
	if (!words)
		return refuse(L, 1, "an integer or a board");
	lua_pushinteger(L, crux_board_count(shape, words));
	return 1;
}

/* lookup(table, index) -> the element of a table of the level at an index that may depend on the state */
static int word_lookup(lua_State *L)
{
	if (!lua_istable(L, 1) || !lua_isinteger(L, 2))
		return refuse(L, 2, "a table of the level and an integer");
	if (crux_level_push_trace(L, 1)) {
		lua_getfield(L, -1, "lookup");
		lua_insert(L, -2);
		lua_pushvalue(L, 1);
		lua_pushvalue(L, 2);
		lua_call(L, 3, 1);
		if (!lua_isnil(L, -1))
			return 1;
	}
	if (lua_geti(L, 1, lua_tointeger(L, 2)) != LUA_TNIL)
		return 1;
	return refuse(L, 2, "an index at which the table has a value");
}

/* The binary operators of truth values. */
static int truth_combine(lua_State *L)
{
	if (!lua_isboolean(L, 1) || !lua_isboolean(L, 2))
		return refuse(L, 2, "two truth values");
	lua_pushboolean(L, evaluate(L, lua_toboolean(L, 1), lua_toboolean(L, 2)) != 0);
	return 1;
}

static int truth_complement(lua_State *L)
{
	lua_pushboolean(L, !lua_toboolean(L, 1));
	return 1;
}

const crux_word crux_words[] = {
	{"where",  word_where,       crux_symbol_where,      CRUX_SELECT,      false, NULL},
	{"any",    word_any,         crux_symbol_any,        CRUX_UNEQUAL,     false, NULL},
	{"none",   word_any,         crux_symbol_any,        CRUX_EQUAL,       false, NULL},
	{"eq",     word_compare,     crux_symbol_compare,    CRUX_EQUAL,       false, NULL},
	{"ne",     word_compare,     crux_symbol_compare,    CRUX_UNEQUAL,     false, NULL},
	{"lt",     word_order,       crux_symbol_order,      CRUX_LESS,        false, NULL},
	{"le",     word_order,       crux_symbol_order,      CRUX_LESS_EQUAL,  false, NULL},
	{"gt",     word_order,       crux_symbol_order,      CRUX_LESS,        true,  NULL},
	{"ge",     word_order,       crux_symbol_order,      CRUX_LESS_EQUAL,  true,  NULL},
	{"min",    word_extreme,     crux_symbol_extreme,    CRUX_MIN,         false, NULL},
	{"max",    word_extreme,     crux_symbol_extreme,    CRUX_MAX,         false, NULL},
	{"abs",    word_of_integer,  crux_symbol_of_integer, CRUX_ABS,         false, NULL},
	{"sgn",    word_of_integer,  crux_symbol_of_integer, CRUX_SIGN,        false, NULL},
	{"count",  word_count,       crux_symbol_count,      CRUX_COUNT,       false, NULL},
	{"lookup", word_lookup,      crux_symbol_lookup,     CRUX_LOOKUP,      false, NULL},
	{"__band", truth_combine,    crux_symbol_combine,    CRUX_AND,         false, "&"},
	{"__bor",  truth_combine,    crux_symbol_combine,    CRUX_OR,          false, "|"},
	{"__bxor", truth_combine,    crux_symbol_combine,    CRUX_XOR,         false, "~"},
	{"__bnot", truth_complement, crux_symbol_complement, CRUX_XOR,         false, "~"},
	{"__add",  NULL,             crux_symbol_arithmetic, CRUX_ADD,         false, "+"},
	{"__sub",  NULL,             crux_symbol_subtract,   CRUX_SUBTRACT,    false, "-"},
	{"__mul",  NULL,             crux_symbol_arithmetic, CRUX_MULTIPLY,    false, "*"},
	{"__unm",  NULL,             crux_symbol_of_integer, CRUX_SUBTRACT,    true,  "-"},
	{"__shl",  NULL,             crux_symbol_shift,      CRUX_SHIFT_LEFT,  false, "<<"},
	{"__shr",  NULL,             crux_symbol_shift,      CRUX_SHIFT_RIGHT, false, ">>"},
	{NULL,     NULL,             NULL,                   CRUX_CONSTANT,    false, NULL},
};

/* Adds the words, or the operators, for plain values to the table at the top of the stack. */
static void add_words(lua_State *L, bool operators)
{
	for (crux_word const *word = crux_words; word->name; word++) {
		if (!word->on_plain || (word->sign != NULL) != operators)
			continue;
		lua_pushlightuserdata(L, (void *)word);
		lua_pushcclosure(L, word->on_plain, 1);
		lua_setfield(L, -2, word->name);
	}
}

/* enable(): adds the operators of truth values to their metatable, which the whole Lua state shares */
static int vocabulary_enable(lua_State *L)
{
	lua_pushboolean(L, true);
	if (!lua_getmetatable(L, -1))
		lua_newtable(L);
	add_words(L, true);
	lua_setmetatable(L, -2);
	return 0;
}

/* { words = { where =, any =, ... }, enable = } */
int crux_open_vocabulary(lua_State *L)
{
	lua_createtable(L, 0, 2);
	lua_newtable(L);
	add_words(L, false);
	lua_setfield(L, -2, "words");
	lua_pushcfunction(L, vocabulary_enable);
	lua_setfield(L, -2, "enable");
	return 1;
}
