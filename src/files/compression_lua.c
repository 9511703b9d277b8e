/* libcrux.compression: texts as the bytes of compressed files, and texts of compressed data; see compression.h. */
#include <lauxlib.h>

#include "files/compression.h"
#include "lua/binding.h"
#include "lua/modules.h"

#define TYPE "crux.compression"

/* open(path) -> what compresses a file of that name; false for a name of plain files; nil and a message */
static int compression_open(lua_State *L)
{
	const char *const path = luaL_checkstring(L, 1);
	crux_compression_kind const kind = crux_compression_of(path);
	if (kind == CRUX_PLAIN) {
		lua_pushboolean(L, 0);
		return 1;
	}
	crux_compression **const slot = crux_handle_new(L, TYPE, sizeof *slot, 0);
	crux_fault fault;
	*slot = crux_compression_new(kind, false, &fault);
	if (*slot)
		return 1;
	lua_pushnil(L);
	lua_pushfstring(L, "%s: %s", path, fault.message);
	return 2;
}

/* Pushes the bytes that a text adds to the file. */
static int run(lua_State *L, const char *text, size_t left, bool is_last)
{
	enum { ROOM = 1 << 14 };
	crux_compression *const c = *(crux_compression **)crux_handle_check(L, 1, TYPE, "the file was closed");
	luaL_Buffer buffer;
	crux_fault fault;
	luaL_buffinit(L, &buffer);
	for (ssize_t written = ROOM; written == ROOM || left > 0;) {
		char *const room = luaL_prepbuffsize(&buffer, ROOM);
		written = crux_compression_run(c, &text, &left, is_last, room, ROOM, &fault);
		if (written < 0)
			return luaL_error(L, "%s", fault.message);
		luaL_addsize(&buffer, (size_t)written);
	}
	luaL_pushresult(&buffer);
	return 1;
}

/* c:add(text) -> bytes for the file */
static int compression_add(lua_State *L)
{
	size_t length;
	const char *const text = luaL_checklstring(L, 2, &length);
	return run(L, text, length, false);
}

/* c:finish() -> its last bytes */
static int compression_finish(lua_State *L) { return run(L, "", 0, true); }

/* decompress(kind, bytes, length) -> the text of compressed data, which is to have that length; or nil and a message; the kind is
 * "zlib", "gzip" or "zstd" */
static int compression_decompress(lua_State *L)
{
	static const char *const kinds[] = { "zlib", "gzip", "zstd", NULL };
	crux_compression_kind const kind = luaL_checkoption(L, 1, NULL, kinds) == 2 ? CRUX_ZSTD_KIND : CRUX_GZIP;
	size_t left;
	const char *bytes = luaL_checklstring(L, 2, &left);
	size_t const length = (size_t)luaL_checkinteger(L, 3);
	crux_compression **const slot = crux_handle_new(L, TYPE, sizeof *slot, 0);
	crux_fault fault;
	*slot = crux_compression_new(kind, true, &fault);
	if (!*slot)
		return crux_fail(L, fault.message);
	size_t used = 0;
	char *const text = lua_newuserdatauv(L, length + 1, 0); /* a byte more, to notice that there is more */
	for (ssize_t written = 1; written > 0 && used <= length; used += written > 0 ? (size_t)written : 0) {
		written = crux_compression_run(*slot, &bytes, &left, false, text + used, length + 1 - used, &fault);
		if (written < 0)
			return crux_fail(L, fault.message);
	}
	if (used != length || !crux_compression_is_complete(*slot)) {
		lua_pushnil(L);
		lua_pushfstring(L, "found %s %I bytes, expected %I", used > length ? "more than" : "only",
			(LUAI_UACINT)(used > length ? length : used), (LUAI_UACINT)length);
		return 2;
	}
	lua_pushlstring(L, text, length);
	return 1;
}

CRUX_RELEASE(compression_release, TYPE, crux_compression_free)

CRUX_TABLE(methods,
	{"add",    compression_add},
	{"finish", compression_finish},
	{"__gc",   compression_release})

CRUX_TABLE(functions,
	{"decompress", compression_decompress},
	{"open",       compression_open})

CRUX_TYPE_LIBRARY(compression, TYPE)
