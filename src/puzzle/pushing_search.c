/* Functions that a search of pushes calls forward and backward: see pushing_search.h. */
#include "puzzle/pushing_search.h"

#include <assert.h>
#include <string.h>

#include "base/block.h"

enum { NONE = CRUX_PUSHING_NONE };
static uint32_t const NO_STATE = CRUX_PUSHING_NO_STATE;

void crux_pushing_load(crux_pushing *s, const crux_pushing_states *states, uint32_t index)
{
	crux_pushing_state const *const state = crux_pushing_state_at(states, index);
	unsigned box = 0;
	memset(s->is_box, 0, s->level->squares * sizeof *s->is_box);
	for (size_t word = 0; word < states->words; word++)
		for (uint64_t left = state->boxes[word]; left; left &= left - 1)
			s->boxes[box++] = s->ways.square[word * 64 + (size_t)__builtin_ctzll(left)];
	for (unsigned i = 0; i < box; i++)
		s->is_box[s->boxes[i]] = true;
	assert(box == s->level->boxes);
}

void crux_pushing_load_start(crux_pushing *s)
{
	memset(s->is_box, 0, s->level->squares * sizeof *s->is_box);
	for (unsigned i = 0; i < s->level->boxes; i++) {
		s->boxes[i] = s->level->starts[i];
		s->is_box[s->boxes[i]] = true;
	}
}

void crux_pushing_walk(crux_pushing *s, uint16_t from, uint16_t *steps)
{
	unsigned last = 0;
	memset(steps, 0xff, s->level->squares * sizeof *steps);
	steps[from] = 0;
	s->queue[last++] = from;
	for (unsigned i = 0; i < last; i++) {
		uint16_t const at = s->queue[i];
		for (int d = 0; d < 4; d++) {
			uint16_t const to = s->level->next[at][d];
			if (to == NONE || s->is_box[to] || steps[to] != NONE)
				continue;
			steps[to] = (uint16_t)(steps[at] + 1);
			s->queue[last++] = to;
		}
	}
	s->reach = last;
}

/* The square of the man that a symmetry makes of his; by pushes the first of those that he can walk to. */
static uint16_t image_of_man(const crux_pushing *s, const uint16_t *images, uint16_t man)
{
	uint16_t first = images[man];
	for (unsigned i = 0; i < s->reach && !s->by_moves; i++)
		first = images[s->queue[i]] < first ? images[s->queue[i]] : first;
	return first;
}

void crux_pushing_name(crux_pushing *s, uint16_t man)
{
	size_t const bytes = s->forward.words * sizeof *s->key;
	for (unsigned i = 0; i < s->symmetries; i++) {
		uint16_t const *const images = s->images + (size_t)i * s->level->squares;
		memset(s->image, 0, bytes);
		for (unsigned j = 0; j < s->level->boxes; j++) {
			unsigned const bit = s->ways.number[images[s->boxes[j]]];
			s->image[bit / 64] |= UINT64_C(1) << bit % 64;
		}
		int const order = i == 0 ? -1 : memcmp(s->image, s->key, bytes);
		uint16_t const image = order <= 0 ? image_of_man(s, images, man) : NONE;
		if (order > 0 || (order == 0 && image >= s->man))
			continue;
		memcpy(s->key, s->image, bytes);
		s->man = image;
	}
}

uint32_t crux_pushing_find(crux_pushing *s, const crux_pushing_states *states, uint16_t man, size_t *slot)
{
	crux_pushing_name(s, man);
	return crux_pushing_states_find(states, s->key, s->man, slot);
}

bool crux_pushing_reserve(crux_pushing *s, crux_pushing_states *states)
{
	size_t const others = crux_pushing_states_bytes(states == &s->forward ? &s->backward : &s->forward);
	return others < s->byte_limit && crux_pushing_states_reserve(states, s->byte_limit - others);
}

/* Notes a solution if none before is shorter: the state that was found forward, and the same one if it was found backward. False when
 * memory is short. */
static bool note_solution(crux_pushing *s, size_t length, uint32_t forward, uint32_t backward)
{
	if (length > s->best)
		return true;
	if (length < s->best)
		s->meeting_count = 0;
	if (!crux_array_grow(CRUX_ARRAY(s->meetings, s->meeting_count + 1), &s->meeting_room))
		return false;
	s->best = length;
	s->meetings[s->meeting_count++] = (crux_pushing_meeting){forward, backward};
	return true;
}

bool crux_pushing_arrive(crux_pushing *s, crux_pushing_states *states, uint32_t index, uint32_t parent, uint32_t length)
{
	bool const is_forward = states == &s->forward;
	crux_pushing_state *const state = crux_pushing_state_at(states, index);
	if (state->is_reached && state->length <= length)
		return true;
	crux_pushing_states_close(states, index);
	state->is_reached = true;
	state->parent = parent;
	state->length = length;
	size_t const sum = (size_t)length + state->estimate;
	if (is_forward && state->estimate == 0)
		return note_solution(s, length, index, NO_STATE);
	if (s->is_both || !is_forward) {
		crux_pushing_states const *const others = is_forward ? &s->backward : &s->forward;
		size_t slot;
		uint32_t const other = crux_pushing_states_find(others, s->key, state->man, &slot);
		if (other != NO_STATE) {
			crux_pushing_state const *const same = crux_pushing_state_at(others, other);
			if (!note_solution(s, (size_t)length + same->length, is_forward ? index : other, is_forward ? other : index))
				return false;
			if (is_forward && same->place == CRUX_PUSHING_CLOSED)
				return true; /* all solutions from it are known */
		}
	}
	if (sum > s->best)
		return true;
	bool const is_ready = sum <= s->least;
	return crux_pushing_states_put(states, index, is_ready ? CRUX_PUSHING_READY : CRUX_PUSHING_WAITING,
	                               is_ready ? length : (uint32_t)sum);
}
