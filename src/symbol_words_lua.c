/* The words of the vocabulary on symbols, as vocabulary_lua.c defines them for plain values. */
#include "symbol_lua.h"

static int word_where(lua_State *L)
{
	static const char expected[] = "a truth value and two integers, truth values or boards of the same size";
	crux_traced *const traced = crux_symbol_owner(L, 3);
	crux_operand condition, a, b;
	bool const are_read = crux_operand_read(L, traced, 1, &condition) && crux_operand_read(L, traced, 2, &a) &&
	                      crux_operand_read(L, traced, 3, &b);
	if (!are_read || condition.kind != CRUX_TRUTH || !crux_operand_are_alike(&a, &b))
		return crux_symbol_refuse(L, "where", 3, expected);
	for (size_t i = 0; i < a.shape.words; i++)
		a.nodes[i] = crux_trace_apply(traced->trace, CRUX_SELECT, condition.nodes[0], a.nodes[i], b.nodes[i]);
	return crux_operand_push(L, traced, &a);
}

static int has_any(lua_State *L, const char *word, crux_operation comparison)
{
	crux_operand a;
	crux_traced *const traced = crux_symbol_owner(L, 1);
	crux_operand_read(L, traced, 1, &a);
	if (a.kind == CRUX_TRUTH)
		return crux_symbol_refuse(L, word, 1, "an integer or a board");
	crux_node all = 0;
	for (size_t i = 0; i < a.shape.words; i++)
		all = apply(traced, CRUX_OR, all, a.nodes[i]);
	return crux_operand_push_truth(L, traced, apply(traced, comparison, all, 0));
}

int crux_symbol_any(lua_State *L)
{
	return has_any(L, "any", CRUX_UNEQUAL);
}

int crux_symbol_none(lua_State *L)
{
	return has_any(L, "none", CRUX_EQUAL);
}

/* Boards of different sizes are not equal. */
static int compare(lua_State *L, const char *word, bool same)
{
	static const char expected[] = "two integers, truth values or boards";
	crux_operand a, b;
	crux_traced *const traced = crux_operand_read_pair(L, word, &a, &b, expected);
	if (a.kind != b.kind)
		return crux_symbol_refuse(L, word, 2, expected);
	crux_node equal = crux_trace_constant(traced->trace, crux_operand_are_alike(&a, &b) ? -1 : 0);
	for (size_t i = 0; equal && i < a.shape.words; i++)
		equal = apply(traced, CRUX_AND, equal, apply(traced, CRUX_EQUAL, a.nodes[i], b.nodes[i]));
	return crux_operand_push_truth(L, traced, same ? equal : complement(traced, equal));
}

static int word_eq(lua_State *L)
{
	return compare(L, "eq", true);
}

static int word_ne(lua_State *L)
{
	return compare(L, "ne", false);
}

static int order(lua_State *L, const char *word, crux_operation operation, bool swapped)
{
	crux_operand a, b;
	crux_traced *const traced = crux_operand_read_pair(L, word, &a, &b, "two integers");
	if (a.kind != CRUX_INTEGER || b.kind != CRUX_INTEGER)
		return crux_symbol_refuse(L, word, 2, "two integers");
	crux_node const first = swapped ? b.nodes[0] : a.nodes[0], second = swapped ? a.nodes[0] : b.nodes[0];
	return crux_operand_push_truth(L, traced, apply(traced, operation, first, second));
}

static int word_lt(lua_State *L)
{
	return order(L, "lt", CRUX_LESS, false);
}

static int word_le(lua_State *L)
{
	return order(L, "le", CRUX_LESS_EQUAL, false);
}

static int word_gt(lua_State *L)
{
	return order(L, "gt", CRUX_LESS, true);
}

static int word_ge(lua_State *L)
{
	return order(L, "ge", CRUX_LESS_EQUAL, true);
}

static int extreme(lua_State *L, const char *word, crux_operation operation)
{
	int const count = lua_gettop(L);
	crux_traced *const traced = crux_symbol_owner(L, count);
	crux_operand best = {.shape.words = 1}, next;
	for (int i = 1; i <= count; i++) {
		if (!crux_operand_read(L, traced, i, &next) || next.kind != CRUX_INTEGER)
			return crux_symbol_refuse(L, word, count, "integers");
		best.nodes[0] = i == 1 ? next.nodes[0] : apply(traced, operation, best.nodes[0], next.nodes[0]);
	}
	return crux_operand_push(L, traced, &best);
}

static int word_min(lua_State *L)
{
	return extreme(L, "min", CRUX_MIN);
}

static int word_max(lua_State *L)
{
	return extreme(L, "max", CRUX_MAX);
}

static int of_integer(lua_State *L, const char *word, crux_operation operation)
{
	crux_operand a;
	crux_traced *const traced = crux_symbol_owner(L, 1);
	crux_operand_read(L, traced, 1, &a);
	if (a.kind != CRUX_INTEGER)
		return crux_symbol_refuse(L, word, 1, "an integer");
	a.nodes[0] = apply(traced, operation, a.nodes[0], 0);
	return crux_operand_push(L, traced, &a);
}

static int word_abs(lua_State *L)
{
	return of_integer(L, "abs", CRUX_ABS);
}

static int word_sgn(lua_State *L)
{
	return of_integer(L, "sgn", CRUX_SIGN);
}

static int word_count(lua_State *L)
{
	crux_operand a;
	crux_traced *const traced = crux_symbol_owner(L, 1);
	crux_operand_read(L, traced, 1, &a);
	if (a.kind == CRUX_TRUTH)
		return crux_symbol_refuse(L, "count", 1, "an integer or a board");
	crux_operand sum = {.shape.words = 1};
	for (size_t i = 0; i < a.shape.words; i++)
		sum.nodes[0] = apply(traced, CRUX_ADD, sum.nodes[0], apply(traced, CRUX_COUNT, a.nodes[i], 0));
	return crux_operand_push(L, traced, &sum);
}

const luaL_Reg crux_symbol_words[] = {
	{"where",  word_where},
	{"any",    crux_symbol_any},
	{"none",   crux_symbol_none},
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
	{"lookup", crux_symbol_lookup},
	{NULL,     NULL},
};
