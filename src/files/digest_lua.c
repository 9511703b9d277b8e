/* libcrux.digest: digests of texts and of files; see digest.h. */
#include <lauxlib.h>

#include "files/digest.h"
#include "lua/binding.h"
#include "lua/modules.h"

/* text(text) -> 32 hexadecimal digits */
static int digest_text(lua_State *L)
{
	size_t size;
	const char *const text = luaL_checklstring(L, 1, &size);
	char digest[33];
	crux_digest(text, size, digest);
	lua_pushstring(L, digest);
	return 1;
}

/* file(path) -> 32 hexadecimal digits of its content; or nil and a message */
static int digest_file(lua_State *L)
{
	char digest[33];
	crux_fault fault;
	if (!crux_digest_file(luaL_checkstring(L, 1), digest, &fault))
		return crux_fail(L, fault.message);
	lua_pushstring(L, digest);
	return 1;
}

static const luaL_Reg functions[] = {
	{"text", digest_text},
	{"file", digest_file},
	{NULL,   NULL},
};

CRUX_LIBRARY(digest)
