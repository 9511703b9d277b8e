/* What the bindings of state sets, traces and native searches share. */
#ifndef CRUX_SEARCH_LUA_H
#define CRUX_SEARCH_LUA_H

#include <lua.h>
#include <stddef.h>

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
	crux_node wrong, outside; /* whether the move at hand does what it must not, and whether it leaves a range */
} crux_traced;

/* The trace at that index; raises when it is none or was closed. */
crux_traced *crux_trace_check(lua_State *L, int index);

#endif
