/* Packing states into keys: values to bits and back. */
#include "state_layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"

typedef struct field {
	int64_t low;   /* stored is what a value is above it */
	uint64_t last; /* the most that may be stored of a value, of plain bits in their last word; the others are full */
	size_t words;  /* of one element */
	size_t bits;
	size_t count;
} field;

struct crux_state_layout {
	size_t bits, values, field_count;
	field fields[];
};

/* Fills a field and adds its bits and values to the layout; false when it is wrong. */
static bool add_field(crux_state_layout *layout, const crux_state_field *from, crux_fault *fault)
{
	field *to = &layout->fields[layout->field_count++];
	if (from->bits == 0 && from->low > from->high) {
		crux_fault_set(fault, "found the range %" PRId64 " to %" PRId64 ", expected the lower end first", from->low,
		               from->high);
		return false;
	}
	to->count = from->count;
	if (from->bits == 0) {
		to->low = from->low;
		to->last = (uint64_t)from->high - (uint64_t)from->low;
		to->bits = to->last ? 64 - (size_t)__builtin_clzll(to->last) : 0;
		to->words = 1;
	} else {
		to->last = UINT64_MAX >> (64 - from->bits % 64) % 64;
		to->bits = from->bits;
		to->words = from->bits / 64 + (from->bits % 64 != 0);
	}
	size_t const most = to->bits > to->words ? to->bits : to->words;
	if (most > CRUX_STATE_MAX_BITS || to->count > CRUX_STATE_MAX_BITS ||
	    to->bits * to->count > CRUX_STATE_MAX_BITS - layout->bits ||
	    to->words * to->count > CRUX_STATE_MAX_BITS - layout->values) {
		crux_fault_set(fault, "found a state of more than %d bits or values, expected a smaller one", CRUX_STATE_MAX_BITS);
		return false;
	}
	layout->bits += to->bits * to->count;
	layout->values += to->words * to->count;
	return true;
}

crux_state_layout *crux_state_layout_new(const crux_state_field *fields, size_t field_count, crux_fault *fault)
{
	if (field_count == 0 || field_count > CRUX_STATE_MAX_BITS) {
		crux_fault_set(fault, "found a state of %zu fields, expected 1 to %d", field_count, CRUX_STATE_MAX_BITS);
		return NULL;
	}
	crux_state_layout *layout = calloc(1, sizeof *layout + field_count * sizeof *layout->fields);
	if (!layout) {
		crux_fault_set(fault, "out of memory");
		return NULL;
	}
	for (size_t i = 0; i < field_count; i++) {
		if (!add_field(layout, &fields[i], fault)) {
			free(layout);
			return NULL;
		}
	}
	return layout;
}

void crux_state_layout_free(crux_state_layout *layout)
{
	free(layout);
}

size_t crux_state_layout_bits(const crux_state_layout *layout)
{
	return layout->bits;
}

size_t crux_state_layout_words(const crux_state_layout *layout)
{
	return layout->bits ? (layout->bits + 63) / 64 : 1;
}

size_t crux_state_layout_values(const crux_state_layout *layout)
{
	return layout->values;
}

/* The bits that word number `word` of an element takes. */
static unsigned bits_of_word(const field *f, size_t word)
{
	size_t const left = f->bits - 64 * word;
	return left < 64 ? (unsigned)left : 64;
}

/* Writes the lowest bits of value at that place of a key whose bits there are 0. */
static void put_bits(uint64_t *key, size_t place, unsigned bits, uint64_t value)
{
	if (bits == 0)
		return; /* the place may be behind the last word */
	unsigned const shift = place % 64;
	key[place / 64] |= value << shift;
	if (shift + bits > 64)
		key[place / 64 + 1] |= value >> (64 - shift);
}

static uint64_t get_bits(const uint64_t *key, size_t place, unsigned bits)
{
	if (bits == 0)
		return 0;
	unsigned const shift = place % 64;
	uint64_t value = key[place / 64] >> shift;
	if (shift + bits > 64)
		value |= key[place / 64 + 1] << (64 - shift);
	return value & UINT64_MAX >> (64 - bits);
}

size_t crux_state_layout_pack(const crux_state_layout *layout, const int64_t *values, uint64_t *key)
{
	size_t place = 0, done = 0;
	memset(key, 0, crux_state_layout_words(layout) * sizeof *key);
	for (field const *f = layout->fields; f < layout->fields + layout->field_count; f++) {
		for (size_t i = 0; i < f->count * f->words; i++, done++) {
			size_t const word = i % f->words;
			uint64_t const stored = (uint64_t)values[done] - (uint64_t)f->low;
			if (word + 1 == f->words && stored > f->last)
				return done;
			unsigned const bits = bits_of_word(f, word);
			put_bits(key, place, bits, stored);
			place += bits;
		}
	}
	return done;
}

void crux_state_layout_unpack(const crux_state_layout *layout, const uint64_t *key, int64_t *values)
{
	size_t place = 0;
	for (field const *f = layout->fields; f < layout->fields + layout->field_count; f++) {
		for (size_t i = 0; i < f->count * f->words; i++) {
			unsigned const bits = bits_of_word(f, i % f->words);
			*values++ = (int64_t)(get_bits(key, place, bits) + (uint64_t)f->low);
			place += bits;
		}
	}
}

void crux_state_layout_places(const crux_state_layout *layout, crux_state_place *places)
{
	size_t first = 0;
	for (field const *f = layout->fields; f < layout->fields + layout->field_count; f++) {
		for (size_t i = 0; i < f->count * f->words; i++) {
			*places++ = (crux_state_place){first, bits_of_word(f, i % f->words), f->low};
			first += places[-1].bits;
		}
	}
}
