/* A set of packed states: an array of keys and notes, and a hash table of indices into it. */
#include "states/state_set.h"

#include "port/prefetch.h"
#include "states/key_hash.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { BUCKET = 8, FIRST_BUCKETS = 8, LINE = 64 }; /* FIRST_BUCKETS: a power of 2, as all sizes of the table */

/* A cache line of the table; used entries come first. */
typedef struct bucket {
	uint32_t tags[BUCKET];    /* half a hash, or a narrow key */
	uint32_t entries[BUCKET]; /* index + 1; 0: empty */
} bucket;

struct crux_state_set {
	size_t words, stride; /* of a key; of a key with its notes, in words as well */
	bool is_narrow;       /* keys have at most 32 bits */
	size_t byte_limit;
	uint64_t *records;
	size_t capacity, record_room; /* records in use and free; records allocated, which may be more */
	void *table;                  /* the allocated block, LINE bytes larger than the buckets, */
	bucket *buckets;              /* which start at a cache line of it */
	size_t bucket_count, bucket_room;
	unsigned shift; /* from a hash to a bucket */
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

static void release(crux_state_set *set)
{
	free(set->records);
	free(set->table);
	set->records = NULL;
	set->table = NULL;
	set->record_room = set->bucket_room = 0;
}

void crux_state_set_free(crux_state_set *set)
{
	if (!set)
		return;
	release(set);
	free(set);
}

enum { REUSED = 4 * 1024 * 1024 }; /* bytes that clear does not free */

void crux_state_set_clear(crux_state_set *set, size_t byte_limit)
{
	if (crux_state_set_bytes(set) > REUSED)
		release(set);
	set->capacity = set->bucket_count = 0;
	set->count = 0;
	set->byte_limit = byte_limit;
}

/* Its upper bits choose the bucket. */
static uint64_t hash(const crux_state_set *set, const uint64_t *key)
{
	return crux_key_hash(key, set->words, 0);
}

/* The bucket at which the search for a key begins. */
static inline size_t home_of(const crux_state_set *set, uint64_t hash_of_key)
{
	return (size_t)(hash_of_key >> set->shift);
}

static inline uint32_t tag_of(const uint64_t *key, uint64_t hash_of_key, bool is_narrow)
{
	return (uint32_t)(is_narrow ? key[0] : hash_of_key);
}

/* Bit i is set when row[i] is the value. */
static inline unsigned matches(const uint32_t *row, uint32_t value)
{
#ifdef __SSE2__
	__m128i const wanted = _mm_set1_epi32((int)value);
	__m128i const first = _mm_cmpeq_epi32(_mm_loadu_si128((const __m128i *)row), wanted);
	__m128i const second = _mm_cmpeq_epi32(_mm_loadu_si128((const __m128i *)(row + 4)), wanted);
	return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(first)) | (unsigned)_mm_movemask_ps(_mm_castsi128_ps(second)) << 4;
#else
	unsigned found = 0;
	for (unsigned i = 0; i < BUCKET; i++)
		found |= (unsigned)(row[i] == value) << i;
	return found;
#endif
}

static inline bool are_equal(const uint64_t *a, const uint64_t *b, size_t words)
{
	uint64_t difference = 0;
	for (size_t i = 0; i < words; i++)
		difference |= a[i] ^ b[i];
	return difference == 0;
}

/* The place of a key in the table, or the first empty place for it. */
typedef struct place {
	bucket *in;
	unsigned at;
} place;

/* The place of a key of `words` words in a table that has room. */
static inline place place_from(const crux_state_set *set, const uint64_t *key, size_t words, bool is_narrow,
                               uint64_t hash_of_key)
{
	size_t const mask = set->bucket_count - 1;
	uint32_t const tag = tag_of(key, hash_of_key, is_narrow);
	for (size_t i = home_of(set, hash_of_key);; i = (i + 1) & mask) {
		bucket *const in = &set->buckets[i];
		for (unsigned found = matches(in->tags, tag); found; found &= found - 1) {
			unsigned const at = (unsigned)__builtin_ctz(found);
			uint32_t const entry = in->entries[at];
			if (entry && (is_narrow || are_equal(set->records + (entry - 1) * set->stride, key, words)))
				return (place){in, at};
		}
		unsigned const empty = matches(in->entries, 0);
		if (empty)
			return (place){in, (unsigned)__builtin_ctz(empty)};
	}
}

