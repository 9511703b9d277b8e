/* The searcher with which require finds the engine's Lua modules. */
#pragma once

#include <lua.h>

#include "host/compiled_modules.h"

/* Lets require find modules named crux.* in home/lua alone, before it looks elsewhere, and home as "libcrux.home". A module, also
 * one of another project, is loaded from `compiled` if that release of Lua is at hand and the source is the same, else from the
 * source. `compiled` must outlive the state. */
void crux_module_searcher_add(lua_State *L, const char *home, const crux_compiled_modules *compiled);
