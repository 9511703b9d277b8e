/* Breadth-first search over batches: unpack, run, pack, insert in order. */
#include "native_search.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct crux_native_search {
	crux_program *program;
	crux_program *special; /* what does when a flag has that value; may be NULL */
	size_t flag;
	bool flag_value;
	size_t moves, values, words;
	crux_program_place *places; /* of the values in a key */
	uint64_t *columns;          /* the words of a batch of keys */
	uint64_t *successors;       /* the same for each move */
	uint8_t *won, *lost, *wrong; /* by move and lane; lost may be IS_BEYOND */
	uint64_t *estimates;         /* likewise; NULL unless informed */
	int64_t bound, beyond;
	uint64_t *keys;             /* successors in order, those that are lost left out, */
	uint64_t *notes;            /* of each, packed, */
	uint32_t *indices;          /* and its number in the set */
	uint32_t first, next, end;  /* the frontier; next is the first state that was not yet expanded */
	uint32_t *frontiers;        /* the numbers of states of all so far, and room for one more */
	size_t depths, depth_room;
	bool counts, timed, has_place, has_goal;
	uint32_t state; /* see crux_native_search_place */
	size_t move;
	int64_t solutions;
	int64_t *ways, *next_ways;
	size_t ways_room, next_room;
	crux_native_statistics statistics;
	crux_native_times times;
};

enum { IS_BEYOND = 1 }; /* instead of a truth value: left out for the bound, not lost */

static bool allocate(crux_native_search *s, bool informed)
{
	size_t const most = s->moves * CRUX_BATCH;
	s->columns = calloc((s->words + 1) * (CRUX_BATCH + 1), sizeof *s->columns);
	s->successors = calloc(s->moves * (s->words + 1) * CRUX_BATCH, sizeof *s->successors);
	s->won = calloc(3 * most, sizeof *s->won);
	s->keys = calloc((most + 1) * s->words, sizeof *s->keys);
	s->notes = calloc(most + 1, sizeof *s->notes);
	s->indices = calloc(most + 1, sizeof *s->indices);
	s->estimates = informed ? calloc(most, sizeof *s->estimates) : NULL;
	if ((informed && !s->estimates) || !s->columns || !s->successors || !s->won || !s->keys || !s->notes || !s->indices)
		return false;
	s->lost = s->won + most;
	s->wrong = s->lost + most;
	return true;
}

static bool find_places(crux_native_search *s, const crux_state_layout *layout)
{
	crux_state_place *const places = malloc((s->values + 1) * sizeof *places);
	s->places = malloc((s->values + 1) * sizeof *s->places);
	bool const is_done = places && s->places;
	if (is_done) {
		crux_state_layout_places(layout, places);
		for (size_t i = 0; i < s->values; i++)
			s->places[i] = (crux_program_place){places[i].first / 64, places[i].first % 64, places[i].bits, places[i].low};
	}
	free(places);
	return is_done;
}

crux_native_search *crux_native_search_new(crux_program *program, const crux_state_layout *layout, size_t moves, bool informed)
{
	crux_native_search *s = calloc(1, sizeof *s);
	if (!s) {
		crux_program_free(program);
		return NULL;
	}
	s->program = program;
	s->moves = moves;
	s->values = crux_state_layout_values(layout);
	s->words = crux_state_layout_words(layout);
	if (allocate(s, informed) && find_places(s, layout))
		return s;
	crux_native_search_free(s);
	return NULL;
}

void crux_native_search_free(crux_native_search *s)
{
	if (!s)
		return;
	crux_program_free(s->program);
	crux_program_free(s->special);
	free(s->places);
	free(s->columns);
	free(s->successors);
	free(s->won);
	free(s->estimates);
	free(s->keys);
	free(s->notes);
	free(s->indices);
	free(s->frontiers);
	free(s->ways);
	free(s->next_ways);
	free(s);
}

void crux_native_search_specialise(crux_native_search *s, crux_program *program, size_t flag, bool value)
{
	crux_program_free(s->special);
	s->special = program;
	s->flag = flag;
	s->flag_value = value;
}

