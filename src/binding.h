/* What bindings share: the values of one another, and small things that they all do with tables and messages. */
#ifndef CRUX_BINDING_H
#define CRUX_BINDING_H

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board.h"
#include "random.h"

/* Type names of userdata. */
#define CRUX_VECTOR_TYPE "crux.vector"
#define CRUX_OLS_TYPE "crux.ols"
#define CRUX_PENALISED_TYPE "crux.penalised"
#define CRUX_CSV_TYPE "crux.csv"
#define CRUX_FOLDS_TYPE "crux.folds"
#define CRUX_ERRORS_TYPE "crux.errors"
#define CRUX_BOARD_TYPE "crux.board"
#define CRUX_LEGEND_TYPE "crux.legend"
#define CRUX_RANDOM_TYPE "crux.random"
#define CRUX_SPLITS_TYPE "crux.splits"
#define CRUX_STATE_SET_TYPE "crux.state_set"
#define CRUX_TRACE_TYPE "crux.trace"
#define CRUX_SYMBOL_TYPE "crux.symbol"
#define CRUX_LEVEL_SHAPE_TYPE "crux.level_shape"
#define CRUX_NATIVE_SEARCH_TYPE "crux.native_search"
#define CRUX_WALK_TYPE "crux.walk"
#define CRUX_WORKERS_TYPE "crux.workers"
#define CRUX_JOURNAL_TYPE "crux.journal"

/* Of a value of a state or of a level. */
typedef enum { CRUX_INTEGER, CRUX_TRUTH, CRUX_BOARD } crux_value_kind;

/* Pushes nil and the message; returns 2, the number of results of a primitive that failed. */
int crux_fail(lua_State *L, const char *message);

/* Pops an integer; false when the value is none, or none that fits an int. */
bool crux_take_int(lua_State *L, int *value);

/* Pushes a field of the table at that index, without calling anything of a script's; returns its type. */
int crux_push_field(lua_State *L, int table, const char *name);

/* The length of the list at that index; raises when it is no table, or longer than any list is that memory has room for: of a
 * list with holes Lua may say anything up to 2^63. */
size_t crux_check_length(lua_State *L, int index);

/* Limits that a field of the table at that index, an argument, sets: an integer from 1, a number above 0; 0 when it is
 * missing. Raise when it is something else. */
size_t crux_check_limit(lua_State *L, int table, const char *name);
double crux_check_seconds(lua_State *L, int table, const char *name);

/* The limit on bytes that the field `bytes` of such a table sets for what a primitive takes beside Lua's memory; where it is
 * missing, or more, as many as limit_bytes allows. */
size_t crux_check_bytes(lua_State *L, int table);

/* limit_bytes(bytes): scripts can no longer ask for more; without bytes, and at first, than 1 GiB. */
int crux_limit_bytes(lua_State *L);

/* Opens a library of a type of userdata: pushes its functions, and makes the metatable of the type with metamethods, the
 * methods as __index; without methods, those among the metamethods. Returns 1. */
int crux_open_type(lua_State *L, const char *type, const luaL_Reg *metamethods, const luaL_Reg *methods,
                   const luaL_Reg *functions);

/* Gives a type that was opened operators: the function for each of these events, with its place in the list as upvalue 1. */
void crux_set_operators(lua_State *L, const char *type, lua_CFunction function, const char *const *events, size_t count);

/* Set a field of the table at the top of the stack. */
void crux_set_integer(lua_State *L, const char *name, lua_Integer value);
void crux_set_number(lua_State *L, const char *name, lua_Number value);
void crux_set_string(lua_State *L, const char *name, const char *value);

/* Sets how many solutions there are: solutions =, or solutions_overflow = true for more than 2^63 - 1. */
void crux_set_solutions(lua_State *L, uint64_t count);

/* Pushes what the value at that index is called in messages: "3.5", "'up'", "a board of 3 x 2", "nothing". */
void crux_push_shown(lua_State *L, int index);

/* Pushes a new vector of n doubles (not yet set) and returns its elements; Lua owns them. */
double *crux_vector_push(lua_State *L, size_t n);

/* The elements of the vector at that index and, in *n, their number; raises when it is none. */
double *crux_vector_check(lua_State *L, int index, size_t *n);

/* The elements of the vectors in the list at that index and, in *count, how many vectors there are; raises unless each has n
 * elements. Pushes the memory of the pointers. */
const double **crux_vectors_check(lua_State *L, int index, size_t n, size_t *count);

/* The least squares at that index; raises when there are none, or they were closed. */
struct crux_ols *crux_ols_check(lua_State *L, int index);

/* The folds, from 0, of that many rows after the first ones, at that index; raises when there are none. */
const uint32_t *crux_folds_check(lua_State *L, int index, size_t first, size_t rows);

/* The rows of a fold, both from 0, in order, of the folds at that index; returns how many. */
size_t crux_folds_rows(lua_State *L, int index, uint32_t fold, const uint32_t **rows);

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
