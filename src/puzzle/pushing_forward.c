/* Steps forward of a search of pushes: the pushes of a state that do not lose. */
#include "puzzle/pushing_search.h"

enum { NONE = CRUX_PUSHING_NONE };

/* True if the side of a box on that square keeps it from being pushed along this axis: a wall, or a box that is kept itself. */
static bool holds(const crux_pushing *s, uint16_t side)
{
	return side == NONE || s->is_kept[side];
}

static bool is_held(const crux_pushing *s, uint16_t box, int direction)
{
	uint16_t const a = s->level->next[box][direction], b = s->level->next[box][crux_pushing_opposite(direction)];
	return holds(s, a) || holds(s, b) || (!s->ways.is_alive[a] && !s->ways.is_alive[b]);
}

/* True if a box that can never be pushed again is on no goal. Boxes are taken out of those that are kept while one can be pushed along
 * an axis: both squares beside it on the axis are free of walls and kept boxes, and one of them is not dead. */
bool crux_pushing_is_frozen(crux_pushing *s)
{
	unsigned const boxes = s->level->boxes;
	bool changes = true;
	for (unsigned i = 0; i < boxes; i++)
		s->is_kept[s->boxes[i]] = true;
	while (changes) {
		changes = false;
		for (unsigned i = 0; i < boxes; i++) {
			uint16_t const box = s->boxes[i];
			if (!s->is_kept[box] || (is_held(s, box, CRUX_BOARD_LEFT) && is_held(s, box, CRUX_BOARD_UP)))
				continue;
			s->is_kept[box] = false;
			changes = true;
		}
	}
	bool is_lost = false;
	for (unsigned i = 0; i < boxes; i++) {
		is_lost = is_lost || (s->is_kept[s->boxes[i]] && s->level->goal[s->boxes[i]] == NONE);
		s->is_kept[s->boxes[i]] = false;
	}
	return is_lost;
}

static bool is_in_lost_triple(const crux_pushing *s, unsigned box, uint16_t man)
{
	return s->triples.block && crux_pushing_triples_are_lost(&s->triples, s->level, &s->ways, s->boxes, box, man);
}

/* The pushes that pairs of boxes take beyond the assignment of all; -1 if two never come to goals together. */
static int32_t find_beyond(const crux_pushing *s, uint16_t man)
{
	return s->pairs.block ? crux_pushing_pairs_beyond(&s->pairs, s->level, &s->ways, s->boxes, man) : 0;
}

/* Adds or improves the state that a push leads to. Once there are many, one by which a solution is longer than `least` is not added, but
 * noted in `beyond`. */
static bool reach(crux_pushing *s, uint32_t parent, uint16_t man, uint32_t length, unsigned box, int32_t beyond)
{
	crux_pushing_states *const states = &s->forward;
	size_t slot;
	uint32_t index = crux_pushing_find(s, states, man, &slot);
	if (index != CRUX_PUSHING_NO_STATE) {
		s->statistics.duplicates++;
		return crux_pushing_arrive(s, states, index, parent, length);
	}
	int32_t const assigned = crux_pushing_bound_with(&s->bound, box, crux_pushing_row(&s->ways, s->level, s->boxes[box], man));
	uint32_t const estimate = (uint32_t)(assigned + beyond);
	size_t const sum = (size_t)length + estimate;
	s->statistics.lost += assigned < 0;
	if (assigned < 0 || sum > s->best)
		return true;
	if (sum > s->least && states->count >= s->few) {
		s->beyond = sum < s->beyond ? sum : s->beyond;
		return true;
	}
	index = crux_pushing_states_add(states, s->key, s->man, slot);
	crux_pushing_state_at(states, index)->estimate = estimate;
	return crux_pushing_arrive(s, states, index, parent, length);
}

