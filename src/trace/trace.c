/* The graph of a trace: nodes in a hash table, simplified when they are added. */
#include "trace/trace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "base/sizes.h"
#include "trace/truth.h"

enum { FIRST_NODES = 256 }; /* a power of 2; there are twice as many slots */

static bool allocate(crux_trace *trace)
{
	trace->nodes = malloc(FIRST_NODES * sizeof *trace->nodes);
	trace->slots = calloc(2 * FIRST_NODES, sizeof *trace->slots);
	if (!trace->nodes || !trace->slots)
		return false;
	trace->capacity = FIRST_NODES;
	trace->slot_count = 2 * FIRST_NODES;
	trace->nodes[0] = (crux_trace_node){.operation = CRUX_CONSTANT, .is_uniform = true};
	trace->count = 1;
	return true;
}

crux_trace *crux_trace_new(void)
{
	crux_trace *trace = calloc(1, sizeof *trace);
	if (trace && !allocate(trace)) {
		crux_trace_free(trace);
		return NULL;
	}
	return trace;
}

void crux_trace_free(crux_trace *trace)
{
	if (!trace)
		return;
	for (size_t i = 0; i < trace->table_count; i++)
		free(trace->tables[i].values);
	for (size_t i = 0; i < trace->closure_count; i++)
		free(trace->closures[i].operands);
	free(trace->closures);
	free(trace->tables);
	free(trace->assumptions);
	free(trace->nodes);
	free(trace->slots);
	free(trace);
}

static bool is_same(const crux_trace_node *x, const crux_trace_node *y)
{
	return x->operation == y->operation && x->a == y->a && x->b == y->b && x->c == y->c &&
	       (x->operation != CRUX_CONSTANT || x->low == y->low);
}

static size_t hash(const crux_trace_node *node)
{
	uint64_t h = (uint64_t)node->operation << 32 ^ node->a;
	h = h * 0x9e3779b97f4a7c15 ^ ((uint64_t)node->b << 32 | node->c);
	if (node->operation == CRUX_CONSTANT)
		h ^= (uint64_t)node->low;
	h *= 0xff51afd7ed558ccd;
	return (size_t)(h ^ h >> 32);
}

static crux_node *slot_of(const crux_trace *trace, const crux_trace_node *node)
{
	size_t i = hash(node) & (trace->slot_count - 1);
	while (trace->slots[i] && !is_same(&trace->nodes[trace->slots[i]], node))
		i = (i + 1) & (trace->slot_count - 1);
	return &trace->slots[i];
}

static bool grow(crux_trace *trace)
{
	crux_node const capacity = 2 * trace->capacity;
	crux_trace_node *nodes = realloc(trace->nodes, capacity * sizeof *nodes);
	if (!nodes)
		return false;
	trace->nodes = nodes;
	crux_node *slots = calloc(2 * (size_t)capacity, sizeof *slots);
	if (!slots)
		return false;
	free(trace->slots);
	trace->slots = slots;
	trace->slot_count = 2 * (size_t)capacity;
	trace->capacity = capacity;
	for (crux_node i = 1; i < trace->count; i++)
		if (nodes[i].operation != CRUX_INPUT)
			*slot_of(trace, &nodes[i]) = i;
	return true;
}

static crux_range range_of(const crux_trace_node *node) { return (crux_range){node->low, node->high}; }

/* The node equal to this one, added when missing; 0 after a failure. Its `may` is 0 if only its range tells about bits. */
static crux_node enter(crux_trace *trace, crux_trace_node node)
{
	if (trace->failed)
		return 0;
	if (node.operation == CRUX_CONSTANT && node.low == 0)
		return 0;
	crux_node const known = node.operation == CRUX_INPUT ? 0 : *slot_of(trace, &node);
	if (known)
		return known;
	if (trace->count == CRUX_MOST_TRACE_NODES || (trace->count == trace->capacity && !grow(trace))) {
		trace->failed = true;
		return 0;
	}
	if (node.operation != CRUX_INPUT)
		*slot_of(trace, &node) = trace->count;
	node.may = crux_range_bits(range_of(&node)) & (node.may ? node.may : UINT64_MAX);
	trace->nodes[trace->count] = node;
	return trace->count++;
}

