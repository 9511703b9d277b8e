/* Sorted lists of keys in files: blocks with checksums, and sorting by digits. */
#include "search/key_lists.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/block.h"
#include "base/bytes.h"
#include "base/fault.h"

/* Keys of a block behind its checksum. */
static size_t keys_of_block(size_t words) { return (CRUX_KEY_BLOCK / sizeof(uint64_t) - 1) / words; }

static size_t bytes_of(size_t count, size_t words) { return count > 0 ? (1 + count * words) * sizeof(uint64_t) : 0; }

size_t crux_key_list_blocks(const crux_key_list *list, size_t words)
{
	size_t const most = keys_of_block(words);
	return (size_t)((list->count + most - 1) / most);
}

uint64_t crux_key_list_bytes(const crux_key_list *list, size_t words)
{
	size_t const most = keys_of_block(words);
	return list->count / most * CRUX_KEY_BLOCK + bytes_of((size_t)(list->count % most), words);
}

static uint64_t checksum_of(const uint64_t *memory, size_t count, size_t words, uint64_t offset)
{
	return XXH3_64bits_withSeed(memory + 1, count * words * sizeof *memory, offset);
}

bool crux_key_block_read(crux_key_block *b, size_t number, crux_fault *fault)
{
	size_t const most = keys_of_block(b->words);
	uint64_t const left = b->list->count - (uint64_t)number * most, offset = b->list->offset + (uint64_t)number * CRUX_KEY_BLOCK;
	size_t const count = left < most ? (size_t)left : most, bytes = bytes_of(count, b->words);
	ssize_t const done = crux_bytes_read_at(b->file, offset, b->memory, bytes);
	if (done < 0)
		crux_fault_set(fault, "%s", strerror(errno));
	else if ((size_t)done < bytes)
		crux_fault_set(fault, "cut at byte %llu; to begin anew, remove the folder", (unsigned long long)offset + (size_t)done);
	if (done < (ssize_t)bytes)
		return false;
	if (b->memory[0] != checksum_of(b->memory, count, b->words, offset)) {
		crux_fault_set(fault, "damaged between byte %llu and byte %llu; to begin anew, remove the folder", (unsigned long long)offset,
		               (unsigned long long)(offset + bytes));
		return false;
	}
	b->keys = b->memory + 1;
	b->number = number;
	b->count = count;
	b->at = 0;
	return true;
}

/* Writes the block behind the others of the list. */
static bool write_block(crux_key_list *list, crux_key_block *b, crux_fault *fault)
{
	size_t const number = crux_key_list_blocks(list, b->words), bytes = bytes_of(b->count, b->words);
	uint64_t const offset = list->offset + (uint64_t)number * CRUX_KEY_BLOCK;
	if (!crux_array_grow(CRUX_ARRAY(list->firsts, (number + 1) * b->words), &list->room)) {
		crux_fault_set(fault, "out of memory");
		return false;
	}
	memcpy(list->firsts + number * b->words, b->memory + 1, b->words * sizeof *b->memory);
	b->memory[0] = checksum_of(b->memory, b->count, b->words, offset);
	for (size_t done = 0; done < bytes;) {
		ssize_t const some = pwrite(b->file, (const char *)b->memory + done, bytes - done, (off_t)(offset + done));
		if (some < 0 && errno == EINTR)
			continue;
		if (some < 0) {
			crux_fault_set(fault, "%s", strerror(errno));
			return false;
		}
		done += (size_t)some;
	}
	list->count += b->count;
	b->count = 0;
	return true;
}

bool crux_key_list_append(crux_key_list *list, crux_key_block *b, const uint64_t *keys, size_t count, crux_fault *fault)
{
	size_t const most = keys_of_block(b->words);
	while (count > 0) {
		size_t const some = count < most - b->count ? count : most - b->count;
		memcpy(b->memory + 1 + b->count * b->words, keys, some * b->words * sizeof *keys);
		keys += some * b->words;
		count -= some;
		b->count += some;
		if (b->count == most && !write_block(list, b, fault))
			return false;
	}
	return true;
}

bool crux_key_list_finish(crux_key_list *list, crux_key_block *b, crux_fault *fault)
{
	return b->count == 0 || write_block(list, b, fault);
}

enum { DIGITS = 8, VALUES = 256 }; /* digits of a word, values of a digit */

/* Moves the keys in the order of one digit of one word, which has those numbers of values, into `to`. */
static CRUX_BY_WORDS_INLINE void move_by_digit(const uint64_t *from, uint64_t *to, size_t count, size_t words, size_t word, unsigned digit,
                                        const size_t *counts)
{
	size_t places[VALUES];
	for (size_t value = 0, sum = 0; value < VALUES; sum += counts[value++])
		places[value] = sum;
	for (uint64_t const *key = from, *const end = from + count * words; key < end; key += words)
		memcpy(to + places[key[word] >> 8 * digit & (VALUES - 1)]++ * words, key, words * sizeof *key);
}

