/* Texts of cells: see rewrite_text.h. */
#include "puzzlescript/rewrite_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/block.h"

uint64_t crux_rewrite_hash(const uint32_t *numbers, size_t count, uint64_t seed)
{
	uint64_t hash = seed;
	for (size_t i = 0; i < count; i++) {
		hash = (hash ^ numbers[i]) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 32;
	}
	return hash;
}

void crux_rewrite_texts_push(crux_rewrite_texts *t, unsigned word, size_t name)
{
	t->is_short = t->is_short || t->pair_count == UINT32_MAX ||
	              !crux_array_grow(CRUX_ARRAY(t->pairs, t->pair_count + 1), &t->pair_room);
	if (!t->is_short)
		t->pairs[t->pair_count++] = (uint32_t)word << 16 | (uint32_t)name;
}

static uint64_t hash_of(const crux_rewrite_texts *t, size_t number)
{
	crux_rewrite_text const text = crux_rewrite_texts_get(t, number);
	return crux_rewrite_hash(text.pairs, text.count, text.count);
}

/* Makes a hash table with room for twice as many texts. Returns false when memory is short. */
static bool rehash(crux_rewrite_texts *t)
{
	size_t const slot_count = t->slot_count ? 2 * t->slot_count : 512;
	uint32_t *const slots = calloc(slot_count, sizeof *slots);
	for (size_t i = 0; slots && i < t->count; i++) {
		size_t at = hash_of(t, i) & (slot_count - 1);
		while (slots[at])
			at = (at + 1) & (slot_count - 1);
		slots[at] = (uint32_t)i + 1;
	}
	if (!slots)
		return false;
	free(t->slots);
	t->slots = slots;
	t->slot_count = slot_count;
	return true;
}

static bool is_equal(crux_rewrite_text a, crux_rewrite_text b)
{
	return a.count == b.count && (a.count == 0 || memcmp(a.pairs, b.pairs, a.count * sizeof *a.pairs) == 0);
}

uint32_t crux_rewrite_texts_finish(crux_rewrite_texts *t)
{
	t->is_short = t->is_short || !crux_array_grow(CRUX_ARRAY(t->ends, t->count + 1), &t->room) ||
	              !crux_array_grow(CRUX_ARRAY(t->pairs, t->pair_count + 1), &t->pair_room) ||
	              (2 * t->count >= t->slot_count && !rehash(t));
	if (t->is_short)
		return 0;
	t->ends[t->count] = (uint32_t)t->pair_count;
	crux_rewrite_text const text = crux_rewrite_texts_get(t, t->count);
	size_t at = hash_of(t, t->count) & (t->slot_count - 1);
	for (; t->slots[at]; at = (at + 1) & (t->slot_count - 1)) {
		if (!is_equal(crux_rewrite_texts_get(t, t->slots[at] - 1), text))
			continue;
		t->pair_count -= text.count;
		return t->slots[at] - 1;
	}
	t->slots[at] = (uint32_t)++t->count;
	return (uint32_t)t->count - 1;
}

void crux_rewrite_texts_close(crux_rewrite_texts *t)
{
	free(t->pairs);
	free(t->ends);
	free(t->slots);
}
