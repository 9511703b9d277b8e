/* trace.c, trace_choose.c, program_plan.c and program.c: random graphs of operations against plain evaluation, ranges, folding,
 * packing in all lanes. */
#include "trace/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/sizes.h"
#include "check.h"

enum { INPUTS = 5, OPERATIONS = 40, OUTPUTS = 8 };

static uint64_t state = 11;

static uint64_t random_word(void) { return check_word(&state); }

static int64_t random_between(int64_t low, int64_t high)
{
	uint64_t const span = (uint64_t)high - (uint64_t)low;
	return (int64_t)((uint64_t)low + (span == UINT64_MAX ? random_word() : random_word() % (span + 1)));
}

/* A graph, and the expected value of each node in each lane. */
typedef struct experiment {
	crux_trace *trace;
	crux_node nodes[INPUTS + OPERATIONS];
	int64_t values[INPUTS + OPERATIONS][CRUX_BATCH];
	int count;
	int64_t parameters[OPERATIONS * 1001 + INPUTS]; /* for parameters */
} experiment;

/* An input of `bits` bits with a sign, or a parameter, which has no place in a key. */
static void add_input(experiment *e, unsigned bits, crux_state_place *place)
{
	int64_t const most = (int64_t)(UINT64_MAX >> 1 >> (64 - bits)), a = random_between(~most, most), b = random_between(~most, most);
	int64_t const low = a < b ? a : b, high = a < b ? b : a;
	uint64_t const span = (uint64_t)high - (uint64_t)low;
	*place = (crux_state_place){(size_t)e->count * 2, (unsigned)(random_word() % 64), span ? 64 - (unsigned)__builtin_clzll(span) : 1, low};
	bool const is_parameter = random_word() % 3 == 0;
	int64_t const same = random_between(low, high);
	for (size_t lane = 0; lane < CRUX_BATCH; lane++)
		e->values[e->count][lane] = is_parameter ? same : random_between(low, high);
	if (is_parameter) {
		place->bits = 0;
		e->parameters[e->trace->parameter_count] = same;
	}
	e->nodes[e->count++] = is_parameter ? crux_trace_parameter(e->trace, low, high, same) : crux_trace_input(e->trace, low, high);
}

/* True when all values of a node are within its range, and have no bits but those that they may have. */
static bool holds_range(const experiment *e, int i)
{
	crux_trace_node const *const node = &e->trace->nodes[e->nodes[i]];
	for (size_t lane = 0; lane < CRUX_BATCH; lane++)
		if (e->values[i][lane] < node->low || e->values[i][lane] > node->high || (uint64_t)e->values[i][lane] & ~node->may)
			return false;
	return true;
}

static bool is_within(const experiment *e, int i, int64_t low, int64_t high)
{
	crux_trace_node const *const node = &e->trace->nodes[e->nodes[i]];
	return node->low >= low && node->high <= high;
}

/* A node that is among the first or the last, or a small constant. */
static int pick(const experiment *e) { return (int)(random_word() % (uint64_t)e->count); }

static void add_lookup(experiment *e)
{
	int const a = pick(e);
	crux_trace_node const at = e->trace->nodes[e->nodes[a]];
	if ((uint64_t)at.high - (uint64_t)at.low > 1000)
		return;
	int64_t table[1001];
	size_t const count = (size_t)(at.high - at.low) + 1;
	for (size_t i = 0; i < count; i++)
		table[i] = random_between(-50, 50);
	for (size_t lane = 0; lane < CRUX_BATCH; lane++)
		e->values[e->count][lane] = table[e->values[a][lane] - at.low];
	if (random_word() % 2) {
		e->nodes[e->count++] = crux_trace_lookup(e->trace, table, count, at.low, e->nodes[a]);
		return;
	}
	memcpy(e->parameters + e->trace->parameter_count, table, count * sizeof *table);
	size_t const number = crux_trace_parameter_table(e->trace, at.low, count, -50, 50);
	e->nodes[e->count++] = crux_trace_lookup_parameter(e->trace, number, e->nodes[a]);
}

