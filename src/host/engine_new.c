/* Engines of programs and of the library, which LPeg is linked into. */
#include <lauxlib.h>
#include <lua-lpeg.h>

#include "host/engine.h"

crux_engine *crux_engine_new(const char *home, crux_fault *fault)
{
	return crux_engine_open(home, luaopen_lpeg, fault);
}
