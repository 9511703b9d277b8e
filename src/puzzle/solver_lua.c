/* Limits as arguments, and outcomes as results, of the bindings of solvers. */
#include "puzzle/solver_lua.h"

#include <lauxlib.h>

#include "limits/budget.h"
#include "lua/binding.h"

crux_solver_limits crux_solver_check_limits(lua_State *L)
{
	crux_solver_limits limits = {.bytes = crux_check_bytes(L, 2), .latest = crux_budget_deadline(L)};
	if (lua_isnoneornil(L, 2))
		return limits;
	luaL_checktype(L, 2, LUA_TTABLE);
	limits.nodes = crux_check_limit(L, 2, "nodes");
	limits.seconds = crux_check_seconds(L, 2, "seconds");
	return limits;
}

bool crux_solver_has_option(lua_State *L, const char *name)
{
	if (!lua_istable(L, 2))
		return false;
	crux_push_field(L, 2, name);
	bool const holds = lua_toboolean(L, -1);
	lua_pop(L, 1);
	return holds;
}

void crux_solver_set_outcome(lua_State *L, crux_solver_outcome outcome)
{
	static const char *const statuses[] = {"solved", "unsolvable", "unknown", "unknown", "unknown"};
	static const char *const limits[] = {NULL, NULL, "nodes", "seconds", "bytes"};
	crux_set_string(L, "status", statuses[outcome]);
	if (limits[outcome])
		crux_set_string(L, "limit", limits[outcome]);
}

void crux_solver_set_statistics(lua_State *L, crux_solver_statistics statistics)
{
	crux_set_integer(L, "expanded", (lua_Integer)statistics.expanded);
	crux_set_integer(L, "generated", (lua_Integer)statistics.generated);
	crux_set_integer(L, "backtracks", (lua_Integer)statistics.backtracks);
}

void crux_solver_push_indices(lua_State *L, const size_t *indices, size_t count)
{
	lua_createtable(L, (int)count, 0);
	for (size_t i = 0; i < count; i++) {
		lua_pushinteger(L, (lua_Integer)indices[i] + 1);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}
