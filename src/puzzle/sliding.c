/* States of levels in which pieces slide: see sliding.h. */
#include "puzzle/sliding.h"

#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "base/clock.h"

enum { BATCH = 256 }; /* minimum room of a batch: moves merged into the set together */

void crux_sliding_free(crux_sliding *s)
{
	free(s->memory);
	free(s->links);
	free(s->ends);
	crux_state_set_free(s->all);
	free(s->counts);
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

#define NO_SQUARE (UINT64_C(1) << 63) /* that a piece in a line covers */

/* Sets the line of a piece, if its positions are in one. */
static void set_line(crux_sliding_piece *piece)
{
	int const positions = piece->columns * piece->rows;
	piece->is_line = positions <= CRUX_SLIDING_LINE && (piece->columns == 1 || piece->rows == 1);
	for (int i = 0; i < 3 * CRUX_SLIDING_LINE; i++)
		piece->line[i] = UINT64_MAX;
	for (int i = 0; i < positions && piece->is_line; i++) {
		piece->line[CRUX_SLIDING_LINE + i] = piece->covers[i];
		piece->is_line = !(piece->covers[i] & NO_SQUARE);
	}
}

bool crux_sliding_begin(crux_sliding *s, bool is_single)
{
	int most = 1;
	for (size_t i = 0; i < s->count; i++) {
		crux_sliding_piece *const piece = &s->pieces[i];
		int const last = piece->columns * piece->rows - 1;
		piece->across = is_single ? least(1, piece->columns - 1) : piece->columns - 1;
		piece->down = is_single ? least(1, piece->rows - 1) : piece->rows - 1;
		piece->first_move = s->moves;
		s->moves += 2 * (size_t)(piece->across + piece->down);
		most = last > most ? last : most;
		set_line(piece);
	}
	s->bits = 32 - (unsigned)__builtin_clz((unsigned)most);
	size_t const in_word = 64 / s->bits;
	for (size_t i = 0; i < s->count; i++) {
		s->pieces[i].word = i / in_word;
		s->pieces[i].shift = (unsigned)(i % in_word) * s->bits;
	}
	s->words = (s->count + in_word - 1) / in_word;
	size_t const room = BATCH + s->moves + 1; /* slide_line writes one more */
	crux_array const arrays[] = {CRUX_ARRAY(s->keys, room * s->words), CRUX_ARRAY(s->notes, room), CRUX_ARRAY(s->indices, room)};
	s->memory = crux_block_new(arrays, sizeof arrays / sizeof *arrays);
	return s->memory;
}

void crux_sliding_start(const crux_sliding *s, uint64_t *key)
{
	memset(key, 0, s->words * sizeof *key);
	for (size_t i = 0; i < s->count; i++)
		key[s->pieces[i].word] |= (uint64_t)s->at[i] << s->pieces[i].shift;
}

/* A state whose slides are added to the batch, which has `count`. */
typedef struct origin {
	const uint64_t *key;
	size_t words;
	uint64_t note;   /* the part of notes that tells the state */
	uint64_t others; /* squares that other pieces cover, and walls */
	uint64_t *keys, *notes;
	size_t count;
} origin;

/* Adds the slides of a piece from a position by `step` positions, at most `most` times; the first has the number `move`. */
static inline void slide(origin *o, const crux_sliding_piece *piece, int at, int step, int most, size_t move)
{
	uint64_t const by = (uint64_t)step << piece->shift;
	uint64_t word = o->key[piece->word];
	for (int i = 1, to = at + step; i <= most && !(piece->covers[to] & o->others); i++, to += step, move++) {
		uint64_t *const key = o->keys + o->count * o->words;
		for (size_t k = 0; k < o->words; k++)
			key[k] = o->key[k];
		key[piece->word] = word += by;
		o->notes[o->count++] = o->note | (uint64_t)(move + 1) << 32;
	}
}

/* Adds all slides of a piece. */
static inline void slide_piece(origin *o, const crux_sliding_piece *piece, int at)
{
	int const across = piece->across, down = piece->down, width = piece->columns;
	int const row = down ? width == 1 ? at : at / width : 0, column = at - row * width;
	size_t const up = piece->first_move, left = up + (size_t)down, below = left + (size_t)across, right = below + (size_t)down;
	if (down)
		slide(o, piece, at, -width, least(row, down), up);
	if (across)
		slide(o, piece, at, -1, least(column, across), left);
	if (down)
		slide(o, piece, at, width, least(piece->rows - 1 - row, down), below);
	if (across)
		slide(o, piece, at, 1, least(width - 1 - column, across), right);
}

/* Adds all slides of a piece in a line, to keys of one word. That they end where something is in the way changes how many are kept, not
 * what is done: a processor cannot foresee where. */
static inline void slide_line(origin *o, const crux_sliding_piece *piece, int at)
{
	uint64_t const others = o->others | NO_SQUARE, one = UINT64_C(1) << piece->shift, start = o->key[0];
	uint64_t note = o->note | (uint64_t)(piece->first_move + 1) << 32;
	int const most = piece->across + piece->down; /* one of them is 0 */
	size_t count = o->count;
	for (int step = -1; step <= 1; step += 2) {
		uint64_t const *squares = piece->line + CRUX_SLIDING_LINE + at;
		uint64_t const by = step < 0 ? -one : one;
		uint64_t key = start;
		bool is_free = true;
		for (int i = 0; i < most; i++, note += UINT64_C(1) << 32) {
			squares += step;
			key += by;
			is_free &= !(*squares & others);
			o->keys[count] = key;
			o->notes[count] = note;
			count += is_free;
		}
	}
	o->count = count;
}

/* True if the target is at a goal in a state. */
static inline bool is_at_goal(const crux_sliding *s, const uint64_t *key)
{
	crux_sliding_piece const *const target = &s->pieces[s->target];
	uint64_t const mask = (UINT64_C(1) << s->bits) - 1;
	return s->goal >> (key[target->word] >> target->shift & mask) & 1;
}

/* Looks for a win among the slides of the target from one of the batch on: returns its place in the batch, SIZE_MAX without one. */
static size_t find_win(const crux_sliding *s, const origin *o, size_t first)
{
	for (size_t i = first; i < o->count; i++)
		if (is_at_goal(s, o->keys + i * o->words))
			return i;
	return SIZE_MAX;
}

/* Adds all slides of a state to the batch, up to one that wins: then returns true. */
static inline __attribute__((always_inline)) bool slide_all(crux_sliding *s, const uint64_t *key, size_t words, uint32_t state,
                                                            bool seeks_win)
{
	uint64_t const mask = (UINT64_C(1) << s->bits) - 1;
	size_t const count = s->count;
	int at[CRUX_SLIDING_PIECES];
	uint64_t taken = s->wall;
	origin o = {.key = key, .words = words, .note = state + UINT64_C(1), .keys = s->keys, .notes = s->notes, .count = s->batch};
	for (size_t i = 0; i < count; i++) {
		at[i] = (int)(key[s->pieces[i].word] >> s->pieces[i].shift & mask);
		taken |= s->pieces[i].covers[at[i]];
	}
	for (size_t i = 0; i < count; i++) {
		crux_sliding_piece const *const piece = &s->pieces[i];
		size_t const first = o.count;
		o.others = taken & ~piece->covers[at[i]];
		if (words == 1 && piece->is_line)
			slide_line(&o, piece, at[i]);
		else
			slide_piece(&o, piece, at[i]);
		size_t const win = seeks_win && i == s->target ? find_win(s, &o, first) : SIZE_MAX;
		if (win == SIZE_MAX)
			continue;
		s->batch = win;
		s->statistics.is_won = true;
		s->statistics.state = state;
		s->statistics.move = (size_t)(s->notes[win] >> 32) - 1;
		return true;
	}
	s->batch = o.count;
	return false;
}

/* Merges the batch into the set, and keeps its links. Returns the number of slides merged; fewer than the batch has when the set is
 * full. */
static size_t merge(crux_sliding *s, crux_state_set *set, uint32_t state_limit)
{
	double const began = crux_clock_now();
	size_t const count = crux_state_set_merge(set, s->keys, s->notes, s->batch, state_limit, s->indices);
	s->statistics.set_seconds += crux_clock_now() - began;
	if (s->next <= CRUX_SLIDING_STATES) {
		memcpy(s->links + s->link_count, s->indices, count * sizeof *s->links);
		s->link_count += count;
	}
	return count;
}

/* Makes room for the links of a batch, and of the next state. */
static bool make_room(crux_sliding *s)
{
	return s->next >= CRUX_SLIDING_STATES || (crux_array_grow(CRUX_ARRAY(s->links, s->link_count + BATCH + s->moves), &s->link_room) &&
	                                         crux_array_grow(CRUX_ARRAY(s->ends, s->next + 1), &s->end_room));
}

/* Counts the moves up to one of a state, which was the last that was tried, and led to no known state. */
static void count_moves(crux_sliding *s, const crux_state_set *set, uint32_t state, size_t move)
{
	s->statistics.expanded = (int64_t)state + 1;
	s->statistics.generated = (int64_t)(state * s->moves + move) + 1;
	s->statistics.duplicates = s->statistics.generated - crux_state_set_count(set);
}

/* Merges the batch, all of it unless the set is full. */
static crux_sliding_end flush(crux_sliding *s, crux_state_set *set, uint32_t state_limit)
{
	size_t const merged = merge(s, set, state_limit);
	if (merged == s->batch) {
		s->batch = 0;
		return CRUX_SLIDING_PAUSED;
	}
	count_moves(s, set, (uint32_t)s->notes[merged] - 1, (size_t)(s->notes[merged] >> 32) - 1);
	s->statistics.is_won = false; /* by a move behind that one */
	return crux_state_set_count(set) >= state_limit ? CRUX_SLIDING_FULL : CRUX_SLIDING_BYTES;
}

/* Expands states as crux_sliding_expand does. */
static crux_sliding_end explore(crux_sliding *s, crux_state_set *set, uint32_t count, uint32_t state_limit, bool seeks_win)
{
	bool is_won = false;
	for (uint32_t i = 0;; i++) {
		bool const is_last = is_won || i == count;
		if (is_last || s->next == crux_state_set_count(set) || s->batch >= BATCH) {
			crux_sliding_end const end = flush(s, set, state_limit);
			if (end != CRUX_SLIDING_PAUSED)
				return end;
		}
		if (is_won)
			return CRUX_SLIDING_WON;
		if (s->next == crux_state_set_count(set))
			return CRUX_SLIDING_THROUGH;
		if (is_last)
			return CRUX_SLIDING_PAUSED;
		if (!make_room(s))
			return CRUX_SLIDING_BYTES;
		uint64_t const *const key = crux_state_set_key(set, s->next);
		is_won = s->words == 1 ? slide_all(s, key, 1, s->next, seeks_win) : slide_all(s, key, s->words, s->next, seeks_win);
		if (s->next < CRUX_SLIDING_STATES)
			s->ends[s->next] = s->link_count + s->batch;
		s->next++;
	}
}

/* Expands the states from one on again. */
static void go_back(crux_sliding *s, uint32_t state)
{
	s->next = state;
	s->link_count = state ? s->ends[state - 1] : 0;
	s->batch = 0;
}

static crux_state_set *new_set(const crux_sliding *s)
{
	return crux_state_set_new(s->words == 1 ? s->bits * s->count : 64 * s->words, 2, SIZE_MAX);
}

/* Keeps the states of a search that has ended, for distances, unless there are too many or memory is short. */
static void keep(crux_sliding *s, const crux_state_set *set)
{
	uint32_t const count = crux_state_set_count(set);
	if (count > CRUX_SLIDING_STATES || !(s->all = new_set(s)))
		return;
	size_t kept = 0;
	for (uint32_t first = 0; first < count; first += BATCH) {
		uint32_t const some = count - first < BATCH ? count - first : BATCH;
		for (uint32_t i = 0; i < some; i++)
			memcpy(s->keys + i * s->words, crux_state_set_key(set, first + i), s->words * sizeof *s->keys);
		kept += crux_state_set_merge(s->all, s->keys, s->notes, some, CRUX_SLIDING_STATES, NULL);
	}
	if (kept == count)
		return;
	crux_state_set_free(s->all);
	s->all = NULL;
}

crux_sliding_end crux_sliding_expand(crux_sliding *s, crux_state_set *set, uint32_t count, uint32_t state_limit)
{
	crux_sliding_end const end = explore(s, set, count, state_limit, true);
	if (end == CRUX_SLIDING_WON) {
		count_moves(s, set, s->statistics.state, s->statistics.move);
		if (s->statistics.state < CRUX_SLIDING_STATES)
			go_back(s, s->statistics.state);
	} else if (end == CRUX_SLIDING_PAUSED || end == CRUX_SLIDING_THROUGH) {
		s->statistics.expanded = s->next;
		s->statistics.generated = (int64_t)(s->next * s->moves);
		s->statistics.duplicates = s->statistics.generated - crux_state_set_count(set) + 1;
	}
	if (end == CRUX_SLIDING_WON || end == CRUX_SLIDING_THROUGH)
		keep(s, set);
	return end;
}

/* Finds all states, from those on that a search has found; false when there are too many, or memory is short. */
static bool find_all(crux_sliding *s)
{
	uint64_t start[CRUX_SLIDING_PIECES];
	if (!s->all) {
		crux_sliding_start(s, start);
		go_back(s, 0);
		s->all = new_set(s);
		if (!s->all || crux_state_set_add(s->all, start) == CRUX_STATE_NONE)
			return false;
	}
	return explore(s, s->all, UINT32_MAX, CRUX_SLIDING_STATES, false) == CRUX_SLIDING_THROUGH;
}

/* The states in which the target is at a goal: sets their distances to 1, puts them into the queue, and returns their number. */
static uint32_t find_goals(const crux_sliding *s, uint32_t *distances, uint32_t *queue)
{
	uint32_t length = 0;
	for (uint32_t i = 0; i < crux_state_set_count(s->all); i++) {
		if (is_at_goal(s, crux_state_set_key(s->all, i))) {
			distances[i] = 1;
			queue[length++] = i;
		}
	}
	return length;
}

/* Counts the states by distance, from those in the queue on; distances are one more than moves, 0 while they are unknown. Returns the
 * number of counts; 0 when there are none, or memory is short. */
static size_t count_states(crux_sliding *s, uint32_t *distances, uint32_t *queue, uint32_t length)
{
	uint32_t last = 0;
	for (uint32_t i = 0; i < length; i++) {
		uint32_t const state = queue[i];
		size_t const end = s->ends[state];
		if (distances[state] > last) {
			if (!crux_array_grow(CRUX_ARRAY(s->counts, last + 1), &s->count_room))
				return 0;
			s->counts[last++] = 0;
		}
		s->counts[last - 1]++;
		for (size_t k = state ? s->ends[state - 1] : 0; k < end; k++) {
			if (!distances[s->links[k]]) {
				distances[s->links[k]] = last + 1;
				queue[length++] = s->links[k];
			}
		}
	}
	return last;
}

size_t crux_sliding_distances(crux_sliding *s)
{
	if (!find_all(s))
		return 0;
	uint32_t *queue, *distances;
	size_t const states = crux_state_set_count(s->all);
	crux_array const arrays[] = {CRUX_ARRAY(queue, states), CRUX_ARRAY(distances, states)};
	void *const memory = crux_block_new(arrays, sizeof arrays / sizeof *arrays);
	size_t const count = memory ? count_states(s, distances, queue, find_goals(s, distances, queue)) : 0;
	free(memory);
	return count;
}