/* A choice by one node among others, most of which do the same operation. */
static void add_choice(experiment *e)
{
	enum { MOST = 64 };
	int const by = pick(e);
	crux_trace_node const at = e->trace->nodes[e->nodes[by]];
	if ((uint64_t)at.high - (uint64_t)at.low >= MOST)
		return;
	size_t const count = (size_t)(at.high - at.low) + 1;
	int chosen[MOST];
	crux_node nodes[MOST];
	for (size_t i = 0; i < count; i++) {
		int tries = 0;
		do
			chosen[i] = pick(e);
		while (i > 0 && ++tries < 20 &&
		       e->trace->nodes[e->nodes[chosen[i]]].operation != e->trace->nodes[nodes[0]].operation);
		nodes[i] = e->nodes[chosen[i]];
	}
	for (size_t lane = 0; lane < CRUX_BATCH; lane++)
		e->values[e->count][lane] = e->values[chosen[e->values[by][lane] - at.low]][lane];
	e->nodes[e->count++] = crux_trace_choose(e->trace, e->nodes[by], at.low, nodes, count);
}

static void add_operation(experiment *e)
{
	crux_operation const operation = (crux_operation)(CRUX_AND + random_word() % (CRUX_LOOKUP - CRUX_AND + 2));
	if (operation >= CRUX_LOOKUP) {
		(operation == CRUX_LOOKUP ? add_lookup : add_choice)(e);
		return;
	}
	int const a = pick(e), c = pick(e), n = e->count;
	int b = pick(e);
	bool const is_shift = operation == CRUX_SHIFT_LEFT || operation == CRUX_SHIFT_RIGHT;
	bool const takes_constant = (is_shift && !is_within(e, b, 0, 63)) || random_word() % 4 == 0;
	int64_t const constant = random_between(is_shift ? 0 : -3, is_shift && random_word() % 4 ? 5 : is_shift ? 63 : 3);
	if (operation == CRUX_SELECT && !is_within(e, a, -1, 0))
		return;
	crux_node const second = takes_constant ? crux_trace_constant(e->trace, constant) : e->nodes[b];
	bool const is_single = operation == CRUX_ABS || operation == CRUX_SIGN || operation == CRUX_COUNT;
	bool const is_swapped = takes_constant && !is_shift && !is_single && operation != CRUX_SELECT && random_word() % 2;
	crux_node const first = e->nodes[a];
	for (size_t lane = 0; lane < CRUX_BATCH; lane++) {
		int64_t const x = e->values[a][lane], y = takes_constant ? constant : e->values[b][lane];
		e->values[n][lane] = crux_operation_evaluate(operation, is_swapped ? y : x, is_swapped ? x : y, e->values[c][lane]);
	}
	e->nodes[e->count++] = crux_trace_apply(e->trace, operation, is_swapped ? second : first,
	                                        is_single ? 0 : is_swapped ? first : second,
	                                        operation == CRUX_SELECT ? e->nodes[c] : 0);
}

