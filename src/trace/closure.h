/* Closures of boards (crux_closure_kind in trace.h) in several lanes at a time. */
#pragma once

#include "trace/trace.h"

enum { CRUX_CLOSURE_LANES = 16 };

/* A word of a board in each lane. */
typedef uint64_t crux_closure_row[CRUX_CLOSURE_LANES];

/* Sets out, of 2 * shape.words words, to the cells to which a step to the right, and then to the left, can lead. */
void crux_closure_landing(crux_board_shape shape, uint64_t *out);

/* Rows of operands in the order of crux_trace_closure; the first board becomes the result. */
void crux_closure_run(crux_closure_kind kind, crux_board_shape shape, const uint64_t *landing, crux_closure_row *rows);
