/* libcrux.quadrature: means of functions of a standard normal variable; see quadrature.h. */
#include <lauxlib.h>

#include "base/sizes.h"
#include "fit/quadrature.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/vector_lua.h"

/* normal(n) -> vectors of n nodes and of their weights */
static int quadrature_normal(lua_State *L)
{
	lua_Integer const n = luaL_checkinteger(L, 1);
	luaL_argcheck(L, n >= 1 && n <= CRUX_MOST_QUADRATURE_NODES, 1, "expected a number of nodes within the limit");
	double *nodes = crux_vector_push(L, (size_t)n);
	crux_quadrature_normal((size_t)n, nodes, crux_vector_push(L, (size_t)n));
	return 2;
}

CRUX_LIBRARY(quadrature,
	{"normal", quadrature_normal})
