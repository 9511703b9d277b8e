/* libFuzzer's entry for all fuzzers: hands the bytes to the function that a file of Lua returns, which must not raise an error.
 *
 * The build says which file, by FUZZER. The lines of Lua that run are coverage that guides the fuzzer, beside that of C. */
#include <lauxlib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/engine.h"
#include "host/workers.h"

/* A counter for the lines of a number in all files of Lua: to ask for the file, too, takes longer than to run the line. The
 * section is libFuzzer's interface. */
enum { COUNTERS = 512 };
__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t counters[COUNTERS];

enum { STEP = 1000, MOST_STEPS = 20000 }; /* instructions of Lua between two looks at them; so many looks at one input */
static int steps;

typedef struct input {
	const char *bytes;
	size_t size;
} input;

/* Counts a line; ends what takes too long, an endless script, say. */
static void watch(lua_State *L, lua_Debug *at)
{
	if (at->event == LUA_HOOKCOUNT) {
		if (++steps > MOST_STEPS)
			luaL_error(L, "too many instructions");
		return;
	}
	lua_getinfo(L, "l", at);
	counters[(size_t)at->currentline % COUNTERS]++;
}

/* Keeps the function that the file returns in the registry. */
static int load(lua_State *L)
{
	crux_workers_preload(L, NULL);
	if (luaL_loadfile(L, "tests/fuzz/" FUZZER ".lua") != LUA_OK)
		return lua_error(L);
	lua_call(L, 0, 1);
	lua_setfield(L, LUA_REGISTRYINDEX, "fuzz");
	lua_sethook(L, watch, LUA_MASKLINE | LUA_MASKCOUNT, STEP);
	return 0;
}

static int try_bytes(lua_State *L)
{
	input const *given = lua_touserdata(L, 1);
	lua_getfield(L, LUA_REGISTRYINDEX, "fuzz");
	lua_pushlstring(L, given->bytes, given->size);
	lua_call(L, 1, 0);
	return 0;
}

static crux_engine *start(void)
{
	crux_fault fault;
	crux_engine *engine = crux_engine_new(NULL, &fault);
	if (engine && crux_engine_call(engine, load, NULL, &fault))
		return engine;
	fprintf(stderr, FUZZER ": %s\n", fault.message);
	exit(EXIT_FAILURE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size); /* what libFuzzer calls */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static crux_engine *engine; /* one for all inputs: starting it takes longer than they do */
	if (!engine)
		engine = start();
	crux_fault fault;
	steps = 0;
	input given = {(const char *)data, size};
	if (crux_engine_call(engine, try_bytes, &given, &fault))
		return 0;
	fprintf(stderr, FUZZER ": %s\n", fault.message);
	abort();
}
