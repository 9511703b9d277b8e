/* Objects of libcrux.ols as arguments of other bindings. */
#pragma once

#include <lua.h>

struct crux_ols;

/* Returns the object at the index; raises an error if there is none or it was closed. */
struct crux_ols *crux_ols_check(lua_State *L, int index);
