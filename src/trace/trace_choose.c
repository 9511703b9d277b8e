/* Choosing among nodes of a trace: an operation common to all is done once, on operands chosen in the same way. */
#include <stdlib.h>
#include <string.h>

#include "trace/trace.h"

/* Limits on the depth of recursion, and on the nodes to choose among: a stack frame takes 1 kB. */
enum { MAX_DEPTH = 500, MAX_NODES = 64 };

/* An earlier choice. */
typedef struct choice {
	struct choice *next; /* with the same first node */
	crux_node result;
	crux_node nodes[];
} choice;

typedef struct chooser {
	crux_trace *trace;
	size_t count;
	crux_node conditions[MAX_NODES]; /* of each node but the last */
	choice **known;                  /* by first node */
} chooser;

static crux_node choose(chooser *c, const crux_node *nodes, int depth);

/* The common operation of the nodes, or CRUX_CONSTANT. Shifts in both directions count as shifts to the left. */
static crux_operation common_operation(const chooser *c, const crux_node *nodes, bool *is_both_ways)
{
	crux_operation const first = c->trace->nodes[nodes[0]].operation;
	bool const is_shift = first == CRUX_SHIFT_LEFT || first == CRUX_SHIFT_RIGHT;
	*is_both_ways = false;
	for (size_t i = 1; i < c->count; i++) {
		crux_operation const other = c->trace->nodes[nodes[i]].operation;
		if (other != first && !(is_shift && (other == CRUX_SHIFT_LEFT || other == CRUX_SHIFT_RIGHT)))
			return CRUX_CONSTANT;
		*is_both_ways |= other != first;
	}
	return first < CRUX_AND || first >= CRUX_LOOKUP ? CRUX_CONSTANT : is_shift && *is_both_ways ? CRUX_SHIFT_LEFT : first;
}

static crux_operation operation_at(const chooser *c, crux_node node)
{
	return c->trace->nodes[node].operation;
}

/* Sets the operands of the nodes; swaps those of commutative operations to match the first node. */
static void take_operands(const chooser *c, const crux_node *nodes, crux_node operands[3][MAX_NODES])
{
	for (size_t i = 0; i < c->count; i++) {
		crux_trace_node const *const node = &c->trace->nodes[nodes[i]];
		operands[0][i] = node->a;
		operands[1][i] = node->b;
		operands[2][i] = node->c;
		bool const is_other = operation_at(c, node->a) != operation_at(c, operands[0][0]);
		if (is_other && crux_operation_is_commutative(node->operation) &&
		    operation_at(c, node->b) == operation_at(c, operands[0][0])) {
			operands[0][i] = node->b;
			operands[1][i] = node->a;
		}
	}
}

/* Chooses among shifts to the left and to the right: one shift each way, one of them by 0 places. */
static crux_node choose_shift(chooser *c, const crux_node *nodes, crux_node operands[3][MAX_NODES], int depth)
{
	crux_node left[MAX_NODES] = {0}, right[MAX_NODES] = {0};
	for (size_t i = 0; i < c->count; i++) {
		bool const is_left = operation_at(c, nodes[i]) == CRUX_SHIFT_LEFT;
		left[i] = is_left ? operands[1][i] : 0;
		right[i] = is_left ? 0 : operands[1][i];
	}
	crux_node const value = choose(c, operands[0], depth);
	crux_node const shifted = crux_trace_apply(c->trace, CRUX_SHIFT_LEFT, value, choose(c, left, depth), 0);
	return crux_trace_apply(c->trace, CRUX_SHIFT_RIGHT, shifted, choose(c, right, depth), 0);
}

static crux_node choose_anew(chooser *c, const crux_node *nodes, int depth)
{
	bool is_both_ways;
	crux_operation const operation = common_operation(c, nodes, &is_both_ways);
	if (operation == CRUX_CONSTANT || depth == MAX_DEPTH) {
		crux_node result = nodes[c->count - 1];
		for (size_t i = c->count - 1; i-- > 0;)
			result = crux_trace_apply(c->trace, CRUX_SELECT, c->conditions[i], nodes[i], result);
		return result;
	}
	crux_node operands[3][MAX_NODES] = {{0}};
	take_operands(c, nodes, operands);
	if (is_both_ways)
		return choose_shift(c, nodes, operands, depth + 1);
	crux_node const a = choose(c, operands[0], depth + 1), b = choose(c, operands[1], depth + 1);
	return crux_trace_apply(c->trace, operation, a, b, choose(c, operands[2], depth + 1));
}

static crux_node choose(chooser *c, const crux_node *nodes, int depth)
{
	size_t const size = c->count * sizeof *nodes;
	size_t same = 1;
	while (same < c->count && nodes[same] == nodes[0])
		same++;
	if (same == c->count)
		return nodes[0];
	for (choice const *known = c->known[nodes[0]]; known; known = known->next)
		if (memcmp(known->nodes, nodes, size) == 0)
			return known->result;
	choice *const made = malloc(sizeof *made + size);
	if (!made) {
		c->trace->failed = true;
		return 0;
	}
	memcpy(made->nodes, nodes, size);
	made->result = choose_anew(c, nodes, depth);
	int64_t low = INT64_MAX, high = INT64_MIN;
	for (size_t i = 0; i < c->count; i++) {
		crux_trace_node const *const node = &c->trace->nodes[nodes[i]];
		low = node->low < low ? node->low : low;
		high = node->high > high ? node->high : high;
	}
	made->result = crux_trace_narrow(c->trace, made->result, low, high);
	made->next = c->known[nodes[0]];
	c->known[nodes[0]] = made;
	return made->result;
}

crux_node crux_trace_choose(crux_trace *trace, crux_node input, int64_t first, const crux_node *nodes, size_t count)
{
	crux_node const known_count = trace->count;
	chooser c = {.trace = trace, .count = count, .known = calloc(known_count, sizeof *c.known)};
	if (!c.known || count > MAX_NODES) {
		free(c.known);
		trace->failed = true;
		return 0;
	}
	for (size_t i = 0; i + 1 < count; i++) {
		crux_node const place = crux_trace_constant(trace, first + (int64_t)i);
		c.conditions[i] = crux_trace_apply(trace, CRUX_EQUAL, input, place, 0);
	}
	crux_node const result = choose(&c, nodes, 0);
	for (crux_node i = 0; i < known_count; i++) {
		while (c.known[i]) {
			choice *const known = c.known[i];
			c.known[i] = known->next;
			free(known);
		}
	}
	free(c.known);
	return trace->failed ? 0 : result;
}
