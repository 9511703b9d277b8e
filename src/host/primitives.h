/* Registers the modules in C with require. */
#pragma once

#include <lua.h>

/* Makes require call `open` for a module of that name. */
void crux_preload(lua_State *L, const char *name, lua_CFunction open);

/* Registers all rows of lua/modules.h with require, without loading them. */
void crux_primitives_preload(lua_State *L);