static void check_program(const experiment *e, const crux_state_place *places, size_t lanes)
{
	uint64_t columns[2 * INPUTS * CRUX_COLUMN] = {0}, out[2 * CRUX_COLUMN];
	crux_node outputs[OUTPUTS];
	int chosen[OUTPUTS];
	for (int i = 0; i < OUTPUTS; i++) {
		chosen[i] = i == 0 ? e->count - 1 : pick(e);
		outputs[i] = e->nodes[chosen[i]];
	}
	crux_node inputs[INPUTS];
	size_t input_count = 0;
	for (int i = 0; i < INPUTS; i++) {
		if (places[i].bits)
			inputs[input_count++] = e->nodes[i];
		for (size_t lane = 0; lane < lanes && places[i].bits; lane++) {
			uint64_t const stored = (uint64_t)e->values[i][lane] - (uint64_t)places[i].low;
			columns[places[i].word * CRUX_COLUMN + lane] |= stored << places[i].shift;
			if (places[i].shift)
				columns[(places[i].word + 1) * CRUX_COLUMN + lane] |= stored >> (64 - places[i].shift);
		}
	}
	crux_program *const program = crux_program_new(e->trace, inputs, input_count, outputs, OUTPUTS);
	CHECK(crux_program_bind(program, e->parameters));
	input_count = 0;
	for (size_t i = 0; i < INPUTS; i++)
		if (places[i].bits)
			crux_program_load(program, input_count++, places[i], columns, lanes);
	crux_program_run(program, lanes);
	bool same = true;
	for (size_t i = 0; i < OUTPUTS; i++) {
		crux_trace_node const *const node = &e->trace->nodes[outputs[i]];
		crux_state_place const place = {0, (unsigned)(random_word() % 64), 64, node->low};
		memset(out, 0, sizeof out);
		crux_program_store(program, i, place, out, lanes);
		for (size_t lane = 0; lane < lanes; lane++) {
			uint64_t const low = out[lane] >> place.shift;
			uint64_t const stored = place.shift ? low | out[CRUX_COLUMN + lane] << (64 - place.shift) : low;
			same = same && (int64_t)(stored + (uint64_t)node->low) == e->values[chosen[i]][lane];
		}
	}
	CHECK(same);
	crux_program_free(program);
}

static void check_random(unsigned bits)
{
	static experiment e;
	crux_state_place places[INPUTS];
	e.trace = crux_trace_new();
	e.count = 0;
	for (int i = 0; i < INPUTS; i++)
		add_input(&e, i < 2 ? bits : 3, &places[i]);
	bool in_range = true;
	for (int tries = 0; tries < 10 * OPERATIONS && e.count < INPUTS + OPERATIONS; tries++) {
		add_operation(&e);
		in_range = in_range && holds_range(&e, e.count - 1);
	}
	CHECK(in_range);
	check_program(&e, places, 1 + random_word() % CRUX_BATCH);
	crux_trace_free(e.trace);
}

static bool has_range(const crux_trace *trace, crux_node node, int64_t low, int64_t high)
{
	return trace->nodes[node].low == low && trace->nodes[node].high == high;
}

/* Adds an operation on sets of bits, as boards have them: with a constant, or with another node. */
static void add_operation_on_bits(experiment *e)
{
	static crux_operation const operations[] = {CRUX_AND, CRUX_AND_NOT, CRUX_OR, CRUX_XOR, CRUX_SHIFT_LEFT, CRUX_SHIFT_RIGHT,
	                                            CRUX_SELECT, CRUX_MIN, CRUX_MAX};
	crux_operation const operation = operations[random_word() % (sizeof operations / sizeof *operations)];
	int const a = pick(e), b = pick(e), c = pick(e);
	bool const is_shift = operation == CRUX_SHIFT_LEFT || operation == CRUX_SHIFT_RIGHT;
	bool const takes_constant = operation != CRUX_SELECT && (is_shift || random_word() % 3 > 0);
	int64_t const constant = is_shift ? random_between(0, 30) : (int64_t)(random_word() & random_word());
	crux_node const second = takes_constant ? crux_trace_constant(e->trace, constant) : e->nodes[b];
	crux_node const is_less = crux_trace_apply(e->trace, CRUX_LESS, e->nodes[a], e->nodes[c], 0);
	for (size_t lane = 0; lane < CRUX_BATCH; lane++) {
		int64_t const x = e->values[a][lane], y = takes_constant ? constant : e->values[b][lane], z = e->values[c][lane];
		e->values[e->count][lane] = crux_operation_evaluate(operation, operation == CRUX_SELECT ? -(x < z) : x, y, z);
	}
	e->nodes[e->count++] = operation == CRUX_SELECT ? crux_trace_apply(e->trace, operation, is_less, second, e->nodes[c])
	                                                : crux_trace_apply(e->trace, operation, e->nodes[a], second, 0);
}