crux_node crux_trace_constant(crux_trace *trace, int64_t value)
{
	return enter(trace, (crux_trace_node){CRUX_CONSTANT, true, 0, 0, 0, value, value, value, 0});
}

crux_node crux_trace_input(crux_trace *trace, int64_t low, int64_t high)
{
	return enter(trace, (crux_trace_node){CRUX_INPUT, false, 0, 0, 0, low, high, 0, 0});
}

crux_node crux_trace_parameter(crux_trace *trace, int64_t low, int64_t high, int64_t value)
{
	bool const is_uniform = !trace->varies;
	crux_node const number = (crux_node)trace->parameter_count++;
	return enter(trace, (crux_trace_node){CRUX_PARAMETER, is_uniform, number, 0, 0, low, high, value, 0});
}

void crux_trace_assume(crux_trace *trace, crux_node node)
{
	for (size_t i = 0; i < trace->assumption_count; i++)
		if (trace->assumptions[i] == node)
			return;
	if (crux_array_grow(CRUX_ARRAY(trace->assumptions, trace->assumption_count + 1), &trace->assumption_room))
		trace->assumptions[trace->assumption_count++] = node;
	else
		trace->failed = true;
}

static crux_range range_at(const crux_trace *trace, crux_node node) { return range_of(&trace->nodes[node]); }

static bool is_constant(const crux_trace *trace, crux_node node, int64_t value)
{
	return trace->nodes[node].operation == CRUX_CONSTANT && trace->nodes[node].low == value;
}

static crux_node apply(crux_trace *trace, crux_operation operation, crux_node a, crux_node b)
{
	return crux_trace_apply(trace, operation, a, b, 0);
}

/* The bitwise complement of a node. */
static crux_node complement(crux_trace *trace, crux_node node)
{
	crux_trace_node const x = trace->nodes[node];
	switch (x.operation) {
	case CRUX_EQUAL:
		return apply(trace, CRUX_UNEQUAL, x.a, x.b);
	case CRUX_UNEQUAL:
		return apply(trace, CRUX_EQUAL, x.a, x.b);
	case CRUX_LESS:
		return apply(trace, CRUX_LESS_EQUAL, x.b, x.a);
	case CRUX_LESS_EQUAL:
		return apply(trace, CRUX_LESS, x.b, x.a);
	default:
		return apply(trace, CRUX_XOR, node, crux_trace_constant(trace, -1));
	}
}

/* True when the node is the complement of another node, *of. */
static bool is_complement(const crux_trace *trace, crux_node node, crux_node *of)
{
	crux_trace_node const *x = &trace->nodes[node];
	*of = x->a;
	return x->operation == CRUX_XOR && is_constant(trace, x->b, -1);
}

/* These functions set *out to a simpler node for an operation on two nodes, of which a constant comes second if it may; false
 * when there is none. */
static bool simplify_bits(crux_trace *trace, crux_operation operation, crux_node a, crux_node b, crux_node *out)
{
	bool const is_zero = b == 0, is_all = is_constant(trace, b, -1);
	crux_node of;
	*out = a;
	switch (operation) {
	case CRUX_AND:
		if (is_zero)
			*out = 0;
		else if (is_complement(trace, b, &of))
			*out = apply(trace, CRUX_AND_NOT, a, of);
		else if (is_complement(trace, a, &of))
			*out = apply(trace, CRUX_AND_NOT, b, of);
		return is_zero || is_all || a == b || *out != a;
	case CRUX_OR:
		if (is_all)
			*out = b;
		return is_zero || is_all || a == b;
	case CRUX_XOR:
		if (a == b)
			*out = 0;
		else if (is_all && is_complement(trace, a, &of))
			*out = of;
		else if (is_all && trace->nodes[a].operation >= CRUX_EQUAL && trace->nodes[a].operation <= CRUX_LESS_EQUAL)
			*out = complement(trace, a);
		return is_zero || a == b || *out != a;
	default: /* CRUX_AND_NOT */
		if (a == 0 || a == b || is_all)
			*out = 0;
		else if (is_complement(trace, b, &of))
			*out = apply(trace, CRUX_AND, a, of);
		else if (is_constant(trace, a, -1))
			*out = complement(trace, b);
		return is_zero || *out != a || a == 0;
	}
}

