/* The record of a traced step, and errors at its line. */
#pragma once

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#include "boards/board.h"
#include "states/state_layout.h"
#include "trace/trace.h"

#define CRUX_TRACE_TYPE "crux.trace"

/* A record of libcrux.trace: the nodes of inputs and outputs, in order. */
typedef struct crux_traced {
	crux_trace *trace; /* NULL: closed */
	crux_node *inputs, *outputs;
	size_t input_count, output_count, input_room, output_room;
	size_t moves, move_outputs, finished; /* complete moves, outputs of each, outputs of all */
	bool notes_lines;         /* stores lines in user value 1, by node */
	crux_node noted;          /* the first node without a line */
	crux_node wrong, outside; /* truth values of the current move: it must be refused; a value is outside its range */
} crux_traced;

/* The trace at that index; raises when it is none or was closed. */
crux_traced *crux_traced_check(lua_State *L, int index);

/* True when the first inputs are the values of states with this layout, and each of `moves` moves has these values and `more`
 * outputs. */
bool crux_traced_has_states(const crux_traced *traced, const crux_state_layout *layout, size_t moves, size_t more);

/* True when an input may be any number from 0 to `last`. */
bool crux_traced_takes(const crux_traced *traced, size_t input, uint64_t last);

/* User value of userdata made from a trace: the trace, also after it was closed. */
enum { CRUX_TRACED_FROM = 1 };

/* True when the values at these indices are made from the same trace. */
bool crux_traced_are_same(lua_State *L, int a, int b);

/* Pushes "script:line: ", the beginning of messages. */
void crux_traced_push_line(lua_State *L);

/* The range of a word of a board: of its bits as an integer. */
static inline crux_range crux_traced_word_range(crux_board_shape shape, size_t word)
{
	int64_t const full = (int64_t)crux_board_full_word(shape, word);
	return full < 0 ? (crux_range){INT64_MIN, INT64_MAX} : (crux_range){0, full};
}

/* Raises at the script's line; the message is on the top of the stack. */
int crux_traced_raise(lua_State *L);

/* Raises that a step cannot be compiled: a table whose field `refused` is the message on the top of the stack. An error of Lua,
 * which a step would raise on plain values, too, is a text. */
int crux_traced_refuse(lua_State *L);

/* Raises for a trace of which no program could be made. Names no line: it would be crux's own. */
int crux_traced_refuse_size(lua_State *L);