bool crux_native_search_bind(crux_native_search *s, const int64_t *given)
{
	return crux_program_bind(s->program, given) && (!s->special || crux_program_bind(s->special, given));
}

/* Notes the number of states of the frontier, which is new. */
static bool note_frontier(crux_native_search *s)
{
	if (s->depths + 2 > s->depth_room) {
		size_t const room = 2 * s->depth_room + 64;
		uint32_t *const frontiers = realloc(s->frontiers, room * sizeof *frontiers);
		if (!frontiers)
			return false;
		s->frontiers = frontiers;
		s->depth_room = room;
	}
	s->frontiers[s->depths++] = s->end - s->first;
	return true;
}

bool crux_native_search_begin(crux_native_search *s, bool counts, bool timed, int64_t bound)
{
	s->bound = bound;
	s->beyond = INT64_MAX;
	s->first = s->next = 0;
	s->end = 1;
	s->depths = 0;
	s->counts = counts;
	s->timed = timed;
	s->times = (crux_native_times){0};
	s->has_place = s->has_goal = false;
	s->solutions = 0;
	s->statistics = (crux_native_statistics){.expanded = 0};
	if (counts && s->ways_room == 0) {
		s->ways = malloc(sizeof *s->ways);
		s->ways_room = s->ways ? 1 : 0;
	}
	if (counts && s->ways)
		s->ways[0] = 1;
	return (s->ways || !counts) && note_frontier(s);
}

/* Makes the states that were found since the frontier was entered the frontier; false when memory is short. */
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
	return note_frontier(s);
}

/* The program for so many keys in `columns`. */
static crux_program *choose(const crux_native_search *s, size_t lanes)
{
	if (!s->special)
		return s->program;
	uint64_t const *const column = s->columns + s->places[s->flag].word * CRUX_BATCH;
	uint64_t const wanted = s->flag_value ? UINT64_MAX : 0;
	uint64_t differing = 0;
	for (size_t i = 0; i < lanes; i++)
		differing |= column[i] ^ wanted;
	return differing >> s->places[s->flag].shift & 1 ? s->program : s->special;
}

/* Takes the estimates of a move; the states that are beyond the bound become so many that are lost. Whether there are any. */
static bool leave_out(crux_native_search *s, const crux_program *program, size_t move, size_t output, size_t lanes)
{
	uint64_t *const estimates = s->estimates + move * CRUX_BATCH;
	uint8_t *const lost = s->lost + move * CRUX_BATCH;
	uint8_t const *const won = s->won + move * CRUX_BATCH, *const wrong = s->wrong + move * CRUX_BATCH;
	int64_t const depth = (int64_t)s->depths;
	bool any = false;
	memset(estimates, 0, CRUX_BATCH * sizeof *estimates);
	crux_program_store(program, output, (crux_program_place){.bits = 31}, estimates, lanes);
	for (size_t i = 0; i < lanes; i++) {
		int64_t const sum = depth + (estimates[i] > 1 ? (int64_t)estimates[i] : 1); /* it is not won */
		if (sum <= s->bound || lost[i] || won[i] || wrong[i])
			continue;
		lost[i] = IS_BEYOND;
		any = true;
		if (sum < s->beyond)
			s->beyond = sum;
	}
	return any;
}

/* Runs the program on states; afterwards `successors` holds keys and the truth values are set. Whether there is any win
 * or refusal, and any loss. */
