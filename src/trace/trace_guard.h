/* Guards: conditions without which a move leads back to the same state. */
#ifndef CRUX_TRACE_GUARD_H
#define CRUX_TRACE_GUARD_H

#include "trace/trace.h"

/* Sets a guard for each move, a truth value: where it does not hold, the first `values` outputs of the move are the inputs, and the
 * truth values among its other outputs do not hold. A move without a guard gets a constant that holds. The conditions are those of
 * choices (CRUX_SELECT) between an input and another value. Returns the number of guards; 0 after a failure. */
size_t crux_trace_guards(crux_trace *trace, const crux_node *inputs, size_t values, const crux_node *outputs,
                         size_t outputs_of_move, size_t moves, crux_node *guards);

#endif
