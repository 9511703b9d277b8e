/* Runs a Lua file inside an engine, for the tests that are written in Lua: lua_host FILE.lua [WORD...]. */
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/engine.h"
#include "host/workers.h"

typedef struct command_line {
	int count;
	char **words;
	int status;
} command_line;

static int run(lua_State *L)
{
	command_line *line = lua_touserdata(L, 1);
	crux_workers_preload(L, NULL);
	lua_createtable(L, line->count, 1);
	for (int i = 1; i < line->count; i++) {
		lua_pushstring(L, line->words[i]);
		lua_rawseti(L, -2, i - 1);
	}
	lua_setglobal(L, "arg");
	if (luaL_loadfile(L, line->words[1]) != LUA_OK)
		return lua_error(L);
	lua_call(L, 0, 1);
	line->status = (int)lua_tointeger(L, -1);
	return 0;
}

int main(int argc, char **argv)
{
	crux_fault fault;
	command_line line = {argc, argv, EXIT_FAILURE};
	crux_engine *engine = argc > 1 ? crux_engine_new(NULL, &fault) : NULL;
	if (!engine || !crux_engine_call(engine, run, &line, &fault))
		printf("lua_host: %s\n", fault.message);
	crux_engine_free(engine);
	return line.status;
}
