/* The A* search for the fewest pushes or moves: see pushing.h. */
#include "puzzle/pushing_search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"

enum { NONE = CRUX_PUSHING_NONE };
static uint32_t const NO_STATE = CRUX_PUSHING_NO_STATE;

void crux_pushing_load(crux_pushing *s, uint32_t index)
{
	crux_pushing_state const *const state = crux_pushing_state_at(&s->states, index);
	unsigned box = 0;
	memset(s->is_box, 0, s->level->squares * sizeof *s->is_box);
	for (size_t word = 0; word < s->states.words; word++)
		for (uint64_t left = state->boxes[word]; left; left &= left - 1)
			s->boxes[box++] = s->square[word * 64 + (size_t)__builtin_ctzll(left)];
	for (unsigned i = 0; i < box; i++)
		s->is_box[s->boxes[i]] = true;
	assert(box == s->level->boxes);
}

uint16_t crux_pushing_walk(crux_pushing *s, uint16_t from, uint16_t *steps)
{
	size_t last = 0;
	uint16_t first = from;
	memset(steps, 0xff, s->level->squares * sizeof *steps);
	steps[from] = 0;
	s->queue[last++] = from;
	for (size_t i = 0; i < last; i++) {
		uint16_t const at = s->queue[i];
		first = at < first ? at : first;
		for (int d = 0; d < 4; d++) {
			uint16_t const to = s->level->next[at][d];
			if (to == NONE || s->is_box[to] || steps[to] != NONE)
				continue;
			steps[to] = (uint16_t)(steps[at] + 1);
			s->queue[last++] = to;
		}
	}
	return first;
}

uint32_t crux_pushing_find(crux_pushing *s, uint16_t man, size_t *slot)
{
	memset(s->key, 0, s->states.words * sizeof *s->key);
	for (unsigned i = 0; i < s->level->boxes; i++) {
		unsigned const bit = s->bit[s->boxes[i]];
		s->key[bit / 64] |= UINT64_C(1) << bit % 64;
	}
	return crux_pushing_states_find(&s->states, s->key, man, slot);
}

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
static bool is_frozen(crux_pushing *s)
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

/* Adds or improves the state that a push leads to; false when a limit is met, which *end says. */
static bool reach(crux_pushing *s, uint32_t parent, uint16_t man, uint32_t length, unsigned box, const uint16_t *row,
                  crux_pushing_end *end)
{
	size_t slot;
	uint32_t index = crux_pushing_find(s, man, &slot);
	if (index != NO_STATE) {
		s->statistics.duplicates++;
		if (crux_pushing_state_at(&s->states, index)->length <= length)
			return true;
		crux_pushing_states_close(&s->states, index);
	} else {
		int32_t const estimate = crux_pushing_bound_with(&s->bound, box, row);
		if (estimate < 0) {
			s->statistics.lost++;
			return true;
		}
		index = crux_pushing_states_add(&s->states, s->key, man, slot);
		crux_pushing_state_at(&s->states, index)->estimate = (uint32_t)estimate;
	}
	crux_pushing_state *const state = crux_pushing_state_at(&s->states, index);
	state->parent = parent;
	state->length = length;
	if (crux_pushing_states_open(&s->states, index))
		return true;
	*end = CRUX_PUSHING_BYTES;
	return false;
}

