/* Breadth-first search of a level: see rewrite_search.h. */
#include "puzzlescript/rewrite_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "base/clock.h"

enum { BATCH = 256 }; /* minimum room of a batch: keys merged into the set together */

struct crux_rewrite_search {
	const crux_rewrite_program *program;
	crux_turns *turns;
	size_t layer_count, moves, cells;
	void *memory;               /* of the arrays below, to values */
	size_t *sizes, **objects;   /* by layer */
	size_t *values_of;          /* by object: its value on its layer; 0: it never changes */
	size_t *layers_of;          /* by object that may change: its layer in a state, from 0 */
	uint64_t *still;            /* by cell: the objects that never change */
	uint64_t *cells_now;        /* buffer for a level */
	int64_t *values;            /* buffer for a state */
	uint64_t *keys, *notes;     /* the batch */
	size_t key_count, key_room; /* in keys */
	uint32_t next;              /* the state to expand */
	bool counts;
	uint32_t *indices;   /* of the batch in the set, if counting */
	int64_t *ways;       /* by state: shortest paths to it, -1 if more than 2^63 - 1, if counting */
	size_t ways_room;    /* in ways */
	uint32_t next_depth; /* the first state that is deeper than `next`, if counting */
	crux_rewrite_statistics found;
};

crux_rewrite_statistics crux_rewrite_search_statistics(const crux_rewrite_search *s)
{
	return s->found;
}

void crux_rewrite_search_free(crux_rewrite_search *s)
{
	if (!s)
		return;
	for (size_t i = 0; s->memory && i < s->layer_count; i++)
		free(s->objects[i]);
	free(s->memory);
	free(s->keys);
	free(s->notes);
	free(s->indices);
	free(s->ways);
	free(s);
}

/* Copies the layers. Returns false when memory is short. */
static bool copy_layers(crux_rewrite_search *s, const crux_rewrite_layers *layers)
{
	for (size_t layer = 0; layer < s->layer_count; layer++) {
		size_t const size = layers->sizes[layer];
		s->sizes[layer] = size;
		s->objects[layer] = malloc((size ? size : 1) * sizeof **s->objects);
		if (!s->objects[layer])
			return false;
		for (size_t i = 0; i < size; i++) {
			s->objects[layer][i] = layers->objects[layer][i];
			s->values_of[layers->objects[layer][i]] = i + 1;
			s->layers_of[layers->objects[layer][i]] = layer;
		}
	}
	return true;
}

/* Copies the objects that never change from the cells of the turns to `still`. */
static void note_still(crux_rewrite_search *s)
{
	size_t const words = s->program->object_words;
	memcpy(s->still, crux_turns_objects(s->turns), s->cells * words * sizeof *s->still);
	for (size_t i = 0; i < s->program->object_count; i++)
		for (size_t cell = 0; s->values_of[i] && cell < s->cells; cell++)
			s->still[cell * words + i / 64] &= ~(UINT64_C(1) << (i % 64));
}

crux_rewrite_search *crux_rewrite_search_new(const crux_rewrite_program *program, crux_turns *turns,
                                             const crux_rewrite_layers *layers, size_t moves, bool counts)
{
	crux_rewrite_search *const s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	size_t const cells = crux_turns_cells(turns);
	*s = (crux_rewrite_search){
		.program = program, .turns = turns, .layer_count = layers->count, .moves = moves, .cells = cells, .counts = counts};
	crux_array const arrays[] = {
		CRUX_ARRAY(s->sizes, layers->count), CRUX_ARRAY(s->objects, layers->count), CRUX_ARRAY(s->values_of, program->object_count),
		CRUX_ARRAY(s->layers_of, program->object_count), CRUX_ARRAY(s->still, cells * program->object_words),
		CRUX_ARRAY(s->cells_now, cells * program->object_words), CRUX_ARRAY(s->values, cells * layers->count),
	};
	s->memory = crux_block_new(arrays, sizeof arrays / sizeof *arrays);
	if (!s->memory || !copy_layers(s, layers)) {
		crux_rewrite_search_free(s);
		return NULL;
	}
	note_still(s);
	return s;
}

bool crux_rewrite_search_takes(const crux_rewrite_search *s, const crux_state_layout *layout)
{
	bool fits = layout->values == s->cells * s->layer_count;
	for (size_t i = 0; fits && i < layout->values; i++)
		fits = layout->places[i].low == 0 && layout->last[i] <= s->sizes[i / s->cells];
	return fits;
}

