/* The tables that stand for states in scripts: their fields, and how values get into and out of them.
 *
 * A field is a row { name =, kind = "flag" | "integer" | "board", low =, high =, width =, height =, count = }: with a
 * count it is a list of so many values. In a state it is a boolean, an integer from low to high, a board, or a list. */
#ifndef CRUX_STATE_TABLE_LUA_H
#define CRUX_STATE_TABLE_LUA_H

#include <lua.h>
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
} crux_table_field;

/* Fields of a state; their names are a list in Lua. */
typedef struct crux_table_fields {
	int count;
	const void *metatable; /* of the tables */
	crux_table_field *rows;
} crux_table_fields;

/* Takes over so many fields from the list at index 1, and how they are packed; raises when one is wrong. Pushes their names,
 * and the metatable of their tables. */
void crux_state_table_describe(lua_State *L, crux_table_fields *fields, crux_state_field *packed);

/* On the stack of the functions below: at index 2 the state that is to be copied or read, at 3 the names, above nothing.
 *
 * Push a table of these values, or one with the values of a state and lists of its own; the metatable is yet to be set. */
void crux_state_table_push(lua_State *L, const crux_table_fields *fields, const int64_t *values);
void crux_state_table_copy(lua_State *L, const crux_table_fields *fields);

/* Takes the values of a table. Returns 0; when it is no state, the number of results pushed: nil, a message, the name of the
 * field and, of a list whose length is right, the number of the element. */
int crux_state_table_read(lua_State *L, const crux_table_fields *fields, int64_t *values);

/* Makes what all such tables share. */
void crux_state_table_open(lua_State *L);

#endif
