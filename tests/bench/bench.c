/* Runs a Lua file that times crux against plain C: bench FILE.lua [ARGUMENT...].
 *
 * The file gets the functions of plain.h, and the arguments as `...`. */
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/engine.h"
#include "plain.h"

static int run(lua_State *L)
{
	char **const arguments = lua_touserdata(L, 1);
	lua_register(L, "plain_move", plain_move);
	lua_register(L, "plain_dungeongrams", plain_dungeongrams);
	lua_register(L, "plain_flow", plain_flow);
	lua_register(L, "plain_sudoku", plain_sudoku);
	lua_register(L, "plain_sudoku_bits", plain_sudoku_bits);
	lua_register(L, "plain_lazors", plain_lazors);
	lua_register(L, "plain_generator", plain_generator);
	lua_register(L, "plain_rushhour", plain_rushhour);
	if (luaL_loadfile(L, arguments[0]))
		return lua_error(L);
	int count = 0;
	while (arguments[++count])
		lua_pushstring(L, arguments[count]);
	lua_call(L, count - 1, 0);
	return 0;
}

int main(int argc, char **argv)
{
	crux_fault fault;
	crux_engine *const engine = argc > 1 ? crux_engine_new(NULL, &fault) : NULL;
	bool const done = engine && crux_engine_call(engine, run, argv + 1, &fault);
	if (!done)
		fprintf(stderr, "bench: %s\n", argc > 1 ? fault.message : "expected a Lua file");
	crux_engine_free(engine);
	return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
