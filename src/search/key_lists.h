/* Sorted lists of keys in files, which a search reads from the first key to the last.
 *
 * A list is a sequence of blocks of 64 KiB, the last one shorter; a block is XXH3 of its keys, seeded by its offset, and the keys in
 * ascending order, as the machine has integers in memory. Each block that is read is checked, so that a file that was damaged or
 * cut is found. The first key of each block stays in memory: blocks that cannot hold a key are not read.
 *
 * The caller owns files and lists. Functions that return false fill the fault; messages do not name the file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crux.h"

enum { CRUX_KEY_BLOCK = 1 << 16 }; /* bytes */

typedef struct crux_key_list {
	uint64_t offset, count; /* its first byte in the file; keys */
	uint64_t *firsts;       /* the first key of each block; free releases it */
	size_t room;
} crux_key_list;

/* A block of a list, in memory. */
typedef struct crux_key_block {
	int file;
	size_t words;              /* of a key */
	const crux_key_list *list;
	uint64_t *memory;          /* CRUX_KEY_BLOCK bytes, the caller's */
	const uint64_t *keys;
	size_t number, count, at;  /* of the block; of its keys; the next key to use */
} crux_key_block;

/* True when key a comes before key b: the last word that differs decides. */
static inline bool crux_key_is_less(const uint64_t *a, const uint64_t *b, size_t words)
{
	for (size_t i = words; i-- > 0;)
		if (a[i] != b[i])
			return a[i] < b[i];
	return false;
}

static inline bool crux_key_is_same(const uint64_t *a, const uint64_t *b, size_t words)
{
	uint64_t differing = 0;
	for (size_t i = 0; i < words; i++)
		differing |= a[i] ^ b[i];
	return differing == 0;
}

/* Calls a function, which is inlined, with the number of words as last argument: the usual numbers become constants. */
#define CRUX_BY_WORDS_INLINE inline __attribute__((always_inline))
#define CRUX_BY_WORDS(function, words, ...) \
	((words) == 1 ? function(__VA_ARGS__, 1) : (words) == 2 ? function(__VA_ARGS__, 2) : function(__VA_ARGS__, words))

/* The number of blocks of a list, and of bytes. */
size_t crux_key_list_blocks(const crux_key_list *list, size_t words);
uint64_t crux_key_list_bytes(const crux_key_list *list, size_t words);

/* Reads a block of block->list, which is not empty, and checks it. */
bool crux_key_block_read(crux_key_block *block, size_t number, crux_fault *fault);

/* Appends keys, which are above those of the list, and writes each block that gets full. `block` holds the others: it is empty at
 * first, and list->offset is where the list begins. */
bool crux_key_list_append(crux_key_list *list, crux_key_block *block, const uint64_t *keys, size_t count, crux_fault *fault);

/* Writes the last block. */
bool crux_key_list_finish(crux_key_list *list, crux_key_block *block, crux_fault *fault);

/* Sorts keys and removes duplicates; returns the number left. *keys and *spare are arrays of that size, which may be exchanged. */
size_t crux_key_sort(uint64_t **keys, uint64_t **spare, size_t count, size_t words);

/* Lists that are merged; all zeros at first. */
typedef struct crux_key_merge {
	crux_key_block *heads; /* a block of each list */
	uint64_t *memory;      /* of these */
	size_t *heap;          /* their numbers, the least next key first */
	size_t words, count, head_room, memory_room, heap_room;
} crux_key_merge;

/* Begins to merge lists of a file, which are not empty. */
bool crux_key_merge_begin(crux_key_merge *merge, int file, size_t words, const crux_key_list *lists, size_t count, crux_fault *fault);

/* Takes the next keys, without duplicates, at most `room`; *count is 0 when there are no more. */
bool crux_key_merge_take(crux_key_merge *merge, uint64_t *keys, size_t room, size_t *count, crux_fault *fault);

void crux_key_merge_free(crux_key_merge *merge);
