/* mask.c: random formulas over ten conditions against their truth tables; limits. */
#include "trace/mask.h"

#include <string.h>

#include "base/sizes.h"
#include "check.h"

enum { CONDITIONS = 10, STATES = 1 << CONDITIONS, WORDS = STATES / 64, FORMULAS = 120 };

static uint64_t random_state = 7;

static uint64_t random_word(void) { return check_word(&random_state); }

/* The states, by their conditions as bits, in which a formula holds. */
typedef struct table {
	uint64_t words[WORDS];
} table;

static bool are_equal(table x, table y) { return memcmp(&x, &y, sizeof x) == 0; }

static table negated(table x)
{
	for (int i = 0; i < WORDS; i++)
		x.words[i] = ~x.words[i];
	return x;
}

static table both(table x, table y)
{
	for (int i = 0; i < WORDS; i++)
		x.words[i] &= y.words[i];
	return x;
}

/* A new truth value of the trace, an input. */
static crux_node new_truth(crux_trace *trace)
{
	return crux_trace_apply(trace, CRUX_SUBTRACT, 0, crux_trace_input(trace, 0, 1), 0);
}

typedef struct experiment {
	crux_trace *trace;
	crux_masks *masks;
	crux_node truths[CONDITIONS];
	crux_mask formulas[FORMULAS];
	table tables[FORMULAS];
	int count;
} experiment;

static void add(experiment *e, crux_mask mask, table states)
{
	e->formulas[e->count] = mask;
	e->tables[e->count++] = states;
}

static void begin(experiment *e)
{
	*e = (experiment){.trace = crux_trace_new()};
	e->masks = crux_masks_new(e->trace);
	add(e, CRUX_MASK_NONE, (table){{0}});
	add(e, CRUX_MASK_ALL, negated((table){{0}}));
	for (int i = 0; i < CONDITIONS; i++) {
		table states = {{0}};
		for (int s = 0; s < STATES; s++)
			states.words[s / 64] |= (uint64_t)(s >> i & 1) << s % 64;
		e->truths[i] = new_truth(e->trace);
		add(e, crux_masks_of(e->masks, e->truths[i]), states);
	}
}

static void end(experiment *e)
{
	crux_masks_free(e->masks);
	crux_trace_free(e->trace);
}

static crux_mask either(crux_masks *masks, crux_mask a, crux_mask b)
{
	return crux_mask_negate(crux_masks_both(masks, crux_mask_negate(a), crux_mask_negate(b)));
}

/* Adds a formula of two random ones; checks it against the table. */
static void add_formula(experiment *e)
{
	int const i = (int)(random_word() % (uint64_t)e->count), j = (int)(random_word() % (uint64_t)e->count);
	crux_mask const a = e->formulas[i], b = e->formulas[j];
	table const x = e->tables[i], y = e->tables[j];
	switch (random_word() % 4) {
	case 0:
		add(e, crux_masks_both(e->masks, a, b), both(x, y));
		break;
	case 1:
		add(e, either(e->masks, a, b), negated(both(negated(x), negated(y))));
		break;
	case 2:
		add(e, crux_masks_both(e->masks, a, crux_mask_negate(b)), both(x, negated(y)));
		break;
	default:
		add(e, crux_mask_negate(a), negated(x));
	}
}

/* Equal tables have equal masks, others have not; `within` keeps what it must. */
static void check_formulas(experiment *e)
{
	for (int i = 0; i < e->count; i++)
		for (int j = 0; j < e->count; j++) {
			CHECK(are_equal(e->tables[i], e->tables[j]) == (e->formulas[i] == e->formulas[j]));
			crux_mask const whole = e->formulas[j], simpler = crux_masks_within(e->masks, e->formulas[i], whole);
			CHECK(crux_masks_both(e->masks, simpler, whole) == crux_masks_both(e->masks, e->formulas[i], whole));
		}
	CHECK(!crux_masks_have_failed(e->masks));
}

/* The truth values of all masks hold in the states of their tables, and lead back to the masks. */
static void check_truths(experiment *e)
{
	crux_node truths[FORMULAS];
	for (int i = 0; i < e->count; i++) {
		truths[i] = crux_masks_truth(e->masks, e->formulas[i]);
		CHECK(crux_masks_of(e->masks, truths[i]) == e->formulas[i]);
	}
	for (int s = 0; s < STATES; s += 3) {
		int64_t values[CRUX_MOST_TRACE_NODES];
		int input = 0;
		for (crux_node n = 0; n < e->trace->count; n++) {
			crux_trace_node const *const node = &e->trace->nodes[n];
			if (node->operation == CRUX_INPUT)
				values[n] = s >> input++ & 1;
			else if (node->operation == CRUX_CONSTANT)
				values[n] = node->low;
			else
				values[n] = crux_operation_evaluate(node->operation, values[node->a], values[node->b], values[node->c]);
		}
		for (int i = 0; i < e->count; i++)
			CHECK(values[truths[i]] == -(int64_t)(e->tables[i].words[s / 64] >> s % 64 & 1));
	}
}

