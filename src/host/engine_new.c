/* Opens engines of the programs and of the library, which are linked with LPeg. */
#include "host/engine.h"

crux_engine *crux_engine_new(const char *home, crux_fault *fault)
{
	return crux_engine_open(home, luaopen_lpeg, fault);
}
