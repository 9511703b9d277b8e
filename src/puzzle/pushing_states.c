/* A table of states in the order of their discovery, a hash table of their numbers, and their queues: see pushing_states.h. */
#include "puzzle/pushing_states.h"

#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "states/key_hash.h"

static uint32_t const NO_STATE = CRUX_PUSHING_NO_STATE;

void crux_pushing_states_free(crux_pushing_states *states)
{
	free(states->data);
	free(states->slots);
	for (int i = 0; i < 2; i++)
		free(states->queues[i].first);
}

size_t crux_pushing_states_bytes(const crux_pushing_states *states)
{
	return states->room * crux_pushing_state_size(states) + states->slot_count * sizeof *states->slots;
}

uint32_t crux_pushing_states_find(const crux_pushing_states *s, const uint64_t *boxes, uint16_t man, size_t *slot)
{
	size_t const mask = s->slot_count - 1;
	size_t at = crux_key_hash(boxes, s->words, man) >> 20 & mask;
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
	bool const is_crowded = s->count >= s->slot_count / 2;
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
	*state = (crux_pushing_state){.parent = NO_STATE, .man = man, .place = CRUX_PUSHING_CLOSED};
	memcpy(state->boxes, boxes, s->words * sizeof *boxes);
	s->slots[slot] = ++s->count;
	return s->count - 1;
}

bool crux_pushing_states_put(crux_pushing_states *s, uint32_t index, crux_pushing_place place, uint32_t key)
{
	crux_pushing_state *const state = crux_pushing_state_at(s, index);
	crux_pushing_queue *const queue = &s->queues[place];
	while (queue->count <= key) {
		if (!crux_array_grow(CRUX_ARRAY(queue->first, queue->count + 1), &queue->room))
			return false;
		queue->first[queue->count++] = NO_STATE;
	}
	state->place = (uint8_t)place;
	state->key = key;
	state->before = NO_STATE;
	state->after = queue->first[key];
	if (state->after != NO_STATE)
		crux_pushing_state_at(s, state->after)->before = index;
	queue->first[key] = index;
	queue->least = key < queue->least ? key : queue->least;
	return true;
}

void crux_pushing_states_close(crux_pushing_states *s, uint32_t index)
{
	crux_pushing_state *const state = crux_pushing_state_at(s, index);
	if (state->place == CRUX_PUSHING_CLOSED)
		return;
	if (state->before == NO_STATE)
		s->queues[state->place].first[state->key] = state->after;
	else
		crux_pushing_state_at(s, state->before)->after = state->after;
	if (state->after != NO_STATE)
		crux_pushing_state_at(s, state->after)->before = state->before;
	state->place = CRUX_PUSHING_CLOSED;
}

uint32_t crux_pushing_states_least(crux_pushing_states *s, crux_pushing_place place)
{
	crux_pushing_queue *const queue = &s->queues[place];
	while (queue->least < queue->count && queue->first[queue->least] == NO_STATE)
		queue->least++;
	return queue->least < queue->count ? queue->first[queue->least] : NO_STATE;
}

uint32_t crux_pushing_states_in_turn(crux_pushing_states *s, crux_pushing_place place, size_t *key)
{
	crux_pushing_queue const *const queue = &s->queues[place];
	uint32_t index = NO_STATE;
	for (; *key < queue->count && index == NO_STATE; (*key)++)
		index = queue->first[*key];
	if (index != NO_STATE)
		return index;
	index = crux_pushing_states_least(s, place);
	*key = queue->least + 1;
	return index;
}

bool crux_pushing_states_ready(crux_pushing_states *s, size_t key)
{
	while (true) {
		uint32_t const index = crux_pushing_states_least(s, CRUX_PUSHING_WAITING);
		if (index == NO_STATE || crux_pushing_state_at(s, index)->key > key)
			return true;
		crux_pushing_states_close(s, index);
		if (!crux_pushing_states_put(s, index, CRUX_PUSHING_READY, crux_pushing_state_at(s, index)->length))
			return false;
	}
}
