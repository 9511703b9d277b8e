/* libcrux.vocabulary: the words in which scripts write `step` and `heuristic`, for plain values: integers, truth values
 * and boards.
 *
 * Conditions are values here, not branches: where(eq(a, b), x, y), not `if a == b then ...`, so that the same lines can be
 * followed once for all states at a time. Truth values take &, | and ~; see enable. A word raises at the script's line. */
#include <ctype.h>
#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

#include "primitives.h"

/* Whether a message of one line can show the text. */
static bool is_short(const char *text)
{
	size_t length = 0;
	while (length < 40 && isprint((unsigned char)text[length]))
		length++;
	return text[length] == '\0';
}

void crux_push_shown(lua_State *L, int index)
{
	int const type = lua_type(L, index);
	if (luaL_testudata(L, index, CRUX_BOARD_TYPE)) {
		crux_board_shape shape;
		crux_board_check(L, index, &shape);
		lua_pushfstring(L, "a board of %d x %d", shape.width, shape.height);
	} else if (luaL_testudata(L, index, CRUX_SYMBOL_TYPE)) {
		lua_pushliteral(L, "a value of the state");
	} else if (type == LUA_TNIL) {
		lua_pushliteral(L, "nothing");
	} else if (type == LUA_TNUMBER || type == LUA_TBOOLEAN) {
		luaL_tolstring(L, index, NULL);
	} else if (type == LUA_TSTRING && is_short(lua_tostring(L, index))) {
		lua_pushfstring(L, "'%s'", lua_tostring(L, index));
	} else {
		lua_pushfstring(L, "a %s", luaL_typename(L, index));
	}
}

const char *crux_word_shown(const char *word)
{
	static const char *const events[][2] = {
		{"__band", "&"}, {"__bor", "|"}, {"__bxor", "~"}, {"__bnot", "~"}, {"__shl", "<<"},
		{"__shr", ">>"}, {"__add", "+"}, {"__sub", "-"},  {"__mul", "*"},  {"__unm", "-"},
	};
	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		if (strcmp(word, events[i][0]) == 0)
			return events[i][1];
	return word;
}

/* Raises that the arguments are not what the word takes. */
static int complain(lua_State *L, const char *word, const char *expected)
{
	int const count = lua_gettop(L);
	luaL_where(L, 1);
	lua_pushfstring(L, "%s: found ", crux_word_shown(word));
	for (int i = 1; i <= count; i++) {
		lua_pushstring(L, i == 1 ? "" : " and ");
		crux_push_shown(L, i);
		lua_concat(L, 3);
	}
	lua_pushfstring(L, "%s, expected %s", count == 0 ? "nothing" : "", expected);
	lua_concat(L, 3);
	return lua_error(L);
}

/* Whether the argument is a value of a step that is traced; the word is its affair then. */
static bool is_symbol(lua_State *L, int index)
{
	return luaL_testudata(L, index, CRUX_SYMBOL_TYPE) != NULL;
}

/* Has the word done by the first symbolic argument, which leaves one result; raises when there is none. */
static int refuse(lua_State *L, const char *word, const char *expected)
{
	int const count = lua_gettop(L);
	for (int i = 1; i <= count; i++) {
		if (is_symbol(L, i) && luaL_getmetafield(L, i, word) != LUA_TNIL) {
			lua_insert(L, 1);
			lua_call(L, count, 1);
			return 1;
		}
	}
	return complain(L, word, expected);
}

static bool are_integers(lua_State *L)
{
	return lua_isinteger(L, 1) && lua_isinteger(L, 2);
}

static bool is_board(lua_State *L, int index)
{
	return luaL_testudata(L, index, CRUX_BOARD_TYPE) != NULL;
}

/* where(condition, a, b) -> a when the condition holds, else b */
static int word_where(lua_State *L)
{
	lua_settop(L, 3);
	if (!lua_isboolean(L, 1)) {
		lua_settop(L, is_symbol(L, 1) ? 3 : 1);
		return refuse(L, "where", "a truth value first");
	}
	if (lua_toboolean(L, 1))
		lua_settop(L, 2);
	return 1;
}

/* Pushes whether any bit of the argument is set, or none: an integer is not 0, a board has cells. */
static int has_any(lua_State *L, const char *word, bool any)
{
	lua_settop(L, 1);
	if (lua_isinteger(L, 1)) {
		lua_pushboolean(L, (lua_tointeger(L, 1) != 0) == any);
		return 1;
	}
	if (!is_board(L, 1))
		return refuse(L, word, "an integer or a board");
	crux_board_shape shape;
	uint64_t const *const words = crux_board_check(L, 1, &shape);
	lua_pushboolean(L, crux_board_any(shape, words) == any);
	return 1;
}

static int word_any(lua_State *L)
{
	return has_any(L, "any", true);
}

static int word_none(lua_State *L)
{
	return has_any(L, "none", false);
}

/* Pushes whether the two arguments are the same integer, truth value or board, or not. */
static int compare(lua_State *L, const char *word, bool same)
{
	lua_settop(L, 2);
	if (!are_integers(L) && !(lua_isboolean(L, 1) && lua_isboolean(L, 2)) && !(is_board(L, 1) && is_board(L, 2)))
		return refuse(L, word, "two integers, truth values or boards");
	lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPEQ) == same);
	return 1;
}

static int word_eq(lua_State *L)
{
	return compare(L, "eq", true);
}

static int word_ne(lua_State *L)
{
	return compare(L, "ne", false);
}

