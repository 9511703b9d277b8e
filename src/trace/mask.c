/* Masks as binary decision diagrams. A mask is the number of a node, times 2, plus 1 for its opposite; node 0 is the end of all
 * diagrams: the mask 0 there is no state. A node's `high` mask is never an opposite, so that each set has one diagram.
 *
 * The latest condition comes first: a path that meets one more condition adds one node to its diagram. */
#include "trace/mask.h"

#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "base/sizes.h"

/* The most steps of an operation on two masks. Then its result becomes one more condition: a truth value of the trace. */
enum { MOST_STEPS = 1024 };

enum { FIRST_NODES = 512 }; /* a power of 2; there are twice as many slots, and as many results are kept of each operation */

typedef struct mask_node {
	uint32_t condition;  /* its number from 1, 0 at the end; conditions of `high` and `low` have smaller ones */
	crux_mask high, low; /* where the condition holds, and where not */
} mask_node;

/* The result of an operation on two masks; all zeros: none. */
typedef struct mask_result {
	crux_mask a, b, result;
} mask_result;

struct crux_masks {
	crux_trace *trace;
	void *block; /* of the arrays of nodes */
	uint32_t count, capacity;
	mask_node *nodes;
	uint32_t *slots;              /* hash table of node numbers; 0: empty */
	mask_result *both, *within; /* by hash; a later result takes the place of another */
	crux_node *truths;            /* of masks, plus 1; 0: unknown */
	crux_node *conditions;        /* truth values, in the order of the diagrams */
	size_t condition_count, condition_room;
	crux_mask *known; /* by truth value; 0: unknown */
	size_t known_room;
	uint64_t steps; /* of operations */
	uint64_t end;   /* the number of steps after which the current operation is given up */
	bool is_given_up, failed;
};

static size_t mix(uint32_t a, uint32_t b, uint32_t c)
{
	uint64_t h = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15 ^ c;
	h *= 0xff51afd7ed558ccd;
	return (size_t)(h ^ h >> 32);
}

static uint32_t *slot_of(const crux_masks *m, mask_node node)
{
	size_t const last = 2 * (size_t)m->capacity - 1;
	size_t i = mix(node.high, node.low, node.condition) & last;
	while (m->slots[i] && memcmp(&m->nodes[m->slots[i]], &node, sizeof node) != 0)
		i = (i + 1) & last;
	return &m->slots[i];
}

/* Makes room for so many nodes; forgets kept results. */
static bool reserve(crux_masks *m, uint32_t capacity)
{
	crux_masks next = *m;
	next.capacity = capacity;
	next.block = crux_block_new((crux_array[]){CRUX_ARRAY(next.nodes, capacity), CRUX_ARRAY(next.slots, 2 * (size_t)capacity),
	                                           CRUX_ARRAY(next.both, capacity), CRUX_ARRAY(next.within, capacity),
	                                           CRUX_ARRAY(next.truths, 2 * (size_t)capacity)},
	                            5);
	if (!next.block)
		return false;
	if (m->count > 0) {
		memcpy(next.nodes, m->nodes, m->count * sizeof *m->nodes);
		memcpy(next.truths, m->truths, 2 * (size_t)m->count * sizeof *m->truths);
	}
	for (uint32_t i = 1; i < m->count; i++)
		*slot_of(&next, next.nodes[i]) = i;
	free(m->block);
	*m = next;
	return true;
}

crux_masks *crux_masks_new(crux_trace *trace)
{
	crux_masks *const m = calloc(1, sizeof *m);
	if (!m || !reserve(m, FIRST_NODES)) {
		free(m);
		return NULL;
	}
	m->trace = trace;
	m->count = 1;
	return m;
}

void crux_masks_free(crux_masks *m)
{
	if (!m)
		return;
	free(m->block);
	free(m->conditions);
	free(m->known);
	free(m);
}

bool crux_masks_have_failed(const crux_masks *m) { return m->failed; }

bool crux_masks_are_few(const crux_masks *m)
{
	return !m->failed && m->count < FIRST_NODES && m->steps < CRUX_MOST_MASK_STEPS / 4;
}

bool crux_masks_has(const crux_masks *m, uint64_t number) { return number < 2 * (uint64_t)m->count; }

