/* The search for exact covers: branching on the item with the fewest options, over linked lists of the options that still fit;
 * see exact_cover.h. */
#include "puzzle/exact_cover.h"

#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "base/clock.h"
#include "base/fault.h"
#include "states/state_set.h"

enum { NODES_PER_LOOK = 1024 }; /* pieces laid between looks at the clock: 1 to 10 ms */

/* Notes of a set. */
enum { NEED, COUNT_LOW, COUNT_HIGH, NOTES };

static uint32_t const never = UINT32_MAX; /* `need` of a set without a cover */

/* Facts about the covers of a set. */
typedef struct answer {
	uint32_t need;  /* lower bound on their pieces; the exact number when `count` is not 0 */
	uint64_t count; /* covers with `need` pieces, at most as many as were wanted (UINT64_MAX: that many or more) */
} answer;

/* An option's place in the list of an item. Node i < items is the head of item i; an option's other nodes are beside it. */
typedef struct node {
	uint32_t up, down, item, option;
} node;

typedef struct search {
	const crux_cover_problem *problem;
	size_t words;
	size_t size; /* items of every option; 0: they differ */
	crux_solver_limits limits;
	double deadline; /* 0: none */
	crux_solver_outcome stopped; /* CRUX_SOLVED: not stopped */
	crux_solver_statistics statistics;
	crux_state_set *known;
	void *block;       /* of the next seven */
	node *nodes;       /* lists of the options that still fit, by item, in their order */
	size_t *first;     /* by option: its first node; and the end */
	uint32_t *fitting; /* by item: number of options that still fit */
	uint64_t *left;    /* by number of pieces laid: the set of items left */
	uint64_t *apart;   /* scratch: a set */
	uint32_t *path;    /* the options laid */
	uint32_t *cover;   /* by item: its option in the cover that was reached last */
	bool reached;      /* there is one */
	crux_solver_statistics at_first; /* when the first was reached */
	size_t pieces;                   /* of that one */
} search;

static const uint64_t *mask_of(const search *s, size_t option)
{
	return s->problem->masks + option * s->words;
}

/* The first item of a set from `item` on; SIZE_MAX when there is none. */
static size_t next_item(const uint64_t *set, size_t words, size_t item)
{
	for (size_t i = item / 64; i < words; i++) {
		uint64_t const rest = set[i] & (i == item / 64 ? UINT64_MAX << item % 64 : UINT64_MAX);
		if (rest)
			return i * 64 + (size_t)__builtin_ctzll(rest);
	}
	return SIZE_MAX;
}

/* The item of a set that the fewest options can still cover; SIZE_MAX when the set is empty. */
static size_t scarcest(const search *s, const uint64_t *set)
{
	size_t found = SIZE_MAX;
	uint32_t fewest = UINT32_MAX;
	for (size_t i = 0; i < s->words; i++)
		for (uint64_t rest = set[i]; rest; rest &= rest - 1) {
			size_t const item = i * 64 + (size_t)__builtin_ctzll(rest);
			if (s->fitting[item] < fewest) {
				found = item;
				fewest = s->fitting[item];
			}
		}
	return found;
}

/* A lower bound on the pieces of a set: a piece for each item picked, those with the fewest options first, so that no option
 * covers two of them. */
static uint32_t bound(search *s, const uint64_t *left)
{
	uint32_t need = 0;
	memcpy(s->apart, left, s->words * sizeof *left);
	for (size_t item = scarcest(s, left); item != SIZE_MAX; item = scarcest(s, s->apart)) {
		if (s->fitting[item] == 0)
			return never;
		for (uint32_t i = s->nodes[item].down; i != item; i = s->nodes[i].down)
			for (size_t k = 0; k < s->words; k++)
				s->apart[k] &= ~mask_of(s, s->nodes[i].option)[k];
		need++;
	}
	return need;
}

/* Takes the options of an item out of the lists of all other items. */
static void take_out(search *s, size_t item)
{
	for (uint32_t i = s->nodes[item].down; i != item; i = s->nodes[i].down) {
		size_t const option = s->nodes[i].option;
		for (size_t k = s->first[option]; k < s->first[option + 1]; k++) {
			node const *const n = &s->nodes[k];
			if (k == i)
				continue;
			s->nodes[n->up].down = n->down;
			s->nodes[n->down].up = n->up;
			s->fitting[n->item]--;
		}
	}
}

