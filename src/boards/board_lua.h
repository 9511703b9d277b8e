/* Boards as arguments and results of other bindings. */
#pragma once

#include <lua.h>

#include "boards/board.h"

#define CRUX_BOARD_TYPE "crux.board"

/* Pushes a new board and returns its words, which Lua owns: set them, and never change them once a script has the board. */
uint64_t *crux_board_push(lua_State *L, crux_board_shape shape);

/* The words of the board at that index and, in *shape, its shape. When the value is no board, test returns NULL, check raises. */
const uint64_t *crux_board_test(lua_State *L, int index, crux_board_shape *shape);
const uint64_t *crux_board_check(lua_State *L, int index, crux_board_shape *shape);

/* The shape with the width and height at index and index + 1; raises when these are out of range. */
crux_board_shape crux_board_check_shape(lua_State *L, int index);

/* The cell in the column and row at index and index + 1; -1 outside the board. */
int crux_board_to_cell(lua_State *L, int index, crux_board_shape shape);

/* The direction "U", "L", "D" or "R" at that index; raises for other values. */
crux_board_direction crux_board_check_direction(lua_State *L, int index);
