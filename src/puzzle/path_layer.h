/* The states of one step of the sweep in path_cover.c, and the links by which their best covers came about.
 *
 * A layer is a hash table from frontiers to states. The states of all layers are numbered as they come, from 0, and a link
 * leads from a state to the one before it: 4 bytes a state, kept to the end. All allocations count against a budget; a
 * function that fails has set `failed` there when memory was short, else the limit is in the way. */
#ifndef CRUX_PATH_LAYER_H
#define CRUX_PATH_LAYER_H

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
	uint32_t link;      /* of the same: the number of the state before * 4 + the move (0 to 3) from there */
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

/* Empties the layer (all zero at first) and prepares it for about that many states. */
bool crux_path_layer_reset(crux_path_layer *layer, size_t expected, crux_path_budget *budget);

void crux_path_layer_free(crux_path_layer *layer);

/* Where a frontier belongs in a layer; for crux_path_layer_at. */
uint64_t crux_path_hash(crux_path_frontier frontier);

/* Two hints, each some time before the next, so that a layer larger than the caches need not be waited for: the slot of
 * that hash will be read, then the state in it. */
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

/* The state with that frontier, new with a count of 0 when there was none; valid until the next call. NULL: failed. */
crux_path_state *crux_path_layer_at(crux_path_layer *layer, crux_path_frontier frontier, uint64_t hash,
                                    crux_path_budget *budget);

/* Adds the links of a layer's states, which are numbered thereby. */
bool crux_path_links_append(crux_path_links *links, const crux_path_layer *layer, crux_path_budget *budget);

/* Whether, of two links to states of the same layer, the first has the higher move at the latest step where the ways to
 * the start differ. */
bool crux_path_links_prefers(const crux_path_links *links, uint32_t a, uint32_t b);

#endif
