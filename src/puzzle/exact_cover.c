/* The search for exact covers: branching on the item with the fewest options, over sets as bit planes; see
 * exact_cover.h. */
#include "puzzle/exact_cover.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fault.h"
#include "states/state_set.h"

enum {
	NODES_A_CLOCK = 1024, /* pieces laid between looks at the clock: 1 to 10 ms */
};

/* The notes that are kept of a set. */
enum { NEED, COUNT_LOW, COUNT_HIGH, NOTES };

static uint32_t const never = UINT32_MAX; /* pieces that a set needs which has no cover */

/* What is known of the covers of a set. */
typedef struct answer {
	uint32_t need;  /* they have at least that many pieces; exactly so when `count` is not 0 */
	uint64_t count; /* covers with that many, when counting; else 1 for some. UINT64_MAX: that many or more */
} answer;

/* A stretch of the pool. */
typedef struct span {
	size_t first, end;
} span;

typedef struct search {
	const crux_cover_problem *problem;
	size_t words;
	crux_cover_limits limits;
	double deadline; /* 0: none */
	bool counting;
	crux_cover_outcome stopped; /* CRUX_COVER_SOLVED: going on */
	uint64_t expanded, generated;
	crux_state_set *known;
	uint64_t *left;    /* by number of pieces laid: the set of items left */
	uint32_t *fitting; /* by item, scratch: how many options can still cover it */
	uint64_t *beside;  /* by item, scratch: the set of items that they cover */
	uint64_t *apart;   /* scratch: a set */
	uint32_t *pool;    /* for each piece laid, the options that fit the items left */
	size_t pool_count, pool_room;
} search;

static const uint64_t *mask_of(const search *s, size_t option)
{
	return s->problem->masks + option * s->words;
}

static bool is_within(const uint64_t *a, const uint64_t *b, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if (a[i] & ~b[i])
			return false;
	return true;
}

