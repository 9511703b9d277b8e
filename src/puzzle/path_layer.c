/* Hash tables of frontiers, and the links between their states. */
#include "puzzle/path_layer.h"

#include <stdlib.h>
#include <string.h>

enum {
	FIRST_SLOTS = 64,
	FIRST_LINKS = 256,
	MAX_LINKS = 1 << 30, /* a link has 32 bits: the number of a state, and 2 for the move */
};

static uint64_t const max_slots = (uint64_t)1 << 32; /* so that indices of states fit 32 bits */

/* Resizes a block from `old` to `size` bytes; NULL, and the block unchanged, when this exceeds the budget or fails. */
static void *resize(void *block, size_t old, size_t size, crux_path_budget *budget)
{
	size_t const used = budget->used - old + size;
	if (budget->limit && used > budget->limit)
		return NULL;
	void *const resized = realloc(block, size);
	if (!resized) {
		budget->failed = true;
		return NULL;
	}
	budget->used = used;
	if (used > budget->peak)
		budget->peak = used;
	return resized;
}

/* The states that a table of slots may hold: five eighths, so that probes stay short. */
static size_t room(size_t slots) { return slots / 8 * 5; }

/* The product of both halves, folded, after wyhash: every bit of the frontier affects every bit of the hash. */
uint64_t crux_path_hash(crux_path_frontier frontier)
{
	uint64_t const low = (uint64_t)frontier ^ 0xa0761d6478bd642f, high = (uint64_t)(frontier >> 64) ^ 0xe7037ed1a0b428db;
	crux_path_frontier const product = (crux_path_frontier)low * high;
	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* The slot of the frontier, or the empty slot for it. */
static size_t slot_of(const crux_path_layer *layer, uint64_t low, uint64_t high, uint64_t hash)
{
	size_t const mask = layer->slot_count - 1;
	size_t i = hash & mask;
	for (; layer->slots[i]; i = (i + 1) & mask) {
		crux_path_state const *state = &layer->states[layer->slots[i] - 1];
		if (state->low == low && state->high == high)
			break;
	}
	return i;
}

/* Uses `count` slots and enters the layer's states into them. */
static bool set_slots(crux_path_layer *layer, size_t count, crux_path_budget *budget)
{
	if (count > max_slots)
		return false;
	if (count > layer->slot_capacity) {
		uint32_t *const slots =
		    resize(layer->slots, layer->slot_capacity * sizeof *slots, count * sizeof *slots, budget);
		if (!slots)
			return false;
		layer->slots = slots;
		layer->slot_capacity = count;
	}
	if (room(count) > layer->capacity) {
		crux_path_state *const states = resize(layer->states, layer->capacity * sizeof *states,
		                                       room(count) * sizeof *states, budget);
		if (!states)
			return false;
		layer->states = states;
		layer->capacity = room(count);
	}
	layer->slot_count = count;
	memset(layer->slots, 0, count * sizeof *layer->slots);
	for (size_t i = 0; i < layer->count; i++) {
		crux_path_state const *const state = &layer->states[i];
		uint64_t const hash = crux_path_hash(crux_path_state_frontier(state));
		layer->slots[slot_of(layer, state->low, state->high, hash)] = (uint32_t)i + 1;
	}
	return true;
}

bool crux_path_layer_reset(crux_path_layer *layer, size_t expected, crux_path_budget *budget)
{
	size_t slots = FIRST_SLOTS;
	while (room(slots) < expected && slots < layer->slot_capacity)
		slots *= 2;
	layer->count = 0;
	return set_slots(layer, slots, budget);
}

void crux_path_layer_free(crux_path_layer *layer)
{
	free(layer->states);
	free(layer->slots);
}

crux_path_state *crux_path_layer_at(crux_path_layer *layer, crux_path_frontier frontier, uint64_t hash,
                                    crux_path_budget *budget)
{
	uint64_t const low = (uint64_t)frontier, high = (uint64_t)(frontier >> 64);
	size_t slot = slot_of(layer, low, high, hash);
	if (layer->slots[slot])
		return &layer->states[layer->slots[slot] - 1];
	if (layer->count == room(layer->slot_count)) {
		if (!set_slots(layer, 2 * layer->slot_count, budget))
			return NULL;
		slot = slot_of(layer, low, high, hash);
	}
	crux_path_state *const state = &layer->states[layer->count++];
	layer->slots[slot] = (uint32_t)layer->count;
	*state = (crux_path_state){.low = low, .high = high};
	return state;
}

bool crux_path_links_append(crux_path_links *links, const crux_path_layer *layer, crux_path_budget *budget)
{
	size_t const count = links->count + layer->count;
	if (count > MAX_LINKS)
		return false;
	if (count > links->capacity) {
		size_t const capacity = count + count / 2 + FIRST_LINKS;
		uint32_t *const items = resize(links->items, links->capacity * sizeof *items, capacity * sizeof *items, budget);
		if (!items)
			return false;
		links->items = items;
		links->capacity = capacity;
	}
	for (size_t i = 0; i < layer->count; i++)
		links->items[links->count + i] = layer->states[i].link;
	links->count = count;
	return true;
}

bool crux_path_links_prefers(const crux_path_links *links, uint32_t a, uint32_t b)
{
	for (; a != b; a = links->items[a / 4], b = links->items[b / 4])
		if (a % 4 != b % 4)
			return a % 4 > b % 4;
	return false;
}