/* No value ever has a bit that its node may not have. Many nodes may have few bits, and some none: these are the constant 0. */
static void bits(void)
{
	int few = 0, none = 0;
	for (int round = 0; round < 300; round++) {
		static experiment e;
		e.trace = crux_trace_new();
		e.count = 0;
		for (int i = 0; i < INPUTS; i++) {
			int64_t const high = i < 2 ? INT64_MAX : (INT64_C(1) << (8 + 5 * i)) - 1, low = i < 2 ? INT64_MIN : 0;
			for (size_t lane = 0; lane < CRUX_BATCH; lane++)
				e.values[e.count][lane] = random_between(low, high);
			e.nodes[e.count++] = crux_trace_input(e.trace, low, high);
		}
		bool holds = true;
		while (e.count < INPUTS + OPERATIONS) {
			add_operation_on_bits(&e);
			holds = holds && holds_range(&e, e.count - 1);
			uint64_t const may = e.trace->nodes[e.nodes[e.count - 1]].may;
			few += __builtin_popcountll(may) < 20;
			none += may == 0;
			CHECK((may == 0) == (e.nodes[e.count - 1] == 0));
		}
		CHECK(holds);
		crux_trace_free(e.trace);
	}
	CHECK(few > 3000 && none > 300);
}

/* What may be set, by hand. */
static void known_bits(void)
{
	crux_trace *const t = crux_trace_new();
	crux_node const x = crux_trace_input(t, 0, 255), word = crux_trace_input(t, INT64_MIN, INT64_MAX);
	crux_node const odd = crux_trace_constant(t, 0x55), four = crux_trace_constant(t, 4), low = crux_trace_constant(t, 0x0F);
	crux_node const masked = crux_trace_apply(t, CRUX_AND, x, odd, 0), shifted = crux_trace_apply(t, CRUX_SHIFT_LEFT, masked, four, 0);
	CHECK(t->nodes[x].may == 255 && t->nodes[word].may == UINT64_MAX && t->nodes[odd].may == 0x55);
	CHECK(t->nodes[masked].may == 0x55 && t->nodes[shifted].may == 0x550 && has_range(t, shifted, 0, 0x550));
	CHECK(t->nodes[crux_trace_apply(t, CRUX_AND_NOT, x, odd, 0)].may == 0xAA);
	CHECK(t->nodes[crux_trace_apply(t, CRUX_OR, masked, shifted, 0)].may == 0x555);
	CHECK(t->nodes[crux_trace_apply(t, CRUX_SHIFT_RIGHT, word, four, 0)].may == UINT64_MAX >> 4);
	CHECK(crux_trace_apply(t, CRUX_AND, shifted, low, 0) == 0);
	CHECK(crux_trace_apply(t, CRUX_UNEQUAL, crux_trace_apply(t, CRUX_AND, shifted, low, 0), 0, 0) == 0);
	int64_t const values[] = {8, 1, 0};
	CHECK(t->nodes[crux_trace_lookup(t, values, 3, 0, crux_trace_input(t, 0, 2))].may == 9);
	CHECK(t->nodes[crux_trace_lookup(t, values, 3, 0, crux_trace_input(t, 1, 2))].may == 1);
	crux_node images[40];
	crux_trace *const copy = crux_trace_specialise(t, x, 0x0F, images);
	CHECK(copy->nodes[images[masked]].may == 0x05 && images[shifted] == crux_trace_constant(copy, 0x50));
	crux_trace_free(copy);
	crux_trace_free(t);
}

