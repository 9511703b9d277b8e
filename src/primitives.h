/* The table of C modules that Lua sees, and the values that their bindings share.
 *
 * A module is required as "libcrux.NAME" and defined in NAME_lua.c. A primitive that fails through no fault of its
 * caller returns nil and a message; wrong arguments raise. */
#ifndef CRUX_PRIMITIVES_H
#define CRUX_PRIMITIVES_H

#include <lua.h>
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
#define CRUX_WORKERS_TYPE "crux.workers"

/* Of a value of a state or of a level. */
typedef enum { CRUX_INTEGER, CRUX_TRUTH, CRUX_BOARD } crux_value_kind;

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
int crux_open_workers(lua_State *L);

/* Pushes a new vector of n doubles (not yet set) and returns its elements; Lua owns them. */
double *crux_vector_push(lua_State *L, size_t n);

/* The elements of the vector at that index and, in *n, their number; raises when it is none. */
double *crux_vector_check(lua_State *L, int index, size_t *n);

/* The elements of the vectors in the list at that index and, in *count, how many vectors there are; raises unless each has n
 * elements. Pushes the memory of the pointers. */
const double **crux_vectors_check(lua_State *L, int index, size_t n, size_t *count);

/* The folds, from 0, of that many rows after the first ones, at that index; raises when there are none. */
const uint32_t *crux_folds_check(lua_State *L, int index, size_t first, size_t rows);

/* Pushes a new board (not yet set) and returns its words; Lua owns them, and nobody changes them once a script has it. */
uint64_t *crux_board_push(lua_State *L, crux_board_shape shape);

/* The words of the board at that index and, in *shape, its shape; NULL when it is none. Check raises then. */
const uint64_t *crux_board_test(lua_State *L, int index, crux_board_shape *shape);
const uint64_t *crux_board_check(lua_State *L, int index, crux_board_shape *shape);

/* The width and height at index and index + 1 as a shape; raises when no board has it. */
crux_board_shape crux_board_check_shape(lua_State *L, int index);

/* The column and row at index and index + 1 as a cell; -1 outside the board. */
int crux_board_to_cell(lua_State *L, int index, crux_board_shape shape);

/* The direction "U", "L", "D" or "R" at that index; raises when it is none. */
crux_board_direction crux_board_check_direction(lua_State *L, int index);

/* board.legend of libcrux.board. */
int crux_board_legend(lua_State *L);

/* The state of the generator at that index, to draw from; raises when it is none. */
crux_random *crux_random_check(lua_State *L, int index);

#endif
