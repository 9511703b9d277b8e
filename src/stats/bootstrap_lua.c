/* libcrux.bootstrap: bootstrapped ratios of sums; see bootstrap.h. */
#include <lauxlib.h>

#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/bootstrap.h"
#include "stats/vector_lua.h"

/* ratios(numerators, denominators, seed, draws) -> vector of the draws */
static int bootstrap_ratios(lua_State *L)
{
	size_t n, m;
	double const *numerators = crux_vector_check(L, 1, &n), *denominators = crux_vector_check(L, 2, &m);
	luaL_argcheck(L, n == m && n > 0, 2, "vectors of the same length, not empty");
	lua_Integer const seed = luaL_checkinteger(L, 3), draws = luaL_checkinteger(L, 4);
	luaL_argcheck(L, draws >= 0, 4, "a number of draws");
	crux_bootstrap_ratios(n, numerators, denominators, (uint64_t)seed, (size_t)draws, crux_vector_push(L, (size_t)draws));
	return 1;
}

static const luaL_Reg functions[] = {
	{"ratios", bootstrap_ratios},
	{NULL,     NULL},
};

CRUX_LIBRARY(bootstrap)