static bool simplify_arithmetic(crux_trace *trace, crux_operation operation, crux_node a, crux_node b, crux_node *out)
{
	bool const is_zero = b == 0;
	*out = a;
	switch (operation) {
	case CRUX_SUBTRACT: {
		crux_trace_node const y = trace->nodes[b];
		bool const is_back = a == 0 && y.operation == CRUX_SUBTRACT && y.a == 0;
		if (is_back)
			*out = y.b;
		else if (a == b)
			*out = 0;
		return is_zero || is_back || a == b;
	}
	case CRUX_MULTIPLY:
		if (is_zero)
			*out = 0;
		return is_zero || is_constant(trace, b, 1);
	default: /* a sum or a shift */
		return is_zero;
	}
}

static bool simplify_extreme(crux_trace *trace, crux_operation operation, crux_node a, crux_node b, crux_node *out)
{
	crux_range const x = range_at(trace, a), y = range_at(trace, b);
	bool const is_first = operation == CRUX_MIN ? x.high <= y.low : x.low >= y.high;
	bool const is_second = operation == CRUX_MIN ? y.high <= x.low : y.low >= x.high;
	*out = is_first ? a : b;
	return a == b || is_first || is_second;
}

/* True when a comparison is a node already, is decided, or is that of an input, which other moves have, too. */
static bool is_known(const crux_trace *trace, crux_operation operation, crux_node a, crux_node b)
{
	int64_t result;
	return trace->nodes[a].operation == CRUX_INPUT || *slot_of(trace, &(crux_trace_node){.operation = operation, .a = a, .b = b}) ||
	       crux_operation_is_decided(operation, range_at(trace, a), range_at(trace, b), &result);
}

/* The same for the equality of a constant and a choice between another one and a value that was compared before. */
static bool simplify_chosen(crux_trace *trace, crux_operation operation, crux_node a, crux_node b, crux_node *out)
{
	crux_trace_node const choice = trace->nodes[a];
	bool const is_equality = operation == CRUX_EQUAL || operation == CRUX_UNEQUAL;
	if (!is_equality || choice.operation != CRUX_SELECT || trace->nodes[b].operation != CRUX_CONSTANT)
		return false;
	bool const is_first = trace->nodes[choice.b].operation == CRUX_CONSTANT;
	if ((!is_first && trace->nodes[choice.c].operation != CRUX_CONSTANT) ||
	    !is_known(trace, operation, is_first ? choice.c : choice.b, b))
		return false;
	crux_node const first = apply(trace, operation, choice.b, b), second = apply(trace, operation, choice.c, b);
	*out = crux_trace_apply(trace, CRUX_SELECT, choice.a, first, second);
	return true;
}

static bool simplify_comparison(crux_trace *trace, crux_operation operation, crux_node a, crux_node b, crux_node *out)
{
	int64_t result = operation == CRUX_EQUAL || operation == CRUX_LESS_EQUAL ? -1 : 0;
	bool const known = a == b || crux_operation_is_decided(operation, range_at(trace, a), range_at(trace, b), &result);
	*out = known ? crux_trace_constant(trace, result) : 0;
	return known || simplify_chosen(trace, operation, a, b, out);
}

static bool simplify_truths(crux_trace *trace, crux_operation operation, crux_node a, crux_node b, crux_node *out);

static bool simplify_pair(crux_trace *trace, crux_operation operation, crux_node a, crux_node b, crux_node *out)
{
	switch (operation) {
	case CRUX_AND:
	case CRUX_OR:
	case CRUX_XOR:
	case CRUX_AND_NOT:
		return simplify_bits(trace, operation, a, b, out) || simplify_truths(trace, operation, a, b, out);
	case CRUX_ADD:
	case CRUX_SUBTRACT:
	case CRUX_MULTIPLY:
	case CRUX_SHIFT_LEFT:
	case CRUX_SHIFT_RIGHT:
		return simplify_arithmetic(trace, operation, a, b, out);
	case CRUX_MIN:
	case CRUX_MAX:
		return simplify_extreme(trace, operation, a, b, out);
	case CRUX_EQUAL:
	case CRUX_UNEQUAL:
	case CRUX_LESS:
	case CRUX_LESS_EQUAL:
		return simplify_comparison(trace, operation, a, b, out);
	case CRUX_ABS:
		*out = a;
		return trace->nodes[a].low >= 0;
	default:
		return false;
	}
}

