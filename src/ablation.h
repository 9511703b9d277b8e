/* Ablation: how well each subset of the measures predicts rows that its least-squares fit has not seen.
 *
 * A subset of m measures is an integer below 2^m, bit k standing for measure k; a fit always has an intercept, so that
 * subset 0 is the mean.
 *
 * Method: of each fold's training rows, and of its test rows, there is a triangle R (ols.h) of m + 2 columns. The subsets
 * are walked depth-first, the measures in order: one Householder reflection takes the measure that a subset has more than
 * the one before it out of the columns still to come, and what it takes out of the training columns it takes out of the
 * test columns by the same coefficients. The response that is left of the test rows is the error of the fit. Half of the
 * subsets thus cost one reflection of one column of at most m + 1 numbers, a quarter of two, and so on; nothing is ever
 * downdated: the accuracy is that of a QR of each subset. Columns are centred first, so that a large offset costs no
 * digits.
 *
 * The caller owns the arrays. No global state. */
#ifndef CRUX_ABLATION_H
#define CRUX_ABLATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CRUX_ABLATION_MOST = 20 }; /* measures: 2^20 errors are 8 MB, and with five folds a second's work */

typedef struct crux_ablation {
	size_t measures, rows, folds;
	const double *const *columns; /* columns[measure][row], all finite */
	const double *response;
	const size_t *fold; /* of each row, below `folds` */
	double tolerance;   /* a measure is aliased in a fold by the rule of crux_ols_solve, and then predicts nothing */
} crux_ablation;

/* Sets errors[subset], 2^measures of them, to the squared error of each subset, the mean over all rows, each predicted by
 * the fit to the other folds. Errors are rounded to 40 bits (12 digits), and below 1e-24 of errors[0] to 0: what lies
 * beyond is rounding, and subsets that span the same space are to have the same error. False when memory is short. */
bool crux_ablation_errors(const crux_ablation *study, double *errors);

/* Sets subsets[0 .. count - 1] to those of the smallest errors without subset 0, best first; of equal ones first the
 * smaller, then the one with the earlier measures. `count` is below 2^measures. */
void crux_ablation_best(size_t measures, const double *errors, size_t count, uint32_t *subsets);

#endif
