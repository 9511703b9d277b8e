/* Objects of libcrux.ols as arguments of other bindings. */
#ifndef CRUX_OLS_LUA_H
#define CRUX_OLS_LUA_H

#include <lua.h>

struct crux_ols;

/* The least squares at that index; raises when there are none, or they were closed. */
struct crux_ols *crux_ols_check(lua_State *L, int index);

#endif
