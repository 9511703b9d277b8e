/* Random walks of many states at a time: draw, throw, run the program, feed what comes out back into it. */
#include "search/walk.h"

#include <stdlib.h>
#include <string.h>

struct crux_walk {
	crux_program *program;
	size_t moves, lanes, values, words; /* values of a state, words of its key */
	crux_state_place const *places;     /* of the values in a key; the layout's */
	uint64_t *columns;                  /* the words of the keys, by lane */
	uint64_t *generators;               /* the words of their states, by lane */
	uint64_t *thrown;                   /* by word and lane: the move, or words of coins */
	int64_t *given;                     /* by the level of the first lane */
	size_t given_count, coin_count;
	crux_coins coins[];
};

static bool allocate(crux_walk *walk, const crux_state_layout *layout)
{
	size_t thrown = 1;
	for (size_t i = 0; i < walk->coin_count; i++)
		thrown = crux_coins_words(walk->coins[i]) > thrown ? crux_coins_words(walk->coins[i]) : thrown;
	walk->places = crux_state_layout_places(layout);
	walk->given = malloc((walk->given_count + 1) * sizeof *walk->given);
	walk->columns = aligned_alloc(64, (walk->words + 1) * CRUX_BATCH * sizeof *walk->columns);
	walk->generators = aligned_alloc(64, 4 * CRUX_BATCH * sizeof *walk->generators);
	walk->thrown = aligned_alloc(64, (thrown + 1) * CRUX_BATCH * sizeof *walk->thrown);
	return walk->given && walk->columns && walk->generators && walk->thrown;
}

crux_walk *crux_walk_new(crux_program *program, const crux_state_layout *layout, size_t given, size_t moves,
                         const crux_coins *coins, size_t coin_count)
{
	crux_walk *walk = calloc(1, sizeof *walk + coin_count * sizeof *coins);
	if (!walk) {
		crux_program_free(program);
		return NULL;
	}
	*walk = (crux_walk){.program = program, .moves = moves, .given_count = given, .coin_count = coin_count};
	walk->values = crux_state_layout_values(layout);
	walk->words = crux_state_layout_words(layout);
	memcpy(walk->coins, coins, coin_count * sizeof *coins);
	if (!allocate(walk, layout)) {
		crux_walk_free(walk);
		return NULL;
	}
	return walk;
}

void crux_walk_free(crux_walk *walk)
{
	if (!walk)
		return;
	crux_program_free(walk->program);
	free(walk->columns);
	free(walk->generators);
	free(walk->thrown);
	free(walk->given);
	free(walk);
}

static void set_lane(crux_walk *walk, size_t lane, const uint64_t *key, const int64_t *given, const crux_random *random)
{
	for (size_t word = 0; word < walk->words; word++)
		walk->columns[word * CRUX_BATCH + lane] = key[word];
	for (size_t word = 0; word < 4; word++)
		walk->generators[word * CRUX_BATCH + lane] = random->state[word];
	crux_program_give(walk->program, lane, given);
}

void crux_walk_enter(crux_walk *walk, const uint64_t *key, const int64_t *given, crux_random random)
{
	if (walk->lanes == 0)
		memcpy(walk->given, given, walk->given_count * sizeof *given);
	set_lane(walk, walk->lanes++, key, given, &random);
}

size_t crux_walk_lanes(const crux_walk *walk)
{
	return walk->lanes;
}

/* Vectors take lanes that are not in use, too: those walk as the first one does. Returns how many there are with them. */
static size_t fill(crux_walk *walk)
{
	size_t const lanes = crux_program_rounded(walk->lanes);
	for (size_t lane = walk->lanes; lane < lanes; lane++) {
		for (size_t word = 0; word < walk->words; word++)
			walk->columns[word * CRUX_BATCH + lane] = walk->columns[word * CRUX_BATCH];
		for (size_t word = 0; word < 4; word++)
			walk->generators[word * CRUX_BATCH + lane] = walk->generators[word * CRUX_BATCH];
		crux_program_give(walk->program, lane, walk->given);
	}
	return lanes;
}

/* Draws moves and throws coins, the inputs after the state's values. */
static void throw_all(crux_walk *walk, size_t lanes)
{
	crux_generators const generators = {walk->generators, CRUX_BATCH, lanes};
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
		if (walk->places[i].bits > 0)
			crux_program_load(walk->program, i, walk->places[i], walk->columns, lanes);
	for (uint64_t step = 0; step < steps; step++) {
		throw_all(walk, lanes);
		crux_program_run(walk->program, lanes);
		if (crux_program_truths(walk->program, walk->values + CRUX_WALK_OUTPUT_WRONG, lanes, wrong, false))
			return false;
		crux_program_feed(walk->program, walk->values, lanes);
	}
	memset(walk->columns, 0, walk->words * CRUX_BATCH * sizeof *walk->columns);
	for (size_t i = 0; i < walk->values; i++)
		if (walk->places[i].bits > 0)
			crux_program_store(walk->program, i, walk->places[i], walk->columns, lanes);
	return true;
}

void crux_walk_key(const crux_walk *walk, size_t lane, uint64_t *key)
{
	for (size_t word = 0; word < walk->words; word++)
		key[word] = walk->columns[word * CRUX_BATCH + lane];
}

void crux_walk_clear(crux_walk *walk)
{
	walk->lanes = 0;
}

const crux_program *crux_walk_program(const crux_walk *walk)
{
	return walk->program;
}
