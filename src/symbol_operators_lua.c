/* The operators of Lua on symbols. */
#include "primitives.h"
#include "symbol_lua.h"

static int combine_words(lua_State *L, crux_traced *traced, crux_operation operation, crux_operand *a, const crux_operand *b)
{
	for (size_t i = 0; i < a->shape.words; i++)
		a->nodes[i] = apply(traced, operation, a->nodes[i], b->nodes[i]);
	return crux_operand_push(L, traced, a);
}

static int combine_bits(lua_State *L, const char *event, crux_operation operation)
{
	static const char expected[] = "two integers, truth values or boards of the same size";
	crux_operand a, b;
	crux_traced *const traced = crux_operand_read_pair(L, event, &a, &b, expected);
	if (!crux_operand_are_alike(&a, &b))
		return crux_symbol_refuse(L, event, 2, expected);
	return combine_words(L, traced, operation, &a, &b);
}

static int symbol_band(lua_State *L)
{
	return combine_bits(L, "__band", CRUX_AND);
}

static int symbol_bor(lua_State *L)
{
	return combine_bits(L, "__bor", CRUX_OR);
}

static int symbol_bxor(lua_State *L)
{
	return combine_bits(L, "__bxor", CRUX_XOR);
}

static int symbol_bnot(lua_State *L)
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

static int combine_integers(lua_State *L, const char *event, crux_operation operation)
{
	crux_operand a, b;
	crux_traced *const traced = crux_operand_read_pair(L, event, &a, &b, "two integers");
	if (a.kind != CRUX_INTEGER || b.kind != CRUX_INTEGER)
		return crux_symbol_refuse(L, event, 2, "two integers");
	return combine_words(L, traced, operation, &a, &b);
}

static int symbol_add(lua_State *L)
{
	return combine_integers(L, "__add", CRUX_ADD);
}

static int symbol_mul(lua_State *L)
{
	return combine_integers(L, "__mul", CRUX_MULTIPLY);
}

/* Of boards: the cells of the first that the second has not. */
static int symbol_sub(lua_State *L)
{
	static const char expected[] = "two integers or boards of the same size";
	crux_operand a, b;
	crux_traced *const traced = crux_operand_read_pair(L, "__sub", &a, &b, expected);
	if (!crux_operand_are_alike(&a, &b) || a.kind == CRUX_TRUTH)
		return crux_symbol_refuse(L, "__sub", 2, expected);
	return combine_words(L, traced, a.kind == CRUX_BOARD ? CRUX_AND_NOT : CRUX_SUBTRACT, &a, &b);
}

static int symbol_unm(lua_State *L)
{
	crux_operand a;
	crux_traced *const traced = crux_symbol_owner(L, 1);
	crux_operand_read(L, traced, 1, &a);
	if (a.kind != CRUX_INTEGER)
		return crux_symbol_refuse(L, "__unm", 1, "an integer");
	a.nodes[0] = apply(traced, CRUX_SUBTRACT, 0, a.nodes[0]);
	return crux_operand_push(L, traced, &a);
}

/* As Lua shifts: back by a negative number of places, and by 64 or more nothing is left. */
static int shift_bits(lua_State *L, const char *event, crux_operation operation, crux_operation opposite)
{
	crux_operand a, b;
	crux_traced *const traced = crux_operand_read_pair(L, event, &a, &b, "two integers");
	if (a.kind != CRUX_INTEGER || b.kind != CRUX_INTEGER)
		return crux_symbol_refuse(L, event, 2, "two integers");
	crux_trace_node const by = *crux_trace_at(traced->trace, b.nodes[0]);
	if (by.operation == CRUX_CONSTANT && (by.low >= 64 || by.low <= -64)) {
		a.nodes[0] = 0;
	} else if (by.operation == CRUX_CONSTANT && by.low < 0) {
		a.nodes[0] = apply(traced, opposite, a.nodes[0], crux_trace_constant(traced->trace, -by.low));
	} else if (by.low < 0 || by.high > 63) {
		lua_pushfstring(L, "%s: found a number of places that may be from %I to %I, expected 0 to 63",
		                crux_word_shown(event), (LUAI_UACINT)by.low, (LUAI_UACINT)by.high);
		return crux_trace_raise(L);
	} else {
		a.nodes[0] = apply(traced, operation, a.nodes[0], b.nodes[0]);
	}
	return crux_operand_push(L, traced, &a);
}

static int symbol_shl(lua_State *L)
{
	return shift_bits(L, "__shl", CRUX_SHIFT_LEFT, CRUX_SHIFT_RIGHT);
}

static int symbol_shr(lua_State *L)
{
	return shift_bits(L, "__shr", CRUX_SHIFT_RIGHT, CRUX_SHIFT_LEFT);
}

const luaL_Reg crux_symbol_operators[] = {
	{"__band", symbol_band},
	{"__bor",  symbol_bor},
	{"__bxor", symbol_bxor},
	{"__bnot", symbol_bnot},
	{"__add",  symbol_add},
	{"__sub",  symbol_sub},
	{"__mul",  symbol_mul},
	{"__unm",  symbol_unm},
	{"__shl",  symbol_shl},
	{"__shr",  symbol_shr},
	{NULL,     NULL},
};