/* A truth value, simpler where it can be, that is the same wherever a comparison holds, or not. Looks at no more than *budget
 * nodes. */
static crux_node narrow_truth(crux_trace *trace, crux_node node, crux_node comparison, bool holds, int *budget)
{
	crux_trace_node const n = trace->nodes[node];
	bool const is_choice = n.operation == CRUX_SELECT;
	bool value;
	if (n.operation < CRUX_AND || !crux_truth_is(trace, node) || --*budget < 0)
		return node;
	if (crux_truth_decides(trace, comparison, holds, node, &value))
		return crux_trace_constant(trace, -value);
	if (n.operation > CRUX_AND_NOT && !is_choice)
		return node;
	crux_node const a = narrow_truth(trace, n.a, comparison, holds, budget), b = narrow_truth(trace, n.b, comparison, holds, budget);
	crux_node const c = is_choice ? narrow_truth(trace, n.c, comparison, holds, budget) : 0;
	return a == n.a && b == n.b && c == n.c ? node : crux_trace_apply(trace, n.operation, a, b, c);
}

/* Makes an operand of bits of truth values simpler where the other one, a comparison, does not settle the result. The result may have an
 * operand that can be made simpler in another round: without an end to the rounds, some steps fill the stack. */
static bool narrow_operand(crux_trace *trace, crux_operation operation, crux_node a, crux_node b, crux_node *out)
{
	enum { MOST_ROUNDS = 16 };
	int budget = 48;
	crux_node x = a, y = b;
	if (trace->rounds == MOST_ROUNDS)
		return false;
	if (crux_truth_is_comparison(trace, a))
		y = narrow_truth(trace, b, a, operation != CRUX_OR, &budget);
	else if (crux_truth_is_comparison(trace, b))
		x = narrow_truth(trace, a, b, operation == CRUX_AND, &budget);
	if (x == a && y == b)
		return false;
	trace->rounds++;
	*out = apply(trace, operation, x, y);
	trace->rounds--;
	return true;
}

/* The same for an operation of bits on two truth values. */
static bool simplify_truths(crux_trace *trace, crux_operation operation, crux_node a, crux_node b, crux_node *out)
{
	if (operation == CRUX_XOR || !crux_truth_is(trace, a) || !crux_truth_is(trace, b))
		return false;
	switch (crux_truth_combine(trace, operation, a, b)) {
	case CRUX_TRUTH_FIRST:
		*out = a;
		return true;
	case CRUX_TRUTH_SECOND:
		*out = b;
		return true;
	case CRUX_TRUTH_NOT_SECOND:
		*out = complement(trace, b);
		return true;
	case CRUX_TRUTH_NEVER:
		*out = 0;
		return true;
	case CRUX_TRUTH_ALWAYS:
		*out = crux_trace_constant(trace, -1);
		return true;
	case CRUX_TRUTH_UNKNOWN:
		break;
	}
	if (narrow_operand(trace, operation, a, b, out))
		return true;
	crux_node of;
	bool const is_second = is_complement(trace, b, &of);
	if (operation != CRUX_OR || (!is_second && !is_complement(trace, a, &of)))
		return false;
	*out = complement(trace, apply(trace, CRUX_AND_NOT, of, is_second ? a : b)); /* complements go outwards, where they may end */
	return true;
}

/* Simplifies a choice between two operands of its condition, or between a value and one that an operation on x changes unless x is
 * 0, where the condition tells of x. */
static bool simplify_compared(crux_trace *trace, crux_node condition, crux_node b, crux_node c, crux_node *out)
{
	crux_trace_node const x = trace->nodes[condition];
	bool const is_order = x.operation == CRUX_LESS || x.operation == CRUX_LESS_EQUAL, is_equal = x.operation == CRUX_EQUAL;
	bool const is_first = x.a == b && x.b == c, is_second = x.a == c && x.b == b;
	if (is_order && (is_first || is_second)) {
		*out = apply(trace, is_first ? CRUX_MIN : CRUX_MAX, b, c);
		return true;
	}
	if (!is_equal && x.operation != CRUX_UNEQUAL)
		return false;
	crux_node const changed = is_equal ? c : b, same = is_equal ? b : c;
	crux_trace_node const y = trace->nodes[changed];
	bool const is_added = y.operation == CRUX_ADD || y.operation == CRUX_OR || y.operation == CRUX_XOR;
	bool const has_same = (y.a == same && y.b == x.a) || (is_added && y.a == x.a && y.b == same);
	*out = changed;
	return is_first || is_second || (x.b == 0 && has_same && (is_added || y.operation == CRUX_SUBTRACT || y.operation == CRUX_AND_NOT));
}

