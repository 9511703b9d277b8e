/* libcrux.process: the version of crux, the time, and other runs of crux. */
#include <errno.h>
#include <lauxlib.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/note.h"
#include "crux.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "port/port.h"

/* seconds() -> seconds since some point in the past, by a clock that nobody sets */
static int process_seconds(lua_State *L)
{
	lua_pushnumber(L, crux_clock_now());
	return 1;
}

/* time() -> seconds since 1970, with fractions, by the clock that people set */
static int process_time(lua_State *L)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	lua_pushnumber(L, (double)now.tv_sec + 1e-9 * (double)now.tv_nsec);
	return 1;
}

/* sleep(seconds): waits that long, or until a signal comes */
static int process_sleep(lua_State *L)
{
	lua_Number const seconds = luaL_checknumber(L, 1);
	luaL_argcheck(L, seconds >= 0 && seconds < 1e6, 1, "a time from 0 to 1e6");
	struct timespec const pause = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
	nanosleep(&pause, NULL);
	return 0;
}

/* run(words) -> the exit status of crux with these words, in a process of its own; 128 more than the signal that ended it; or
 * nil and a message */
static int process_run(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_Unsigned const count = lua_rawlen(L, 1);
	luaL_argcheck(L, count < 10000, 1, "fewer words");
	luaL_checkstack(L, (int)count + 1, "too many words");
	char **const words = lua_newuserdatauv(L, (count + 2) * sizeof *words, 0);
	words[0] = (char[]){"crux"};
	for (lua_Unsigned i = 1; i <= count; i++) {
		lua_rawgeti(L, 1, (lua_Integer)i);
		words[i] = (char *)(uintptr_t)luaL_checkstring(L, -1);
	}
	words[count + 1] = NULL;
	pid_t process;
	int status;
	int const error = crux_port_start_program(&process, words);
	if (error != 0)
		return crux_fail(L, strerror(error));
	while (waitpid(process, &status, 0) < 0)
		if (errno != EINTR)
			return crux_fail(L, strerror(errno));
	lua_pushinteger(L, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return 1;
}

/* note(number) -> true if the answer is wanted soon: tells whoever gave an item to this worker, if it is a process, how far it is */
static int process_note(lua_State *L)
{
	lua_Integer const number = luaL_checkinteger(L, 1);
	luaL_argcheck(L, number >= 0 && number <= INT_MAX, 1, "0 to 2147483647");
	lua_pushboolean(L, crux_note((int)number));
	return 1;
}

CRUX_TABLE(functions,
	{"seconds", process_seconds},
	{"time",    process_time},
	{"sleep",   process_sleep},
	{"run",     process_run},
	{"note",    process_note})

int crux_open_process(lua_State *L)
{
	luaL_newlib(L, functions);
	crux_set_string(L, "version", CRUX_VERSION);
	return 1;
}
