/* Exact covers: sets of options that cover every item once. Finds a cover with the fewest options, and counts these covers.
 *
 * A piece is an option in a cover. Among covers with the fewest pieces, the result is the first one: compare the pieces on the
 * first item by their order among the options; if they are the same, compare the pieces on the first item that they leave
 * uncovered, and so on. Pieces are listed in the order of their first items.
 *
 * Method: depth-first search with a limit on pieces, raised from a lower bound until a cover exists (R. Korf, Depth-first
 * iterative-deepening, 1985). The search branches on the item that the fewest options can still cover (the first of several),
 * and tries these options in order; the options that fit are kept in lists, from which they are unlinked and to which they
 * return (D. Knuth, Dancing links, 2000). It prunes when the remaining items need more pieces than the limit leaves, by two
 * lower bounds: the number of items picked greedily, those with the fewest options first, so that no option covers two of them;
 * and the number stored when the same items remained before. Each set of remaining items is stored with a lower bound on its
 * pieces and, when counting, its number of covers, so work grows with the number of sets, not of covers. If all options have
 * one size, all covers have as many pieces: one search without bounds finds the first and counts.
 *
 * Sets are bit planes: item i is bit i % 64 of word i / 64. Arrays belong to the caller; the search frees its memory before it
 * returns. No global state. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sizes.h"
#include "crux.h"
#include "puzzle/solver.h"

enum { CRUX_COVER_MAX_ITEMS = CRUX_MOST_COVER_ITEMS, CRUX_COVER_MAX_OPTIONS = CRUX_MOST_COVER_OPTIONS };

typedef struct crux_cover_problem {
	size_t items, options;
	const uint64_t *masks; /* for each option a set of crux_cover_words(items) words, not empty */
} crux_cover_problem;

static inline size_t crux_cover_words(size_t items) { return (items + 63) / 64; }

typedef struct crux_exact_cover {
	crux_solver_outcome outcome;
	crux_solver_statistics statistics; /* of the search for the fewest pieces; a branch is a piece laid, backtracks are pieces
	                                    * taken back */
	size_t pieces;      /* the fewest */
	bool counted;       /* the count was asked for, and no limit was met */
	uint64_t solutions; /* if counted: covers with as few pieces; as many as were wanted: that many or more */
} crux_exact_cover;

/* Finds the first cover with the fewest pieces and writes its options to `pieces`, which has room for a number per item. Counts
 * these covers up to `wanted`; 0: does not count, UINT64_MAX: counts all. Each of the searches for the fewest pieces, for the
 * count and for the first cover has all nodes and seconds of the limits; bytes are for all together. False with a fault when
 * the problem is wrong or memory short. */
bool crux_exact_cover_solve(const crux_cover_problem *problem, crux_solver_limits limits, uint64_t wanted, size_t *pieces,
                            crux_exact_cover *result, crux_fault *fault);
