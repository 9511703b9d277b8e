/* libcrux.files: files, folders and temporary files, as far as stock Lua lacks them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/temporaries.h"
#include "files/file_lock.h"
#include "files/input.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "port/port.h"

/* Temporary files beside the file that they become have names TARGET.crux-PROCESS-NUMBER. Such a file is locked (flock) while the
 * process that made it has it open, so that other processes tell a file in use from one that a killed process has left. */
static const char mark[] = ".crux-";

/* Locks the open file. Returns false if another process has the lock, or has removed the file: it took it for that of a killed
 * process before it was locked. */
static bool claim(int file)
{
	struct stat status;
	if (flock(file, LOCK_EX | LOCK_NB) != 0)
		return errno != EWOULDBLOCK;
	return fstat(file, &status) != 0 || status.st_nlink > 0;
}

/* Makes a temporary file for `path`, open for appending, with the permissions that `path` has or would get. Its name, of at most
 * `size` bytes, goes to `name`. Returns the descriptor, or -1 with errno. Where the file system has no locks the file has none. */
static int open_temporary(const char *path, char *name, size_t size)
{
	struct stat status;
	bool const exists = stat(path, &status) == 0;
	for (int i = 1; i < 1000; i++) {
		if ((size_t)snprintf(name, size, "%s%s%d-%d", path, mark, (int)getpid(), i) >= size) {
			errno = ENAMETOOLONG;
			return -1;
		}
		int const file = open(name, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (file < 0 && errno != EEXIST)
			return -1;
		if (file >= 0 && claim(file)) {
			if (exists)
				fchmod(file, status.st_mode & 07777);
			return file;
		}
		if (file >= 0)
			close(file);
	}
	errno = EEXIST;
	return -1;
}

/* True for a name that ends as those of temporary files do. */
static bool is_temporary(const char *name)
{
	static const char digits[] = "0123456789";
	char const *end = NULL;
	for (char const *at = name; (at = strstr(at, mark)); at = end)
		end = at + strlen(mark);
	size_t const process = end ? strspn(end, digits) : 0;
	if (process == 0 || end[process] != '-')
		return false;
	size_t const number = strspn(end + process + 1, digits);
	return number > 0 && end[process + 1 + number] == '\0';
}

/* Removes a file of the folder if its lock is free. Nobody else can put another file in its place between the check of the name
 * and the removal: each process locks a file first. */
static void remove_if_left(int folder, const char *name)
{
	struct stat opened, named;
	int const file = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (file < 0)
		return;
	bool const is_left = fstat(file, &opened) == 0 && S_ISREG(opened.st_mode) && opened.st_uid == geteuid() &&
	                     flock(file, LOCK_EX | LOCK_NB) == 0 && fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	                     named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
	if (is_left)
		unlinkat(folder, name, 0);
	close(file);
}

#define FOLDER_TYPE "crux.folder"

static int close_stream(lua_State *L)
{
	luaL_Stream *stream = luaL_checkudata(L, 1, LUA_FILEHANDLE);
	return luaL_fileresult(L, fclose(stream->f) == 0, NULL);
}

/* Pushes a Lua file, which is closed until `f` and `closef` are set. */
static luaL_Stream *push_stream(lua_State *L)
{
	luaL_Stream *stream = lua_newuserdatauv(L, sizeof *stream, 0);
	stream->closef = NULL;
	luaL_setmetatable(L, LUA_FILEHANDLE);
	return stream;
}

/* Closes the descriptor, if it is open, and returns nil and a message about the error before that. */
static int fail(lua_State *L, int descriptor, const char *path)
{
	int const error = errno;
	if (descriptor >= 0)
		close(descriptor);
	errno = error;
	return luaL_fileresult(L, false, path);
}

/* open_input(path) -> a file open for reading, as crux_input_descriptor opens it; or nil and a message */
static int files_open_input(lua_State *L)
{
	const char *const path = luaL_checkstring(L, 1);
	luaL_Stream *stream = push_stream(L);
	int const descriptor = crux_input_descriptor(path, CRUX_INPUT_PATIENCE);
	stream->f = descriptor < 0 ? NULL : fdopen(descriptor, "rb");
	if (!stream->f)
		return fail(L, descriptor, path);
	stream->closef = close_stream;
	return 1;
}

/* create_beside(path) -> a file open for appending in the folder of path; its temporary, for rename or remove; and the path for
 * rename: `path`, or the file that it links to. Or nil and a message. */
static int files_create_beside(lua_State *L)
{
	const char *const path = luaL_checkstring(L, 1);
	char resolved[PATH_MAX], name[PATH_MAX];
	lua_settop(L, 1);
	luaL_Stream *stream = push_stream(L);
	const char *const target = lua_pushstring(L, realpath(path, resolved) ? resolved : path);
	int const descriptor = open_temporary(target, name, sizeof name);
	crux_temporary *const temporary = descriptor < 0 ? NULL : crux_temporary_new(name);
	stream->f = temporary ? fdopen(descriptor, "w") : NULL;
	if (!stream->f) {
		int const error = errno;
		if (temporary)
			crux_temporary_remove(temporary);
		else if (descriptor >= 0)
			unlink(name);
		errno = error;
		return fail(L, descriptor, path);
	}
	stream->closef = close_stream;
	lua_pushlightuserdata(L, temporary);
	lua_insert(L, 3);
	return 3;
}

/* clean(path): removes the temporary files of killed processes from the folder of path: those of this user, on file systems with locks.
 * What cannot be read or removed stays. */
static int files_clean(lua_State *L)
{
	char const *const path = luaL_checkstring(L, 1), *const slash = strrchr(path, '/');
	lua_pushlstring(L, slash ? path : ".", slash ? (size_t)(slash - path) + 1 : 1);
	DIR *const folder = crux_port_has_locks() ? opendir(lua_tostring(L, -1)) : NULL;
	for (struct dirent const *entry; folder && (entry = readdir(folder));)
		if (is_temporary(entry->d_name))
			remove_if_left(dirfd(folder), entry->d_name);
	if (folder)
		closedir(folder);
	return 0;
}

/* make_folder(path) -> a temporary for keep or remove, if the folder is new; true if it existed; or nil and a message */
static int files_make_folder(lua_State *L)
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

static crux_temporary *check_temporary(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TLIGHTUSERDATA);
	return lua_touserdata(L, 1);
}

