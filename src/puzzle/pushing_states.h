/* The states that a search of pushes has found, and queues of those that are to be expanded. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CRUX_PUSHING_NO_STATE UINT32_MAX

typedef enum {
	CRUX_PUSHING_WAITING, /* by the least length of a solution through them */
	CRUX_PUSHING_READY,   /* by their length */
	CRUX_PUSHING_CLOSED,  /* no queue */
} crux_pushing_place;

typedef struct crux_pushing_state {
	uint32_t parent, length; /* the state before, and the length of the way here, in pushes or moves */
	uint32_t estimate;       /* of what is left */
	uint32_t key;            /* in its queue */
	uint32_t before, after;  /* in the list of this key */
	uint16_t man;            /* his square; in a search for the fewest pushes the first one that he can walk to */
	uint8_t place;
	bool is_reached : 1, is_marked : 1; /* is_reached: it has a length */
	uint64_t boxes[];        /* a bit for each square that a box can be on */
} crux_pushing_state;

/* Lists by key: the state that was put in last comes first. */
typedef struct crux_pushing_queue {
	uint32_t *first;
	size_t count, room; /* keys */
	size_t least;       /* no key in the queue is less */
} crux_pushing_queue;

/* All members but `words` start as 0. */
typedef struct crux_pushing_states {
	size_t words; /* of a state's boxes */
	uint32_t count;
	char *data;
	size_t room;       /* states */
	uint32_t *slots;   /* number of a state + 1, 0: free */
	size_t slot_count; /* a power of two */
	crux_pushing_queue queues[2];
} crux_pushing_states;

void crux_pushing_states_free(crux_pushing_states *states);

static inline size_t crux_pushing_state_size(const crux_pushing_states *states)
{
	return sizeof(crux_pushing_state) + states->words * sizeof(uint64_t);
}

static inline crux_pushing_state *crux_pushing_state_at(const crux_pushing_states *states, uint32_t index)
{
	return (crux_pushing_state *)(void *)(states->data + index * crux_pushing_state_size(states));
}

size_t crux_pushing_states_bytes(const crux_pushing_states *states);

/* Returns the number of a state, CRUX_PUSHING_NO_STATE if it was not found yet; sets *slot to its place. There is room for a state. */
uint32_t crux_pushing_states_find(const crux_pushing_states *states, const uint64_t *boxes, uint16_t man, size_t *slot);

/* Makes room for one more state, in at most that many bytes; false when they, or the memory, are not enough. Places change. */
bool crux_pushing_states_reserve(crux_pushing_states *states, size_t bytes);

/* Adds a state at the place that find has set, after reserve; length 0, in no queue. */
uint32_t crux_pushing_states_add(crux_pushing_states *states, const uint64_t *boxes, uint16_t man, size_t slot);

/* Puts a state that is in no queue into one. False when memory is short. */
bool crux_pushing_states_put(crux_pushing_states *states, uint32_t index, crux_pushing_place place, uint32_t key);

/* Takes a state out of its queue, if it is in one. */
void crux_pushing_states_close(crux_pushing_states *states, uint32_t index);

/* The first state with the least key; CRUX_PUSHING_NO_STATE when the queue is empty. */
uint32_t crux_pushing_states_least(crux_pushing_states *states, crux_pushing_place place);

/* The first state with the least key that is *key or more, else with the least of all. Sets *key to its key + 1, so that calls one after
 * the other return a state of each key in turn. */
uint32_t crux_pushing_states_in_turn(crux_pushing_states *states, crux_pushing_place place, size_t *key);

/* Makes all states ready that wait by at most that key. False when memory is short. */
bool crux_pushing_states_ready(crux_pushing_states *states, size_t key);
