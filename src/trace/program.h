/* A traced script as a straight-line program over many states at a time.
 *
 * Method: each operation is a loop over a batch of lanes (a lane per state), which the compiler vectorises. All lanes are 16,
 * 32 or 64 bits wide, the least that holds every value that can occur. States are read and written as columns of the words of
 * their keys. Uniform values, which are the same for all states, are computed once, by bind.
 *
 * The caller owns the program, which holds its batch: one program belongs to one thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "states/state_layout.h"
#include "trace/trace.h"

/* Lanes, a multiple of 64; and from one column of words to the next, which begin in different sets of the cache. */
enum { CRUX_BATCH = 512, CRUX_COLUMN = CRUX_BATCH + 8 };

typedef struct crux_program crux_program;

/* A program that computes the outputs, without the nodes that they do not need. NULL when memory is short, or its registers take
 * more than 64 MiB. The trace may be freed. Call bind before run if the trace has parameters. */
crux_program *crux_program_new(const crux_trace *trace, const crux_node *inputs, size_t input_count,
                               const crux_node *outputs, size_t output_count);

/* The same for outputs of `parts` parts, equally many of each: run computes all that guards need, or several parts, and run_part
 * the rest for states in which the guard of that part, a truth value, holds. guards[parts] is a value that run computes. */
crux_program *crux_program_new_in_parts(const crux_trace *trace, const crux_node *inputs, size_t input_count,
                                        const crux_node *outputs, size_t output_count, const crux_node *guards, size_t parts);

/* NULL is allowed. */
void crux_program_free(crux_program *program);

/* Sets the parameters of the trace to values within their ranges, for all lanes; not of a trace
 * that varies. False when an assumption of the trace does not hold for them. */
bool crux_program_bind(crux_program *program, const int64_t *parameters);

/* Sets the parameters of one lane, for all later runs; of a trace that varies. */
void crux_program_set_lane(crux_program *program, size_t lane, const int64_t *parameters);

/* Reads an input of the first lanes from columns[word * CRUX_COLUMN + lane]. Columns of unused lanes must hold a key of a state,
 * or 0. A place has at least 1 bit. */
void crux_program_load(crux_program *program, size_t input, crux_state_place place, const uint64_t *columns,
                       size_t lanes);

/* The number of lanes that run computes: `lanes`, rounded up to a whole number of the widest vectors. */
size_t crux_program_rounded(size_t lanes);

/* Computes the outputs of the first lanes; of a program in parts, what the parts share. */
void crux_program_run(crux_program *program, size_t lanes);

/* The number of the first lanes in which the guard of a part holds, and these lanes. `truths` is memory for CRUX_BATCH + 8
 * bytes. */
size_t crux_program_guarded(const crux_program *program, size_t part, size_t lanes, uint8_t *truths, uint16_t *guarded);

/* Computes the outputs of a part for some of the lanes of the last run; `lanes` has room for crux_program_rounded(count). Its
 * outputs are then in the first lanes, in that order. */
void crux_program_run_part(crux_program *program, size_t part, uint16_t *lanes, size_t count);

/* Stores guards[parts] of a program in parts, as crux_program_store stores an output. */
void crux_program_store_shared(const crux_program *program, crux_state_place place, uint64_t *columns, size_t lanes);

/* Replaces the value at a place of keys by an output: that of lane i in the key of `words` words at rows[i]. Does nothing when the
 * output, of a part, is the input of that number. */
void crux_program_replace(const crux_program *program, size_t output, crux_state_place place, uint64_t *keys, size_t words,
                          const uint32_t *rows, size_t lanes);

/* Stores an output in columns whose bits at that place are 0. Values outside the place's range corrupt the key. */
void crux_program_store(const crux_program *program, size_t output, crux_state_place place, uint64_t *columns,
                        size_t lanes);

/* True when an output, a truth value, holds in any of the first lanes; then copies it: 0 or not 0. */
bool crux_program_truths(const crux_program *program, size_t output, size_t lanes, uint8_t *truths);

/* Copies the first `count` outputs of the first lanes to the first `count` inputs, for the next run; of a trace that varies. */
void crux_program_feed(crux_program *program, size_t count, size_t lanes);

typedef struct crux_program_size {
	size_t operations, registers;
	unsigned lane_bits;
	crux_node widest; /* first node of the trace that made lanes wider than 16 bits; 0: none did */
} crux_program_size;

crux_program_size crux_program_measure(const crux_program *program);