static CRUX_BY_WORDS_INLINE size_t sort(uint64_t **keys, uint64_t **spare, size_t count, size_t words)
{
	for (size_t word = 0; word < words; word++) {
		size_t counts[DIGITS][VALUES] = {{0}};
		for (uint64_t const *key = *keys, *const end = key + count * words; key < end; key += words)
			for (unsigned digit = 0; digit < DIGITS; digit++)
				counts[digit][key[word] >> 8 * digit & (VALUES - 1)]++;
		for (unsigned digit = 0; digit < DIGITS; digit++) {
			if (counts[digit][(*keys)[word] >> 8 * digit & (VALUES - 1)] == count)
				continue; /* the same in all keys */
			move_by_digit(*keys, *spare, count, words, word, digit, counts[digit]);
			uint64_t *const sorted = *spare;
			*spare = *keys;
			*keys = sorted;
		}
	}
	size_t kept = 1;
	for (size_t i = 1; i < count; i++) {
		uint64_t const *const key = *keys + i * words;
		bool const is_new = !crux_key_is_same(key, *keys + (kept - 1) * words, words);
		memmove(*keys + kept * words, key, words * sizeof *key);
		kept += is_new;
	}
	return kept;
}

size_t crux_key_sort(uint64_t **keys, uint64_t **spare, size_t count, size_t words)
{
	return count < 2 ? count : CRUX_BY_WORDS(sort, words, keys, spare, count);
}

/* The next key of a list. */
static const uint64_t *head(const crux_key_merge *m, size_t list)
{
	return m->heads[list].keys + m->heads[list].at * m->words;
}

/* Moves the first list of the heap to its place. */
static CRUX_BY_WORDS_INLINE void sink(crux_key_merge *m, size_t words)
{
	size_t *const heap = m->heap - 1, moved = heap[1];
	uint64_t const *const key = head(m, moved);
	size_t at = 1;
	for (size_t child = 2; child <= m->count; child = 2 * at) {
		child += child < m->count && crux_key_is_less(head(m, heap[child + 1]), head(m, heap[child]), words);
		if (!crux_key_is_less(head(m, heap[child]), key, words))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
}

bool crux_key_merge_begin(crux_key_merge *m, int file, size_t words, const crux_key_list *lists, size_t count, crux_fault *fault)
{
	size_t const block = CRUX_KEY_BLOCK / sizeof *m->memory;
	m->words = words;
	m->count = 0;
	if (!crux_array_grow(CRUX_ARRAY(m->heads, count), &m->head_room) || !crux_array_grow(CRUX_ARRAY(m->heap, count), &m->heap_room) ||
	    !crux_array_grow(CRUX_ARRAY(m->memory, count * block), &m->memory_room)) {
		crux_fault_set(fault, "out of memory");
		return false;
	}
	for (size_t list = 0; list < count; list++) {
		m->heads[list] = (crux_key_block){.file = file, .words = words, .list = &lists[list], .memory = m->memory + list * block};
		if (!crux_key_block_read(&m->heads[list], 0, fault))
			return false;
		size_t at = m->count++;
		for (; at > 0 && crux_key_is_less(head(m, list), head(m, m->heap[(at - 1) / 2]), words); at = (at - 1) / 2)
			m->heap[at] = m->heap[(at - 1) / 2];
		m->heap[at] = list;
	}
	return true;
}

static CRUX_BY_WORDS_INLINE bool take(crux_key_merge *m, uint64_t *keys, size_t room, size_t *count, crux_fault *fault, size_t words)
{
	for (*count = 0; m->count > 0;) {
		crux_key_block *const first = &m->heads[m->heap[0]];
		uint64_t const *const key = first->keys + first->at * words;
		bool const is_new = *count == 0 || !crux_key_is_same(key, keys + (*count - 1) * words, words);
		if (is_new && *count == room)
			return true;
		if (is_new)
			memcpy(keys + (*count)++ * words, key, words * sizeof *key);
		if (++first->at == first->count) {
			if (first->number + 1 == crux_key_list_blocks(first->list, words))
				m->heap[0] = m->heap[--m->count];
			else if (!crux_key_block_read(first, first->number + 1, fault))
				return false;
		}
		if (m->count > 1)
			sink(m, words);
	}
	return true;
}

bool crux_key_merge_take(crux_key_merge *m, uint64_t *keys, size_t room, size_t *count, crux_fault *fault)
{
	return CRUX_BY_WORDS(take, m->words, m, keys, room, count, fault);
}

void crux_key_merge_free(crux_key_merge *m)
{
	free(m->heads);
	free(m->memory);
	free(m->heap);
}
