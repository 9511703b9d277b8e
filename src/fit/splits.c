/* Splits of rows, reduced to triangles; see splits.h for the method. */
#include "fit/splits.h"

#include <cblas.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/double_double.h"

struct crux_splits {
	size_t width, count;
	double tolerance;
	double weight;   /* sum over all test rows */
	double baseline; /* sum of squared errors of the ones alone */
	double *numbers; /* for each split the matrices of its training and of its test rows, the ones kept */
};

size_t crux_splits_count(const crux_splits *splits) { return splits->count; }

size_t crux_splits_measures(const crux_splits *splits) { return splits->width - 2; }

size_t crux_splits_width(const crux_splits *splits) { return splits->width; }

size_t crux_splits_size(const crux_splits *splits, size_t levels)
{
	return 2 * levels * splits->width * splits->width;
}

static double *matrix(const crux_splits *splits, double *matrices, size_t kept, bool is_test)
{
	return matrices + crux_splits_size(splits, kept) + is_test * splits->width * splits->width;
}

/* Returns the matrices of a split for one kept column, the ones. */
static double *own(const crux_splits *splits, size_t split)
{
	return splits->numbers + split * crux_splits_size(splits, 1);
}

/* Copies the triangles of a split; divides measures by the norms of their training columns, so that no square overflows. */
static void copy_triangles(const crux_splits *splits, const crux_split *split, double *matrices)
{
	const double *const triangles[] = {crux_ols_triangle(split->training), crux_ols_triangle(split->test)};
	size_t const width = splits->width;
	for (size_t column = 0; column < width; column++) {
		double const norm = column + 1 < width ? cblas_dnrm2((int)column + 1, triangles[0] + column * width, 1) : 1;
		for (int is_test = 0; is_test < 2; is_test++)
			for (size_t row = 0; row < width; row++)
				matrix(splits, matrices, 0, is_test)[column * width + row] =
					triangles[is_test][column * width + row] / (norm > 0 ? norm : 1);
	}
}

/* Projects the ones out of all other columns of each split; adds the errors to the baseline. */
static bool fill(crux_splits *splits, const crux_split *list)
{
	size_t const width = splits->width, size = crux_splits_size(splits, 1);
	double *matrices = calloc(2 * size, sizeof *matrices);
	size_t *targets = calloc(width, sizeof *targets);
	bool const done = matrices && targets;
	for (size_t i = 0; done && i < width; i++)
		targets[i] = i;
	for (size_t split = 0; done && split < splits->count; split++) {
		double const root = crux_ols_triangle(list[split].test)[0];
		copy_triangles(splits, &list[split], matrices);
		crux_splits_project(splits, matrices, 0, 0, 1, targets + 1, width - 1);
		memcpy(own(splits, split), matrices + size, size * sizeof *matrices);
		splits->weight += root * root;
		splits->baseline += crux_splits_error(splits, matrices, 1);
	}
	free(matrices);
	free(targets);
	return done;
}

crux_splits *crux_splits_new(size_t count, const crux_split *list, double tolerance)
{
	crux_splits *splits = calloc(1, sizeof *splits);
	if (!splits)
		return NULL;
	splits->width = crux_ols_terms(list[0].training) + 1;
	splits->count = count;
	splits->tolerance = tolerance;
	splits->numbers = calloc(count * crux_splits_size(splits, 1), sizeof *splits->numbers);
	if (splits->numbers && fill(splits, list))
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

size_t crux_splits_project(const crux_splits *splits, double *matrices, size_t kept, size_t column,
                           size_t height, const size_t *targets, size_t count)
{
	size_t const width = splits->width;
	double const *const train = matrix(splits, matrices, kept, false), *const test = matrix(splits, matrices, kept, true);
	double const *const chosen = train + column * width, *const tested = test + column * width;
	double square = 0;
	for (size_t row = kept; row < height; row++)
		square += chosen[row] * chosen[row];
	double const norm = sqrt(square);
	if (norm < splits->tolerance || norm == 0)
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
	return sum < 1e-24 * splits->baseline ? 0 : crux_rounded(sum / splits->weight);
}
