/* The way to the last state of a search: see pushing.h. */
#include "puzzle/pushing_search.h"

enum { NONE = CRUX_PUSHING_NONE };
static uint32_t const NO_STATE = CRUX_PUSHING_NO_STATE;

/* The number of the box on a square, which has one. */
static unsigned box_on(const crux_pushing *s, uint16_t square)
{
	unsigned box = 0;
	while (s->boxes[box] != square)
		box++;
	return box;
}

/* The push of two states, of which the second is loaded. */
static crux_pushing_step push_between(const crux_pushing *s, const crux_pushing_state *before)
{
	crux_pushing_step step = {0};
	uint16_t to = NONE;
	for (unsigned i = 0; i < s->level->boxes; i++) {
		unsigned const bit = s->bit[s->boxes[i]];
		if (!(before->boxes[bit / 64] >> bit % 64 & 1))
			to = s->boxes[i];
	}
	for (uint8_t d = 0; d < 4; d++) {
		uint16_t const from = s->level->next[to][crux_pushing_opposite(d)];
		unsigned const bit = from == NONE ? NONE : s->bit[from];
		if (from != NONE && !s->is_box[from] && s->ways.is_alive[from] && before->boxes[bit / 64] >> bit % 64 & 1)
			step = (crux_pushing_step){from, d};
	}
	return step;
}

static void fill_pushes(crux_pushing *s, crux_pushing_step *steps)
{
	uint32_t index = s->last;
	for (size_t i = s->states.least; i > 0; i--) {
		uint32_t const parent = crux_pushing_state_at(&s->states, index)->parent;
		crux_pushing_load(s, index);
		steps[i - 1] = push_between(s, crux_pushing_state_at(&s->states, parent));
		index = parent;
	}
}

/* Marks a state, and puts it before the list of those whose states before are not marked yet. */
static void mark(crux_pushing *s, uint32_t index, uint32_t *list)
{
	crux_pushing_state *const state = crux_pushing_state_at(&s->states, index);
	if (state->is_marked)
		return;
	state->is_marked = true;
	state->after = *list;
	*list = index;
}

/* Marks the states from which that state comes by a push in a direction, by as many moves as it takes at least. */
static void mark_before(crux_pushing *s, uint32_t index, int direction, uint32_t *list)
{
	crux_pushing_state const *const state = crux_pushing_state_at(&s->states, index);
	uint16_t const at = state->man, to = s->level->next[at][direction];
	uint16_t const from = s->level->next[at][crux_pushing_opposite(direction)];
	uint32_t const length = state->length;
	if (to == NONE || from == NONE || !s->is_box[to] || s->is_box[from])
		return;
	unsigned const box = box_on(s, to);
	crux_pushing_shift(s, box, at);
	crux_pushing_walk(s, from, s->steps);
	for (unsigned man = 0; man < s->level->squares; man++) {
		size_t slot;
		uint32_t const before = s->steps[man] == NONE ? NO_STATE : crux_pushing_find(s, (uint16_t)man, &slot);
		if (before != NO_STATE && crux_pushing_state_at(&s->states, before)->length + s->steps[man] + 1u == length)
			mark(s, before, list);
	}
	crux_pushing_shift(s, box, to);
}

/* Marks all states of solutions with the fewest moves. */
static void mark_all(crux_pushing *s)
{
	uint32_t list = NO_STATE;
	for (uint32_t i = 0; i < s->states.count; i++) {
		crux_pushing_state const *const state = crux_pushing_state_at(&s->states, i);
		if (state->estimate == 0 && state->length == s->states.least)
			mark(s, i, &list);
	}
	while (list != NO_STATE) {
		uint32_t const index = list;
		list = crux_pushing_state_at(&s->states, index)->after;
		for (int d = 0; d < 4; d++) {
			crux_pushing_load(s, index);
			mark_before(s, index, d, &list);
		}
	}
}

/* Finds the pushes of the boxes that are loaded which lead to marked states; returns their number. */
static size_t find_aims(crux_pushing *s)
{
	size_t count = 0;
	for (unsigned box = 0; box < s->level->boxes; box++)
		for (int d = 0; d < 4; d++) {
			uint16_t const at = s->boxes[box], to = s->level->next[at][d], from = s->level->next[at][crux_pushing_opposite(d)];
			if (to == NONE || from == NONE || s->is_box[to] || s->is_box[from] || !s->ways.is_alive[to])
				continue;
			size_t slot;
			crux_pushing_shift(s, box, to);
			uint32_t const state = crux_pushing_find(s, at, &slot);
			crux_pushing_shift(s, box, at);
			if (state != NO_STATE && crux_pushing_state_at(&s->states, state)->is_marked)
				s->aims[count++] = (crux_pushing_aim){state, from};
		}
	return count;
}

/* The push that one can make, as the move of that number, if the man is on a square after as many moves; NO_STATE when there is none. */
static uint32_t push_from(const crux_pushing *s, size_t count, uint16_t from, uint16_t to, uint32_t moves)
{
	for (size_t i = 0; i < count; i++) {
		crux_pushing_state const *const state = crux_pushing_state_at(&s->states, s->aims[i].state);
		if (s->aims[i].from == from && state->man == to && state->length == moves + 1)
			return s->aims[i].state;
	}
	return NO_STATE;
}

/* True if the man on a square after so many moves can still make one of the pushes in time. */
static bool can_walk(crux_pushing *s, size_t count, uint16_t from, uint32_t moves)
{
	crux_pushing_walk(s, from, s->steps);
	for (size_t i = 0; i < count; i++) {
		uint32_t const length = crux_pushing_state_at(&s->states, s->aims[i].state)->length;
		if (s->steps[s->aims[i].from] != NONE && moves + s->steps[s->aims[i].from] + 1 == length)
			return true;
	}
	return false;
}

/* Takes, again and again, the first direction in which the man comes to a win by the fewest moves. */
static void fill_moves(crux_pushing *s, crux_pushing_step *steps)
{
	uint16_t man = s->level->man;
	mark_all(s);
	crux_pushing_load(s, 0);
	size_t count = find_aims(s);
	for (uint32_t moves = 0; moves < s->states.least; moves++) {
		uint32_t pushed = NO_STATE;
		uint16_t to = NONE;
		uint8_t d = 0;
		for (; d < 4; d++) {
			to = s->level->next[man][d];
			if (to == NONE)
				continue;
			if (s->is_box[to])
				pushed = push_from(s, count, man, to, moves);
			if (s->is_box[to] ? pushed != NO_STATE : can_walk(s, count, to, moves + 1))
				break;
		}
		steps[moves] = (crux_pushing_step){man, d};
		man = to;
		if (pushed == NO_STATE)
			continue;
		crux_pushing_load(s, pushed);
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
