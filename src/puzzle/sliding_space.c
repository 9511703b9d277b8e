/* All states of a level in which pieces slide: see sliding_space.h. */
#include "puzzle/sliding_space.h"

#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "states/key_hash.h"

enum { FIRST = 8192 }; /* states for which there is room at first: more than are in the stretches of one */

void crux_sliding_space_free(crux_sliding_space *a)
{
	void *const arrays[] = {a->states, a->stretches, a->distances, a->queue, a->table, a->members, a->ends, a->is_done, a->counts};
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
		free(arrays[i]);
}

/* Adds the track of a piece along an axis, if it has several positions there: `count` positions, each `by` behind the one before. */
static void add_track(crux_sliding_space *a, const crux_sliding_piece *piece, int count, int by)
{
	if (count == 1)
		return;
	crux_sliding_track *const track = &a->tracks[a->track_count++];
	track->piece = piece;
	track->by = by;
	a->most += (size_t)count;
	for (int at = 0; at < piece->columns * piece->rows; at++) {
		int const place = at / by % count;
		uint64_t const covers = piece->covers[at];
		track->enters[at][0] = place + 1 < count ? piece->covers[at + by] & ~covers : UINT64_MAX;
		track->enters[at][1] = place > 0 ? piece->covers[at - by] & ~covers : UINT64_MAX;
	}
}

/* The place of a key of `words` words in the table, or the first empty place for it. */
static inline __attribute__((always_inline)) size_t find(const crux_sliding_space *a, const uint64_t *key, size_t words)
{
	size_t const mask = 4 * a->capacity - 1;
	for (size_t place = crux_key_hash(key, words, 0) >> 40 & mask;; place = (place + 1) & mask) {
		uint32_t const entry = a->table[place];
		if (!entry || memcmp(a->states + (entry - (size_t)1) * (words + 1), key, words * sizeof *key) == 0)
			return place;
	}
}

/* Makes room for `capacity` states, a power of 2. */
static bool make_room(crux_sliding_space *a, size_t capacity)
{
	size_t const words = a->level->words, known = a->count * a->track_count;
	if (!crux_array_grow(CRUX_ARRAY(a->states, capacity * (words + 1)), &a->states_room) ||
	    !crux_array_grow(CRUX_ARRAY(a->stretches, capacity * a->track_count + 1), &a->stretches_room) ||
	    !crux_array_grow(CRUX_ARRAY(a->distances, capacity), &a->distances_room) ||
	    !crux_array_grow(CRUX_ARRAY(a->queue, capacity + 1), &a->queue_room) ||
	    !crux_array_grow(CRUX_ARRAY(a->table, 4 * capacity), &a->table_room))
		return false;
	memset(a->stretches + known, 0, (capacity * a->track_count - known) * sizeof *a->stretches);
	memset(a->table, 0, 4 * capacity * sizeof *a->table);
	a->capacity = capacity;
	for (uint32_t i = 0; i < a->count; i++)
		a->table[find(a, a->states + i * (words + 1), words)] = i + 1;
	return true;
}

/* The number of the state of a key, which is added if it is new, with room for it. */
static inline __attribute__((always_inline)) uint32_t enter(crux_sliding_space *a, const uint64_t *key, size_t words, uint64_t taken)
{
	size_t const place = find(a, key, words);
	if (!a->table[place]) {
		uint64_t *const state = a->states + a->count * (words + 1);
		memcpy(state, key, words * sizeof *key);
		state[words] = taken;
		a->table[place] = ++a->count;
	}
	return a->table[place] - 1;
}

/* Empties the space for a level, whose start becomes its only state. False when memory is short. */
static bool begin(crux_sliding_space *a, const crux_sliding *level)
{
	uint64_t start[CRUX_SLIDING_PIECES];
	a->level = level;
	a->track_count = a->most = a->member_count = a->stretch_count = a->distance_count = a->count = 0;
	for (size_t i = 0; i < level->count; i++) {
		add_track(a, &level->pieces[i], level->pieces[i].columns, 1);
		add_track(a, &level->pieces[i], level->pieces[i].rows, level->pieces[i].columns);
	}
	if (!make_room(a, FIRST))
		return false;
	crux_sliding_start(level, start);
	enter(a, start, level->words, crux_sliding_taken(level, start));
	return true;
}

