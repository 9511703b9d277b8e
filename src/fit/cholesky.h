/* Cholesky's factor of a large dense matrix, and the inverse beside it: by blocks, with products whose sums stay in registers, so
 * that neither is slow with the BLAS of reference. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Numbers of work space for a matrix of order n. */
size_t crux_cholesky_work(size_t n);

/* Replaces the lower triangle of a positive definite matrix A, by columns of `stride` numbers, by L with A = L L'. What is above the
 * diagonal is lost. False where rounding or infinite numbers leave no such matrix. */
bool crux_cholesky_factorise(double *a, size_t n, size_t stride, double *work);

/* After that: sets the part above the diagonal, and the diagonal in `diagonal`, to those of the inverse of A. L stays. */
void crux_cholesky_invert(double *a, size_t n, size_t stride, double *diagonal, double *work);