uint32_t crux_state_set_find(const crux_state_set *set, const uint64_t *key)
{
	if (set->count == 0)
		return CRUX_STATE_NONE;
	place const found = place_from(set, key, set->words, set->is_narrow, hash(set, key));
	return found.in->entries[found.at] - 1; /* empty: 0 - 1, which is NONE */
}

/* The number of keys whose buckets are prefetched together, and before the next ones their records, and before the next ones the keys
 * are looked for; the number of keys merged at once. */
enum { TOGETHER = 16, MERGED = 1024 };

enum { CACHED = 512 * 1024 }; /* bytes of a set that is not prefetched */

static inline void prefetch_bucket(const crux_state_set *set, uint64_t hash_of_key)
{
	crux_prefetch(&set->buckets[home_of(set, hash_of_key)]);
}

/* Enters all states into the empty table. */
static void fill_table(crux_state_set *set)
{
	enum { MOST = 4 * TOGETHER };
	uint64_t hashes[MOST];
	for (size_t first = 0; first < set->count; first += MOST) {
		size_t const count = set->count - first < MOST ? set->count - first : MOST;
		for (size_t i = 0; i < count; i++) {
			hashes[i] = hash(set, crux_state_set_key(set, (uint32_t)(first + i)));
			prefetch_bucket(set, hashes[i]);
		}
		for (size_t i = 0; i < count; i++) {
			size_t to = home_of(set, hashes[i]);
			unsigned empty;
			while (!(empty = matches(set->buckets[to].entries, 0)))
				to = (to + 1) & (set->bucket_count - 1);
			unsigned const at = (unsigned)__builtin_ctz(empty);
			set->buckets[to].tags[at] = tag_of(crux_state_set_key(set, (uint32_t)(first + i)), hashes[i], set->is_narrow);
			set->buckets[to].entries[at] = (uint32_t)(first + i + 1);
		}
	}
}

/* Makes room for one more entry in the table; false, and the table unchanged, when the limit is met or memory is short. The
 * table is filled again after it grows, so no second table is needed. */
static bool grow_table(crux_state_set *set)
{
	if (set->count < set->bucket_count * BUCKET / 16 * 13)
		return true;
	size_t const count = set->bucket_count ? 2 * set->bucket_count : FIRST_BUCKETS;
	size_t const more = (count - set->bucket_count) * sizeof *set->buckets;
	if (crux_state_set_bytes(set) > set->byte_limit || more > set->byte_limit - crux_state_set_bytes(set))
		return false;
	if (count > set->bucket_room) {
		void *const table = realloc(set->table, count * sizeof *set->buckets + LINE);
		if (!table)
			return false;
		set->table = table;
		set->buckets = (bucket *)((char *)table + (LINE - (uintptr_t)table % LINE));
		set->bucket_room = count;
	}
	memset(set->buckets, 0, count * sizeof *set->buckets);
	set->bucket_count = count;
	set->shift = 64 - (unsigned)__builtin_ctzll(count);
	fill_table(set);
	return true;
}

/* Makes room for one more record, and for a quarter more if the limit allows; false when none fits. */
static bool grow_records(crux_state_set *set)
{
	if (set->count < set->capacity)
		return true;
	size_t const record = set->stride * sizeof *set->records;
	size_t const used = crux_state_set_bytes(set);
	size_t const room = used < set->byte_limit ? (set->byte_limit - used) / record : 0;
	size_t more = set->capacity / 4 + FIRST_BUCKETS * BUCKET / 2;
	if (more > room)
		more = room;
	if (more > CRUX_STATE_NONE - set->capacity)
		more = CRUX_STATE_NONE - set->capacity;
	if (more == 0 || set->capacity + more > SIZE_MAX / record)
		return false;
	if (set->capacity + more > set->record_room) {
		uint64_t *const records = realloc(set->records, (set->capacity + more) * record);
		if (!records)
			return false;
		set->records = records;
		set->record_room = set->capacity + more;
	}
	set->capacity += more;
	return true;
}

/* Enters a state at a place of the table, with room for its record, and returns the address of its notes. */
static inline uint64_t *enter(crux_state_set *set, const uint64_t *key, size_t words, bool is_narrow, uint64_t hash_of_key,
                              place to)
{
	uint64_t *const record = set->records + set->count * set->stride;
	for (size_t i = 0; i < words; i++)
		record[i] = key[i];
	to.in->tags[to.at] = tag_of(key, hash_of_key, is_narrow);
	to.in->entries[to.at] = ++set->count;
	return record + words;
}

