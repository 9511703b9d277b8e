/* Sets of objects (one bit an object, 64 a word) and sets of movements (five bits a layer, 12 layers a word). */
#ifndef CRUX_RULE_SETS_H
#define CRUX_RULE_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CRUX_RULE_LAYERS_A_WORD = 12, CRUX_RULE_MOVE_BITS = 5 };

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
static inline bool crux_rule_within(const uint64_t *set, const uint64_t *other, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if (set[i] & ~other[i])
			return false;
	return true;
}

/* Returns true if two sets have a bit in common. */
static inline bool crux_rule_meets(const uint64_t *set, const uint64_t *other, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if (set[i] & other[i])
			return true;
	return false;
}

static inline bool crux_rule_is_empty(const uint64_t *set, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if (set[i])
			return false;
	return true;
}

static inline void crux_rule_add(uint64_t *set, const uint64_t *other, size_t words)
{
	for (size_t i = 0; i < words; i++)
		set[i] |= other[i];
}

static inline unsigned crux_rule_moves_of(const uint64_t *moves, size_t layer)
{
	unsigned const shift = (unsigned)(layer % CRUX_RULE_LAYERS_A_WORD * CRUX_RULE_MOVE_BITS);
	return (unsigned)(moves[layer / CRUX_RULE_LAYERS_A_WORD] >> shift) & CRUX_MOVE_ANY;
}

static inline void crux_rule_add_moves(uint64_t *moves, size_t layer, unsigned bits)
{
	unsigned const shift = (unsigned)(layer % CRUX_RULE_LAYERS_A_WORD * CRUX_RULE_MOVE_BITS);
	moves[layer / CRUX_RULE_LAYERS_A_WORD] |= (uint64_t)bits << shift;
}

static inline void crux_rule_clear_moves(uint64_t *moves, size_t layer)
{
	unsigned const shift = (unsigned)(layer % CRUX_RULE_LAYERS_A_WORD * CRUX_RULE_MOVE_BITS);
	moves[layer / CRUX_RULE_LAYERS_A_WORD] &= ~((uint64_t)CRUX_MOVE_ANY << shift);
}

#endif
