/* state_layout.c: packing against a reference that works bit by bit, ranges at their ends, limits. */
#include "states/state_layout.h"

#include <stdint.h>
#include <string.h>

#include "check.h"

enum { FIELDS = 8, VALUES = 400, WORDS = 200 };

static uint64_t state = 7;

static uint64_t random_word(void) { return check_word(&state); }

static crux_state_field random_field(void)
{
	crux_state_field field = {0, 0, 0, random_word() % 6};
	if (random_word() % 3 == 0) {
		field.bits = 1 + random_word() % 200;
	} else {
		uint64_t const span = random_word() >> random_word() % 64 & UINT64_MAX >> (random_word() % 4 ? 1 : 0);
		field.low = (int64_t)(random_word() >> random_word() % 64) - (random_word() % 2 ? 100 : 0);
		field.high = (int64_t)((uint64_t)field.low + span);
		if (field.high < field.low) {
			field.low = INT64_MIN;
			field.high = random_word() % 2 ? INT64_MAX : INT64_MIN;
		}
	}
	return field;
}

/* The bits that a number between two ends takes, by counting. */
static unsigned width(int64_t low, int64_t high)
{
	unsigned bits = 0;
	for (uint64_t span = (uint64_t)high - (uint64_t)low; span; span /= 2)
		bits++;
	return bits;
}

/* Fills values at random and `expected` with the key that they should have; returns its bits. */
static size_t reference(const crux_state_field *fields, int64_t *values, uint64_t *expected)
{
	size_t place = 0;
	memset(expected, 0, WORDS * sizeof *expected);
	for (size_t f = 0; f < FIELDS; f++) {
		for (size_t i = 0; i < fields[f].count; i++) {
			size_t left = fields[f].bits ? fields[f].bits : width(fields[f].low, fields[f].high);
			do {
				size_t const bits = left < 64 ? left : 64;
				uint64_t const span = (uint64_t)fields[f].high - (uint64_t)fields[f].low;
				uint64_t stored = bits ? random_word() >> (64 - bits) : 0;
				if (!fields[f].bits && stored > span)
					stored = random_word() % 2 ? span : 0;
				*values++ = (int64_t)(stored + (fields[f].bits ? 0 : (uint64_t)fields[f].low));
				for (size_t bit = 0; bit < bits; bit++, place++)
					if (stored >> bit & 1)
						expected[place / 64] |= UINT64_C(1) << place % 64;
				left -= bits;
			} while (left > 0);
		}
	}
	return place;
}

static void random_layouts(void)
{
	for (int round = 0; round < 2000; round++) {
		crux_state_field fields[FIELDS];
		int64_t values[VALUES], back[VALUES];
		uint64_t key[WORDS], expected[WORDS];
		crux_fault fault;
		for (int i = 0; i < FIELDS; i++)
			fields[i] = random_field();
		crux_state_layout *layout = crux_state_layout_new(fields, FIELDS, &fault);
		CHECK(layout != NULL);
		size_t const bits = reference(fields, values, expected), n = layout->values;
		size_t const words = layout->words;
		CHECK(layout->bits == bits && words == (bits ? (bits + 63) / 64 : 1));
		memset(key, 0xFF, sizeof key);
		CHECK(crux_state_layout_pack(layout, values, key) == n);
		CHECK(memcmp(key, expected, words * sizeof *key) == 0 && key[words] == UINT64_MAX);
		crux_state_layout_unpack(layout, key, back);
		CHECK(memcmp(values, back, n * sizeof *values) == 0);
		crux_state_layout_free(layout);
	}
}

