/* Symmetries of a level: see pushing_symmetry.h. */
#include "puzzle/pushing_symmetry.h"

#include <string.h>

enum { NONE = CRUX_PUSHING_NONE, MIRROR_X = 1, MIRROR_Y = 2, SWAP = 4 };

/* Sets the images of all squares; false if this is no symmetry. number: by cell, its square. */
static bool turn(const crux_pushing_level *level, const uint16_t *number, crux_board_box box, unsigned how, uint16_t *images)
{
	unsigned const width = level->shape.width;
	for (unsigned square = 0; square < level->squares; square++) {
		unsigned const cell = level->cell[square];
		unsigned const x = how & MIRROR_X ? box.right - cell % width : cell % width - box.left;
		unsigned const y = how & MIRROR_Y ? box.bottom - cell / width : cell / width - box.top;
		unsigned const column = box.left + (how & SWAP ? y : x), row = box.top + (how & SWAP ? x : y);
		if (column > box.right || row > box.bottom)
			return false;
		uint16_t const image = number[row * width + column];
		if (image == NONE || (level->goal[image] == NONE) != (level->goal[square] == NONE))
			return false;
		images[square] = image;
	}
	return true;
}

unsigned crux_pushing_symmetries_find(const crux_pushing_level *level, uint16_t *images)
{
	uint16_t number[CRUX_BOARD_CELLS];
	uint64_t floor[CRUX_BOARD_WORDS] = {0};
	crux_board_box box;
	unsigned count = 0;
	memset(number, 0xff, sizeof number);
	for (unsigned square = 0; square < level->squares; square++) {
		number[level->cell[square]] = (uint16_t)square;
		crux_board_add(floor, level->cell[square]);
	}
	crux_board_bounds(level->shape, floor, &box);
	for (unsigned how = 0; how < CRUX_PUSHING_SYMMETRIES; how++)
		count += turn(level, number, box, how, images + count * level->squares);
	return count;
}
