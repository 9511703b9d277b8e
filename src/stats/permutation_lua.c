/* libcrux.permutation: permutation tests of correlations; see permutation.h. */
#include <lauxlib.h>

#include "base/sizes.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/permutation.h"
#include "stats/vector_lua.h"

/* test(x, group, y, draws, seed) -> p-values of Pearson's r, Kendall's tau and Spearman's rho; or nil and a message: "too large". x:
 * vector of the groups; group, y: vectors of the rows */
static int permutation_test(lua_State *L)
{
	crux_permutation_rows rows;
	crux_permutation_p p;
	size_t n;
	rows.x = crux_vector_check(L, 1, &rows.groups);
	rows.group = crux_vector_check(L, 2, &rows.rows);
	rows.y = crux_vector_check(L, 3, &n);
	luaL_argcheck(L, n == rows.rows && n > 0 && rows.groups > 0, 3, "vectors of different lengths");
	for (size_t i = 0; i < n; i++)
		luaL_argcheck(L, rows.group[i] >= 1 && rows.group[i] <= (double)rows.groups, 2, "expected numbers from 1 to the number of groups");
	lua_Integer const draws = luaL_checkinteger(L, 4);
	luaL_argcheck(L, draws > 0, 4, "expected draws");
	if (rows.groups > CRUX_MOST_PERMUTED_LEVELS)
		return crux_fail(L, "too large");
	if (!crux_permutation_test(&rows, (size_t)draws, (uint64_t)luaL_checkinteger(L, 5), &p))
		return crux_fail(L, "out of memory");
	lua_pushnumber(L, p.pearson);
	lua_pushnumber(L, p.kendall);
	lua_pushnumber(L, p.spearman);
	return 3;
}

static const luaL_Reg functions[] = {
	{"test", permutation_test},
	{NULL,   NULL},
};

CRUX_LIBRARY(permutation)
