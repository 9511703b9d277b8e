/* Runs a Lua file inside an engine, for the tests that are written in Lua: lua_host FILE.lua [WORD...]. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/engine.h"
#include "host/workers.h"

typedef struct command_line {
	int count;
	char **words;
	crux_engine *engine;
	int status;
} command_line;

static void redirect(const char *path, int flags, int descriptor)
{
	int const opened = path ? open(path, flags, 0666) : descriptor;
	if (opened < 0 || dup2(opened, descriptor) < 0)
		_exit(126);
}

/* crux(words, folder, input, output, errors) -> exit status, 128 more than the signal that ended it. Runs a command line as the
 * program does, in a copy of this process, which has compiled the engine's modules already. folder and input may
 * be nil. */
static int host_crux(lua_State *L)
{
	crux_engine *engine = lua_touserdata(L, lua_upvalueindex(1));
	const char *const folder = luaL_optstring(L, 2, "."), *const input = luaL_optstring(L, 3, NULL);
	const char *const output = luaL_checkstring(L, 4), *const errors = luaL_checkstring(L, 5);
	crux_engine_push(L, "crux.cli", "main");
	lua_pushvalue(L, 1);
	fflush(NULL);
	pid_t const child = fork();
	if (child == 0) {
		redirect(output, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
		redirect(errors, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
		if (chdir(folder) != 0)
			_exit(126);
		redirect(input, O_RDONLY, STDIN_FILENO);
		signal(SIGPIPE, SIG_IGN);
		int status = lua_pcall(L, 1, 1, 0) == LUA_OK ? (int)lua_tointeger(L, -1) : EXIT_FAILURE;
		crux_fault fault;
		int const stopped = crux_engine_stopped(engine, &fault);
		if (stopped)
			fprintf(stderr, "%s\n", fault.message);
		exit(stopped ? stopped : status);
	}
	int status = 0;
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return luaL_error(L, "no process");
	lua_pushinteger(L, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return 1;
}

/* exchange(port, request) -> what a server of this machine answers until it closes the connection; "" without a server. */
static int host_exchange(lua_State *L)
{
	size_t size;
	const char *const request = luaL_checklstring(L, 2, &size);
	struct sockaddr_in const at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)luaL_checkinteger(L, 1)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int const connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char part[4096];
	luaL_Buffer answer;
	luaL_buffinit(L, &answer);
	if (connect(connection, (const struct sockaddr *)&at, sizeof at) == 0 &&
	    send(connection, request, size, MSG_NOSIGNAL) == (ssize_t)size)
		for (ssize_t got; (got = recv(connection, part, sizeof part, 0)) > 0;)
			luaL_addlstring(&answer, part, (size_t)got);
	close(connection);
	luaL_pushresult(&answer);
	return 1;
}

static int run(lua_State *L)
{
	command_line *line = lua_touserdata(L, 1);
	crux_workers_preload(L, NULL);
	luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
	lua_newtable(L);
	lua_pushlightuserdata(L, line->engine);
	lua_pushcclosure(L, host_crux, 1);
	lua_setfield(L, -2, "crux");
	lua_pushcfunction(L, host_exchange);
	lua_setfield(L, -2, "exchange");
	lua_setfield(L, -2, "host");
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
	crux_engine *engine = argc > 1 ? crux_engine_new(NULL, &fault) : NULL;
	command_line line = {argc, argv, engine, EXIT_FAILURE};
	if (!engine || !crux_engine_call(engine, run, &line, &fault))
		printf("lua_host: %s\n", fault.message);
	crux_engine_free(engine);
	return line.status;
}
