/* Guards of moves: candidates are the conditions of choices; a guard must prove itself in the graph where it does not hold. */
#include "trace/trace_guard.h"

#include <stdlib.h>

#include "base/block.h"

enum { MAX_DEPTH = 1000, MAX_CONDITIONS = 8 };

#define UNKNOWN UINT32_MAX

/* A truth value, and the value that it has where the move changes nothing. */
typedef struct condition {
	crux_node node;
	int64_t idle;
} condition;

typedef struct prover {
	crux_trace *trace;
	crux_node known;    /* nodes before the proofs */
	crux_node *images;  /* of these nodes where the conditions are idle */
	bool *is_visited;   /* the image is known */
	crux_node *visited; /* those nodes */
	size_t visited_count, condition_count;
	condition conditions[MAX_CONDITIONS];
	bool failed; /* the graph is too deep, or there are too many conditions */
} prover;

static void set_image(prover *p, crux_node node, crux_node image)
{
	p->visited[p->visited_count++] = node;
	p->is_visited[node] = true;
	p->images[node] = image;
}

static void forget(prover *p)
{
	while (p->visited_count > 0) {
		crux_node const node = p->visited[--p->visited_count];
		p->is_visited[node] = false;
		p->images[node] = node;
	}
	p->condition_count = 0;
	p->failed = false;
}

static bool add_condition(prover *p, crux_node node, int64_t idle)
{
	for (size_t i = 0; i < p->condition_count; i++)
		if (p->conditions[i].node == node)
			return p->conditions[i].idle == idle;
	if (p->condition_count == MAX_CONDITIONS)
		return false;
	p->conditions[p->condition_count++] = (condition){node, idle};
	return true;
}

static bool is_truth(const prover *p, crux_node node)
{
	return p->trace->nodes[node].low == -1 && p->trace->nodes[node].high == 0;
}

/* True when a node is 0 where a condition, which is added, is idle. */
static bool find_zero(prover *p, crux_node number)
{
	crux_trace_node const node = p->trace->nodes[number];
	if (node.operation == CRUX_AND && is_truth(p, node.b))
		return add_condition(p, node.b, 0);
	if (node.operation == CRUX_AND && is_truth(p, node.a))
		return add_condition(p, node.a, 0);
	if (node.operation == CRUX_AND_NOT && is_truth(p, node.b))
		return add_condition(p, node.b, -1);
	return number == 0;
}

/* True when the output is the input where conditions, which are added, are idle. */
static bool find_conditions(prover *p, crux_node output, crux_node input, int depth)
{
	crux_trace_node const node = p->trace->nodes[output];
	if (output == input)
		return true;
	if (depth == MAX_DEPTH)
		return false;
	switch (node.operation) {
	case CRUX_SELECT:
		if (find_conditions(p, node.c, input, depth + 1))
			return add_condition(p, node.a, 0);
		return find_conditions(p, node.b, input, depth + 1) && add_condition(p, node.a, -1);
	case CRUX_ADD:
	case CRUX_OR:
	case CRUX_XOR:
		return (node.a == input && find_zero(p, node.b)) || (node.b == input && find_zero(p, node.a));
	case CRUX_SUBTRACT: /* from 0: a flag */
		if (node.a == 0)
			return find_conditions(p, node.b, crux_trace_apply(p->trace, CRUX_SUBTRACT, 0, input, 0), depth + 1);
		return node.a == input && find_zero(p, node.b);
	default:
		return false;
	}
}

/* The node where all conditions are idle. */
static crux_node image_of(prover *p, crux_node number, int depth)
{
	if (number >= p->known || p->is_visited[number])
		return number >= p->known ? number : p->images[number];
	crux_trace_node const node = p->trace->nodes[number];
	if (node.operation <= CRUX_PARAMETER || depth == MAX_DEPTH) {
		p->failed |= depth == MAX_DEPTH;
		return number;
	}
	bool is_same = true;
	if (node.operation == CRUX_CLOSURE) {
		crux_trace_closure const closure = p->trace->closures[node.a];
		for (size_t i = 0; i < crux_closure_operands(closure.kind, closure.shape); i++)
			is_same &= image_of(p, closure.operands[i], depth + 1) == closure.operands[i];
	} else {
		crux_node const a = image_of(p, node.a, depth + 1);
		if (node.operation == CRUX_SELECT && p->trace->nodes[a].operation == CRUX_CONSTANT) {
			set_image(p, number, image_of(p, p->trace->nodes[a].low ? node.b : node.c, depth + 1));
			return p->images[number];
		}
		is_same = a == node.a;
		if (node.operation != CRUX_LOOKUP)
			is_same &= image_of(p, node.b, depth + 1) == node.b;
		is_same &= image_of(p, node.c, depth + 1) == node.c;
	}
	set_image(p, number, is_same ? number : crux_trace_image(p->trace, p->trace, number, p->images));
	return p->images[number];
}

/* The guard of a move with these outputs; 0 when there is none. *estimate is that of idle moves, or UNKNOWN. */
static crux_node guard_of(prover *p, const crux_trace_moves *of, const crux_node *outputs, crux_node *estimate)
{
	crux_trace *const t = p->trace;
	for (size_t i = 0; i < of->values; i++)
		if (!find_conditions(p, outputs[i], of->inputs[i], 0))
			return 0;
	crux_node guard = 0;
	for (size_t i = 0; i < p->condition_count; i++) {
		condition const c = p->conditions[i];
		crux_node const idle = crux_trace_constant(t, c.idle);
		guard = crux_trace_apply(t, CRUX_OR, guard, crux_trace_apply(t, CRUX_XOR, c.node, idle, 0), 0);
		if (c.node < p->known)
			set_image(p, c.node, idle);
	}
	for (size_t i = 0; i < of->values; i++)
		if (image_of(p, outputs[i], 0) != of->inputs[i])
			return 0;
	crux_node const idle_estimate = of->estimates ? image_of(p, outputs[of->values], 0) : 0;
	if (p->failed || (*estimate != UNKNOWN && *estimate != idle_estimate))
		return 0;
	*estimate = idle_estimate;
	for (size_t i = 0; i < of->truths; i++)
		guard = crux_trace_apply(t, CRUX_OR, guard, image_of(p, outputs[of->values + of->estimates + i], 0), 0);
	return p->failed ? 0 : guard;
}

size_t crux_trace_guards(crux_trace *trace, const crux_trace_moves *of, crux_node *guards)
{
	prover p = {.trace = trace, .known = trace->count};
	crux_array const arrays[] = {CRUX_ARRAY(p.images, p.known), CRUX_ARRAY(p.is_visited, p.known), CRUX_ARRAY(p.visited, p.known)};
	void *const block = crux_block_new(arrays, sizeof arrays / sizeof *arrays);
	if (!block)
		return 0;
	for (crux_node i = 0; i < p.known; i++)
		p.images[i] = i;
	size_t count = 0;
	guards[of->moves] = UNKNOWN;
	for (size_t move = 0; move < of->moves; move++) {
		crux_node const *const outputs = of->outputs + move * (of->values + of->estimates + of->truths);
		crux_node const guard = guard_of(&p, of, outputs, &guards[of->moves]);
		guards[move] = guard ? guard : crux_trace_constant(trace, -1);
		count += guard != 0;
		forget(&p);
	}
	if (guards[of->moves] == UNKNOWN)
		guards[of->moves] = 0;
	free(block);
	return trace->failed ? 0 : count;
}
