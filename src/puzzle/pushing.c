/* The search for the fewest pushes or moves: see pushing.h. */
#include "puzzle/pushing_search.h"

#include <stdlib.h>

#include "base/block.h"

enum { NONE = CRUX_PUSHING_NONE };
static uint32_t const NO_STATE = CRUX_PUSHING_NO_STATE;

/* How the search ends when no state is left. */
static crux_pushing_end end_of(crux_pushing *s)
{
	s->least = s->best;
	return s->best == SIZE_MAX ? CRUX_PUSHING_THROUGH : CRUX_PUSHING_WON;
}

/* Raises the least length of a solution, when no state is left by which it could be as long. False when no state is left at all. */
static bool raise_least(crux_pushing *s, uint32_t ahead, uint32_t behind)
{
	size_t least = SIZE_MAX;
	for (int i = 0; i < (s->is_both ? 2 : 1); i++) {
		crux_pushing_states *const states = i == 0 ? &s->forward : &s->backward;
		uint32_t const next = crux_pushing_states_least(states, CRUX_PUSHING_WAITING);
		if (next != NO_STATE && crux_pushing_state_at(states, next)->key < least)
			least = crux_pushing_state_at(states, next)->key;
		else if (next == NO_STATE && (i == 0 ? ahead : behind) == NO_STATE)
			return false;
	}
	if (ahead != NO_STATE && behind != NO_STATE) {
		size_t const sum = (size_t)crux_pushing_state_at(&s->forward, ahead)->length +
		                   crux_pushing_state_at(&s->backward, behind)->length + 1;
		least = sum < least ? sum : least;
	}
	s->least = least;
	return true;
}

static crux_pushing_end forward(crux_pushing *s, uint32_t index)
{
	crux_pushing_states_close(&s->forward, index);
	return crux_pushing_forward(s, index) ? CRUX_PUSHING_PAUSED : CRUX_PUSHING_BYTES;
}

/* Expands a state from each side, so that no solution shorter than `least` remains; raises that if there are none. */
static crux_pushing_end advance_pair(crux_pushing *s)
{
	uint32_t const ahead = crux_pushing_states_least(&s->forward, CRUX_PUSHING_READY);
	uint32_t const behind = crux_pushing_states_least(&s->backward, CRUX_PUSHING_READY);
	bool is_pair = ahead != NO_STATE && behind != NO_STATE;
	if (is_pair)
		is_pair = (size_t)crux_pushing_state_at(&s->forward, ahead)->length +
		          crux_pushing_state_at(&s->backward, behind)->length + 1 <= s->least;
	if (!is_pair)
		return raise_least(s, ahead, behind) ? CRUX_PUSHING_PAUSED : end_of(s);
	crux_pushing_end const end = forward(s, ahead);
	crux_pushing_states_close(&s->backward, behind);
	return end != CRUX_PUSHING_PAUSED || crux_pushing_backward(s, behind) ? end : CRUX_PUSHING_BYTES;
}

/* Makes the tables of pairs and triples once the search has found as many states as each of them is worth. False when memory is short. */
static bool find_groups(crux_pushing *s)
{
	uint32_t const count = s->forward.count;
	bool is_good = true;
	if (count >= s->pairs_from) {
		is_good = crux_pushing_pairs_find(&s->pairs, s->level, &s->ways);
		s->pairs_from = UINT32_MAX;
		s->coarse = count;
	}
	if (is_good && count >= s->triples_from) {
		is_good = crux_pushing_triples_find(&s->triples, s->level, &s->ways);
		s->triples_from = UINT32_MAX;
		s->coarse = count;
	}
	return is_good;
}

/* Expands a state of each length in turn, or a pair. Where the estimate is exact, this leads to a win soon. So a search from both sides for
 * the fewest pushes expands one such state after each pair. By moves it would not end any sooner, as it finds all shortest solutions. */
static crux_pushing_end advance(crux_pushing *s)
{
	if (!find_groups(s) || !crux_pushing_states_ready(&s->forward, s->least) || !crux_pushing_states_ready(&s->backward, s->least))
		return CRUX_PUSHING_BYTES;
	bool const is_deep = !s->is_both || (!s->by_moves && s->statistics.expanded % 3 == 0);
	uint32_t const deep = is_deep ? crux_pushing_states_in_turn(&s->forward, CRUX_PUSHING_READY, &s->deep) : NO_STATE;
	if (deep == NO_STATE)
		return advance_pair(s);
	crux_pushing_end const end = forward(s, deep);
	if (end != CRUX_PUSHING_PAUSED || s->is_both || s->forward.count < s->few)
		return end;
	return crux_pushing_begin_backward(s) ? CRUX_PUSHING_PAUSED : CRUX_PUSHING_BYTES;
}

