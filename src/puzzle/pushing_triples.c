/* Three boxes that are lost: see pushing_triples.h. */
#include "puzzle/pushing_triples.h"

#include <stdlib.h>

#include "base/block.h"

enum { NONE = CRUX_PUSHING_NONE, PARTS = 8, APART = PARTS - 1 };

/* The numbers of the squares of three boxes, and the part that the man is in. */
typedef struct place {
	uint16_t boxes[3];
	uint8_t part;
} place;

/* The tables from which a finder makes those of triples. */
typedef struct finder {
	const crux_pushing_level *level;
	const crux_pushing_ways *ways;
	const crux_pushing_triples *triples;
	place *queue; /* from which goals are reached */
	size_t last;
	uint16_t *walk;
} finder;

static uint64_t count_triples(uint64_t count)
{
	return count < 3 ? 0 : count * (count - 1) * (count - 2) / 6;
}

static size_t triple_of(unsigned a, unsigned b, unsigned c)
{
	unsigned const least = a < b ? (a < c ? a : c) : (b < c ? b : c), most = a > b ? (a > c ? a : c) : (b > c ? b : c);
	size_t const middle = a + b + c - least - most;
	return (size_t)count_triples(most) + middle * (middle - 1) / 2 + least;
}

static void add(finder *f, unsigned a, unsigned b, unsigned c, unsigned part)
{
	uint8_t *const is_lost = &f->triples->is_lost[triple_of(a, b, c)];
	if (!(*is_lost >> part & 1))
		return;
	*is_lost ^= (uint8_t)(1 << part);
	f->queue[f->last++] = (place){{(uint16_t)a, (uint16_t)b, (uint16_t)c}, (uint8_t)part};
}

/* Adds the places before a push of a box, beside two others. */
static void pull(finder *f, unsigned box, unsigned b, unsigned c, unsigned part)
{
	size_t const squares = f->level->squares;
	uint8_t const *const parts = f->triples->part + triple_of(box, b, c) * squares;
	for (int d = 0; d < 4; d++) {
		uint16_t const to = f->level->next[f->ways->square[box]][d], man = to == NONE ? NONE : f->level->next[to][d];
		if (man == NONE || parts[to] != part || parts[man] != part || !f->ways->is_alive[to])
			continue;
		unsigned const now = f->ways->number[to];
		add(f, now, b, c, f->triples->part[triple_of(now, b, c) * squares + man]);
	}
}

/* Sets the parts of a triple, all of which are lost as long as no way from them is found; if all are goals, none is. */
static void begin(finder *f, unsigned a, unsigned b, unsigned c)
{
	crux_pushing_level const *const level = f->level;
	uint16_t const squares[] = {f->ways->square[a], f->ways->square[b], f->ways->square[c]};
	size_t const triple = triple_of(a, b, c);
	bool const is_goal = level->goal[squares[0]] != NONE && level->goal[squares[1]] != NONE && level->goal[squares[2]] != NONE;
	unsigned const parts = crux_pushing_split(level, squares, 3, APART, f->triples->part + triple * level->squares, NULL, f->walk);
	f->triples->is_lost[triple] = (uint8_t)((1 << parts) - 1);
	for (unsigned part = 0; part < parts && is_goal; part++)
		add(f, a, b, c, part);
}

static void find(finder *f)
{
	for (unsigned c = 2; c < f->ways->alive; c++)
		for (unsigned b = 1; b < c; b++)
			for (unsigned a = 0; a < b; a++)
				begin(f, a, b, c);
	for (size_t i = 0; i < f->last; i++) {
		place const p = f->queue[i];
		for (int box = 0; box < 3; box++)
			pull(f, p.boxes[box], p.boxes[(box + 1) % 3], p.boxes[(box + 2) % 3], p.part);
	}
}

uint64_t crux_pushing_triples_bytes(const crux_pushing_level *level, const crux_pushing_ways *ways)
{
	return count_triples(ways->alive) * (level->squares + 1);
}

bool crux_pushing_triples_find(crux_pushing_triples *triples, const crux_pushing_level *level, const crux_pushing_ways *ways)
{
	finder f = {.level = level, .ways = ways, .triples = triples};
	size_t const count = (size_t)count_triples(ways->alive);
	triples->block = crux_block_new((crux_array[]){CRUX_ARRAY(triples->part, count * level->squares),
	                                CRUX_ARRAY(triples->is_lost, count)}, 2);
	void *const scratch = crux_block_new((crux_array[]){CRUX_ARRAY(f.queue, count * APART), CRUX_ARRAY(f.walk, level->squares)}, 2);
	bool const is_good = triples->block && scratch;
	if (is_good)
		find(&f);
	else
		crux_pushing_triples_free(triples);
	free(scratch);
	return is_good;
}

void crux_pushing_triples_free(crux_pushing_triples *triples)
{
	free(triples->block);
	triples->block = NULL;
}

bool crux_pushing_triples_are_lost(const crux_pushing_triples *triples, const crux_pushing_level *level, const crux_pushing_ways *ways,
                                   const uint16_t *boxes, unsigned box, unsigned man)
{
	unsigned const number = ways->number[boxes[box]];
	for (unsigned j = 1; j < level->boxes; j++)
		for (unsigned i = 0; i < j && j != box; i++) {
			if (i == box)
				continue;
			size_t const triple = triple_of(number, ways->number[boxes[i]], ways->number[boxes[j]]);
			uint8_t const is_lost = triples->is_lost[triple];
			if (is_lost && is_lost >> triples->part[triple * level->squares + man] & 1)
				return true;
		}
	return false;
}
