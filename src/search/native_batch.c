/* Tries all moves of a batch of states: unpack, run, pack, gather in order. */
#include "search/native_batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/block.h"

enum { IS_BEYOND = 1 }; /* in `lost`, instead of a truth value: the state is above the bound */

static size_t const max_words = (size_t)1 << 14; /* of the successors of a state; a batch of them takes 64 MiB */

static bool allocate(crux_native_batch *b, const crux_state_layout *layout, bool informed)
{
	size_t const steps = b->moves * CRUX_BATCH, columns = b->words + 1, pairs = b->is_guarded ? steps : 0;
	if (b->moves * columns > max_words)
		return false;
	crux_array const arrays[] = {
		CRUX_ARRAY(b->columns, columns * CRUX_COLUMN),
		CRUX_ARRAY(b->successors, b->is_guarded ? 0 : columns * b->moves * CRUX_COLUMN),
		CRUX_ARRAY(b->won, 3 * steps),
		CRUX_ARRAY(b->keys, (steps + 1) * b->words),
		CRUX_ARRAY(b->notes, steps + 1),
		CRUX_ARRAY(b->estimates, informed ? steps : 0),
		CRUX_ARRAY(b->pairs, pairs),
		CRUX_ARRAY(b->guarded, pairs + CRUX_BATCH),
		CRUX_ARRAY(b->move_pairs, b->is_guarded ? b->moves : 0),
		CRUX_ARRAY(b->rows, pairs),
		CRUX_ARRAY(b->lane_pairs, CRUX_BATCH + 1),
		CRUX_ARRAY(b->idle_estimates, CRUX_BATCH),
		CRUX_ARRAY(b->idle_beyond, CRUX_BATCH),
	};
	b->block = crux_block_new(arrays, sizeof arrays / sizeof *arrays);
	b->layout = crux_state_layout_copy(layout);
	if (!b->block || !b->layout)
		return false;
	b->informed = informed;
	b->places = b->layout->places;
	b->lost = b->won + steps;
	b->wrong = b->lost + steps;
	return true;
}

bool crux_native_batch_init(crux_native_batch *b, crux_program *program, const crux_state_layout *layout, size_t moves,
                            bool informed, bool is_guarded)
{
	*b = (crux_native_batch){
		.program = program,
		.is_guarded = is_guarded,
		.moves = moves,
		.values = layout->values,
		.words = layout->words,
	};
	return allocate(b, layout, informed);
}

void crux_native_batch_release(crux_native_batch *b)
{
	crux_program_free(b->program);
	crux_program_free(b->special);
	crux_state_layout_free(b->layout);
	free(b->block);
}

/* The program for the first lanes: `special` when its flag holds in all of them. */
static crux_program *choose(const crux_native_batch *b, size_t lanes)
{
	if (!b->special)
		return b->program;
	uint64_t const *const column = b->columns + b->places[b->flag].word * CRUX_COLUMN;
	uint64_t const wanted = b->flag_value ? UINT64_MAX : 0;
	uint64_t differing = 0;
	for (size_t i = 0; i < lanes; i++)
		differing |= column[i] ^ wanted;
	return differing >> b->places[b->flag].shift & 1 ? b->program : b->special;
}

/* True, and the sum of depth and estimate noted, when a state with that estimate is above the bound. */
static bool is_beyond(crux_native_batch *b, uint64_t estimate)
{
	int64_t const sum = b->depth + (estimate > 1 ? (int64_t)estimate : 1); /* not won: at least 1 move is left */
	if (sum > b->bound && sum < b->beyond)
		b->beyond = sum;
	return sum > b->bound;
}

/* Stores the estimates of a move and marks states above the bound IS_BEYOND; true when there are any. */
static bool mark_beyond(crux_native_batch *b, const crux_program *program, size_t move, size_t output, size_t lanes)
{
	uint64_t *const estimates = b->estimates + move * CRUX_BATCH;
	uint8_t *const lost = b->lost + move * CRUX_BATCH;
	uint8_t const *const won = b->won + move * CRUX_BATCH, *const wrong = b->wrong + move * CRUX_BATCH;
	bool any = false;
	memset(estimates, 0, CRUX_BATCH * sizeof *estimates);
	crux_program_store(program, output, (crux_state_place){.bits = 31}, estimates, lanes);
	for (size_t i = 0; i < lanes; i++) {
		if (lost[i] || won[i] || wrong[i])
			continue;
		if (is_beyond(b, estimates[i])) {
			lost[i] = IS_BEYOND;
			any = true;
		}
	}
	return any;
}

