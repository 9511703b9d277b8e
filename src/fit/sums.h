/* The sums of up to three expressions that fit a response best by weighted least squares, with an intercept: for each number of
 * nodes the one that a beam search finds. The search takes every expression for the next term of every sum in the beam, and
 * computes the exact error of each of these sums; from one term to the next it keeps the best sums of each number of nodes.
 *
 * Terms that are close to a line of the others, within a hundredth of their deviation, do not join them. No global state. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "fit/expressions.h"

enum { CRUX_SUM_TERMS = 3 };

typedef struct crux_sum {
	double error;                       /* squared, as a share of the response's variance */
	uint32_t terms, nodes;              /* nodes: those of the terms, and one for each + between them */
	uint32_t expressions[CRUX_SUM_TERMS]; /* indices, ascending */
} crux_sum;

/* Returns the number of nodes of the largest sums. */
size_t crux_sums_nodes(const crux_expressions *expressions);

typedef struct crux_sum_problem {
	const double *weights, *response; /* a number for each row; rows of weight 0 do not count */
	crux_sum *best;                   /* zeros; set to the best sum of each number of nodes, from 1; of none its terms are 0 */
	double *predictions;              /* of each of these sums, fitted to the rows that count, for all rows */
} crux_sum_problem;

/* Solves problems in so many threads. False when memory is short. When `stop` is no longer 0, it returns soon, and what it has
 * set is of no use. */
bool crux_sums_search(const crux_expressions *expressions, crux_sum_problem *problems, size_t count, size_t threads,
                      const atomic_int *stop);
