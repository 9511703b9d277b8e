/* The engine, for the files of the host; embedders see crux.h. */
#pragma once

#include <lua.h>
#include <pthread.h>

#include "crux.h"
#include "limits/budget.h"

struct crux_engine {
	lua_State *L;
	crux_budget limits;
	pthread_t thread; /* of the last call */
	crux_progress progress; /* is told how far crux_call is, with progress_data; may be NULL */
	void *progress_data;
};

/* Opens LPeg, for which not all systems have a header. */
int luaopen_lpeg(lua_State *L);

/* crux_engine_new of crux.h, with the function that opens LPeg; NULL if require finds it, as in the plugin. */
crux_engine *crux_engine_open(const char *home, lua_CFunction lpeg, crux_fault *fault);

/* Calls function(L) in protected mode with `request` as a light userdata at index 1, and drops its results. A Lua error becomes
 * the fault. */
bool crux_engine_call(crux_engine *engine, lua_CFunction function, void *request, crux_fault *fault);

/* Ends the work of an engine. If it was stopped, fills the fault, removes temporary files, and returns the exit status for the
 * reason; else returns 0. */
int crux_engine_stopped(crux_engine *engine, crux_fault *fault);

/* Pushes the field `name` of what require returns for `module`. */
void crux_engine_push(lua_State *L, const char *module, const char *name);
