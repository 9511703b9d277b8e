/* libcrux.system: the few services of the operating system that stock Lua lacks. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <lauxlib.h>
#include <limits.h>
#include <locale.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/executor.h"
#include "base/temporaries.h"
#include "crux.h"
#include "files/input.h"
#include "lua/binding.h"
#include "lua/modules.h"

#define FOLDER_TYPE "crux.folder"

/* is_terminal(file) -> boolean, for an open Lua file. Never so with an executor of MPI: mpirun gives its processes terminals
 * whatever its own streams are. */
static int system_is_terminal(lua_State *L)
{
	luaL_Stream const *stream = luaL_checkudata(L, 1, LUA_FILEHANDLE);
	luaL_argcheck(L, stream->closef, 1, "closed file");
	bool const is_local = lua_getfield(L, LUA_REGISTRYINDEX, CRUX_EXECUTOR_KEY) == LUA_TNIL;
	lua_pushboolean(L, is_local && isatty(fileno(stream->f)));
	return 1;
}

/* columns(file) -> how many characters a line of the terminal has that an open Lua file is, or nil if nobody knows */
static int system_columns(lua_State *L)
{
	luaL_Stream const *stream = luaL_checkudata(L, 1, LUA_FILEHANDLE);
	struct winsize size;
	luaL_argcheck(L, stream->closef, 1, "closed file");
	if (ioctl(fileno(stream->f), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return 0;
	lua_pushinteger(L, size.ws_col);
	return 1;
}

/* is_utf8() -> whether terminals show more than ASCII, as far as the environment tells */
static int system_is_utf8(lua_State *L)
{
	locale_t const locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	lua_pushboolean(L, locale && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0);
	if (locale)
		freelocale(locale);
	return 1;
}

static int close_stream(lua_State *L)
{
	luaL_Stream *stream = luaL_checkudata(L, 1, LUA_FILEHANDLE);
	return luaL_fileresult(L, fclose(stream->f) == 0, NULL);
}

/* A new Lua file on top of the stack, closed as yet. */
static luaL_Stream *push_stream(lua_State *L)
{
	luaL_Stream *stream = lua_newuserdatauv(L, sizeof *stream, 0);
	stream->closef = NULL;
	luaL_setmetatable(L, LUA_FILEHANDLE);
	return stream;
}

/* open_input(path) -> an open file to read from, as crux_input_descriptor opens it; or nil and a message */
static int system_open_input(lua_State *L)
{
	const char *const path = luaL_checkstring(L, 1);
	luaL_Stream *stream = push_stream(L);
	int const descriptor = crux_input_descriptor(path, CRUX_INPUT_PATIENCE);
	stream->f = descriptor < 0 ? NULL : fdopen(descriptor, "rb");
	if (!stream->f) {
		int const error = errno;
		if (descriptor >= 0)
			close(descriptor);
		lua_pushnil(L);
		lua_pushfstring(L, "%s: %s", path, strerror(error));
		return 2;
	}
	stream->closef = close_stream;
	return 1;
}

/* Opens path.PID.1, path.PID.2, ... for writing, the first that does not exist, with the permissions that `path` has or
 * would get. Pushes its name. Returns the descriptor or -1. */
static int open_beside(lua_State *L, const char *path)
{
	struct stat status;
	bool const exists = stat(path, &status) == 0;
	int descriptor = -1;
	for (int i = 1; i < 1000 && descriptor < 0; i++) {
		lua_settop(L, 3);
		char const *const name = lua_pushfstring(L, "%s.%d.%d", path, (int)getpid(), i);
		descriptor = open(name, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (descriptor < 0 && errno != EEXIST)
			break;
	}
	if (descriptor >= 0 && exists)
		fchmod(descriptor, status.st_mode & 07777);
	return descriptor;
}

/* create_beside(path) -> a file open for appending in the folder of path; a temporary, to be given to rename or remove; and the name for
 * rename (path, or what it links to); or nil and a message */
static int system_create_beside(lua_State *L)
{
	const char *const path = luaL_checkstring(L, 1);
	char resolved[PATH_MAX];
	lua_settop(L, 1);
	luaL_Stream *stream = push_stream(L);
	lua_pushstring(L, realpath(path, resolved) ? resolved : path);
	int const descriptor = open_beside(L, lua_tostring(L, 3));
	const char *const name = lua_tostring(L, 4);
	crux_temporary *const temporary = descriptor < 0 ? NULL : crux_temporary_new(name);
	stream->f = temporary ? fdopen(descriptor, "w") : NULL;
	if (!stream->f) {
		int const error = errno;
		if (temporary)
			crux_temporary_remove(temporary);
		else if (descriptor >= 0)
			unlink(name);
		if (descriptor >= 0)
			close(descriptor);
		lua_pushnil(L);
		lua_pushfstring(L, "%s: %s", path, strerror(error));
		return 2;
	}
	stream->closef = close_stream;
	lua_pushlightuserdata(L, temporary);
	lua_replace(L, 4);
	lua_rotate(L, 3, 1);
	return 3;
}

static crux_temporary *check_temporary(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TLIGHTUSERDATA);
	return lua_touserdata(L, 1);
}

/* keep(temporary) */
static int system_keep(lua_State *L)
{
	crux_temporary_keep(check_temporary(L));
	return 0;
}

/* rename(temporary, path) -> true, or nil and a message, and the temporary is what it was */
static int system_rename(lua_State *L)
{
	const char *const path = luaL_checkstring(L, 2);
	return luaL_fileresult(L, crux_temporary_rename(check_temporary(L), path), path);
}

/* remove(temporary) */
static int system_remove(lua_State *L)
{
	crux_temporary_remove(check_temporary(L));
	return 0;
}

/* is_regular(path) -> true for a plain file, false for anything else that exists, nil where nothing does */
static int system_is_regular(lua_State *L)
{
	struct stat status;
	if (stat(luaL_checkstring(L, 1), &status) == 0)
		lua_pushboolean(L, S_ISREG(status.st_mode));
	else
		lua_pushnil(L);
	return 1;
}

/* resolve(path) -> the path without links and dots; nil where nothing is */
static int system_resolve(lua_State *L)
{
	char resolved[PATH_MAX];
	lua_pushstring(L, realpath(luaL_checkstring(L, 1), resolved));
	return 1;
}

/* list(folder) -> the names in it, in no order; nil and a message when it is none */
static int system_list(lua_State *L)
{
	const char *const path = luaL_checkstring(L, 1);
	DIR **slot = lua_newuserdatauv(L, sizeof *slot, 0);
	*slot = NULL;
	luaL_setmetatable(L, FOLDER_TYPE); /* closes it whatever happens */
	*slot = opendir(path);
	if (!*slot) {
		lua_pushnil(L);
		lua_pushfstring(L, "%s: %s", path, strerror(errno));
		return 2;
	}
	lua_newtable(L);
	lua_Integer count = 0;
	for (struct dirent const *entry; (entry = readdir(*slot));) {
		lua_pushstring(L, entry->d_name);
		lua_rawseti(L, -2, ++count);
	}
	return 1;
}

static int close_folder(lua_State *L)
{
	DIR **slot = luaL_checkudata(L, 1, FOLDER_TYPE);
	if (*slot)
		closedir(*slot);
	*slot = NULL;
	return 0;
}

/* sync(file) -> true when what was flushed to an open Lua file is on the disk; or nil and a message */
static int system_sync(lua_State *L)
{
	luaL_Stream const *stream = luaL_checkudata(L, 1, LUA_FILEHANDLE);
	luaL_argcheck(L, stream->closef, 1, "closed file");
	return luaL_fileresult(L, fsync(fileno(stream->f)) == 0, NULL);
}

/* seconds() -> the time since some point in the past, by a clock that nobody sets */
static int system_seconds(lua_State *L)
{
	lua_pushnumber(L, crux_clock_now());
	return 1;
}

/* stamp(path) -> a text that is another one when the file was written or replaced; nil where there is none */
static int system_stamp(lua_State *L)
{
	struct stat status;
	if (stat(luaL_checkstring(L, 1), &status) != 0)
		return 0;
	lua_pushfstring(L, "%I %I %I %I", (LUAI_UACINT)status.st_mtim.tv_sec, (LUAI_UACINT)status.st_mtim.tv_nsec,
	                (LUAI_UACINT)status.st_size, (LUAI_UACINT)status.st_ino);
	return 1;
}

/* run_crux(words) -> the exit status of crux with these words in a process of its own, 128 more than the signal that ended it;
 * or nil and a message */
static int system_run_crux(lua_State *L)
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
	int const error = posix_spawn(&process, "/proc/self/exe", NULL, NULL, words, environ);
	if (error != 0)
		return crux_fail(L, strerror(error));
	while (waitpid(process, &status, 0) < 0)
		if (errno != EINTR)
			return crux_fail(L, strerror(errno));
	lua_pushinteger(L, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return 1;
}

/* sleep(seconds): until then, or a signal */
static int system_sleep(lua_State *L)
{
	lua_Number const seconds = luaL_checknumber(L, 1);
	luaL_argcheck(L, seconds >= 0 && seconds < 1e6, 1, "a time from 0 to 1e6");
	struct timespec const pause = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
	nanosleep(&pause, NULL);
	return 0;
}

/* make_folder(path) -> a temporary, to be given to keep or remove, if it is new; true if it was there; or nil and a message */
static int system_make_folder(lua_State *L)
{
	const char *const path = luaL_checkstring(L, 1);
	struct stat status;
	if (mkdir(path, 0777) != 0)
		return luaL_fileresult(L, errno == EEXIST && stat(path, &status) == 0 && S_ISDIR(status.st_mode), path);
	crux_temporary *const temporary = crux_temporary_new(path);
	if (!temporary) {
		rmdir(path);
		return luaL_error(L, "not enough memory");
	}
	lua_pushlightuserdata(L, temporary);
	return 1;
}

/* can_write(file) -> whether an open Lua file is open for writing; standard output may have been closed */
static int system_can_write(lua_State *L)
{
	luaL_Stream const *stream = luaL_checkudata(L, 1, LUA_FILEHANDLE);
	luaL_argcheck(L, stream->closef, 1, "closed file");
	int const flags = fcntl(fileno(stream->f), F_GETFL);
	lua_pushboolean(L, flags >= 0 && (flags & O_ACCMODE) != O_RDONLY);
	return 1;
}

/* allow_files(count) -> how many further files can be open at the same time: count, or as many as the system permits */
static int system_allow_files(lua_State *L)
{
	lua_Integer const count = luaL_checkinteger(L, 1);
	rlim_t const others = 64; /* scripts, data, libraries */
	struct rlimit limit;
	luaL_argcheck(L, count >= 0, 1, "negative");
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return luaL_fileresult(L, false, NULL);
	if (limit.rlim_cur < (rlim_t)count + others) {
		limit.rlim_cur = limit.rlim_max < (rlim_t)count + others ? limit.rlim_max : (rlim_t)count + others;
		setrlimit(RLIMIT_NOFILE, &limit);
		getrlimit(RLIMIT_NOFILE, &limit);
	}
	rlim_t const free_ones = limit.rlim_cur > others ? limit.rlim_cur - others : 0;
	lua_pushinteger(L, free_ones < (rlim_t)count ? (lua_Integer)free_ones : count);
	return 1;
}

static const luaL_Reg functions[] = {
	{"list",          system_list},
	{"make_folder",   system_make_folder},
	{"sync",          system_sync},
	{"keep",          system_keep},
	{"is_terminal",   system_is_terminal},
	{"columns",       system_columns},
	{"is_utf8",       system_is_utf8},
	{"create_beside", system_create_beside},
	{"rename",        system_rename},
	{"remove",        system_remove},
	{"can_write",     system_can_write},
	{"allow_files",   system_allow_files},
	{"open_input",    system_open_input},
	{"is_regular",    system_is_regular},
	{"resolve",       system_resolve},
	{"seconds",       system_seconds},
	{"run_crux",      system_run_crux},
	{"stamp",         system_stamp},
	{"sleep",         system_sleep},
	{"limit_bytes",   crux_limit_bytes},
	{NULL,            NULL},
};

int crux_open_system(lua_State *L)
{
	luaL_newmetatable(L, FOLDER_TYPE);
	lua_pushcfunction(L, close_folder);
	lua_setfield(L, -2, "__gc");
	luaL_newlib(L, functions);
	lua_pushliteral(L, CRUX_VERSION);
	lua_setfield(L, -2, "version");
	return 1;
}
