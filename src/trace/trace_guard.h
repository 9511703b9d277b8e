/* Guards: conditions without which a move leads back to the same state. */
#pragma once

#include "trace/trace.h"

/* The outputs of a move: values, which may be equal to the inputs, estimates (at most 1), and truth values. */
typedef struct crux_trace_moves {
	const crux_node *inputs, *outputs; /* of all moves */
	size_t moves, values, estimates, truths;
} crux_trace_moves;

/* Sets a guard for each move, a truth value: where it does not hold, the values are the inputs, the truth values do not hold, and
 * the estimate is guards[moves], the same for all moves. A move without a guard gets a constant that holds. The conditions are
 * those of choices (CRUX_SELECT) between an input and another value. Returns the number of guards; 0 after a failure. */
size_t crux_trace_guards(crux_trace *trace, const crux_trace_moves *of, crux_node *guards);
