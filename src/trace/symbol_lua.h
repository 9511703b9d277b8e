/* Symbols: values of a state that are unknown while its step is traced; for the bindings of libcrux.trace.
 *
 * A symbol is an integer, a truth value or a board. It has the operators and words of the vocabulary, also together with plain
 * values, and records them in its trace. Functions with a lua_State may be called only by functions that
 * crux_symbol_set_functions added, and by words and methods. */
#pragma once

#include <lauxlib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lua/binding.h"
#include "states/state_table_lua.h"
#include "trace/traced_lua.h"

#define CRUX_SYMBOL_TYPE "crux.symbol"

/* A symbol, or a plain value, as nodes of a trace. */
typedef struct crux_operand {
	crux_value_kind kind;
	crux_board_shape shape; /* of a board; else words is 1 */
	crux_node nodes[CRUX_BOARD_WORDS];
} crux_operand;

/* A word, operator or method on symbols. */
typedef struct crux_word {
	const char *name; /* the event of an operator */
	lua_CFunction function; /* the word is its last upvalue */
	crux_operation operation;
	bool is_swapped;  /* swaps the operands of the operation */
	const char *sign; /* an operator in messages; NULL for words */
} crux_word;

/* Pushes, on an empty stack, the metatable of symbols with these words and methods, and the table of all traces. With these at
 * the bottom of the stack, crux_symbol_set_functions adds functions to the table at its top. */
void crux_symbol_open(lua_State *L, const crux_word *words, const crux_word *methods);
void crux_symbol_set_functions(lua_State *L, const luaL_Reg *functions);

/* The word or method that is running. */
const crux_word *crux_symbol_word(lua_State *L);

/* Raises at the script's line: found the first `count` arguments, expected something else. */
int crux_symbol_refuse(lua_State *L, int count, const char *expected);

/* The trace of the first symbol among `count` arguments; raises when it was closed. */
crux_traced *crux_symbol_owner(lua_State *L, int count);

/* Adds a trace, the userdata at the top of the stack, to the table of all traces, so that it can have symbols. */
void crux_symbol_register(lua_State *L, const crux_traced *traced);

/* Reads an operand; false when the value is none, or belongs to another trace. */
bool crux_operand_read(lua_State *L, crux_traced *traced, int index, crux_operand *to);

/* Reads the first two arguments of a word or operator; raises unless both are operands. */
crux_traced *crux_operand_read_pair(lua_State *L, crux_operand *a, crux_operand *b, const char *expected);

/* Pushes a symbol, or a plain value when all nodes are constants, and returns 1. A uniform number or truth value becomes its value
 * on the current level, as an assumption of the trace, so that scripts may branch on it. */
int crux_operand_push(lua_State *L, crux_traced *traced, const crux_operand *from);
int crux_operand_push_truth(lua_State *L, crux_traced *traced, crux_node node);

bool crux_operand_is_constant(const crux_traced *traced, const crux_operand *operand);

/* True when they are of one kind and, if boards, of one size. */
bool crux_operand_are_alike(const crux_operand *a, const crux_operand *b);

static inline crux_node apply(crux_traced *traced, crux_operation operation, crux_node a, crux_node b)
{
	return crux_trace_apply(traced->trace, operation, a, b, 0);
}

static inline crux_node complement(crux_traced *traced, crux_node a)
{
	return apply(traced, CRUX_XOR, a, crux_trace_constant(traced->trace, -1));
}

/* any and none; also methods of boards. */
int crux_symbol_any(lua_State *L);

/* Methods of traces. */
int crux_symbol_lookup(lua_State *L);
int crux_symbol_lookup_level(lua_State *L);

/* The words and operators, and the methods of symbolic boards. Each list ends with a row without a name. */
extern const crux_word crux_symbol_words[];
extern const crux_word crux_symbol_methods[];
