/* Packing states into keys, and unpacking. */
#include "states/state_layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fault.h"

/* Bits of one element of a field. */
static size_t bits_of(const crux_state_field *field)
{
	uint64_t const last = (uint64_t)field->high - (uint64_t)field->low;
	return field->bits ? field->bits : last ? 64 - (size_t)__builtin_clzll(last) : 0;
}

/* Words of one unpacked element of a field. */
static size_t words_of(const crux_state_field *field)
{
	return field->bits ? field->bits / 64 + (field->bits % 64 != 0) : 1;
}

/* Adds the bits and values of a field; false with a fault when it is wrong. */
static bool measure(crux_state_layout *layout, const crux_state_field *field, crux_fault *fault)
{
	if (field->bits == 0 && field->low > field->high) {
		crux_fault_set(fault, "found the range %" PRId64 " to %" PRId64 ", expected the lower end first", field->low,
		               field->high);
		return false;
	}
	size_t const bits = bits_of(field), words = words_of(field);
	if (bits > CRUX_STATE_MAX_BITS || field->count > CRUX_STATE_MAX_BITS ||
	    bits * field->count > CRUX_STATE_MAX_BITS - layout->bits ||
	    words * field->count > CRUX_STATE_MAX_BITS - layout->values) {
		crux_fault_set(fault, "found a state of more than %d bits or values, expected a smaller one", CRUX_STATE_MAX_BITS);
		return false;
	}
	layout->bits += bits * field->count;
	layout->values += words * field->count;
	return true;
}

/* Adds the places of a field's values. */
static void add_places(crux_state_layout *layout, const crux_state_field *field)
{
	size_t const words = words_of(field);
	for (size_t i = 0; i < field->count * words; i++) {
		size_t const left = bits_of(field) - 64 * (i % words);
		unsigned const bits = left < 64 ? (unsigned)left : 64;
		layout->places[layout->values] =
			(crux_state_place){layout->bits / 64, layout->bits % 64, bits, field->bits ? 0 : field->low};
		layout->last[layout->values++] =
			field->bits ? UINT64_MAX >> (64 - bits) : (uint64_t)field->high - (uint64_t)field->low;
		layout->bits += bits;
	}
}

/* A layout of `values` places that are not yet set; NULL when memory is short. */
static crux_state_layout *allocate(size_t values)
{
	crux_state_layout *const layout = calloc(1, sizeof *layout + values * (sizeof *layout->places + sizeof *layout->last));
	if (!layout)
		return NULL;
	layout->places = (crux_state_place *)(layout + 1);
	layout->last = (uint64_t *)(layout->places + values);
	return layout;
}

crux_state_layout *crux_state_layout_new(const crux_state_field *fields, size_t field_count, crux_fault *fault)
{
	if (field_count == 0 || field_count > CRUX_STATE_MAX_BITS) {
		crux_fault_set(fault, "found a state of %zu fields, expected 1 to %d", field_count, CRUX_STATE_MAX_BITS);
		return NULL;
	}
	crux_state_layout whole = {0};
	for (size_t i = 0; i < field_count; i++)
		if (!measure(&whole, &fields[i], fault))
			return NULL;
	crux_state_layout *layout = allocate(whole.values);
	if (!layout) {
		crux_fault_set(fault, "out of memory");
		return NULL;
	}
	for (size_t i = 0; i < field_count; i++)
		add_places(layout, &fields[i]);
	layout->words = layout->bits ? (layout->bits + 63) / 64 : 1;
	return layout;
}

crux_state_layout *crux_state_layout_copy(const crux_state_layout *layout)
{
	crux_state_layout *const copy = allocate(layout->values);
	if (!copy)
		return NULL;
	copy->bits = layout->bits;
	copy->words = layout->words;
	copy->values = layout->values;
	memcpy(copy->places, layout->places, layout->values * sizeof *layout->places);
	memcpy(copy->last, layout->last, layout->values * sizeof *layout->last);
	return copy;
}

bool crux_state_layout_are_alike(const crux_state_layout *a, const crux_state_layout *b)
{
	return a->bits == b->bits && a->values == b->values &&
	       memcmp(a->places, b->places, a->values * sizeof *a->places) == 0 &&
	       memcmp(a->last, b->last, a->values * sizeof *a->last) == 0;
}

void crux_state_layout_free(crux_state_layout *layout) { free(layout); }

/* Stores a number at a place of a key whose bits there are 0. */
static void put_bits(uint64_t *key, crux_state_place at, uint64_t stored)
{
	if (at.bits == 0)
		return; /* the place may be after the last word */
	key[at.word] |= stored << at.shift;
	if (at.shift + at.bits > 64)
		key[at.word + 1] |= stored >> (64 - at.shift);
}

static uint64_t get_bits(const uint64_t *key, crux_state_place at)
{
	if (at.bits == 0)
		return 0;
	uint64_t stored = key[at.word] >> at.shift;
	if (at.shift + at.bits > 64)
		stored |= key[at.word + 1] << (64 - at.shift);
	return stored & UINT64_MAX >> (64 - at.bits);
}

size_t crux_state_layout_pack(const crux_state_layout *layout, const int64_t *values, uint64_t *key)
{
	memset(key, 0, layout->words * sizeof *key);
	for (size_t i = 0; i < layout->values; i++) {
		uint64_t const stored = (uint64_t)values[i] - (uint64_t)layout->places[i].low;
		if (stored > layout->last[i])
			return i;
		put_bits(key, layout->places[i], stored);
	}
	return layout->values;
}

void crux_state_layout_unpack(const crux_state_layout *layout, const uint64_t *key, int64_t *values)
{
	for (size_t i = 0; i < layout->values; i++)
		values[i] = (int64_t)(get_bits(key, layout->places[i]) + (uint64_t)layout->places[i].low);
}
