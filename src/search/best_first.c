/* Best-first search: a batch of one state, the ranks of its successors, and a heap of places. */
#include "search/best_first.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"

enum {
	LENGTH_BITS = 30, /* of the input that is the number of moves */
	TOGETHER = 32,    /* states whose moves are tried together */
};

typedef struct crux_queued {
	uint32_t state, win; /* win: 0 unless the move of that number, from 1, wins */
	uint32_t count;      /* of ranks */
	uint64_t order;
} crux_queued;

static bool allocate(crux_best_first *s, const crux_priority *given)
{
	crux_priority *const p = &s->priority;
	size_t const moves = s->batch.moves;
	crux_array const arrays[] = {
		CRUX_ARRAY(p->nodes, given->node_count),
		CRUX_ARRAY(p->places, given->place_count),
		CRUX_ARRAY(p->lows, given->integers),
		CRUX_ARRAY(s->key, s->batch.words),
		CRUX_ARRAY(s->states, TOGETHER),
		CRUX_ARRAY(s->columns, (s->batch.words + 2) * CRUX_COLUMN),
		CRUX_ARRAY(s->indices, moves),
		CRUX_ARRAY(s->wins, moves),
		CRUX_ARRAY(s->outputs, (given->integers + 1) * CRUX_COLUMN),
		CRUX_ARRAY(s->values, given->integers),
		CRUX_ARRAY(s->numbers, given->node_count),
	};
	s->block = crux_block_new(arrays, sizeof arrays / sizeof *arrays);
	if (!s->block)
		return false;
	memcpy(p->nodes, given->nodes, given->node_count * sizeof *p->nodes);
	memcpy(p->places, given->places, given->place_count * sizeof *p->places);
	memcpy(p->lows, given->lows, given->integers * sizeof *p->lows);
	return true;
}

crux_best_first *crux_best_first_new(crux_program *program, const crux_state_layout *layout, size_t moves,
                                     const crux_priority *priority)
{
	crux_best_first *s = calloc(1, sizeof *s);
	if (!s) {
		crux_program_free(program);
		crux_program_free(priority->program);
		return NULL;
	}
	s->priority = *priority;
	if (moves <= CRUX_BATCH && crux_native_batch_init(&s->batch, program, layout, moves, false, false) && allocate(s, priority))
		return s;
	if (!s->batch.program)
		crux_program_free(program);
	crux_best_first_free(s);
	return NULL;
}

void crux_best_first_free(crux_best_first *s)
{
	if (!s)
		return;
	crux_native_batch_release(&s->batch);
	crux_program_free(s->priority.program);
	free(s->block);
	free(s->lengths);
	free(s->entries);
	free(s->ranks);
	free(s->heap);
	free(s->free);
	free(s);
}

bool crux_best_first_bind(crux_best_first *s, const int64_t *parameters)
{
	return crux_program_bind(s->batch.program, parameters) && crux_program_bind(s->priority.program, parameters);
}

/* True when the entry at place a is taken before that at place b. */
static bool is_before(const crux_best_first *s, uint32_t a, uint32_t b)
{
	crux_queued const *const left = &s->entries[a], *const right = &s->entries[b];
	double const *const x = s->ranks + a * s->priority.place_count, *const y = s->ranks + b * s->priority.place_count;
	for (uint32_t i = 0; i < left->count && i < right->count; i++)
		if (x[i] != y[i])
			return x[i] < y[i];
	return left->count != right->count ? left->count < right->count : left->order < right->order;
}

/* A place for an entry; UINT32_MAX when memory is short. */
static uint32_t new_place(crux_best_first *s)
{
	if (s->free_count > 0)
		return s->free[--s->free_count];
	size_t const count = s->entry_count + 1;
	if (count >= UINT32_MAX || !crux_array_grow(CRUX_ARRAY(s->entries, count), &s->entry_room) ||
	    !crux_array_grow(CRUX_ARRAY(s->ranks, count * s->priority.place_count), &s->rank_room) ||
	    !crux_array_grow(CRUX_ARRAY(s->heap, count), &s->heap_room) || !crux_array_grow(CRUX_ARRAY(s->free, count), &s->free_room))
		return UINT32_MAX;
	s->entry_count = count;
	return (uint32_t)count - 1;
}

static void push(crux_best_first *s, uint32_t entry)
{
	size_t at = ++s->heap_count;
	uint32_t *const heap = s->heap - 1;
	for (; at > 1 && is_before(s, entry, heap[at / 2]); at /= 2)
		heap[at] = heap[at / 2];
	heap[at] = entry;
}

