/* libcrux.distribution: p-values; distribution.h says their accuracy. */
#include <lauxlib.h>

#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/distribution.h"

/* normal(z) -> P(|Z| >= |z|) */
static int distribution_normal(lua_State *L)
{
	lua_pushnumber(L, crux_normal_two_sided(luaL_checknumber(L, 1)));
	return 1;
}

/* t(t, df) -> P(|T| >= |t|) */
static int distribution_t(lua_State *L)
{
	lua_pushnumber(L, crux_t_two_sided(luaL_checknumber(L, 1), luaL_checknumber(L, 2)));
	return 1;
}

/* f(f, df1, df2) -> P(F >= f) */
static int distribution_f(lua_State *L)
{
	lua_pushnumber(L, crux_f_upper(luaL_checknumber(L, 1), luaL_checknumber(L, 2), luaL_checknumber(L, 3)));
	return 1;
}

CRUX_LIBRARY(distribution,
	{"normal", distribution_normal},
	{"t",      distribution_t},
	{"f",      distribution_f})
