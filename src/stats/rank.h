/* Rank correlation: ranks, the order of pairs of numbers, and how likely such an order is by chance.
 *
 * Plain functions on the caller's arrays, which hold no NaN; any thread may call them. Those that need memory return
 * false when there is none and leave their output undefined. */
#ifndef CRUX_RANK_H
#define CRUX_RANK_H

#include <stdbool.h>
#include <stddef.h>

enum {
	CRUX_KENDALL_MOST = 50, /* the most pairs of numbers for which crux_kendall_lower is made: 1225 doubles on the stack */
};

/* Sums over the groups of equal numbers in a column, t being the size of a group; 0 without ties. */
typedef struct crux_ties {
	double pairs;    /* t (t - 1) */
	double triples;  /* t (t - 1) (t - 2) */
	double variance; /* t (t - 1) (2 t + 5) */
} crux_ties;

typedef struct crux_order {
	double score; /* pairs of rows in which x and y increase together, minus those in which one of them decreases */
	crux_ties x, y;
} crux_order;

/* ranks[i] is the rank of x[i] from 1; equal numbers share the mean of their ranks. Takes n log n steps. */
bool crux_rank_ranks(size_t n, const double *x, double *ranks);

/* Kendall's score of n rows and the ties, in n log n steps: W. R. Knight, A computer method for calculating Kendall's
 * tau with ungrouped data, Journal of the American Statistical Association 61 (1966). */
bool crux_rank_order(size_t n, const double *x, const double *y, crux_order *order);

/* P(at most that many of the n (n - 1) / 2 pairs are concordant) when all n! orders are as likely; n is at most
 * CRUX_KENDALL_MOST. Exact. */
double crux_kendall_lower(size_t n, double concordant);

/* P(sum of squared differences of ranks >= sum) when all n! orders are as likely. Exact for n up to 9, beyond that the
 * Edgeworth series of D. J. Best and D. E. Roberts, Algorithm AS 89, Applied Statistics 24 (1975), which is what R has. */
double crux_spearman_upper(size_t n, double sum);

#endif
