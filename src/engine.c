/* The engine: a Lua state that holds crux's primitives and finds its Lua files, and protected calls into it. */
#include "engine.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>

#include "fault.h"
#include "home.h"
#include "primitives.h"

enum { STACK = 64 }; /* slots that every call into the state may use without asking */

static void *allocate(void *unused, void *block, size_t old_size, size_t new_size)
{
	(void)unused;
	(void)old_size;
	if (new_size > 0)
		return realloc(block, new_size);
	free(block);
	return NULL;
}

/* Opens the libraries and sets where require looks: crux's own folder, then the system's, never the environment. */
static int prepare(lua_State *L)
{
	const char *const home = lua_touserdata(L, 1);
	lua_pushboolean(L, true);
	lua_setfield(L, LUA_REGISTRYINDEX, "LUA_NOENV");
	luaL_openlibs(L);
	crux_primitives_preload(L);
	crux_lpeg_preload(L);
	lua_getglobal(L, "package");
	lua_pushfstring(L, "%s/lua/?.lua;%s/lua/?/init.lua;", home, home);
	lua_getfield(L, -2, "path");
	lua_concat(L, 2);
	lua_setfield(L, -2, "path");
	luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
	lua_pushstring(L, home);
	lua_setfield(L, -2, "libcrux.home");
	return 0;
}

crux_engine *crux_engine_new(const char *home, crux_fault *fault)
{
	char found[PATH_MAX];
	if (!crux_home_find(home, found, fault))
		return NULL;
	crux_engine *engine = malloc(sizeof *engine);
	lua_State *L = engine ? lua_newstate(allocate, NULL) : NULL;
	if (!L) {
		free(engine);
		crux_fault_set(fault, "out of memory");
		return NULL;
	}
	engine->L = L;
	if (crux_engine_call(engine, prepare, found, fault))
		return engine;
	crux_engine_free(engine);
	return NULL;
}

void crux_engine_free(crux_engine *engine)
{
	if (!engine)
		return;
	lua_close(engine->L);
	free(engine);
}

/* Message handler: whatever was raised becomes a string. */
static int to_message(lua_State *L)
{
	luaL_tolstring(L, 1, NULL);
	return 1;
}

bool crux_engine_call(crux_engine *engine, lua_CFunction function, void *request, crux_fault *fault)
{
	lua_State *L = engine->L;
	if (!lua_checkstack(L, STACK)) {
		crux_fault_set(fault, "out of memory");
		return false;
	}
	lua_pushcfunction(L, to_message); /* light values: none of these four allocates */
	lua_pushcfunction(L, function);
	lua_pushlightuserdata(L, request);
	int const status = lua_pcall(L, 1, 0, -3);
	if (status != LUA_OK)
		crux_fault_set(fault, "%s", status == LUA_ERRMEM ? "out of memory" : lua_tostring(L, -1));
	lua_settop(L, 0);
	return status == LUA_OK;
}

void crux_engine_push(lua_State *L, const char *module, const char *name)
{
	lua_getglobal(L, "require");
	lua_pushstring(L, module);
	lua_call(L, 1, 1);
	lua_getfield(L, -1, name);
	lua_remove(L, -2);
}
