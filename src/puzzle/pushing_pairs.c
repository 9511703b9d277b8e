/* Pushes of two boxes: see pushing_pairs.h. */
#include "puzzle/pushing_pairs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"

enum { NONE = CRUX_PUSHING_NONE, PARTS = 8, APART = PARTS - 1, NEVER = UINT8_MAX };

/* The tables from which a finder makes those of pairs. A place tells two squares and a part: (first * alive + second) * PARTS + part. */
typedef struct finder {
	const crux_pushing_level *level;
	const crux_pushing_ways *ways;
	const crux_pushing_pairs *pairs;
	uint16_t *man;    /* by pair and part: a square of the part, NONE if there is none */
	uint16_t *pushes; /* by place: to the two goals */
	uint32_t *queue;  /* places */
	uint16_t *walk;
} finder;

static size_t pair_of(unsigned a, unsigned b)
{
	return a < b ? (size_t)b * (b - 1) / 2 + a : (size_t)a * (a - 1) / 2 + b;
}

/* Adds the places of two boxes, for a man in any part. Returns the length of the queue. */
static size_t begin(const finder *f, unsigned first, unsigned second)
{
	size_t last = 0;
	for (unsigned part = 0; part < APART; part++) {
		uint32_t const place = (first * f->ways->alive + second) * PARTS + part;
		if (f->man[pair_of(first, second) * PARTS + part] == NONE)
			continue;
		f->pushes[place] = 0;
		f->queue[last++] = place;
	}
	return last;
}

/* Adds the places before a push of the first or the second box. Returns the length of the queue. */
static size_t pull(const finder *f, uint32_t after, bool is_first, size_t last)
{
	unsigned const count = f->ways->alive, part = after % PARTS, first = after / PARTS / count, second = after / PARTS % count;
	unsigned const box = is_first ? first : second, other = is_first ? second : first;
	uint8_t const *const parts = f->pairs->part + pair_of(first, second) * f->level->squares;
	for (int d = 0; d < 4; d++) {
		uint16_t const to = f->level->next[f->ways->square[box]][d], man = to == NONE ? NONE : f->level->next[to][d];
		if (man == NONE || parts[to] != part || parts[man] != part || !f->ways->is_alive[to])
			continue;
		unsigned const now = f->ways->number[to];
		unsigned const pair = is_first ? now * count + other : other * count + now;
		uint32_t const place = pair * PARTS + f->pairs->part[pair_of(now, other) * f->level->squares + man];
		if (f->pushes[place] != NONE)
			continue;
		f->pushes[place] = (uint16_t)(f->pushes[after] + 1);
		f->queue[last++] = place;
	}
	return last;
}

/* The pushes of two boxes to goals, for a man in a part, beyond those that each of them takes alone to its goal. */
static int beyond_alone(const finder *f, unsigned first, unsigned second, uint16_t man, unsigned pushes, const uint16_t *goals)
{
	int const beyond = (int)pushes - crux_pushing_row(f->ways, f->level, f->ways->square[first], man)[goals[0]] -
	                   crux_pushing_row(f->ways, f->level, f->ways->square[second], man)[goals[1]];
	return beyond < NEVER ? beyond : NEVER - 1;
}

/* Lowers the pushes beyond to those for goals on two squares, which are found back from there. */
static void lower(const finder *f, uint16_t first_square, uint16_t second_square)
{
	unsigned const count = f->ways->alive;
	uint16_t const goals[] = {f->level->goal[first_square], f->level->goal[second_square]};
	size_t last;
	assert(count > 0); /* these squares are among them */
	memset(f->pushes, 0xff, (size_t)count * count * PARTS * sizeof *f->pushes);
	last = begin(f, f->ways->number[first_square], f->ways->number[second_square]);
	for (size_t i = 0; i < last; i++) {
		uint32_t const place = f->queue[i];
		unsigned const first = place / PARTS / count, second = place / PARTS % count;
		size_t const at = pair_of(first, second) * PARTS + place % PARTS;
		int const beyond = beyond_alone(f, first, second, f->man[at], f->pushes[place], goals);
		if (beyond < f->pairs->beyond[at])
			f->pairs->beyond[at] = (uint8_t)beyond;
		last = pull(f, place, true, last);
		last = pull(f, place, false, last);
	}
}

