/* The graph of what a script computes: hash-consing, folding and ranges. */
#include "trace.h"

#include <stdlib.h>
#include <string.h>

struct crux_trace {
	crux_trace_node *nodes;
	crux_node count, capacity;
	crux_node *slots; /* node numbers by hash; 0: empty */
	size_t slot_count;
	crux_trace_table *tables;
	size_t table_count;
	size_t given;
	crux_node *assumptions;
	size_t assumption_count;
	bool failed;
};

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
	free(trace->tables);
	free(trace->assumptions);
	free(trace->nodes);
	free(trace->slots);
	free(trace);
}

bool crux_trace_failed(const crux_trace *trace)
{
	return trace->failed;
}

crux_node crux_trace_count(const crux_trace *trace)
{
	return trace->count;
}

const crux_trace_node *crux_trace_at(const crux_trace *trace, crux_node node)
{
	return &trace->nodes[node];
}

const crux_trace_table *crux_trace_tables(const crux_trace *trace, size_t *count)
{
	*count = trace->table_count;
	return trace->tables;
}

size_t crux_trace_given(const crux_trace *trace)
{
	return trace->given;
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

/* The node that is like this one, new unless there is one; 0 after a failure. */
static crux_node enter(crux_trace *trace, crux_trace_node node)
{
	if (trace->failed)
		return 0;
	if (node.operation == CRUX_CONSTANT && node.low == 0)
		return 0;
	crux_node const known = node.operation == CRUX_INPUT ? 0 : *slot_of(trace, &node);
	if (known)
		return known;
	if (trace->count == CRUX_TRACE_MAX_NODES || (trace->count == trace->capacity && !grow(trace))) {
		trace->failed = true;
		return 0;
	}
	if (node.operation != CRUX_INPUT)
		*slot_of(trace, &node) = trace->count;
	trace->nodes[trace->count] = node;
	return trace->count++;
}

crux_node crux_trace_constant(crux_trace *trace, int64_t value)
{
	return enter(trace, (crux_trace_node){CRUX_CONSTANT, true, 0, 0, 0, value, value, value});
}

crux_node crux_trace_input(crux_trace *trace, int64_t low, int64_t high)
{
	return enter(trace, (crux_trace_node){CRUX_INPUT, false, 0, 0, 0, low, high, 0});
}

crux_node crux_trace_parameter(crux_trace *trace, int64_t low, int64_t high, int64_t value)
{
	return enter(trace, (crux_trace_node){CRUX_PARAMETER, true, (crux_node)trace->given++, 0, 0, low, high, value});
}

void crux_trace_assume(crux_trace *trace, crux_node node)
{
	for (size_t i = 0; i < trace->assumption_count; i++)
		if (trace->assumptions[i] == node)
			return;
	crux_node *const assumptions = realloc(trace->assumptions, (trace->assumption_count + 1) * sizeof *assumptions);
	if (!assumptions) {
		trace->failed = true;
		return;
	}
	trace->assumptions = assumptions;
	assumptions[trace->assumption_count++] = node;
}

const crux_node *crux_trace_assumptions(const crux_trace *trace, size_t *count)
{
	*count = trace->assumption_count;
	return trace->assumptions;
}

int64_t crux_trace_evaluate(crux_operation operation, int64_t a, int64_t b, int64_t c)
{
	uint64_t const x = (uint64_t)a, y = (uint64_t)b;
	switch (operation) {
	case CRUX_AND:
		return a & b;
	case CRUX_OR:
		return a | b;
	case CRUX_XOR:
		return a ^ b;
	case CRUX_AND_NOT:
		return a & ~b;
	case CRUX_ADD:
		return (int64_t)(x + y);
	case CRUX_SUBTRACT:
		return (int64_t)(x - y);
	case CRUX_MULTIPLY:
		return (int64_t)(x * y);
	case CRUX_SHIFT_LEFT:
		return (int64_t)(x << (y & 63));
	case CRUX_SHIFT_RIGHT:
		return (int64_t)(x >> (y & 63));
	case CRUX_EQUAL:
		return -(a == b);
	case CRUX_UNEQUAL:
		return -(a != b);
	case CRUX_LESS:
		return -(a < b);
	case CRUX_LESS_EQUAL:
		return -(a <= b);
	case CRUX_MIN:
		return a < b ? a : b;
	case CRUX_MAX:
		return a > b ? a : b;
	case CRUX_ABS:
		return (int64_t)(a < 0 ? 0 - x : x);
	case CRUX_SIGN:
		return (a > 0) - (a < 0);
	case CRUX_COUNT:
		return __builtin_popcountll(x);
	case CRUX_SELECT:
		return a ? b : c;
	default:
		return 0;
	}
}

typedef struct range {
	int64_t low, high;
} range;

static range const everything = {INT64_MIN, INT64_MAX};

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* The least number of the form 2^n - 1 that is not below x, which is not negative. */
static int64_t all_bits(int64_t x)
{
	return x == 0 ? 0 : (int64_t)(UINT64_MAX >> __builtin_clzll((uint64_t)x));
}

/* What a bitwise operation can make of numbers of which the widest takes so many bits. */
static range bitwise(range a, range b)
{
	int64_t const most = greatest(greatest(a.high, ~a.low), greatest(b.high, ~b.low));
	int64_t const bits = all_bits(most);
	return (range){~bits, bits};
}

static range range_of_bits(crux_operation operation, range a, range b)
{
	if (operation == CRUX_AND && (a.low >= 0 || b.low >= 0))
		return (range){0, a.low < 0 ? b.high : b.low < 0 ? a.high : least(a.high, b.high)};
	if (operation == CRUX_AND_NOT && a.low >= 0)
		return (range){0, a.high};
	if ((operation == CRUX_OR || operation == CRUX_XOR) && a.low >= 0 && b.low >= 0)
		return (range){operation == CRUX_OR ? greatest(a.low, b.low) : 0, all_bits(a.high | b.high)};
	if (operation == CRUX_XOR && b.low == -1 && b.high == -1)
		return (range){~a.high, ~a.low};
	return bitwise(a, b);
}

static range range_of_product(range a, range b)
{
	int64_t p[4];
	bool const overflows = __builtin_mul_overflow(a.low, b.low, &p[0]) || __builtin_mul_overflow(a.low, b.high, &p[1]) ||
	                       __builtin_mul_overflow(a.high, b.low, &p[2]) || __builtin_mul_overflow(a.high, b.high, &p[3]);
	if (overflows)
		return everything;
	return (range){least(least(p[0], p[1]), least(p[2], p[3])), greatest(greatest(p[0], p[1]), greatest(p[2], p[3]))};
}

static range range_of_sum(crux_operation operation, range a, range b)
{
	range r;
	bool const overflows =
	    operation == CRUX_ADD
	        ? __builtin_add_overflow(a.low, b.low, &r.low) || __builtin_add_overflow(a.high, b.high, &r.high)
	        : __builtin_sub_overflow(a.low, b.high, &r.low) || __builtin_sub_overflow(a.high, b.low, &r.high);
	return overflows ? everything : r;
}

static range range_of_shift(crux_operation operation, range a, range by)
{
	if (operation == CRUX_SHIFT_RIGHT) {
		if (a.low >= 0)
			return (range){a.low >> by.high, a.high >> by.low};
		return by.low == 0 ? everything : (range){0, (int64_t)(UINT64_MAX >> by.low)};
	}
	int64_t const most = INT64_MAX >> by.high;
	if (a.low < 0 || a.high > most)
		return everything;
	return (range){a.low << by.low, a.high << by.high};
}

static range range_of(crux_operation operation, range a, range b, range c)
{
	switch (operation) {
	case CRUX_AND:
	case CRUX_OR:
	case CRUX_XOR:
	case CRUX_AND_NOT:
		return range_of_bits(operation, a, b);
	case CRUX_ADD:
	case CRUX_SUBTRACT:
		return range_of_sum(operation, a, b);
	case CRUX_MULTIPLY:
		return range_of_product(a, b);
	case CRUX_SHIFT_LEFT:
	case CRUX_SHIFT_RIGHT:
		return range_of_shift(operation, a, b);
	case CRUX_MIN:
		return (range){least(a.low, b.low), least(a.high, b.high)};
	case CRUX_MAX:
		return (range){greatest(a.low, b.low), greatest(a.high, b.high)};
	case CRUX_ABS:
		if (a.low == INT64_MIN)
			return everything;
		return (range){a.low > 0 ? a.low : a.high < 0 ? -a.high : 0, greatest(a.high, -a.low)};
	case CRUX_SIGN:
		return (range){a.low > 0 ? 1 : a.low == 0 ? 0 : -1, a.high < 0 ? -1 : a.high == 0 ? 0 : 1};
	case CRUX_COUNT:
		return (range){0, a.low >= 0 && a.high < INT64_MAX ? __builtin_popcountll((uint64_t)all_bits(a.high)) : 64};
	case CRUX_SELECT:
		return (range){least(b.low, c.low), greatest(b.high, c.high)};
	default: /* truth values */
		return (range){-1, 0};
	}
}

static range range_at(const crux_trace *trace, crux_node node)
{
	return (range){trace->nodes[node].low, trace->nodes[node].high};
}

static bool is_constant(const crux_trace *trace, crux_node node, int64_t value)
{
	return trace->nodes[node].operation == CRUX_CONSTANT && trace->nodes[node].low == value;
}

static bool is_commutative(crux_operation operation)
{
	return operation == CRUX_AND || operation == CRUX_OR || operation == CRUX_XOR || operation == CRUX_ADD ||
	       operation == CRUX_MULTIPLY || operation == CRUX_EQUAL || operation == CRUX_UNEQUAL || operation == CRUX_MIN ||
	       operation == CRUX_MAX;
}

/* Whether a comparison's operands' ranges decide it, and then how. */
static bool is_decided(crux_operation operation, range a, range b, int64_t *result)
{
	bool const apart = a.high < b.low || b.high < a.low;
	if (operation == CRUX_EQUAL || operation == CRUX_UNEQUAL) {
		*result = operation == CRUX_UNEQUAL ? -1 : 0;
		return apart;
	}
	bool const strict = operation == CRUX_LESS;
	bool const always = strict ? a.high < b.low : a.high <= b.low;
	*result = always ? -1 : 0;
	return (strict || operation == CRUX_LESS_EQUAL) && (always || (strict ? a.low >= b.high : a.low > b.high));
}

static crux_node apply(crux_trace *trace, crux_operation operation, crux_node a, crux_node b)
{
	return crux_trace_apply(trace, operation, a, b, 0);
}

/* The opposite of a truth value, all bits the other way of a number. */
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

/* Whether the node is the complement of another one, *of. */
static bool is_complement(const crux_trace *trace, crux_node node, crux_node *of)
{
	crux_trace_node const *x = &trace->nodes[node];
	*of = x->a;
	return x->operation == CRUX_XOR && is_constant(trace, x->b, -1);
}

/* Finds a node that is already there for an operation on two, a constant being the second when it can be. */
static bool simplify_pair(crux_trace *trace, crux_operation operation, crux_node a, crux_node b, crux_node *out)
{
	bool const is_zero = b == 0, is_all = is_constant(trace, b, -1), is_one = is_constant(trace, b, 1);
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
	case CRUX_AND_NOT:
		if (a == 0 || a == b || is_all)
			*out = 0;
		else if (is_complement(trace, b, &of))
			*out = apply(trace, CRUX_AND, a, of);
		else if (is_constant(trace, a, -1))
			*out = complement(trace, b);
		return is_zero || *out != a || a == 0;
	case CRUX_ADD:
	case CRUX_SHIFT_LEFT:
	case CRUX_SHIFT_RIGHT:
		return is_zero;
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
		return is_zero || is_one;
	case CRUX_MIN:
	case CRUX_MAX: {
		range const x = range_at(trace, a), y = range_at(trace, b);
		bool const is_first = operation == CRUX_MIN ? x.high <= y.low : x.low >= y.high;
		bool const is_second = operation == CRUX_MIN ? y.high <= x.low : y.low >= x.high;
		*out = is_first ? a : b;
		return a == b || is_first || is_second;
	}
	case CRUX_EQUAL:
	case CRUX_UNEQUAL:
	case CRUX_LESS:
	case CRUX_LESS_EQUAL: {
		int64_t result = operation == CRUX_EQUAL || operation == CRUX_LESS_EQUAL ? -1 : 0;
		bool const known = a == b || is_decided(operation, range_at(trace, a), range_at(trace, b), &result);
		*out = known ? crux_trace_constant(trace, result) : 0;
		return known;
	}
	case CRUX_ABS:
		return trace->nodes[a].low >= 0;
	default:
		return false;
	}
}