/* One value is one step outside its range: pack returns its index. */
static void ranges(void)
{
	static crux_state_field const fields[] = {
	    {0, 1, 0, 2}, {-5, 40, 0, 1}, {0, 0, 70, 2}, {7, 7, 0, 1}, {INT64_MIN, INT64_MAX, 0, 1}, {0, 0, 128, 1},
	};
	static int64_t const good[] = {0, 1, -5, -1, 63, 0, 0, 7, INT64_MIN, -1, -1};
	static struct {
		size_t place;
		int64_t value;
	} const bad[] = {{0, -1}, {1, 2}, {2, -6}, {2, 41}, {4, 64}, {6, -1}, {7, 6}, {7, 8}, {2, INT64_MAX}, {2, INT64_MIN}};
	crux_fault fault;
	uint64_t key[8];
	crux_state_layout *layout = crux_state_layout_new(fields, sizeof fields / sizeof *fields, &fault);
	size_t const n = sizeof good / sizeof *good;
	CHECK(layout->values == n && layout->bits == 2 + 6 + 140 + 64 + 128);
	CHECK(crux_state_layout_pack(layout, good, key) == n);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		int64_t values[sizeof good / sizeof *good];
		memcpy(values, good, sizeof good);
		values[bad[i].place] = bad[i].value;
		CHECK(crux_state_layout_pack(layout, values, key) == bad[i].place);
	}
	crux_state_layout_free(layout);
}

static void limits(void)
{
	static struct {
		crux_state_field field;
		size_t count;
		bool fits;
	} const cases[] = {
	    {{0, 1, 0, CRUX_STATE_MAX_BITS}, 1, true},
	    {{0, 1, 0, CRUX_STATE_MAX_BITS}, 2, false},
	    {{0, 1, 0, CRUX_STATE_MAX_BITS + 1}, 1, false},
	    {{3, 3, 0, CRUX_STATE_MAX_BITS}, 1, true}, /* no bit, but values */
	    {{3, 3, 0, CRUX_STATE_MAX_BITS}, 2, false},
	    {{0, 0, CRUX_STATE_MAX_BITS, 1}, 1, true},
	    {{0, 0, CRUX_STATE_MAX_BITS / 2 + 1, 1}, 2, false},
	    {{0, 0, SIZE_MAX, 1}, 1, false},
	    {{0, 0, SIZE_MAX, SIZE_MAX}, 1, false},
	    {{0, 0, 2, SIZE_MAX / 2 + 1}, 1, false},
	    {{0, 1, 0, SIZE_MAX}, 1, false},
	    {{0, 1, 0, 0}, 1, true},
	    {{1, 0, 0, 1}, 1, false},
	    {{1, 0, 0, 1}, 0, false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		crux_fault fault = {""};
		crux_state_field const fields[] = {cases[i].field, cases[i].field};
		crux_state_layout *layout = crux_state_layout_new(fields, cases[i].count, &fault);
		CHECK((layout != NULL) == cases[i].fits && (fault.message[0] == '\0') == cases[i].fits);
		crux_state_layout_free(layout);
	}
	crux_state_layout_free(NULL);
}

/* Layouts are alike when they have the same ranges of values; a copy is like its layout. */
static void alike(void)
{
	static crux_state_field const fields[][2] = {
	    {{0, 9, 0, 1}, {0, 0, 70, 1}}, {{1, 10, 0, 1}, {0, 0, 70, 1}}, {{0, 10, 0, 1}, {0, 0, 70, 1}},
	    {{0, 9, 0, 2}, {0, 0, 70, 1}}, {{0, 9, 0, 1}, {0, 0, 71, 1}}, {{0, 9, 0, 1}, {0, 0, 70, 2}},
	};
	enum { COUNT = sizeof fields / sizeof *fields };
	crux_state_layout *layouts[COUNT];
	for (int i = 0; i < COUNT; i++)
		layouts[i] = crux_state_layout_new(fields[i], 2, NULL);
	for (int i = 0; i < COUNT; i++) {
		crux_state_layout *const copy = crux_state_layout_copy(layouts[i]);
		for (int k = 0; k < COUNT; k++)
			CHECK(crux_state_layout_are_alike(copy, layouts[k]) == (i == k));
		crux_state_layout_free(copy);
	}
	for (int i = 0; i < COUNT; i++)
		crux_state_layout_free(layouts[i]);
}

int main(void)
{
	random_layouts();
	ranges();
	limits();
	alike();
	return check_summary();
}
