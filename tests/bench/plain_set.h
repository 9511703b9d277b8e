/* The states of a plain search in C: packed keys in the order of discovery, with parents and moves, and a hash table with
 * open addressing. Memory that is short ends the program. */
#pragma once

#include <lauxlib.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct plain_set {
	size_t words; /* of a key */
	size_t count, capacity, slot_count;
	uint64_t *keys;
	uint32_t *parents, *slots;
	uint8_t *moves;
} plain_set;

static void *plain_grown(void *block, size_t size)
{
	void *const result = realloc(block, size);
	if (!result)
		abort();
	return result;
}

static inline size_t plain_hash(const uint64_t *key, size_t words)
{
	uint64_t h = 0;
	for (size_t i = 0; i < words; i++) {
		h ^= key[i];
		h ^= h >> 32;
		h *= 0x9e3779b97f4a7c15;
		h ^= h >> 29;
	}
	return (size_t)(h * 0xbf58476d1ce4e5b9 >> 20);
}

static void plain_set_rehash(plain_set *s, size_t slot_count)
{
	s->slots = plain_grown(s->slots, slot_count * sizeof *s->slots);
	memset(s->slots, 0, slot_count * sizeof *s->slots);
	s->slot_count = slot_count;
	for (size_t i = 0; i < s->count; i++) {
		size_t at = plain_hash(s->keys + i * s->words, s->words) & (slot_count - 1);
		while (s->slots[at])
			at = (at + 1) & (slot_count - 1);
		s->slots[at] = (uint32_t)i + 1;
	}
}

static plain_set plain_set_new(size_t words)
{
	plain_set s = {.words = words, .capacity = 1024};
	s.keys = plain_grown(NULL, s.capacity * words * sizeof *s.keys);
	s.parents = plain_grown(NULL, s.capacity * sizeof *s.parents);
	s.moves = plain_grown(NULL, s.capacity);
	plain_set_rehash(&s, 4096);
	return s;
}

static void plain_set_free(plain_set *s)
{
	free(s->keys);
	free(s->parents);
	free(s->moves);
	free(s->slots);
}

/* Adds a key unless the set has it. */
static inline void plain_set_add(plain_set *s, const uint64_t *key, size_t parent, int move)
{
	if (2 * (s->count + 1) > s->slot_count)
		plain_set_rehash(s, 2 * s->slot_count);
	size_t at = plain_hash(key, s->words) & (s->slot_count - 1);
	for (; s->slots[at]; at = (at + 1) & (s->slot_count - 1)) {
		uint64_t const *const other = s->keys + (s->slots[at] - 1) * s->words;
		if (other[0] == key[0] && (s->words == 1 || memcmp(other, key, s->words * sizeof *key) == 0))
			return;
	}
	if (s->count == s->capacity) {
		s->capacity *= 2;
		s->keys = plain_grown(s->keys, s->capacity * s->words * sizeof *s->keys);
		s->parents = plain_grown(s->parents, s->capacity * sizeof *s->parents);
		s->moves = plain_grown(s->moves, s->capacity);
	}
	memcpy(s->keys + s->count * s->words, key, s->words * sizeof *key);
	s->parents[s->count] = (uint32_t)parent;
	s->moves[s->count] = (uint8_t)move;
	s->slots[at] = (uint32_t)++s->count;
}

/* Pushes the actions that lead to a state, and one more. */
static inline void plain_push_actions(lua_State *L, const plain_set *set, const char *names, size_t state, int last)
{
	luaL_Buffer actions;
	size_t length = 1;
	for (size_t i = state; i > 0; i = set->parents[i])
		length++;
	char *const text = luaL_buffinitsize(L, &actions, length);
	text[length - 1] = names[last];
	for (size_t i = state, at = length - 1; i > 0; i = set->parents[i])
		text[--at] = names[set->moves[i]];
	luaL_pushresultsize(&actions, length);
}
