/* The command line of crux: lua/crux/cli does the work. */
#include "host/command_line.h"

#include <fcntl.h>
#include <lauxlib.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/engine.h"
#include "host/workers.h"

typedef struct command_line {
	int count;
	char **words;
	crux_executor const *executor;
	int status;
} command_line;

static int run(lua_State *L)
{
	command_line *line = lua_touserdata(L, 1);
	crux_workers_preload(L, line->executor);
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

/* Whoever starts the program may have closed the standard streams; a file opened later must not take their place. */
static void occupy_standard_streams(void)
{
	for (int descriptor = 0; descriptor < 3; descriptor++)
		if (fcntl(descriptor, F_GETFD) < 0)
			open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY); /* using it fails, as on a closed one */
}

enum { PAD = 1 << 20, KEPT = 1 << 26, MAPPED = 1 << 22 }; /* bytes */

/* Threads ask the kernel for memory page by page, and wait for one another there, unless they get much at a time and keep
 * it. What Lua frees, by the hundred thousand, is put together at once: that takes a third less time. */
static void keep_memory(void)
{
	mallopt(M_TOP_PAD, PAD);
	mallopt(M_TRIM_THRESHOLD, KEPT);
	mallopt(M_MMAP_THRESHOLD, MAPPED);
	mallopt(M_MXFAST, 0);
}

int crux_command_line_run(int count, char **words, const crux_executor *executor)
{
	crux_fault fault;
	command_line line = {count, words, executor, EXIT_FAILURE};
	occupy_standard_streams();
	signal(SIGPIPE, SIG_IGN); /* writing to a closed pipe fails, and is told */
	keep_memory();
	crux_engine *engine = crux_engine_new(NULL, &fault);
	bool const done = engine && crux_engine_call(engine, run, &line, &fault);
	int const stopped = engine ? crux_engine_stopped(engine, &fault) : 0;
	if (!done || stopped)
		fprintf(stderr, "%s%s\n", stopped ? "" : "crux: ", fault.message);
	if (stopped)
		line.status = stopped;
	crux_engine_free(engine);
	return line.status;
}
