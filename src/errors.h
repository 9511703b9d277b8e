/* Errors of predictions: how far sums of columns times coefficients are from values, over parts of the rows and over all.
 *
 * The caller owns the object and the arrays; nothing is kept of the arrays. An object belongs to one thread at a time. */
#ifndef CRUX_ERRORS_H
#define CRUX_ERRORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct crux_errors crux_errors;

/* Sums of the errors of n rows, difference = prediction - value; weight 1 each where there are no weights. */
typedef struct crux_error_sums {
	size_t n, over, under; /* all rows, those predicted too high, too low */
	double weight;
	double absolute, weighted;          /* of |difference|, and of weight |difference| */
	double relative, weighted_relative; /* of |difference / value|, likewise: infinite or NaN when a value is 0 */
	double square;
	double median_square, largest_square; /* no sums; NaN when n is 0 */
} crux_error_sums;

/* Predictions for a block of rows: the sum over the terms of coefficients[term] * columns[term][row]. */
typedef struct crux_predictions {
	size_t terms;
	const double *const *columns;
	const double *coefficients;
} crux_predictions;

/* For at most that many rows in all; NULL when memory is short. */
crux_errors *crux_errors_new(size_t capacity);

/* NULL is allowed. */
void crux_errors_free(crux_errors *errors);

/* Adds those of n rows whose fold is the given one to the part at hand. Returns false, and adds nothing more, when there
 * is no room. Weights may be NULL. */
bool crux_errors_add(crux_errors *errors, const crux_predictions *predictions, size_t n, const double *values,
                     const double *weights, const uint32_t *folds, uint32_t fold);

/* The sums of the part at hand, which this ends. */
crux_error_sums crux_errors_part(crux_errors *errors);

/* The sums of all parts, the one at hand included. */
crux_error_sums crux_errors_all(crux_errors *errors);

#endif