/* Simplifies a choice; when one of the two values is 0 or -1, the condition is a mask. */
static bool simplify_choice(crux_trace *trace, crux_node condition, crux_node b, crux_node c, crux_node *out)
{
	if (b == c || is_constant(trace, condition, -1))
		*out = b;
	else if (condition == 0)
		*out = c;
	else if (c == 0)
		*out = apply(trace, CRUX_AND, b, condition);
	else if (b == 0)
		*out = apply(trace, CRUX_AND_NOT, c, condition);
	else if (is_constant(trace, b, -1))
		*out = apply(trace, CRUX_OR, condition, c);
	else if (is_constant(trace, c, -1))
		*out = apply(trace, CRUX_OR, complement(trace, condition), b);
	else
		return simplify_compared(trace, condition, b, c, out);
	return true;
}

crux_node crux_trace_apply(crux_trace *trace, crux_operation operation, crux_node a, crux_node b, crux_node c)
{
	if (trace->failed)
		return 0;
	crux_trace_node const *const nodes = trace->nodes;
	if (nodes[a].operation == CRUX_CONSTANT && nodes[b].operation == CRUX_CONSTANT && nodes[c].operation == CRUX_CONSTANT)
		return crux_trace_constant(trace, crux_operation_evaluate(operation, nodes[a].low, nodes[b].low, nodes[c].low));
	if (crux_operation_is_commutative(operation) &&
	    (nodes[a].operation == CRUX_CONSTANT || (a > b && nodes[b].operation != CRUX_CONSTANT))) {
		crux_node const first = a;
		a = b;
		b = first;
	}
	crux_node out;
	if (operation == CRUX_SELECT ? simplify_choice(trace, a, b, c, &out) : simplify_pair(trace, operation, a, b, &out))
		return out;
	crux_trace_node const *const now = trace->nodes;
	crux_range r = crux_operation_range(operation, range_at(trace, a), range_at(trace, b), range_at(trace, c));
	uint64_t const may = crux_operation_bits(operation, now[a].may, now[b].may, now[c].may, range_at(trace, b)) & crux_range_bits(r);
	if (may <= INT64_MAX) {
		r.low = r.low > 0 ? r.low : 0;
		r.high = r.high < (int64_t)may ? r.high : (int64_t)may;
	}
	if (r.low == r.high)
		return crux_trace_constant(trace, r.low);
	bool const is_uniform = now[a].is_uniform && now[b].is_uniform && now[c].is_uniform;
	int64_t const value = is_uniform ? crux_operation_evaluate(operation, now[a].value, now[b].value, now[c].value) : 0;
	return enter(trace, (crux_trace_node){operation, is_uniform, a, b, c, r.low, r.high, value, may});
}

crux_node crux_trace_narrow(crux_trace *trace, crux_node node, int64_t low, int64_t high)
{
	if (trace->failed)
		return 0;
	crux_trace_node *const at = &trace->nodes[node];
	at->low = low > at->low ? low : at->low;
	at->high = high < at->high ? high : at->high;
	at->may &= crux_range_bits(range_of(at));
	return at->low == at->high ? crux_trace_constant(trace, at->low) : node;
}

/* Adds a table and returns its number; SIZE_MAX, and the values freed, when there are too many or memory is short. */
static size_t add_table(crux_trace *trace, crux_trace_table table)
{
	bool const fits = table.count <= CRUX_MOST_TRACE_VALUES - trace->value_count;
	if (!fits || !crux_array_grow(CRUX_ARRAY(trace->tables, trace->table_count + 1), &trace->table_room)) {
		free(table.values);
		trace->failed = true;
		return SIZE_MAX;
	}
	trace->value_count += table.count;
	trace->tables[trace->table_count] = table;
	return trace->table_count++;
}

