/* Limits as arguments, and outcomes as results, of the bindings of solvers. */
#pragma once

#include <lua.h>
#include <stdbool.h>

#include "puzzle/solver.h"

/* Reads { nodes =, seconds =, bytes = } at index 2, a table or nil; raises for other values. `bytes` is at most what limit_bytes
 * allows, and that much when missing. */
crux_solver_limits crux_solver_check_limits(lua_State *L);

/* True when index 2 is a table in which a field holds. */
bool crux_solver_has_option(lua_State *L, const char *name);

/* Sets fields of the table at the top of the stack: `status` "solved", "unsolvable" or "unknown", then also `limit` "nodes",
 * "seconds" or "bytes"; `expanded`, `generated`, `backtracks`. */
void crux_solver_set_outcome(lua_State *L, crux_solver_outcome outcome);
void crux_solver_set_statistics(lua_State *L, crux_solver_statistics statistics);

/* Pushes a list of indices, which count from 0 in C and from 1 in Lua. */
void crux_solver_push_indices(lua_State *L, const size_t *indices, size_t count);