/* Stores the successor and the outcome of a move for each lane. */
static void store_move(crux_native_batch *b, const crux_program *program, size_t move, size_t lanes)
{
	size_t const has_estimate = b->informed ? 1 : 0;
	size_t const outputs = move * (b->values + has_estimate + CRUX_NATIVE_OUTPUTS);
	size_t const estimate = outputs + b->values, ends = estimate + has_estimate;
	uint64_t *const columns = b->successors + move * (b->words + 1) * CRUX_COLUMN;
	for (size_t i = 0; i < b->values; i++)
		if (b->places[i].bits)
			crux_program_store(program, outputs + i, b->places[i], columns, lanes);
	size_t const at = move * CRUX_BATCH;
	b->has_end |= crux_program_truths(program, ends + CRUX_NATIVE_OUTPUT_WON, lanes, b->won + at);
	if (!b->never_wrong)
		b->has_end |= crux_program_truths(program, ends + CRUX_NATIVE_OUTPUT_WRONG, lanes, b->wrong + at);
	if (!b->never_loses)
		b->has_lost |= crux_program_truths(program, ends + CRUX_NATIVE_OUTPUT_LOST, lanes, b->lost + at);
	if (has_estimate)
		b->has_lost |= mark_beyond(b, program, move, estimate, lanes);
}

/* Finds the pairs of the first lanes. */
static void find_pairs(crux_native_batch *b, size_t lanes)
{
	uint32_t *const restrict ends = b->move_pairs, *const restrict rows = b->rows, *const restrict pairs = b->pairs;
	uint16_t *const restrict guarded = b->guarded;
	uint32_t *const restrict starts = b->lane_pairs;
	size_t const moves = b->moves;
	uint8_t truths[CRUX_BATCH + 8];
	uint32_t count = 0, found[CRUX_BATCH] = {0}; /* pairs of each lane */
	for (size_t move = 0; move < moves; move++) {
		uint32_t const first = count;
		count += (uint32_t)crux_program_guarded(b->program, move, lanes, truths, guarded + first);
		for (uint32_t i = first; i < count; i++)
			rows[i] = found[guarded[i]]++;
		ends[move] = count;
	}
	starts[0] = 0;
	for (size_t lane = 0; lane < lanes; lane++)
		starts[lane + 1] = starts[lane] + found[lane];
	for (size_t move = 0, i = 0; move < moves; move++)
		for (; i < ends[move]; i++) {
			rows[i] += starts[guarded[i]];
			pairs[rows[i]] = (uint32_t)(guarded[i] * moves + move);
		}
	b->pair_count = count;
}

/* Sets the outcomes of a move's pairs, which are 0, to a truth value of its part; true when it holds for any. */
static bool store_truths(const crux_native_batch *b, size_t output, const uint32_t *rows, size_t count, uint8_t *to)
{
	uint8_t truths[CRUX_BATCH];
	bool const any = crux_program_truths(b->program, output, count, truths);
	for (size_t i = 0; any && i < count; i++)
		to[rows[i]] = truths[i];
	return any;
}

/* Stores the estimates of a move's pairs and marks states above the bound IS_BEYOND. */
static void mark_pairs_beyond(crux_native_batch *b, size_t output, const uint32_t *rows, size_t count)
{
	uint64_t estimates[CRUX_BATCH] = {0};
	crux_program_store(b->program, output, (crux_state_place){.bits = 31}, estimates, count);
	for (size_t i = 0; i < count; i++) {
		uint32_t const row = rows[i];
		b->estimates[row] = estimates[i];
		if (!b->lost[row] && !b->won[row] && !b->wrong[row] && is_beyond(b, estimates[i])) {
			b->lost[row] = IS_BEYOND;
			b->has_lost = true;
		}
	}
}

/* The same for the steps of the first lanes that are no pairs. */
static void mark_idle_beyond(crux_native_batch *b, size_t lanes)
{
	memset(b->idle_estimates, 0, CRUX_BATCH * sizeof *b->idle_estimates);
	crux_program_store_shared(b->program, (crux_state_place){.bits = 31}, b->idle_estimates, lanes);
	for (size_t lane = 0; lane < lanes; lane++) {
		bool const is_idle = b->lane_pairs[lane + 1] - b->lane_pairs[lane] < b->moves;
		b->idle_beyond[lane] = is_idle && is_beyond(b, b->idle_estimates[lane]);
		b->has_lost |= b->idle_beyond[lane];
	}
}

