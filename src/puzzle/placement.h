/* Placing blocks so that beams pass all targets: finds the first placement, counts placements, counts courses of beams.
 *
 * A placement puts every block in hand on a tile that is CRUX_TILE_EMPTY, one block a tile; blocks of a kind are
 * interchangeable, and a block need not be met by a beam. Placements are ordered in reading order, tile by tile: empty
 * before reflect before absorb before split before refract.
 *
 * Method: run the beams; when a beam enters an undecided tile, branch over its possible contents. Once every target is passed,
 * it stays passed, so the remaining blocks may go anywhere: a multinomial coefficient counts these placements, and the first
 * of them has the blocks as late as possible. A branch is pruned when a target is missed even by beams that take every way at
 * each undecided tile (checked when several blocks are left) and, in the search for the first placement, when the earliest
 * arrangement of its blocks, whether beams pass the targets or not, does not come before the best so far.
 *
 * Arrays belong to the caller. No global state. */
#pragma once

#include <stdint.h>

#include "puzzle/beams.h"
#include "puzzle/solver.h"

/* Numbers of blocks. */
typedef struct crux_blocks {
	size_t reflect, absorb, split, refract;
} crux_blocks;

typedef enum crux_placement_question {
	CRUX_PLACEMENT_FIRST,  /* the first placement */
	CRUX_PLACEMENT_COUNT,  /* the number of placements */
	CRUX_PLACEMENT_COURSES /* the number of courses that the beams can take with at most the blocks in hand, whatever targets
	                        * they pass: the leaves when each undecided tile that a beam enters branches over every kind
	                        * left and over empty */
} crux_placement_question;

typedef struct crux_placement {
	crux_solver_outcome outcome;
	crux_solver_statistics statistics;
	int64_t count; /* of placements or courses; -1 when more than 2^63 - 1 */
} crux_placement;

/* Answers a question about a grid. `tiles`, width * height bytes, becomes the first placement, fixed blocks included, if that
 * is the question and one exists; it is NULL for the other questions. The limit on bytes is ignored. False with a fault when
 * the grid is wrong or memory short. */
bool crux_placement_search(const crux_beam_grid *grid, crux_blocks blocks, crux_placement_question question,
                           crux_solver_limits limits, unsigned char *tiles, crux_placement *result,
                           crux_fault *fault);

/* Counts the placements and, for every point, those whose beams pass it: `passed`, (2 width + 1) * (2 height + 1) numbers in
 * reading order, undefined when a limit is met or the count is -1. */
bool crux_placement_passes(const crux_beam_grid *grid, crux_blocks blocks, crux_solver_limits limits, int64_t *passed,
                           crux_placement *result, crux_fault *fault);
