/* The workbench in a page without a server: what JavaScript calls beside the functions of crux.h. */
#include <lauxlib.h>

#include "host/engine.h"
#include "host/workers.h"

typedef struct exchange {
	const char *function, *message, *answer;
} exchange;

static int call(lua_State *L)
{
	exchange *const e = lua_touserdata(L, 1);
	crux_workers_preload(L, NULL);
	crux_engine_push(L, "crux.workbench.alone", e->function);
	lua_pushstring(L, e->message);
	lua_call(L, 1, 1);
	e->answer = luaL_checkstring(L, -1);
	lua_setfield(L, LUA_REGISTRYINDEX, "crux.page");
	return 0;
}

/* Calls a function of lua/crux/workbench/alone.lua with a text. Returns the text that it returns, which lives until the next call;
 * NULL and a fault if it raises. */
const char *crux_page_call(crux_engine *engine, const char *function, const char *message, crux_fault *fault);

const char *crux_page_call(crux_engine *engine, const char *function, const char *message, crux_fault *fault)
{
	exchange e = {.function = function, .message = message};
	return crux_engine_call(engine, call, &e, fault) ? e.answer : NULL;
}