static void folding(void)
{
	crux_trace *const t = crux_trace_new();
	crux_node const x = crux_trace_input(t, 0, 9), y = crux_trace_input(t, -5, 5), ten = crux_trace_constant(t, 10);
	crux_node const sum = crux_trace_apply(t, CRUX_ADD, x, y, 0), less = crux_trace_apply(t, CRUX_LESS, x, y, 0);
	CHECK(crux_trace_apply(t, CRUX_ADD, y, x, 0) == sum);
	CHECK(t->nodes[sum].low == -5 && t->nodes[sum].high == 14);
	CHECK(crux_trace_apply(t, CRUX_LESS, x, ten, 0) == crux_trace_constant(t, -1));
	CHECK(crux_trace_apply(t, CRUX_LESS_EQUAL, ten, x, 0) == 0);
	CHECK(crux_trace_apply(t, CRUX_XOR, x, x, 0) == 0 && crux_trace_apply(t, CRUX_SUBTRACT, y, y, 0) == 0);
	CHECK(crux_trace_apply(t, CRUX_XOR, less, crux_trace_constant(t, -1), 0) == crux_trace_apply(t, CRUX_LESS_EQUAL, y, x, 0));
	CHECK(crux_trace_apply(t, CRUX_SELECT, less, crux_trace_constant(t, -1), 0) == less);
	CHECK(crux_trace_apply(t, CRUX_SELECT, less, x, x) == x);
	CHECK(crux_trace_apply(t, CRUX_MIN, x, ten, 0) == x && crux_trace_apply(t, CRUX_MAX, ten, x, 0) == ten);
	CHECK(crux_trace_apply(t, CRUX_ADD, crux_trace_constant(t, INT64_MAX), crux_trace_constant(t, 1), 0) ==
	      crux_trace_constant(t, INT64_MIN));
	int64_t const same[] = {4, 4, 4};
	CHECK(crux_trace_lookup(t, same, 3, 0, crux_trace_input(t, 0, 2)) == crux_trace_constant(t, 4));
	crux_node const inputs[] = {x, y}, outputs[] = {sum};
	crux_program *const program = crux_program_new(t, inputs, 2, outputs, 1);
	CHECK(crux_program_measure(program).operations == 1 && crux_program_measure(program).lane_bits == 16);
	crux_program_free(program);
	CHECK(!t->failed);
	crux_trace_free(t);
}

/* A node's value in a state, by the graph's operations. */
static int64_t value_of(const crux_trace *t, crux_node node, crux_node x, int64_t value_x, int64_t value_y)
{
	crux_trace_node const n = t->nodes[node];
	if (n.operation == CRUX_CONSTANT)
		return n.low;
	if (n.operation == CRUX_INPUT)
		return node == x ? value_x : value_y;
	int64_t const a = value_of(t, n.a, x, value_x, value_y), b = value_of(t, n.b, x, value_x, value_y);
	return crux_operation_evaluate(n.operation, a, b, value_of(t, n.c, x, value_x, value_y));
}

static crux_node draw(const crux_node *nodes, size_t count) { return nodes[random_word() % count]; }

/* Graphs of comparisons of two small inputs, with "and", "or", opposites and choices: in all 25 states each node has the value that
 * its operation gives for the values of its operands. */
static void small_graphs(void)
{
	enum { STATES = 25, STEPS = 24 };
	for (int round = 0; round < 4000; round++) {
		crux_trace *const t = crux_trace_new();
		crux_node numbers[4 + STEPS] = {crux_trace_input(t, 0, 4), crux_trace_input(t, 0, 4), 0, crux_trace_constant(t, 1)};
		crux_node truths[STEPS + 1] = {0};
		size_t number_count = 4, truth_count = 1;
		bool holds = true;
		for (int step = 0; step < STEPS; step++) {
			static crux_operation const of_numbers[] = {CRUX_EQUAL, CRUX_UNEQUAL, CRUX_LESS, CRUX_LESS_EQUAL, CRUX_ADD, CRUX_SUBTRACT, CRUX_SELECT};
			static crux_operation const of_truths[] = {CRUX_AND, CRUX_OR, CRUX_AND_NOT, CRUX_XOR, CRUX_SELECT};
			bool const has_numbers = random_word() % 2;
			crux_operation const operation = has_numbers ? of_numbers[random_word() % 7] : of_truths[random_word() % 5];
			bool const is_choice = operation == CRUX_SELECT, is_small = random_word() % 2;
			crux_node a = draw(is_choice ? truths : numbers, is_choice ? truth_count : number_count), b = draw(numbers, number_count), c = 0;
			if (has_numbers && !is_choice && is_small)
				b = crux_trace_constant(t, (int64_t)(random_word() % 4));
			if (!has_numbers) {
				a = draw(truths, truth_count);
				b = operation == CRUX_XOR ? crux_trace_constant(t, -1) : draw(truths, truth_count);
			}
			if (is_choice)
				c = has_numbers ? draw(numbers, number_count) : draw(truths, truth_count);
			crux_node const node = crux_trace_apply(t, operation, a, b, c);
			for (int64_t s = 0; s < STATES; s++) {
				int64_t const x = value_of(t, a, numbers[0], s % 5, s / 5), y = value_of(t, b, numbers[0], s % 5, s / 5);
				int64_t const z = value_of(t, c, numbers[0], s % 5, s / 5), expected = crux_operation_evaluate(operation, x, y, z);
				holds = holds && value_of(t, node, numbers[0], s % 5, s / 5) == expected && t->nodes[node].low <= expected &&
				        t->nodes[node].high >= expected;
			}
			if (!has_numbers || (operation >= CRUX_EQUAL && operation <= CRUX_LESS_EQUAL))
				truths[truth_count++] = node;
			else
				numbers[number_count++] = node;
		}
		CHECK(holds);
		crux_trace_free(t);
	}
}