static void find(const finder *f)
{
	unsigned const count = f->ways->alive, squares = f->level->squares;
	memset(f->man, 0xff, (size_t)count * (count - 1) / 2 * PARTS * sizeof *f->man);
	memset(f->pairs->beyond, NEVER, (size_t)count * (count - 1) / 2 * PARTS);
	for (unsigned b = 1; b < count; b++)
		for (unsigned a = 0; a < b; a++) {
			size_t const pair = pair_of(a, b);
			crux_pushing_split(f->level, (uint16_t[]){f->ways->square[a], f->ways->square[b]}, 2, APART, f->pairs->part + pair * squares,
			                   f->man + pair * PARTS, f->walk);
		}
	for (uint16_t b = 1; b < squares; b++)
		for (uint16_t a = 0; a < b; a++)
			if (f->level->goal[a] != NONE && f->level->goal[b] != NONE)
				lower(f, a, b);
	for (size_t i = 0; i < (size_t)count * (count - 1) / 2 * PARTS; i++)
		if (f->man[i] != NONE && f->pairs->beyond[i] > f->pairs->most[i / PARTS])
			f->pairs->most[i / PARTS] = f->pairs->beyond[i];
}

uint64_t crux_pushing_pairs_bytes(const crux_pushing_level *level, const crux_pushing_ways *ways)
{
	return (uint64_t)ways->alive * ways->alive / 2 * (level->squares + PARTS);
}

bool crux_pushing_pairs_find(crux_pushing_pairs *pairs, const crux_pushing_level *level, const crux_pushing_ways *ways)
{
	finder f = {.level = level, .ways = ways, .pairs = pairs};
	size_t const squares = level->squares, count = ways->alive, room = count * count / 2, places = count * count * PARTS;
	pairs->block = crux_block_new((crux_array[]){CRUX_ARRAY(pairs->part, room * squares), CRUX_ARRAY(pairs->beyond, room * PARTS),
	                              CRUX_ARRAY(pairs->most, room), CRUX_ARRAY(pairs->is_taken, level->boxes)}, 4);
	void *const scratch = crux_block_new((crux_array[]){CRUX_ARRAY(f.man, room * PARTS), CRUX_ARRAY(f.pushes, places),
	                                     CRUX_ARRAY(f.queue, places), CRUX_ARRAY(f.walk, squares)}, 4);
	bool const is_good = pairs->block && scratch;
	if (is_good)
		find(&f);
	else
		crux_pushing_pairs_free(pairs);
	free(scratch);
	return is_good;
}

void crux_pushing_pairs_free(crux_pushing_pairs *pairs)
{
	free(pairs->block);
	pairs->block = NULL;
}

int32_t crux_pushing_pairs_beyond(const crux_pushing_pairs *pairs, const crux_pushing_level *level, const crux_pushing_ways *ways,
                                  const uint16_t *boxes, unsigned man)
{
	int32_t sum = 0;
	memset(pairs->is_taken, 0, level->boxes * sizeof *pairs->is_taken);
	for (unsigned j = 1; j < level->boxes; j++)
		for (unsigned i = 0; i < j; i++) {
			size_t const pair = pair_of(ways->number[boxes[i]], ways->number[boxes[j]]);
			if (pairs->most[pair] == 0)
				continue;
			uint8_t const beyond = pairs->beyond[pair * PARTS + pairs->part[pair * level->squares + man]];
			if (beyond == NEVER)
				return -1;
			if (beyond == 0 || pairs->is_taken[i] || pairs->is_taken[j])
				continue;
			pairs->is_taken[i] = pairs->is_taken[j] = true;
			sum += beyond;
		}
	return sum;
}
