/* A traced script as a straight-line program over many states at a time.
 *
 * Method: each operation is a loop over a batch of lanes (one lane a state), which the compiler vectorises. All lanes are
 * 16, 32 or 64 bits wide, the least that holds every value that can occur. States come in and go out as columns of the
 * words of their keys. What is the same for all states is computed once, when the level's numbers are given.
 *
 * The caller owns the program, which holds the batch that it works on: one program belongs to one thread at a time. */
#ifndef CRUX_PROGRAM_H
#define CRUX_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "states/state_layout.h"
#include "trace/trace.h"

enum { CRUX_BATCH = 512 }; /* lanes; a multiple of 64 */

typedef struct crux_program crux_program;

/* A program that computes the outputs; what they do not need is left out. NULL when memory is short, or its registers take
 * more than 64 MiB. The trace may be freed. Unless it has nothing that is given, the program is to be bound before it runs. */
crux_program *crux_program_new(const crux_trace *trace, const crux_node *inputs, size_t input_count,
                               const crux_node *outputs, size_t output_count);

/* NULL is allowed. */
void crux_program_free(crux_program *program);

/* Gives the numbers that the trace left open, unless it varies, (see crux_trace_given), which must lie within their ranges. False when an
 * assumption of the trace does not hold for them. */
bool crux_program_bind(crux_program *program, const int64_t *given);

/* Gives those of a trace that varies to a lane; they stay. */
void crux_program_give(crux_program *program, size_t lane, const int64_t *given);

/* Takes the values of an input from columns[word * CRUX_BATCH + lane]. So many lanes are in use, but all are to hold a key:
 * that of a state, or 0. A place has at least 1 bit. */
void crux_program_load(crux_program *program, size_t input, crux_state_place place, const uint64_t *columns,
                       size_t lanes);

/* How many lanes are computed when so many are in use: a whole number of the widest vectors. */
size_t crux_program_rounded(size_t lanes);

/* Computes the outputs of so many lanes, from the first on. */
void crux_program_run(crux_program *program, size_t lanes);

/* Adds the values of an output to columns whose bits at that place are 0. Values outside the place's range spoil the key. */
void crux_program_store(const crux_program *program, size_t output, crux_state_place place, uint64_t *columns,
                        size_t lanes);

/* Whether an output, a truth value, holds in any of so many lanes; then, or with `always`, it is copied: 0 or not. */
bool crux_program_truths(const crux_program *program, size_t output, size_t lanes, uint8_t *truths, bool always);

/* Makes the first outputs of so many lanes the first inputs, `count` of them, for the next run; of a trace that varies. */
void crux_program_feed(crux_program *program, size_t count, size_t lanes);

size_t crux_program_operations(const crux_program *program);
size_t crux_program_registers(const crux_program *program);
unsigned crux_program_lane_bits(const crux_program *program);

/* The first node of the trace that made lanes wider than 16 bits; 0 when they are not. */
crux_node crux_program_widest(const crux_program *program);

#endif
