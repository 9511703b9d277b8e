/* Random walks of many states at a time: draw, throw, run the program, feed its outputs back into it. */
#include "search/walk.h"

#include <stdlib.h>
#include <string.h>

#include "base/block.h"

static bool allocate(crux_walk *walk, const crux_state_layout *layout, const crux_coins *coins)
{
	size_t thrown = 1;
	for (size_t i = 0; i < walk->coin_count; i++)
		thrown = crux_coins_words(coins[i]) > thrown ? crux_coins_words(coins[i]) : thrown;
	crux_array const arrays[] = {
		CRUX_ARRAY(walk->coins, walk->coin_count),
		CRUX_ARRAY(walk->parameters, walk->parameter_count),
		CRUX_ARRAY(walk->columns, (walk->words + 1) * CRUX_COLUMN),
		CRUX_ARRAY(walk->generators, 4 * CRUX_COLUMN),
		CRUX_ARRAY(walk->thrown, (thrown + 1) * CRUX_COLUMN),
	};
	walk->block = crux_block_new(arrays, sizeof arrays / sizeof *arrays);
	walk->layout = crux_state_layout_copy(layout);
	return walk->block && walk->layout;
}

crux_walk *crux_walk_new(crux_program *program, const crux_state_layout *layout, size_t parameter_count, size_t moves,
                         const crux_coins *coins, size_t coin_count)
{
	crux_walk *walk = calloc(1, sizeof *walk);
	if (!walk) {
		crux_program_free(program);
		return NULL;
	}
	*walk = (crux_walk){.program = program, .moves = moves, .parameter_count = parameter_count, .coin_count = coin_count};
	walk->values = layout->values;
	walk->words = layout->words;
	if (!allocate(walk, layout, coins)) {
		crux_walk_free(walk);
		return NULL;
	}
	memcpy(walk->coins, coins, coin_count * sizeof *coins);
	return walk;
}

void crux_walk_free(crux_walk *walk)
{
	if (!walk)
		return;
	crux_program_free(walk->program);
	crux_state_layout_free(walk->layout);
	free(walk->block);
	free(walk);
}

static void set_lane(crux_walk *walk, size_t lane, const uint64_t *key, const int64_t *parameters, const crux_random *random)
{
	for (size_t word = 0; word < walk->words; word++)
		walk->columns[word * CRUX_COLUMN + lane] = key[word];
	for (size_t word = 0; word < 4; word++)
		walk->generators[word * CRUX_COLUMN + lane] = random->state[word];
	crux_program_set_lane(walk->program, lane, parameters);
}

void crux_walk_enter(crux_walk *walk, const uint64_t *key, const int64_t *parameters, crux_random random)
{
	if (walk->lanes == 0)
		memcpy(walk->parameters, parameters, walk->parameter_count * sizeof *parameters);
	set_lane(walk, walk->lanes++, key, parameters, &random);
}

/* Fills unused lanes up to a whole vector with copies of the first lane; returns the number of lanes. */
static size_t fill(crux_walk *walk)
{
	size_t const lanes = crux_program_rounded(walk->lanes);
	for (size_t lane = walk->lanes; lane < lanes; lane++) {
		for (size_t word = 0; word < walk->words; word++)
			walk->columns[word * CRUX_COLUMN + lane] = walk->columns[word * CRUX_COLUMN];
		for (size_t word = 0; word < 4; word++)
			walk->generators[word * CRUX_COLUMN + lane] = walk->generators[word * CRUX_COLUMN];
		crux_program_set_lane(walk->program, lane, walk->parameters);
	}
	return lanes;
}

/* Draws moves and throws coins, the inputs after the state's values. */
static void throw_all(crux_walk *walk, size_t lanes)
{
	crux_generators const generators = {walk->generators, CRUX_COLUMN, lanes};
	size_t input = walk->values;
	crux_coins_draw(generators, walk->moves, walk->thrown);
	crux_program_load(walk->program, input++, (crux_state_place){0, 0, 16, 0}, walk->thrown, lanes);
	for (size_t i = 0; i < walk->coin_count; i++) {
		crux_coins_throw(walk->coins[i], generators, walk->thrown);
		unsigned left = walk->coins[i].count;
		for (size_t word = 0; left > 0; word++, input++) {
			unsigned const bits = left < 64 ? left : 64;
			crux_program_load(walk->program, input, (crux_state_place){word, 0, bits, 0}, walk->thrown, lanes);
			left -= bits;
		}
	}
}

bool crux_walk_run(crux_walk *walk, uint64_t steps)
{
	size_t const lanes = fill(walk);
	uint8_t wrong[CRUX_BATCH];
	for (size_t i = 0; i < walk->values; i++)
		if (walk->layout->places[i].bits > 0)
			crux_program_load(walk->program, i, walk->layout->places[i], walk->columns, lanes);
	for (uint64_t step = 0; step < steps; step++) {
		throw_all(walk, lanes);
		crux_program_run(walk->program, lanes);
		if (crux_program_truths(walk->program, walk->values + CRUX_WALK_OUTPUT_WRONG, lanes, wrong))
			return false;
		crux_program_feed(walk->program, walk->values, lanes);
	}
	memset(walk->columns, 0, walk->words * CRUX_COLUMN * sizeof *walk->columns);
	for (size_t i = 0; i < walk->values; i++)
		if (walk->layout->places[i].bits > 0)
			crux_program_store(walk->program, i, walk->layout->places[i], walk->columns, lanes);
	return true;
}

void crux_walk_key(const crux_walk *walk, size_t lane, uint64_t *key)
{
	for (size_t word = 0; word < walk->words; word++)
		key[word] = walk->columns[word * CRUX_COLUMN + lane];
}
