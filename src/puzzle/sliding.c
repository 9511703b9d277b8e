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
	s->is_single = is_single;
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
	crux_array const arrays[] = {CRUX_ARRAY(s->keys, room), CRUX_ARRAY(s->notes, room)};
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
	uint64_t key;
	uint64_t note;   /* the part of notes that tells the state */
	uint64_t others; /* squares that other pieces cover, and walls */
	uint64_t *keys, *notes;
	size_t count;
} origin;

/* Adds the slides of a piece from a position by `step` positions, at most `most` times; the first has the number `move`. */
static inline void slide(origin *o, const crux_sliding_piece *piece, int at, int step, int most, size_t move)
{
	uint64_t const by = (uint64_t)step << piece->shift;
	uint64_t key = o->key;
	for (int i = 1, to = at + step; i <= most && !(piece->covers[to] & o->others); i++, to += step, move++) {
		o->keys[o->count] = key += by;
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

/* Adds all slides of a piece in a line. That they end where something is in the way changes how many are kept, not
 * what is done: a processor cannot foresee where. */
static inline void slide_line(origin *o, const crux_sliding_piece *piece, int at)
{
	uint64_t const others = o->others | NO_SQUARE, one = UINT64_C(1) << piece->shift;
	uint64_t note = o->note | (uint64_t)(piece->first_move + 1) << 32;
	int const most = piece->across + piece->down; /* one of them is 0 */
	size_t count = o->count;
	for (int step = -1; step <= 1; step += 2) {
		uint64_t const *squares = piece->line + CRUX_SLIDING_LINE + at;
		uint64_t const by = step < 0 ? -one : one;
		uint64_t key = o->key;
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

/* Looks for a win among the slides of the target from one of the batch on: returns its place in the batch, SIZE_MAX without one. */
static size_t find_win(const crux_sliding *s, const origin *o, size_t first)
{
	for (size_t i = first; i < o->count; i++)
		if (crux_sliding_is_won(s, o->keys + i))
			return i;
	return SIZE_MAX;
}

/* Adds all slides of a state to the batch, up to one that wins: then returns true. */
static bool slide_all(crux_sliding *s, uint64_t key, uint32_t state)
{
	origin o = {.key = key, .note = state + UINT64_C(1), .keys = s->keys, .notes = s->notes, .count = s->batch};
	uint64_t const taken = crux_sliding_taken(s, &key);
	for (size_t i = 0; i < s->count; i++) {
		crux_sliding_piece const *const piece = &s->pieces[i];
		int const at = crux_sliding_position(s, piece, &key);
		size_t const first = o.count;
		o.others = taken & ~piece->covers[at];
		if (piece->is_line)
			slide_line(&o, piece, at);
		else
			slide_piece(&o, piece, at);
		size_t const win = i == s->target ? find_win(s, &o, first) : SIZE_MAX;
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

/* Counts the moves up to one of a state, which was the last that was tried, and led to no known state. */
static void count_moves(crux_sliding *s, const crux_state_set *set, uint32_t state, size_t move)
{
	s->statistics.expanded = (int64_t)state + 1;
	s->statistics.generated = (int64_t)(state * s->moves + move) + 1;
	s->statistics.duplicates = s->statistics.generated - crux_state_set_count(set);
}

/* Merges the batch into the set, all of it unless the set is full. */
static crux_sliding_end flush(crux_sliding *s, crux_state_set *set, uint32_t state_limit)
{
	double const began = crux_clock_now();
	size_t const merged = crux_state_set_merge(set, s->keys, s->notes, s->batch, state_limit, NULL);
	s->statistics.set_seconds += crux_clock_now() - began;
	if (merged == s->batch) {
		s->batch = 0;
		return CRUX_SLIDING_PAUSED;
	}
	count_moves(s, set, (uint32_t)s->notes[merged] - 1, (size_t)(s->notes[merged] >> 32) - 1);
	s->statistics.is_won = false; /* by a move behind that one */
	return crux_state_set_count(set) >= state_limit ? CRUX_SLIDING_FULL : CRUX_SLIDING_BYTES;
}

/* Expands states as crux_sliding_expand does. */
static crux_sliding_end explore(crux_sliding *s, crux_state_set *set, uint32_t count, uint32_t state_limit)
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
		is_won = slide_all(s, *crux_state_set_key(set, s->next), s->next);
		s->next++;
	}
}

crux_sliding_end crux_sliding_expand(crux_sliding *s, crux_state_set *set, uint32_t count, uint32_t state_limit)
{
	crux_sliding_end const end = explore(s, set, count, state_limit);
	if (end == CRUX_SLIDING_WON) {
		count_moves(s, set, s->statistics.state, s->statistics.move);
	} else if (end == CRUX_SLIDING_PAUSED || end == CRUX_SLIDING_THROUGH) {
		s->statistics.expanded = s->next;
		s->statistics.generated = (int64_t)(s->next * s->moves);
		s->statistics.duplicates = s->statistics.generated - crux_state_set_count(set) + 1;
	}
	return end;
}
