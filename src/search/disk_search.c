/* Breadth-first search whose states are in files: gathering, sorting, merging and comparing; see disk_search.h. */
#include "search/disk_search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/block.h"
#include "base/fault.h"
#include "port/port.h"

enum {
	MOST_BYTES = 1 << 28,       /* of gathered successors: they are sorted within a second */
	WORDS = CRUX_KEY_BLOCK / 8, /* of a block */
};

static const size_t none = SIZE_MAX;

static bool fail(crux_fault *fault, const char *message)
{
	crux_fault_set(fault, "%s", message);
	return false;
}

crux_disk_search *crux_disk_search_new(int states, int runs, const crux_state_layout *layout, size_t moves, size_t bytes)
{
	crux_disk_search *s = calloc(1, sizeof *s);
	size_t const words = layout->words, batch = moves * CRUX_BATCH, most = bytes / 2 < MOST_BYTES ? bytes / 2 : MOST_BYTES;
	size_t const room = most / (words * sizeof *s->keys) > batch ? most / (words * sizeof *s->keys) : batch;
	if (!s)
		return NULL;
	uint64_t *source, *target;
	s->block = crux_block_new((crux_array[]){CRUX_ARRAY(source, WORDS), CRUX_ARRAY(target, WORDS)}, 2);
	s->keys = malloc(room * words * sizeof *s->keys);
	s->spare = malloc(room * words * sizeof *s->spare);
	*s = (crux_disk_search){.states = states, .runs = runs, .words = words, .room = room, .keys = s->keys, .spare = s->spare,
	                        .block = s->block, .reading = none};
	if (!s->block || !s->keys || !s->spare) {
		crux_disk_search_free(s);
		return NULL;
	}
	s->source = (crux_key_block){.file = states, .words = words, .memory = source};
	s->target = (crux_key_block){.words = words, .memory = target};
	return s;
}

static void free_lists(crux_key_list *lists, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(lists[i].firsts);
	free(lists);
}

void crux_disk_search_free(crux_disk_search *s)
{
	if (!s)
		return;
	free_lists(s->layers, s->layer_count + s->is_merging);
	free_lists(s->run_lists, s->run_room);
	free(s->block);
	free(s->keys);
	free(s->spare);
	free(s->cursors);
	crux_key_merge_free(&s->merge);
	free(s);
}

/* The first byte behind lists of a file. */
static uint64_t end_of(const crux_key_list *lists, size_t count, size_t words)
{
	return count > 0 ? lists[count - 1].offset + crux_key_list_bytes(&lists[count - 1], words) : 0;
}

/* Makes room for one more layer, behind the others. */
static bool add_layer(crux_disk_search *s, uint64_t offset, crux_fault *fault)
{
	if (!crux_array_grow(CRUX_ARRAY(s->layers, s->layer_count + 1), &s->layer_room))
		return fail(fault, "out of memory");
	s->layers[s->layer_count] = (crux_key_list){.offset = offset};
	return true;
}

bool crux_disk_search_begin(crux_disk_search *s, const uint64_t *start, crux_fault *fault)
{
	if (!add_layer(s, 0, fault))
		return false;
	s->target.file = s->states;
	crux_key_list *const first = &s->layers[s->layer_count++];
	return crux_key_list_append(first, &s->target, start, 1, fault) && crux_key_list_finish(first, &s->target, fault);
}

bool crux_disk_search_restore(crux_disk_search *s, uint64_t offset, uint64_t count, crux_fault *fault)
{
	if (!add_layer(s, offset, fault))
		return false;
	crux_key_list *const last = &s->layers[s->layer_count++];
	last->count = count;
	size_t const blocks = crux_key_list_blocks(last, s->words);
	if (!crux_array_grow(CRUX_ARRAY(last->firsts, blocks * s->words), &last->room))
		return fail(fault, "out of memory");
	s->source.list = last;
	for (size_t block = 0; block < blocks; block++) {
		if (!crux_key_block_read(&s->source, block, fault))
			return false;
		memcpy(last->firsts + block * s->words, s->source.keys, s->words * sizeof *last->firsts);
	}
	return true;
}

/* Begins to read a layer. */
static void read_layer(crux_disk_search *s, size_t layer)
{
	s->reading = layer;
	s->source.list = &s->layers[layer];
	s->source.count = s->source.at = s->next_block = 0;
}

/* Makes the next states of the layer those of the batch, *lanes of them. */
static bool take(crux_disk_search *s, crux_native_batch *batch, size_t *lanes, crux_fault *fault)
{
	crux_key_block *const source = &s->source;
	size_t const blocks = crux_key_list_blocks(source->list, s->words);
	for (*lanes = 0; *lanes < CRUX_BATCH; (*lanes)++) {
		if (source->at == source->count) {
			if (s->next_block == blocks)
				return true;
			if (!crux_key_block_read(source, s->next_block++, fault))
				return false;
		}
		crux_native_batch_take(batch, *lanes, source->keys + source->at++ * s->words);
	}
	return true;
}

