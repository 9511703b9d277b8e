/* Breadth-first search over batches: frontiers, the set of states, ways to win and statistics. */
#include "search/native_search.h"

#include <stdlib.h>

#include "base/block.h"
#include "base/clock.h"

crux_native_search *crux_native_search_new(crux_program *program, const crux_state_layout *layout, size_t moves,
                                           bool informed, bool is_guarded)
{
	crux_native_search *s = calloc(1, sizeof *s);
	if (!s) {
		crux_program_free(program);
		return NULL;
	}
	bool const is_ready = crux_native_batch_init(&s->batch, program, layout, moves, informed, is_guarded);
	s->indices = calloc(moves * CRUX_BATCH + 1, sizeof *s->indices);
	if (is_ready && s->indices)
		return s;
	crux_native_search_free(s);
	return NULL;
}

void crux_native_search_free(crux_native_search *s)
{
	if (!s)
		return;
	crux_native_batch_release(&s->batch);
	free(s->indices);
	free(s->frontiers);
	free(s->ways);
	free(s->next_ways);
	free(s);
}

void crux_native_search_specialise(crux_native_search *s, crux_program *program, size_t flag, bool value)
{
	crux_native_batch *const b = &s->batch;
	crux_program_free(b->special);
	b->special = program;
	b->flag = flag;
	b->flag_value = value;
}

bool crux_native_search_bind(crux_native_search *s, const int64_t *parameters)
{
	crux_native_batch *const b = &s->batch;
	return crux_program_bind(b->program, parameters) && (!b->special || crux_program_bind(b->special, parameters));
}

/* Adds the number of states of a new frontier; false when memory is short. */
static bool add_frontier(crux_native_search *s)
{
	if (!crux_array_grow(CRUX_ARRAY(s->frontiers, s->depths + 2), &s->depth_room))
		return false;
	s->frontiers[s->depths++] = s->end - s->first;
	return true;
}

bool crux_native_search_begin(crux_native_search *s, bool counts, bool timed, int64_t bound)
{
	s->batch.bound = bound;
	s->batch.beyond = INT64_MAX;
	s->first = s->next = 0;
	s->end = 1;
	s->depths = 0;
	s->counts = counts;
	s->timed = timed;
	s->times = (crux_native_times){0};
	s->has_place = s->has_goal = false;
	s->solutions = s->settled = 0;
	s->lanes = 0;
	s->statistics = (crux_native_statistics){.expanded = 0};
	if (counts && !crux_array_grow(CRUX_ARRAY(s->ways, 1), &s->ways_room))
		return false;
	if (counts)
		s->ways[0] = 1;
	return add_frontier(s);
}

/* Makes the states found since the last frontier the new frontier; false when memory is short. */
static bool advance(crux_native_search *s, const crux_state_set *set)
{
	s->first = s->next = s->end;
	s->end = crux_state_set_count(set);
	int64_t *const ways = s->ways;
	s->ways = s->next_ways;
	s->next_ways = ways;
	size_t const room = s->ways_room;
	s->ways_room = s->next_room;
	s->next_room = room;
	return add_frontier(s);
}

static int64_t sum_of_ways(int64_t a, int64_t b)
{
	return a < 0 || b < 0 || a > INT64_MAX - b ? CRUX_WAYS_MANY : a + b;
}

/* Makes room for the ways to all states after the frontier, and sets them to 0 for states from `known` on. */
static bool grow_ways(crux_native_search *s, uint32_t known, uint32_t count)
{
	size_t const before = known - s->end, after = count - s->end;
	if (!crux_array_grow(CRUX_ARRAY(s->next_ways, after), &s->next_room))
		return false;
	for (size_t i = before; i < after; i++)
		s->next_ways[i] = 0;
	return true;
}

/* Adds the ways by the first `merged` successors to states after the frontier; the set had `known` states before. */
static bool add_ways(crux_native_search *s, const crux_state_set *set, size_t merged, uint32_t known)
{
	if (!grow_ways(s, known, crux_state_set_count(set)))
		return false;
	for (size_t i = 0; i < merged; i++) {
		if (s->indices[i] < s->end)
			continue;
		int64_t *const ways = &s->next_ways[s->indices[i] - s->end];
		*ways = sum_of_ways(*ways, s->ways[(uint32_t)s->batch.notes[i] - 1 - s->first]);
	}
	return true;
}

/* Counts the steps before `end`, of which `added` led to new states. */
static void count_steps(crux_native_search *s, size_t end, size_t added)
{
	size_t beyond = 0;
	size_t const lost = s->batch.has_lost ? crux_native_batch_count_lost(&s->batch, end, &beyond) : 0;
	s->statistics.beyond += (int64_t)beyond;
	s->statistics.expanded += (int64_t)((end + s->batch.moves - 1) / s->batch.moves);
	s->statistics.generated += (int64_t)end;
	s->statistics.lost += (int64_t)lost;
	s->statistics.duplicates += (int64_t)(end - lost - beyond - added);
}