static crux_mask fail(crux_masks *m)
{
	m->failed = true;
	return CRUX_MASK_NONE;
}

/* The mask that is `high` where a condition holds, else `low`. */
static crux_mask make(crux_masks *m, uint32_t condition, crux_mask high, crux_mask low)
{
	if (high == low)
		return high;
	crux_mask const opposite = high & 1;
	mask_node const node = {condition, high ^ opposite, low ^ opposite};
	uint32_t *slot = slot_of(m, node);
	if (*slot)
		return *slot << 1 | opposite;
	if (m->failed || m->count == CRUX_MOST_MASK_NODES)
		return fail(m);
	if (m->count == m->capacity) {
		if (!reserve(m, 2 * m->capacity))
			return fail(m);
		slot = slot_of(m, node);
	}
	*slot = m->count;
	m->nodes[m->count] = node;
	return m->count++ << 1 | opposite;
}

static uint32_t condition_of(const crux_masks *m, crux_mask a) { return m->nodes[a >> 1].condition; }

/* The part of a mask where its first condition, or one that would come before, holds, and where not. */
static crux_mask high_of(const crux_masks *m, crux_mask a, uint32_t condition)
{
	return condition_of(m, a) == condition ? m->nodes[a >> 1].high ^ (a & 1) : a;
}

static crux_mask low_of(const crux_masks *m, crux_mask a, uint32_t condition)
{
	return condition_of(m, a) == condition ? m->nodes[a >> 1].low ^ (a & 1) : a;
}

/* Where the result of an operation on two masks is kept; true when it is there. */
static bool recall(const crux_masks *m, const mask_result *kept, crux_mask a, crux_mask b, size_t *place)
{
	*place = mix(a, b, 0) & (m->capacity - 1);
	return kept[*place].a == a && kept[*place].b == b;
}

/* Counts a step; false when the operation is given up. */
static bool take_step(crux_masks *m)
{
	m->failed |= ++m->steps > CRUX_MOST_MASK_STEPS;
	m->is_given_up |= m->steps > m->end;
	return !m->failed && !m->is_given_up;
}

static crux_mask both(crux_masks *m, crux_mask a, crux_mask b)
{
	if (a > b)
		return both(m, b, a);
	if (a == CRUX_MASK_NONE || crux_mask_negate(a) == b)
		return CRUX_MASK_NONE;
	if (a == CRUX_MASK_ALL || a == b)
		return b;
	size_t place;
	if (recall(m, m->both, a, b, &place))
		return m->both[place].result;
	if (!take_step(m))
		return CRUX_MASK_NONE;
	uint32_t const x = condition_of(m, a), y = condition_of(m, b), first = x > y ? x : y;
	crux_mask const high = both(m, high_of(m, a, first), high_of(m, b, first));
	crux_mask const low = both(m, low_of(m, a, first), low_of(m, b, first));
	if (m->is_given_up)
		return CRUX_MASK_NONE;
	crux_mask const result = make(m, first, high, low);
	recall(m, m->both, a, b, &place); /* there may be more places now */
	m->both[place] = (mask_result){a, b, result};
	return result;
}

static void begin(crux_masks *m)
{
	m->end = m->steps + MOST_STEPS;
	m->is_given_up = false;
}

crux_mask crux_masks_both(crux_masks *m, crux_mask a, crux_mask b)
{
	begin(m);
	crux_mask const result = both(m, a, b);
	if (!m->is_given_up)
		return result;
	crux_node const left = crux_masks_truth(m, a), right = crux_masks_truth(m, b);
	return crux_masks_of(m, crux_trace_apply(m->trace, CRUX_AND, left, right, 0));
}

