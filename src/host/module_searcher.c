/* The searcher with which require finds the engine's Lua modules. */
#include "host/module_searcher.h"

#include <errno.h>
#include <lauxlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/bytes.h"
#include "port/port.h"

extern const char lua_ident[] __attribute__((weak)); /* the program that loads the plugin may hide it */

typedef struct piece {
	const char *bytes;
	size_t size;
} piece;

/* A lua_Reader of pieces; the last has no bytes. */
static const char *read_piece(lua_State *L, void *data, size_t *size)
{
	(void)L;
	const piece *const next = (*(const piece **)data)++;
	*size = next->size;
	return next->bytes;
}

/* Loads a compiled module under a chunk name of less than 16,383 bytes, as paths are; see lua_load. */
static int load_compiled(lua_State *L, const crux_compiled_module *module, const char *chunk)
{
	const char *const bytes = (const char *)module->bytes;
	size_t const length = strlen(chunk) + 1;
	char const size[] = {(char)(length >> 7), (char)((length & 0x7f) | 0x80)}; /* seven bits each, the last is marked */
	piece const pieces[] = {
	    {bytes, CRUX_DUMP_NAME},
	    {size, sizeof size},
	    {chunk, length - 1},
	    {bytes + CRUX_DUMP_NAME + 1, module->size - CRUX_DUMP_NAME - 1},
	    {NULL, 0},
	};
	const piece *next = pieces;
	return lua_load(L, read_piece, &next, chunk, "b");
}

static const crux_compiled_module *find_compiled(const crux_compiled_modules *compiled, const crux_bytes *source)
{
	if (!lua_ident || strcmp(lua_ident, compiled->release) != 0)
		return NULL;
	uint64_t const hash = XXH3_64bits(source->data, source->size);
	for (size_t i = 0; i < compiled->count; i++)
		if (compiled->modules[i].hash == hash)
			return &compiled->modules[i];
	return NULL;
}

/* Pushes the function of a module, or a message and returns the status of lua_load. */
static int load(lua_State *L, const crux_compiled_module *module, const crux_bytes *source, const char *chunk)
{
	if (module && load_compiled(L, module, chunk) == LUA_OK)
		return LUA_OK;
	return luaL_loadbufferx(L, source->data, source->size, chunk, "t");
}

static bool is_bytecode(const crux_bytes *source)
{
	return crux_port_has_bytecode_files() && source->size > CRUX_DUMP_NAME &&
	       memcmp(source->data, LUA_SIGNATURE, strlen(LUA_SIGNATURE)) == 0;
}

/* Returns the function and the path of a module, or nothing if its file is not there or, if it must, was not compiled. */
static int load_file(lua_State *L, const crux_compiled_modules *compiled, const char *name, const char *chunk, bool must)
{
	crux_bytes source = {0};
	if (!crux_bytes_read(&source, chunk + 1))
		return errno == ENOENT ? 0 : luaL_error(L, "%s: %s", chunk + 1, strerror(errno));
	crux_compiled_module const whole = {0, source.size, (const unsigned char *)source.data};
	const crux_compiled_module *const module = is_bytecode(&source) ? &whole : find_compiled(compiled, &source);
	bool const is_taken = module || !must;
	int const status = is_taken ? load(L, module, &source, chunk) : LUA_OK;
	crux_bytes_free(&source);
	if (status != LUA_OK)
		return luaL_error(L, "error loading module '%s' from file '%s':\n\t%s", name, chunk + 1, lua_tostring(L, -1));
	lua_pushstring(L, chunk + 1);
	return is_taken ? 2 : 0;
}

/* Returns a module of another project, such as argparse, if the file that Lua finds was compiled; else Lua loads it. */
static int search_elsewhere(lua_State *L, const crux_compiled_modules *compiled, const char *name)
{
	lua_getglobal(L, "package");
	lua_getfield(L, -1, "searchpath");
	lua_pushstring(L, name);
	lua_getfield(L, -3, "path");
	lua_call(L, 2, 1);
	return lua_isnil(L, -1) ? 0 : load_file(L, compiled, name, lua_pushfstring(L, "@%s", lua_tostring(L, -1)), true);
}

/* searcher(name) -> the function of a module and its path, or nothing. Upvalues: home, compiled modules. */
static int search(lua_State *L)
{
	static const char *const chunks[] = {"@%s/lua/%s.lua", "@%s/lua/%s/init.lua"};
	const crux_compiled_modules *const compiled = lua_touserdata(L, lua_upvalueindex(2));
	const char *const name = luaL_checkstring(L, 1);
	if (strncmp(name, "crux.", strlen("crux.")) != 0)
		return search_elsewhere(L, compiled, name);
	lua_settop(L, 1);
	const char *const file = luaL_gsub(L, name, ".", "/");
	for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
		int const results = load_file(L, compiled, name,
		                              lua_pushfstring(L, chunks[i], lua_tostring(L, lua_upvalueindex(1)), file), false);
		if (results > 0)
			return results;
	}
	return luaL_error(L, "module '%s' not found:\n\tno file '%s'\n\tno file '%s'", name, lua_tostring(L, 3) + 1,
	                  lua_tostring(L, 4) + 1);
}

void crux_module_searcher_add(lua_State *L, const char *home, const crux_compiled_modules *compiled)
{
	lua_getglobal(L, "package");
	lua_getfield(L, -1, "searchers");
	for (lua_Integer i = luaL_len(L, -1); i >= 2; i--) { /* the first finds what is preloaded */
		lua_rawgeti(L, -1, i);
		lua_rawseti(L, -2, i + 1);
	}
	lua_pushstring(L, home);
	lua_pushlightuserdata(L, (void *)(uintptr_t)compiled);
	lua_pushcclosure(L, search, 2);
	lua_rawseti(L, -2, 2);
	lua_getfield(L, -2, "loaded");
	lua_pushstring(L, home);
	lua_setfield(L, -2, "libcrux.home");
	lua_pop(L, 3);
}