/* Adds the successors of the steps before `end` to the set. */
static crux_native_end insert(crux_native_search *s, crux_state_set *set, uint32_t first, size_t end, uint32_t state_limit)
{
	crux_native_batch *const b = &s->batch;
	uint32_t const known = crux_state_set_count(set);
	size_t const count = crux_native_batch_gather(b, first, end, s->counts);
	size_t const merged = crux_state_set_merge(set, b->keys, b->notes, count, state_limit, s->counts ? s->indices : NULL);
	uint32_t const now = crux_state_set_count(set);
	uint64_t const last = b->notes[merged];
	bool const is_cut = merged < count; /* the last step that counts led to a state that does not fit */
	size_t const tried = is_cut ? ((uint32_t)last - 1 - first) * b->moves + (last >> 32) : end;
	count_steps(s, tried, now - known + is_cut);
	if (s->counts && !add_ways(s, set, merged, known))
		return CRUX_NATIVE_MEMORY;
	if (!is_cut)
		return CRUX_NATIVE_THROUGH;
	return now >= state_limit ? CRUX_NATIVE_STATES : CRUX_NATIVE_BYTES;
}

/* Handles the wins and refusals of a batch, from the first such step on. */
static crux_native_end handle_ends(crux_native_search *s, uint32_t first, size_t step, size_t all)
{
	crux_native_batch const *const b = &s->batch;
	for (; step < all; step = crux_native_batch_find_end(b, step + 1, all)) {
		uint32_t const state = first + (uint32_t)(step / b->moves);
		size_t const move = step % b->moves;
		bool const is_wrong = crux_native_batch_step(b, step, NULL) == CRUX_NATIVE_IS_REFUSED;
		if (!s->has_goal || is_wrong) {
			s->has_place = true;
			s->state = state;
			s->move = move;
		}
		if (is_wrong)
			return CRUX_NATIVE_VIOLATION;
		if (!s->has_goal) {
			s->statistics.generated++;
			s->statistics.expanded += move == 0; /* else an earlier move of the state was counted */
		}
		s->has_goal = true;
		if (!s->counts)
			return CRUX_NATIVE_WON;
		s->solutions = sum_of_ways(s->solutions, s->ways[state - s->first]);
	}
	return CRUX_NATIVE_THROUGH;
}

/* The time in seconds; 0 unless the search is timed. */
static double now(const crux_native_search *s) { return s->timed ? crux_clock_now() : 0; }

/* Tries the moves of the next states. */
static void run_batch(crux_native_search *s, const crux_state_set *set, size_t lanes)
{
	double const began = now(s);
	s->batch.depth = (int64_t)s->depths;
	for (size_t lane = 0; lane < lanes; lane++)
		crux_native_batch_take(&s->batch, lane, crux_state_set_key(set, s->next + (uint32_t)lane));
	crux_native_batch_run(&s->batch, lanes);
	s->times.step += now(s) - began;
	s->lanes = lanes;
	s->step = 0;
}

/* Finds the next open step of the batch before one that ends the search; false when there is none. */
static bool find_open(crux_native_search *s, size_t all)
{
	crux_native_batch const *const b = &s->batch;
	for (; b->has_end && s->step < all; s->step++) {
		s->step = crux_native_batch_find_end(b, s->step, all);
		crux_native_outcome const outcome = s->step < all ? crux_native_batch_step(b, s->step, NULL) : CRUX_NATIVE_LEADS_ON;
		if (outcome == CRUX_NATIVE_IS_OPEN)
			return true;
		if (outcome == CRUX_NATIVE_IS_REFUSED || (outcome == CRUX_NATIVE_WINS && !s->counts))
			s->step = all;
	}
	return false;
}

/* Adds the successors of the batch to the set. */
static crux_native_end finish_batch(crux_native_search *s, crux_state_set *set, uint32_t state_limit)
{
	uint32_t const first = s->next;
	size_t const all = s->lanes * s->batch.moves;
	if (find_open(s, all))
		return CRUX_NATIVE_OPEN;
	double const ran = now(s);
	s->next += (uint32_t)s->lanes;
	s->lanes = 0;
	size_t const end = s->batch.has_end ? crux_native_batch_find_end(&s->batch, 0, all) : all;
	if (!s->has_goal) {
		crux_native_end const status = insert(s, set, first, end, state_limit);
		s->times.set += now(s) - ran;
		if (status != CRUX_NATIVE_THROUGH)
			return status;
	}
	return handle_ends(s, first, end, all);
}