/* What comparisons with constants tell of each other; and a choice that an extreme or one of its values replaces. */
static void truths(void)
{
	crux_trace *const t = crux_trace_new();
	crux_node const x = crux_trace_input(t, 0, 9), y = crux_trace_input(t, 0, 9), all = crux_trace_constant(t, -1);
	crux_node const one = crux_trace_constant(t, 1), two = crux_trace_constant(t, 2);
	crux_node const is_one = crux_trace_apply(t, CRUX_EQUAL, x, one, 0), is_two = crux_trace_apply(t, CRUX_EQUAL, x, two, 0);
	crux_node const not_one = crux_trace_apply(t, CRUX_UNEQUAL, x, one, 0), less = crux_trace_apply(t, CRUX_LESS, x, y, 0);
	CHECK(crux_trace_apply(t, CRUX_AND, is_one, is_two, 0) == 0);
	CHECK(crux_trace_apply(t, CRUX_OR, is_one, not_one, 0) == all);
	CHECK(crux_trace_apply(t, CRUX_OR, is_two, not_one, 0) == not_one);
	CHECK(crux_trace_apply(t, CRUX_AND_NOT, is_two, is_one, 0) == is_two);
	crux_node const either = crux_trace_apply(t, CRUX_OR, is_one, less, 0);
	CHECK(crux_trace_apply(t, CRUX_AND, either, is_one, 0) == is_one);
	CHECK(crux_trace_apply(t, CRUX_OR, not_one, crux_trace_apply(t, CRUX_XOR, either, all, 0), 0) == not_one);
	CHECK(crux_trace_apply(t, CRUX_SELECT, less, x, y) == crux_trace_apply(t, CRUX_MIN, x, y, 0));
	CHECK(crux_trace_apply(t, CRUX_SELECT, less, y, x) == crux_trace_apply(t, CRUX_MAX, x, y, 0));
	crux_node const sum = crux_trace_apply(t, CRUX_ADD, x, y, 0), is_zero = crux_trace_apply(t, CRUX_EQUAL, y, 0, 0);
	CHECK(crux_trace_apply(t, CRUX_SELECT, is_zero, x, sum) == sum && crux_trace_apply(t, CRUX_SELECT, is_zero, y, sum) != sum);
	crux_node const chosen = crux_trace_apply(t, CRUX_SELECT, less, two, x);
	CHECK(crux_trace_apply(t, CRUX_EQUAL, chosen, one, 0) == crux_trace_apply(t, CRUX_AND_NOT, is_one, less, 0));
	crux_trace_free(t);
}

/* An operation common to all nodes is done once: of x & 1 << 2, x & 2 << 2, x & 4 << 2 one "and" and one shift, of y << 3,
 * y >> 1 two shifts of y. */
