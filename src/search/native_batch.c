/* A batch of states whose moves are all tried at once: unpack, run, pack, gather in order; see native_batch.h. */
#include "search/native_batch.h"

#include <stdlib.h>
#include <string.h>

enum { IS_BEYOND = 1 }; /* in `lost`, instead of a truth value: left out for the bound, not lost */

static size_t const max_words = (size_t)1 << 14; /* of the successors of a state: a batch of them takes 64 MiB */

static bool allocate(crux_native_batch *b, bool informed)
{
	size_t const most = b->moves * CRUX_BATCH;
	if (b->moves * (b->words + 1) > max_words)
		return false;
	b->columns = calloc((b->words + 1) * (CRUX_BATCH + 1), sizeof *b->columns);
	b->successors = calloc(b->moves * (b->words + 1) * CRUX_BATCH, sizeof *b->successors);
	b->won = calloc(3 * most, sizeof *b->won);
	b->keys = calloc((most + 1) * b->words, sizeof *b->keys);
	b->notes = calloc(most + 1, sizeof *b->notes);
	b->places = malloc((b->values + 1) * sizeof *b->places);
	b->estimates = informed ? calloc(most, sizeof *b->estimates) : NULL;
	if ((informed && !b->estimates) || !b->columns || !b->successors || !b->won || !b->keys || !b->notes || !b->places)
		return false;
	b->lost = b->won + most;
	b->wrong = b->lost + most;
	return true;
}

bool crux_native_batch_init(crux_native_batch *b, crux_program *program, const crux_state_layout *layout, size_t moves,
                            bool informed)
{
	*b = (crux_native_batch){
		.program = program,
		.moves = moves,
		.values = crux_state_layout_values(layout),
		.words = crux_state_layout_words(layout),
	};
	if (!allocate(b, informed))
		return false;
	memcpy(b->places, crux_state_layout_places(layout), b->values * sizeof *b->places);
	return true;
}

void crux_native_batch_release(crux_native_batch *b)
{
	crux_program_free(b->program);
	crux_program_free(b->special);
	free(b->places);
	free(b->columns);
	free(b->successors);
	free(b->won);
	free(b->estimates);
	free(b->keys);
	free(b->notes);
}

/* The program for the keys of so many lanes. */
static crux_program *choose(const crux_native_batch *b, size_t lanes)
{
	if (!b->special)
		return b->program;
	uint64_t const *const column = b->columns + b->places[b->flag].word * CRUX_BATCH;
	uint64_t const wanted = b->flag_value ? UINT64_MAX : 0;
	uint64_t differing = 0;
	for (size_t i = 0; i < lanes; i++)
		differing |= column[i] ^ wanted;
	return differing >> b->places[b->flag].shift & 1 ? b->program : b->special;
}

/* Takes the estimates of a move; the states that are beyond the bound become so many that are lost. Whether there are
 * any. */
static bool leave_out(crux_native_batch *b, const crux_program *program, size_t move, size_t output, size_t lanes)
{
	uint64_t *const estimates = b->estimates + move * CRUX_BATCH;
	uint8_t *const lost = b->lost + move * CRUX_BATCH;
	uint8_t const *const won = b->won + move * CRUX_BATCH, *const wrong = b->wrong + move * CRUX_BATCH;
	bool any = false;
	memset(estimates, 0, CRUX_BATCH * sizeof *estimates);
	crux_program_store(program, output, (crux_state_place){.bits = 31}, estimates, lanes);
	for (size_t i = 0; i < lanes; i++) {
		int64_t const sum = b->depth + (estimates[i] > 1 ? (int64_t)estimates[i] : 1); /* it is not won */
		if (sum <= b->bound || lost[i] || won[i] || wrong[i])
			continue;
		lost[i] = IS_BEYOND;
		any = true;
		if (sum < b->beyond)
			b->beyond = sum;
	}
	return any;
}

/* Takes what a move makes of each lane. */
static void take_move(crux_native_batch *b, const crux_program *program, size_t move, size_t lanes)
{
	size_t const has_estimate = b->estimates ? 1 : 0;
	size_t const outputs = move * (b->values + has_estimate + CRUX_NATIVE_OUTPUTS);
	size_t const estimate = outputs + b->values, ends = estimate + has_estimate;
	uint64_t *const columns = b->successors + move * (b->words + 1) * CRUX_BATCH;
	for (size_t i = 0; i < b->values; i++)
		if (b->places[i].bits)
			crux_program_store(program, outputs + i, b->places[i], columns, lanes);
	size_t const at = move * CRUX_BATCH;
	b->has_end |= crux_program_truths(program, ends + CRUX_NATIVE_OUTPUT_WON, lanes, b->won + at, true);
	b->has_end |= crux_program_truths(program, ends + CRUX_NATIVE_OUTPUT_WRONG, lanes, b->wrong + at, true);
	b->has_lost |= crux_program_truths(program, ends + CRUX_NATIVE_OUTPUT_LOST, lanes, b->lost + at, true);
	if (has_estimate)
		b->has_lost |= leave_out(b, program, move, estimate, lanes);
}

