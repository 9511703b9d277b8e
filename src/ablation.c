/* Ablation by a depth-first walk over subsets of columns; see ablation.h for the method. */
#include "ablation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "double_double.h"
#include "ols.h"

/* The columns as they are fitted: the intercept, the measures, the response. */
typedef struct table {
	size_t width;
	size_t rows;
	double **columns; /* scaled by a power of 2 to below 1, centred */
	double *means;    /* that were taken out, of the scaled columns */
	int exponent;     /* of the response's scale */
	double *weights;  /* 1 for the rows in use, else 0 */
} table;

typedef struct walk {
	size_t width;
	double tolerance;
	double *norms;    /* of the training columns, not centred */
	double *matrices; /* for each number of kept columns those of the training and of the test rows as they are left */
	double *errors;
} walk;

static void table_free(table *t)
{
	if (t->columns)
		free(t->columns[0]);
	free(t->columns);
	free(t->means);
	free(t->weights);
}

static bool table_alloc(table *t)
{
	t->columns = calloc(t->width, sizeof *t->columns);
	t->means = calloc(t->width, sizeof *t->means);
	t->weights = calloc(t->rows + 1, sizeof *t->weights);
	double *numbers = t->columns ? calloc(t->width * (t->rows + 1), sizeof *numbers) : NULL;
	if (!numbers || !t->means || !t->weights) {
		free(numbers);
		return false;
	}
	for (size_t i = 0; i < t->width; i++)
		t->columns[i] = numbers + i * (t->rows + 1);
	return true;
}

/* Scales and centres column i; returns the exponent of the scale. */
static int fill(table *t, size_t i, const double *numbers)
{
	double most = 0;
	int exponent;
	for (size_t row = 0; row < t->rows; row++)
		most = fmax(most, fabs(numbers[row]));
	frexp(most, &exponent);
	crux_dd sum = {0, 0};
	for (size_t row = 0; row < t->rows; row++) {
		t->columns[i][row] = ldexp(numbers[row], -exponent);
		sum = crux_dd_add(sum, (crux_dd){t->columns[i][row], 0});
	}
	t->means[i] = t->rows > 0 ? sum.high / (double)t->rows : 0;
	for (size_t row = 0; row < t->rows; row++)
		t->columns[i][row] -= t->means[i];
	return exponent;
}

static bool table_new(table *t, const crux_ablation *study)
{
	*t = (table){.width = study->measures + 2, .rows = study->rows};
	if (!table_alloc(t))
		return false;
	for (size_t row = 0; row < t->rows; row++)
		t->columns[0][row] = 1;
	for (size_t i = 0; i < study->measures; i++)
		fill(t, i + 1, study->columns[i]);
	t->exponent = fill(t, t->width - 1, study->response);
	return true;
}

static double *matrix(const walk *w, size_t kept, bool is_test)
{
	return w->matrices + (2 * kept + is_test) * w->width * w->width;
}

/* The triangle of the rows of a fold, or of all others, becomes the matrix to start from. */
static bool triangle(const table *t, const size_t *folds, size_t fold, bool is_test, const walk *w)
{
	crux_ols *ols = crux_ols_new(t->width - 1);
	if (!ols)
		return false;
	for (size_t row = 0; row < t->rows; row++)
		t->weights[row] = (folds[row] == fold) == is_test;
	crux_ols_add(ols, t->rows, (const double *const *)t->columns, t->columns[t->width - 1], t->weights);
	memcpy(matrix(w, 0, is_test), crux_ols_triangle(ols), t->width * t->width * sizeof(double));
	crux_ols_free(ols);
	return true;
}

/* Norms of the columns in the rows of weight 1. */
static void set_norms(const table *t, double *norms)
{
	for (size_t i = 0; i < t->width; i++) {
		double sum = 0;
		for (size_t row = 0; row < t->rows; row++) {
			double const x = t->columns[i][row] + t->means[i];
			sum += t->weights[row] * x * x;
		}
		norms[i] = sqrt(sum);
	}
}

/* Takes a column out of those behind it, from the matrices with `kept` kept columns to those with one more; returns how
 * many are kept then: as many as before when the column is aliased. The matrices are triangles but for what reflections
 * have filled in above the diagonal: a column has no number below its own place. */
