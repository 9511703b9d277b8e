/* Generators of random numbers as arguments of other bindings. */
#ifndef CRUX_RANDOM_LUA_H
#define CRUX_RANDOM_LUA_H

#include <lua.h>

#include "stats/random.h"

/* The state of the generator at that index, to draw from; raises when it is none. */
crux_random *crux_random_check(lua_State *L, int index);

#endif