crux_pushing_end crux_pushing_expand(crux_pushing *s, uint32_t count, uint32_t state_limit)
{
	for (uint32_t i = 0; i < count; i++) {
		if (s->by_moves ? s->best < s->least : s->best <= s->least) {
			s->least = s->best;
			return CRUX_PUSHING_WON;
		}
		if (s->forward.count + s->backward.count >= state_limit)
			return CRUX_PUSHING_STATES;
		crux_pushing_end const end = advance(s);
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
	crux_pushing_load_start(s);
	for (unsigned i = 0; i < level->boxes; i++) {
		if (!s->ways.is_alive[s->boxes[i]])
			return true;
		s->bound.rows[i] = crux_pushing_row(&s->ways, level, s->boxes[i], level->man);
	}
	if (!crux_pushing_reserve(s, &s->forward) || !crux_pushing_reserve(s, &s->backward))
		return false;
	if (crux_pushing_is_frozen(s) || !crux_pushing_bound_assign(&s->bound))
		return true;
	crux_pushing_walk(s, level->man, s->steps);
	crux_pushing_find(s, &s->forward, level->man, &slot);
	uint32_t const index = crux_pushing_states_add(&s->forward, s->key, s->man, slot);
	crux_pushing_state_at(&s->forward, index)->estimate = (uint32_t)s->bound.sum;
	s->least = (size_t)s->bound.sum;
	return crux_pushing_arrive(s, &s->forward, index, NO_STATE, 0);
}

/* The number of states from which a table is worth its cost; UINT32_MAX, so never, where it takes much of the memory. */
static uint32_t worth_from(const crux_pushing *s, uint64_t bytes, uint32_t few, uint64_t cost)
{
	uint64_t const from = cost > few ? cost : few;
	return bytes > s->byte_limit / 16 || from > UINT32_MAX ? UINT32_MAX : (uint32_t)from;
}

/* Sets from how many states tables are made. A cost is the number of states that the search finds in the time of the table, as measured. */
static void plan_groups(crux_pushing *s)
{
	uint64_t const alive = s->ways.alive, pairs = s->level->boxes * alive;
	s->pairs_from = worth_from(s, crux_pushing_pairs_bytes(s->level, &s->ways), s->few / 16, pairs * pairs / 512);
	s->triples_from = worth_from(s, crux_pushing_triples_bytes(s->level, &s->ways), s->few / 4, alive * alive * alive / 48);
}

crux_pushing *crux_pushing_new(const crux_pushing_level *level, bool by_moves, size_t bytes, uint32_t few)
{
	crux_pushing *const s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	*s = (crux_pushing){.level = level, .by_moves = by_moves, .byte_limit = bytes, .few = few, .best = SIZE_MAX};
	size_t const squares = level->squares, words = (squares + 63) / 64;
	s->block = crux_block_new((crux_array[]){CRUX_ARRAY(s->boxes, level->boxes), CRUX_ARRAY(s->is_box, squares),
	                          CRUX_ARRAY(s->steps, squares), CRUX_ARRAY(s->queue, squares), CRUX_ARRAY(s->other_steps, squares),
	                          CRUX_ARRAY(s->is_kept, squares), CRUX_ARRAY(s->key, words), CRUX_ARRAY(s->image, words),
	                          CRUX_ARRAY(s->aims, level->boxes * 4), CRUX_ARRAY(s->images, squares * CRUX_PUSHING_SYMMETRIES)}, 10);
	if (!s->block || !crux_pushing_ways_find(&s->ways, level) ||
	    !crux_pushing_bound_new(&s->bound, level->boxes)) {
		crux_pushing_free(s);
		return NULL;
	}
	s->symmetries = crux_pushing_symmetries_find(level, s->images);
	s->forward.words = s->backward.words = (s->ways.alive + 63) / 64;
	plan_groups(s);
	if (begin(s))
		return s;
	crux_pushing_free(s);
	return NULL;
}

void crux_pushing_free(crux_pushing *s)
{
	if (!s)
		return;
	crux_pushing_states_free(&s->forward);
	crux_pushing_states_free(&s->backward);
	crux_pushing_bound_free(&s->bound);
	crux_pushing_pairs_free(&s->pairs);
	crux_pushing_triples_free(&s->triples);
	crux_pushing_ways_free(&s->ways);
	free(s->meetings);
	free(s->block);
	free(s);
}

crux_pushing_statistics crux_pushing_measure(const crux_pushing *s)
{
	crux_pushing_statistics statistics = s->statistics;
	statistics.states = s->forward.count + s->backward.count;
	statistics.state_bytes = crux_pushing_state_size(&s->forward);
	statistics.bytes = crux_pushing_states_bytes(&s->forward) + crux_pushing_states_bytes(&s->backward);
	statistics.least = s->least;
	return statistics;
}