/* Undoes the last take_out. */
static void put_back(search *s, size_t item)
{
	for (uint32_t i = s->nodes[item].up; i != item; i = s->nodes[i].up) {
		size_t const option = s->nodes[i].option;
		for (size_t k = s->first[option + 1]; k-- > s->first[option];) {
			node const *const n = &s->nodes[k];
			if (k == i)
				continue;
			s->nodes[n->up].down = s->nodes[n->down].up = (uint32_t)k;
			s->fitting[n->item]++;
		}
	}
}

/* Lays the piece of a node whose item was taken out: takes its other items out, too. False when a limit is met. */
static bool lay(search *s, size_t depth, uint32_t at)
{
	size_t const option = s->nodes[at].option;
	uint64_t const *const mask = mask_of(s, option);
	uint64_t *const left = s->left + depth * s->words;
	if (s->limits.nodes && s->statistics.generated >= s->limits.nodes)
		s->stopped = CRUX_LIMIT_NODES;
	else if (s->deadline > 0 && s->statistics.generated % NODES_PER_LOOK == 0 && crux_clock_now() > s->deadline)
		s->stopped = CRUX_LIMIT_SECONDS;
	if (s->stopped)
		return false;
	for (size_t i = 0; i < s->words; i++)
		left[s->words + i] = left[i] & ~mask[i];
	for (size_t k = s->first[option]; k < s->first[option + 1]; k++)
		if (k != at)
			take_out(s, s->nodes[k].item);
	s->path[depth] = (uint32_t)option;
	s->statistics.generated++;
	return true;
}

static void take_up(search *s, uint32_t at)
{
	size_t const option = s->nodes[at].option;
	for (size_t k = s->first[option + 1]; k-- > s->first[option];)
		if (k != at)
			put_back(s, s->nodes[k].item);
}

/* Notes the cover by the pieces laid. */
static void reach(search *s, size_t depth)
{
	for (size_t i = 0; i < depth; i++)
		for (size_t k = s->first[s->path[i]]; k < s->first[s->path[i] + 1]; k++)
			s->cover[s->nodes[k].item] = s->path[i];
	if (!s->reached) {
		s->at_first = s->statistics;
		s->pieces = depth;
	}
	s->reached = true;
}

/* Looks a set up; true when its notes answer the question for covers of at most `limit` pieces. */
static bool recall(search *s, const uint64_t *left, uint32_t limit, uint32_t *index, answer *known)
{
	*index = crux_state_set_find(s->known, left);
	if (*index == CRUX_STATE_NONE)
		return false;
	uint32_t const *const notes = crux_state_set_notes(s->known, *index);
	*known = (answer){notes[NEED], 0};
	if (notes[NEED] <= limit)
		known->count = (uint64_t)notes[COUNT_HIGH] << 32 | notes[COUNT_LOW];
	return notes[NEED] > limit || known->count > 0;
}

/* Stores an answer, unless it has as many covers as were wanted: then there may be more. */
static void remember(search *s, const uint64_t *left, uint32_t index, answer found, uint64_t wanted)
{
	if (s->stopped || found.count >= wanted)
		return;
	if (index == CRUX_STATE_NONE)
		index = crux_state_set_add(s->known, left);
	if (index == CRUX_STATE_NONE) {
		s->stopped = CRUX_LIMIT_BYTES;
		return;
	}
	uint32_t *const notes = crux_state_set_notes(s->known, index);
	notes[NEED] = found.need;
	notes[COUNT_LOW] = (uint32_t)found.count;
	notes[COUNT_HIGH] = (uint32_t)(found.count >> 32);
}

static answer explore(search *s, size_t depth, uint32_t limit, uint64_t wanted);

/* Lays each option that covers an item, until there are as many covers as wanted. */
static answer branch(search *s, size_t depth, size_t item, uint32_t limit, uint64_t wanted)
{
	answer best = {never, 0};
	s->statistics.expanded++;
	take_out(s, item);
	for (uint32_t i = s->nodes[item].down; i != item && !s->stopped && best.count < wanted; i = s->nodes[i].down) {
		if (!lay(s, depth, i))
			break;
		answer const below = explore(s, depth + 1, limit - 1, wanted - best.count);
		take_up(s, i);
		if (below.need != never && below.need + 1 < best.need)
			best.need = below.need + 1;
		if (__builtin_add_overflow(best.count, below.count, &best.count))
			best.count = UINT64_MAX;
	}
	put_back(s, item);
	return best;
}