/* A choice by masks when one of the two is 0 or -1: a truth value is one itself. */
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
		return false;
	return true;
}

crux_node crux_trace_apply(crux_trace *trace, crux_operation operation, crux_node a, crux_node b, crux_node c)
{
	if (trace->failed)
		return 0;
	crux_trace_node const *const nodes = trace->nodes;
	if (nodes[a].operation == CRUX_CONSTANT && nodes[b].operation == CRUX_CONSTANT && nodes[c].operation == CRUX_CONSTANT)
		return crux_trace_constant(trace, crux_trace_evaluate(operation, nodes[a].low, nodes[b].low, nodes[c].low));
	if (is_commutative(operation) &&
	    (nodes[a].operation == CRUX_CONSTANT || (nodes[b].operation != CRUX_CONSTANT && a > b))) {
		crux_node const first = a;
		a = b;
		b = first;
	}
	crux_node out;
	if (operation == CRUX_SELECT ? simplify_choice(trace, a, b, c, &out) : simplify_pair(trace, operation, a, b, &out))
		return out;
	range const r = range_of(operation, range_at(trace, a), range_at(trace, b), range_at(trace, c));
	if (r.low == r.high)
		return crux_trace_constant(trace, r.low);
	crux_trace_node const *const now = trace->nodes;
	bool const is_uniform = now[a].is_uniform && now[b].is_uniform && now[c].is_uniform;
	int64_t const value = is_uniform ? crux_trace_evaluate(operation, now[a].value, now[b].value, now[c].value) : 0;
	return enter(trace, (crux_trace_node){operation, is_uniform, a, b, c, r.low, r.high, value});
}