/* Tries the moves of the first lanes whose guards hold. */
static void run_pairs(crux_native_batch *b, size_t lanes)
{
	size_t const has_estimate = b->informed ? 1 : 0, outputs = b->values + has_estimate + CRUX_NATIVE_OUTPUTS;
	uint32_t const *const ends = b->move_pairs;
	uint32_t first = 0;
	find_pairs(b, lanes);
	uint64_t *restrict to = b->keys;
	for (size_t lane = 0; lane < lanes; lane++)
		for (uint32_t left = b->lane_pairs[lane + 1] - b->lane_pairs[lane]; left > 0; left--)
			for (size_t word = 0; word < b->words; word++)
				*to++ = b->columns[word * CRUX_COLUMN + lane];
	uint8_t *const outcomes[] = {b->won, b->lost, b->wrong};
	for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
		memset(outcomes[i], 0, b->pair_count);
	for (size_t move = 0; move < b->moves; first = ends[move++]) {
		size_t const count = ends[move] - first, estimate = move * outputs + b->values, ended = estimate + has_estimate;
		uint32_t const *const rows = b->rows + first;
		uint16_t chosen[CRUX_BATCH];
		if (count == 0)
			continue;
		memcpy(chosen, b->guarded + first, count * sizeof *chosen);
		crux_program_run_part(b->program, move, chosen, count);
		for (size_t i = 0; i < b->values; i++)
			if (b->places[i].bits)
				crux_program_replace(b->program, move * outputs + i, b->places[i], b->keys, b->words, rows, count);
		b->has_end |= store_truths(b, ended + CRUX_NATIVE_OUTPUT_WON, rows, count, b->won);
		b->has_lost |= store_truths(b, ended + CRUX_NATIVE_OUTPUT_LOST, rows, count, b->lost);
		b->has_end |= store_truths(b, ended + CRUX_NATIVE_OUTPUT_WRONG, rows, count, b->wrong);
		if (has_estimate)
			mark_pairs_beyond(b, estimate, rows, count);
	}
	if (has_estimate)
		mark_idle_beyond(b, lanes);
}

void crux_native_batch_take(crux_native_batch *b, size_t lane, const uint64_t *key)
{
	for (size_t word = 0; word < b->words; word++)
		b->columns[word * CRUX_COLUMN + lane] = key[word];
}

void crux_native_batch_run(crux_native_batch *b, size_t lanes)
{
	crux_program *const program = choose(b, lanes);
	for (size_t i = 0; i < b->values; i++)
		if (b->places[i].bits)
			crux_program_load(program, i, b->places[i], b->columns, lanes);
	crux_program_run(program, lanes);
	if (!b->is_guarded && (b->has_end || b->has_lost))
		memset(b->won, 0, 3 * b->moves * CRUX_BATCH);
	b->has_end = b->has_lost = false;
	if (b->is_guarded) {
		run_pairs(b, lanes);
		return;
	}
	for (size_t column = 0; column < b->moves * (b->words + 1); column++)
		memset(b->successors + column * CRUX_COLUMN, 0, crux_program_rounded(lanes) * sizeof *b->successors);
	for (size_t move = 0; move < b->moves; move++)
		store_move(b, program, move, lanes);
}

/* The index of a step in won, lost and wrong. */
static inline size_t outcome_at(const crux_native_batch *b, size_t step)
{
	return step % b->moves * CRUX_BATCH + step / b->moves;
}

size_t crux_native_batch_find_end(const crux_native_batch *b, size_t from, size_t end)
{
	for (size_t pair = 0; b->is_guarded && pair < b->pair_count; pair++)
		if (b->pairs[pair] >= from && (b->won[pair] || b->wrong[pair]))
			return b->pairs[pair] < end ? b->pairs[pair] : end;
	for (size_t step = from; !b->is_guarded && step < end; step++) {
		size_t const at = outcome_at(b, step);
		if (b->won[at] || b->wrong[at])
			return step;
	}
	return end;
}

/* The place of a step in won, lost, wrong and estimates; SIZE_MAX when it leads back and is left out. */
static size_t place_of(const crux_native_batch *b, size_t step)
{
	size_t const lane = step / b->moves;
	if (!b->is_guarded)
		return outcome_at(b, step);
	for (size_t pair = b->lane_pairs[lane]; pair < b->lane_pairs[lane + 1]; pair++)
		if (b->pairs[pair] == step)
			return pair;
	return SIZE_MAX;
}

uint64_t crux_native_batch_estimate(const crux_native_batch *b, size_t step)
{
	size_t const at = place_of(b, step);
	return at == SIZE_MAX ? b->idle_estimates[step / b->moves] : b->estimates[at];
}

