/* The command line of crux: lua/crux/cli does the work. */
#include "host/command_line.h"

#include <fcntl.h>
#include <lauxlib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/engine.h"
#include "host/workers.h"
#include "port/port.h"

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

/* Opens standard streams that were closed at the start, as a file that is opened later must not take their place. */
static void occupy_standard_streams(void)
{
	for (int descriptor = 0; descriptor < 3; descriptor++)
		if (fcntl(descriptor, F_GETFD) < 0)
			open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY); /* opened the wrong way, so that using it fails */
}

/* OpenBLAS, where it is the BLAS, would divide even small matrices among threads; crux's own workers use the processors. */
static void keep_blas_to_one_thread(void)
{
	void (*set_threads)(int);
	*(void **)&set_threads = crux_port_function(NULL, "openblas_set_num_threads");
	if (set_threads)
		set_threads(1);
}

int crux_command_line_run(int count, char **words, const crux_executor *executor)
{
	crux_fault fault;
	command_line line = {count, words, executor, EXIT_FAILURE};
	occupy_standard_streams();
	signal(SIGPIPE, SIG_IGN); /* writing to a closed pipe returns an error, which is reported */
	signal(SIGXFSZ, SIG_IGN); /* and so does writing a file that is longer than `ulimit -f` allows */
	crux_port_keep_memory();
	keep_blas_to_one_thread();
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
