/* A word or operator of `step` and `heuristic` in scripts. */
#ifndef CRUX_WORD_LUA_H
#define CRUX_WORD_LUA_H

#include <lua.h>
#include <stdbool.h>

#include "trace/operation.h"

typedef struct crux_word {
	const char *name; /* the event of an operator */
	lua_CFunction on_plain, on_symbols; /* the word is their last upvalue; on_plain is NULL for operators that Lua has */
	crux_operation operation;
	bool is_swapped;  /* swaps the operands of the operation */
	const char *sign; /* an operator in messages; NULL for words */
} crux_word;

/* Pushes "WORD: found A and B" for the first `count` arguments. */
void crux_word_push_found(lua_State *L, const crux_word *word, int count);

#endif