crux_native_outcome crux_native_batch_step(const crux_native_batch *b, size_t step, uint64_t *key)
{
	size_t const lane = step / b->moves, at = place_of(b, step);
	bool const is_idle = at == SIZE_MAX, is_pair = b->is_guarded && !is_idle;
	uint64_t const *const columns = is_idle ? b->columns : b->successors + step % b->moves * (b->words + 1) * CRUX_COLUMN;
	for (size_t word = 0; key && word < b->words; word++)
		key[word] = is_pair ? b->keys[at * b->words + word] : columns[word * CRUX_COLUMN + lane];
	if (is_idle)
		return CRUX_NATIVE_LEADS_ON;
	if (b->wrong[at])
		return b->wrong[at] == CRUX_NATIVE_IS_REFUSED ? CRUX_NATIVE_IS_REFUSED : CRUX_NATIVE_IS_OPEN;
	return b->won[at] ? CRUX_NATIVE_WINS : b->lost[at] ? CRUX_NATIVE_LOSES : CRUX_NATIVE_LEADS_ON;
}

void crux_native_batch_settle(crux_native_batch *b, size_t step, crux_native_outcome outcome, const uint64_t *key,
                              uint64_t estimate)
{
	size_t const lane = step / b->moves, at = place_of(b, step);
	uint64_t *const column = b->successors + step % b->moves * (b->words + 1) * CRUX_COLUMN + lane;
	bool const leads_on = outcome == CRUX_NATIVE_LEADS_ON;
	for (size_t word = 0; leads_on && word < b->words; word++)
		*(b->is_guarded ? &b->keys[at * b->words + word] : &column[word * CRUX_COLUMN]) = key[word];
	if (leads_on && b->informed)
		b->estimates[at] = estimate;
	b->won[at] = outcome == CRUX_NATIVE_WINS;
	b->lost[at] = outcome == CRUX_NATIVE_LOSES ? UINT8_MAX : leads_on && b->informed && is_beyond(b, estimate) ? IS_BEYOND : 0;
	b->wrong[at] = outcome == CRUX_NATIVE_IS_REFUSED ? CRUX_NATIVE_IS_REFUSED : 0;
	b->has_lost |= b->lost[at] != 0;
}

/* Inlined, the usual numbers of words become constants. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* Appends the successors by the first `moves` moves of a lane to the `count` gathered before; returns the new count. */
static ALWAYS_INLINE size_t gather_lane(crux_native_batch *b, size_t lane, uint64_t note, size_t moves, size_t words,
                                        bool all, size_t count)
{
	size_t const stride = (words + 1) * CRUX_COLUMN;
	uint64_t const *const origin = b->columns + lane, *const one = b->successors + lane, *from = one;
	uint8_t const *lost = b->lost + lane;
	bool const is_one_known = !all && !*lost, is_origin_known = !all;
	for (size_t move = 0; move < moves; move++, from += stride, lost += CRUX_BATCH) {
		uint64_t *const to = b->keys + count * words, back = 0, same = move == 0;
		for (size_t word = 0; word < words; word++) {
			to[word] = from[word * CRUX_COLUMN];
			back |= to[word] ^ origin[word * CRUX_COLUMN];
			same |= to[word] ^ one[word * CRUX_COLUMN];
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

/* The same for the pairs of a guarded batch, whose keys close up; successors may be equal to their predecessors. */
static size_t gather_pairs(crux_native_batch *b, uint32_t first, size_t end)
{
	size_t count = 0;
	for (size_t lane = 0; lane * b->moves < end; lane++)
		for (uint32_t pair = b->lane_pairs[lane]; pair < b->lane_pairs[lane + 1] && b->pairs[pair] < end; pair++) {
			for (size_t word = 0; count < pair && word < b->words; word++)
				b->keys[count * b->words + word] = b->keys[pair * b->words + word];
			b->notes[count] = (first + lane + 1) | (uint64_t)(b->pairs[pair] - lane * b->moves + 1) << 32;
			count += !b->lost[pair];
		}
	return count;
}

size_t crux_native_batch_gather(crux_native_batch *b, uint32_t first, size_t end, bool all)
{
	if (b->is_guarded)
		return gather_pairs(b, first, end);
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

static size_t count_lost_pairs(const crux_native_batch *b, size_t end, size_t *beyond)
{
	size_t count = 0;
	for (size_t lane = 0; lane * b->moves < end; lane++) {
		size_t const steps = end - lane * b->moves < b->moves ? end - lane * b->moves : b->moves;
		uint32_t pair = b->lane_pairs[lane];
		for (; pair < b->lane_pairs[lane + 1] && b->pairs[pair] < end; pair++) {
			*beyond += b->lost[pair] == IS_BEYOND;
			count += b->lost[pair] != 0 && b->lost[pair] != IS_BEYOND;
		}
		*beyond += b->informed && b->idle_beyond[lane] ? steps - (pair - b->lane_pairs[lane]) : 0;
	}
	return count;
}

size_t crux_native_batch_count_lost(const crux_native_batch *b, size_t end, size_t *beyond)
{
	size_t count = 0;
	*beyond = 0;
	if (b->is_guarded)
		return count_lost_pairs(b, end, beyond);
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
