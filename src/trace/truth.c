/* What truth values tell of each other: whether one holds wherever another does, by comparisons with constants, and by "and" and
 * "or" of such. */
#include "trace/truth.h"

enum { DEPTH = 4 }; /* of "and" and "or" that are looked into */

/* A truth value or its opposite. */
typedef struct literal {
	crux_node node;
	bool is_opposite;
} literal;

bool crux_truth_is(const crux_trace *trace, crux_node node)
{
	return trace->nodes[node].low >= -1 && trace->nodes[node].high <= 0;
}

/* The same as an equality, an order by <, or another value that is no complement, or the opposite of one. *x is its node, with that
 * operation. */
static literal plain(const crux_trace *trace, literal a, crux_trace_node *x)
{
	*x = trace->nodes[a.node];
	while (x->operation == CRUX_XOR && trace->nodes[x->b].operation == CRUX_CONSTANT && trace->nodes[x->b].low == -1) {
		a = (literal){x->a, !a.is_opposite};
		*x = trace->nodes[a.node];
	}
	if (x->operation == CRUX_UNEQUAL) {
		x->operation = CRUX_EQUAL;
		a.is_opposite = !a.is_opposite;
	} else if (x->operation == CRUX_LESS_EQUAL) {
		*x = (crux_trace_node){.operation = CRUX_LESS, .a = x->b, .b = x->a};
		a.is_opposite = !a.is_opposite;
	}
	return a;
}

/* Sets both parts of a value that holds where both do, or for `either` where one does; false when it has no such parts. */
static bool parts(literal a, const crux_trace_node *x, bool either, literal of[2])
{
	bool const is_either = (x->operation == CRUX_OR) != a.is_opposite;
	if ((x->operation != CRUX_AND && x->operation != CRUX_OR && x->operation != CRUX_AND_NOT) || is_either != either)
		return false;
	of[0] = (literal){x->a, a.is_opposite};
	of[1] = (literal){x->b, a.is_opposite != (x->operation == CRUX_AND_NOT)};
	return true;
}

/* True if b is known to hold wherever a does. */
static bool is_within(const crux_trace *trace, literal a, literal b, int depth)
{
	crux_trace_node x, y;
	literal of[2];
	literal const p = plain(trace, a, &x), q = plain(trace, b, &y);
	bool const are_same = p.node == q.node || (x.operation == y.operation && x.a == y.a && x.b == y.b &&
	                                           (x.operation == CRUX_EQUAL || x.operation == CRUX_LESS));
	if (are_same)
		return p.is_opposite == q.is_opposite;
	if (x.operation == CRUX_EQUAL && y.operation == CRUX_EQUAL && x.a == y.a && !p.is_opposite && q.is_opposite)
		return trace->nodes[x.b].operation == CRUX_CONSTANT && trace->nodes[y.b].operation == CRUX_CONSTANT;
	if (depth == 0)
		return false;
	if (parts(p, &x, true, of))
		return is_within(trace, of[0], b, depth - 1) && is_within(trace, of[1], b, depth - 1);
	if (parts(q, &y, false, of))
		return is_within(trace, a, of[0], depth - 1) && is_within(trace, a, of[1], depth - 1);
	if (parts(p, &x, false, of) && (is_within(trace, of[0], b, depth - 1) || is_within(trace, of[1], b, depth - 1)))
		return true;
	return parts(q, &y, true, of) && (is_within(trace, a, of[0], depth - 1) || is_within(trace, a, of[1], depth - 1));
}

crux_truth_result crux_truth_combine(const crux_trace *trace, crux_operation operation, crux_node a, crux_node b)
{
	literal const x = {a, operation == CRUX_OR}, y = {b, (operation == CRUX_OR) != (operation == CRUX_AND_NOT)};
	bool const is_or = operation == CRUX_OR;
	literal const not_y = {b, !y.is_opposite};
	if (is_within(trace, x, not_y, DEPTH)) /* a | b is the opposite of ~a & ~b */
		return is_or ? CRUX_TRUTH_ALWAYS : CRUX_TRUTH_NEVER;
	if (is_within(trace, x, y, DEPTH))
		return CRUX_TRUTH_FIRST;
	if (is_within(trace, y, x, DEPTH))
		return operation == CRUX_AND_NOT ? CRUX_TRUTH_NOT_SECOND : CRUX_TRUTH_SECOND;
	return CRUX_TRUTH_UNKNOWN;
}

bool crux_truth_is_comparison(const crux_trace *trace, crux_node node)
{
	crux_trace_node x;
	plain(trace, (literal){node, false}, &x);
	return x.operation == CRUX_EQUAL || x.operation == CRUX_LESS;
}

bool crux_truth_decides(const crux_trace *trace, crux_node given, bool holds, crux_node node, bool *value)
{
	literal const known = {given, !holds};
	*value = is_within(trace, known, (literal){node, false}, 0);
	return *value || is_within(trace, known, (literal){node, true}, 0);
}
