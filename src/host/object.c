/* Lua objects that C programs hold. */
#include "host/object.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "base/fault.h"
#include "host/engine.h"

typedef struct creation {
	crux_object *object;
	lua_CFunction make;
	void *request;
} creation;

static int create(lua_State *L)
{
	creation const *const c = lua_touserdata(L, 1);
	lua_pushcfunction(L, c->make);
	lua_pushlightuserdata(L, c->request);
	lua_call(L, 1, 1);
	crux_object_replace(L, c->object);
	return 0;
}

void *crux_object_new(crux_engine *engine, size_t size, lua_CFunction make, void *request, crux_fault *fault)
{
	crux_object *const object = calloc(1, size);
	if (!object) {
		crux_fault_set(fault, "out of memory");
		return NULL;
	}
	*object = (crux_object){engine, LUA_NOREF};
	if (crux_engine_call(engine, create, &(creation){object, make, request}, fault))
		return object;
	free(object);
	return NULL;
}

static int forget(lua_State *L)
{
	crux_object const *const object = lua_touserdata(L, 1);
	luaL_unref(L, LUA_REGISTRYINDEX, object->reference);
	return 0;
}

void crux_object_free(void *holder)
{
	crux_object *const object = holder;
	if (object)
		crux_engine_call(object->engine, forget, object, NULL);
	free(object);
}

void crux_object_push(lua_State *L, const void *holder)
{
	crux_object const *const object = holder;
	lua_rawgeti(L, LUA_REGISTRYINDEX, object->reference);
}

void crux_object_replace(lua_State *L, void *holder)
{
	crux_object *const object = holder;
	int const reference = luaL_ref(L, LUA_REGISTRYINDEX);
	luaL_unref(L, LUA_REGISTRYINDEX, object->reference);
	object->reference = reference;
}

void crux_object_push_call(lua_State *L, const char *function, const void *holder)
{
	crux_engine_push(L, "crux.api.embed", function);
	crux_object_push(L, holder);
}