/* Writes the gathered keys as a run. */
static bool write_run(crux_disk_search *s, crux_fault *fault)
{
	if (s->count == 0)
		return true;
	if (s->run_count == s->run_room) {
		size_t const before = s->run_room;
		if (!crux_array_grow(CRUX_ARRAY(s->run_lists, s->run_count + 1), &s->run_room))
			return fail(fault, "out of memory");
		memset(s->run_lists + before, 0, (s->run_room - before) * sizeof *s->run_lists);
	}
	uint64_t const offset = end_of(s->run_lists, s->run_count, s->words);
	crux_key_list *const run = &s->run_lists[s->run_count++];
	run->offset = offset;
	run->count = 0;
	s->target.file = s->runs;
	size_t const count = crux_key_sort(&s->keys, &s->spare, s->count, s->words);
	s->count = 0;
	return crux_key_list_append(run, &s->target, s->keys, count, fault) && crux_key_list_finish(run, &s->target, fault);
}

/* Notes wins of the batch; false when a step is open. */
static bool handle_ends(crux_disk_search *s, const crux_native_batch *batch, size_t steps)
{
	for (size_t step = 0; (step = crux_native_batch_find_end(batch, step, steps)) < steps; step++) {
		if (crux_native_batch_step(batch, step, NULL) != CRUX_NATIVE_WINS) {
			s->open_move = step % batch->moves;
			return false;
		}
		s->has_win = true;
	}
	return true;
}

crux_disk_end crux_disk_search_expand(crux_disk_search *s, crux_native_batch *batch, size_t count, crux_fault *fault)
{
	if (s->reading != s->layer_count - 1) {
		read_layer(s, s->layer_count - 1);
		s->lost = 0;
		s->count = s->run_count = 0;
	}
	for (size_t done = 0, lanes, beyond; done < count; done += lanes) {
		if (!take(s, batch, &lanes, fault))
			return CRUX_DISK_FAILED;
		if (lanes == 0) {
			s->reading = none;
			return write_run(s, fault) ? CRUX_DISK_THROUGH : CRUX_DISK_FAILED;
		}
		size_t const steps = lanes * batch->moves;
		crux_native_batch_run(batch, lanes);
		if (batch->has_end && !handle_ends(s, batch, steps))
			return CRUX_DISK_OPEN;
		s->lost += batch->has_lost ? (int64_t)crux_native_batch_count_lost(batch, steps, &beyond) : 0;
		if (s->has_win)
			continue; /* there is no next layer */
		if (s->count + steps > s->room && !write_run(s, fault))
			return CRUX_DISK_FAILED;
		size_t const gathered = crux_native_batch_gather(batch, 0, steps, false);
		memcpy(s->keys + s->count * s->words, batch->keys, gathered * s->words * sizeof *s->keys);
		s->count += gathered;
	}
	return CRUX_DISK_PAUSED;
}

/* Begins the next layer. */
static bool begin_merge(crux_disk_search *s, crux_fault *fault)
{
	if (!crux_array_grow(CRUX_ARRAY(s->cursors, s->layer_count), &s->cursor_room))
		return fail(fault, "out of memory");
	memset(s->cursors, 0, s->layer_count * sizeof *s->cursors);
	if (!crux_key_merge_begin(&s->merge, s->runs, s->words, s->run_lists, s->run_count, fault) ||
	    !add_layer(s, end_of(s->layers, s->layer_count, s->words), fault))
		return false;
	s->is_merging = true;
	s->target.file = s->states;
	s->found = 0;
	return true;
}

/* The first place from `from` on of a key in sorted keys that is not below another key; `count` if there is none. Its time is that of
 * the logarithm of the places between. */
static CRUX_BY_WORDS_INLINE size_t find_place(const uint64_t *keys, size_t from, size_t count, const uint64_t *key, size_t words)
{
	size_t step = 1;
	if (from == count || !crux_key_is_less(keys + from * words, key, words))
		return from;
	for (; step < count - from && crux_key_is_less(keys + (from + step) * words, key, words); step *= 2)
		from += step;
	for (; step > 0; step /= 2) /* the key at `from` is below */
		if (step < count - from && crux_key_is_less(keys + (from + step) * words, key, words))
			from += step;
	return from + 1;
}

/* Moves the merged keys up to a place behind those that are kept. */
static void keep_until(crux_disk_search *s, size_t *from, size_t until, size_t *to)
{
	if (*from != *to)
		memmove(s->keys + *to * s->words, s->keys + *from * s->words, (until - *from) * s->words * sizeof *s->keys);
	*to += until - *from;
	*from = until;
}

