/* The words and operators of scripts on symbols. */
#include "states/state_table_lua.h"
#include "trace/symbol_lua.h"

/* Applies the operation of the running word to two nodes. */
static crux_node apply_word(lua_State *L, crux_traced *traced, crux_node a, crux_node b)
{
	crux_word const *const word = crux_symbol_word(L);
	return word->is_swapped ? apply(traced, word->operation, b, a) : apply(traced, word->operation, a, b);
}

static int symbol_where(lua_State *L)
{
	static const char expected[] = "a truth value and two integers, truth values or boards of the same size";
	crux_traced *const traced = crux_symbol_owner(L, 3);
	crux_operand condition, a, b;
	bool const are_read = crux_operand_read(L, traced, 1, &condition) && crux_operand_read(L, traced, 2, &a) &&
	                      crux_operand_read(L, traced, 3, &b);
	if (!are_read || condition.kind != CRUX_TRUTH || !crux_operand_are_alike(&a, &b))
		return crux_symbol_refuse(L, 3, expected);
	for (size_t i = 0; i < a.shape.words; i++)
		a.nodes[i] = crux_trace_apply(traced->trace, CRUX_SELECT, condition.nodes[0], a.nodes[i], b.nodes[i]);
	return crux_operand_push(L, traced, &a);
}

/* Reads the one argument of a word; raises when it is a truth value. */
static crux_traced *read_bits(lua_State *L, crux_operand *a)
{
	crux_traced *const traced = crux_symbol_owner(L, 1);
	crux_operand_read(L, traced, 1, a);
	if (a->kind == CRUX_TRUTH)
		crux_symbol_refuse(L, 1, "an integer or a board");
	return traced;
}

int crux_symbol_any(lua_State *L)
{
	crux_operand a;
	crux_traced *const traced = read_bits(L, &a);
	crux_node all = 0;
	for (size_t i = 0; i < a.shape.words; i++)
		all = apply(traced, CRUX_OR, all, a.nodes[i]);
	return crux_operand_push_truth(L, traced, apply_word(L, traced, all, 0));
}

/* Boards of different sizes are not equal. */
static int symbol_compare(lua_State *L)
{
	static const char expected[] = "two integers, truth values or boards";
	crux_operand a, b;
	crux_traced *const traced = crux_operand_read_pair(L, &a, &b, expected);
	if (a.kind != b.kind)
		return crux_symbol_refuse(L, 2, expected);
	crux_node equal = crux_trace_constant(traced->trace, crux_operand_are_alike(&a, &b) ? -1 : 0);
	for (size_t i = 0; equal && i < a.shape.words; i++)
		equal = apply(traced, CRUX_AND, equal, apply(traced, CRUX_EQUAL, a.nodes[i], b.nodes[i]));
	bool const is_same = crux_symbol_word(L)->operation == CRUX_EQUAL;
	return crux_operand_push_truth(L, traced, is_same ? equal : complement(traced, equal));
}

/* Reads the two arguments of a word; raises unless both are integers. */
static crux_traced *read_integers(lua_State *L, crux_operand *a, crux_operand *b)
{
	crux_traced *const traced = crux_operand_read_pair(L, a, b, "two integers");
	if (a->kind != CRUX_INTEGER || b->kind != CRUX_INTEGER)
		crux_symbol_refuse(L, 2, "two integers");
	return traced;
}

static int symbol_order(lua_State *L)
{
	crux_operand a, b;
	crux_traced *const traced = read_integers(L, &a, &b);
	return crux_operand_push_truth(L, traced, apply_word(L, traced, a.nodes[0], b.nodes[0]));
}

