/* How a state is packed into a key: words of 64 bits in which each value takes only the bits that its range needs.
 *
 * A state is a row of values in plain words, field after field: a number takes one, a piece of n plain bits takes
 * (n + 63) / 64, lowest bit first. Two states are equal exactly when their keys are.
 *
 * The caller owns the layout and the arrays; a layout never changes, so that threads may share one. */
#ifndef CRUX_STATE_LAYOUT_H
#define CRUX_STATE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crux.h"

/* The most bits, fields and values of a state: more than any search can go through (a million such states are 1.3 GB). */
#define CRUX_STATE_MAX_BITS 10000

typedef struct crux_state_field {
	int64_t low, high; /* the range of a number, both ends included; a flag is a number from 0 to 1 */
	size_t bits;       /* above 0: no number but so many plain bits */
	size_t count;      /* how many of them there are in a row; may be 0 */
} crux_state_field;

typedef struct crux_state_layout crux_state_layout;

/* NULL when there is no field, a range is empty, the state takes too much, or memory is short. */
crux_state_layout *crux_state_layout_new(const crux_state_field *fields, size_t field_count, crux_fault *fault);

/* NULL is allowed. */
void crux_state_layout_free(crux_state_layout *layout);

size_t crux_state_layout_bits(const crux_state_layout *layout);
size_t crux_state_layout_words(const crux_state_layout *layout);  /* of a key; at least 1 */
size_t crux_state_layout_values(const crux_state_layout *layout); /* words of an unpacked state */

/* Where a value lies in a key: `bits` bits (which may be none) from bit `shift` of a word on, and in the next one's lowest
 * when there are more; stored is what it is above `low`. */
typedef struct crux_state_place {
	size_t word;
	unsigned shift, bits;
	int64_t low;
} crux_state_place;

/* The places of the values, which live as long as the layout. */
const crux_state_place *crux_state_layout_places(const crux_state_layout *layout);

/* Packs values into key. Returns the number of values; when one is outside its range, or a bit is set that its field
 * does not have, the place of the first such value, and the key is undefined. */
size_t crux_state_layout_pack(const crux_state_layout *layout, const int64_t *values, uint64_t *key);

void crux_state_layout_unpack(const crux_state_layout *layout, const uint64_t *key, int64_t *values);

#endif