/* Sets cells_now to the cells of a state. */
static void unpack(crux_rewrite_search *s, const crux_state_layout *layout, const uint64_t *key)
{
	size_t const words = s->program->object_words;
	crux_state_layout_unpack(layout, key, s->values);
	memcpy(s->cells_now, s->still, s->cells * words * sizeof *s->still);
	const int64_t *value = s->values;
	for (size_t layer = 0; layer < s->layer_count; layer++) {
		for (size_t cell = 0; cell < s->cells; cell++, value++) {
			if (!*value)
				continue;
			size_t const object = s->objects[layer][*value - 1];
			s->cells_now[cell * words + object / 64] |= UINT64_C(1) << (object % 64);
		}
	}
}

/* Packs the cells of the turns into a key. */
static void pack(crux_rewrite_search *s, const crux_state_layout *layout, uint64_t *key)
{
	size_t const words = s->program->object_words;
	const uint64_t *const now = crux_turns_objects(s->turns);
	memset(s->values, 0, s->cells * s->layer_count * sizeof *s->values);
	for (size_t cell = 0; cell < s->cells; cell++) {
		for (size_t word = 0; word < words; word++) {
			uint64_t changed = now[cell * words + word] & ~s->still[cell * words + word];
			for (; changed; changed &= changed - 1) {
				size_t const object = word * 64 + (size_t)__builtin_ctzll(changed);
				s->values[s->layers_of[object] * s->cells + cell] = (int64_t)s->values_of[object];
			}
		}
	}
	crux_state_layout_pack(layout, s->values, key);
}

static bool make_room(crux_rewrite_search *s, size_t words)
{
	if (s->keys)
		return true;
	s->key_room = BATCH + s->moves;
	s->keys = malloc(s->key_room * words * sizeof *s->keys);
	s->notes = calloc(s->key_room, sizeof *s->notes);
	s->indices = malloc(s->key_room * sizeof *s->indices);
	return s->keys && s->notes && s->indices;
}

static int64_t sum_of_ways(int64_t a, int64_t b)
{
	return a < 0 || b < 0 || a > INT64_MAX - b ? -1 : a + b;
}

/* Adds the paths of the parents to those of the first `count` states of the batch. Returns false when memory is short. */
static bool add_ways(crux_rewrite_search *s, const crux_state_set *set, size_t count)
{
	size_t const states = crux_state_set_count(set);
	size_t const room = s->ways_room;
	if (!crux_array_grow(CRUX_ARRAY(s->ways, states), &s->ways_room))
		return false;
	if (s->ways_room > room) {
		memset(s->ways + room, 0, (s->ways_room - room) * sizeof *s->ways);
		s->ways[0] = 1;
	}
	for (size_t i = 0; i < count; i++) {
		uint32_t const parent = (uint32_t)s->notes[i] - 1, state = s->indices[i];
		if (state >= s->next_depth)
			s->ways[state] = sum_of_ways(s->ways[state], s->ways[parent]);
	}
	return true;
}

/* Merges the batch into the set. Returns false when the set is full. */
static bool merge(crux_rewrite_search *s, crux_state_set *set, uint32_t state_limit)
{
	uint32_t const before = crux_state_set_count(set);
	double const began = crux_clock_now();
	size_t const merged = crux_state_set_merge(set, s->keys, s->notes, s->key_count, state_limit, s->indices);
	s->found.set_seconds += crux_clock_now() - began;
	s->found.duplicates += (int64_t)merged - (int64_t)(crux_state_set_count(set) - before);
	bool const has_room = (!s->counts || add_ways(s, set, merged)) && merged == s->key_count;
	s->key_count = 0;
	return has_room;
}

/* Tries all moves of a state and adds the keys of the results to the batch, after a win only counts further wins. */
static crux_rewrite_end try_moves(crux_rewrite_search *s, const crux_state_set *set, const crux_state_layout *layout,
                                  uint32_t state, crux_fault *fault)
{
	size_t const words = layout->words;
	unpack(s, layout, crux_state_set_key(set, state));
	s->found.expanded += !s->found.is_won;
	for (size_t move = 0; move < s->moves; move++) {
		crux_turns_set(s->turns, s->cells_now);
		if (!crux_turns_input(s->turns, (int)move, fault))
			return CRUX_REWRITE_FAILED;
		s->found.generated += !s->found.is_won;
		if (crux_turns_won(s->turns)) {
			if (!s->found.is_won) {
				s->found.is_won = true;
				s->found.state = state;
				s->found.move = move;
			}
			if (!s->counts)
				return CRUX_REWRITE_WON;
			s->found.solutions = sum_of_ways(s->found.solutions, s->ways[state]);
		} else if (!s->found.is_won) {
			pack(s, layout, s->keys + s->key_count * words);
			s->notes[s->key_count++] = (uint64_t)(state + 1) | (uint64_t)(move + 1) << 32;
		}
	}
	return s->found.is_won ? CRUX_REWRITE_WON : CRUX_REWRITE_PAUSED;
}

