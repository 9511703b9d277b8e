/* The table of C modules that Lua sees.
 *
 * A module is required as "libcrux.NAME" and defined in NAME_lua.c. A primitive that fails through no fault of its
 * caller returns nil and a message; wrong arguments raise. */
#ifndef CRUX_PRIMITIVES_H
#define CRUX_PRIMITIVES_H

#include <lua.h>
<<<<<<< HEAD
=======
#include <stddef.h>

#include "board.h"
#include "random.h"

/* Type names of userdata. */
#define CRUX_VECTOR_TYPE "crux.vector"
#define CRUX_OLS_TYPE "crux.ols"
#define CRUX_CSV_TYPE "crux.csv"
#define CRUX_FOLDS_TYPE "crux.folds"
#define CRUX_ERRORS_TYPE "crux.errors"
#define CRUX_BOARD_TYPE "crux.board"
#define CRUX_LEGEND_TYPE "crux.legend"
#define CRUX_RANDOM_TYPE "crux.random"
#define CRUX_STATE_SET_TYPE "crux.state_set"
#define CRUX_TRACE_TYPE "crux.trace"
#define CRUX_SYMBOL_TYPE "crux.symbol"
#define CRUX_LEVEL_SHAPE_TYPE "crux.level_shape"
#define CRUX_NATIVE_SEARCH_TYPE "crux.native_search"
#define CRUX_WALK_TYPE "crux.walk"
#define CRUX_WORKERS_TYPE "crux.workers"
>>>>>>> 0c34e13 (Walks backwards run in C over many levels at a time: game.walk, traced with a level in each lane)

/* Makes all modules known to require, without loading them. */
void crux_primitives_preload(lua_State *L);

int crux_open_ablation(lua_State *L);
int crux_open_beams(lua_State *L);
int crux_open_board(lua_State *L);
int crux_open_csv(lua_State *L);
int crux_open_distribution(lua_State *L);
int crux_open_errors(lua_State *L);
int crux_open_folds(lua_State *L);
int crux_open_exact_cover(lua_State *L);
int crux_open_level_shape(lua_State *L);
int crux_open_native_search(lua_State *L);
int crux_open_ols(lua_State *L);
int crux_open_path_cover(lua_State *L);
int crux_open_random(lua_State *L);
int crux_open_rank(lua_State *L);
int crux_open_state_set(lua_State *L);
int crux_open_system(lua_State *L);
int crux_open_terminal(lua_State *L);
int crux_open_trace(lua_State *L);
int crux_open_vector(lua_State *L);
int crux_open_vocabulary(lua_State *L);
int crux_open_walk(lua_State *L);
int crux_open_workers(lua_State *L);

#endif