/* True if a step that enters some squares is on the board, and nothing else is there. */
static inline bool is_free(uint64_t entered, uint64_t others)
{
	return entered != UINT64_MAX && !(entered & others);
}

/* Adds the stretch along a track through a state, and its states. */
static inline __attribute__((always_inline)) void add_stretch(crux_sliding_space *a, size_t number, uint32_t state, size_t words)
{
	crux_sliding_track const *const track = &a->tracks[number];
	crux_sliding_piece const *const piece = track->piece;
	uint64_t key[CRUX_SLIDING_PIECES];
	memcpy(key, a->states + state * (words + 1), words * sizeof *key);
	int const start = crux_sliding_position(a->level, piece, key);
	uint64_t const others = a->states[state * (words + 1) + words] & ~piece->covers[start];
	int low = start, high = start;
	while (is_free(track->enters[low][1], others))
		low -= track->by;
	while (is_free(track->enters[high][0], others))
		high += track->by;
	key[piece->word] -= (uint64_t)(start - low) << piece->shift;
	size_t count = a->member_count;
	uint32_t const stretch = (uint32_t)++a->stretch_count;
	for (int at = low; at <= high; at += track->by, key[piece->word] += (uint64_t)track->by << piece->shift) {
		uint32_t const member = enter(a, key, words, others | piece->covers[at]);
		a->members[count++] = member;
		a->stretches[member * a->track_count + number] = stretch;
	}
	a->member_count = count;
	a->ends[stretch] = (uint32_t)count;
}

/* Adds the stretches of a state that are not known. False when there are too many states, or memory is short. */
static inline __attribute__((always_inline)) bool expand(crux_sliding_space *a, uint32_t state, size_t words)
{
	size_t const stretches = a->stretch_count + a->track_count + 1;
	if (a->count + a->most > a->capacity && (a->count > CRUX_SLIDING_STATES || !make_room(a, 2 * a->capacity)))
		return false;
	if (!crux_array_grow(CRUX_ARRAY(a->members, a->member_count + a->most), &a->members_room) ||
	    !crux_array_grow(CRUX_ARRAY(a->ends, stretches), &a->ends_room))
		return false;
	uint64_t const *const key = a->states + state * (words + 1);
	uint64_t const taken = key[words];
	uint32_t const *const known = a->stretches + state * a->track_count;
	size_t count = 0;
	for (uint32_t i = 0; i < a->track_count; i++) {
		uint64_t const *const enters = a->tracks[i].enters[crux_sliding_position(a->level, a->tracks[i].piece, key)];
		size_t const can_move = (size_t)!(enters[0] & taken) | (size_t)!(enters[1] & taken);
		a->open[count] = i;
		count += can_move & (size_t)!known[i];
	}
	for (size_t i = 0; i < count; i++)
		add_stretch(a, a->open[i], state, words);
	return true;
}

/* Finds all states. */
static bool find_all(crux_sliding_space *a)
{
	bool is_done = true;
	size_t const words = a->level->words;
	for (uint32_t i = 0; is_done && i < a->count; i++)
		is_done = words == 1 ? expand(a, i, 1) : expand(a, i, words);
	return is_done && a->count <= CRUX_SLIDING_STATES;
}

/* Sets the distances of the states in which the target is at a goal to 1, of the others to 0. Puts these into the queue, and returns their
 * number. */
static size_t find_goals(crux_sliding_space *a)
{
	size_t length = 0;
	for (uint32_t i = 0; i < a->count; i++) {
		a->distances[i] = crux_sliding_is_won(a->level, a->states + i * (a->level->words + 1));
		a->queue[length] = i;
		length += a->distances[i];
	}
	return length;
}

/* Puts the states of a stretch that were not reached into the queue, from `length` on: they are one slide from one that was. Returns
 * its new length. */
