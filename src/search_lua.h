/* What the bindings of state sets, traces, shapes of levels and native searches share. */
#ifndef CRUX_SEARCH_LUA_H
#define CRUX_SEARCH_LUA_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#include "board.h"
#include "state_layout.h"
#include "state_set.h"
#include "trace.h"

/* The set of states at that index, and how its states are packed; raises when it is none or was closed. */
crux_state_set *crux_state_set_check(lua_State *L, int index, const crux_state_layout **layout);

/* What libcrux.trace recorded: nodes of the inputs and of the outputs, in order. */
typedef struct crux_traced {
	crux_trace *trace; /* NULL: closed */
	crux_node *inputs, *outputs;
	size_t input_count, output_count, input_room, output_room;
	bool notes_lines;         /* in user value 1, by node */
	crux_node noted;          /* the first of which no line was noted */
	crux_node wrong, outside; /* whether the move at hand does what it must not, and whether it leaves a range */
} crux_traced;

/* The trace at that index; raises when it is none or was closed. */
crux_traced *crux_trace_check(lua_State *L, int index);

/* Raises at the script's line; the message is on the top of the stack. */
int crux_trace_raise(lua_State *L);

typedef enum { CRUX_INTEGER, CRUX_TRUTH, CRUX_BOARD } crux_value_kind;

/* A stretch of a level's table as tables of a trace: a column for each word of its values, the first of them the table with
 * that number, and, when a value may be missing, one more that is -1 where there is none, else 0. */
typedef struct crux_level_list {
	crux_value_kind kind;
	crux_board_shape shape; /* of boards; else words is 1 */
	size_t table;
	bool may_miss;
} crux_level_list;

/* If the table at that index stands for one of a level: true, and pushes that one. */
bool crux_level_push_table(lua_State *L, int index);

/* Reads a stretch of a level's table for which the one at that index stands; false when its values are not to be shared. */
bool crux_level_read_list(lua_State *L, int index, int64_t first, size_t count, crux_level_list *list);

/* What the level that a shape was last fitted to gives (see crux_trace_given); raises when there is no shape at that
 * index. */
const int64_t *crux_level_given(lua_State *L, int index);

#endif
