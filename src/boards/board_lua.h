/* Boards as arguments and results of other bindings. */
#ifndef CRUX_BOARD_LUA_H
#define CRUX_BOARD_LUA_H

#include <lua.h>

#include "boards/board.h"

#define CRUX_BOARD_TYPE "crux.board"

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

#endif