/* Makes one push, of a box in a direction, from a state that is loaded. False when a limit is met. */
static bool push(crux_pushing *s, uint32_t parent, unsigned box, int direction)
{
	crux_pushing_level const *const level = s->level;
	uint16_t const at = s->boxes[box], to = level->next[at][direction];
	uint16_t const from = level->next[at][crux_pushing_opposite(direction)];
	if (to == NONE || from == NONE || s->steps[from] == NONE || s->is_box[to])
		return true;
	s->statistics.generated++;
	if (!crux_pushing_reserve(s, &s->forward))
		return false;
	bool is_good = true;
	crux_pushing_shift(s, box, to);
	bool const is_lost = !s->ways.is_alive[to] || crux_pushing_is_frozen(s) || is_in_lost_triple(s, box, at);
	int32_t const beyond = is_lost ? -1 : find_beyond(s, at);
	if (beyond < 0) {
		s->statistics.lost++;
	} else {
		uint32_t const length = crux_pushing_state_at(&s->forward, parent)->length + (s->by_moves ? s->steps[from] + 1u : 1u);
		if (!s->by_moves)
			crux_pushing_walk(s, at, s->other_steps);
		is_good = reach(s, parent, at, length, box, beyond);
	}
	crux_pushing_shift(s, box, at);
	return is_good;
}

/* Sets the bits of the boxes that can be the next to be pushed, of a solution with the fewest pushes: see crux_board_corral. */
static void find_corral(const crux_pushing *s, uint64_t *corral)
{
	crux_pushing_level const *const level = s->level;
	uint64_t boards[5][CRUX_BOARD_WORDS] = {0}; /* boxes, reach, walls, dead squares, goals */
	for (unsigned square = 0; square < level->squares; square++) {
		bool const has[] = {s->is_box[square], s->steps[square] != NONE, true, !s->ways.is_alive[square],
			level->goal[square] != NONE};
		for (int i = 0; i < 5; i++)
			if (has[i])
				crux_board_add(boards[i], level->cell[square]);
	}
	crux_board_complement(level->shape, boards[2], boards[2]);
	crux_board_corral(level->shape, boards[0], boards[1], boards[2], boards[3], boards[4], corral);
}

/* Estimates a state again that was found before pairs and triples were. True if it is lost, or waits, as solutions by it are longer than was
 * known; sets *is_good to false when memory is short. */
static bool waits(crux_pushing *s, uint32_t index, bool *is_good)
{
	crux_pushing_state *const state = crux_pushing_state_at(&s->forward, index);
	for (unsigned i = 0; i < s->level->boxes; i++)
		if (is_in_lost_triple(s, i, state->man))
			return true;
	int32_t const beyond = find_beyond(s, state->man);
	if (beyond < 0)
		return true;
	state->estimate = (uint32_t)(s->bound.sum + beyond);
	size_t const sum = (size_t)state->length + state->estimate;
	if (sum <= s->least)
		return false;
	*is_good = sum > s->best || crux_pushing_states_put(&s->forward, index, CRUX_PUSHING_WAITING, (uint32_t)sum);
	return true;
}

/* A state after which some states were not added waits for them (Yoshizumi, Miura and Ishida, A* with partial expansion for large branching
 * factor problems, 2000). */
bool crux_pushing_forward(crux_pushing *s, uint32_t index)
{
	crux_pushing_level const *const level = s->level;
	uint64_t corral[CRUX_BOARD_WORDS];
	crux_pushing_state const *const before = crux_pushing_state_at(&s->forward, index);
	uint16_t const man = before->man;
	s->statistics.expanded++;
	s->beyond = SIZE_MAX;
	crux_pushing_load(s, &s->forward, index);
	crux_pushing_walk(s, man, s->steps);
	for (unsigned i = 0; i < level->boxes; i++)
		s->bound.rows[i] = crux_pushing_row(&s->ways, level, s->boxes[i], man);
	bool is_good = true;
	if (!crux_pushing_bound_assign(&s->bound) || (index < s->coarse && waits(s, index, &is_good)))
		return is_good;
	if (!s->by_moves)
		find_corral(s, corral);
	for (unsigned i = 0; i < level->boxes; i++)
		for (int d = 0; d < 4; d++)
			if ((s->by_moves || crux_board_has(corral, level->cell[s->boxes[i]])) && !push(s, index, i, d))
				return false;
	return s->beyond == SIZE_MAX ||
	       crux_pushing_states_put(&s->forward, index, CRUX_PUSHING_WAITING, (uint32_t)s->beyond);
}
