/* The engine: a Lua state with crux's primitives and the path of its Lua files, and protected calls into it. */
#include "host/engine.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fault.h"
#include "host/home.h"
#include "host/module_searcher.h"
#include "host/primitives.h"
#include "limits/watchdog.h"
#include "lua/binding.h"

enum { STACK = 64 }; /* slots of the stack that every call into the state may use without lua_checkstack */

typedef struct opening {
	char home[PATH_MAX];
	lua_CFunction lpeg;
} opening;

/* Sets where require looks for modules that are not crux's: in the system's folders, never in the current one, nor for libraries
 * in C. */
static void set_path(lua_State *L)
{
	luaL_Buffer path;
	lua_getglobal(L, "package");
	crux_set_string(L, "cpath", "");
	lua_getfield(L, -1, "path");
	const char *at = lua_tostring(L, -1);
	luaL_buffinit(L, &path);
	for (size_t length; *at; at += length + (at[length] == ';')) {
		length = strcspn(at, ";");
		if (*at != '/')
			continue;
		luaL_addlstring(&path, at, length);
		luaL_addchar(&path, ';');
	}
	luaL_pushresult(&path);
	lua_setfield(L, -3, "path");
	lua_pop(L, 2);
}

/* Opens the libraries, without regard to the environment, and everything that the engine's modules require. */
static int prepare(lua_State *L)
{
	opening const *const request = lua_touserdata(L, 1);
	const char *const home = request->home;
	crux_budget *const limits = crux_budget_of(L);
	lua_pushboolean(L, true);
	lua_setfield(L, LUA_REGISTRYINDEX, "LUA_NOENV");
	luaL_openlibs(L);
	crux_primitives_preload(L);
	if (request->lpeg)
		crux_preload(L, "lpeg", request->lpeg);
	set_path(L);
	crux_module_searcher_add(L, home, &crux_engine_modules);
	limits->source_prefix = lua_pushfstring(L, "@%s/lua/", home);
	luaL_ref(L, LUA_REGISTRYINDEX);
	crux_interrupt_prepare(&limits->interrupt, L);
	return 0;
}

crux_engine *crux_engine_open(const char *home, lua_CFunction lpeg, crux_fault *fault)
{
	opening request = {.lpeg = lpeg};
	if (!crux_home_find(home, request.home, fault))
		return NULL;
	crux_engine *engine = calloc(1, sizeof *engine);
	lua_State *L = engine ? lua_newstate(crux_budget_allocate, &engine->limits) : NULL;
	if (!L) {
		free(engine);
		crux_fault_set(fault, "out of memory");
		return NULL;
	}
	engine->L = L;
	if (crux_engine_call(engine, prepare, &request, fault))
		return engine;
	crux_engine_free(engine);
	return NULL;
}

void crux_engine_free(crux_engine *engine)
{
	if (!engine)
		return;
	lua_close(engine->L);
	crux_watchdog_forget(&engine->limits);
	free(engine);
}

void crux_engine_limit(crux_engine *engine, crux_limit limit)
{
	if (engine)
		engine->limits.limit = limit;
}

void crux_engine_interrupt(crux_engine *engine)
{
	if (!engine)
		return;
	crux_budget_stop(&engine->limits, CRUX_STOP_SIGNAL);
	crux_interrupt_send(engine->thread);
}

/* Message handler: makes a string of the error, text or fault. It calls no metamethod, which could be a script's. */
static int to_message(lua_State *L)
{
	if (lua_istable(L, 1) && lua_getfield(L, LUA_REGISTRYINDEX, "crux.faults") == LUA_TTABLE) {
		lua_pushvalue(L, 1);
		if (lua_rawget(L, -2) == LUA_TTABLE) {
			lua_pushliteral(L, "message");
			lua_rawget(L, -2);
		}
	}
	if (!lua_isstring(L, -1))
		lua_pushfstring(L, "raised a %s", luaL_typename(L, 1));
	return 1;
}

bool crux_engine_call(crux_engine *engine, lua_CFunction function, void *request, crux_fault *fault)
{
	lua_State *L = engine->L;
	if (!lua_checkstack(L, STACK)) {
		crux_fault_set(fault, "out of memory");
		return false;
	}
	lua_pushcfunction(L, to_message); /* these four push light values, which need no memory */
	lua_pushcfunction(L, function);
	lua_pushlightuserdata(L, request);
	crux_budget *const limits = &engine->limits;
	engine->thread = pthread_self();
	crux_budget_begin(limits, L);
	crux_interrupt *const outer = crux_interrupt_enter(&limits->interrupt);
	int const status = lua_pcall(L, 1, 0, -3);
	crux_interrupt_enter(outer);
	limits->interrupt.running = NULL;
	lua_sethook(L, NULL, 0, 0);
	if (status == LUA_ERRMEM)
		crux_fault_set(fault, "%s", *limits->fault.message ? limits->fault.message : "out of memory");
	else if (status != LUA_OK)
		crux_fault_set(fault, "%s", lua_tostring(L, -1));
	lua_settop(L, 0);
	return status == LUA_OK;
}

int crux_engine_stopped(crux_engine *engine, crux_fault *fault)
{
	crux_budget *const limits = &engine->limits;
	crux_watchdog_forget(limits);
	if (!limits->stop)
		return 0;
	crux_watchdog_tidy();
	if (!*limits->fault.message)
		crux_budget_describe(limits, NULL, "", &limits->fault);
	*fault = limits->fault;
	return crux_budget_status(limits);
}

void crux_engine_push(lua_State *L, const char *module, const char *name)
{
	lua_getglobal(L, "require");
	lua_pushstring(L, module);
	lua_call(L, 1, 1);
	lua_getfield(L, -1, name);
	lua_remove(L, -2);
}
