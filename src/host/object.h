/* Lua objects that C programs hold: rules, games, levels and pools. */
#pragma once

#include <lua.h>

#include "crux.h"

/* The first member of crux_rule, crux_game, crux_level and crux_pool. */
typedef struct crux_object {
	crux_engine *engine;
	int reference; /* of the Lua object, in the registry */
} crux_object;

/* Calls make(L) with `request` as a light userdata at index 1; make returns one Lua object. Returns a holder of this object:
 * `size` bytes that begin with a crux_object, the rest zeros; NULL on failure. */
void *crux_object_new(crux_engine *engine, size_t size, lua_CFunction make, void *request, crux_fault *fault);

/* Frees a holder and its object. NULL does nothing. */
void crux_object_free(void *holder);

/* Pushes the object of a holder. */
void crux_object_push(lua_State *L, const void *holder);

/* Pops the object that a holder holds from now on. */
void crux_object_replace(lua_State *L, void *holder);

/* Pushes a function of lua/crux/api/embed.lua, and its first argument, the object of a holder. */
void crux_object_push_call(lua_State *L, const char *function, const void *holder);
