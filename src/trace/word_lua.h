/* A word or operator in which scripts write `step` and `heuristic`. */
#ifndef CRUX_WORD_LUA_H
#define CRUX_WORD_LUA_H

#include <lua.h>
#include <stdbool.h>

#include "trace/operation.h"

typedef struct crux_word {
	const char *name; /* of an operator its event */
	lua_CFunction on_plain, on_symbols; /* NULL: Lua does it itself; each finds its word in its last upvalue */
	crux_operation operation;
	bool is_swapped;  /* the operands of the operation */
	const char *sign; /* of an operator, in messages */
} crux_word;

/* Pushes "WORD: found A and B" for the first `count` arguments. */
void crux_word_push_found(lua_State *L, const crux_word *word, int count);

#endif
