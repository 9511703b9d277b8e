/* A set of packed states in order of insertion, each with a fixed number of notes: integers of 32 bits.
 *
 * Method: keys and notes are one array in order of insertion, so an index names a state and a frontier is a range of indices.
 * A hash table of indices finds states, with linear probing over buckets of a cache line, at most 13/16 full. Each entry has
 * half of the hash, so that few other keys are compared; or the key itself when it has at most 32 bits, so that none are. A
 * state takes 8 bytes per word of its key, 4 per note (8 per pair), up to a quarter more for room, and 10 to 20 for its entry.
 *
 * The caller owns the set. No global state: one set belongs to one thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The index of no state. A set holds fewer states than this. */
#define CRUX_STATE_NONE UINT32_MAX

typedef struct crux_state_set crux_state_set;

/* An empty set of keys of `bits` bits (at least 1; unused bits of the last word are 0), each with `notes` notes, of at most
 * byte_limit bytes. NULL when memory is short. */
crux_state_set *crux_state_set_new(size_t bits, size_t notes, size_t byte_limit);

/* NULL is allowed. */
void crux_state_set_free(crux_state_set *set);

/* Empties the set, which may keep 4 MiB allocated, and sets its limit on bytes. */
void crux_state_set_clear(crux_state_set *set, size_t byte_limit);

/* The index of a state, from 0; CRUX_STATE_NONE when it is not in the set. */
uint32_t crux_state_set_find(const crux_state_set *set, const uint64_t *key);

/* Adds a state that is not in the set, with notes of 0, and returns its index, the number of states before it;
 * CRUX_STATE_NONE, and the set unchanged, when the limit on bytes is met or memory is short. */
uint32_t crux_state_set_add(crux_state_set *set, const uint64_t *key);

/* Finds or adds `count` states in order, in a set with two notes. notes[i] are the notes of key i if it is new, the first in the
 * lower half. Unless NULL, indices[i] becomes its index. Returns the number of keys done: it is less than count when the next
 * key is not in the set and the limit on bytes, state_limit or the memory allows no more. Much faster than one by one, as
 * memory is prefetched. */
size_t crux_state_set_merge(crux_state_set *set, const uint64_t *keys, const uint64_t *notes, size_t count,
                            uint32_t state_limit, uint32_t *indices);

/* The key and the notes of a state; the pointers are valid until the next crux_state_set_add. */
const uint64_t *crux_state_set_key(const crux_state_set *set, uint32_t index);
uint32_t *crux_state_set_notes(crux_state_set *set, uint32_t index);

uint32_t crux_state_set_count(const crux_state_set *set);
size_t crux_state_set_bytes(const crux_state_set *set); /* in use */
