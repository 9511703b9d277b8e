/* The functions of crux.h on tasks: each calls a function of lua/crux/api/embed.lua that returns JSON. */
#include <lauxlib.h>

#include "host/arguments.h"
#include "host/engine.h"
#include "host/workers.h"

/* Arguments and result of a protected call. */
typedef struct request {
	crux_engine *engine;
	const char *function, *task;
	const char *const *names, *const *values;
	size_t count;
	const char *json;
} request;

/* watch(done, total or nil, noun) -> whether to go on; its upvalue is the engine */
static int watch(lua_State *L)
{
	const crux_engine *const engine = lua_touserdata(L, lua_upvalueindex(1));
	lua_Integer const done = luaL_checkinteger(L, 1), total = luaL_optinteger(L, 2, 0);
	lua_pushboolean(L, engine->progress(done, total, luaL_checkstring(L, 3), engine->progress_data));
	return 1;
}

void crux_engine_watch(crux_engine *engine, crux_progress progress, void *data)
{
	if (!engine)
		return;
	engine->progress = progress;
	engine->progress_data = data;
}

/* Calls the function of the request. The registry keeps its text until the next call. */
static int call(lua_State *L)
{
	request *const r = lua_touserdata(L, 1);
	crux_workers_preload(L, NULL);
	crux_engine_push(L, "crux.api.embed", r->function);
	lua_pushstring(L, r->task); /* NULL pushes nil */
	crux_texts_list_push(L, r->names, r->count);
	crux_texts_list_push(L, r->values, r->count);
	if (r->engine->progress) {
		lua_pushlightuserdata(L, r->engine);
		lua_pushcclosure(L, watch, 1);
	} else {
		lua_pushnil(L);
	}
	lua_call(L, 4, 1);
	r->json = luaL_checkstring(L, -1);
	lua_setfield(L, LUA_REGISTRYINDEX, "crux.json");
	return 0;
}

/* Refuses an array of texts that is NULL, or has NULL in it; `of` is "options", say. */
static bool are_texts(const char *const *texts, size_t count, const char *of, const char *one, crux_fault *fault)
{
	return crux_is_long_enough(texts, count, count, "crux_call", of, fault) &&
	       crux_are_names(texts, count, "crux_call", one, fault);
}

const char *crux_tasks(crux_engine *engine, crux_fault *fault)
{
	request r = {.engine = engine, .function = "tasks"};
	return crux_is_given(engine, __func__, "an engine", fault) && crux_engine_call(engine, call, &r, fault) ? r.json : NULL;
}

const char *crux_call(crux_engine *engine, const char *task, const char *const *names, const char *const *values, size_t count,
                      crux_fault *fault)
{
	request r = {.engine = engine, .function = "call", .task = task, .names = names, .values = values, .count = count};
	bool const is_right = crux_is_given(engine, __func__, "an engine", fault) && crux_is_given(task, __func__, "a task", fault) &&
	                      are_texts(names, count, "options", "option", fault) && are_texts(values, count, "values", "value", fault);
	return is_right && crux_engine_call(engine, call, &r, fault) ? r.json : NULL;
}
