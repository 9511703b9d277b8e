/* What is recorded of a step that is traced, and errors at its line. */
#ifndef CRUX_TRACED_LUA_H
#define CRUX_TRACED_LUA_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#include "trace/trace.h"

#define CRUX_TRACE_TYPE "crux.trace"

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
crux_traced *crux_traced_check(lua_State *L, int index);

/* Pushes the script's line, as it begins messages. */
void crux_traced_push_line(lua_State *L);

/* Raises at the script's line; the message is on the top of the stack. */
int crux_traced_raise(lua_State *L);

#endif
