/* Sets of objects (one bit an object, 64 a word) and sets of movements (five bits a layer, 12 layers a word). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CRUX_REWRITE_LAYERS_A_WORD = 12, CRUX_REWRITE_MOVE_BITS = 5 };

/* The bits of movements of a layer. */
enum {
	CRUX_MOVE_UP = 1,
	CRUX_MOVE_DOWN = 2,
	CRUX_MOVE_LEFT = 4,
	CRUX_MOVE_RIGHT = 8,
	CRUX_MOVE_ACTION = 16,
	CRUX_MOVE_ANY = 31,
};

/* Returns true if all bits of a set are in another. */
static inline bool crux_rewrite_within(const uint64_t *set, const uint64_t *other, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if (set[i] & ~other[i])
			return false;
	return true;
}

/* Returns true if two sets have a bit in common. */
static inline bool crux_rewrite_meets(const uint64_t *set, const uint64_t *other, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if (set[i] & other[i])
			return true;
	return false;
}

static inline bool crux_rewrite_is_empty(const uint64_t *set, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if (set[i])
			return false;
	return true;
}

/* A test of one word of a set: of the bits in `mask` it has those of `value`. Tests leave out the words that do not matter. */
typedef struct crux_rewrite_test {
	size_t word;
	uint64_t mask, value;
} crux_rewrite_test;

typedef struct crux_rewrite_tests {
	size_t count;
	crux_rewrite_test *list;
} crux_rewrite_tests;

/* Makes the tests that a set has all bits of `with` and none of `without` (NULL: any), in a list with room for all words. */
static inline crux_rewrite_tests crux_rewrite_tests_of(crux_rewrite_test *list, const uint64_t *with, const uint64_t *without,
                                                 size_t words)
{
	crux_rewrite_tests tests = {0, list};
	for (size_t i = 0; i < words; i++) {
		uint64_t const mask = with[i] | (without ? without[i] : 0);
		if (mask)
			list[tests.count++] = (crux_rewrite_test){i, mask, with[i]};
	}
	return tests;
}

static inline bool crux_rewrite_passes(crux_rewrite_tests tests, const uint64_t *set)
{
	for (size_t i = 0; i < tests.count; i++)
		if ((set[tests.list[i].word] & tests.list[i].mask) != tests.list[i].value)
			return false;
	return true;
}

static inline void crux_rewrite_add(uint64_t *set, const uint64_t *other, size_t words)
{
	for (size_t i = 0; i < words; i++)
		set[i] |= other[i];
}

static inline unsigned crux_rewrite_moves_of(const uint64_t *moves, size_t layer)
{
	unsigned const shift = (unsigned)(layer % CRUX_REWRITE_LAYERS_A_WORD * CRUX_REWRITE_MOVE_BITS);
	return (unsigned)(moves[layer / CRUX_REWRITE_LAYERS_A_WORD] >> shift) & CRUX_MOVE_ANY;
}

static inline void crux_rewrite_add_moves(uint64_t *moves, size_t layer, unsigned bits)
{
	unsigned const shift = (unsigned)(layer % CRUX_REWRITE_LAYERS_A_WORD * CRUX_REWRITE_MOVE_BITS);
	moves[layer / CRUX_REWRITE_LAYERS_A_WORD] |= (uint64_t)bits << shift;
}

static inline void crux_rewrite_clear_moves(uint64_t *moves, size_t layer)
{
	unsigned const shift = (unsigned)(layer % CRUX_REWRITE_LAYERS_A_WORD * CRUX_REWRITE_MOVE_BITS);
	moves[layer / CRUX_REWRITE_LAYERS_A_WORD] &= ~((uint64_t)CRUX_MOVE_ANY << shift);
}
