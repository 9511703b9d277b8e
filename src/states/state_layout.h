/* Layouts of keys: words of 64 bits into which a state is packed, each value in only the bits that its range needs.
 *
 * An unpacked state is an array of words, field after field: a number takes one word, a field of n plain bits takes
 * (n + 63) / 64 words, lowest bit first. Two states are equal exactly when their keys are equal.
 *
 * The caller owns the layout and the arrays; a layout never changes, so threads may share it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crux.h"

/* The limit on bits, fields and values of a state: a million such states take 1.3 GB. */
#define CRUX_STATE_MAX_BITS 10000

typedef struct crux_state_field {
	int64_t low, high; /* the range of a number, both ends included; a flag is a number from 0 to 1 */
	size_t bits;       /* 0 for a number; else the number of plain bits */
	size_t count;      /* of consecutive elements; may be 0 */
} crux_state_field;

/* The place of a value in a key: `bits` bits (0 to 64) from bit `shift` of a word on, continued in the lowest bits of the next
 * word. It stores the value less `low`. */
typedef struct crux_state_place {
	size_t word;
	unsigned shift, bits;
	int64_t low;
} crux_state_place;

typedef struct crux_state_layout {
	size_t bits, words;       /* of a key; at least 1 word */
	size_t values;            /* words of an unpacked state */
	crux_state_place *places; /* of the values */
	uint64_t *last;           /* the largest number that each place may store */
} crux_state_layout;

/* NULL with a fault when there is no field, a range is empty, the state is too large, or memory is short. */
crux_state_layout *crux_state_layout_new(const crux_state_field *fields, size_t field_count, crux_fault *fault);

/* NULL when memory is short. */
crux_state_layout *crux_state_layout_copy(const crux_state_layout *layout);

/* True when both pack the same values in the same way. */
bool crux_state_layout_are_alike(const crux_state_layout *a, const crux_state_layout *b);

/* NULL is allowed. */
void crux_state_layout_free(crux_state_layout *layout);

/* Packs values into a key and returns the number of values. When a value is outside its range, or has a bit that its field does
 * not have, returns the index of the first such value, and the key is undefined. */
size_t crux_state_layout_pack(const crux_state_layout *layout, const int64_t *values, uint64_t *key);

void crux_state_layout_unpack(const crux_state_layout *layout, const uint64_t *key, int64_t *values);
