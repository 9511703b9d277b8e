/* What is recorded of a step that is traced, and errors at its line. */
#ifndef CRUX_TRACED_LUA_H
#define CRUX_TRACED_LUA_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#include "states/state_layout.h"
#include "trace/trace.h"

#define CRUX_TRACE_TYPE "crux.trace"

/* What libcrux.trace recorded: nodes of the inputs and of the outputs, in order. */
typedef struct crux_traced {
	crux_trace *trace; /* NULL: closed */
	crux_node *inputs, *outputs;
	size_t input_count, output_count, input_room, output_room;
	size_t moves, move_outputs, finished; /* moves that are complete, the outputs of each, and those of all of them */
	bool notes_lines;         /* in user value 1, by node */
	crux_node noted;          /* the first of which no line was noted */
	crux_node wrong, outside; /* whether the move at hand does what it must not, and whether it leaves a range */
} crux_traced;

/* The trace at that index; raises when it is none or was closed. */
crux_traced *crux_traced_check(lua_State *L, int index);

/* Whether the first inputs are the values of such states, and each of so many moves leads to these values and `more`. */
bool crux_traced_has_states(const crux_traced *traced, const crux_state_layout *layout, size_t moves, size_t more);

/* Whether an input may be any number from 0 to `last`. */
bool crux_traced_takes(const crux_traced *traced, size_t input, uint64_t last);

/* User value of what is made of a trace: that trace, also after it was closed. */
enum { CRUX_TRACED_FROM = 1 };

/* Whether the values at these indices are made of the same trace. */
bool crux_traced_are_same(lua_State *L, int a, int b);

/* Pushes the script's line, as it begins messages. */
void crux_traced_push_line(lua_State *L);

/* Raises at the script's line; the message is on the top of the stack. */
int crux_traced_raise(lua_State *L);

#endif