static inline size_t cross(crux_sliding_space *a, uint32_t stretch, uint32_t state, size_t length)
{
	uint32_t first = a->ends[stretch - 1], end = a->ends[stretch];
	uint32_t const distance = a->distances[state] + 1;
	if (a->level->is_single) {
		uint32_t at = first;
		while (a->members[at] != state)
			at++;
		first = at > first ? at - 1 : first;
		end = at + 2 < end ? at + 2 : end;
	}
	for (uint32_t i = first; i < end; i++) {
		uint32_t const other = a->members[i];
		bool const is_new = !a->distances[other];
		a->queue[length] = other;
		a->distances[other] = is_new ? distance : a->distances[other];
		length += is_new;
	}
	a->is_done[stretch] = !a->level->is_single;
	return length;
}

/* Finds and counts the distances of all states. False when memory is short. */
static bool measure(crux_sliding_space *a)
{
	size_t length = find_goals(a);
	for (size_t i = 0; i < length; i++) {
		uint32_t const state = a->queue[i];
		if (a->distances[state] > a->distance_count) {
			if (!crux_array_grow(CRUX_ARRAY(a->counts, a->distance_count + 1), &a->counts_room))
				return false;
			a->counts[a->distance_count++] = 0;
		}
		a->counts[a->distance_count - 1]++;
		size_t count = 0;
		for (size_t k = 0; k < a->track_count; k++) {
			a->open[count] = a->stretches[state * a->track_count + k];
			count += !a->is_done[a->open[count]];
		}
		for (size_t k = 0; k < count; k++)
			length = cross(a, a->open[k], state, length);
	}
	return true;
}

bool crux_sliding_space_explore(crux_sliding_space *a, const crux_sliding *level)
{
	if (!begin(a, level) || !crux_array_grow(CRUX_ARRAY(a->ends, 1), &a->ends_room))
		return false;
	a->ends[0] = 0;
	if (!find_all(a) || !crux_array_grow(CRUX_ARRAY(a->is_done, a->stretch_count + 1), &a->is_done_room))
		return false;
	memset(a->is_done, 0, a->stretch_count + 1);
	a->is_done[0] = true;
	return measure(a);
}

/* A state on a solution. */
typedef struct stage {
	uint64_t key[CRUX_SLIDING_PIECES];
	uint64_t taken;
	uint32_t distance; /* one more than moves to the exit */
} stage;

/* Slides a piece by `by` positions, again and again, `most` times at most, to a state that is nearer to the exit. Returns how many times;
 * 0, and the stage unchanged, if there is none. */
static int approach(const crux_sliding_space *a, stage *now, const crux_sliding_piece *piece, int by, int most)
{
	int at = crux_sliding_position(a->level, piece, now->key);
	uint64_t const others = now->taken & ~piece->covers[at];
	uint64_t const before = now->key[piece->word];
	for (int count = 1; count <= most && !(piece->covers[at += by] & others); count++) {
		now->key[piece->word] += (uint64_t)by << piece->shift;
		if (a->distances[a->table[find(a, now->key, a->level->words)] - 1] < now->distance) {
			now->taken = others | piece->covers[at];
			now->distance--;
			return count;
		}
	}
	now->key[piece->word] = before;
	return 0;
}

/* Makes the first move to a state that is nearer to the exit. Returns its number. */
static uint32_t advance(const crux_sliding_space *a, stage *now)
{
	crux_sliding const *const level = a->level;
	for (crux_sliding_piece const *piece = level->pieces; piece < level->pieces + level->count; piece++) {
		int const at = crux_sliding_position(level, piece, now->key), column = at % piece->columns, row = at / piece->columns;
		struct { int by, left, most; } const directions[] = {
			{-piece->columns, row, piece->down}, {-1, column, piece->across},
			{piece->columns, piece->rows - 1 - row, piece->down}, {1, piece->columns - 1 - column, piece->across}};
		size_t first = piece->first_move;
		for (size_t i = 0; i < 4; first += (size_t)directions[i++].most) {
			int const most = directions[i].left < directions[i].most ? directions[i].left : directions[i].most;
			int const count = approach(a, now, piece, directions[i].by, most);
			if (count)
				return (uint32_t)first + (uint32_t)count - 1;
		}
	}
	return 0;
}

void crux_sliding_space_solve(const crux_sliding_space *a, uint32_t *moves)
{
	stage now = {.distance = a->distances[0]};
	crux_sliding_start(a->level, now.key);
	now.taken = crux_sliding_taken(a->level, now.key);
	while (now.distance > 1)
		*moves++ = advance(a, &now);
}