crux_native_end crux_native_search_expand(crux_native_search *s, crux_state_set *set, uint32_t count, uint32_t state_limit)
{
	for (uint32_t left = count;;) {
		if (s->lanes > 0) {
			crux_native_end const end = finish_batch(s, set, state_limit);
			if (end != CRUX_NATIVE_THROUGH)
				return end;
		}
		if (s->next == s->end && s->has_goal)
			return CRUX_NATIVE_WON;
		if (s->next == s->end && s->end == crux_state_set_count(set))
			return CRUX_NATIVE_THROUGH;
		if (s->next == s->end && !advance(s, set))
			return CRUX_NATIVE_MEMORY;
		if (left == 0)
			return CRUX_NATIVE_PAUSED;
		uint32_t const rest = s->end - s->next < left ? s->end - s->next : left;
		uint32_t const lanes = rest < CRUX_BATCH ? rest : CRUX_BATCH;
		run_batch(s, set, lanes);
		left -= lanes;
	}
}

bool crux_native_search_is_open(const crux_native_search *s)
{
	return s->lanes > 0 && s->step < s->lanes * s->batch.moves &&
	       crux_native_batch_step(&s->batch, s->step, NULL) == CRUX_NATIVE_IS_OPEN;
}

bool crux_native_search_has_win(const crux_native_search *s)
{
	return s->has_goal || crux_native_batch_find_end(&s->batch, 0, s->step) < s->step;
}

void crux_native_search_settle(crux_native_search *s, crux_native_outcome outcome, const uint64_t *key, uint64_t estimate)
{
	crux_native_batch_settle(&s->batch, s->step++, outcome, key, estimate);
	s->settled++;
}

const uint32_t *crux_native_search_frontiers(crux_native_search *s, const crux_state_set *set, size_t *count)
{
	uint32_t const found = crux_state_set_count(set) - s->end;
	*count = s->depths + (found > 0);
	s->frontiers[s->depths] = found;
	return s->frontiers;
}

/* Room for the key of a successor. */
static uint64_t *scratch_key(const crux_native_batch *b)
{
	return b->keys + b->moves * CRUX_BATCH * b->words;
}

/* The successor by a move of the batch's only state; its key in scratch_key if it leads on. */
static int64_t successor_of(const crux_native_search *s, const crux_state_set *set, size_t move)
{
	static int64_t const ends[] = {
		[CRUX_NATIVE_WINS] = CRUX_NATIVE_IS_WON, [CRUX_NATIVE_LOSES] = CRUX_NATIVE_IS_LOST, [CRUX_NATIVE_IS_OPEN] = CRUX_NATIVE_IS_UNKNOWN,
	};
	uint64_t *const key = scratch_key(&s->batch);
	crux_native_outcome const outcome = crux_native_batch_step(&s->batch, move, key);
	if (outcome != CRUX_NATIVE_LEADS_ON)
		return ends[outcome];
	uint32_t const found = crux_state_set_find(set, key);
	return found == CRUX_STATE_NONE ? CRUX_NATIVE_IS_NEW : (int64_t)found;
}

/* Tries all moves of a state, whatever the bound. */
static void run_alone(crux_native_batch *b, const crux_state_set *set, uint32_t state)
{
	int64_t const bound = b->bound;
	b->bound = INT64_MAX;
	crux_native_batch_take(b, 0, crux_state_set_key(set, state));
	crux_native_batch_run(b, 1);
	b->bound = bound;
}

void crux_native_search_try(crux_native_search *s, const crux_state_set *set, uint32_t state, int64_t *successors,
                            int64_t *estimates)
{
	crux_native_batch *const b = &s->batch;
	run_alone(b, set, state);
	for (size_t move = 0; move < b->moves; move++) {
		successors[move] = successor_of(s, set, move);
		if (b->informed)
			estimates[move] = (int64_t)crux_native_batch_estimate(b, move);
	}
}

bool crux_native_search_visit(crux_native_search *s, crux_state_set *set, uint32_t state, uint32_t state_limit,
                              int64_t *successors)
{
	crux_native_batch *const b = &s->batch;
	run_alone(b, set, state);
	for (size_t move = 0; move < b->moves; move++) {
		successors[move] = successor_of(s, set, move);
		if (successors[move] != CRUX_NATIVE_IS_NEW)
			continue;
		uint32_t const added = crux_state_set_count(set) < state_limit ? crux_state_set_add(set, scratch_key(b)) : CRUX_STATE_NONE;
		if (added == CRUX_STATE_NONE)
			return false;
		uint32_t *const notes = crux_state_set_notes(set, added);
		notes[0] = state + 1;
		notes[1] = (uint32_t)move + 1;
		successors[move] = added;
	}
	return true;
}
