/* Sums of products of the weighted columns of a model matrix and its response, in twice the precision of a double.
 *
 * Squaring the columns squares their condition; carrying about 100 bits makes up for it, so that what is solved from these
 * sums is as exact as what is solved from factors of the rows themselves in double. Method: error-free products and
 * compensated sums over batches of rows (T. Ogita, S. M. Rump, S. Oishi, Accurate sum and dot product, SIAM Journal on
 * Scientific Computing 26, 2005), double-double sums over the batches.
 *
 * The caller owns the object and the arrays; nothing is kept of the arrays. An object belongs to one thread at a time. */
#ifndef CRUX_GRAM_H
#define CRUX_GRAM_H

#include <stddef.h>

#include "base/double_double.h"

typedef struct crux_gram crux_gram;

/* For a matrix of that many terms; NULL when memory is short. */
crux_gram *crux_gram_new(size_t terms);

/* NULL is allowed. */
void crux_gram_free(crux_gram *gram);

/* Takes in one row: columns[term][row] and response[row], all finite. */
void crux_gram_add(crux_gram *gram, size_t row, const double *const *columns, const double *response, double weight);

/* Takes in all that another one for as many terms has taken in. */
void crux_gram_merge(crux_gram *gram, crux_gram *other);

/* The sums over all rows so far, (terms + 1)^2 of them: [i * (terms + 1) + j] for i <= j is that of weight * column i *
 * column j, the response being the last column, and columns being divided by their scales. Valid until the next call. */
const crux_dd *crux_gram_sums(crux_gram *gram);

/* The binary exponent of the scale of a column, valid with the sums: 0 unless its numbers are very large or very small, so
 * that their squares might leave the range of a double. */
int crux_gram_scale(const crux_gram *gram, size_t column);

#endif
