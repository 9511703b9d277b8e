/* A set of packed states in the order in which they came, with a few numbers kept beside each of them.
 *
 * Method: keys and notes lie in one array in order of insertion, so that an index names a state and a frontier is a
 * stretch of indices; a table of indices finds them, in buckets of a cache line, one after the other, at most 13 sixteenths
 * full. Each has half a hash with it, so that hardly a key is compared in vain; or, up to 32 bits, the key, so that none
 * need be. A state takes 8 bytes a word of its key, 4 a note (8 a pair), at most a quarter more of these for room, and 10
 * to 20 for its place in the table.
 *
 * The caller owns the set. No global state: one set belongs to one thread at a time. */
#ifndef CRUX_STATE_SET_H
#define CRUX_STATE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No state: the answer when there is none. A set holds fewer states than this. */
#define CRUX_STATE_NONE UINT32_MAX

typedef struct crux_state_set crux_state_set;

/* An empty set of keys of so many bits (at least 1; in the last word those above are 0) with so many notes each, that is to
 * take at most so many bytes. NULL when memory is short. */
crux_state_set *crux_state_set_new(size_t bits, size_t notes, size_t byte_limit);

/* NULL is allowed. */
void crux_state_set_free(crux_state_set *set);

/* Empties the set, which may keep a few megabytes for what comes, and gives it another limit on bytes. */
void crux_state_set_clear(crux_state_set *set, size_t byte_limit);

/* The index of a state, from 0; CRUX_STATE_NONE when it is not in the set. */
uint32_t crux_state_set_find(const crux_state_set *set, const uint64_t *key);

/* Adds a state that is not in the set, with notes of 0, and returns its index, which is the number of states so far;
 * CRUX_STATE_NONE, and the set as it was, when that takes more bytes than allowed or than there are. */
uint32_t crux_state_set_add(crux_state_set *set, const uint64_t *key);

/* Finds or adds states in order, so many keys one after the other, to a set of two notes each; notes are those of each key,
 * the first in the lower half, for the case that it is new. Unless it is NULL, indices gets the index of each. Returns how
 * many there was room for: the first key that is left is not in the set, and adding it would take more bytes than allowed
 * or than there are, or more than state_limit states. Much faster than one by one: memory is asked for ahead. */
size_t crux_state_set_merge(crux_state_set *set, const uint64_t *keys, const uint64_t *notes, size_t count,
                            uint32_t state_limit, uint32_t *indices);

/* The key and the notes of a state; the pointers are valid until the next crux_state_set_add. */
const uint64_t *crux_state_set_key(const crux_state_set *set, uint32_t index);
uint32_t *crux_state_set_notes(crux_state_set *set, uint32_t index);

uint32_t crux_state_set_count(const crux_state_set *set);
size_t crux_state_set_bytes(const crux_state_set *set); /* taken now */

#endif
