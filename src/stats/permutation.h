/* Tests of correlations between a number of each group and a number of each row, as between a measure of levels and the plays of these
 * levels: rows of a group are not independent, so the numbers of groups are permuted among the groups (Fisher 1935; with random
 * permutations the p-values are exact, Phipson and Smyth 2010). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct crux_permutation_rows {
	size_t rows, groups;     /* each group has a row */
	const double *x;         /* of each group */
	const double *group, *y; /* of each row: its group, from 1; and its number */
} crux_permutation_rows;

typedef struct crux_permutation_p {
	double pearson, kendall, spearman; /* P(|statistic| >= the one observed) */
} crux_permutation_p;

/* Draws so many permutations from the seed; the smallest p is 1 / (draws + 1). Takes time and 8 bytes of memory for each pair of groups.
 * False when memory is short. */
bool crux_permutation_test(const crux_permutation_rows *rows, size_t draws, uint64_t seed, crux_permutation_p *p);
