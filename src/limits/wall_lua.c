/* libcrux.wall: the filter of system calls (wall.h), and probes of it. */
#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/executor.h"
#include "limits/wall.h"
#include "lua/binding.h"
#include "lua/modules.h"

/* Closes the descriptor and returns 0; returns errno if it is negative. */
static int opened(int descriptor)
{
	if (descriptor < 0)
		return errno;
	close(descriptor);
	return 0;
}

static int write_file(void) { return opened(open("/dev/null", O_WRONLY | O_CLOEXEC)); }

static int make_file(void)
{
	static const char name[] = "crux-check-sandbox";
	int const error = opened(open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
	if (error == 0)
		unlink(name);
	return error;
}

static int start_process(void)
{
	pid_t const child = fork();
	if (child < 0)
		return errno;
	if (child == 0)
		_exit(0);
	waitpid(child, NULL, 0);
	return 0;
}

static int run_program(void)
{
	execl("", "", (char *)NULL);
	return errno == ENOENT ? 0 : errno; /* the call was allowed, and found no program */
}

static int open_socket(void) { return opened(socket(AF_INET, SOCK_STREAM, 0)); }

static int signal_other(void) { return kill(getppid(), 0) == 0 ? 0 : errno; }

/* Probes of the wall: each tries something that it prevents. */
static const struct {
	const char *what;
	int (*try)(void); /* does it, and undoes it; returns 0, or errno when it fails */
} probes[] = {
	{"open a file to write", write_file}, {"make a file", make_file},     {"start a process", start_process},
	{"run a program", run_program},       {"reach the network", open_socket}, {"signal another process", signal_other},
};

/* raise(socket) -> true; or nil and why not. A server names the socket on which it listens. Processes of MPI need sockets; their workers raise walls of their own. */
static int wall_raise(lua_State *L)
{
	lua_Integer const listening = luaL_optinteger(L, 1, -1);
	crux_fault fault;
	luaL_argcheck(L, listening >= -1 && listening <= INT_MAX, 1, "a descriptor");
	if (lua_getfield(L, LUA_REGISTRYINDEX, CRUX_EXECUTOR_KEY) != LUA_TNIL)
		return crux_fail(L, "processes of MPI talk to each other: it stands around their workers");
	if (!crux_wall_raise_serving((int)listening, &fault))
		return crux_fail(L, fault.message);
	lua_pushboolean(L, true);
	return 1;
}

/* probes() -> a list of { what, message }: tries what the wall prevents; message is why that failed, nil if it did not */
static int wall_probes(lua_State *L)
{
	lua_createtable(L, (int)sizeof probes / sizeof *probes, 0);
	for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
		int const error = probes[i].try();
		lua_createtable(L, 2, 0);
		lua_pushstring(L, probes[i].what);
		lua_rawseti(L, -2, 1);
		if (error != 0) {
			lua_pushstring(L, strerror(error));
			lua_rawseti(L, -2, 2);
		}
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

CRUX_TABLE(functions,
	{"raise",    wall_raise},
	{"probes", wall_probes})

int crux_open_wall(lua_State *L)
{
	luaL_newlib(L, functions);
	crux_set_string(L, "missing", crux_wall_missing); /* nil if this build has a wall */
	return 1;
}
