/* Compiled modules replace only the source that they were compiled from, in the same release of Lua, and have its name. */
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/bytes.h"
#include "check.h"
#include "host/module_searcher.h"

static const char source[] = "return 'source'";
static char home[200], file[256];

static void write_file(const char *text, size_t size)
{
	FILE *const out = fopen(file, "wb");
	CHECK(out && fwrite(text, 1, size, out) == size && fclose(out) == 0);
}

static int append(lua_State *L, const void *bytes, size_t size, void *data)
{
	(void)L;
	crux_bytes *const out = data;
	CHECK(crux_bytes_reserve(out, size));
	memcpy(out->data + out->size, bytes, size);
	out->size += size;
	return 0;
}

/* The bytecode of a text, which the caller frees. */
static crux_bytes compiled(const char *text)
{
	crux_bytes out = {0};
	lua_State *const L = luaL_newstate();
	CHECK(luaL_loadbuffer(L, text, strlen(text), "") == LUA_OK && lua_dump(L, append, &out, false) == 0);
	lua_close(L);
	return out;
}

/* Requires a module with a table of one row, and compares what it returns or raises. Lua finds modules in the folder of `file`. */
static void expect_of(const char *module, crux_compiled_module row, const char *release, const char *expected)
{
	crux_compiled_modules const table = {release, 1, &row};
	lua_State *const L = luaL_newstate();
	luaL_openlibs(L);
	crux_module_searcher_add(L, home, &table);
	lua_getglobal(L, "package");
	lua_pushfstring(L, "%s/lua/crux/room/?.lua", home);
	lua_setfield(L, -2, "path");
	lua_getglobal(L, "require");
	lua_pushstring(L, module);
	lua_pcall(L, 1, 1, 0);
	const char *const found = lua_tostring(L, -1);
	CHECK(found && strcmp(found, expected) == 0);
	lua_pop(L, 1);
	lua_getfield(L, -1, "loaded");
	CHECK(lua_getfield(L, -1, "libcrux.home") == LUA_TSTRING && strcmp(lua_tostring(L, -1), home) == 0);
	lua_close(L);
}

static void expect(crux_compiled_module row, const char *release, const char *expected)
{
	expect_of("crux.room.name", row, release, expected);
}

/* The bytecode returns something else than the source, so that the result tells which of them ran. */
static void test_choice(void)
{
	crux_bytes const other = compiled("return 'bytecode'");
	crux_compiled_module const row = {XXH3_64bits(source, strlen(source)), other.size, (const unsigned char *)other.data};
	write_file(source, strlen(source));
	expect(row, lua_ident, "bytecode");
	expect(row, "$LuaVersion: Lua 5.4.0 $", "source");
	crux_compiled_module changed = row;
	changed.hash++;
	expect(changed, lua_ident, "source");
	changed = row;
	changed.size /= 2;
	expect(changed, lua_ident, "source");
	expect_of("name", row, lua_ident, "bytecode");
	write_file("#!lua\nreturn 'elsewhere'", strlen("#!lua\nreturn 'elsewhere'")); /* a form that only Lua's own searcher takes */
	expect_of("name", row, lua_ident, "elsewhere");
	write_file(other.data, other.size);
	char message[600];
	snprintf(message, sizeof message, "error loading module 'crux.room.name' from file '%s':\n\t"
	                                  "attempt to load a binary chunk (mode is 't')", file);
	expect(row, lua_ident, message);
	free(other.data);
	snprintf(message, sizeof message, "%s: Is a directory", file);
	CHECK(remove(file) == 0 && mkdir(file, 0777) == 0);
	expect(row, lua_ident, message);
	CHECK(rmdir(file) == 0);
	snprintf(message, sizeof message, "module 'crux.room.name' not found:\n\tno file '%s'\n\t"
	                                  "no file '%s/lua/crux/room/name/init.lua'", file, home);
	expect(row, lua_ident, message);
}

/* The length of a chunk's name takes one byte or two; inner functions have the name, too. */
static void test_names(void)
{
	static const char text[] = "local function inner() return debug.getinfo(1, 'S').source end return inner()";
	crux_bytes const code = compiled(text);
	write_file(text, strlen(text));
	char expected[400];
	snprintf(expected, sizeof expected, "@%s", file);
	expect((crux_compiled_module){XXH3_64bits(text, strlen(text)), code.size, (const unsigned char *)code.data}, lua_ident, expected);
	free(code.data);
}

static void make_home(const char *name)
{
	const char *const folder = getenv("CRUX_TEST_FOLDER");
	static const char *const parts[] = {"", "/lua", "/lua/crux", "/lua/crux/room"};
	snprintf(home, sizeof home, "%s/%s", folder ? folder : "/tmp", name);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		snprintf(file, sizeof file, "%s%s", home, parts[i]);
		mkdir(file, 0777);
	}
	snprintf(file, sizeof file, "%s/lua/crux/room/name.lua", home);
}

/* The engine's modules were compiled by this release of Lua, and hold no path. */
static void test_engine_modules(void)
{
	CHECK(crux_engine_modules.count > 100 && strcmp(crux_engine_modules.release, lua_ident) == 0);
	for (size_t i = 0; i < crux_engine_modules.count; i++) {
		const crux_compiled_module *const module = &crux_engine_modules.modules[i];
		CHECK(module->size > CRUX_DUMP_NAME && module->bytes[CRUX_DUMP_NAME] == CRUX_DUMP_NO_NAME);
	}
}

int main(void)
{
	make_home("short");
	test_choice();
	test_names();
	make_home("a-folder-whose-name-makes-the-path-longer-than-127-bytes-so-that-its-length-takes-two-bytes-of-seven-bits-each");
	test_choice();
	test_names();
	test_engine_modules();
	return check_summary();
}
