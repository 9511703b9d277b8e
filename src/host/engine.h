/* What the host's own files share of the engine; embedders see crux.h. */
#ifndef CRUX_ENGINE_H
#define CRUX_ENGINE_H

#include <lua.h>

#include "crux.h"
#include "limits/budget.h"

struct crux_engine {
	lua_State *L;
	crux_budget limits;
};

/* crux_engine_new of crux.h, with the function that opens LPeg: NULL where require finds it, as in the plugin. */
crux_engine *crux_engine_open(const char *home, lua_CFunction lpeg, crux_fault *fault);

/* Calls function(L) in protected mode with `request` as a light userdata at index 1; its results are dropped. A Lua
 * error becomes the fault. */
bool crux_engine_call(crux_engine *engine, lua_CFunction function, void *request, crux_fault *fault);

/* Ends an engine's work. When it was stopped, fills the fault, deletes what is left of files, and returns the exit status that
 * goes with it; else returns 0. */
int crux_engine_stopped(crux_engine *engine, crux_fault *fault);

/* Pushes the field `name` of the engine module that require finds under that name. */
void crux_engine_push(lua_State *L, const char *module, const char *name);

#endif
