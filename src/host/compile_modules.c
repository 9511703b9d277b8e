/* A tool of the build: compile_modules FILE.lua... prints a C file that defines crux_engine_modules. */
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/bytes.h"
#include "host/compiled_modules.h"

typedef struct dump {
	size_t size;
	int name; /* the byte at CRUX_DUMP_NAME */
} dump;

/* Prints bytes as elements of an array. */
static int print(lua_State *L, const void *bytes, size_t size, void *data)
{
	(void)L;
	dump *const d = data;
	for (size_t i = 0; i < size; i++) {
		int const byte = ((const unsigned char *)bytes)[i];
		if (d->size++ == CRUX_DUMP_NAME)
			d->name = byte;
		printf("%d,", byte);
	}
	return putchar('\n') == EOF;
}

/* Prints the array of a module, and sets the hash of its source. */
static bool compile(lua_State *L, const char *path, size_t number, uint64_t *hash)
{
	crux_bytes source = {0};
	if (!crux_bytes_read(&source, path)) {
		perror(path);
		return false;
	}
	*hash = XXH3_64bits(source.data, source.size);
	int const status = luaL_loadbufferx(L, source.data, source.size, "", "t");
	crux_bytes_free(&source);
	if (status != LUA_OK) {
		fprintf(stderr, "%s: %s\n", path, lua_tostring(L, -1));
		return false;
	}
	dump d = {0};
	printf("static const unsigned char module_%zu[] = {\n", number);
	bool const is_known = lua_dump(L, print, &d, false) == 0 && d.name == CRUX_DUMP_NO_NAME;
	puts("};");
	lua_settop(L, 0);
	if (!is_known)
		fprintf(stderr, "%s: found another form of bytecode, expected that of Lua 5.4\n", path);
	return is_known;
}

int main(int argc, char **argv)
{
	size_t const count = (size_t)argc - 1;
	lua_State *const L = luaL_newstate();
	uint64_t *const hashes = calloc(count + 1, sizeof *hashes);
	bool done = L && hashes;
	puts("/* Written by src/host/compile_modules.c. */\n#include \"host/compiled_modules.h\"\n");
	for (size_t i = 0; done && i < count; i++)
		done = compile(L, argv[i + 1], i, &hashes[i]);
	puts("\nstatic const crux_compiled_module modules[] = {");
	for (size_t i = 0; done && i < count; i++)
		printf("\t{0x%016llx, sizeof module_%zu, module_%zu},\n", (unsigned long long)hashes[i], i, i);
	printf("};\n\nconst crux_compiled_modules crux_engine_modules = {\"%s\", %zu, modules};\n", lua_ident, count);
	free(hashes);
	if (L)
		lua_close(L);
	return done && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
