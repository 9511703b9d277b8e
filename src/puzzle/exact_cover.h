/* Exact covers: options that together cover every item once; the fewest that do, and the exact number of such covers.
 *
 * A piece is an option in a cover. Of several covers with the fewest pieces, the first one is given: that whose piece on
 * the first item comes first among the options; if they share it, that whose piece on the first item not covered by it
 * does, and so on. Its pieces come in the order of their first items.
 *
 * Method: depth-first search with a limit on pieces that is raised from a lower bound to the first that will do (R. Korf,
 * Depth-first iterative-deepening, 1985). The search branches on the item that the fewest options can still cover (of
 * several, the first), as D. Knuth's Algorithm X does, and lays these in their order. It gives up where the items left need
 * more pieces than the limit leaves: by the number of items that can be picked among them so that no option covers two (by
 * greed, those with the fewest options first), and by what was found out when the same items were left before. For that,
 * every set of items left is remembered with the fewest pieces that it is known to need, and its number of covers when
 * counting, so that work grows with the number of such sets and not with that of covers. Rectangles on a board of 7 x 7 with
 * 7 cells missing take 10 ms, 9 x 9 with 9 half a second.
 *
 * Sets are bit planes: item i is bit i % 64 of word i / 64. Arrays belong to the caller; what the search takes is released
 * before it returns. No global state. */
#ifndef CRUX_EXACT_COVER_H
#define CRUX_EXACT_COVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sizes.h"
#include "crux.h"

enum { CRUX_COVER_MAX_ITEMS = CRUX_MOST_COVER_ITEMS, CRUX_COVER_MAX_OPTIONS = CRUX_MOST_COVER_OPTIONS };

typedef struct crux_cover_problem {
	size_t items, options;
	const uint64_t *masks; /* a set of crux_cover_words(items) words for each option, none empty */
} crux_cover_problem;

static inline size_t crux_cover_words(size_t items)
{
	return (items + 63) / 64;
}

/* When to give up; 0: never. They hold for the search for the fewest pieces, then for the count, then for the search for
 * the first cover, each by itself; that on bytes for all together. */
typedef struct crux_cover_limits {
	uint64_t nodes; /* pieces laid */
	double seconds; /* of real time */
	double latest;  /* by crux_clock_now: when all ends */
	size_t bytes;   /* of memory */
} crux_cover_limits;

typedef enum crux_cover_outcome {
	CRUX_COVER_SOLVED,
	CRUX_COVER_NONE,   /* there is no cover */
	CRUX_COVER_NODES,  /* given up at the limit: nothing is known */
	CRUX_COVER_TIME,   /* the same */
	CRUX_COVER_MEMORY, /* the same */
} crux_cover_outcome;

typedef struct crux_exact_cover {
	crux_cover_outcome outcome;
	size_t pieces;       /* the fewest */
	bool counted;        /* asked for, and no limit was met */
	uint64_t solutions;  /* then: covers with that many pieces; UINT64_MAX: that many or more */
	uint64_t expanded;   /* until a cover with the fewest pieces was met: times that the search branched */
	uint64_t generated;  /* pieces laid */
	uint64_t backtracks; /* of them, those that were taken back: all but those of the cover */
} crux_exact_cover;

/* Finds the first cover with the fewest pieces: `pieces`, room for as many numbers of options as there are items. False
 * with a fault when the problem is wrong or memory short. */
bool crux_exact_cover_solve(const crux_cover_problem *problem, crux_cover_limits limits, bool count, size_t *pieces,
                            crux_exact_cover *result, crux_fault *fault);

#endif
