/* State tables, which represent states in scripts: their fields, and reading and writing of values.
 *
 * A field is described by { name =, kind = "flag" | "integer" | "board", low =, high =, width =, height =, count = }; with a
 * count it is a list of `count` values. A value is a boolean, an integer from low to high, or a board. */
#pragma once

#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

#include "boards/board.h"
#include "lua/binding.h"
#include "states/state_layout.h"

/* The kinds of values of a state or of a level. */
typedef enum { CRUX_INTEGER, CRUX_TRUTH, CRUX_BOARD } crux_value_kind;

typedef struct crux_table_field {
	crux_value_kind kind;
	int64_t low, high;      /* of an integer */
	crux_board_shape shape; /* of a board; else words is 1 */
	int count;              /* of a list; -1: one value, no list */
	const void *list_metatable;
} crux_table_field;

/* Fields of a state; their names are a list in Lua. */
typedef struct crux_table_fields {
	int count;
	const void *metatable; /* of the tables */
	crux_table_field *rows;
} crux_table_fields;

/* Reads fields->count fields from the list at index 1 into `fields`, and for a layout into `packed`; raises when one is wrong.
 * Pushes the list of their names, and the metatable of their tables. */
void crux_state_table_describe(lua_State *L, crux_table_fields *fields, crux_state_field *packed);

/* The functions below take a stack of 3 values, with the state that is copied or read at index 2, the names at index 3.
 *
 * Pushes a table of the values, without a metatable. */
void crux_state_table_push(lua_State *L, const crux_table_fields *fields, const int64_t *values);

/* Pushes a table that has a list for each field that is one, by the number of the field, for copies of states. */
void crux_state_table_push_lists(lua_State *L, const crux_table_fields *fields);

/* Copies the state into the table at index 4, and its lists into those of the table at index 5. */
void crux_state_table_copy(lua_State *L, const crux_table_fields *fields);

/* Reads the values of the table at index 4, which crux_state_table_copy filled; false when it is no state, or has other lists
 * than those of the table at index 5. The stack is as for crux_state_table_copy; more values may lie on it. */
bool crux_state_table_read_copy(lua_State *L, const crux_table_fields *fields, int64_t *values);

/* Sets the values of that table that differ from those of the state, `values`, back to these. */
void crux_state_table_restore(lua_State *L, const crux_table_fields *fields, const int64_t *values, const int64_t *differing);

/* Reads the values of a table. Returns 0; when it is no state, the number of results pushed: nil, a message, the name of the
 * field and, for an element of a list, its number. */
int crux_state_table_read(lua_State *L, const crux_table_fields *fields, int64_t *values);

/* Makes the metatable of lists in state tables. */
void crux_state_table_open(lua_State *L);