static void choosing(void)
{
	crux_trace *const t = crux_trace_new();
	crux_node const x = crux_trace_input(t, 0, 9), y = crux_trace_input(t, 0, 9), by = crux_trace_input(t, 1, 3);
	crux_node const one = crux_trace_constant(t, 1), two = crux_trace_constant(t, 2), three = crux_trace_constant(t, 3);
	crux_node nodes[65] = {0};
	for (int i = 0; i < 3; i++) {
		crux_node const bit = crux_trace_apply(t, CRUX_AND, x, crux_trace_constant(t, 1 << i), 0);
		nodes[i] = crux_trace_apply(t, CRUX_SHIFT_LEFT, bit, two, 0);
	}
	crux_trace_node const shift = t->nodes[crux_trace_choose(t, by, 1, nodes, 3)];
	crux_trace_node const bits = t->nodes[shift.a];
	CHECK(shift.operation == CRUX_SHIFT_LEFT && shift.b == two);
	CHECK(bits.operation == CRUX_AND && (bits.a == x || bits.b == x));
	CHECK(t->nodes[bits.a == x ? bits.b : bits.a].operation == CRUX_SELECT);
	nodes[0] = crux_trace_apply(t, CRUX_SHIFT_LEFT, y, three, 0);
	nodes[1] = crux_trace_apply(t, CRUX_SHIFT_RIGHT, y, one, 0);
	crux_trace_node const right = t->nodes[crux_trace_choose(t, by, 1, nodes, 2)];
	CHECK(right.operation == CRUX_SHIFT_RIGHT && t->nodes[right.a].operation == CRUX_SHIFT_LEFT);
	CHECK(t->nodes[right.a].a == y);
	CHECK(crux_trace_choose(t, by, 1, &x, 1) == x && !t->failed);
	CHECK(crux_trace_choose(t, by, 1, nodes, 65) == 0 && t->failed);
	crux_trace_free(t);
}

/* The operands of a chosen node keep the range of its nodes: 1 << x + y and 1 << y + x shift by at most 42, though the greater of
 * x and y and the greater of y and x add up to 74. */
static void choosing_ranges(void)
{
	crux_trace *const t = crux_trace_new();
	crux_node const one = crux_trace_constant(t, 1), by = crux_trace_input(t, 0, 1);
	crux_node nodes[2];
	for (int i = 0; i < 2; i++) {
		crux_node const x = crux_trace_input(t, 0, i == 0 ? 37 : 5), y = crux_trace_input(t, 0, i == 0 ? 5 : 37);
		nodes[i] = crux_trace_apply(t, CRUX_SHIFT_LEFT, one, crux_trace_apply(t, CRUX_ADD, x, y, 0), 0);
	}
	crux_node const shift = crux_trace_choose(t, by, 0, nodes, 2);
	CHECK(has_range(t, shift, 1, INT64_C(1) << 42) && has_range(t, t->nodes[shift].b, 0, 42));
	crux_trace_free(t);
}

/* Simplifying where(c, x, where(flag, 0, 25)) to x & c when the flag is known loses that it is an index of a table from -4 on. */
static void specialised_index(void)
{
	crux_trace *const t = crux_trace_new();
	crux_node const flag = crux_trace_input(t, 0, 1), x = crux_trace_input(t, -4, 12), y = crux_trace_input(t, -9, 9);
	crux_node const is_set = crux_trace_apply(t, CRUX_SUBTRACT, 0, flag, 0), less = crux_trace_apply(t, CRUX_LESS, x, y, 0);
	crux_node const other = crux_trace_apply(t, CRUX_SELECT, is_set, 0, crux_trace_constant(t, 25));
	crux_node const index = crux_trace_apply(t, CRUX_SELECT, less, x, other);
	int64_t values[30], value = 0;
	for (int i = 0; i < 30; i++)
		values[i] = i;
	CHECK(has_range(t, index, -4, 25));
	crux_trace_lookup(t, values, 30, -4, index);
	crux_node images[20];
	for (value = 0; value <= 1; value++) {
		crux_trace *const known = crux_trace_specialise(t, flag, value, images);
		crux_trace_node const image = known->nodes[images[index]];
		CHECK(image.low >= -4 && image.high <= 25);
		crux_trace_free(known);
	}
	crux_trace_free(t);
}