/* keep(temporary) */
static int files_keep(lua_State *L)
{
	crux_temporary_keep(check_temporary(L));
	return 0;
}

/* rename(temporary, path) -> true; or nil and a message, and the temporary is unchanged */
static int files_rename(lua_State *L)
{
	const char *const path = luaL_checkstring(L, 2);
	return luaL_fileresult(L, crux_temporary_rename(check_temporary(L), path), path);
}

/* remove(temporary) */
static int files_remove(lua_State *L)
{
	crux_temporary_remove(check_temporary(L));
	return 0;
}

/* is_regular(path) -> true for a regular file, false for anything else that exists, nil for nothing */
static int files_is_regular(lua_State *L)
{
	struct stat status;
	if (stat(luaL_checkstring(L, 1), &status) == 0)
		lua_pushboolean(L, S_ISREG(status.st_mode));
	else
		lua_pushnil(L);
	return 1;
}

/* resolve(path) -> the absolute path without links and dots; nil if nothing exists there */
static int files_resolve(lua_State *L)
{
	char resolved[PATH_MAX];
	lua_pushstring(L, realpath(luaL_checkstring(L, 1), resolved));
	return 1;
}

/* stamp(path) -> a text that changes when the file is written or replaced; nil if there is no file */
static int files_stamp(lua_State *L)
{
	struct stat status;
	if (stat(luaL_checkstring(L, 1), &status) != 0)
		return 0;
	struct timespec const changed = crux_port_changed(&status);
	lua_pushfstring(L, "%I %I %I %I", (LUAI_UACINT)changed.tv_sec, (LUAI_UACINT)changed.tv_nsec,
	                (LUAI_UACINT)status.st_size, (LUAI_UACINT)status.st_ino);
	return 1;
}

