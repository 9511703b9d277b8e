/* The way of a solution that was found: see pushing.h. */
#include "puzzle/pushing_search.h"

#include <assert.h>
#include <string.h>

enum { NONE = CRUX_PUSHING_NONE };
static uint32_t const NO_STATE = CRUX_PUSHING_NO_STATE;

/* True if the boxes that are loaded, and the man, are in a state, or in one that a symmetry makes of it. */
static bool is_like(crux_pushing *s, uint16_t man, const crux_pushing_state *state)
{
	crux_pushing_walk(s, man, s->other_steps);
	crux_pushing_name(s, man);
	return s->man == state->man && memcmp(s->key, state->boxes, s->forward.words * sizeof *s->key) == 0;
}

/* Makes the push that leads from the boxes that are loaded to a state, or to one that a symmetry makes of it; moves the man. */
static crux_pushing_step push_to(crux_pushing *s, uint16_t *man, const crux_pushing_state *after)
{
	crux_pushing_walk(s, *man, s->steps);
	for (unsigned box = 0; box < s->level->boxes; box++)
		for (uint8_t d = 0; d < 4; d++) {
			uint16_t const at = s->boxes[box], to = s->level->next[at][d], from = s->level->next[at][crux_pushing_opposite(d)];
			if (to == NONE || from == NONE || s->is_box[to] || s->steps[from] == NONE || !s->ways.is_alive[to])
				continue;
			crux_pushing_shift(s, box, to);
			if (is_like(s, at, after)) {
				*man = at;
				return (crux_pushing_step){at, d};
			}
			crux_pushing_shift(s, box, at);
		}
	assert(false);
	return (crux_pushing_step){0};
}

static void fill_pushes(crux_pushing *s, crux_pushing_step *steps)
{
	uint32_t ahead = s->meetings[0].forward, behind = s->meetings[0].backward;
	uint16_t man = s->level->man;
	size_t const met = crux_pushing_state_at(&s->forward, ahead)->length;
	for (size_t i = met; i > 0; i--) {
		uint32_t const parent = crux_pushing_state_at(&s->forward, ahead)->parent;
		crux_pushing_state_at(&s->forward, parent)->after = ahead;
		ahead = parent;
	}
	crux_pushing_load_start(s);
	for (size_t i = 0; i < met; i++) {
		ahead = crux_pushing_state_at(&s->forward, ahead)->after;
		steps[i] = push_to(s, &man, crux_pushing_state_at(&s->forward, ahead));
	}
	for (size_t i = met; i < s->best; i++) {
		behind = crux_pushing_state_at(&s->backward, behind)->parent;
		steps[i] = push_to(s, &man, crux_pushing_state_at(&s->backward, behind));
	}
}

/* Marks a state, and puts it before the list of those whose states before are not marked yet. */
static void mark(crux_pushing *s, uint32_t index, uint32_t *list)
{
	crux_pushing_state *const state = crux_pushing_state_at(&s->forward, index);
	if (state->is_marked)
		return;
	state->is_marked = true;
	state->after = *list;
	*list = index;
}

/* The number of the box on a square, which has one. */
static unsigned box_on(const crux_pushing *s, uint16_t square)
{
	unsigned box = 0;
	while (s->boxes[box] != square)
		box++;
	return box;
}

/* Marks the states from which that state, which is loaded, comes by a push in a direction, by as many moves as it takes at least. */
static void mark_before(crux_pushing *s, uint32_t index, int direction, uint32_t *list)
{
	crux_pushing_state const *const state = crux_pushing_state_at(&s->forward, index);
	uint16_t const at = state->man, to = s->level->next[at][direction];
	uint16_t const from = s->level->next[at][crux_pushing_opposite(direction)];
	if (to == NONE || from == NONE || !s->is_box[to] || s->is_box[from])
		return;
	unsigned const box = box_on(s, to);
	crux_pushing_shift(s, box, at);
	crux_pushing_walk(s, from, s->steps);
	for (unsigned man = 0; man < s->level->squares; man++) {
		size_t slot;
		if (s->steps[man] == NONE)
			continue;
		uint32_t const before = crux_pushing_find(s, &s->forward, (uint16_t)man, &slot);
		if (before != NO_STATE && crux_pushing_state_at(&s->forward, before)->length + s->steps[man] + 1u == state->length)
			mark(s, before, list);
	}
	crux_pushing_shift(s, box, to);
}