/* Makes one push, of a box in a direction, from a state that is loaded. False when a limit is met. */
static bool push(crux_pushing *s, uint32_t parent, unsigned box, int direction, uint32_t state_limit, crux_pushing_end *end)
{
	crux_pushing_level const *const level = s->level;
	uint16_t const at = s->boxes[box], to = level->next[at][direction];
	uint16_t const from = level->next[at][crux_pushing_opposite(direction)];
	if (to == NONE || from == NONE || s->steps[from] == NONE || s->is_box[to])
		return true;
	s->statistics.generated++;
	if (s->states.count >= state_limit) {
		*end = CRUX_PUSHING_STATES;
		return false;
	}
	if (!crux_pushing_states_reserve(&s->states, s->byte_limit)) {
		*end = CRUX_PUSHING_BYTES;
		return false;
	}
	bool is_good = true;
	crux_pushing_shift(s, box, to);
	if (!s->ways.is_alive[to] || is_frozen(s)) {
		s->statistics.lost++;
	} else {
		uint32_t const length = crux_pushing_state_at(&s->states, parent)->length + (s->by_moves ? s->steps[from] + 1u : 1u);
		uint16_t const man = s->by_moves ? at : crux_pushing_walk(s, at, s->other_steps);
		is_good = reach(s, parent, man, length, box, crux_pushing_row(&s->ways, level, to, at), end);
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

/* Tries all pushes of a state that is closed. */
static crux_pushing_end expand(crux_pushing *s, uint32_t index, uint32_t state_limit)
{
	crux_pushing_level const *const level = s->level;
	crux_pushing_end end = CRUX_PUSHING_PAUSED;
	uint64_t corral[CRUX_BOARD_WORDS];
	uint16_t const man = crux_pushing_state_at(&s->states, index)->man;
	s->statistics.expanded++;
	crux_pushing_load(s, index);
	crux_pushing_walk(s, man, s->steps);
	for (unsigned i = 0; i < level->boxes; i++)
		s->bound.rows[i] = crux_pushing_row(&s->ways, level, s->boxes[i], man);
	if (!crux_pushing_bound_assign(&s->bound))
		return end;
	if (!s->by_moves)
		find_corral(s, corral);
	for (unsigned i = 0; i < level->boxes; i++)
		for (int d = 0; d < 4; d++)
			if ((s->by_moves || crux_board_has(corral, level->cell[s->boxes[i]])) && !push(s, index, i, d, state_limit, &end))
				return end;
	return end;
}

crux_pushing_end crux_pushing_expand(crux_pushing *s, uint32_t count, uint32_t state_limit)
{
	for (uint32_t i = 0; i < count; i++) {
		size_t const least = s->states.least;
		uint32_t const index = crux_pushing_states_next(&s->states);
		if (s->is_won && (index == NO_STATE || s->states.least > least)) {
			s->states.least = least;
			return CRUX_PUSHING_WON;
		}
		if (index == NO_STATE)
			return CRUX_PUSHING_THROUGH;
		if (crux_pushing_state_at(&s->states, index)->estimate == 0) {
			s->is_won = true;
			s->last = index;
			if (!s->by_moves)
				return CRUX_PUSHING_WON;
			continue;
		}
		crux_pushing_end const end = expand(s, index, state_limit);
		if (end != CRUX_PUSHING_PAUSED)
			return end;
	}
	return CRUX_PUSHING_PAUSED;
}

/* Adds the start, unless it is lost. */
static bool begin(crux_pushing *s)
{
	crux_pushing_level const *const level = s->level;
	size_t slot;
	for (unsigned i = 0; i < level->boxes; i++) {
		s->boxes[i] = level->starts[i];
		if (!s->ways.is_alive[s->boxes[i]])
			return true;
		s->is_box[s->boxes[i]] = true;
		s->bound.rows[i] = crux_pushing_row(&s->ways, level, s->boxes[i], level->man);
	}
	if (!crux_pushing_states_reserve(&s->states, s->byte_limit))
		return false;
	if (is_frozen(s) || !crux_pushing_bound_assign(&s->bound))
		return true;
	uint16_t const first = crux_pushing_walk(s, level->man, s->steps), man = s->by_moves ? level->man : first;
	crux_pushing_find(s, man, &slot);
	uint32_t const index = crux_pushing_states_add(&s->states, s->key, man, slot);
	crux_pushing_state_at(&s->states, index)->estimate = (uint32_t)s->bound.sum;
	s->states.least = (size_t)s->bound.sum;
	return crux_pushing_states_open(&s->states, index);
}

crux_pushing *crux_pushing_new(const crux_pushing_level *level, bool by_moves, size_t bytes)
{
	crux_pushing *const s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	*s = (crux_pushing){.level = level, .by_moves = by_moves, .byte_limit = bytes, .last = NO_STATE};
	size_t const squares = level->squares, words = (squares + 63) / 64;
	s->block = crux_block_new((crux_array[]){CRUX_ARRAY(s->boxes, level->boxes), CRUX_ARRAY(s->is_box, squares),
	                          CRUX_ARRAY(s->steps, squares), CRUX_ARRAY(s->queue, squares), CRUX_ARRAY(s->bit, squares),
	                          CRUX_ARRAY(s->square, squares), CRUX_ARRAY(s->other_steps, squares), CRUX_ARRAY(s->is_kept, squares),
	                          CRUX_ARRAY(s->key, words), CRUX_ARRAY(s->aims, level->boxes * 4)}, 10);
	if (!s->block || !crux_pushing_ways_find(&s->ways, level, s->is_kept) ||
	    !crux_pushing_bound_new(&s->bound, level->boxes)) {
		crux_pushing_free(s);
		return NULL;
	}
	uint16_t bits = 0;
	for (size_t square = 0; square < squares; square++)
		if (s->ways.is_alive[square]) {
			s->square[bits] = (uint16_t)square;
			s->bit[square] = bits++;
		}
	s->states.words = (bits + 63u) / 64;
	if (begin(s))
		return s;
	crux_pushing_free(s);
	return NULL;
}

void crux_pushing_free(crux_pushing *s)
{
	if (!s)
		return;
	crux_pushing_states_free(&s->states);
	crux_pushing_bound_free(&s->bound);
	crux_pushing_ways_free(&s->ways);
	free(s->block);
	free(s);
}

crux_pushing_statistics crux_pushing_measure(const crux_pushing *s)
{
	crux_pushing_statistics statistics = s->statistics;
	statistics.states = s->states.count;
	statistics.state_bytes = crux_pushing_state_size(&s->states);
	statistics.bytes = s->states.room * statistics.state_bytes + s->states.slot_count * sizeof *s->states.slots;
	statistics.least = s->states.least;
	return statistics;
}
