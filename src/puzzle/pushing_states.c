/* A table of states in the order of their discovery, a hash table of their numbers, and a list for each sum: see pushing_states.h. */
#include "puzzle/pushing_states.h"

#include <stdlib.h>
#include <string.h>

#include "base/block.h"

static uint32_t const NO_STATE = CRUX_PUSHING_NO_STATE;

void crux_pushing_states_free(crux_pushing_states *states)
{
	free(states->data);
	free(states->slots);
	free(states->open);
}

static uint64_t hash_of(const uint64_t *boxes, size_t words, uint16_t man)
{
	uint64_t hash = man;
	for (size_t i = 0; i < words; i++) {
		hash = (hash ^ boxes[i]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	return hash * UINT64_C(0xd6e8feb86659fd93) >> 20;
}

uint32_t crux_pushing_states_find(const crux_pushing_states *s, const uint64_t *boxes, uint16_t man, size_t *slot)
{
	size_t const mask = s->slot_count - 1;
	size_t at = hash_of(boxes, s->words, man) & mask;
	for (; s->slots[at]; at = (at + 1) & mask) {
		crux_pushing_state const *const state = crux_pushing_state_at(s, s->slots[at] - 1);
		if (state->man == man && memcmp(state->boxes, boxes, s->words * sizeof *boxes) == 0)
			break;
	}
	*slot = at;
	return s->slots[at] - 1;
}

/* Doubles the hash table. */
static bool grow_slots(crux_pushing_states *s)
{
	size_t const count = s->slot_count ? 2 * s->slot_count : 1024;
	uint32_t *const slots = calloc(count, sizeof *slots);
	if (!slots)
		return false;
	free(s->slots);
	s->slots = slots;
	s->slot_count = count;
	for (uint32_t i = 0; i < s->count; i++) {
		crux_pushing_state const *const state = crux_pushing_state_at(s, i);
		size_t slot;
		crux_pushing_states_find(s, state->boxes, state->man, &slot);
		s->slots[slot] = i + 1;
	}
	return true;
}

bool crux_pushing_states_reserve(crux_pushing_states *s, size_t bytes)
{
	size_t const size = crux_pushing_state_size(s);
	bool const is_crowded = s->count + 1u > s->slot_count / 4 * 3;
	size_t const slots = is_crowded && s->slot_count ? 2 * s->slot_count : s->slot_count;
	size_t const most = (bytes - slots * sizeof *s->slots) / size;
	if (bytes < slots * sizeof *s->slots || s->count >= most)
		return false;
	if (s->count == s->room) {
		size_t const wanted = s->room + s->room / 2 + 256, room = wanted < most ? wanted : most;
		char *const data = realloc(s->data, room * size);
		if (!data)
			return false;
		s->data = data;
		s->room = room;
	}
	return !is_crowded || grow_slots(s);
}

uint32_t crux_pushing_states_add(crux_pushing_states *s, const uint64_t *boxes, uint16_t man, size_t slot)
{
	crux_pushing_state *const state = crux_pushing_state_at(s, s->count);
	*state = (crux_pushing_state){.parent = NO_STATE, .man = man};
	memcpy(state->boxes, boxes, s->words * sizeof *boxes);
	s->slots[slot] = ++s->count;
	return s->count - 1;
}

bool crux_pushing_states_open(crux_pushing_states *s, uint32_t index)
{
	crux_pushing_state *const state = crux_pushing_state_at(s, index);
	size_t const sum = (size_t)state->length + state->estimate;
	while (s->sums <= sum) {
		if (!crux_array_grow(CRUX_ARRAY(s->open, s->sums + 1), &s->open_room))
			return false;
		s->open[s->sums++] = NO_STATE;
	}
	state->before = NO_STATE;
	state->after = s->open[sum];
	if (state->after != NO_STATE)
		crux_pushing_state_at(s, state->after)->before = index;
	s->open[sum] = index;
	state->is_open = true;
	if (sum < s->least)
		s->least = sum;
	return true;
}

void crux_pushing_states_close(crux_pushing_states *s, uint32_t index)
{
	crux_pushing_state *const state = crux_pushing_state_at(s, index);
	if (!state->is_open)
		return;
	if (state->before == NO_STATE)
		s->open[state->length + state->estimate] = state->after;
	else
		crux_pushing_state_at(s, state->before)->after = state->after;
	if (state->after != NO_STATE)
		crux_pushing_state_at(s, state->after)->before = state->before;
	state->is_open = false;
}

uint32_t crux_pushing_states_next(crux_pushing_states *s)
{
	while (s->least < s->sums && s->open[s->least] == NO_STATE)
		s->least++;
	if (s->least == s->sums)
		return NO_STATE;
	uint32_t const index = s->open[s->least];
	crux_pushing_states_close(s, index);
	return index;
}
