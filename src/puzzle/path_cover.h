/* Paths that cover a grid: finds a cover with the fewest turns, and counts all covers.
 *
 * A cover joins the two endpoints of each colour by a path from cell to neighbouring cell (no diagonals), such that every
 * cell that is not blocked lies on exactly one path; a path may run alongside itself. Among covers with the fewest turns the
 * result is the first one: list all borders between two cells in reading order, for each cell the border to its right, then
 * the border below; at the first border that only one of two covers crosses, that cover comes first. (On a grid wider than
 * high, exchange rows and columns.)
 *
 * Method: dynamic programming over the frontier ("plug DP" after Ivan Lazarev; Simpath in Knuth, TAOCP 4A, 7.1.4). Cells are
 * added one by one. A state is the set of borders to cells not yet added that paths cross, with the colour or the other end of
 * each crossing path. It stands for all partial covers that have it, by their number and the best of them, so work and memory
 * grow with the number of states, not of covers, and one sweep both counts and finds the best. A partial cover in which a
 * colour is enclosed by another ends at once. States grow with the shorter side, and fall with the number of colours.
 * Published levels take 2 us (5x5), 5 us (7x7), 0.1 ms (9x9), 2 ms (12x12), grids of 14x14 with one cover 0.02 s, random ones
 * with 10^15 covers up to 4 s.
 *
 * Arrays belong to the caller; the sweep frees its memory before it returns. No global state. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crux.h"
#include "puzzle/solver.h"

/* Contents of a cell; a number from 1 is the colour of an endpoint. */
enum { CRUX_PATH_EMPTY = 0, CRUX_PATH_BLOCKED = -1 };

/* The sides of a cell, as bits. */
enum { CRUX_PATH_UP = 1, CRUX_PATH_RIGHT = 2, CRUX_PATH_DOWN = 4, CRUX_PATH_LEFT = 8 };

/* (shorter side + 1) * b is at most 128, where b bits hold the number of colours + 2: 31 cells with 6 to 13 colours, 24
 * with up to 29, 20 with up to 61, 17 with up to 125. */
typedef struct crux_path_grid {
	int width, height;
	const int *cells; /* width * height, in reading order */
} crux_path_grid;

typedef struct crux_path_cover {
	crux_solver_outcome outcome;
	uint64_t solutions; /* covers; UINT64_MAX: that many or more */
	size_t turns;       /* the fewest */
	uint64_t states;    /* in all steps of the sweep */
	size_t peak;        /* most states in one step */
	size_t bytes;       /* most memory taken */
} crux_path_cover;

/* Counts the covers and, unless `sides` is NULL, writes the best: sides[cell] becomes the sides over which its path leaves the
 * cell. This takes 4 to 6 more bytes a state and little more time. The limit on nodes is ignored. False with a fault when the
 * grid is wrong or memory short. */
bool crux_path_cover_solve(const crux_path_grid *grid, crux_solver_limits limits, unsigned char *sides,
                           crux_path_cover *result, crux_fault *fault);

/* Writes the cells of the path from the endpoint at `start` to the other endpoint into `path`, which has room for all cells;
 * returns their number. */
size_t crux_path_cover_trace(const crux_path_grid *grid, const unsigned char *sides, size_t start, size_t *path);
