/* The words and operators in which scripts write `step` and `heuristic`: one list, for plain values and for symbols. */
#ifndef CRUX_VOCABULARY_LUA_H
#define CRUX_VOCABULARY_LUA_H

#include <lua.h>
#include <stdbool.h>

#include "operation.h"

typedef struct crux_word {
	const char *name; /* of an operator its event */
	lua_CFunction on_plain, on_symbols; /* NULL: Lua does it itself; each finds its word in its last upvalue */
	crux_operation operation;
	bool is_swapped;  /* the operands of the operation */
	const char *sign; /* of an operator, in messages */
} crux_word;

/* Ends with a row without a name. */
extern const crux_word crux_words[];

/* Pushes "WORD: found A and B" for the first `count` arguments. */
void crux_word_push_found(lua_State *L, const crux_word *word, int count);

/* On symbols; see symbol_lua.h. */
int crux_symbol_where(lua_State *L);
int crux_symbol_any(lua_State *L);
int crux_symbol_compare(lua_State *L);
int crux_symbol_order(lua_State *L);
int crux_symbol_extreme(lua_State *L);
int crux_symbol_of_integer(lua_State *L);
int crux_symbol_count(lua_State *L);
int crux_symbol_lookup(lua_State *L);
int crux_symbol_combine(lua_State *L);
int crux_symbol_complement(lua_State *L);
int crux_symbol_subtract(lua_State *L);
int crux_symbol_arithmetic(lua_State *L);
int crux_symbol_shift(lua_State *L);

#endif
