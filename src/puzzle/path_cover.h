/* Paths that cover a grid: the cover with the fewest turns, and the exact number of covers.
 *
 * A cover joins the two endpoints of each colour by a path from cell to neighbouring cell (no diagonals), such that every
 * cell that is not blocked lies on exactly one path; a path may run alongside itself. Of several covers with the fewest
 * turns, the first one is given: list all borders between two cells in reading order, for each cell the one to its right,
 * then the one below, and look for the first border that only one of two covers crosses: that cover comes first. (On a
 * grid that is wider than high, rows and columns change places in this.)
 *
 * Method: dynamic programming over the frontier ("plug DP" after Ivan Lazarev; Simpath in Knuth, TAOCP 4A, 7.1.4). Cells
 * are added one by one; what matters of those added is which borders to cells still missing a path crosses, and for each
 * such open end the colour or the other end of its path. Partial covers that agree in this are one state with their
 * number and the best of them, so that work and memory grow with the number of states and not with that of covers, and
 * one sweep answers both questions. A colour that could only go on by crossing another ends a partial cover at once. States
 * grow with the shorter side, and fall with the number of colours. Published levels take 2 us (5x5), 5 us (7x7), 0.1 ms
 * (9x9), 2 ms (12x12), grids of 14x14 with one cover 0.02 s, random ones with 10^15 covers up to 4 s: no search for a single
 * cover is needed beside it. (Nor could it stop at a second one: which partial covers can be completed shows at the end.)
 *
 * Arrays belong to the caller; what the sweep takes is released before it returns. No global state. */
#ifndef CRUX_PATH_COVER_H
#define CRUX_PATH_COVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crux.h"

/* What a cell holds, else the number of the colour that has an endpoint there: any number from 1. */
enum { CRUX_PATH_EMPTY = 0, CRUX_PATH_BLOCKED = -1 };

/* The sides of a cell, as bits. */
enum { CRUX_PATH_UP = 1, CRUX_PATH_RIGHT = 2, CRUX_PATH_DOWN = 4, CRUX_PATH_LEFT = 8 };

/* (shorter side + 1) * b is at most 128, where b bits hold the number of colours + 2: 31 cells with 6 to 13 colours, 24
 * with up to 29, 20 with up to 61, 17 with up to 125. */
typedef struct crux_path_grid {
	int width, height;
	const int *cells; /* width * height, in reading order */
} crux_path_grid;

/* When to give up; 0: never. */
typedef struct crux_path_limits {
	size_t bytes;   /* of memory */
	double seconds; /* of real time */
	double latest;  /* by crux_clock_now: when all ends */
} crux_path_limits;

typedef enum crux_path_outcome {
	CRUX_PATH_SOLVED,
	CRUX_PATH_NONE,   /* there is no cover */
	CRUX_PATH_MEMORY, /* given up at the limit: nothing is known */
	CRUX_PATH_TIME,   /* the same */
} crux_path_outcome;

typedef struct crux_path_cover {
	crux_path_outcome outcome;
	uint64_t solutions; /* number of covers; UINT64_MAX: that many or more */
	size_t turns;       /* the fewest */
	uint64_t states;    /* in all steps of the sweep */
	size_t peak;        /* most states in one step */
	size_t bytes;       /* most memory taken */
} crux_path_cover;

/* Counts the covers and, unless `sides` is NULL, gives the best: sides[cell] is set to the sides over which its path
 * leaves the cell. That takes 4 to 6 bytes a state more and hardly more time. False with a fault when the grid is wrong or
 * memory short. */
bool crux_path_cover_solve(const crux_path_grid *grid, crux_path_limits limits, unsigned char *sides,
                           crux_path_cover *result, crux_fault *fault);

/* Writes the path that starts at an endpoint into `path` (room for all cells), cell by cell up to the other endpoint;
 * returns the number of its cells. */
size_t crux_path_cover_trace(const crux_path_grid *grid, const unsigned char *sides, size_t start, size_t *path);

#endif
