/* What a script computes from a state, as a graph of operations on 64-bit integers that follow Lua's rules.
 *
 * A truth value is the integer 0 or -1. Nodes that compute the same are the same node; what is known folds to constants; and
 * every node has a range that its values cannot leave, so that a program can choose narrow lanes and checks of ranges that
 * hold vanish. Parameters and the values of parameter tables are given by the level at hand, and later by other levels;
 * what is computed from parameters alone is uniform: the same for all states. In a trace that varies each state has a level
 * of its own, nothing but constants is uniform, and there are no parameter tables.
 *
 * The caller owns the trace. When memory is short, or the graph outgrows CRUX_TRACE_MAX_NODES or its tables
 * CRUX_TRACE_MAX_VALUES, crux_trace_failed tells and all further nodes are meaningless (but valid). */
#ifndef CRUX_TRACE_H
#define CRUX_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/operation.h"

#define CRUX_TRACE_MAX_NODES 200000
#define CRUX_TRACE_MAX_TABLE 65536 /* values of one table */
#define CRUX_TRACE_MAX_VALUES (1 << 22) /* of all tables: 32 MiB */

/* Number of a node; 0 is the constant 0, and stands for an operand that an operation does not have. */
typedef uint32_t crux_node;

typedef struct crux_trace_node {
	crux_operation operation;
	bool is_uniform;
	crux_node a, b, c; /* of a parameter a is its place in what is given */
	int64_t low, high; /* of its values; of a constant both are the constant */
	int64_t value;     /* of a uniform one, on the level at hand */
} crux_trace_node;

typedef struct crux_trace_table {
	int64_t first; /* the index of its first value */
	size_t count;
	int64_t low, high; /* of its values */
	int64_t *values;   /* NULL: they are given */
	size_t place;      /* in what is given, of the first of them */
} crux_trace_table;

typedef struct crux_trace crux_trace;

/* NULL when memory is short. */
crux_trace *crux_trace_new(void);

/* NULL is allowed. */
void crux_trace_free(crux_trace *trace);

bool crux_trace_failed(const crux_trace *trace);

/* Makes a trace that has no parameters yet one that varies; whether it is one. */
void crux_trace_vary(crux_trace *trace);
bool crux_trace_varies(const crux_trace *trace);

crux_node crux_trace_constant(crux_trace *trace, int64_t value);

/* A new value that differs between states. */
crux_node crux_trace_input(crux_trace *trace, int64_t low, int64_t high);

/* A new value that is the same for all states of a level, and what it is on the level at hand. */
crux_node crux_trace_parameter(crux_trace *trace, int64_t low, int64_t high, int64_t value);

/* Notes that the trace is of no use for levels on which a uniform node has another value than on the one at hand. */
void crux_trace_assume(crux_trace *trace, crux_node node);

/* The nodes of which that was noted. */
const crux_node *crux_trace_assumptions(const crux_trace *trace, size_t *count);

/* An operation from CRUX_AND to CRUX_SELECT. The number of places to shift by must have a range within 0 to 63. */
crux_node crux_trace_apply(crux_trace *trace, crux_operation operation, crux_node a, crux_node b, crux_node c);

/* The value at an index whose range lies within first to first + count - 1; the values are copied. */
crux_node crux_trace_lookup(crux_trace *trace, const int64_t *values, size_t count, int64_t first, crux_node index);

/* The number of a new table whose values, from low to high, are given; SIZE_MAX after a failure. */
size_t crux_trace_parameter_table(crux_trace *trace, int64_t first, size_t count, int64_t low, int64_t high);

/* The value of such a table at an index whose range lies within it. */
crux_node crux_trace_lookup_parameter(crux_trace *trace, size_t table, crux_node index);

/* The node that is nodes[i] where an input is `first` + i; that input is always one of these `count`, at most 64. What the
 * nodes do alike is done once, with operands that are chosen in their turn. 0 after a failure. */
crux_node crux_trace_choose(crux_trace *trace, crux_node input, int64_t first, const crux_node *nodes, size_t count);

/* Makes a trace one of which nothing can be used, as memory is short. */
void crux_trace_fail(crux_trace *trace);

/* What becomes of a trace when an input is known: a new one, in which images[i] is what node i has become. NULL when
 * memory is short. */
crux_trace *crux_trace_specialise(const crux_trace *trace, crux_node input, int64_t value, crux_node *images);

crux_node crux_trace_count(const crux_trace *trace);
const crux_trace_node *crux_trace_at(const crux_trace *trace, crux_node node);
const crux_trace_table *crux_trace_tables(const crux_trace *trace, size_t *count);

/* How many numbers are to be given: for each parameter one, for each parameter table its values, in the order in which they
 * were made. */
size_t crux_trace_given(const crux_trace *trace);

#endif
