/* Weighted linear least squares over rows that arrive in blocks, in memory that does not grow with them.
 *
 * Use: crux_ols_new, crux_ols_add for every block, crux_ols_solve. While crux_ols_solve or the last crux_ols_refine returns
 * true, pass the same rows to crux_ols_residuals, then call crux_ols_refine. The accessors are valid after
 * crux_ols_solve. Rows may be split among objects and merged, as for cross-validation.
 *
 * Method: streaming QR. Rows, with the response as the last column, are multiplied by the root of their weight and
 * reduced to the triangle R of their QR factorisation: LAPACK's dtpqrt adds blocks of rows, and triangles of other
 * objects, to R. If the first column is ones, R without its first row and column is the triangle of the centred columns.
 * Aliased terms are found by the rule of R's lm (LINPACK dqrdc2). If the condition of the columns, scaled to norm 1, is above
 * 2^8, or the fit nearly perfect, iterative refinement by the corrected seminormal equations with residuals and gradient in
 * double-double (Bjorck, Numerical Methods for Least Squares Problems, 1996, 6.6.5) makes the estimates exact but for their
 * rounding.
 *
 * The caller owns the object and the arrays; the object keeps no pointer to the arrays. No global state: one object belongs to
 * one thread at a time, different objects are independent. Values must be finite, weights not negative. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct crux_ols crux_ols;

/* Returns an object for the given number of columns (at least 1) of the model matrix; NULL when memory is short. */
crux_ols *crux_ols_new(size_t terms);

/* NULL is allowed. */
void crux_ols_free(crux_ols *ols);

size_t crux_ols_terms(const crux_ols *ols);

/* Adds `rows` rows: columns[term][row], response[row], weights[row] (NULL: all 1). A row of weight 0 is ignored; it is no
 * observation. */
void crux_ols_add(crux_ols *ols, size_t rows, const double *const *columns, const double *response, const double *weights);

/* Adds only the row with the index `row`, from 0. */
void crux_ols_add_row(crux_ols *ols, size_t row, const double *const *columns, const double *response,
                      const double *weights);

/* Adds the rows of another object for as many terms; overwrites the results of crux_ols_solve. */
void crux_ols_merge(crux_ols *ols, crux_ols *other);

/* Returns the triangle R of the rows so far: (terms + 1)^2 numbers by columns, 0 below the diagonal. The object owns it. */
const double *crux_ols_triangle(crux_ols *ols);

/* Finds the aliased terms and estimates the others. In formula order, a column is aliased if its part orthogonal to the kept
 * columns before it has a norm below `tolerance` (at least 1.5e-14) times its own (R's lm uses 1e-7). Returns true if
 * a pass of refinement would help; without it the estimates are as good as those of R's lm. */
bool crux_ols_solve(crux_ols *ols, double tolerance);

/* Adds rows to a pass of refinement: the same rows in the same form as for crux_ols_add. */
void crux_ols_residuals(crux_ols *ols, size_t rows, const double *const *columns, const double *response,
                        const double *weights);

/* Ends the pass: corrects the estimates. Returns true if another pass would help. */
bool crux_ols_refine(crux_ols *ols);

size_t crux_ols_rows(const crux_ols *ols);          /* observations: rows of weight above 0 */
size_t crux_ols_rank(const crux_ols *ols);          /* terms that are not aliased */
double crux_ols_rss(const crux_ols *ols);           /* weighted residual sum of squares */
double crux_ols_log_weights(const crux_ols *ols);   /* sum of the logarithms of the weights */
bool crux_ols_aliased(const crux_ols *ols, size_t term);
double crux_ols_estimate(const crux_ols *ols, size_t term);  /* NaN when aliased */
double crux_ols_unit_error(const crux_ols *ols, size_t term); /* root of the diagonal of (X'WX)^-1: the standard error if
                                                                  sigma were 1; NaN when aliased */
double crux_ols_inverse(const crux_ols *ols, size_t i, size_t k); /* row i, column k of R's inverse, i <= k,
                                                                      both below the rank; (X'WX)^-1 = R^-1 (R^-1)';
                                                                      positive for i = k */
double crux_ols_explained(const crux_ols *ols, size_t term); /* sum of squares that the term adds to those before it */

/* The next two take R's inverse for `terms` terms: columns one after the other, each down to the diagonal. */

/* Sets out[row] = x'(X'WX)^-1 x for each row x of the columns. */
void crux_ols_spread(size_t terms, const double *inverse, size_t rows, const double *const *columns, double *out);

/* Sets x to (X'WX)^-1 x. */
void crux_ols_covariances(size_t terms, const double *inverse, double *x);
