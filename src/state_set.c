/* A set of packed states: an array of keys and notes, and a hash table of indices into it. */
#include "state_set.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 64 }; /* of the table; a power of 2, as all its sizes */

struct crux_state_set {
	size_t words, stride; /* of a key; of a key with its notes, in words as well */
	bool is_narrow;       /* keys have at most 32 bits */
	size_t byte_limit;
	uint64_t *records;
	size_t capacity; /* of records */
	uint64_t *slots; /* half a hash, or a narrow key, in the upper half, index + 1 in the lower; 0: empty */
	size_t slot_count;
	uint32_t count;
};

crux_state_set *crux_state_set_new(size_t bits, size_t notes, size_t byte_limit)
{
	crux_state_set *set = calloc(1, sizeof *set);
	if (!set)
		return NULL;
	set->words = (bits + 63) / 64;
	set->is_narrow = bits <= 32;
	set->stride = set->words + notes / 2 + notes % 2;
	set->byte_limit = byte_limit;
	return set;
}

void crux_state_set_free(crux_state_set *set)
{
	if (!set)
		return;
	free(set->records);
	free(set->slots);
	free(set);
}

/* Murmur3's finalizer, word after word: every bit of the key moves every bit of the hash. */
static inline uint64_t hash_words(const uint64_t *key, size_t words)
{
	uint64_t h = 0;
	for (size_t i = 0; i < words; i++) {
		h ^= key[i];
		h ^= h >> 33;
		h *= 0xff51afd7ed558ccd;
		h ^= h >> 33;
		h *= 0xc4ceb9fe1a85ec53;
		h ^= h >> 33;
	}
	return h;
}

static uint64_t hash(const crux_state_set *set, const uint64_t *key)
{
	return hash_words(key, set->words);
}

#define UPPER_HALF (UINT64_C(0xffffffff) << 32)

/* What a slot holds beside the index. */
static inline uint64_t tag_of(const uint64_t *key, uint64_t hash_of_key, bool is_narrow)
{
	return is_narrow ? key[0] << 32 : hash_of_key & UPPER_HALF;
}

static uint32_t index_in(uint64_t slot)
{
	return (uint32_t)slot - 1;
}

static inline bool are_equal(const uint64_t *a, const uint64_t *b, size_t words)
{
	uint64_t difference = 0;
	for (size_t i = 0; i < words; i++)
		difference |= a[i] ^ b[i];
	return difference == 0;
}

/* The slot that holds the key, of so many words, or the empty one where it belongs. The table is there and not full. */
static inline size_t slot_from(const crux_state_set *set, const uint64_t *key, size_t words, bool is_narrow, uint64_t hash_of_key)
{
	size_t const mask = set->slot_count - 1;
	uint64_t const tag = tag_of(key, hash_of_key, is_narrow);
	size_t i = hash_of_key & mask;
	for (uint64_t slot; (slot = set->slots[i]) != 0; i = (i + 1) & mask)
		if ((slot ^ tag) <= UINT32_MAX && (is_narrow || are_equal(set->records + index_in(slot) * set->stride, key, words)))
			break;
	return i;
}

static size_t slot_of(const crux_state_set *set, const uint64_t *key)
{
	return slot_from(set, key, set->words, set->is_narrow, hash(set, key));
}

uint32_t crux_state_set_find(const crux_state_set *set, const uint64_t *key)
{
	return set->count ? index_in(set->slots[slot_of(set, key)]) : CRUX_STATE_NONE; /* an empty slot: 0 - 1, which is NONE */
}

/* How many keys ahead slots are asked for, and the records that they name; how many keys are merged at once. */
enum { SLOTS_AHEAD = 64, RECORDS_AHEAD = 32, MERGED = 1024 };

enum { CACHED = 512 * 1024 }; /* bytes of a set that need not be asked for */

static void ask_for_slot(const crux_state_set *set, uint64_t hash_of_key)
{
	__builtin_prefetch(&set->slots[hash_of_key & (set->slot_count - 1)], 1);
}

/* Enters all states into the table, which is empty. */
static void fill_slots(crux_state_set *set)
{
	uint64_t hashes[SLOTS_AHEAD];
	for (uint32_t i = 0; i < set->count + SLOTS_AHEAD; i++) {
		if (i >= SLOTS_AHEAD) {
			uint64_t const h = hashes[i % SLOTS_AHEAD];
			size_t at = h & (set->slot_count - 1);
			while (set->slots[at])
				at = (at + 1) & (set->slot_count - 1);
			set->slots[at] = tag_of(crux_state_set_key(set, i - SLOTS_AHEAD), h, set->is_narrow) | (i - SLOTS_AHEAD + 1);
		}
		if (i < set->count) {
			hashes[i % SLOTS_AHEAD] = hash(set, crux_state_set_key(set, i));
			ask_for_slot(set, hashes[i % SLOTS_AHEAD]);
		}
	}
}

/* Makes room for one more in the table; false, and everything as it was, when that takes too much. The table is not
 * copied but filled again, so that growing takes no second one. */
static bool grow_slots(crux_state_set *set)
{
	if (set->count < set->slot_count / 16 * 13)
		return true;
	size_t const slot_count = set->slot_count ? 2 * set->slot_count : FIRST_SLOTS;
	size_t const more = (slot_count - set->slot_count) * sizeof *set->slots;
	if (crux_state_set_bytes(set) > set->byte_limit || more > set->byte_limit - crux_state_set_bytes(set))
		return false;
	uint64_t *const slots = realloc(set->slots, slot_count * sizeof *slots);
	if (!slots)
		return false;
	memset(slots, 0, slot_count * sizeof *slots);
	set->slots = slots;
	set->slot_count = slot_count;
	fill_slots(set);
	return true;
}