static int symbol_extreme(lua_State *L)
{
	int const count = lua_gettop(L);
	crux_traced *const traced = crux_symbol_owner(L, count);
	crux_operand best = {.shape.words = 1}, next;
	for (int i = 1; i <= count; i++) {
		if (!crux_operand_read(L, traced, i, &next) || next.kind != CRUX_INTEGER)
			return crux_symbol_refuse(L, count, "integers");
		best.nodes[0] = i == 1 ? next.nodes[0] : apply_word(L, traced, best.nodes[0], next.nodes[0]);
	}
	return crux_operand_push(L, traced, &best);
}

static int symbol_of_integer(lua_State *L)
{
	crux_operand a;
	crux_traced *const traced = crux_symbol_owner(L, 1);
	crux_operand_read(L, traced, 1, &a);
	if (a.kind != CRUX_INTEGER)
		return crux_symbol_refuse(L, 1, "an integer");
	a.nodes[0] = apply_word(L, traced, a.nodes[0], 0);
	return crux_operand_push(L, traced, &a);
}

static int symbol_count(lua_State *L)
{
	crux_operand a, sum = {.shape.words = 1};
	crux_traced *const traced = read_bits(L, &a);
	for (size_t i = 0; i < a.shape.words; i++)
		sum.nodes[0] = apply(traced, CRUX_ADD, sum.nodes[0], apply(traced, CRUX_COUNT, a.nodes[i], 0));
	return crux_operand_push(L, traced, &sum);
}

/* Pushes the result of an operation on each word of the operands. */
static int combine(lua_State *L, crux_traced *traced, crux_operation operation, crux_operand *a, const crux_operand *b)
{
	for (size_t i = 0; i < a->shape.words; i++)
		a->nodes[i] = apply(traced, operation, a->nodes[i], b->nodes[i]);
	return crux_operand_push(L, traced, a);
}

static int symbol_combine(lua_State *L)
{
	static const char expected[] = "two integers, truth values or boards of the same size";
	crux_operand a, b;
	crux_traced *const traced = crux_operand_read_pair(L, &a, &b, expected);
	if (!crux_operand_are_alike(&a, &b))
		return crux_symbol_refuse(L, 2, expected);
	return combine(L, traced, crux_symbol_word(L)->operation, &a, &b);
}

static int symbol_complement(lua_State *L)
{
	crux_operand a;
	crux_traced *const traced = crux_symbol_owner(L, 1);
	crux_operand_read(L, traced, 1, &a);
	for (size_t i = 0; i < a.shape.words; i++) {
		if (a.kind == CRUX_BOARD) {
			crux_node const full = crux_trace_constant(traced->trace, (int64_t)crux_board_full_word(a.shape, i));
			a.nodes[i] = apply(traced, CRUX_AND_NOT, full, a.nodes[i]);
		} else {
			a.nodes[i] = complement(traced, a.nodes[i]);
		}
	}
	return crux_operand_push(L, traced, &a);
}

static int symbol_arithmetic(lua_State *L)
{
	crux_operand a, b;
	crux_traced *const traced = read_integers(L, &a, &b);
	return combine(L, traced, crux_symbol_word(L)->operation, &a, &b);
}

/* On boards: the cells of the first that are not in the second. */
static int symbol_subtract(lua_State *L)
{
	static const char expected[] = "two integers or boards of the same size";
	crux_operand a, b;
	crux_traced *const traced = crux_operand_read_pair(L, &a, &b, expected);
	if (!crux_operand_are_alike(&a, &b) || a.kind == CRUX_TRUTH)
		return crux_symbol_refuse(L, 2, expected);
	return combine(L, traced, a.kind == CRUX_BOARD ? CRUX_AND_NOT : CRUX_SUBTRACT, &a, &b);
}

