/* The states of one step of the sweep in path_cover.c, and links from which the best cover is read.
 *
 * A layer is a hash table from frontiers to states. States of all layers are numbered from 0 in the order in which they are
 * added. A link leads from a state to its predecessor: 4 bytes a state, stored to the end. All allocations count against a
 * budget; a function that fails sets `failed` there when memory is short, and leaves it when the limit is met. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "puzzle/path_frontier.h"

typedef struct crux_path_budget {
	size_t limit; /* in bytes; 0: none */
	size_t used, peak;
	bool failed;
} crux_path_budget;

typedef struct crux_path_state {
	uint64_t low, high; /* the frontier */
	uint64_t count;     /* partial covers; UINT64_MAX: that many or more */
	uint32_t turns;     /* of the best of them */
	uint32_t link;      /* of the best: number of its predecessor * 4 + the move (0 to 3) from there */
} crux_path_state;

typedef struct crux_path_layer {
	crux_path_state *states;
	size_t count, capacity;
	uint32_t *slots; /* index + 1; 0: empty */
	size_t slot_count; /* in use: a power of 2 */
	size_t slot_capacity;
} crux_path_layer;

typedef struct crux_path_links {
	uint32_t *items; /* by the number of the state */
	size_t count, capacity;
} crux_path_links;

static inline crux_path_frontier crux_path_state_frontier(const crux_path_state *state)
{
	return (crux_path_frontier)state->high << 64 | state->low;
}

/* Empties the layer (all zero at first) and prepares it for about `expected` states. */
bool crux_path_layer_reset(crux_path_layer *layer, size_t expected, crux_path_budget *budget);

void crux_path_layer_free(crux_path_layer *layer);

/* The hash of a frontier, for crux_path_layer_at. */
uint64_t crux_path_hash(crux_path_frontier frontier);

/* Prefetch the slot of a hash and, some time later, the state in that slot, of a layer larger than the caches. */
static inline void crux_path_layer_expect_slot(const crux_path_layer *layer, uint64_t hash)
{
	__builtin_prefetch(&layer->slots[hash & (layer->slot_count - 1)]);
}

static inline void crux_path_layer_expect_state(const crux_path_layer *layer, uint64_t hash)
{
	uint32_t const number = layer->slots[hash & (layer->slot_count - 1)];
	if (number)
		__builtin_prefetch(&layer->states[number - 1]);
}

/* The state with that frontier, added with a count of 0 when missing; valid until the next call. NULL: failed. */
crux_path_state *crux_path_layer_at(crux_path_layer *layer, crux_path_frontier frontier, uint64_t hash,
                                    crux_path_budget *budget);

/* Numbers the states of a layer and adds their links. */
bool crux_path_links_append(crux_path_links *links, const crux_path_layer *layer, crux_path_budget *budget);

/* True when link a has the higher move at the latest step at which the ways from a and b to the start differ. Both link to
 * states of the same layer. */
bool crux_path_links_prefers(const crux_path_links *links, uint32_t a, uint32_t b);