/* The covers with at most `limit` pieces of the items left after `depth` pieces, of which at most `wanted` are counted. Smaller
 * limits were tried before, so no cover has fewer than `limit` pieces. */
static answer explore(search *s, size_t depth, uint32_t limit, uint64_t wanted)
{
	uint64_t const *const left = s->left + depth * s->words;
	answer found = {0, 0};
	uint32_t index;
	size_t const item = scarcest(s, left);
	if (item == SIZE_MAX) {
		reach(s, depth);
		return (answer){0, 1};
	}
	if (recall(s, left, limit, &index, &found))
		return found;
	found.need = s->size ? limit : bound(s, left);
	if (found.need <= limit)
		found = branch(s, depth, item, limit, wanted);
	remember(s, left, index, found, wanted);
	return found;
}

/* Starts one of the searches, each with all nodes and seconds. */
static void start(search *s)
{
	s->stopped = CRUX_SOLVED;
	s->statistics = (crux_solver_statistics){0};
	s->deadline = crux_clock_deadline(s->limits.seconds, s->limits.latest);
}

static void set_count(const search *s, answer found, uint64_t wanted, crux_exact_cover *result)
{
	result->counted = !s->stopped;
	result->solutions = found.count < wanted ? found.count : wanted;
}

/* The search for the fewest pieces. If all options have one size, so have all covers, and it counts them, too. */
static void find_fewest(search *s, uint64_t wanted, crux_exact_cover *result)
{
	answer found = {s->size ? (uint32_t)(s->problem->items / s->size) : 0, 0};
	start(s);
	do
		found = explore(s, 0, found.need, s->size && wanted ? wanted : 1);
	while (!s->stopped && found.count == 0 && found.need != never);
	result->outcome = s->reached ? CRUX_SOLVED : s->stopped ? s->stopped : CRUX_UNSOLVABLE;
	result->pieces = s->pieces;
	result->statistics = s->reached ? s->at_first : s->statistics;
	result->statistics.backtracks = result->statistics.generated - result->pieces;
	if (s->reached && s->size && wanted)
		set_count(s, found, wanted, result);
}

static void count_covers(search *s, uint64_t wanted, crux_exact_cover *result)
{
	start(s);
	set_count(s, explore(s, 0, (uint32_t)result->pieces, wanted), wanted, result);
}

/* Lays, piece by piece, the first option that leads to a cover: that of the cover reached last, unless one before it does. */
static void find_first(search *s, uint64_t wanted, size_t *pieces, crux_exact_cover *result)
{
	bool const only = result->counted && result->solutions == 1 && wanted > 1;
	start(s);
	for (size_t depth = 0; depth < result->pieces && !s->stopped; depth++) {
		size_t const item = next_item(s->left + depth * s->words, s->words, 0);
		take_out(s, item);
		for (uint32_t i = s->nodes[item].down; i != item; i = s->nodes[i].down) {
			pieces[depth] = s->nodes[i].option;
			bool const known = s->reached && pieces[depth] == s->cover[item];
			if (only && !known)
				continue;
			if (!lay(s, depth, i) || known)
				break;
			bool const before = s->reached;
			s->reached = false;
			if (explore(s, depth + 1, (uint32_t)(result->pieces - depth - 1), 1).count > 0 || s->stopped)
				break;
			s->reached = before;
			take_up(s, i);
		}
	}
	result->outcome = s->stopped;
}

static bool check(const crux_cover_problem *problem, crux_fault *fault)
{
	size_t const words = crux_cover_words(problem->items);
	if (problem->items > CRUX_COVER_MAX_ITEMS || problem->options > CRUX_COVER_MAX_OPTIONS) {
		crux_fault_set(fault, "found %zu items and %zu options, expected at most %d and %d", problem->items,
		               problem->options, CRUX_COVER_MAX_ITEMS, CRUX_COVER_MAX_OPTIONS);
		return false;
	}
	for (size_t option = 0; option < problem->options; option++) {
		uint64_t const *const mask = problem->masks + option * words;
		if (next_item(mask, words, 0) != SIZE_MAX && next_item(mask, words, problem->items) == SIZE_MAX)
			continue;
		crux_fault_set(fault, "option %zu: expected items from 1 to %zu, at least one", option + 1, problem->items);
		return false;
	}
	return true;
}