/* A trace in which an input is a constant computes the same as the general one for that value. */
static void specialised(void)
{
	for (int round = 0; round < 200; round++) {
		static experiment e;
		crux_state_place places[INPUTS];
		e.trace = crux_trace_new();
		e.count = 0;
		for (int i = 0; i < INPUTS; i++)
			add_input(&e, 10, &places[i]);
		for (int tries = 0; tries < 10 * OPERATIONS && e.count < INPUTS + OPERATIONS; tries++)
			add_operation(&e);
		static crux_node images[CRUX_MOST_TRACE_NODES];
		int const known = places[0].bits ? 0 : 1;
		int64_t const value = e.values[known][0];
		crux_trace *const trace = crux_trace_specialise(e.trace, e.nodes[known], value, images);
		crux_node inputs[INPUTS], output = images[e.nodes[e.count - 1]];
		uint64_t columns[2 * CRUX_COLUMN] = {0}, out[2 * CRUX_COLUMN] = {0};
		for (int i = 0; i < INPUTS; i++)
			inputs[i] = images[e.nodes[i]];
		crux_program *const program = crux_program_new(trace, inputs, INPUTS, &output, 1);
		CHECK(crux_program_bind(program, e.parameters));
		for (int i = 0; i < INPUTS; i++) {
			columns[0] = (uint64_t)e.values[i][0] - (uint64_t)places[i].low;
			if (places[i].bits)
				crux_program_load(program, (size_t)i, (crux_state_place){0, 0, 64, places[i].low}, columns, 1);
		}
		crux_program_run(program, 1);
		crux_program_store(program, 0, (crux_state_place){0, 0, 64, 0}, out, 1);
		if (places[known].bits)
			CHECK((int64_t)out[0] == e.values[e.count - 1][0]);
		crux_program_free(program);
		crux_trace_free(trace);
		crux_trace_free(e.trace);
	}
}

/* A program binds only to levels for which its assumptions hold. */
static void assumptions(void)
{
	crux_trace *const t = crux_trace_new();
	crux_node const x = crux_trace_input(t, 0, 9), p = crux_trace_parameter(t, 0, 9, 4), q = crux_trace_parameter(t, 0, 9, 2);
	crux_node const less = crux_trace_apply(t, CRUX_LESS, q, p, 0);
	CHECK(t->nodes[less].is_uniform && t->nodes[less].value == -1);
	crux_trace_assume(t, less);
	crux_node const inputs[] = {x}, outputs[] = {crux_trace_apply(t, CRUX_MIN, x, p, 0)};
	crux_program *const program = crux_program_new(t, inputs, 1, outputs, 1);
	int64_t const more[] = {7, 6}, same[] = {5, 5};
	CHECK(crux_program_bind(program, more) && !crux_program_bind(program, same));
	CHECK(crux_program_measure(program).operations == 1);
	crux_program_free(program);
	crux_trace_free(t);
}

/* A graph that exceeds its limit fails, and stays valid. */
static void too_large(void)
{
	crux_trace *const t = crux_trace_new();
	crux_node node = crux_trace_input(t, 0, 1);
	for (int i = 0; i < CRUX_MOST_TRACE_NODES; i++)
		node = crux_trace_apply(t, CRUX_XOR, node, crux_trace_input(t, 0, 1), 0);
	CHECK(t->failed && t->count == CRUX_MOST_TRACE_NODES);
	CHECK(crux_trace_apply(t, CRUX_ADD, node, node, 0) == 0);
	crux_trace_free(t);
}

int main(void)
{
	for (int i = 0; i < 1500; i++)
		check_random((unsigned[]){2, 4, 7, 15, 20, 31, 40, 63}[i % 8]);
	bits();
	known_bits();
	folding();
	small_graphs();
	truths();
	choosing();
	choosing_ranges();
	specialised_index();
	specialised();
	assumptions();
	too_large();
	return check_summary();
}
