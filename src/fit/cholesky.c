/* Cholesky's factor of a large dense matrix; see cholesky.h. */
#include "fit/cholesky.h"

#include <cblas.h>
#include <lapacke.h>
#include <string.h>

#include "base/clones.h"

enum {
	TALL = 8, /* rows and columns of a product's tile, whose sums stay in registers */
	WIDE = 6,
	DEPTH = 240,     /* products that a tile sums at once: its strips stay in the first-level cache */
	COLUMNS = 240,   /* of the right side at once: DEPTH of them stay in the second-level cache; a multiple of WIDE */
	SMALL = 48,      /* an order that LAPACK handles */
	FEW = 12,        /* columns that BLAS divides */
	BLOCK = 96,      /* columns of the inverse at once: the rest is packed for each block */
};

typedef double lanes __attribute__((vector_size(TALL * sizeof(double))));

/* A matrix to multiply: element (i, k) is at[i * down + k * across]; or, with a diagonal, at[the less + the greater * across]. */
typedef struct matrix {
	const double *at;
	size_t down, across;
	const double *diagonal; /* of a symmetric matrix, of which only the part above the diagonal is in `at`; else NULL */
} matrix;

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

size_t crux_cholesky_work(size_t n) { return DEPTH * COLUMNS + n * BLOCK; }

static double element(const matrix *m, size_t i, size_t k)
{
	return !m->diagonal ? m->at[i * m->down + k * m->across]
	       : i == k     ? m->diagonal[i]
	       : i < k      ? m->at[i + k * m->across]
	                    : m->at[k + i * m->across];
}

/* Copies rows of a matrix into a strip of `height` rows, filled up by 0. */
static inline __attribute__((always_inline)) void pack(const matrix *from, size_t row, size_t rows, size_t start, size_t depth,
                                                       size_t height, double *to)
{
	for (size_t k = start; k < start + depth; k++)
		for (size_t i = 0; i < height; i++)
			*to++ = i < rows ? element(from, row + i, k) : 0;
}

/* Subtracts the product of packed strips from c, of that many rows and columns. */
static inline __attribute__((always_inline)) void subtract_tile(const double *a, const double *b, size_t depth, double *c,
                                                                size_t stride, size_t rows, size_t columns)
{
	lanes sum[WIDE] = {0};
	double out[WIDE][TALL];
	for (size_t k = 0; k < depth; k++, a += TALL, b += WIDE) {
		lanes left;
		memcpy(&left, a, sizeof left);
		for (size_t j = 0; j < WIDE; j++)
			sum[j] += left * b[j];
	}
	memcpy(out, sum, sizeof out);
	for (size_t j = 0; j < columns; j++)
		for (size_t i = 0; i < rows; i++)
			c[i + j * stride] -= out[j][i];
}

/* Subtracts a b' from c, of `rows` by `columns`; with `is_lower` only in tiles that reach the diagonal or what is below it. */
CRUX_CLONES static void subtract(matrix a, matrix b, size_t rows, size_t columns, size_t depth, double *c, size_t stride,
                                 bool is_lower, double *work)
{
	double strip[TALL * DEPTH];
	for (size_t left = 0; left < columns; left += COLUMNS)
		for (size_t k = 0; k < depth; k += DEPTH) {
			size_t const width = least(COLUMNS, columns - left), some = least(DEPTH, depth - k);
			for (size_t j = 0; j < width; j += WIDE)
				pack(&b, left + j, least(WIDE, width - j), k, some, WIDE, work + j * some);
			for (size_t i = is_lower ? left / TALL * TALL : 0; i < rows; i += TALL) {
				pack(&a, i, least(TALL, rows - i), k, some, TALL, strip);
				for (size_t j = 0; j < width && !(is_lower && left + j >= i + TALL); j += WIDE)
					subtract_tile(strip, work + j * some, some, c + i + (left + j) * stride, stride, least(TALL, rows - i),
					              least(WIDE, width - j));
			}
		}
}

static matrix by_columns(const double *at, size_t stride) { return (matrix){.at = at, .down = 1, .across = stride}; }

/* Replaces x, of m rows, by x L'^-1, or by x L^-1 unless it is transposed, with L of order n. */
static void divide(CBLAS_TRANSPOSE transposed, const double *l, size_t n, size_t stride, double *x, size_t m, size_t across, double *work)
{
	if (n <= FEW) {
		cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, transposed, CblasNonUnit, (int)m, (int)n, 1, l, (int)stride, x, (int)across);
		return;
	}
	bool const is_first = transposed == CblasTrans;
	size_t const half = n / 2, first = is_first ? 0 : half, second = half - first;
	size_t const some = is_first ? half : n - half;
	divide(transposed, l + first + first * stride, some, stride, x + first * across, m, across, work);
	matrix const between = {.at = l + half, .down = is_first ? 1 : stride, .across = is_first ? stride : 1};
	subtract(by_columns(x + first * across, across), between, m, n - some, some, x + second * across, across, false, work);
	divide(transposed, l + second + second * stride, n - some, stride, x + second * across, m, across, work);
}

bool crux_cholesky_factorise(double *a, size_t n, size_t stride, double *work)
{
	if (n <= SMALL)
		return n == 0 || LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (lapack_int)n, a, (lapack_int)stride) == 0;
	size_t const half = n / 2;
	double *below = a + half, *rest = below + half * stride;
	if (!crux_cholesky_factorise(a, half, stride, work))
		return false;
	divide(CblasTrans, a, half, stride, below, n - half, stride, work);
	subtract(by_columns(below, stride), by_columns(below, stride), n - half, n - half, half, rest, stride, true, work);
	return crux_cholesky_factorise(rest, n - half, stride, work);
}

/* By blocks of columns from the last, with L of a block L1 on the diagonal and L2 below, and the inverse Z of the rest known: the block
 * of the inverse below the diagonal is -Z Y with Y = L2 L1^-1, that on the diagonal (L1 L1')^-1 + Y' Z Y (Takahashi, Fagan and Chin 1973). */
void crux_cholesky_invert(double *a, size_t n, size_t stride, double *diagonal, double *work)
{
	double square[BLOCK * BLOCK];
	double *y = work + DEPTH * COLUMNS;
	for (size_t end = n; end > 0;) {
		size_t const width = end % BLOCK ? end % BLOCK : BLOCK, at = end - width, rest = n - end;
		double *head = a + at + at * stride, *right = a + at + end * stride;
		for (size_t j = 0; j < width; j++) {
			memcpy(y + j * rest, head + width + j * stride, rest * sizeof *y);
			memcpy(square + j * width, head + j * stride, width * sizeof *y);
			for (size_t r = 0; r < rest; r++)
				right[j + r * stride] = 0;
		}
		if (rest > 0)
			divide(CblasNoTrans, head, width, stride, y, rest, rest, work);
		LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', (lapack_int)width, square, (lapack_int)width);
		matrix const z = {.at = a + end + end * stride, .across = stride, .diagonal = diagonal + end};
		matrix const across = {.at = y, .down = rest, .across = 1};
		subtract(across, z, width, rest, rest, right, stride, false, work);
		subtract(by_columns(right, stride), across, width, width, rest, square, width, true, work);
		for (size_t j = 0; j < width; j++) {
			diagonal[at + j] = square[j + j * width];
			for (size_t i = 0; i < j; i++)
				head[i + j * stride] = square[j + i * width];
		}
		end = at;
	}
}
