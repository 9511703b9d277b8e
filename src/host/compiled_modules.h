/* The engine's Lua modules as bytecode: src/host/compile_modules.c writes the table when crux is built. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* In what lua_dump writes, the chunk's name follows the header and the number of upvalues. It is dumped empty, as one byte. */
enum { CRUX_DUMP_NAME = 32, CRUX_DUMP_NO_NAME = 0x81 };

typedef struct crux_compiled_module {
	uint64_t hash; /* XXH3_64bits of the source */
	size_t size;
	const unsigned char *bytes;
} crux_compiled_module;

typedef struct crux_compiled_modules {
	const char *release; /* lua_ident of the Lua that compiled them, as other releases do not run them */
	size_t count;
	const crux_compiled_module *modules;
} crux_compiled_modules;

extern const crux_compiled_modules crux_engine_modules;
