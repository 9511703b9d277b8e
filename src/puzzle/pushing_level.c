/* Levels with boxes to push: see pushing_level.h. */
#include "puzzle/pushing_level.h"

#include <stdlib.h>
#include <string.h>

#include "base/block.h"

enum { NONE = CRUX_PUSHING_NONE, PARTS = CRUX_PUSHING_PARTS, APART = PARTS - 1 };

static void read_squares(crux_pushing_level *level, const uint64_t *floor, const uint64_t *boxes, const uint64_t *goals,
                         unsigned man, uint16_t *number)
{
	uint16_t square = 0, box = 0, goal = 0;
	memset(number, 0xff, level->shape.cells * sizeof *number);
	CRUX_BOARD_EACH(cell, level->shape, floor) {
		number[cell] = square;
		level->cell[square] = (uint16_t)cell;
		level->goal[square] = crux_board_has(goals, (unsigned)cell) ? goal++ : NONE;
		if (crux_board_has(boxes, (unsigned)cell))
			level->starts[box++] = square;
		square++;
	}
	level->man = number[man];
}

bool crux_pushing_level_read(crux_pushing_level *level, crux_board_shape shape, const uint64_t *floor, const uint64_t *boxes,
                             const uint64_t *goals, unsigned man)
{
	uint16_t number[CRUX_BOARD_CELLS];
	unsigned const squares = crux_board_count(shape, floor), width = shape.width;
	*level = (crux_pushing_level){.shape = shape, .squares = squares, .boxes = crux_board_count(shape, boxes)};
	level->block = crux_block_new((crux_array[]){CRUX_ARRAY(level->next, squares), CRUX_ARRAY(level->cell, squares),
	                              CRUX_ARRAY(level->goal, squares), CRUX_ARRAY(level->starts, level->boxes)}, 4);
	if (!level->block)
		return false;
	read_squares(level, floor, boxes, goals, man, number);
	for (unsigned square = 0; square < squares; square++) {
		unsigned const cell = level->cell[square], x = cell % width;
		uint16_t *const next = level->next[square];
		next[CRUX_BOARD_UP] = cell >= width ? number[cell - width] : NONE;
		next[CRUX_BOARD_LEFT] = x > 0 ? number[cell - 1] : NONE;
		next[CRUX_BOARD_DOWN] = cell + width < shape.cells ? number[cell + width] : NONE;
		next[CRUX_BOARD_RIGHT] = x + 1 < width ? number[cell + 1] : NONE;
	}
	return true;
}

void crux_pushing_level_free(crux_pushing_level *level)
{
	free(level->block);
	level->block = NULL;
}

/* Sets the part of all squares that the man comes to from one of them. */
static void flood_part(const crux_pushing_level *level, uint16_t from, uint8_t part, uint8_t apart, uint8_t *parts,
                       uint16_t *queue)
{
	size_t last = 0;
	queue[last++] = from;
	parts[from] = part;
	for (size_t i = 0; i < last; i++)
		for (int d = 0; d < 4; d++) {
			uint16_t const to = level->next[queue[i]][d];
			if (to == NONE || parts[to] != apart)
				continue;
			parts[to] = part;
			queue[last++] = to;
		}
}

unsigned crux_pushing_split(const crux_pushing_level *level, const uint16_t *boxes, unsigned count, uint8_t apart, uint8_t *parts,
                            uint16_t *men, uint16_t *queue)
{
	uint8_t part = 0;
	memset(parts, apart, level->squares);
	for (unsigned i = 0; i < count; i++)
		parts[boxes[i]] = UINT8_MAX; /* of no part, so that no flood passes it */
	for (unsigned side = 0; side < 4 * count && part < apart; side++) {
		uint16_t const beside = level->next[boxes[side / 4]][side % 4];
		if (beside == NONE || parts[beside] != apart)
			continue;
		if (men)
			men[part] = beside;
		flood_part(level, beside, part++, apart, parts, queue);
	}
	for (unsigned i = 0; i < count; i++)
		parts[boxes[i]] = apart;
	return part;
}

static uint16_t *pushes_of(const crux_pushing_ways *ways, const crux_pushing_level *level, size_t place, unsigned goal)
{
	return &ways->pushes[place * level->boxes + goal];
}

/* Sets the pushes to the goal on a square, by pulling the box from there. A place is PARTS times a square, plus a part. */
static void pull_from(crux_pushing_ways *ways, const crux_pushing_level *level, uint16_t square,
                      uint32_t *queue)
{
	unsigned const goal = level->goal[square];
	size_t last = 0;
	for (unsigned part = 0; part < PARTS; part++) {
		queue[last] = (uint32_t)square * PARTS + part;
		*pushes_of(ways, level, queue[last++], goal) = 0;
	}
	for (size_t i = 0; i < last; i++) {
		unsigned const box = queue[i] / PARTS, part = queue[i] % PARTS;
		unsigned const pushes = *pushes_of(ways, level, queue[i], goal) + 1u;
		for (int d = 0; d < 4 && part != APART; d++) {
			uint16_t const to = level->next[box][d], behind = to == NONE ? NONE : level->next[to][d];
			if (behind == NONE || ways->part[(size_t)box * level->squares + to] != part)
				continue;
			uint32_t const place = (uint32_t)to * PARTS + ways->part[(size_t)to * level->squares + behind];
			if (*pushes_of(ways, level, place, goal) != NONE)
				continue;
			*pushes_of(ways, level, place, goal) = (uint16_t)pushes;
			queue[last++] = place;
		}
	}
}

bool crux_pushing_ways_find(crux_pushing_ways *ways, const crux_pushing_level *level)
{
	size_t const squares = level->squares, places = squares * PARTS;
	uint32_t *queue = NULL;
	uint16_t *walk = NULL;
	ways->block = crux_block_new((crux_array[]){CRUX_ARRAY(ways->part, squares * squares), CRUX_ARRAY(ways->is_alive, squares),
	                             CRUX_ARRAY(ways->pushes, places * level->boxes), CRUX_ARRAY(ways->number, squares),
	                             CRUX_ARRAY(ways->square, squares)}, 5);
	void *const scratch = crux_block_new((crux_array[]){CRUX_ARRAY(queue, places), CRUX_ARRAY(walk, squares)}, 2);
	if (!ways->block || !scratch) {
		crux_pushing_ways_free(ways);
		free(scratch);
		return false;
	}
	memset(ways->pushes, 0xff, places * level->boxes * sizeof *ways->pushes);
	for (uint16_t box = 0; box < squares; box++)
		crux_pushing_split(level, &box, 1, APART, ways->part + box * squares, NULL, walk);
	for (unsigned square = 0; square < squares; square++)
		if (level->goal[square] != NONE)
			pull_from(ways, level, (uint16_t)square, queue);
	for (size_t i = 0; i < places * level->boxes; i++)
		if (ways->pushes[i] != NONE)
			ways->is_alive[i / level->boxes / PARTS] = true;
	for (unsigned square = 0; square < squares; square++)
		if (ways->is_alive[square]) {
			ways->number[square] = (uint16_t)ways->alive;
			ways->square[ways->alive++] = (uint16_t)square;
		}
	free(scratch);
	return true;
}

void crux_pushing_ways_free(crux_pushing_ways *ways)
{
	free(ways->block);
	ways->block = NULL;
}