static bool has(const uint64_t *set, size_t item)
{
	return set[item / 64] >> item % 64 & 1;
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

static bool pool_add(search *s, uint32_t option)
{
	if (s->pool_count == s->pool_room) {
		size_t const room = 2 * s->pool_room + 1024;
		size_t const taken = crux_state_set_bytes(s->known) + room * sizeof *s->pool;
		uint32_t *const pool = s->limits.bytes && taken > s->limits.bytes ? NULL : realloc(s->pool, room * sizeof *pool);
		if (!pool) {
			s->stopped = CRUX_COVER_MEMORY;
			return false;
		}
		s->pool = pool;
		s->pool_room = room;
	}
	s->pool[s->pool_count++] = option;
	return true;
}

/* Adds those of the options that fit a set to the pool, and to the tallies by item. */
static span select_options(search *s, const uint64_t *left, span among)
{
	span fit = {s->pool_count, s->pool_count};
	memset(s->fitting, 0, s->problem->items * sizeof *s->fitting);
	memset(s->beside, 0, s->problem->items * s->words * sizeof *s->beside);
	for (size_t i = among.first; i < among.end; i++) {
		uint32_t const option = s->pool[i];
		uint64_t const *const mask = mask_of(s, option);
		if (!is_within(mask, left, s->words))
			continue;
		if (!pool_add(s, option))
			break;
		for (size_t item = next_item(mask, s->words, 0); item != SIZE_MAX; item = next_item(mask, s->words, item + 1)) {
			s->fitting[item]++;
			for (size_t k = 0; k < s->words; k++)
				s->beside[item * s->words + k] |= mask[k];
		}
	}
	fit.end = s->pool_count;
	return fit;
}

/* The item of a set that the fewest options can still cover; SIZE_MAX when the set is empty. */
static size_t scarcest(const search *s, const uint64_t *set)
{
	size_t found = SIZE_MAX;
	for (size_t i = next_item(set, s->words, 0); i != SIZE_MAX; i = next_item(set, s->words, i + 1))
		if (found == SIZE_MAX || s->fitting[i] < s->fitting[found])
			found = i;
	return found;
}

/* The fewest pieces that a set needs by the tallies: a piece for each of the items that are picked so that no option covers
 * two of them, those with the fewest options first. */
static uint32_t bound(search *s, const uint64_t *left)
{
	uint32_t need = 0;
	memcpy(s->apart, left, s->words * sizeof *left);
	for (size_t item = scarcest(s, left); item != SIZE_MAX; item = scarcest(s, s->apart)) {
		if (s->fitting[item] == 0)
			return never;
		for (size_t k = 0; k < s->words; k++)
			s->apart[k] &= ~s->beside[item * s->words + k];
		need++;
	}
	return need;
}

/* Lays a piece: the items left after it are those left before it without its own. False when a limit is met. */
static bool lay(search *s, size_t depth, size_t option)
{
	uint64_t const *const mask = mask_of(s, option);
	uint64_t *const left = s->left + depth * s->words;
	if (s->limits.nodes && s->generated >= s->limits.nodes)
		s->stopped = CRUX_COVER_NODES;
	else if (s->deadline > 0 && s->generated % NODES_A_CLOCK == 0 && crux_clock_now() > s->deadline)
		s->stopped = CRUX_COVER_TIME;
	if (s->stopped)
		return false;
	for (size_t i = 0; i < s->words; i++)
		left[s->words + i] = left[i] & ~mask[i];
	s->generated++;
	return true;
}

/* Looks up what is known of a set; true when that answers the question for covers of at most `limit` pieces. */
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

static void remember(search *s, const uint64_t *left, uint32_t index, answer found)
{
	if (s->stopped || (found.count > 0 && !s->counting))
		return;
	if (index == CRUX_STATE_NONE)
		index = crux_state_set_add(s->known, left);
	if (index == CRUX_STATE_NONE) {
		s->stopped = CRUX_COVER_MEMORY;
		return;
	}
	uint32_t *const notes = crux_state_set_notes(s->known, index);
	notes[NEED] = found.need;
	notes[COUNT_LOW] = (uint32_t)found.count;
	notes[COUNT_HIGH] = (uint32_t)(found.count >> 32);
}

static answer explore(search *s, size_t depth, span among, uint32_t limit);

/* Lays each of the options that cover an item; when not counting, only up to the first that leads to a cover. */
static answer branch(search *s, size_t depth, span options, size_t item, uint32_t limit)
{
	answer best = {never, 0};
	s->expanded++;
	for (size_t i = options.first; i < options.end; i++) {
		uint32_t const option = s->pool[i];
		if (!has(mask_of(s, option), item))
			continue;
		if (!lay(s, depth, option))
			break;
		answer const below = explore(s, depth + 1, options, limit - 1);
		if (below.need != never && below.need + 1 < best.need)
			best.need = below.need + 1;
		if (__builtin_add_overflow(best.count, below.count, &best.count))
			best.count = UINT64_MAX;
		if (s->stopped || (best.count > 0 && !s->counting))
			break;
	}
	return best;
}

/* The covers with at most `limit` pieces of the items that are left when `depth` pieces are laid. `limit` is not above the
 * fewest, as smaller ones were tried before: so all covers that are met have exactly that many pieces. */
static answer explore(search *s, size_t depth, span among, uint32_t limit)
{
	uint64_t const *const left = s->left + depth * s->words;
	answer found = {0, 0};
	uint32_t index;
	if (next_item(left, s->words, 0) == SIZE_MAX)
		return (answer){0, 1};
	if (recall(s, left, limit, &index, &found))
		return found;
	span const options = select_options(s, left, among);
	found.need = bound(s, left);
	if (!s->stopped && found.need <= limit)
		found = branch(s, depth, options, scarcest(s, left), limit);
	s->pool_count = options.first;
	remember(s, left, index, found);
	return found;
}

/* Starts one of the searches that the limits are for. */
static void start(search *s)
{
	s->stopped = CRUX_COVER_SOLVED;
	s->expanded = s->generated = 0;
	s->deadline = crux_clock_deadline(s->limits.seconds, s->limits.latest);
}

static void find_fewest(search *s, span all, crux_exact_cover *result)
{
	answer found = {0, 0};
	start(s);
	do
		found = explore(s, 0, all, found.need);
	while (!s->stopped && found.count == 0 && found.need != never);
	result->outcome = s->stopped ? s->stopped : found.count > 0 ? CRUX_COVER_SOLVED : CRUX_COVER_NONE;
	result->pieces = found.count > 0 ? found.need : 0;
	result->expanded = s->expanded;
	result->generated = s->generated;
	result->backtracks = s->generated - result->pieces;
}

static void count_covers(search *s, span all, crux_exact_cover *result)
{
	start(s);
	s->counting = true;
	answer const found = explore(s, 0, all, (uint32_t)result->pieces);
	s->counting = false;
	result->counted = !s->stopped;
	result->solutions = found.count;
}

/* Lays piece by piece the first that leads to a cover. */
static void find_first(search *s, span all, size_t *pieces, crux_exact_cover *result)
{
	start(s);
	for (size_t depth = 0; depth < result->pieces && !s->stopped; depth++) {
		uint64_t const *const left = s->left + depth * s->words;
		size_t const item = next_item(left, s->words, 0);
		for (size_t option = 0; option < s->problem->options; option++) {
			uint64_t const *const mask = mask_of(s, option);
			if (!has(mask, item) || !is_within(mask, left, s->words))
				continue;
			pieces[depth] = option;
			if (!lay(s, depth, option) ||
			    explore(s, depth + 1, all, (uint32_t)(result->pieces - depth - 1)).count > 0)
				break;
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

/* Takes memory and puts all items on the left and all options into the pool; false when memory is short. */
static bool prepare(search *s)
{
	size_t const items = s->problem->items, options = s->problem->options;
	s->words = crux_cover_words(items);
	s->known = crux_state_set_new(s->words ? 64 * s->words : 1, NOTES, s->limits.bytes ? s->limits.bytes : SIZE_MAX);
	s->left = calloc((items + 1) * s->words + 1, sizeof *s->left);
	s->fitting = calloc(items + 1, sizeof *s->fitting);
	s->beside = calloc(items * s->words + 1, sizeof *s->beside);
	s->apart = calloc(s->words + 1, sizeof *s->apart);
	s->pool = calloc(options + 1, sizeof *s->pool);
	if (!s->known || !s->left || !s->fitting || !s->beside || !s->apart || !s->pool)
		return false;
	for (size_t item = 0; item < items; item++)
		s->left[item / 64] |= (uint64_t)1 << item % 64;
	for (size_t option = 0; option < options; option++)
		s->pool[s->pool_count++] = (uint32_t)option;
	s->pool_room = options + 1;
	return true;
}

bool crux_exact_cover_solve(const crux_cover_problem *problem, crux_cover_limits limits, bool count, size_t *pieces,
                            crux_exact_cover *result, crux_fault *fault)
{
	search s = {.problem = problem, .limits = limits};
	span const all = {0, problem->options};
	*result = (crux_exact_cover){.outcome = CRUX_COVER_NONE};
	if (!check(problem, fault))
		return false;
	bool const ready = prepare(&s);
	if (!ready)
		crux_fault_set(fault, "out of memory");
	if (ready)
		find_fewest(&s, all, result);
	if (ready && count && result->outcome == CRUX_COVER_SOLVED)
		count_covers(&s, all, result);
	if (ready && result->outcome == CRUX_COVER_SOLVED)
		find_first(&s, all, pieces, result);
	crux_state_set_free(s.known);
	free(s.left);
	free(s.fitting);
	free(s.beside);
	free(s.apart);
	free(s.pool);
	return ready;
}
