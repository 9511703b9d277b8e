/* libcrux.bootstrap: the bootstrap of ratios of sums, such as weighted means: each draw takes n of n rows, with replacement
 * (B. Efron, R. Tibshirani, An Introduction to the Bootstrap, 1993). */
#include <lauxlib.h>

#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/random.h"
#include "stats/vector_lua.h"

/* ratios(numerators, denominators, seed, draws) -> vector of the draws: the sum of the numerators of n drawn rows over the sum of their
 * denominators. The drawn rows depend only on the seed and n, so comparisons are paired. */
static int bootstrap_ratios(lua_State *L)
{
	size_t n;
	double const *numerators = crux_vector_check(L, 1, &n), *denominators = crux_vector_of(L, 2, n);
	luaL_argcheck(L, n > 0, 2, "vectors that are not empty");
	lua_Integer const seed = luaL_checkinteger(L, 3), draws = luaL_checkinteger(L, 4);
	luaL_argcheck(L, draws >= 0, 4, "a number of draws");
	double *const ratios = crux_vector_push(L, (size_t)draws);
	crux_random random = crux_random_new((uint64_t)seed, 0);
	for (lua_Integer draw = 0; draw < draws; draw++) {
		double numerator = 0, denominator = 0;
		for (size_t i = 0; i < n; i++) {
			size_t const row = (size_t)crux_random_integer(&random, 0, (int64_t)n - 1);
			numerator += numerators[row];
			denominator += denominators[row];
		}
		ratios[draw] = numerator / denominator;
	}
	return 1;
}

CRUX_LIBRARY(bootstrap,
	{"ratios", bootstrap_ratios})
