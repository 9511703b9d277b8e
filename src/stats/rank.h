/* Rank correlation: ranks, Kendall's and Spearman's statistics, and their distributions under independence.
 *
 * Plain functions on the caller's arrays, which hold no NaN; any thread may call them. Those that need memory return
 * false when there is none and leave their output undefined. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CRUX_KENDALL_MOST = 50, /* limit on n in crux_kendall_lower, which then keeps 1226 doubles on the stack */
};

/* Sums over the groups of equal numbers in a column, t being the size of a group; 0 without ties. */
typedef struct crux_ties {
	double pairs;    /* t (t - 1) */
	double triples;  /* t (t - 1) (t - 2) */
	double variance; /* t (t - 1) (2 t + 5) */
} crux_ties;

typedef struct crux_order {
	double score; /* number of concordant less number of discordant pairs of rows */
	double rho;   /* Pearson's correlation of the ranks; NaN where x or y is constant */
	crux_ties x, y;
} crux_order;

/* Sets ranks[i] to the rank of x[i], from 1; equal numbers get the mean of their ranks. */
bool crux_rank_ranks(size_t n, const double *x, double *ranks);

/* A row of a sorted column: its index in the column, and the index of its group of equal numbers, both from 0. */
typedef struct crux_sorted {
	uint32_t place, group;
} crux_sorted;

/* Lists the n rows of x, less than 2^31, by radix sort, the smallest first; equal ones stay in order. `spare` has room for n. */
void crux_rank_sort(size_t n, const double *x, crux_sorted *spare, crux_sorted *out);

/* Returns the bytes of work that crux_rank_orders needs for n places; PTRDIFF_MAX from 2^31 on, which is too many. */
size_t crux_rank_work(size_t n);

/* Sets orders[part] for each part of n sorted rows, and orders[parts] for all rows; part_of[place], below `parts`, is the part of a
 * row, places are below `places`, and the first ends[part] rows would be those of the parts up to that one if the parts followed
 * each other. Takes time of order n log n; overwrites by_x; changes ends, but restores it. */
void crux_rank_orders(size_t n, crux_sorted *by_x, const crux_sorted *by_y, size_t places, size_t parts, const uint32_t *part_of,
                      size_t *ends, void *work, crux_order *orders);

/* Sets the order of n rows. */
bool crux_rank_order(size_t n, const double *x, const double *y, crux_order *order);

/* P(at most `concordant` of the n (n - 1) / 2 pairs are concordant) when all n! orders are equally likely; n is at most
 * CRUX_KENDALL_MOST. Exact. */
double crux_kendall_lower(size_t n, double concordant);

/* P(sum of squared differences of ranks >= sum) when all n! orders are equally likely. Exact for n up to 9, above by the
 * Edgeworth series of D. J. Best and D. E. Roberts, Algorithm AS 89, Applied Statistics 24 (1975), as in R. */
double crux_spearman_upper(size_t n, double sum);
