/* libcrux.digest: digests of texts and of files by XXH3, as 32 hexadecimal digits: 128 bits, so that contents that differ by accident
 * do not have the same digest. */
#include <errno.h>
#include <lauxlib.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "lua/binding.h"
#include "lua/modules.h"

enum { BLOCK = 1 << 16 }; /* bytes that are read at a time */

static int push(lua_State *L, XXH128_hash_t hash)
{
	char digits[33];
	snprintf(digits, sizeof digits, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
	lua_pushstring(L, digits);
	return 1;
}

/* text(text) -> its digest */
static int digest_text(lua_State *L)
{
	size_t size;
	const char *const text = luaL_checklstring(L, 1, &size);
	return push(L, XXH3_128bits(text, size));
}

/* file(path) -> the digest of its content; or nil and a message without the path */
static int digest_file(lua_State *L)
{
	FILE *const file = fopen(luaL_checkstring(L, 1), "rb");
	XXH3_state_t *const state = file ? XXH3_createState() : NULL;
	char block[BLOCK];
	if (state)
		XXH3_128bits_reset(state);
	for (size_t n; state && (n = fread(block, 1, sizeof block, file)) > 0;)
		XXH3_128bits_update(state, block, n);
	bool const is_read = state && !ferror(file);
	XXH128_hash_t const hash = is_read ? XXH3_128bits_digest(state) : (XXH128_hash_t){0};
	int const error = errno;
	XXH3_freeState(state);
	if (file)
		fclose(file);
	return is_read ? push(L, hash) : crux_fail(L, strerror(error));
}

CRUX_LIBRARY(digest,
	{"text", digest_text},
	{"file", digest_file})
