/* Placing blocks so that beams pass all targets: the first placement, how many there are, how many courses beams take.
 *
 * A placement puts every block in hand on a tile that is CRUX_TILE_EMPTY, one block a tile; blocks of a kind are
 * interchangeable, and a block need not be met by a beam. Placements are ordered in reading order, tile by tile: empty
 * before reflect before absorb before split.
 *
 * Method: let the beams run; where one enters a tile that is undecided, branch over what may lie there. Once every
 * target is passed nothing can undo it, so that the rest of the blocks may go anywhere: those placements are counted by
 * a multinomial coefficient, and the first of them has the rest as late as possible. A branch is given up when beams that
 * split at every undecided tile would miss a target all the same (looked at where several blocks are left) and, in the
 * search for the first placement, when the earliest arrangement of its blocks, beams or no beams, does not come before
 * the best so far.
 *
 * Arrays belong to the caller. No global state. */
#ifndef CRUX_PLACEMENT_H
#define CRUX_PLACEMENT_H

#include <stdint.h>

#include "puzzle/beams.h"

/* Numbers of blocks. */
typedef struct crux_blocks {
	size_t reflect, absorb, split;
} crux_blocks;

typedef enum crux_placement_question {
	CRUX_PLACEMENT_FIRST,  /* the first placement */
	CRUX_PLACEMENT_COUNT,  /* the number of placements */
	CRUX_PLACEMENT_COURSES /* the number of different courses that the beams can take with at most the blocks in hand,
	                        * whatever targets they pass: the leaves of branching on each undecided tile that a beam
	                        * enters over every kind left and over leaving it empty */
} crux_placement_question;

/* When to give up; 0: never. */
typedef struct crux_placement_limits {
	uint64_t nodes; /* branches entered */
	double seconds; /* of real time */
	double latest;  /* by crux_clock_now: when all ends */
} crux_placement_limits;

typedef enum crux_placement_outcome {
	CRUX_PLACEMENT_SOLVED,
	CRUX_PLACEMENT_NONE,  /* no placement passes all targets */
	CRUX_PLACEMENT_LIMIT, /* given up: nothing is known */
} crux_placement_outcome;

typedef struct crux_placement {
	crux_placement_outcome outcome;
	int64_t count;       /* of placements or courses; -1 when more than 2^63 - 1 */
	uint64_t expanded;   /* times that the search branched */
	uint64_t generated;  /* branches entered */
	uint64_t backtracks; /* of them, those that were left without a placement */
} crux_placement;

/* Answers a question about a grid. tiles: width * height bytes, set to the first placement, fixed blocks included, when
 * that is the question and one exists; NULL for the other questions. False with a fault when the grid is wrong or memory
 * short. */
bool crux_placement_search(const crux_beam_grid *grid, crux_blocks blocks, crux_placement_question question,
                           crux_placement_limits limits, unsigned char *tiles, crux_placement *result,
                           crux_fault *fault);

/* Counts the placements and, for every point, those whose beams pass it: `passed`, (2 width + 1) * (2 height + 1) numbers
 * in reading order, which mean nothing when the outcome is CRUX_PLACEMENT_LIMIT or the count -1. */
bool crux_placement_passes(const crux_beam_grid *grid, crux_blocks blocks, crux_placement_limits limits, int64_t *passed,
                           crux_placement *result, crux_fault *fault);

#endif
