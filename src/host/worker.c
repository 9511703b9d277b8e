/* One worker: an engine with a Lua function that turns items into results. */
#include "host/worker.h"

#include <lauxlib.h>

#include "host/engine.h"
#include "lua/value.h"

/* Makes the function for the items; the registry keeps it under the worker's address. */
static int start(lua_State *L)
{
	crux_worker *w = lua_touserdata(L, 1);
	lua_getglobal(L, "package");
	const char *bytes = crux_value_push(L, w->start->data);
	lua_setfield(L, -2, "path");
	lua_getglobal(L, "require");
	bytes = crux_value_push(L, bytes);
	lua_call(L, 1, 1);
	crux_value_push(L, bytes);
	lua_call(L, 1, 1);
	lua_rawsetp(L, LUA_REGISTRYINDEX, w);
	return 0;
}

static int run(lua_State *L)
{
	crux_worker *w = lua_touserdata(L, 1);
	crux_fault fault;
	lua_rawgetp(L, LUA_REGISTRYINDEX, w);
	crux_value_push(L, w->bytes->data);
	lua_call(L, 1, 1);
	w->bytes->size = 0;
	return crux_value_write(L, -1, "result", w->bytes, &fault) ? 0 : luaL_error(L, "%s", fault.message);
}

void crux_worker_start(crux_worker *worker, const crux_bytes *start_values)
{
	worker->start = start_values;
	worker->failed = !crux_engine_call(worker->engine, start, worker, &worker->fault);
}

bool crux_worker_run(crux_worker *worker, crux_bytes *bytes, crux_fault *fault)
{
	if (worker->failed)
		*fault = worker->fault;
	worker->bytes = bytes;
	return !worker->failed && crux_engine_call(worker->engine, run, worker, fault);
}
