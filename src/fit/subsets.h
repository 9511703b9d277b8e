/* Subsets of measures: the error of each by least squares, with an intercept, on the test rows of splits (splits.h).
 *
 * A subset of up to 52 measures is a number whose bit k is set for measure k; a double holds it exactly.
 *
 * Sweep: the subsets are visited depth-first, the measures in order, so that each costs one more reflection than the subset
 * that it extends: for half of all m measures' subsets of one column of at most m + 1 numbers, for a quarter of two, and so on.
 *
 * The caller owns the arrays. No global state. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fit/splits.h"

enum { CRUX_SUBSETS_MEASURES = 52 };

/* The subsets that a sweep visits. */
typedef struct crux_subsets {
	size_t measures; /* at most CRUX_SUBSETS_MEASURES */
	size_t most;     /* limit on the measures in a subset */
	const uint64_t *needs; /* for each measure the earlier measures that a subset with it must contain; NULL: none */
} crux_subsets;

/* Returns the number of subsets, with the empty one, or `limit` if that is less. */
size_t crux_subsets_count(const crux_subsets *which, size_t limit);

/* Sets subsets[i] to the subsets in the order of the sweep, the empty one first, and errors[i] to their weighted mean squared
 * errors over all test rows; both hold crux_subsets_count numbers. False when memory is short. */
bool crux_subsets_errors(const crux_subsets *which, const crux_splits *splits, double *errors, double *subsets);

/* Sets best[0 ..] to the indices of up to `count` subsets with the smallest errors, best first; among equal errors the smaller
 * subset comes first, then the one with the earlier measures. Considers subsets of `size` measures, or, for size 0, all but
 * the empty one. Returns the number of indices set. */
size_t crux_subsets_best(size_t n, const double *errors, const double *subsets, size_t size, size_t count, uint32_t *best);

/* Computes the errors of a set of measures, given by `count` indices, and of its neighbours: the sets with one measure more,
 * put last, or, if `is_removal`, with one less. If measures are collinear in a split, the first ones are kept. Sets
 * errors[measure] to the error of the set with (without) that measure, NaN where there is no such set, and errors[measures]
 * to that of the set itself. False when memory is short. */
bool crux_subsets_neighbours(const crux_splits *splits, const size_t *set, size_t count, bool is_removal, double *errors);