/* Removes the first entry of the heap, which is not empty. */
static crux_queued pop(crux_best_first *s)
{
	uint32_t *const heap = s->heap - 1;
	uint32_t const first = heap[1], last = heap[s->heap_count--];
	size_t const count = s->heap_count;
	size_t at = 1;
	for (size_t child = 2; child <= count; child = 2 * at) {
		child += child < count && is_before(s, heap[child + 1], heap[child]);
		if (!is_before(s, heap[child], last))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = last;
	s->free[s->free_count++] = first;
	return s->entries[first];
}

static double compute(const crux_rank_node *n, const int64_t *integers, const double *values)
{
	if (n->operation == CRUX_RANK_NUMBER)
		return n->number;
	if (n->operation == CRUX_RANK_INTEGER)
		return (double)integers[n->a];
	double const a = values[n->a], b = values[n->b];
	switch (n->operation) {
	case CRUX_RANK_WHERE:
		return integers[n->c] ? a : b;
	case CRUX_RANK_ADD:
		return a + b;
	case CRUX_RANK_SUBTRACT:
		return a - b;
	case CRUX_RANK_MULTIPLY:
		return a * b;
	case CRUX_RANK_DIVIDE:
		return a / b;
	case CRUX_RANK_POWER:
		return b == 2 ? a * a : pow(a, b); /* as Lua 5.4 does */
	case CRUX_RANK_MIN:
		return b < a ? b : a;
	case CRUX_RANK_MAX:
		return a < b ? b : a;
	case CRUX_RANK_SQRT:
		return sqrt(a);
	default:
		return fabs(a);
	}
}

/* Computes the values of `count` expressions, each of which only uses earlier ones. */
static void compute_all(const crux_rank_node *nodes, size_t count, const int64_t *integers, double *values)
{
	for (size_t i = 0; i < count; i++)
		values[i] = compute(&nodes[i], integers, values);
}

/* Computes the ranks of a lane into those of an entry, and their number; false when one of them is no number, or there is none. */
static bool rank(crux_best_first *s, size_t lane, uint32_t entry)
{
	crux_priority const *const p = &s->priority;
	for (size_t i = 0; i < p->integers; i++)
		s->values[i] = (int64_t)(s->outputs[i * CRUX_COLUMN + lane] + (uint64_t)p->lows[i]);
	compute_all(p->nodes, p->node_count, s->values, s->numbers);
	double *const ranks = s->ranks + entry * p->place_count;
	uint32_t count = 0;
	for (; count < p->place_count; count++) {
		crux_rank_place const place = p->places[count];
		if (place.present != UINT32_MAX && !s->values[place.present])
			break;
		ranks[count] = s->numbers[place.node];
		if (isnan(ranks[count]))
			return false;
	}
	s->entries[entry].count = count;
	return count > 0;
}

/* Queues the states of the first lanes, which are reached by `length` moves. */
static crux_native_end queue(crux_best_first *s, size_t lanes, uint32_t length)
{
	crux_priority const *const p = &s->priority;
	size_t const words = s->batch.words;
	uint8_t wrong[CRUX_BATCH];
	if (lanes == 0)
		return CRUX_NATIVE_PAUSED;
	for (size_t i = 0; i < s->batch.values; i++)
		if (s->batch.places[i].bits)
			crux_program_load(p->program, i, s->batch.places[i], s->columns, lanes);
	for (size_t lane = 0; lane < lanes; lane++)
		s->columns[words * CRUX_COLUMN + lane] = length;
	crux_program_load(p->program, s->batch.values, (crux_state_place){words, 0, LENGTH_BITS, 0}, s->columns, lanes);
	crux_program_run(p->program, lanes);
	if (crux_program_truths(p->program, p->integers, lanes, wrong))
		return CRUX_NATIVE_OPEN;
	for (size_t i = 0; i < p->integers; i++) {
		memset(s->outputs + i * CRUX_COLUMN, 0, crux_program_rounded(lanes) * sizeof *s->outputs);
		crux_program_store(p->program, i, (crux_state_place){i, 0, 64, p->lows[i]}, s->outputs, lanes);
	}
	for (size_t lane = 0; lane < lanes; lane++) {
		uint32_t const entry = new_place(s);
		if (entry == UINT32_MAX)
			return CRUX_NATIVE_MEMORY;
		s->entries[entry] = (crux_queued){.state = s->indices[lane], .win = s->wins[lane], .order = s->pushed++};
		if (!rank(s, lane, entry))
			return CRUX_NATIVE_OPEN;
		push(s, entry);
	}
	return CRUX_NATIVE_PAUSED;
}

/* Makes a key the state of a lane that is queued next. */
static void set_lane(crux_best_first *s, size_t lane, const uint64_t *key, uint32_t state, uint32_t win)
{
	for (size_t word = 0; word < s->batch.words; word++)
		s->columns[word * CRUX_COLUMN + lane] = key[word];
	s->indices[lane] = state;
	s->wins[lane] = win;
}

crux_native_end crux_best_first_begin(crux_best_first *s, const crux_state_set *set)
{
	s->statistics = (crux_native_statistics){.expanded = 0};
	s->batch.bound = INT64_MAX;
	s->heap_count = s->entry_count = s->free_count = s->lanes = 0;
	s->pushed = 0;
	if (!crux_array_grow(CRUX_ARRAY(s->lengths, 1), &s->length_room))
		return CRUX_NATIVE_MEMORY;
	s->lengths[0] = 0;
	set_lane(s, 0, crux_state_set_key(set, 0), 0, 0);
	return queue(s, 1, 0);
}

const double *crux_best_first_ranks(const crux_best_first *s, size_t *count)
{
	*count = s->entries[s->heap[0]].count;
	return s->ranks + s->heap[0] * s->priority.place_count;
}

/* The index of the state with the current key, which is added if it is missing. */
static crux_native_end find_or_add(crux_best_first *s, crux_state_set *set, uint32_t state_limit, uint32_t *index)
{
	*index = crux_state_set_find(set, s->key);
	if (*index != CRUX_STATE_NONE) {
		s->statistics.duplicates++;
		return CRUX_NATIVE_PAUSED;
	}
	if (crux_state_set_count(set) >= state_limit)
		return CRUX_NATIVE_STATES;
	*index = crux_state_set_add(set, s->key);
	if (*index == CRUX_STATE_NONE)
		return CRUX_NATIVE_BYTES;
	if (!crux_array_grow(CRUX_ARRAY(s->lengths, *index + 1), &s->length_room))
		return CRUX_NATIVE_MEMORY;
	s->lengths[*index] = UINT32_MAX;
	return CRUX_NATIVE_PAUSED;
}

/* The lane of a state in the batch; tries its moves, and those of states that are queued, if it has none. */
static size_t lane_of(crux_best_first *s, const crux_state_set *set, uint32_t state)
{
	for (size_t lane = 0; lane < s->lanes; lane++)
		if (s->states[lane] == state)
			return lane;
	s->states[0] = state;
	s->lanes = 1;
	for (size_t i = 0; i < s->heap_count && s->lanes < TOGETHER; i++)
		if (!s->entries[s->heap[i]].win)
			s->states[s->lanes++] = s->entries[s->heap[i]].state;
	for (size_t lane = 0; lane < s->lanes; lane++)
		crux_native_batch_take(&s->batch, lane, crux_state_set_key(set, s->states[lane]));
	crux_native_batch_run(&s->batch, s->lanes);
	return 0;
}

/* Tries all moves of a state. */
static crux_native_end expand(crux_best_first *s, crux_state_set *set, uint32_t state, uint32_t state_limit)
{
	uint32_t const length = s->lengths[state] + 1;
	size_t const first = lane_of(s, set, state) * s->batch.moves;
	size_t lanes = 0;
	s->statistics.expanded++;
	for (uint32_t move = 0; move < s->batch.moves; move++) {
		crux_native_outcome const outcome = crux_native_batch_step(&s->batch, first + move, s->key);
		uint32_t index;
		s->statistics.generated++;
		s->statistics.lost += outcome == CRUX_NATIVE_LOSES;
		if (outcome == CRUX_NATIVE_IS_OPEN)
			return CRUX_NATIVE_OPEN;
		if (outcome == CRUX_NATIVE_WINS)
			set_lane(s, lanes++, s->key, state, move + 1);
		if (outcome != CRUX_NATIVE_LEADS_ON)
			continue;
		crux_native_end const end = find_or_add(s, set, state_limit, &index);
		if (end != CRUX_NATIVE_PAUSED)
			return end;
		if (length >= s->lengths[index])
			continue;
		s->lengths[index] = length;
		uint32_t *const notes = crux_state_set_notes(set, index);
		notes[0] = state + 1;
		notes[1] = move + 1;
		set_lane(s, lanes++, s->key, index, 0);
	}
	return queue(s, lanes, length);
}

crux_native_end crux_best_first_expand(crux_best_first *s, crux_state_set *set, uint32_t count, uint32_t state_limit)
{
	for (; count > 0 && s->heap_count > 0; count--) {
		crux_queued const next = pop(s);
		if (next.win) {
			s->state = next.state;
			s->win = next.win;
			return CRUX_NATIVE_WON;
		}
		crux_native_end const end = expand(s, set, next.state, state_limit);
		if (end != CRUX_NATIVE_PAUSED)
			return end;
	}
	return s->heap_count > 0 ? CRUX_NATIVE_PAUSED : CRUX_NATIVE_THROUGH;
}