/* The number of a table with these values; SIZE_MAX when there is none and memory is short. */
static size_t enter_table(crux_trace *trace, const int64_t *values, size_t count, int64_t first)
{
	for (size_t i = 0; i < trace->table_count; i++) {
		crux_trace_table const *const table = &trace->tables[i];
		if (table->values && table->first == first && table->count == count &&
		    memcmp(table->values, values, count * sizeof *values) == 0)
			return i;
	}
	int64_t *copy = malloc(count * sizeof *copy);
	if (!copy) {
		trace->failed = true;
		return SIZE_MAX;
	}
	memcpy(copy, values, count * sizeof *copy);
	return add_table(trace, (crux_trace_table){.first = first, .count = count, .values = copy});
}

static crux_node enter_lookup(crux_trace *trace, size_t table, crux_node index, crux_range r, uint64_t may)
{
	if (trace->failed)
		return 0;
	return enter(trace, (crux_trace_node){CRUX_LOOKUP, false, index, (crux_node)table, 0, r.low, r.high, 0, may});
}

crux_node crux_trace_lookup(crux_trace *trace, const int64_t *values, size_t count, int64_t first, crux_node index)
{
	if (trace->failed)
		return 0;
	crux_range const at = range_at(trace, index);
	crux_range r = {INT64_MAX, INT64_MIN};
	uint64_t may = 0;
	for (int64_t i = at.low - first; i <= at.high - first; i++) {
		r.low = values[i] < r.low ? values[i] : r.low;
		r.high = values[i] > r.high ? values[i] : r.high;
		may |= (uint64_t)values[i];
	}
	if (r.low == r.high)
		return crux_trace_constant(trace, r.low);
	return enter_lookup(trace, enter_table(trace, values, count, first), index, r, may);
}

size_t crux_trace_parameter_table(crux_trace *trace, int64_t first, size_t count, int64_t low, int64_t high)
{
	if (trace->failed)
		return SIZE_MAX;
	size_t const place = trace->parameter_count;
	trace->parameter_count += count;
	return add_table(trace, (crux_trace_table){.first = first, .count = count, .low = low, .high = high, .place = place});
}

crux_node crux_trace_lookup_parameter(crux_trace *trace, size_t table, crux_node index)
{
	if (trace->failed)
		return 0;
	assert(table < trace->table_count);
	crux_range const r = {trace->tables[table].low, trace->tables[table].high};
	return r.low == r.high ? crux_trace_constant(trace, r.low) : enter_lookup(trace, table, index, r, 0);
}

/* Sets out to the words of a closure of constants. */
static void evaluate_closure(crux_trace *trace, crux_closure_kind kind, crux_board_shape shape, const crux_node *operands,
                             crux_node *out)
{
	uint64_t words[CRUX_CLOSURE_BOARDS][CRUX_BOARD_WORDS] = {{0}};
	for (size_t i = 0; i < crux_closure_operands(kind, shape); i++)
		words[i / shape.words][i % shape.words] = (uint64_t)trace->nodes[operands[i]].low;
	if (kind == CRUX_FLOOD)
		crux_board_flood(shape, words[0], words[1], words[0]);
	else
		crux_board_frozen(shape, words[0], words[1], words[2], words[0]);
	for (size_t i = 0; i < shape.words; i++)
		out[i] = crux_trace_constant(trace, (int64_t)words[0][i]);
}

/* Adds a closure; false when memory is short. */
static bool add_closure(crux_trace *trace, crux_closure_kind kind, crux_board_shape shape, const crux_node *operands)
{
	size_t const count = crux_closure_operands(kind, shape);
	if (!crux_array_grow(CRUX_ARRAY(trace->closures, trace->closure_count + 1), &trace->closure_room))
		return false;
	crux_node *const copy = malloc(count * sizeof *copy);
	if (!copy)
		return false;
	memcpy(copy, operands, count * sizeof *copy);
	crux_node const number = (crux_node)trace->closure_count++, first = trace->count;
	trace->closures[number] = (crux_trace_closure){kind, shape, copy, first};
	for (crux_node word = 0; word < shape.words; word++) {
		crux_trace_node const bound = trace->nodes[operands[(kind == CRUX_FLOOD ? shape.words : 0u) + word]];
		crux_range const range = {bound.low < 0 ? INT64_MIN : 0, bound.low < 0 ? INT64_MAX : bound.high};
		enter(trace, (crux_trace_node){CRUX_CLOSURE, false, number, word, 0, range.low, range.high, 0, bound.may});
	}
	return true;
}

