/* Splits of rows as triangles; see splits.h for the method. */
#include "fit/splits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/double_double.h"
#include "fit/ols.h"

struct crux_splits {
	size_t width, count;
	double tolerance;
	double weight;   /* of all rows */
	double baseline; /* sum of errors of the intercept alone */
	int exponent;    /* of the response's scale */
	double *numbers; /* for each split the matrices of its training and of its test rows, and the norms of its training
	                    columns, not centred */
};

/* The columns as they are fitted. */
typedef struct table {
	const crux_study *study;
	size_t width;
	double **columns; /* scaled by a power of 2 to below 1, centred */
	double *means;    /* that were taken out, of the scaled columns */
	double *chosen;   /* the weights of the rows in use, else 0 */
} table;

size_t crux_splits_count(const crux_splits *splits)
{
	return splits->count;
}

size_t crux_splits_measures(const crux_splits *splits)
{
	return splits->width - 2;
}

size_t crux_splits_width(const crux_splits *splits)
{
	return splits->width;
}

size_t crux_splits_size(const crux_splits *splits, size_t levels)
{
	return 2 * levels * splits->width * splits->width;
}

static double *matrix(const crux_splits *splits, double *matrices, size_t kept, bool is_test)
{
	return matrices + crux_splits_size(splits, kept) + is_test * splits->width * splits->width;
}

/* Those of a split: crux_splits_size(splits, 1) numbers, then its norms. */
static double *own(const crux_splits *splits, size_t split)
{
	return splits->numbers + split * (crux_splits_size(splits, 1) + splits->width);
}

static const double *norms(const crux_splits *splits, size_t split)
{
	return own(splits, split) + crux_splits_size(splits, 1);
}

static double weight_of(const crux_study *study, size_t row)
{
	return study->weights ? study->weights[row] : 1;
}

static void table_free(table *t)
{
	if (t->columns)
		free(t->columns[0]);
	free(t->columns);
	free(t->means);
	free(t->chosen);
}

static bool table_alloc(table *t)
{
	size_t const rows = t->study->rows;
	t->columns = calloc(t->width, sizeof *t->columns);
	t->means = calloc(t->width, sizeof *t->means);
	t->chosen = calloc(rows + 1, sizeof *t->chosen);
	double *numbers = t->columns ? calloc(t->width * (rows + 1), sizeof *numbers) : NULL;
	if (!numbers || !t->means || !t->chosen) {
		free(numbers);
		return false;
	}
	for (size_t i = 0; i < t->width; i++)
		t->columns[i] = numbers + i * (rows + 1);
	return true;
}

/* Scales and centres column i; returns the exponent of the scale. */
static int fill(table *t, size_t i, const double *numbers)
{
	size_t const rows = t->study->rows;
	double most = 0;
	int exponent;
	for (size_t row = 0; row < rows; row++)
		most = fmax(most, fabs(numbers[row]));
	frexp(most, &exponent);
	crux_dd sum = {0, 0};
	for (size_t row = 0; row < rows; row++) {
		t->columns[i][row] = ldexp(numbers[row], -exponent);
		sum = crux_dd_add(sum, (crux_dd){t->columns[i][row], 0});
	}
	t->means[i] = rows > 0 ? sum.high / (double)rows : 0;
	for (size_t row = 0; row < rows; row++)
		t->columns[i][row] -= t->means[i];
	return exponent;
}

/* Takes in the rows of the folds from `first` to before `last`. */
static void add(table *t, crux_ols *ols, size_t first, size_t last)
{
	const crux_study *study = t->study;
	for (size_t row = 0; row < study->rows; row++)
		if (!study->fold || (study->fold[row] >= first && study->fold[row] < last))
			crux_ols_add_row(ols, row, (const double *const *)t->columns, t->columns[t->width - 1], study->weights);
}

static void copy_triangle(const crux_splits *splits, size_t split, crux_ols *ols, bool is_test)
{
	memcpy(matrix(splits, own(splits, split), 0, is_test), crux_ols_triangle(ols),
	       splits->width * splits->width * sizeof(double));
}

/* Norms of the columns in the training rows. */
static void set_norms(const crux_splits *splits, table *t, size_t split)
{
	const crux_study *study = t->study;
	double *const to = own(splits, split) + crux_splits_size(splits, 1);
	for (size_t row = 0; row < study->rows; row++)
		t->chosen[row] = study->fold && study->fold[row] == split ? 0 : weight_of(study, row);
	for (size_t i = 0; i < t->width; i++) {
		double sum = 0;
		for (size_t row = 0; row < study->rows; row++) {
			double const x = t->columns[i][row] + t->means[i];
			sum += t->chosen[row] * x * x;
		}
		to[i] = sqrt(sum);
	}
}

/* Fills the splits of the folds from `first` to before `last`; `outside` has taken in the rows of all others. */
static bool divide(const crux_splits *splits, table *t, size_t first, size_t last, crux_ols *outside)
{
	if (last - first == 1) {
		crux_ols *inside = crux_ols_new(t->width - 1);
		if (!inside)
			return false;
		add(t, inside, first, last);
		copy_triangle(splits, first, inside, true);
		copy_triangle(splits, first, t->study->fold ? outside : inside, false);
		set_norms(splits, t, first);
		crux_ols_free(inside);
		return true;
	}
	size_t const middle = first + (last - first) / 2;
	bool done = true;
	for (int half = 0; done && half < 2; half++) {
		crux_ols *more = crux_ols_new(t->width - 1);
		if (!more)
			return false;
		crux_ols_merge(more, outside);
		add(t, more, half ? first : middle, half ? middle : last);
		done = divide(splits, t, half ? middle : first, half ? last : middle, more);
		crux_ols_free(more);
	}
	return done;
}