/* Makes room for one more record, a quarter more when the limit allows; false when not even one fits. */
static bool grow_records(crux_state_set *set)
{
	if (set->count < set->capacity)
		return true;
	size_t const record = set->stride * sizeof *set->records;
	size_t const used = crux_state_set_bytes(set);
	size_t const room = used < set->byte_limit ? (set->byte_limit - used) / record : 0;
	size_t more = set->capacity / 4 + FIRST_SLOTS / 2;
	if (more > room)
		more = room;
	if (more > CRUX_STATE_NONE - set->capacity)
		more = CRUX_STATE_NONE - set->capacity;
	if (more == 0 || set->capacity + more > SIZE_MAX / record)
		return false;
	uint64_t *const records = realloc(set->records, (set->capacity + more) * record);
	if (!records)
		return false;
	set->records = records;
	set->capacity += more;
	return true;
}

/* Adds a state for which there is room. */
static uint32_t append(crux_state_set *set, const uint64_t *key, uint64_t hash_of_key, size_t slot)
{
	uint64_t *const record = set->records + set->count * set->stride;
	memcpy(record, key, set->words * sizeof *key);
	memset(record + set->words, 0, (set->stride - set->words) * sizeof *record);
	set->slots[slot] = tag_of(key, hash_of_key, set->is_narrow) | (set->count + 1);
	return set->count++;
}

uint32_t crux_state_set_add(crux_state_set *set, const uint64_t *key)
{
	if (!grow_slots(set) || !grow_records(set))
		return CRUX_STATE_NONE;
	uint64_t const h = hash(set, key);
	return append(set, key, h, slot_from(set, key, set->words, set->is_narrow, h));
}

/* Asks for the record that a key will be compared with, if any. */
static void ask_for_record(const crux_state_set *set, uint64_t hash_of_key)
{
	size_t const mask = set->slot_count - 1;
	size_t i = hash_of_key & mask;
	while (set->slots[i] && (set->slots[i] ^ hash_of_key) & UPPER_HALF)
		i = (i + 1) & mask;
	if (set->slots[i])
		__builtin_prefetch(crux_state_set_key(set, index_in(set->slots[i])));
}

/* Merges at most MERGED keys of so many words. What fits into a cache is not asked for. */
static inline __attribute__((always_inline)) size_t merge(crux_state_set *set, const uint64_t *keys, size_t words, bool is_narrow,
                                                          size_t count, uint32_t state_limit, uint32_t *indices)
{
	uint64_t hashes[MERGED + SLOTS_AHEAD];
	for (size_t i = 0; i < count; i++)
		hashes[i] = hash_words(keys + i * words, words);
	bool const is_large = crux_state_set_bytes(set) > CACHED;
	for (size_t i = count; i < count + SLOTS_AHEAD; i++)
		hashes[i] = hashes[count - 1];
	for (size_t i = 0; is_large && i < SLOTS_AHEAD; i++)
		ask_for_slot(set, hashes[i]);
	for (size_t i = 0; i < count; i++) {
		if (is_large) {
			ask_for_slot(set, hashes[i + SLOTS_AHEAD]);
			if (!is_narrow)
				ask_for_record(set, hashes[i + RECORDS_AHEAD]);
		}
		uint64_t const *const key = keys + i * words;
		size_t slot = slot_from(set, key, words, is_narrow, hashes[i]);
		if (!set->slots[slot]) {
			size_t const slot_count = set->slot_count;
			if (set->count >= state_limit || !grow_slots(set) || !grow_records(set))
				return i;
			if (set->slot_count != slot_count)
				slot = slot_from(set, key, words, is_narrow, hashes[i]);
			append(set, key, hashes[i], slot);
		}
		indices[i] = index_in(set->slots[slot]);
	}
	return count;
}

/* The same for the usual numbers of words each with code of its own. */
static size_t merge_some(crux_state_set *set, const uint64_t *keys, size_t count, uint32_t state_limit, uint32_t *indices)
{
	if (set->is_narrow)
		return merge(set, keys, 1, true, count, state_limit, indices);
	switch (set->words) {
	case 1:
		return merge(set, keys, 1, false, count, state_limit, indices);
	case 2:
		return merge(set, keys, 2, false, count, state_limit, indices);
	default:
		return merge(set, keys, set->words, false, count, state_limit, indices);
	}
}

size_t crux_state_set_merge(crux_state_set *set, const uint64_t *keys, size_t count, uint32_t state_limit,
                            uint32_t *indices)
{
	if (count > 0 && set->slot_count == 0 && !grow_slots(set))
		return 0;
	for (size_t done = 0; done < count;) {
		size_t const most = count - done < MERGED ? count - done : MERGED;
		size_t const merged = merge_some(set, keys + done * set->words, most, state_limit, indices + done);
		done += merged;
		if (merged < most)
			return done;
	}
	return count;
}

const uint64_t *crux_state_set_key(const crux_state_set *set, uint32_t index)
{
	return set->records + index * set->stride;
}

uint32_t *crux_state_set_notes(crux_state_set *set, uint32_t index)
{
	return (uint32_t *)(set->records + index * set->stride + set->words);
}

uint32_t crux_state_set_count(const crux_state_set *set)
{
	return set->count;
}

size_t crux_state_set_bytes(const crux_state_set *set)
{
	return sizeof *set + set->capacity * set->stride * sizeof *set->records + set->slot_count * sizeof *set->slots;
}
