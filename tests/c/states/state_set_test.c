/* state_set.c: against a plain list, over growth, with keys that collide in all but a bit; limits. */
#include "states/state_set.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static uint64_t state = 11;

static uint64_t random_word(void) { return check_word(&state); }

/* Few different keys, in the words that `varying` names, so that many come twice; the plain list is searched from its
 * front. */
static void against_a_list(size_t bits, size_t notes, size_t varying, uint64_t different)
{
	enum { ROUNDS = 3000 };
	size_t const words = (bits + 63) / 64;
	crux_state_set *set = crux_state_set_new(bits, notes, SIZE_MAX);
	uint64_t *const list = calloc(ROUNDS, words * sizeof *list), *const key = calloc(words, sizeof *key);
	uint32_t count = 0;
	bool right = true;
	CHECK(crux_state_set_find(set, key) == CRUX_STATE_NONE);
	for (int round = 0; round < ROUNDS; round++) {
		key[varying] = (random_word() % different << (bits - 4) % 64 | random_word() % different) & UINT64_MAX >> (64 - bits % 64) % 64;
		uint32_t expected = 0;
		while (expected < count && memcmp(list + expected * words, key, words * sizeof *key) != 0)
			expected++;
		uint32_t const found = crux_state_set_find(set, key);
		if (expected < count) {
			right = right && found == expected;
			continue;
		}
		right = right && found == CRUX_STATE_NONE && crux_state_set_add(set, key) == count;
		memcpy(list + count * words, key, words * sizeof *key);
		for (size_t i = 0; i < notes; i++) {
			uint32_t *const note = crux_state_set_notes(set, count) + i;
			right = right && *note == 0;
			*note = count * 31 + (uint32_t)i;
		}
		right = right && crux_state_set_find(set, key) == count;
		count++;
	}
	CHECK(right && crux_state_set_count(set) == count && count > 50 && count < ROUNDS);
	for (uint32_t i = 0; i < count; i++) {
		right = right && memcmp(crux_state_set_key(set, i), list + i * words, words * sizeof *key) == 0;
		for (size_t note = 0; note < notes; note++)
			right = right && crux_state_set_notes(set, i)[note] == i * 31 + note;
	}
	CHECK(right);
	free(list);
	free(key);
	crux_state_set_free(set);
}

/* Merging batches gives what adding one by one does, to the limit. */
static void merging(size_t bits, uint32_t limit)
{
	enum { BATCH = 3000, BATCHES = 5 };
	static uint64_t keys[BATCH * 2];
	static uint32_t indices[BATCH];
	static uint64_t notes[BATCH];
	size_t const words = (bits + 63) / 64;
	crux_state_set *const merged = crux_state_set_new(bits, 2, SIZE_MAX), *const added = crux_state_set_new(bits, 2, SIZE_MAX);
	bool right = true;
	for (int batch = 0; batch < BATCHES; batch++) {
		for (size_t i = 0; i < BATCH * words; i++)
			keys[i] = random_word() >> (64 - (bits - 64 * (words - 1))) & (words == 2 ? 0x7f : 0xffff003f);
		for (uint64_t i = 0; i < BATCH; i++)
			notes[i] = i << 32 | (uint64_t)batch;
		size_t const count = crux_state_set_merge(merged, keys, notes, BATCH, limit, indices);
		for (size_t i = 0; i < count; i++) {
			uint32_t index = crux_state_set_find(added, keys + i * words);
			if (index == CRUX_STATE_NONE) {
				index = crux_state_set_add(added, keys + i * words);
				right = right && crux_state_set_notes(merged, index)[0] == (uint32_t)batch && crux_state_set_notes(merged, index)[1] == i;
			}
			right = right && index == indices[i] && memcmp(crux_state_set_key(merged, index), keys + i * words, words * sizeof *keys) == 0;
		}
		right = right && crux_state_set_count(added) == crux_state_set_count(merged);
		if (count < BATCH)
			right = right && crux_state_set_count(merged) == limit && crux_state_set_find(merged, keys + count * words) == CRUX_STATE_NONE;
	}
	CHECK(right && (crux_state_set_count(merged) == limit || limit > BATCH * BATCHES));
	crux_state_set_free(merged);
	crux_state_set_free(added);
}

/* A million states of 2 numbers in one word take as many bytes as the header says, and are all found again. */
static void many(void)
{
	enum { COUNT = 1000000 };
	crux_state_set *set = crux_state_set_new(64, 2, SIZE_MAX);
	bool right = true;
	size_t largest = 0;
	for (uint64_t i = 0; i < COUNT; i++) {
		uint64_t const key = i % 1000 << 32 | i / 1000;
		right = right && crux_state_set_find(set, &key) == CRUX_STATE_NONE && crux_state_set_add(set, &key) == i;
		if (i > 1000 && crux_state_set_bytes(set) / (i + 1) > largest)
			largest = crux_state_set_bytes(set) / (i + 1);
	}
	for (uint64_t i = 0; i < COUNT; i++) {
		uint64_t const key = i % 1000 << 32 | i / 1000;
		right = right && crux_state_set_find(set, &key) == i;
	}
	uint64_t const other = 1000;
	CHECK(right && crux_state_set_find(set, &other) == CRUX_STATE_NONE);
	CHECK(largest <= 16 * 5 / 4 + 20); /* right after growing by half */
	crux_state_set_free(set);
}

/* Every limit holds; states added before remain, and adding again fails again. */
static void byte_limits(void)
{
	for (size_t limit = 0; limit < 20000; limit += 333) {
		crux_state_set *set = crux_state_set_new(3 * 64, 1, limit);
		uint64_t key[3] = {0, 5, 0};
		uint32_t count = 0;
		while (key[2] = count, crux_state_set_add(set, key) == count) {
			CHECK(crux_state_set_bytes(set) <= limit);
			count++;
		}
		CHECK(crux_state_set_count(set) == count && (count > 0) == (limit > 500));
		CHECK(limit < 4000 || count >= limit / 80); /* no more than half of the limit is left unused: 32 + 6 bytes a state */
		CHECK(crux_state_set_add(set, key) == CRUX_STATE_NONE && crux_state_set_find(set, key) == CRUX_STATE_NONE);
		bool right = true;
		for (uint32_t i = 0; i < count; i++) {
			key[2] = i;
			right = right && crux_state_set_find(set, key) == i;
		}
		CHECK(right);
		crux_state_set_free(set);
	}
	crux_state_set_free(NULL);
}

int main(void)
{
	against_a_list(64, 0, 0, 40);
	against_a_list(61, 1, 0, 40);
	against_a_list(32, 2, 0, 40);
	against_a_list(33, 2, 0, 40);
	against_a_list(128, 2, 1, 40);
	against_a_list(3 * 64, 5, 0, 30);
	against_a_list(157 * 64, 3, 156, 40);
	for (uint32_t limit = 200; limit < 100000; limit *= 20) {
		merging(32, limit);
		merging(40, limit);
		merging(128, limit);
	}
	many();
	byte_limits();
	return check_summary();
}