static crux_rewrite_end limit_met(const crux_state_set *set, uint32_t state_limit)
{
	return crux_state_set_count(set) >= state_limit ? CRUX_REWRITE_STATES : CRUX_REWRITE_BYTES;
}

crux_rewrite_end crux_rewrite_search_expand(crux_rewrite_search *s, crux_state_set *set, const crux_state_layout *layout,
                                            uint32_t count, uint32_t state_limit, crux_fault *fault)
{
	if (!make_room(s, layout->words))
		return CRUX_REWRITE_BYTES;
	for (uint32_t i = 0; i < count; i++) {
		bool const ends_depth = s->counts && s->next == s->next_depth;
		bool const needs_merge = s->next == crux_state_set_count(set) || ends_depth || s->key_count + s->moves > s->key_room;
		if (needs_merge && !merge(s, set, state_limit))
			return limit_met(set, state_limit);
		if (ends_depth && s->found.is_won)
			return CRUX_REWRITE_WON;
		if (ends_depth)
			s->next_depth = crux_state_set_count(set);
		if (s->next == crux_state_set_count(set))
			return CRUX_REWRITE_THROUGH;
		crux_rewrite_end const end = try_moves(s, set, layout, s->next++, fault);
		if (end == CRUX_REWRITE_FAILED)
			return end;
		if (end == CRUX_REWRITE_WON && !merge(s, set, state_limit))
			return limit_met(set, state_limit);
		if (end == CRUX_REWRITE_WON && !s->counts)
			return end;
	}
	return CRUX_REWRITE_PAUSED;
}

#define IS_WON UINT32_MAX /* a successor that is a win, not a state */

/* Returns successors by state and move, `moves` numbers a state. NULL when a limit or memory is exceeded, or a turn fails. */
static uint32_t *successors_of(crux_rewrite_search *s, crux_state_set *set, const crux_state_layout *layout,
                               uint32_t state_limit)
{
	size_t room = 0;
	uint32_t *successors = NULL, found[CRUX_TURN_ACTION + 1];
	size_t const words = layout->words;
	crux_fault fault;
	for (uint32_t state = 0; state < crux_state_set_count(set); state++) {
		if (!crux_array_grow(CRUX_ARRAY(successors, (state + 1) * s->moves), &room))
			break;
		unpack(s, layout, crux_state_set_key(set, state));
		s->key_count = 0;
		uint32_t *const row = successors + state * s->moves;
		for (size_t move = 0; move < s->moves; move++) {
			crux_turns_set(s->turns, s->cells_now);
			if (!crux_turns_input(s->turns, (int)move, &fault)) {
				free(successors);
				return NULL;
			}
			row[move] = crux_turns_won(s->turns) ? IS_WON : 0;
			if (row[move])
				continue;
			pack(s, layout, s->keys + s->key_count * words);
			s->notes[s->key_count++] = 0;
		}
		if (crux_state_set_merge(set, s->keys, s->notes, s->key_count, state_limit, found) < s->key_count)
			break;
		for (size_t move = 0, next = 0; move < s->moves; move++)
			if (row[move] != IS_WON)
				row[move] = found[next++];
		if (state + 1 == crux_state_set_count(set))
			return successors;
	}
	free(successors);
	return NULL;
}

/* Marks the states from which a win can be reached. Repeats passes over all states until one marks none: few passes suffice. */
static void mark_alive(const uint32_t *successors, uint32_t states, size_t moves, bool *alive)
{
	bool found = true;
	while (found) {
		found = false;
		for (uint32_t i = states; i-- > 0;) {
			for (size_t move = 0; move < moves && !alive[i]; move++) {
				uint32_t const next = successors[i * moves + move];
				alive[i] = next == IS_WON || alive[next];
				found = found || alive[i];
			}
		}
	}
}

bool crux_rewrite_search_sweep(crux_rewrite_search *s, crux_state_set *set, const crux_state_layout *layout,
                               uint32_t state_limit, crux_rewrite_space *space)
{
	uint32_t *const successors =
		make_room(s, layout->words) ? successors_of(s, set, layout, state_limit) : NULL;
	uint32_t const states = crux_state_set_count(set);
	bool *const alive = calloc(states, sizeof *alive);
	if (!successors || !alive) {
		free(successors);
		free(alive);
		return false;
	}
	mark_alive(successors, states, s->moves, alive);
	*space = (crux_rewrite_space){.states = states};
	for (uint32_t i = 0; i < states; i++) {
		space->dead += !alive[i];
		for (size_t move = 0; move < s->moves && alive[i]; move++) {
			uint32_t const next = successors[i * s->moves + move];
			space->changing += next != i;
			space->losing += next != IS_WON && !alive[next];
		}
	}
	free(successors);
	free(alive);
	return true;
}