/* Removes the keys of a layer from the merged ones. */
static CRUX_BY_WORDS_INLINE bool compare(crux_disk_search *s, size_t layer, crux_fault *fault, size_t words)
{
	crux_key_block *const known = &s->source;
	crux_key_list const *const list = &s->layers[layer];
	size_t const blocks = crux_key_list_blocks(list, words);
	size_t from = 0, to = 0;
	known->list = list;
	while (from < s->count) {
		/* the last block whose first key is not above the next key, or the first block */
		size_t block = find_place(list->firsts, s->cursors[layer], blocks, s->keys + from * words, words);
		block -= block > 0 && (block == blocks || !crux_key_is_same(list->firsts + block * words, s->keys + from * words, words));
		if (!crux_key_block_read(known, block, fault))
			return false;
		s->cursors[layer] = block;
		for (size_t at = 0; from < s->count; at++) {
			while (at < known->count && crux_key_is_less(known->keys + at * words, s->keys + from * words, words))
				at++;
			if (at == known->count)
				break;
			keep_until(s, &from, find_place(s->keys, from, s->count, known->keys + at * words, words), &to);
			from += from < s->count && crux_key_is_same(known->keys + at * words, s->keys + from * words, words);
		}
		size_t const next = block + 1;
		keep_until(s, &from, next < blocks ? find_place(s->keys, from, s->count, list->firsts + next * words, words) : s->count, &to);
	}
	s->count = to;
	return true;
}

crux_disk_end crux_disk_search_merge(crux_disk_search *s, crux_fault *fault)
{
	if (!s->is_merging && !begin_merge(s, fault))
		return CRUX_DISK_FAILED;
	crux_key_list *const next = &s->layers[s->layer_count];
	if (!crux_key_merge_take(&s->merge, s->keys, s->room, &s->count, fault))
		return CRUX_DISK_FAILED;
	if (s->count > 0) {
		for (size_t layer = s->layer_count; layer-- > 0;) /* the last ones first: they have most of the known states */
			if (!CRUX_BY_WORDS(compare, s->words, s, layer, fault))
				return CRUX_DISK_FAILED;
		s->found += s->count;
		return crux_key_list_append(next, &s->target, s->keys, s->count, fault) ? CRUX_DISK_PAUSED : CRUX_DISK_FAILED;
	}
	if (!crux_key_list_finish(next, &s->target, fault))
		return CRUX_DISK_FAILED;
	s->is_merging = false;
	s->layer_count += next->count > 0;
	s->run_count = 0;
	return ftruncate(s->runs, 0) == 0 || fail(fault, strerror(errno)) ? CRUX_DISK_THROUGH : CRUX_DISK_FAILED;
}

bool crux_disk_search_keep(crux_disk_search *s, crux_fault *fault)
{
	uint64_t const end = end_of(s->layers, s->layer_count, s->words);
	bool const is_kept = ftruncate(s->states, (off_t)end) == 0 && crux_port_sync(s->states);
	return is_kept || fail(fault, strerror(errno));
}

/* Adds the state of a lane to the set, if it is new and there is room. */
static void add_origin(crux_disk_search *s, const crux_native_batch *batch, size_t lane, crux_state_set *into)
{
	for (size_t word = 0; word < s->words; word++)
		s->spare[word] = batch->columns[word * CRUX_COLUMN + lane];
	if (crux_state_set_find(into, s->spare) == CRUX_STATE_NONE)
		crux_state_set_add(into, s->spare);
}

crux_disk_end crux_disk_search_trace(crux_disk_search *s, crux_native_batch *batch, size_t layer, const crux_state_set *targets,
                                     crux_state_set *into, size_t count, crux_fault *fault)
{
	if (s->reading != layer)
		read_layer(s, layer);
	for (size_t done = 0, lanes; done < count; done += lanes) {
		if (!take(s, batch, &lanes, fault))
			return CRUX_DISK_FAILED;
		if (lanes == 0) {
			s->reading = none;
			return CRUX_DISK_THROUGH;
		}
		size_t const steps = lanes * batch->moves;
		crux_native_batch_run(batch, lanes);
		size_t const gathered = targets ? crux_native_batch_gather(batch, 0, steps, false) : 0;
		for (size_t i = 0; i < gathered; i++)
			if (crux_state_set_find(targets, batch->keys + i * s->words) != CRUX_STATE_NONE)
				add_origin(s, batch, (uint32_t)batch->notes[i] - 1, into);
		for (size_t step = 0; !targets && (step = crux_native_batch_find_end(batch, step, steps)) < steps; step++)
			add_origin(s, batch, step / batch->moves, into);
	}
	return CRUX_DISK_PAUSED;
}

const uint64_t *crux_disk_search_sample(crux_disk_search *s, crux_fault *fault)
{
	s->source.list = &s->layers[s->layer_count - 1];
	s->reading = none;
	return crux_key_block_read(&s->source, 0, fault) ? s->source.keys : NULL;
}
