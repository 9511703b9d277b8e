/* The computations of a script on a state, as a graph of operations on 64-bit integers that follow Lua's rules.
 *
 * A truth value is the integer 0 or -1. Equal computations are the same node, known values fold to constants, and every node has
 * a range that its values cannot leave: programs choose narrow lanes by it, and checks that always hold are left out. It also has
 * the bits that its values may have set: a board whose last cell has left it is the constant 0. Parameters
 * and the values of parameter tables are set by the current level, and later by other levels; nodes computed from parameters
 * alone are uniform: the same for all states. In a trace that varies, each state has its own level, so only constants are
 * uniform, and there are no parameter tables.
 *
 * The caller owns the trace. When memory is short, or the graph exceeds CRUX_MOST_TRACE_NODES or its tables
 * CRUX_MOST_TRACE_VALUES, `failed` becomes true and all further nodes are meaningless (but valid). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boards/board.h"
#include "trace/operation.h"

/* Number of a node; 0 is the constant 0, also in place of unused operands. */
typedef uint32_t crux_node;

typedef struct crux_trace_node {
	crux_operation operation;
	bool is_uniform;
	crux_node a, b, c; /* operands; a of a parameter is its number */
	int64_t low, high; /* of its values; both equal a constant */
	int64_t value;     /* of a uniform node, on the current level */
	uint64_t may;      /* the bits that its values may have set */
} crux_trace_node;

typedef struct crux_trace_table {
	int64_t first; /* the index of its first value */
	size_t count;
	int64_t low, high; /* of its values */
	int64_t *values;   /* NULL: parameters */
	size_t place;      /* number of the first of these parameters */
} crux_trace_table;

/* An operation on whole boards that goes on until nothing changes. */
typedef enum {
	CRUX_FLOOD,  /* of two boards: crux_board_flood */
	CRUX_FROZEN, /* of three: crux_board_frozen */
} crux_closure_kind;

typedef struct crux_trace_closure {
	crux_closure_kind kind;
	crux_board_shape shape;
	crux_node *operands; /* words of one board after the other */
	crux_node first;     /* the first word of the result; the others follow */
} crux_trace_closure;

enum { CRUX_CLOSURE_BOARDS = 3 }; /* the most operands of a closure */

/* The number of nodes that a closure needs. */
static inline size_t crux_closure_operands(crux_closure_kind kind, crux_board_shape shape)
{
	static unsigned const boards[] = {[CRUX_FLOOD] = 2, [CRUX_FROZEN] = CRUX_CLOSURE_BOARDS};
	return boards[kind] * shape.words;
}

/* All fields are for reading, but `varies` may be set while there are no parameters, and `failed` when memory is short. */
typedef struct crux_trace {
	crux_trace_node *nodes;
	crux_node count, capacity;
	crux_node *slots; /* hash table of node numbers; 0: empty */
	size_t slot_count;
	crux_trace_table *tables;
	size_t table_count, table_room, value_count; /* values of all tables */
	crux_trace_closure *closures;
	size_t closure_count, closure_room;
	size_t parameter_count; /* one for each parameter, and for each value of a parameter table, in the order of their making */
	crux_node *assumptions; /* the nodes passed to crux_trace_assume */
	size_t assumption_count, assumption_room;
	bool varies, failed;
	uint8_t rounds; /* of making an operand of bits simpler, each begun by the one before */
} crux_trace;

/* NULL when memory is short. */
crux_trace *crux_trace_new(void);

/* NULL is allowed. */
void crux_trace_free(crux_trace *trace);

crux_node crux_trace_constant(crux_trace *trace, int64_t value);

/* A new input: its value differs between states. */
crux_node crux_trace_input(crux_trace *trace, int64_t low, int64_t high);

/* A new parameter: its value is the same for all states of a level, `value` on the current one. */
crux_node crux_trace_parameter(crux_trace *trace, int64_t low, int64_t high, int64_t value);

/* Limits the trace to levels on which a uniform node has the same value as on the current one. */
void crux_trace_assume(crux_trace *trace, crux_node node);

/* The result of an operation from CRUX_AND to CRUX_SELECT. The range of places to shift by must be within 0 to 63. */
crux_node crux_trace_apply(crux_trace *trace, crux_operation operation, crux_node a, crux_node b, crux_node c);

/* The value at an index whose range is within first to first + count - 1; copies the values. */
crux_node crux_trace_lookup(crux_trace *trace, const int64_t *values, size_t count, int64_t first, crux_node index);

/* Narrows the range of a node, which simplifying may have widened; returns the node, or a constant if one value is left. */
crux_node crux_trace_narrow(crux_trace *trace, crux_node node, int64_t low, int64_t high);

/* The number of a new table whose values, from low to high, are parameters; SIZE_MAX after a failure. */
size_t crux_trace_parameter_table(crux_trace *trace, int64_t first, size_t count, int64_t low, int64_t high);

/* The value of such a table at an index whose range is within it. */
crux_node crux_trace_lookup_parameter(crux_trace *trace, size_t table, crux_node index);

/* Sets out to the words of a closure of boards. */
void crux_trace_close(crux_trace *trace, crux_closure_kind kind, crux_board_shape shape, const crux_node *operands,
                      crux_node *out);

/* A node with the value of nodes[i] where an input is `first` + i; the input always has one of these `count` values, at most 64.
 * An operation common to all nodes is done once, on operands chosen in the same way. 0 after a failure. */
crux_node crux_trace_choose(crux_trace *trace, crux_node input, int64_t first, const crux_node *nodes, size_t count);

/* The node of an operation in another trace, `to`, which may be the same: images[i] is the node there for node i. */
crux_node crux_trace_image(crux_trace *to, const crux_trace *from, crux_node node, const crux_node *images);

/* A new trace in which an input has a known value; images[i] is its node for node i. NULL when memory is short. */
crux_trace *crux_trace_specialise(const crux_trace *trace, crux_node input, int64_t value, crux_node *images);