/* list(folder) -> the names in it, in no order; or nil and a message */
static int files_list(lua_State *L)
{
	const char *const path = luaL_checkstring(L, 1);
	DIR **slot = crux_handle_new(L, FOLDER_TYPE, sizeof *slot, 0); /* closes the folder when an error is raised, too */
	*slot = opendir(path);
	if (!*slot)
		return luaL_fileresult(L, false, path);
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
	DIR *const folder = crux_handle_take(L, FOLDER_TYPE);
	if (folder)
		closedir(folder);
	return 0;
}

/* sync(file) -> true when what was flushed to an open Lua file is on the disk; or nil and a message */
static int files_sync(lua_State *L)
{
	return luaL_fileresult(L, fsync(crux_check_descriptor(L)) == 0, NULL);
}

/* settle(file) -> true when the file system took what was flushed to an open Lua file; or nil and a message. Some network file
 * systems tell of a full disk only when a descriptor is closed, so a copy is closed; the file keeps its lock. */
static int files_settle(lua_State *L)
{
	int const copy = dup(crux_check_descriptor(L));
	return luaL_fileresult(L, copy >= 0 && close(copy) == 0, NULL);
}

/* lock(file) -> true; false if another process has the lock of the file; or nil and a message: see file_lock.h */
static int files_lock(lua_State *L)
{
	bool const is_locked = crux_file_lock(crux_check_descriptor(L));
	if (!is_locked && errno != EWOULDBLOCK)
		return luaL_fileresult(L, false, NULL);
	lua_pushboolean(L, is_locked);
	return 1;
}

/* can_write(file) -> whether an open Lua file is open for writing: false for a standard output that was closed at the start */
static int files_can_write(lua_State *L)
{
	int const flags = fcntl(crux_check_descriptor(L), F_GETFL);
	lua_pushboolean(L, flags >= 0 && (flags & O_ACCMODE) != O_RDONLY);
	return 1;
}

/* copy(from, to) -> true: appends an open Lua file, from its beginning, to another, and flushes that; or nil and a message. Takes no
 * memory. */
static int files_copy(lua_State *L)
{
	FILE *const from = ((luaL_Stream *)luaL_checkudata(L, 1, LUA_FILEHANDLE))->f;
	FILE *const to = ((luaL_Stream *)luaL_checkudata(L, 2, LUA_FILEHANDLE))->f;
	char bytes[4096];
	rewind(from);
	for (size_t size; (size = fread(bytes, 1, sizeof bytes, from)) > 0;)
		if (fwrite(bytes, 1, size, to) < size)
			return luaL_fileresult(L, false, NULL);
	return luaL_fileresult(L, !ferror(from) && fflush(to) == 0, NULL);
}

/* allow_files(count) -> the number of further files that can be open at the same time, at most `count` */
static int files_allow_files(lua_State *L)
{
	lua_Integer const count = luaL_checkinteger(L, 1);
	rlim_t const others = 64; /* files that scripts, data and libraries take */
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

CRUX_TABLE(folder_methods,
	{"__gc", close_folder})

CRUX_TABLE(functions,
	{"open_input",    files_open_input},
	{"create_beside", files_create_beside},
	{"clean",         files_clean},
	{"make_folder",   files_make_folder},
	{"keep",          files_keep},
	{"rename",        files_rename},
	{"remove",        files_remove},
	{"is_regular",    files_is_regular},
	{"resolve",       files_resolve},
	{"stamp",         files_stamp},
	{"list",          files_list},
	{"sync",          files_sync},
	{"settle",        files_settle},
	{"lock",          files_lock},
	{"can_write",     files_can_write},
	{"copy",          files_copy},
	{"allow_files",   files_allow_files})

int crux_open_files(lua_State *L)
{
	return crux_open_type(L, FOLDER_TYPE, folder_methods, functions);
}