void crux_native_batch_run(crux_native_batch *b, const crux_state_set *set, uint32_t first, size_t lanes)
{
	for (size_t word = 0; word < b->words; word++)
		for (size_t i = 0; i < lanes; i++)
			b->columns[word * CRUX_BATCH + i] = crux_state_set_key(set, first + (uint32_t)i)[word];
	crux_program *const program = choose(b, lanes);
	for (size_t i = 0; i < b->values; i++)
		if (b->places[i].bits)
			crux_program_load(program, i, b->places[i], b->columns, lanes);
	crux_program_run(program, lanes);
	for (size_t column = 0; column < b->moves * (b->words + 1); column++)
		memset(b->successors + column * CRUX_BATCH, 0, (lanes + 63) / 64 * 64 * sizeof *b->successors);
	b->has_end = b->has_lost = false;
	for (size_t move = 0; move < b->moves; move++)
		take_move(b, program, move, lanes);
}

size_t crux_native_batch_find_end(const crux_native_batch *b, size_t from, size_t end)
{
	for (size_t step = from; step < end; step++) {
		size_t const at = crux_native_batch_outcome(b, step);
		if (b->won[at] || b->wrong[at])
			return step;
	}
	return end;
}

/* So that the usual numbers of words get code of their own. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* Gathers the first moves of a lane, keys being of so many words, behind `count` that were gathered before; returns how many
 * there are then. */
static ALWAYS_INLINE size_t gather_lane(crux_native_batch *b, size_t lane, uint64_t note, size_t moves, size_t words,
                                        bool all, size_t count)
{
	size_t const stride = (words + 1) * CRUX_BATCH;
	uint64_t const *const origin = b->columns + lane, *const one = b->successors + lane, *from = one;
	uint8_t const *lost = b->lost + lane;
	bool const is_one_known = !all && !*lost, is_origin_known = !all;
	for (size_t move = 0; move < moves; move++, from += stride, lost += CRUX_BATCH) {
		uint64_t *const to = b->keys + count * words, back = 0, same = move == 0;
		for (size_t word = 0; word < words; word++) {
			to[word] = from[word * CRUX_BATCH];
			back |= to[word] ^ origin[word * CRUX_BATCH];
			same |= to[word] ^ one[word * CRUX_BATCH];
		}
		note += UINT64_C(1) << 32;
		b->notes[count] = note;
		count += !((*lost != 0) | (is_origin_known & (back == 0)) | (is_one_known & (same == 0)));
	}
	return count;
}

static ALWAYS_INLINE size_t gather(crux_native_batch *b, uint32_t first, size_t end, size_t words, bool all)
{
	size_t const lanes = end / b->moves;
	size_t count = 0;
	for (size_t lane = 0; lane < lanes; lane++)
		count = gather_lane(b, lane, first + lane + 1, b->moves, words, all, count);
	return gather_lane(b, lanes, first + lanes + 1, end % b->moves, words, all, count);
}

size_t crux_native_batch_gather(crux_native_batch *b, uint32_t first, size_t end, bool all)
{
	switch (b->words) {
	case 1:
		return gather(b, first, end, 1, all);
	case 2:
		return gather(b, first, end, 2, all);
	case 3:
		return gather(b, first, end, 3, all);
	default:
		return gather(b, first, end, b->words, all);
	}
}

size_t crux_native_batch_count_lost(const crux_native_batch *b, size_t end, size_t *beyond)
{
	size_t count = 0;
	*beyond = 0;
	for (size_t move = 0; move < b->moves; move++) {
		size_t const lanes = end / b->moves + (move < end % b->moves);
		for (size_t lane = 0; lane < lanes; lane++) {
			uint8_t const lost = b->lost[move * CRUX_BATCH + lane];
			*beyond += lost == IS_BEYOND;
			count += lost != 0 && lost != IS_BEYOND;
		}
	}
	return count;
}
