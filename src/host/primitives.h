/* Registers the modules in C with require. */
#ifndef CRUX_PRIMITIVES_H
#define CRUX_PRIMITIVES_H

#include <lua.h>

/* Registers all rows of lua/modules.h with require, without loading them. */
void crux_primitives_preload(lua_State *L);

#endif