void crux_trace_close(crux_trace *trace, crux_closure_kind kind, crux_board_shape shape, const crux_node *operands,
                      crux_node *out)
{
	assert(crux_board_is_shape(shape));
	size_t const count = crux_closure_operands(kind, shape);
	bool are_constant = true;
	for (size_t i = 0; i < shape.words; i++)
		out[i] = 0;
	for (size_t i = 0; i < count; i++)
		are_constant &= trace->nodes[operands[i]].operation == CRUX_CONSTANT;
	if (are_constant)
		evaluate_closure(trace, kind, shape, operands, out);
	size_t number = 0;
	for (; !are_constant && number < trace->closure_count; number++) {
		crux_trace_closure const *const known = &trace->closures[number];
		if (known->kind == kind && crux_board_are_alike(known->shape, shape) &&
		    memcmp(known->operands, operands, count * sizeof *operands) == 0)
			break;
	}
	if (!are_constant && number == trace->closure_count && !add_closure(trace, kind, shape, operands))
		trace->failed = true;
	for (size_t i = 0; !are_constant && !trace->failed && i < shape.words; i++)
		out[i] = trace->closures[number].first + (crux_node)i;
}

/* Copies tables and the number of parameters; false when memory is short. */
static bool copy_tables(crux_trace *to, const crux_trace *from)
{
	to->parameter_count = from->parameter_count;
	for (size_t i = 0; i < from->table_count; i++) {
		crux_trace_table table = from->tables[i];
		if (table.values) {
			table.values = malloc(table.count * sizeof *table.values);
			if (!table.values)
				return false;
			memcpy(table.values, from->tables[i].values, table.count * sizeof *table.values);
		}
		if (add_table(to, table) == SIZE_MAX)
			return false;
	}
	return true;
}

static crux_node image_of_closure(crux_trace *to, const crux_trace_closure *closure, size_t word, const crux_node *images)
{
	crux_node operands[CRUX_CLOSURE_BOARDS * CRUX_BOARD_WORDS] = {0}, words[CRUX_BOARD_WORDS];
	for (size_t i = 0; i < crux_closure_operands(closure->kind, closure->shape); i++)
		operands[i] = images[closure->operands[i]];
	crux_trace_close(to, closure->kind, closure->shape, operands, words);
	return words[word];
}

crux_node crux_trace_image(crux_trace *to, const crux_trace *from, crux_node number, const crux_node *images)
{
	crux_trace_node const node = from->nodes[number];
	if (node.operation == CRUX_CONSTANT)
		return crux_trace_constant(to, node.low);
	if (node.operation <= CRUX_PARAMETER)
		return enter(to, node);
	if (node.operation == CRUX_CLOSURE)
		return image_of_closure(to, &from->closures[node.a], node.b, images);
	if (node.operation != CRUX_LOOKUP)
		return crux_trace_apply(to, node.operation, images[node.a], images[node.b], images[node.c]);
	crux_trace_table const *const table = &from->tables[node.b];
	return table->values ? crux_trace_lookup(to, table->values, table->count, table->first, images[node.a])
	                     : crux_trace_lookup_parameter(to, node.b, images[node.a]);
}

crux_trace *crux_trace_specialise(const crux_trace *from, crux_node input, int64_t value, crux_node *images)
{
	crux_trace *const to = crux_trace_new();
	if (!to)
		return NULL;
	bool is_done = copy_tables(to, from);
	images[0] = 0;
	for (crux_node i = 1; is_done && i < from->count; i++) {
		crux_trace_node const *const node = &from->nodes[i];
		images[i] = i == input ? crux_trace_constant(to, value) : crux_trace_image(to, from, i, images);
		images[i] = crux_trace_narrow(to, images[i], node->low, node->high);
		is_done = !to->failed;
	}
	for (size_t i = 0; is_done && i < from->assumption_count; i++)
		crux_trace_assume(to, images[from->assumptions[i]]);
	if (is_done && !to->failed)
		return to;
	crux_trace_free(to);
	return NULL;
}
