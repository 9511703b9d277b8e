/* cholesky.c: factors and inverses of random matrices beside those of LAPACK, of sizes around those of its blocks, as part of a larger
 * matrix; and matrices that are not positive definite. */
#include "fit/cholesky.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "stats/random.h"

static void check_matrix(size_t n, size_t stride)
{
	crux_random random = crux_random_new(n, 0);
	double *a = calloc(3 * n * stride + n + crux_cholesky_work(n) + 1, sizeof *a), *expected = a + n * stride;
	double *diagonal = expected + 2 * n * stride, *work = diagonal + n, worst = 0, worst_inverse = 0;
	for (size_t j = 0; j < n; j++)
		for (size_t i = j; i < n; i++)
			a[i + j * stride] = expected[i + j * stride] = crux_random_real(&random) - 0.5 + (i == j ? (double)n : 0);
	CHECK(crux_cholesky_factorise(a, n, stride, work));
	CHECK(n == 0 || LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (lapack_int)n, expected, (lapack_int)stride) == 0);
	for (size_t j = 0; j < n; j++)
		for (size_t i = j; i < n; i++)
			worst = fmax(worst, fabs(a[i + j * stride] - expected[i + j * stride]));
	CHECK(worst < 1e-12 * (double)(n + 1));
	crux_cholesky_invert(a, n, stride, diagonal, work);
	for (size_t j = 0; j < n; j++)
		for (size_t i = j; i < n; i++)
			worst = fmax(worst, fabs(a[i + j * stride] - expected[i + j * stride]));
	CHECK(worst < 1e-12 * (double)(n + 1)); /* the factor is still there */
	CHECK(n == 0 || LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', (lapack_int)n, expected, (lapack_int)stride) == 0);
	for (size_t j = 0; j < n; j++)
		for (size_t i = j; i < n; i++)
			worst_inverse = fmax(worst_inverse, fabs((i == j ? diagonal[i] : a[j + i * stride]) - expected[i + j * stride]));
	CHECK(worst_inverse < 1e-13);
	free(a);
}

int main(void)
{
	size_t const sizes[] = {0, 1, 2, 47, 48, 49, 96, 97, 240, 241, 333};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		check_matrix(sizes[i], sizes[i] + 1);
		check_matrix(sizes[i], sizes[i] + 5);
	}
	size_t const n = 100;
	double *a = calloc(n * n, sizeof *a), *work = calloc(crux_cholesky_work(n), sizeof *work);
	for (size_t bad = 0; bad < n; bad += 33) { /* one direction in which the form is not above 0, or not a number */
		memset(a, 0, n * n * sizeof *a);
		for (size_t i = 0; i < n; i++)
			a[i + i * n] = i == bad ? (bad % 2 ? -1 : NAN) : 1;
		CHECK(!crux_cholesky_factorise(a, n, n, work));
	}
	free(a);
	free(work);
	return check_summary();
}