/* The number of items of every option; 0 if they differ. Adds up the items of all options. */
static size_t common_size(const crux_cover_problem *problem, size_t *sum)
{
	size_t const words = crux_cover_words(problem->items);
	size_t common = 0;
	for (size_t option = 0; option < problem->options; option++) {
		size_t size = 0;
		for (size_t i = 0; i < words; i++)
			size += (size_t)__builtin_popcountll(problem->masks[option * words + i]);
		common = option == 0 || size == common ? size : 0;
		*sum += size;
	}
	return common;
}

/* Puts all items into `left`, and the options into their lists. */
static void fill(search *s)
{
	size_t const items = s->problem->items;
	size_t count = items;
	for (size_t item = 0; item < items; item++) {
		s->left[item / 64] |= (uint64_t)1 << item % 64;
		s->nodes[item] = (node){(uint32_t)item, (uint32_t)item, (uint32_t)item, 0};
	}
	for (size_t option = 0; option < s->problem->options; option++) {
		uint64_t const *const mask = mask_of(s, option);
		s->first[option] = count;
		for (size_t item = next_item(mask, s->words, 0); item != SIZE_MAX; item = next_item(mask, s->words, item + 1)) {
			uint32_t const last = s->nodes[item].up;
			s->nodes[count] = (node){last, (uint32_t)item, (uint32_t)item, (uint32_t)option};
			s->nodes[last].down = s->nodes[item].up = (uint32_t)count++;
			s->fitting[item]++;
		}
	}
	s->first[s->problem->options] = count;
}

/* Allocates and fills. False with the outcome when the limit on bytes is met, with CRUX_SOLVED when memory is short. */
static bool prepare(search *s, crux_solver_outcome *outcome)
{
	size_t const items = s->problem->items, options = s->problem->options;
	size_t nodes = items;
	s->words = crux_cover_words(items);
	s->size = common_size(s->problem, &nodes);
	size_t const bytes = nodes * sizeof *s->nodes, most = s->limits.bytes ? s->limits.bytes : SIZE_MAX;
	*outcome = bytes >= most || nodes > UINT32_MAX ? CRUX_LIMIT_BYTES : CRUX_SOLVED;
	if (*outcome)
		return false;
	s->known = crux_state_set_new(s->words ? 64 * s->words : 1, NOTES, most - bytes);
	crux_array const arrays[] = {
		CRUX_ARRAY(s->nodes, nodes),
		CRUX_ARRAY(s->first, options + 1),
		CRUX_ARRAY(s->fitting, items),
		CRUX_ARRAY(s->left, (items + 1) * s->words),
		CRUX_ARRAY(s->apart, s->words),
		CRUX_ARRAY(s->path, items),
		CRUX_ARRAY(s->cover, items),
	};
	s->block = crux_block_new(arrays, sizeof arrays / sizeof *arrays);
	if (!s->known || !s->block)
		return false;
	fill(s);
	return true;
}

bool crux_exact_cover_solve(const crux_cover_problem *problem, crux_solver_limits limits, uint64_t wanted, size_t *pieces,
                            crux_exact_cover *result, crux_fault *fault)
{
	search s = {.problem = problem, .limits = limits};
	*result = (crux_exact_cover){.outcome = CRUX_UNSOLVABLE};
	if (!check(problem, fault))
		return false;
	bool const ready = prepare(&s, &result->outcome);
	if (!ready && !result->outcome)
		crux_fault_set(fault, "out of memory");
	if (ready)
		find_fewest(&s, wanted, result);
	if (ready && wanted && !s.size && result->outcome == CRUX_SOLVED)
		count_covers(&s, wanted, result);
	if (ready && result->outcome == CRUX_SOLVED)
		find_first(&s, wanted, pieces, result);
	crux_state_set_free(s.known);
	free(s.block);
	return ready || result->outcome;
}