/* Pushes whether two integers are in that order: -1, the first is less; 1, it is more; or that they are not. */
static int order(lua_State *L, const char *word, int which, bool holds)
{
	lua_settop(L, 2);
	if (!are_integers(L))
		return refuse(L, word, "two integers");
	lua_Integer const a = lua_tointeger(L, 1), b = lua_tointeger(L, 2);
	lua_pushboolean(L, ((a > b) - (a < b) == which) == holds);
	return 1;
}

static int word_lt(lua_State *L)
{
	return order(L, "lt", -1, true);
}

static int word_le(lua_State *L)
{
	return order(L, "le", 1, false);
}

static int word_gt(lua_State *L)
{
	return order(L, "gt", 1, true);
}

static int word_ge(lua_State *L)
{
	return order(L, "ge", -1, false);
}

/* Pushes the least of the arguments, integers, or with a sign of -1 the greatest. */
static int extreme(lua_State *L, const char *word, int sign)
{
	int best = 1;
	for (int i = 1; i <= lua_gettop(L) || i == 1; i++) {
		if (!lua_isinteger(L, i))
			return refuse(L, word, "integers");
		lua_Integer const a = lua_tointeger(L, i), b = lua_tointeger(L, best);
		if (sign < 0 ? a > b : a < b)
			best = i;
	}
	lua_pushvalue(L, best);
	return 1;
}

static int word_min(lua_State *L)
{
	return extreme(L, "min", 1);
}

static int word_max(lua_State *L)
{
	return extreme(L, "max", -1);
}

static int word_abs(lua_State *L)
{
	lua_settop(L, 1);
	if (!lua_isinteger(L, 1))
		return refuse(L, "abs", "an integer");
	lua_Integer const x = lua_tointeger(L, 1);
	lua_pushinteger(L, x < 0 ? (lua_Integer)(0 - (lua_Unsigned)x) : x);
	return 1;
}

/* sgn(x) -> -1, 0 or 1 */
static int word_sgn(lua_State *L)
{
	lua_settop(L, 1);
	if (!lua_isinteger(L, 1))
		return refuse(L, "sgn", "an integer");
	lua_Integer const x = lua_tointeger(L, 1);
	lua_pushinteger(L, (x > 0) - (x < 0));
	return 1;
}

/* count(x) -> how many bits of an integer, cells of a board */
static int word_count(lua_State *L)
{
	lua_settop(L, 1);
	if (lua_isinteger(L, 1)) {
		lua_pushinteger(L, __builtin_popcountll((unsigned long long)lua_tointeger(L, 1)));
		return 1;
	}
	if (!is_board(L, 1))
		return refuse(L, "count", "an integer or a board");
	crux_board_shape shape;
	uint64_t const *const words = crux_board_check(L, 1, &shape);
	lua_pushinteger(L, crux_board_count(shape, words));
	return 1;
}

/* lookup(table, index) -> the element of a table of the level at an index that may depend on the state */
static int word_lookup(lua_State *L)
{
	lua_settop(L, 2);
	if (!lua_istable(L, 1) || !lua_isinteger(L, 2))
		return refuse(L, "lookup", "a table of the level and an integer");
	if (lua_geti(L, 1, lua_tointeger(L, 2)) != LUA_TNIL)
		return 1;
	lua_settop(L, 2);
	return refuse(L, "lookup", "an index at which the table has a value");
}

/* Pushes one of three results for two truth values: as neither holds, one of them, or both. */
static int combine(lua_State *L, const char *event, bool neither, bool one, bool both)
{
	lua_settop(L, 2);
	if (!lua_isboolean(L, 1) || !lua_isboolean(L, 2))
		return refuse(L, event, "two truth values");
	int const count = lua_toboolean(L, 1) + lua_toboolean(L, 2);
	lua_pushboolean(L, count == 0 ? neither : count == 1 ? one : both);
	return 1;
}

static int truth_band(lua_State *L)
{
	return combine(L, "__band", false, false, true);
}

static int truth_bor(lua_State *L)
{
	return combine(L, "__bor", false, true, true);
}

static int truth_bxor(lua_State *L)
{
	return combine(L, "__bxor", false, true, false);
}

static int truth_bnot(lua_State *L)
{
	lua_pushboolean(L, !lua_toboolean(L, 1));
	return 1;
}

static const luaL_Reg operators[] = {
	{"__band", truth_band},
	{"__bor",  truth_bor},
	{"__bxor", truth_bxor},
	{"__bnot", truth_bnot},
	{NULL,     NULL},
};

/* enable(): gives truth values their operators, in the whole Lua state: they share one metatable */
static int vocabulary_enable(lua_State *L)
{
	lua_pushboolean(L, true);
	luaL_newlib(L, operators);
	lua_setmetatable(L, -2);
	return 0;
}

static const luaL_Reg words[] = {
	{"where",  word_where},
	{"any",    word_any},
	{"none",   word_none},
	{"eq",     word_eq},
	{"ne",     word_ne},
	{"lt",     word_lt},
	{"le",     word_le},
	{"gt",     word_gt},
	{"ge",     word_ge},
	{"min",    word_min},
	{"max",    word_max},
	{"abs",    word_abs},
	{"sgn",    word_sgn},
	{"count",  word_count},
	{"lookup", word_lookup},
	{NULL,     NULL},
};

static const luaL_Reg functions[] = {
	{"enable", vocabulary_enable},
	{NULL,     NULL},
};

/* { words = { where =, any =, ... }, enable = } */
int crux_open_vocabulary(lua_State *L)
{
	luaL_newlib(L, functions);
	luaL_newlib(L, words);
	lua_setfield(L, -2, "words");
	return 1;
}