static void run(crux_native_search *s, const crux_state_set *set, uint32_t first, size_t lanes, bool *any_end, bool *any_lost)
{
	for (size_t word = 0; word < s->words; word++)
		for (size_t i = 0; i < lanes; i++)
			s->columns[word * CRUX_BATCH + i] = crux_state_set_key(set, first + (uint32_t)i)[word];
	crux_program *const program = choose(s, lanes);
	size_t const has_estimate = s->estimates ? 1 : 0;
	for (size_t i = 0; i < s->values; i++)
		if (s->places[i].bits)
			crux_program_load(program, i, s->places[i], s->columns, lanes);
	crux_program_run(program, lanes);
	for (size_t column = 0; column < s->moves * (s->words + 1); column++)
		memset(s->successors + column * CRUX_BATCH, 0, (lanes + 63) / 64 * 64 * sizeof *s->successors);
	*any_end = *any_lost = false;
	for (size_t move = 0; move < s->moves; move++) {
		size_t const estimate = move * (s->values + has_estimate + CRUX_NATIVE_OUTPUTS) + s->values;
		size_t const outputs = estimate - s->values, ends = estimate + has_estimate;
		uint64_t *const columns = s->successors + move * (s->words + 1) * CRUX_BATCH;
		for (size_t i = 0; i < s->values; i++)
			if (s->places[i].bits)
				crux_program_store(program, outputs + i, s->places[i], columns, lanes);
		uint8_t *const won = s->won + move * CRUX_BATCH, *const lost = s->lost + move * CRUX_BATCH;
		*any_end |= crux_program_truths(program, ends + CRUX_NATIVE_OUTPUT_WON, lanes, won, true);
		*any_end |= crux_program_truths(program, ends + CRUX_NATIVE_OUTPUT_WRONG, lanes, s->wrong + move * CRUX_BATCH, true);
		*any_lost |= crux_program_truths(program, ends + CRUX_NATIVE_OUTPUT_LOST, lanes, lost, true);
		if (has_estimate)
			*any_lost |= leave_out(s, program, move, estimate, lanes);
	}
}

/* The first place (lane * moves + move) from `from` on, before `end`, where a move wins or is refused; or end. */
static size_t find_end(const crux_native_search *s, size_t from, size_t end)
{
	for (size_t place = from; place < end; place++) {
		size_t const at = place % s->moves * CRUX_BATCH + place / s->moves;
		if (s->won[at] || s->wrong[at])
			return place;
	}
	return end;
}

/* Puts the keys, of so many words, of the first moves of a lane in order, with their notes, which are packed. Those that are lost
 * are left out, and, unless all ways are counted, those that lead back or where the first move leads. Returns their number,
 * `count` with what was there before. */
static inline __attribute__((always_inline)) size_t gather_lane(crux_native_search *s, size_t lane, uint64_t note, size_t moves,
                                                                size_t words, size_t count)
{
	size_t const stride = (words + 1) * CRUX_BATCH;
	uint64_t const *const origin = s->columns + lane, *const one = s->successors + lane, *from = one;
	uint8_t const *lost = s->lost + lane;
	bool const is_one_known = !s->counts && !*lost, is_origin_known = !s->counts;
	for (size_t move = 0; move < moves; move++, from += stride, lost += CRUX_BATCH) {
		uint64_t *const to = s->keys + count * words, back = 0, same = move == 0;
		for (size_t word = 0; word < words; word++) {
			to[word] = from[word * CRUX_BATCH];
			back |= to[word] ^ origin[word * CRUX_BATCH];
			same |= to[word] ^ one[word * CRUX_BATCH];
		}
		note += UINT64_C(1) << 32;
		s->notes[count] = note;
		count += !((*lost != 0) | (is_origin_known & (back == 0)) | (is_one_known & (same == 0)));
	}
	return count;
}

/* The same for all moves before that place (lane * moves + move). */
static inline __attribute__((always_inline)) size_t gather_words(crux_native_search *s, uint32_t first, size_t end, size_t words)
{
	size_t const lanes = end / s->moves;
	size_t count = 0;
	for (size_t lane = 0; lane < lanes; lane++)
		count = gather_lane(s, lane, first + lane + 1, s->moves, words, count);
	return gather_lane(s, lanes, first + lanes + 1, end % s->moves, words, count);
}

/* The same for the usual numbers of words each with code of its own. */
static size_t gather(crux_native_search *s, uint32_t first, size_t end)
{
	return s->words == 1 ? gather_words(s, first, end, 1) : s->words == 2 ? gather_words(s, first, end, 2) : gather_words(s, first, end, s->words);
}

