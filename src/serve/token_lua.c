/* libcrux.token: tokens of players; see token.h. */
#include <lauxlib.h>

#include "lua/binding.h"
#include "lua/modules.h"
#include "serve/token.h"

/* new() -> 32 random hexadecimal digits; or nil and a message */
static int new_token(lua_State *L)
{
	char token[CRUX_TOKEN_DIGITS + 1];
	crux_fault fault;
	if (!crux_token_new(token, &fault))
		return crux_fail(L, fault.message);
	lua_pushstring(L, token);
	return 1;
}

/* digest(text) -> its SHA-256, 64 hexadecimal digits */
static int token_digest(lua_State *L)
{
	size_t size;
	const char *const text = luaL_checklstring(L, 1, &size);
	char digest[CRUX_SHA256_DIGITS + 1];
	crux_sha256(text, size, digest);
	lua_pushstring(L, digest);
	return 1;
}

static const luaL_Reg functions[] = {
	{"new",    new_token},
	{"digest", token_digest},
	{NULL,     NULL},
};

CRUX_LIBRARY(token)