/* Marks all states that were found forward on solutions with the fewest moves, from those with which such a solution is known. */
static void mark_all(crux_pushing *s)
{
	uint32_t list = NO_STATE;
	for (size_t i = 0; i < s->meeting_count; i++)
		mark(s, s->meetings[i].forward, &list);
	while (list != NO_STATE) {
		uint32_t const index = list;
		list = crux_pushing_state_at(&s->forward, index)->after;
		crux_pushing_load(s, &s->forward, index);
		for (int d = 0; d < 4; d++)
			mark_before(s, index, d, &list);
	}
}

/* The moves after which a solution with the fewest comes to the boxes that are loaded, after a push; NO_STATE when none does. */
static uint32_t moves_to(crux_pushing *s, uint16_t man)
{
	size_t slot;
	uint32_t index = crux_pushing_find(s, &s->forward, man, &slot);
	if (index != NO_STATE && crux_pushing_state_at(&s->forward, index)->is_marked)
		return crux_pushing_state_at(&s->forward, index)->length;
	index = crux_pushing_find(s, &s->backward, man, &slot);
	if (index == NO_STATE || crux_pushing_state_at(&s->backward, index)->length > s->best)
		return NO_STATE;
	return (uint32_t)(s->best - crux_pushing_state_at(&s->backward, index)->length);
}

/* Finds the pushes of the boxes that are loaded which can be on a solution with the fewest moves; returns their number. */
static size_t find_aims(crux_pushing *s)
{
	size_t count = 0;
	for (unsigned box = 0; box < s->level->boxes; box++)
		for (int d = 0; d < 4; d++) {
			uint16_t const at = s->boxes[box], to = s->level->next[at][d], from = s->level->next[at][crux_pushing_opposite(d)];
			if (to == NONE || from == NONE || s->is_box[to] || s->is_box[from] || !s->ways.is_alive[to])
				continue;
			crux_pushing_shift(s, box, to);
			uint32_t const moves = moves_to(s, at);
			crux_pushing_shift(s, box, at);
			if (moves != NO_STATE)
				s->aims[count++] = (crux_pushing_aim){from, at, to, moves, box};
		}
	return count;
}

/* The push that the man makes by a step between two squares as the move of that number; NULL when it is on no solution. */
static const crux_pushing_aim *find_push(const crux_pushing *s, size_t count, uint16_t from, uint16_t to, size_t move)
{
	for (size_t i = 0; i < count; i++)
		if (s->aims[i].from == from && s->aims[i].at == to && s->aims[i].moves == move)
			return &s->aims[i];
	return NULL;
}

/* True if the man, on a square after a number of moves, can make one of the pushes at its number of moves. */
static bool can_walk(crux_pushing *s, size_t count, uint16_t from, size_t moves)
{
	crux_pushing_walk(s, from, s->steps);
	for (size_t i = 0; i < count; i++)
		if (s->steps[s->aims[i].from] != NONE && moves + s->steps[s->aims[i].from] + 1 == s->aims[i].moves)
			return true;
	return false;
}

/* Takes, again and again, the first direction in which the man comes to a win by the fewest moves. */
static void fill_moves(crux_pushing *s, crux_pushing_step *steps)
{
	uint16_t man = s->level->man;
	mark_all(s);
	crux_pushing_load_start(s);
	size_t count = find_aims(s);
	for (size_t moves = 0; moves < s->best; moves++) {
		crux_pushing_aim const *push = NULL;
		uint16_t to = NONE;
		uint8_t d = 0;
		for (; d < 4; d++) {
			to = s->level->next[man][d];
			if (to == NONE)
				continue;
			if (s->is_box[to])
				push = find_push(s, count, man, to, moves + 1);
			if (s->is_box[to] ? push != NULL : can_walk(s, count, to, moves + 1))
				break;
		}
		steps[moves] = (crux_pushing_step){man, d};
		man = to;
		if (!push)
			continue;
		crux_pushing_shift(s, push->box, push->to);
		count = find_aims(s);
	}
}

void crux_pushing_solution(crux_pushing *s, crux_pushing_step *steps)
{
	if (s->by_moves)
		fill_moves(s, steps);
	else
		fill_pushes(s, steps);
}