/* How many of the moves before that place are lost; and how many are beyond the bound. */
static size_t count_lost(const crux_native_search *s, size_t end, size_t *beyond)
{
	size_t count = 0;
	*beyond = 0;
	for (size_t move = 0; move < s->moves; move++) {
		size_t const lanes = end / s->moves + (move < end % s->moves);
		for (size_t lane = 0; lane < lanes; lane++) {
			uint8_t const lost = s->lost[move * CRUX_BATCH + lane];
			*beyond += lost == IS_BEYOND;
			count += lost != 0 && lost != IS_BEYOND;
		}
	}
	return count;
}

static int64_t sum_of_ways(int64_t a, int64_t b)
{
	return a < 0 || b < 0 || a > INT64_MAX - b ? CRUX_WAYS_MANY : a + b;
}

/* Makes room for the ways of all states behind the frontier; those that are new have none. */
static bool grow_ways(crux_native_search *s, uint32_t known, uint32_t count)
{
	size_t const before = known - s->end, after = count - s->end;
	if (after > s->next_room) {
		size_t const room = after + after / 2 + CRUX_BATCH;
		int64_t *const ways = realloc(s->next_ways, room * sizeof *ways);
		if (!ways)
			return false;
		s->next_ways = ways;
		s->next_room = room;
	}
	for (size_t i = before; i < after; i++)
		s->next_ways[i] = 0;
	return true;
}

/* Notes the ways to all states behind the frontier that so many successors are; `known` states were there before. */
static bool note_ways(crux_native_search *s, const crux_state_set *set, size_t merged, uint32_t known)
{
	if (!grow_ways(s, known, crux_state_set_count(set)))
		return false;
	for (size_t i = 0; i < merged; i++) {
		if (s->indices[i] < s->end)
			continue;
		int64_t *const ways = &s->next_ways[s->indices[i] - s->end];
		*ways = sum_of_ways(*ways, s->ways[(uint32_t)s->notes[i] - 1 - s->first]);
	}
	return true;
}

/* Takes the successors before that place (lane * moves + move) into the set. */
static crux_native_end insert(crux_native_search *s, crux_state_set *set, uint32_t first, size_t end, bool any_lost, uint32_t state_limit)
{
	uint32_t const known = crux_state_set_count(set);
	size_t const count = gather(s, first, end);
	size_t const merged = crux_state_set_merge(set, s->keys, s->notes, count, state_limit, s->counts ? s->indices : NULL);
	uint32_t const now = crux_state_set_count(set);
	uint64_t const last = s->notes[merged];
	size_t const tried = merged < count ? ((uint32_t)last - 1 - first) * s->moves + (last >> 32) : end;
	size_t beyond = 0;
	size_t const lost = any_lost ? count_lost(s, tried, &beyond) : 0;
	s->statistics.beyond += (int64_t)beyond;
	s->statistics.expanded += (int64_t)((tried + s->moves - 1) / s->moves);
	s->statistics.generated += (int64_t)tried;
	s->statistics.lost += (int64_t)lost;
	s->statistics.duplicates += (int64_t)(tried - lost - beyond - (merged < count) - (now - known));
	if (s->counts && !note_ways(s, set, merged, known))
		return CRUX_NATIVE_MEMORY;
	if (merged == count)
		return CRUX_NATIVE_THROUGH;
	return now >= state_limit ? CRUX_NATIVE_STATES : CRUX_NATIVE_BYTES;
}

/* Deals with the wins and refusals of a batch, from the place of the first on. */
static crux_native_end handle_ends(crux_native_search *s, uint32_t first, size_t place, size_t all)
{
	for (; place < all; place = find_end(s, place + 1, all)) {
		uint32_t const state = first + (uint32_t)(place / s->moves);
		size_t const move = place % s->moves;
		bool const is_wrong = s->wrong[move * CRUX_BATCH + place / s->moves];
		if (!s->has_goal || is_wrong) {
			s->has_place = true;
			s->state = state;
			s->move = move;
		}
		if (is_wrong)
			return CRUX_NATIVE_VIOLATION;
		if (!s->has_goal) {
			s->statistics.generated++;
			s->statistics.expanded += move == 0; /* else a move before it was counted */
		}
		s->has_goal = true;
		if (!s->counts)
			return CRUX_NATIVE_WON;
		s->solutions = sum_of_ways(s->solutions, s->ways[state - s->first]);
	}
	return CRUX_NATIVE_THROUGH;
}