static size_t project(const walk *w, size_t kept, size_t column)
{
	size_t const width = w->width;
	double const *const train = matrix(w, kept, false), *const test = matrix(w, kept, true);
	double const *const chosen = train + column * width, *const tested = test + column * width;
	double square = 0;
	for (size_t row = kept; row <= column; row++)
		square += chosen[row] * chosen[row];
	double const norm = sqrt(square);
	if (norm < w->tolerance * w->norms[column] || norm == 0)
		return kept;
	/* The reflection v v' / scale with v = chosen - diagonal e turns the chosen column into diagonal e. */
	double const diagonal = chosen[kept] > 0 ? -norm : norm;
	double const head = chosen[kept] - diagonal, scale = norm * fabs(head);
	for (size_t i = column + 1; i < width; i++) {
		double const *const from = train + i * width, *const from_test = test + i * width;
		double *const to = matrix(w, kept + 1, false) + i * width, *const to_test = matrix(w, kept + 1, true) + i * width;
		double dot = head * from[kept];
		for (size_t row = kept + 1; row <= column; row++)
			dot += chosen[row] * from[row];
		double const factor = dot / scale;
		double const coefficient = (from[kept] - factor * head) / diagonal;
		for (size_t row = kept + 1; row <= column; row++)
			to[row] = from[row] - factor * chosen[row];
		for (size_t row = 0; row <= column; row++)
			to_test[row] = from_test[row] - coefficient * tested[row];
		memcpy(to + column + 1, from + column + 1, (i - column) * sizeof *to);
		memcpy(to_test + column + 1, from_test + column + 1, (i - column) * sizeof *to_test);
	}
	return kept + 1;
}

static double test_error(const walk *w, size_t kept)
{
	double const *const left = matrix(w, kept, true) + (w->width - 1) * w->width;
	double sum = 0;
	for (size_t row = 0; row < w->width; row++)
		sum += left[row] * left[row];
	return sum;
}

/* Adds the errors of all subsets that are the given one and some of the columns from `first` on. */
static void visit(const walk *w, size_t kept, size_t first, uint32_t subset)
{
	w->errors[subset] += test_error(w, kept);
	for (size_t column = first; column < w->width - 1; column++)
		visit(w, project(w, kept, column), column + 1, subset | (uint32_t)1 << (column - 1));
}

/* See crux_ablation_errors. */
static double rounded(double error, double baseline)
{
	int exponent;
	double const mantissa = frexp(error, &exponent);
	return error < 1e-24 * baseline ? 0 : ldexp(nearbyint(ldexp(mantissa, 40)), exponent - 40);
}

static bool walk_folds(const crux_ablation *study, const table *t, walk *w)
{
	for (size_t fold = 0; fold < study->folds; fold++) {
		if (!triangle(t, study->fold, fold, true, w) || !triangle(t, study->fold, fold, false, w))
			return false;
		set_norms(t, w->norms); /* the weights are those of the training rows now */
		visit(w, project(w, 0, 0), 1, 0);
	}
	return true;
}

bool crux_ablation_errors(const crux_ablation *study, double *errors)
{
	size_t const width = study->measures + 2, subsets = (size_t)1 << study->measures;
	table t;
	walk w = {.width = width, .tolerance = study->tolerance, .errors = errors};
	w.norms = calloc(width, sizeof *w.norms);
	w.matrices = calloc(2 * width * width * width, sizeof *w.matrices);
	memset(errors, 0, subsets * sizeof *errors);
	bool const done = table_new(&t, study) && w.norms && w.matrices && walk_folds(study, &t, &w);
	double const baseline = errors[0];
	for (size_t subset = 0; subset < subsets; subset++)
		errors[subset] = ldexp(rounded(errors[subset], baseline) / (double)study->rows, 2 * t.exponent);
	table_free(&t);
	free(w.norms);
	free(w.matrices);
	return done;
}

/* Whether subset a stands behind b. */
static bool is_behind(const double *errors, uint32_t a, uint32_t b)
{
	if (errors[a] != errors[b])
		return errors[a] > errors[b];
	int const of_a = __builtin_popcount(a), of_b = __builtin_popcount(b);
	if (of_a != of_b)
		return of_a > of_b;
	uint32_t const differ = a ^ b, first = differ & (~differ + 1);
	return b & first;
}

/* Restores the heap, whose root stands behind all others, after the entry at `place` changed. */
static void sink(const double *errors, uint32_t *heap, size_t count, size_t place)
{
	for (size_t child; (child = 2 * place + 1) < count; place = child) {
		if (child + 1 < count && is_behind(errors, heap[child + 1], heap[child]))
			child++;
		if (!is_behind(errors, heap[child], heap[place]))
			return;
		uint32_t const entry = heap[place];
		heap[place] = heap[child];
		heap[child] = entry;
	}
}

void crux_ablation_best(size_t measures, const double *errors, size_t count, uint32_t *subsets)
{
	for (size_t i = 0; i < count; i++)
		subsets[i] = (uint32_t)i + 1;
	for (size_t i = count / 2; i-- > 0;)
		sink(errors, subsets, count, i);
	for (size_t subset = count + 1; count > 0 && subset < (size_t)1 << measures; subset++) {
		if (is_behind(errors, subsets[0], (uint32_t)subset)) {
			subsets[0] = (uint32_t)subset;
			sink(errors, subsets, count, 0);
		}
	}
	for (size_t left = count; left-- > 1;) { /* the last of those left goes to their end */
		uint32_t const last = subsets[0];
		subsets[0] = subsets[left];
		subsets[left] = last;
		sink(errors, subsets, left, 0);
	}
}
