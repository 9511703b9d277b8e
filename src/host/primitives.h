/* Makes the modules of C known to require. */
#ifndef CRUX_PRIMITIVES_H
#define CRUX_PRIMITIVES_H

#include <lua.h>

/* Makes all rows of lua/modules.h known to require, without loading them. */
void crux_primitives_preload(lua_State *L);

#endif