uint32_t crux_state_set_add(crux_state_set *set, const uint64_t *key)
{
	if (!grow_table(set) || !grow_records(set))
		return CRUX_STATE_NONE;
	uint64_t const h = hash(set, key);
	place const to = place_from(set, key, set->words, set->is_narrow, h);
	uint64_t *const notes = enter(set, key, set->words, set->is_narrow, h, to);
	memset(notes, 0, (set->stride - set->words) * sizeof *notes);
	return set->count - 1;
}

/* Prefetches the record with which a key will be compared, if any. */
static inline void prefetch_record(const crux_state_set *set, uint64_t hash_of_key)
{
	bucket const *const home = &set->buckets[home_of(set, hash_of_key)];
	unsigned const found = matches(home->tags, (uint32_t)hash_of_key);
	if (found && home->entries[__builtin_ctz(found)]) {
		uint64_t const *const key = crux_state_set_key(set, home->entries[__builtin_ctz(found)] - 1);
		crux_prefetch(key);
		crux_prefetch(key + set->words - 1); /* may be on the next cache line */
	}
}

/* Merges at most MERGED keys of `words` words; prefetches unless the set fits into a cache. */
static inline __attribute__((always_inline)) size_t merge(crux_state_set *set, const uint64_t *keys, const uint64_t *notes,
                                                          size_t words, bool is_narrow, size_t count, uint32_t state_limit,
                                                          uint32_t *indices)
{
	uint64_t hashes[MERGED];
	for (size_t i = 0; i < count; i++)
		hashes[i] = crux_key_hash(keys + i * words, words, 0);
	bool const is_large = crux_state_set_bytes(set) > CACHED;
	size_t next_bucket = 0, next_record = 0;
	for (size_t i = 0; i < count; i++) {
		if (is_large && i % TOGETHER == 0) {
			for (; next_bucket < count && next_bucket < i + 4 * TOGETHER; next_bucket++)
				prefetch_bucket(set, hashes[next_bucket]);
			for (; !is_narrow && next_record < count && next_record < i + 2 * TOGETHER; next_record++)
				prefetch_record(set, hashes[next_record]);
		}
		uint64_t const *const key = keys + i * words;
		place found = place_from(set, key, words, is_narrow, hashes[i]);
		if (!found.in->entries[found.at]) {
			size_t const bucket_count = set->bucket_count;
			if (set->count >= state_limit || !grow_table(set) || !grow_records(set))
				return i;
			if (set->bucket_count != bucket_count)
				found = place_from(set, key, words, is_narrow, hashes[i]);
			uint32_t *const to = (uint32_t *)enter(set, key, words, is_narrow, hashes[i], found);
			to[0] = (uint32_t)notes[i];
			to[1] = (uint32_t)(notes[i] >> 32);
		}
		if (indices)
			indices[i] = found.in->entries[found.at] - 1;
	}
	return count;
}

/* Calls merge, which is inlined, so that the usual numbers of words become constants. */
static size_t merge_some(crux_state_set *set, const uint64_t *keys, const uint64_t *notes, size_t count,
                         uint32_t state_limit, uint32_t *indices)
{
	if (set->is_narrow)
		return merge(set, keys, notes, 1, true, count, state_limit, indices);
	switch (set->words) {
	case 1:
		return merge(set, keys, notes, 1, false, count, state_limit, indices);
	case 2:
		return merge(set, keys, notes, 2, false, count, state_limit, indices);
	case 3:
		return merge(set, keys, notes, 3, false, count, state_limit, indices);
	default:
		return merge(set, keys, notes, set->words, false, count, state_limit, indices);
	}
}

size_t crux_state_set_merge(crux_state_set *set, const uint64_t *keys, const uint64_t *notes, size_t count,
                            uint32_t state_limit, uint32_t *indices)
{
	if (count > 0 && set->bucket_count == 0 && !grow_table(set))
		return 0;
	for (size_t done = 0; done < count;) {
		size_t const limit = count - done < MERGED ? count - done : MERGED;
		uint32_t *const its_indices = indices ? indices + done : NULL;
		size_t const merged = merge_some(set, keys + done * set->words, notes + done, limit, state_limit, its_indices);
		done += merged;
		if (merged < limit)
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

uint32_t crux_state_set_count(const crux_state_set *set) { return set->count; }

size_t crux_state_set_bytes(const crux_state_set *set)
{
	return sizeof *set + set->capacity * set->stride * sizeof *set->records + set->bucket_count * sizeof *set->buckets;
}
