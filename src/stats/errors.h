/* Errors of predictions: how far sums of columns times coefficients are from values, over parts of the rows and over all.
 *
 * The caller owns the object and the arrays; nothing is kept of the arrays. An object belongs to one thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct crux_errors crux_errors;

/* Sums over n rows, where difference = prediction - value and a row without a weight has weight 1; a ROW(name) each. */
#define CRUX_ERROR_SUMS(ROW) \
	ROW(weight) \
	ROW(absolute) /* of |difference| */ \
	ROW(weighted) /* of weight |difference| */ \
	ROW(relative) /* of |difference / value|: infinite or NaN when a value is 0 */ \
	ROW(weighted_relative) \
	ROW(square) \
	ROW(weighted_square) \
	ROW(log_density) /* of the values, normal around the predictions; NaN without a deviation or without details */ \
	ROW(values) /* each less the very first value, as in the next four */ \
	ROW(predictions) \
	ROW(values_square) \
	ROW(predictions_square) \
	ROW(product) /* of value and prediction */

/* Statistics of the n rows that are no sums; NaN when n is 0. */
#define CRUX_ERROR_STATISTICS(ROW) \
	ROW(median) /* of |difference| */ \
	ROW(tau) /* Kendall's tau-b of predictions and values; NaN without details, or when either is constant */ \
	ROW(rho) /* Spearman's rho, likewise */ \
	ROW(median_square) \
	ROW(largest_square)

typedef struct crux_error_sums {
	size_t n, over, under; /* all rows; those predicted too high; too low, by more than rounding */
#define CRUX_ERROR_FIELD(name) double name;
	CRUX_ERROR_SUMS(CRUX_ERROR_FIELD)
	CRUX_ERROR_STATISTICS(CRUX_ERROR_FIELD)
#undef CRUX_ERROR_FIELD
} crux_error_sums;

/* Predictions for a block of rows: the sum over the terms of coefficients[term] * columns[term][row]. */
typedef struct crux_predictions {
	size_t terms;
	const double *const *columns;
	const double *coefficients;
} crux_predictions;

/* A block of rows of a frame, with the values that predictions are compared with; weights may be NULL. */
typedef struct crux_compared {
	size_t first, n; /* of the block: rows before it, and rows */
	const double *values, *weights;
	const uint32_t *rows; /* rows of the frame to add, ascending, from 0; rows outside the block are skipped */
	size_t count;
	double sigma; /* standard deviation of values of weight 1 around predictions; NaN when unknown */
	const double *log_densities; /* of the values, when sigma does not give them; else NULL */
} crux_compared;

/* Takes at most `capacity` rows and `parts` parts; NULL when memory is short. Details are tau, rho, log_density and the errors of
 * single rows: they take eight more numbers a row, and n log n steps. Predictions of single rows take one. */
crux_errors *crux_errors_new(size_t capacity, size_t parts, bool has_details, bool has_predictions);

/* NULL is allowed. */
void crux_errors_free(crux_errors *errors);

/* Adds rows to the current part. Returns false and adds nothing when they exceed the capacity, or one was added before. */
bool crux_errors_add(crux_errors *errors, const crux_predictions *predictions, const crux_compared *compared);

/* Ends the current part. Returns false when all parts have ended. */
bool crux_errors_end_part(crux_errors *errors);

/* The number of parts that have ended. */
size_t crux_errors_parts(const crux_errors *errors);

/* Sets sums[part] for each part and, behind them, the sums of all; then removes all rows. Values that are the same as before are
 * not sorted again. False when memory is short. */
bool crux_errors_sums(crux_errors *errors, crux_error_sums *sums);

/* |difference| of each row of the last sums, 0 of rows in no part; *n is the capacity. NULL without details. */
const double *crux_errors_sizes(const crux_errors *errors, size_t *n);

/* The prediction of each row of the last sums, 0 of rows in no part. NULL without predictions. */
const double *crux_errors_predictions(const crux_errors *errors, size_t *n);
