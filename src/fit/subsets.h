/* Subsets of measures: how well each predicts by least squares, always with an intercept, the rows of splits (splits.h).
 *
 * A subset of up to 52 measures is a number, bit k standing for measure k, which a double holds exactly.
 *
 * Sweep: the subsets are walked depth-first, the measures in order, so that each costs one reflection more than the one that
 * it extends: half of all subsets cost one of one column of at most m + 1 numbers, a quarter one of two, and so on.
 *
 * The caller owns the arrays. No global state. */
#ifndef CRUX_SUBSETS_H
#define CRUX_SUBSETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fit/splits.h"

enum {
	CRUX_SUBSETS_MEASURES = 52,
	CRUX_SUBSETS_MOST = 1 << 20, /* subsets in a sweep: 8 MB of errors, and with five folds a second's work */
};

/* Which subsets a sweep visits. */
typedef struct crux_subsets {
	size_t measures; /* at most CRUX_SUBSETS_MEASURES */
	size_t most;     /* measures in a subset */
	const uint64_t *needs; /* for each measure those before it without which it is not to stand; NULL: none */
} crux_subsets;

/* How many subsets there are, the empty one included; `limit` if there are as many or more. */
size_t crux_subsets_count(const crux_subsets *which, size_t limit);

/* Sets errors[i] to the mean squared error, by weight over all rows, of subsets[i], as many as there are, in the order of the
 * walk: first the empty one. False when memory is short. */
bool crux_subsets_errors(const crux_subsets *which, const crux_splits *splits, double *errors, double *subsets);

/* Sets best[0 ..] to the places of the subsets of the smallest errors, best first; of equal ones first the smaller, then the
 * one with the earlier measures. Only subsets of `size` measures, or, for 0, of any number but none. Returns how many it set:
 * `count` unless there are fewer. */
size_t crux_subsets_best(size_t n, const double *errors, const double *subsets, size_t size, size_t count, uint32_t *best);

/* The errors of a set of measures of any size, given by their numbers, and of its neighbours: of all with one measure
 * more, behind the others, or, if `is_removal`, with one less. Of measures that are collinear in a split the first are kept. errors[measure] is that of the set with, or without, the measure, NaN
 * where there is no such set; errors[measures] that of the set itself. False when memory is short. */
bool crux_subsets_neighbours(const crux_splits *splits, const size_t *set, size_t count, bool is_removal, double *errors);

#endif
