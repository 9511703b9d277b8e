/* The table of C modules that Lua sees.
 *
 * A module is required as "libcrux.NAME" and defined in NAME_lua.c. A primitive that fails through no fault of its
 * caller returns nil and a message; wrong arguments raise. */
#ifndef CRUX_PRIMITIVES_H
#define CRUX_PRIMITIVES_H

#include <lua.h>

/* Makes all modules known to require, without loading them. */
void crux_primitives_preload(lua_State *L);

/* Makes the lpeg that is linked in known to require; the plugin, which finds that of its Lua, does nothing. */
void crux_lpeg_preload(lua_State *L);

int crux_open_beams(lua_State *L);
int crux_open_board(lua_State *L);
int crux_open_bootstrap(lua_State *L);
int crux_open_csv(lua_State *L);
int crux_open_distribution(lua_State *L);
int crux_open_errors(lua_State *L);
int crux_open_folds(lua_State *L);
int crux_open_exact_cover(lua_State *L);
int crux_open_journal(lua_State *L);
int crux_open_level_shape(lua_State *L);
int crux_open_budget(lua_State *L);
int crux_open_linear_program(lua_State *L);
int crux_open_minimise(lua_State *L);
int crux_open_native_search(lua_State *L);
int crux_open_ols(lua_State *L);
int crux_open_path_cover(lua_State *L);
int crux_open_penalised(lua_State *L);
int crux_open_random(lua_State *L);
int crux_open_rank(lua_State *L);
int crux_open_sandbox(lua_State *L);
int crux_open_sizes(lua_State *L);
int crux_open_state_set(lua_State *L);
int crux_open_subsets(lua_State *L);
int crux_open_system(lua_State *L);
int crux_open_terminal(lua_State *L);
int crux_open_trace(lua_State *L);
int crux_open_vector(lua_State *L);
int crux_open_vocabulary(lua_State *L);
int crux_open_walk(lua_State *L);
int crux_open_wall(lua_State *L);
int crux_open_workers(lua_State *L);

#endif
