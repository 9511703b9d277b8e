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
	double square, weighted_square;
	double log_density; /* of the values, normal around the predictions; NaN where no deviation is known, or without details */
	/* Of the values and of the predictions, less the very first value; of their squares, and of their product. */
	double values, predictions, values_square, predictions_square, product;
	double median_square, largest_square; /* no sums; NaN when n is 0 */
	double median;                        /* of |difference| */
	double tau, rho; /* Kendall's tau-b and Spearman's rho of predictions and values; NaN without details, or if one is constant */
} crux_error_sums;

/* Predictions for a block of rows: the sum over the terms of coefficients[term] * columns[term][row]. */
typedef struct crux_predictions {
	size_t terms;
	const double *const *columns;
	const double *coefficients;
} crux_predictions;

/* Rows and what they are compared with, a block of a frame; weights may be NULL. */
typedef struct crux_compared {
	size_t first, n; /* of the block: rows before it, and rows */
	const double *values, *weights;
	const uint32_t *rows; /* which of the frame's rows to take, in order, from 0: those outside of the block are passed over */
	size_t count;
	double sigma; /* standard deviation of values of weight 1 around predictions; NaN when it is not known */
} crux_compared;

/* For at most that many rows in all; NULL when memory is short. Details are tau, rho, log_density and the errors of
 * single rows: they take three numbers a row more, and n log n steps. */
crux_errors *crux_errors_new(size_t capacity, bool has_details);

/* NULL is allowed. */
void crux_errors_free(crux_errors *errors);

/* Adds rows to the part at hand. Returns false, and adds nothing more, when there is no room. */
bool crux_errors_add(crux_errors *errors, const crux_predictions *predictions, const crux_compared *compared);

/* Sets the sums of the part at hand, which this ends. False when memory is short. */
bool crux_errors_part(crux_errors *errors, crux_error_sums *sums);

/* The sums of all parts, the one at hand included. */
bool crux_errors_all(crux_errors *errors, crux_error_sums *sums);

/* |difference| of each of the n rows, as many as there is room for, by its place in the frame; NULL without details. */
const double *crux_errors_sizes(const crux_errors *errors, size_t *n);

#endif
