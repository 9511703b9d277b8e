/* Weighted linear least squares over rows that arrive in blocks, in memory that does not grow with them.
 *
 * Use: crux_ols_new, crux_ols_add for every block, crux_ols_solve; if that says so, and then as often as crux_ols_refine
 * says so, the same rows once more through crux_ols_residuals, crux_ols_refine. The accessors are valid after
 * crux_ols_solve. Rows may be split among objects and merged, as for cross-validation.
 *
 * Method: Cholesky's factors of the sums of products (gram.h) in double-double, aliased terms by R's rule (LINPACK dqrdc2
 * as in R's lm). A condition of the columns, scaled to norm 1, of up to 10^5 leaves the estimates exact but for their
 * rounding. Where it is larger, or the fit nearly perfect, iterative refinement by the corrected seminormal equations with
 * residuals and gradient in double-double (Bjorck, Numerical Methods for Least Squares Problems, 1996, 6.6.5): each pass
 * shrinks the error by the error of the factors, about condition^2 * 1e-29.
 *
 * The caller owns the object and the arrays; nothing is kept of the arrays. No global state: one object belongs to one
 * thread at a time, different objects are independent. Values must be finite, weights not negative. */
#ifndef CRUX_OLS_H
#define CRUX_OLS_H

#include <stdbool.h>
#include <stddef.h>

#include "fit/gram.h"

typedef struct crux_ols crux_ols;

/* An object for the given number of columns (at least 1) of the model matrix; NULL when memory is short. */
crux_ols *crux_ols_new(size_t terms);

/* NULL is allowed. */
void crux_ols_free(crux_ols *ols);

size_t crux_ols_terms(const crux_ols *ols);

/* Takes in `rows` rows: columns[term][row], response[row], weights[row] (NULL: all 1). A row of weight 0 counts for
 * nothing, not even as an observation. */
void crux_ols_add(crux_ols *ols, size_t rows, const double *const *columns, const double *response, const double *weights);

/* Takes in the row at that place only, from 0. */
void crux_ols_add_row(crux_ols *ols, size_t row, const double *const *columns, const double *response,
                      const double *weights);

/* Takes in the rows that another object for as many terms has taken in. */
void crux_ols_merge(crux_ols *ols, crux_ols *other);

/* The sums of products of the rows so far; they belong to the object. */
crux_gram *crux_ols_gram(crux_ols *ols);

/* The triangle R of a QR factorisation of the rows so far, but for signs, the response as its last column: terms + 1 columns
 * of as many numbers. Valid until the next call of this or of crux_ols_solve, whose results it overwrites. */
const double *crux_ols_triangle(crux_ols *ols);

/* Decides which terms are aliased and estimates the others. In formula order, a column whose norm after projection on
 * the kept ones before it is below `tolerance` (at least 1.5e-14) times its own is aliased (R's lm uses 1e-7). True when
 * a pass of refinement would help; without it the estimates are about as good as those of a QR of the rows in double. */
bool crux_ols_solve(crux_ols *ols, double tolerance);

/* One pass of refinement over the same rows in the same form as crux_ols_add. */
void crux_ols_residuals(crux_ols *ols, size_t rows, const double *const *columns, const double *response,
                        const double *weights);

/* Ends the pass: corrects the estimates. True while another pass would still help. */
bool crux_ols_refine(crux_ols *ols);

size_t crux_ols_rows(const crux_ols *ols);          /* observations: rows of weight above 0 */
size_t crux_ols_rank(const crux_ols *ols);          /* terms that are not aliased */
double crux_ols_rss(const crux_ols *ols);           /* weighted residual sum of squares */
double crux_ols_log_weights(const crux_ols *ols);   /* sum of the logarithms of the weights */
bool crux_ols_aliased(const crux_ols *ols, size_t term);
double crux_ols_estimate(const crux_ols *ols, size_t term);  /* NaN when aliased */
double crux_ols_unit_error(const crux_ols *ols, size_t term); /* root of the diagonal of (X'WX)^-1: the standard error if
                                                                  sigma were 1; NaN when aliased */
double crux_ols_inverse(const crux_ols *ols, size_t i, size_t k); /* of R's inverse, the i-th number of the k-th column, i <= k,
                                                                      both below the rank: (X'WX)^-1 is it times its transpose */
double crux_ols_explained(const crux_ols *ols, size_t term); /* sum of squares that the term adds to those before it */

#endif