static void test_formulas(void)
{
	for (int round = 0; round < check_count(4, 60); round++) {
		experiment e;
		begin(&e);
		while (e.count < FORMULAS)
			add_formula(&e);
		check_formulas(&e);
		check_truths(&e);
		end(&e);
	}
}

/* `within` is worth its name: where the whole says all that a mask asks, nothing is left of it. */
static void test_within_is_simpler(void)
{
	experiment e;
	begin(&e);
	crux_mask const x = e.formulas[2], y = e.formulas[3], z = e.formulas[4];
	CHECK(crux_masks_within(e.masks, crux_masks_both(e.masks, x, y), x) == y);
	CHECK(crux_masks_within(e.masks, either(e.masks, x, y), crux_mask_negate(x)) == y);
	CHECK(crux_masks_within(e.masks, either(e.masks, y, z), either(e.masks, y, z)) == CRUX_MASK_ALL);
	CHECK(crux_masks_within(e.masks, y, crux_mask_negate(y)) == CRUX_MASK_NONE);
	end(&e);
}

/* A truth value and its opposite, which the trace knows as a comparison, are masks of one condition. */
static void test_opposites(void)
{
	experiment e;
	begin(&e);
	crux_node const a = crux_trace_input(e.trace, 0, 9), b = crux_trace_input(e.trace, 0, 9);
	crux_mask const is_less = crux_masks_of(e.masks, crux_trace_apply(e.trace, CRUX_LESS, a, b, 0));
	CHECK(crux_masks_of(e.masks, crux_trace_apply(e.trace, CRUX_LESS_EQUAL, b, a, 0)) == crux_mask_negate(is_less));
	CHECK(crux_masks_of(e.masks, 0) == CRUX_MASK_NONE);
	CHECK(crux_masks_of(e.masks, crux_trace_constant(e.trace, -1)) == CRUX_MASK_ALL);
	CHECK(crux_masks_has(e.masks, is_less) && !crux_masks_has(e.masks, (uint64_t)is_less + 2) && !crux_masks_has(e.masks, UINT64_MAX));
	end(&e);
}

static void test_limit_of_conditions(void)
{
	experiment e;
	begin(&e);
	crux_mask all = CRUX_MASK_ALL;
	for (int i = CONDITIONS; i < CRUX_MOST_CONDITIONS; i++)
		all = crux_masks_both(e.masks, all, crux_masks_of(e.masks, new_truth(e.trace)));
	CHECK(!crux_masks_have_failed(e.masks));
	CHECK(crux_masks_both(e.masks, all, crux_mask_negate(all)) == CRUX_MASK_NONE);
	crux_masks_of(e.masks, new_truth(e.trace));
	CHECK(crux_masks_have_failed(e.masks));
	end(&e);
}

/* Pairs of conditions that stand far from each other: the diagram has a node for each set of the first ones, until an operation
 * takes too many steps, and becomes a condition. */
static void test_limit_of_steps(void)
{
	enum { PAIRS = 20 };
	experiment e;
	begin(&e);
	crux_mask conditions[2 * PAIRS], any = CRUX_MASK_NONE;
	for (int i = 0; i < 2 * PAIRS; i++)
		conditions[i] = crux_masks_of(e.masks, new_truth(e.trace));
	for (int i = 0; i < 10; i++)
		any = either(e.masks, any, crux_masks_both(e.masks, conditions[i], conditions[i + PAIRS]));
	CHECK(!crux_masks_have_failed(e.masks));
	for (int i = 10; i < PAIRS; i++)
		any = either(e.masks, any, crux_masks_both(e.masks, conditions[i], conditions[i + PAIRS]));
	CHECK(!crux_masks_have_failed(e.masks) && crux_masks_has(e.masks, any));
	end(&e);
}

int main(void)
{
	test_formulas();
	test_within_is_simpler();
	test_opposites();
	test_limit_of_conditions();
	test_limit_of_steps();
	return check_summary();
}
