/* Rectangular grids of bits: sets of cells with shifts, neighbours, flood fill and distances.
 *
 * A board is an array of shape.words 64-bit words, at most CRUX_BOARD_WORDS, of the caller. Cell (x, y), both counted from 0 and
 * y downwards, is bit y * width + x, so reading order is bit order; bits beyond the last cell are 0 in every argument and
 * result. Nothing is allocated, nothing fails, `out` may be one of the inputs; cells in arguments are within the shape. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sizes.h"

enum {
	CRUX_BOARD_SIDE = CRUX_MOST_BOARD_SIDE, /* the longest width and height */
	CRUX_BOARD_CELLS = CRUX_BOARD_SIDE * CRUX_BOARD_SIDE,
	CRUX_BOARD_WORDS = CRUX_BOARD_CELLS / 64,
};

typedef struct crux_board_shape {
	uint8_t width, height;
	uint16_t cells, words;
} crux_board_shape;

typedef enum {
	CRUX_BOARD_AND,
	CRUX_BOARD_OR,
	CRUX_BOARD_XOR,
	CRUX_BOARD_MINUS, /* in a and not in b */
} crux_board_operator;

typedef enum { CRUX_BOARD_UP, CRUX_BOARD_LEFT, CRUX_BOARD_DOWN, CRUX_BOARD_RIGHT } crux_board_direction;

/* Columns and rows of a part of a board, both ends included. */
typedef struct crux_board_box {
	unsigned left, top, right, bottom;
} crux_board_box;

/* Width and height from 1 to CRUX_BOARD_SIDE. */
static inline crux_board_shape crux_board_shape_of(unsigned width, unsigned height)
{
	unsigned const cells = width * height;
	return (crux_board_shape){(uint8_t)width, (uint8_t)height, (uint16_t)cells, (uint16_t)((cells + 63) / 64)};
}

/* True for a shape that crux_board_shape_of makes, for assertions. */
static inline bool crux_board_is_shape(crux_board_shape s)
{
	return s.width >= 1 && s.width <= CRUX_BOARD_SIDE && s.height >= 1 && s.height <= CRUX_BOARD_SIDE &&
	       s.cells == s.width * s.height && s.words >= 1 && s.words == (s.cells + 63) / 64;
}

static inline bool crux_board_are_alike(crux_board_shape a, crux_board_shape b)
{
	return a.width == b.width && a.height == b.height;
}

static inline bool crux_board_has(const uint64_t *a, unsigned cell)
{
	return a[cell / 64] >> cell % 64 & 1;
}

static inline void crux_board_add(uint64_t *a, unsigned cell)
{
	a[cell / 64] |= UINT64_C(1) << cell % 64;
}

static inline void crux_board_remove(uint64_t *a, unsigned cell)
{
	a[cell / 64] &= ~(UINT64_C(1) << cell % 64);
}

void crux_board_combine(crux_board_operator op, crux_board_shape shape, const uint64_t *a, const uint64_t *b,
                        uint64_t *out);

/* The cells of the shape that are in one word of a board. */
uint64_t crux_board_full_word(crux_board_shape shape, size_t word);

/* The cells of the shape that are not in a. */
void crux_board_complement(crux_board_shape shape, const uint64_t *a, uint64_t *out);

bool crux_board_equal(crux_board_shape shape, const uint64_t *a, const uint64_t *b);
bool crux_board_any(crux_board_shape shape, const uint64_t *a);
unsigned crux_board_count(crux_board_shape shape, const uint64_t *a);

/* The first cell of a from cell `from` on (which may be shape.cells), in reading order; -1 when there is none. */
int crux_board_next(crux_board_shape shape, const uint64_t *a, unsigned from);

/* A loop over the cells of a, an int of that name, in reading order. */
#define CRUX_BOARD_EACH(cell, shape, a) \
	for (int cell = crux_board_next(shape, a, 0); cell >= 0; cell = crux_board_next(shape, a, (unsigned)cell + 1))

/* Shifts every cell by n steps, in the opposite direction when n is negative. A cell that leaves the shape is dropped or, with
 * `wrap`, enters its row or column again on the other side. */
void crux_board_shift(crux_board_shape shape, const uint64_t *a, crux_board_direction direction, int64_t n, bool wrap,
                      uint64_t *out);

/* The neighbours of the cells of a: the union of the four shifts by one, without wrap. */
void crux_board_neighbours(crux_board_shape shape, const uint64_t *a, uint64_t *out);

/* The cells of mask reached from the cells of a in mask, by steps within mask to the four sides. */
void crux_board_flood(crux_board_shape shape, const uint64_t *a, const uint64_t *mask, uint64_t *out);

/* The cells at which a box cannot be pushed across (else up or down): a wall or the edge is on one side, or cells from which no box
 * comes to a goal are on both. */
void crux_board_blocked(crux_board_shape shape, const uint64_t *walls, const uint64_t *dead, bool across, uint64_t *out);

/* The boxes that can never be pushed: each is blocked across (its cell is in `across`, or such a box is to its left or right) and
 * down (its cell is in `down`, or such a box is above or below). */
void crux_board_frozen(crux_board_shape shape, const uint64_t *boxes, const uint64_t *across, const uint64_t *down,
                       uint64_t *out);

/* The boxes of which one can be the next to be pushed in a solution with the fewest pushes, if there is a solution: those of a
 * corral, or all boxes if there is none. `reach` has the squares that the man can walk to, `dead` those from which no box comes
 * to a goal. A corral is an area that the man cannot reach, with the boxes around it. He cannot push one of these for the first
 * time but into the area, from squares that he can reach now; and one of its boxes is not on a goal, or a goal in it has no box,
 * so it needs a push. Pushes of other boxes before that push can be made after it as well (the PI-corrals of B. Damgaard). */
void crux_board_corral(crux_board_shape shape, const uint64_t *boxes, const uint64_t *reach, const uint64_t *walls,
                       const uint64_t *dead, const uint64_t *goals, uint64_t *out);

/* Moves the connected component of rest's first cell from rest to out, another board; false when rest is empty. Repeated calls
 * give all components, in reading order of their first cells. */
bool crux_board_component(crux_board_shape shape, uint64_t *rest, uint64_t *out);

/* out[cell] = the number of steps of a shortest way within mask from a to that cell; -1 when there is none. With a full mask
 * these are city-block distances. */
void crux_board_distances(crux_board_shape shape, const uint64_t *a, const uint64_t *mask, int16_t *out);

/* The smallest box around the cells of a; false when there are none. */
bool crux_board_bounds(crux_board_shape shape, const uint64_t *a, crux_board_box *out);