/* Takes the intercept out of all other columns of the matrices as they are; the errors left are the baseline's. */
static bool project_intercept(crux_splits *splits)
{
	size_t const width = splits->width, size = crux_splits_size(splits, 1);
	double *matrices = calloc(2 * size, sizeof *matrices);
	size_t *targets = calloc(width, sizeof *targets);
	for (size_t i = 0; targets && i < width; i++)
		targets[i] = i;
	for (size_t split = 0; matrices && targets && split < splits->count; split++) {
		memcpy(matrices, own(splits, split), size * sizeof *matrices);
		crux_splits_project(splits, split, matrices, 0, 0, 1, targets + 1, width - 1);
		memcpy(own(splits, split), matrices + size, size * sizeof *matrices);
		splits->baseline += crux_splits_error(splits, matrices, 1);
	}
	bool const done = matrices && targets;
	free(matrices);
	free(targets);
	return done;
}

static bool fill_splits(crux_splits *splits, table *t)
{
	const crux_study *study = t->study;
	if (!table_alloc(t))
		return false;
	for (size_t row = 0; row < study->rows; row++) {
		t->columns[0][row] = 1;
		splits->weight += weight_of(study, row);
	}
	for (size_t i = 0; i < study->measures; i++)
		fill(t, i + 1, study->columns[i]);
	splits->exponent = fill(t, t->width - 1, study->response);
	crux_ols *nothing = crux_ols_new(t->width - 1);
	bool const done = nothing && divide(splits, t, 0, splits->count, nothing);
	crux_ols_free(nothing);
	return done && project_intercept(splits);
}

crux_splits *crux_splits_new(const crux_study *study)
{
	crux_splits *splits = calloc(1, sizeof *splits);
	if (!splits)
		return NULL;
	splits->width = study->measures + 2;
	splits->count = study->fold ? study->folds : 1;
	splits->tolerance = study->tolerance;
	splits->numbers = calloc(splits->count * (crux_splits_size(splits, 1) + splits->width), sizeof *splits->numbers);
	table t = {.study = study, .width = splits->width};
	bool const done = splits->numbers && fill_splits(splits, &t);
	table_free(&t);
	if (done)
		return splits;
	crux_splits_free(splits);
	return NULL;
}

void crux_splits_free(crux_splits *splits)
{
	if (!splits)
		return;
	free(splits->numbers);
	free(splits);
}

void crux_splits_start(const crux_splits *splits, size_t split, double *matrices)
{
	size_t const size = crux_splits_size(splits, 1);
	memcpy(matrices + size, own(splits, split), size * sizeof *matrices);
}

size_t crux_splits_project(const crux_splits *splits, size_t split, double *matrices, size_t kept, size_t column,
                           size_t height, const size_t *targets, size_t count)
{
	size_t const width = splits->width;
	double const *const train = matrix(splits, matrices, kept, false), *const test = matrix(splits, matrices, kept, true);
	double const *const chosen = train + column * width, *const tested = test + column * width;
	double square = 0;
	for (size_t row = kept; row < height; row++)
		square += chosen[row] * chosen[row];
	double const norm = sqrt(square);
	if (norm < splits->tolerance * norms(splits, split)[column] || norm == 0)
		return kept;
	/* The reflection v v' / scale with v = chosen - diagonal e turns the chosen column into diagonal e. */
	double const diagonal = chosen[kept] > 0 ? -norm : norm;
	double const head = chosen[kept] - diagonal, scale = norm * fabs(head);
	for (size_t i = 0; i < count; i++) {
		size_t const at = targets[i] * width;
		double const *const from = train + at, *const from_test = test + at;
		double *const to = matrix(splits, matrices, kept + 1, false) + at;
		double *const to_test = matrix(splits, matrices, kept + 1, true) + at;
		double dot = head * from[kept];
		for (size_t row = kept + 1; row < height; row++)
			dot += chosen[row] * from[row];
		double const factor = dot / scale;
		double const coefficient = (from[kept] - factor * head) / diagonal;
		for (size_t row = kept + 1; row < height; row++)
			to[row] = from[row] - factor * chosen[row];
		for (size_t row = 0; row < height; row++)
			to_test[row] = from_test[row] - coefficient * tested[row];
		memcpy(to + height, from + height, (width - height) * sizeof *to);
		memcpy(to_test + height, from_test + height, (width - height) * sizeof *to_test);
	}
	return kept + 1;
}

double crux_splits_error(const crux_splits *splits, const double *matrices, size_t kept)
{
	size_t const width = splits->width;
	double const *const left = matrices + crux_splits_size(splits, kept) + width * width + (width - 1) * width;
	double sum = 0;
	for (size_t row = 0; row < width; row++)
		sum += left[row] * left[row];
	return sum;
}

double crux_splits_mean(const crux_splits *splits, double sum)
{
	int exponent;
	double const mantissa = frexp(sum, &exponent);
	double const rounded = sum < 1e-24 * splits->baseline ? 0 : ldexp(nearbyint(ldexp(mantissa, 40)), exponent - 40);
	return ldexp(rounded / splits->weight, 2 * splits->exponent);
}
