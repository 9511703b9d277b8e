/* A level in which a man pushes boxes onto goals, and how far boxes are from goals: for the search of pushing.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boards/board.h"

enum {
	CRUX_PUSHING_NONE = UINT16_MAX, /* no square, no goal, no number of pushes */
	CRUX_PUSHING_PARTS = 5,         /* the parts of the floor that a box separates, and the rest that is apart from all of them */
};

/* Squares of the floor are numbered in reading order from 0, goals and boxes too. Directions are those of boards. */
typedef struct crux_pushing_level {
	crux_board_shape shape;
	unsigned squares, boxes; /* as many goals as boxes */
	uint16_t man;            /* where he starts */
	uint16_t (*next)[4];     /* the squares beside a square, by direction */
	uint16_t *cell;          /* by square: the cell of the board */
	uint16_t *goal;          /* by square: the goal on it */
	uint16_t *starts;        /* by box: where it starts */
	void *block;
} crux_pushing_level;

/* How boxes get to goals. */
typedef struct crux_pushing_ways {
	uint8_t *part;    /* [box * squares + man]: the part, without the box's square, in which the man's square is */
	uint16_t *pushes; /* [((box * CRUX_PUSHING_PARTS) + part) * boxes + goal]: the fewest pushes that bring a box, which is alone,
	                     to a goal, if the man is in that part */
	bool *is_alive;   /* by square: a box there comes to some goal from some part */
	unsigned alive;   /* such squares, which are numbered from 0 */
	uint16_t *number; /* by square */
	uint16_t *square; /* by number */
	void *block;
} crux_pushing_ways;

/* Reads boards: `man` is a cell of the floor; boxes and goals are on the floor, equally many, at least one. False when memory is
 * short. */
bool crux_pushing_level_read(crux_pushing_level *level, crux_board_shape shape, const uint64_t *floor, const uint64_t *boxes,
                             const uint64_t *goals, unsigned man);
void crux_pushing_level_free(crux_pushing_level *level);

/* Sets, by square, the part of the floor without boxes that it is in: the parts beside the boxes are 0, 1, ..., at most `apart` of them; all
 * other squares, and those of the boxes, are `apart`. men: a square of each part, or NULL. queue: room for all squares. Returns the
 * number of parts. */
unsigned crux_pushing_split(const crux_pushing_level *level, const uint16_t *boxes, unsigned count, uint8_t apart, uint8_t *parts,
                            uint16_t *men, uint16_t *queue);

/* False when memory is short. */
bool crux_pushing_ways_find(crux_pushing_ways *ways, const crux_pushing_level *level);
void crux_pushing_ways_free(crux_pushing_ways *ways);

/* The pushes of a box to each goal, for a man on a square. */
static inline const uint16_t *crux_pushing_row(const crux_pushing_ways *ways, const crux_pushing_level *level, unsigned box,
                                               unsigned man)
{
	size_t const part = ways->part[(size_t)box * level->squares + man];
	return ways->pushes + ((size_t)box * CRUX_PUSHING_PARTS + part) * level->boxes;
}
