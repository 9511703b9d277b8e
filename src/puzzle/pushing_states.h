/* The states that a search of pushes has found, and those that are to be expanded, by estimates of the length of a solution. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CRUX_PUSHING_NO_STATE UINT32_MAX

typedef struct crux_pushing_state {
	uint32_t parent, length; /* the state before, and the length of the way here, in pushes or moves */
	uint32_t estimate;       /* of what is left */
	uint32_t before, after;  /* in the list of open states with the same sum of length and estimate */
	uint16_t man;            /* his square; in a search for the fewest pushes the first one that he can walk to */
	bool is_open, is_marked;
	uint64_t boxes[];        /* a bit for each square that a box can be on */
} crux_pushing_state;

/* All members but `words` start as 0. */
typedef struct crux_pushing_states {
	size_t words; /* of a state's boxes */
	uint32_t count;
	char *data;
	size_t room;           /* states */
	uint32_t *slots;       /* number of a state + 1, 0: free */
	size_t slot_count;     /* a power of two */
	uint32_t *open;        /* by sum: the state that was added last */
	size_t sums, open_room;
	size_t least;          /* no sum of an open state is less */
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

/* Returns the number of a state, CRUX_PUSHING_NO_STATE if it was not found yet; sets *slot to its place. */
uint32_t crux_pushing_states_find(const crux_pushing_states *states, const uint64_t *boxes, uint16_t man, size_t *slot);

/* Makes room for one more state, in at most that many bytes; false when they, or the memory, are not enough. Places change. */
bool crux_pushing_states_reserve(crux_pushing_states *states, size_t bytes);

/* Adds a state at the place that find has set, after reserve; length 0, not open. */
uint32_t crux_pushing_states_add(crux_pushing_states *states, const uint64_t *boxes, uint16_t man, size_t slot);

/* Opens a state by its length and estimate, after it was closed. False when memory is short. */
bool crux_pushing_states_open(crux_pushing_states *states, uint32_t index);
void crux_pushing_states_close(crux_pushing_states *states, uint32_t index);

/* Closes and returns the state that was opened last of those with the least sum; CRUX_PUSHING_NO_STATE when none is open. */
uint32_t crux_pushing_states_next(crux_pushing_states *states);
