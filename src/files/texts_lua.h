/* Columns of text as arguments and results of other bindings. */
#pragma once

#include <lua.h>
#include <stddef.h>

#define CRUX_TEXTS_TYPE "crux.texts"

/* Texts one behind the other, each ended by '\0': text i is at bytes + starts[i], and starts[n] is the number of bytes. */
typedef struct crux_texts {
	size_t n;
	char *bytes;
	size_t starts[];
} crux_texts;

/* Pushes a new column of n texts that take that many bytes, each '\0' counted, with starts[n] set; Lua owns it. */
crux_texts *crux_texts_push(lua_State *L, size_t n, size_t bytes);