/* Coudert and Madre's restriction: "A unified framework for the formal verification of sequential circuits" (ICCAD 1990). */
static crux_mask within(crux_masks *m, crux_mask a, crux_mask whole)
{
	if (a <= CRUX_MASK_ALL || whole == CRUX_MASK_ALL)
		return a;
	if (whole == CRUX_MASK_NONE || crux_mask_negate(a) == whole)
		return CRUX_MASK_NONE;
	if (a == whole)
		return CRUX_MASK_ALL;
	size_t place;
	if (recall(m, m->within, a, whole, &place))
		return m->within[place].result;
	if (!take_step(m))
		return CRUX_MASK_NONE;
	uint32_t const x = condition_of(m, a), y = condition_of(m, whole), first = x > y ? x : y;
	crux_mask const high = high_of(m, whole, first), low = low_of(m, whole, first);
	crux_mask result;
	if (y > x)
		result = within(m, a, crux_mask_negate(both(m, crux_mask_negate(high), crux_mask_negate(low))));
	else if (high == CRUX_MASK_NONE)
		result = within(m, low_of(m, a, first), low);
	else if (low == CRUX_MASK_NONE)
		result = within(m, high_of(m, a, first), high);
	else {
		crux_mask const then = within(m, high_of(m, a, first), high);
		result = make(m, first, then, within(m, low_of(m, a, first), low));
	}
	if (m->is_given_up)
		return CRUX_MASK_NONE;
	recall(m, m->within, a, whole, &place);
	m->within[place] = (mask_result){a, whole, result};
	return result;
}

crux_mask crux_masks_within(crux_masks *m, crux_mask a, crux_mask whole)
{
	begin(m);
	crux_mask const result = within(m, a, whole);
	return m->is_given_up ? a : result;
}

/* Notes that a truth value is that of a mask, unless it is known as that of another. */
static void learn(crux_masks *m, crux_node truth, crux_mask mask)
{
	size_t const room = m->known_room;
	if (!crux_array_grow(CRUX_ARRAY(m->known, (size_t)truth + 1), &m->known_room)) {
		m->failed = true;
		return;
	}
	memset(m->known + room, 0, (m->known_room - room) * sizeof *m->known);
	if (!m->known[truth])
		m->known[truth] = mask;
}

static crux_node opposite_of(crux_masks *m, crux_node truth)
{
	return crux_trace_apply(m->trace, CRUX_XOR, truth, crux_trace_constant(m->trace, -1), 0);
}

crux_mask crux_masks_of(crux_masks *m, crux_node truth)
{
	if (m->trace->nodes[truth].operation == CRUX_CONSTANT)
		return truth ? CRUX_MASK_ALL : CRUX_MASK_NONE;
	if (truth < m->known_room && m->known[truth])
		return m->known[truth];
	crux_trace_node const node = m->trace->nodes[truth];
	if (node.operation == CRUX_XOR && m->trace->nodes[node.b].operation == CRUX_CONSTANT)
		return crux_mask_negate(crux_masks_of(m, node.a));
	if (node.operation == CRUX_XOR && m->trace->nodes[node.a].operation == CRUX_CONSTANT)
		return crux_mask_negate(crux_masks_of(m, node.b));
	if (m->condition_count == CRUX_MOST_CONDITIONS ||
	    !crux_array_grow(CRUX_ARRAY(m->conditions, m->condition_count + 1), &m->condition_room))
		return fail(m);
	crux_mask const mask = make(m, (uint32_t)m->condition_count + 1, CRUX_MASK_ALL, CRUX_MASK_NONE);
	if (m->failed)
		return mask;
	m->conditions[m->condition_count++] = truth;
	crux_node const opposite = opposite_of(m, truth);
	m->truths[mask] = truth + 1;
	m->truths[crux_mask_negate(mask)] = opposite + 1;
	learn(m, truth, mask);
	learn(m, opposite, crux_mask_negate(mask));
	return mask;
}

crux_node crux_masks_truth(crux_masks *m, crux_mask a)
{
	if (a <= CRUX_MASK_ALL)
		return a == CRUX_MASK_ALL ? crux_trace_constant(m->trace, -1) : 0;
	if (m->truths[a])
		return m->truths[a] - 1;
	uint32_t const condition = condition_of(m, a);
	crux_node const high = crux_masks_truth(m, high_of(m, a, condition)), low = crux_masks_truth(m, low_of(m, a, condition));
	crux_node const truth = crux_trace_apply(m->trace, CRUX_SELECT, m->conditions[condition - 1], high, low);
	m->truths[a] = truth + 1;
	if (m->trace->nodes[truth].operation != CRUX_CONSTANT)
		learn(m, truth, a);
	return truth;
}