/* A shift by a number of places of any range. */
static crux_node shift_anywhere(crux_traced *traced, crux_operation operation, crux_operation opposite, crux_node a, crux_node by)
{
	crux_node const last = crux_trace_constant(traced->trace, 63), first = crux_trace_constant(traced->trace, -63);
	crux_node const on = apply(traced, CRUX_MAX, apply(traced, CRUX_MIN, by, last), 0);
	crux_node const back = apply(traced, CRUX_SUBTRACT, 0, apply(traced, CRUX_MIN, apply(traced, CRUX_MAX, by, first), 0));
	crux_node const near = crux_trace_apply(traced->trace, CRUX_SELECT, apply(traced, CRUX_LESS, by, 0),
	                                        apply(traced, opposite, a, back), apply(traced, operation, a, on));
	crux_node const is_far = apply(traced, CRUX_OR, apply(traced, CRUX_LESS, last, by), apply(traced, CRUX_LESS, by, first));
	return crux_trace_apply(traced->trace, CRUX_SELECT, is_far, 0, near);
}

/* Shifts as Lua does: in the other direction by a negative number of places; by 64 or more the result is 0. */
static int symbol_shift(lua_State *L)
{
	crux_operand a, b;
	crux_traced *const traced = read_integers(L, &a, &b);
	crux_operation const operation = crux_symbol_word(L)->operation;
	crux_operation const opposite = operation == CRUX_SHIFT_LEFT ? CRUX_SHIFT_RIGHT : CRUX_SHIFT_LEFT;
	crux_trace_node const by = traced->trace->nodes[b.nodes[0]];
	if (by.operation == CRUX_CONSTANT && (by.low >= 64 || by.low <= -64)) {
		a.nodes[0] = 0;
	} else if (by.operation == CRUX_CONSTANT && by.low < 0) {
		a.nodes[0] = apply(traced, opposite, a.nodes[0], crux_trace_constant(traced->trace, -by.low));
	} else if (by.low < 0 || by.high > 63) {
		a.nodes[0] = shift_anywhere(traced, operation, opposite, a.nodes[0], b.nodes[0]);
	} else {
		a.nodes[0] = apply(traced, operation, a.nodes[0], b.nodes[0]);
	}
	return crux_operand_push(L, traced, &a);
}

const crux_word crux_symbol_words[] = {
	{"where", symbol_where, CRUX_SELECT, false, NULL},
	{"any", crux_symbol_any, CRUX_UNEQUAL, false, NULL},
	{"none", crux_symbol_any, CRUX_EQUAL, false, NULL},
	{"eq", symbol_compare, CRUX_EQUAL, false, NULL},
	{"ne", symbol_compare, CRUX_UNEQUAL, false, NULL},
	{"lt", symbol_order, CRUX_LESS, false, NULL},
	{"le", symbol_order, CRUX_LESS_EQUAL, false, NULL},
	{"gt", symbol_order, CRUX_LESS, true, NULL},
	{"ge", symbol_order, CRUX_LESS_EQUAL, true, NULL},
	{"min", symbol_extreme, CRUX_MIN, false, NULL},
	{"max", symbol_extreme, CRUX_MAX, false, NULL},
	{"abs", symbol_of_integer, CRUX_ABS, false, NULL},
	{"sgn", symbol_of_integer, CRUX_SIGN, false, NULL},
	{"count", symbol_count, CRUX_COUNT, false, NULL},
	{"__band", symbol_combine, CRUX_AND, false, "&"},
	{"__bor", symbol_combine, CRUX_OR, false, "|"},
	{"__bxor", symbol_combine, CRUX_XOR, false, "~"},
	{"__bnot", symbol_complement, CRUX_XOR, false, "~"},
	{"__add", symbol_arithmetic, CRUX_ADD, false, "+"},
	{"__sub", symbol_subtract, CRUX_SUBTRACT, false, "-"},
	{"__mul", symbol_arithmetic, CRUX_MULTIPLY, false, "*"},
	{"__unm", symbol_of_integer, CRUX_SUBTRACT, true, "-"},
	{"__shl", symbol_shift, CRUX_SHIFT_LEFT, false, "<<"},
	{"__shr", symbol_shift, CRUX_SHIFT_RIGHT, false, ">>"},
	{NULL, NULL, CRUX_CONSTANT, false, NULL},
};