/* Adds a table and returns its number; SIZE_MAX, and the values freed, when memory is short. */
static size_t add_table(crux_trace *trace, crux_trace_table table)
{
	crux_trace_table *const tables = realloc(trace->tables, (trace->table_count + 1) * sizeof *tables);
	if (!tables) {
		free(table.values);
		trace->failed = true;
		return SIZE_MAX;
	}
	trace->tables = tables;
	tables[trace->table_count] = table;
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

static crux_node enter_lookup(crux_trace *trace, size_t table, crux_node index, range r)
{
	if (trace->failed)
		return 0;
	return enter(trace, (crux_trace_node){CRUX_LOOKUP, false, index, (crux_node)table, 0, r.low, r.high, 0});
}

crux_node crux_trace_lookup(crux_trace *trace, const int64_t *values, size_t count, int64_t first, crux_node index)
{
	if (trace->failed)
		return 0;
	range const at = range_at(trace, index);
	range r = {INT64_MAX, INT64_MIN};
	for (int64_t i = at.low - first; i <= at.high - first; i++) {
		r.low = least(r.low, values[i]);
		r.high = greatest(r.high, values[i]);
	}
	if (r.low == r.high)
		return crux_trace_constant(trace, r.low);
	return enter_lookup(trace, enter_table(trace, values, count, first), index, r);
}

size_t crux_trace_parameter_table(crux_trace *trace, int64_t first, size_t count, int64_t low, int64_t high)
{
	if (trace->failed)
		return SIZE_MAX;
	size_t const place = trace->given;
	trace->given += count;
	return add_table(trace, (crux_trace_table){.first = first, .count = count, .low = low, .high = high, .place = place});
}

crux_node crux_trace_lookup_parameter(crux_trace *trace, size_t table, crux_node index)
{
	if (trace->failed)
		return 0;
	range const r = {trace->tables[table].low, trace->tables[table].high};
	return r.low == r.high ? crux_trace_constant(trace, r.low) : enter_lookup(trace, table, index, r);
}

/* Takes over tables and what is given; false when memory is short. */
static bool copy_tables(crux_trace *to, const crux_trace *from)
{
	to->given = from->given;
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

/* The image of a node whose operands have theirs. */
static crux_node image_of(crux_trace *to, const crux_trace *from, const crux_trace_node *node, const crux_node *images)
{
	if (node->operation == CRUX_CONSTANT)
		return crux_trace_constant(to, node->low);
	if (node->operation <= CRUX_PARAMETER)
		return enter(to, *node);
	if (node->operation != CRUX_LOOKUP)
		return crux_trace_apply(to, node->operation, images[node->a], images[node->b], images[node->c]);
	crux_trace_table const *const table = &from->tables[node->b];
	return table->values ? crux_trace_lookup(to, table->values, table->count, table->first, images[node->a])
	                     : crux_trace_lookup_parameter(to, node->b, images[node->a]);
}

crux_trace *crux_trace_specialise(const crux_trace *from, crux_node input, int64_t value, crux_node *images)
{
	crux_trace *const to = crux_trace_new();
	if (!to)
		return NULL;
	bool is_done = copy_tables(to, from);
	images[0] = 0;
	for (crux_node i = 1; is_done && i < from->count; i++) {
		images[i] = i == input ? crux_trace_constant(to, value) : image_of(to, from, &from->nodes[i], images);
		is_done = !to->failed;
	}
	for (size_t i = 0; is_done && i < from->assumption_count; i++)
		crux_trace_assume(to, images[from->assumptions[i]]);
	if (is_done && !to->failed)
		return to;
	crux_trace_free(to);
	return NULL;
}
