/* Steps back of a search of pushes: the pulls from states in which all boxes are on goals. */
#include "puzzle/pushing_search.h"

#include <string.h>

enum { NONE = CRUX_PUSHING_NONE };

/* Adds or improves the state of these boxes. */
static bool reach(crux_pushing *s, uint32_t parent, uint16_t man, uint32_t length)
{
	size_t slot;
	if (!crux_pushing_reserve(s, &s->backward))
		return false;
	uint32_t index = crux_pushing_find(s, &s->backward, man, &slot);
	s->statistics.generated++;
	if (index != CRUX_PUSHING_NO_STATE)
		s->statistics.duplicates++;
	else if (length > s->best)
		return true;
	else
		index = crux_pushing_states_add(&s->backward, s->key, s->man, slot);
	return crux_pushing_arrive(s, &s->backward, index, parent, length);
}

/* True if the state that is looked at, with that man, is what a symmetry makes of the start. */
static bool is_start(const crux_pushing *s, const uint16_t *images, uint16_t man)
{
	if (man != images[s->level->man])
		return false;
	for (unsigned i = 0; i < s->level->boxes; i++)
		if (!s->is_box[images[s->level->starts[i]]])
			return false;
	return true;
}

/* True if the man may have come to a square by a push, or the state may be the start. */
static bool has_come(const crux_pushing *s, uint16_t man)
{
	for (int d = 0; d < 4; d++) {
		uint16_t const box = s->level->next[man][d], from = s->level->next[man][crux_pushing_opposite(d)];
		if (box != NONE && from != NONE && s->is_box[box] && !s->is_box[from])
			return true;
	}
	for (unsigned i = 0; i < s->symmetries; i++)
		if (is_start(s, s->images + (size_t)i * s->level->squares, man))
			return true;
	return false;
}

/* Adds the states before a push of a box, which is pulled back from its square in that direction. */
static bool pull(crux_pushing *s, uint32_t parent, unsigned box, int direction)
{
	uint16_t const at = s->boxes[box], to = s->level->next[at][direction], from = to == NONE ? NONE : s->level->next[to][direction];
	crux_pushing_state const *const after = crux_pushing_state_at(&s->backward, parent);
	uint32_t const length = after->length;
	if (from == NONE || s->is_box[to] || s->is_box[from] || (s->by_moves ? to != after->man : s->steps[to] == NONE))
		return true;
	crux_pushing_shift(s, box, to);
	crux_pushing_walk(s, from, s->other_steps);
	bool is_good = s->by_moves || reach(s, parent, from, length + 1);
	for (unsigned man = 0; s->by_moves && is_good && man < s->level->squares; man++)
		if (s->other_steps[man] != NONE && has_come(s, (uint16_t)man))
			is_good = reach(s, parent, (uint16_t)man, length + s->other_steps[man] + 1u);
	crux_pushing_shift(s, box, at);
	return is_good;
}

bool crux_pushing_backward(crux_pushing *s, uint32_t index)
{
	s->statistics.expanded++;
	crux_pushing_load(s, &s->backward, index);
	crux_pushing_walk(s, crux_pushing_state_at(&s->backward, index)->man, s->steps);
	for (unsigned i = 0; i < s->level->boxes; i++)
		for (int d = 0; d < 4; d++)
			if (!pull(s, index, i, d))
				return false;
	return true;
}

bool crux_pushing_begin_backward(crux_pushing *s)
{
	unsigned box = 0;
	memset(s->is_box, 0, s->level->squares * sizeof *s->is_box);
	for (unsigned square = 0; square < s->level->squares; square++)
		if (s->level->goal[square] != NONE) {
			s->boxes[box++] = (uint16_t)square;
			s->is_box[square] = true;
		}
	for (unsigned man = 0; man < s->level->squares; man++) {
		if (s->is_box[man] || !has_come(s, (uint16_t)man))
			continue;
		crux_pushing_walk(s, (uint16_t)man, s->steps);
		if (!reach(s, CRUX_PUSHING_NO_STATE, (uint16_t)man, 0))
			return false;
	}
	s->is_both = true;
	return true;
}