/* Seconds since some time; 0 unless the search is timed. */
static double now(const crux_native_search *s)
{
	struct timespec time = {0};
	if (s->timed)
		clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static crux_native_end expand_batch(crux_native_search *s, crux_state_set *set, size_t lanes, uint32_t state_limit)
{
	uint32_t const first = s->next;
	bool any_end, any_lost;
	double const began = now(s);
	run(s, set, first, lanes, &any_end, &any_lost);
	double const ran = now(s);
	s->times.step += ran - began;
	s->next += (uint32_t)lanes;
	size_t const all = lanes * s->moves, end = any_end ? find_end(s, 0, all) : all;
	if (!s->has_goal) {
		crux_native_end const status = insert(s, set, first, end, any_lost, state_limit);
		s->times.set += now(s) - ran;
		if (status != CRUX_NATIVE_THROUGH)
			return status;
	}
	return handle_ends(s, first, end, all);
}

crux_native_end crux_native_search_expand(crux_native_search *s, crux_state_set *set, uint32_t most, uint32_t state_limit)
{
	uint32_t left = most;
	for (;;) {
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
		crux_native_end const end = expand_batch(s, set, lanes, state_limit);
		if (end != CRUX_NATIVE_THROUGH)
			return end;
		left -= lanes;
	}
}

uint32_t crux_native_search_expanded(const crux_native_search *s)
{
	return s->next;
}

const uint32_t *crux_native_search_frontiers(crux_native_search *s, const crux_state_set *set, size_t *count)
{
	uint32_t const found = crux_state_set_count(set) - s->end;
	*count = s->depths + (found > 0);
	s->frontiers[s->depths] = found;
	return s->frontiers;
}

bool crux_native_search_place(const crux_native_search *s, uint32_t *state, size_t *move)
{
	*state = s->state;
	*move = s->move;
	return s->has_place;
}

int64_t crux_native_search_solutions(const crux_native_search *s)
{
	return s->solutions;
}

crux_native_times crux_native_search_times(const crux_native_search *s)
{
	return s->times;
}

crux_native_statistics crux_native_search_statistics(const crux_native_search *s)
{
	return s->statistics;
}

int64_t crux_native_search_beyond(const crux_native_search *s)
{
	return s->beyond;
}

bool crux_native_search_is_informed(const crux_native_search *s)
{
	return s->estimates != NULL;
}

void crux_native_search_try(crux_native_search *s, const crux_state_set *set, uint32_t state, int64_t *successors,
                            int64_t *estimates)
{
	int64_t const bound = s->bound;
	bool any_end, any_lost;
	s->bound = INT64_MAX;
	run(s, set, state, 1, &any_end, &any_lost);
	s->bound = bound;
	for (size_t move = 0; s->estimates && move < s->moves; move++)
		estimates[move] = (int64_t)s->estimates[move * CRUX_BATCH];
	for (size_t move = 0; move < s->moves; move++) {
		size_t const at = move * CRUX_BATCH;
		for (size_t word = 0; word < s->words; word++)
			s->keys[word] = s->successors[move * (s->words + 1) * CRUX_BATCH + word * CRUX_BATCH];
		uint32_t const found = crux_state_set_find(set, s->keys);
		if (s->wrong[at])
			successors[move] = CRUX_NATIVE_IS_WRONG;
		else if (s->won[at])
			successors[move] = CRUX_NATIVE_IS_WON;
		else if (s->lost[at])
			successors[move] = CRUX_NATIVE_IS_LOST;
		else if (found == CRUX_STATE_NONE)
			successors[move] = CRUX_NATIVE_IS_NEW;
		else
			successors[move] = found;
	}
}

const crux_program *crux_native_search_program(const crux_native_search *s)
{
	return s->program;
}
