/* Generators of random numbers as arguments of other bindings. */
#pragma once

#include <lua.h>

#include "stats/random.h"

/* The generator at that index; raises when the value is none. */
crux_random *crux_random_check(lua_State *L, int index);
