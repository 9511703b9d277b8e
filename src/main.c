/* Starts the command line: lua/crux/cli does the rest. */
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine.h"

typedef struct command_line {
	int count;
	char **words;
	int status;
} command_line;

static int run(lua_State *L)
{
	command_line *line = lua_touserdata(L, 1);
	crux_engine_push(L, "crux.cli", "main");
	lua_createtable(L, line->count, 0);
	for (int i = 1; i < line->count; i++) {
		lua_pushstring(L, line->words[i]);
		lua_rawseti(L, -2, i);
	}
	lua_call(L, 1, 1);
	line->status = (int)luaL_checkinteger(L, -1);
	return 0;
}

int main(int argc, char **argv)
{
	crux_fault fault;
	command_line line = {argc, argv, EXIT_FAILURE};
	crux_engine *engine = crux_engine_new(NULL, &fault);
	if (!engine || !crux_engine_call(engine, run, &line, &fault))
		fprintf(stderr, "crux: %s\n", fault.message);
	crux_engine_free(engine);
	return line.status;
}
