/* Weighted linear least squares over rows that arrive in blocks, in memory that does not grow with them.
 *
 * Use: crux_ols_new, crux_ols_add for every block, crux_ols_solve; if that says so, and then as often as crux_ols_refine
 * says so, the same rows once more through crux_ols_residuals, crux_ols_refine. The accessors are valid after
 * crux_ols_solve. Rows may be split among objects and merged, as for cross-validation.
 *
 * Method: streaming QR. Rows, each with its response as the last column and times the root of its weight, are
 * reduced to the triangle R of their QR factorisation: LAPACK's dtpqrt reflects blocks of rows into it, and the triangles of
 * other objects. With ones as the first column, R without its first row and column is that of the centred columns. Aliased
 * terms are found by R's rule (LINPACK dqrdc2 as in R's lm). Where the condition of the columns, scaled to norm 1, is above
 * 2^8, or the fit nearly perfect, iterative refinement by the corrected seminormal equations with residuals and gradient in
 * double-double (Bjorck, Numerical Methods for Least Squares Problems, 1996, 6.6.5) makes the estimates exact but for their
 * rounding.
 *
 * The caller owns the object and the arrays; nothing is kept of the arrays. No global state: one object belongs to one
 * thread at a time, different objects are independent. Values must be finite, weights not negative. */
#ifndef CRUX_OLS_H
#define CRUX_OLS_H

#include <stdbool.h>
#include <stddef.h>

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

/* Takes in the rows that another object for as many terms has taken in, and overwrites what crux_ols_solve has found. */
void crux_ols_merge(crux_ols *ols, crux_ols *other);

/* The triangle R of the rows so far, terms + 1 columns of as many numbers, 0 below the diagonal. It belongs to the object. */
const double *crux_ols_triangle(crux_ols *ols);

/* Decides which terms are aliased and estimates the others. In formula order, a column whose norm after projection on
 * the kept ones before it is below `tolerance` (at least 1.5e-14) times its own is aliased (R's lm uses 1e-7). True when
 * a pass of refinement would help; without it the estimates are as good as those of R's lm. */
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
                                                                      both below the rank: (X'WX)^-1 is it times its transpose;
                                                                      positive for i = k */
double crux_ols_explained(const crux_ols *ols, size_t term); /* sum of squares that the term adds to those before it */

/* With R's inverse for `terms` terms in one piece, column after column down to the diagonal: */

/* Sets out[row] = x'(X'WX)^-1 x for each of the rows x of the columns; `work`: as many numbers as terms. */
void crux_ols_spread(size_t terms, const double *inverse, size_t rows, const double *const *columns, double *work, double *out);

/* Sets x to (X'WX)^-1 x. */
void crux_ols_covariances(size_t terms, const double *inverse, double *x);

#endif
