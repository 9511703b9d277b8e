/* libcrux.rank: rank correlation of two vectors; see rank.h. */
#include <lauxlib.h>

#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/rank.h"
#include "stats/vector_lua.h"

/* ranks(x) -> vector, or nil and a message */
static int rank_ranks(lua_State *L)
{
	size_t n;
	double const *x = crux_vector_check(L, 1, &n);
	return crux_rank_ranks(n, x, crux_vector_push(L, n)) ? 1 : crux_fail(L, "out of memory");
}

static void push_ties(lua_State *L, const char *name, crux_ties ties)
{
	lua_createtable(L, 0, 3);
	crux_set_number(L, "pairs", ties.pairs);
	crux_set_number(L, "triples", ties.triples);
	crux_set_number(L, "variance", ties.variance);
	lua_setfield(L, -2, name);
}

/* order(x, y) -> { score, rho, x = ties, y = ties } with ties = { pairs, triples, variance }; or nil and a message */
static int rank_order(lua_State *L)
{
	size_t n;
	double const *x = crux_vector_check(L, 1, &n), *y = crux_vector_of(L, 2, n);
	crux_order order;
	if (!crux_rank_order(n, x, y, &order))
		return crux_fail(L, "out of memory");
	lua_createtable(L, 0, 4);
	crux_set_number(L, "score", order.score);
	crux_set_number(L, "rho", order.rho);
	push_ties(L, "x", order.x);
	push_ties(L, "y", order.y);
	return 1;
}

/* kendall_lower(n, concordant) -> P(C <= concordant) */
static int rank_kendall_lower(lua_State *L)
{
	lua_Integer const n = luaL_checkinteger(L, 1);
	luaL_argcheck(L, n >= 0 && n <= CRUX_KENDALL_MOST, 1, "0 to 50 rows");
	lua_pushnumber(L, crux_kendall_lower((size_t)n, luaL_checknumber(L, 2)));
	return 1;
}

/* spearman_upper(n, sum) -> P(S >= sum) */
static int rank_spearman_upper(lua_State *L)
{
	lua_Integer const n = luaL_checkinteger(L, 1);
	luaL_argcheck(L, n >= 0, 1, "a number of rows is not negative");
	lua_pushnumber(L, crux_spearman_upper((size_t)n, luaL_checknumber(L, 2)));
	return 1;
}

CRUX_LIBRARY(rank,
	{"ranks",          rank_ranks},
	{"order",          rank_order},
	{"kendall_lower",  rank_kendall_lower},
	{"spearman_upper", rank_spearman_upper})
