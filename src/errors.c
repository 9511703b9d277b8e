/* Errors of predictions, summed; medians by selection. */
#include "errors.h"

#include <math.h>
#include <stdlib.h>

struct crux_errors {
	crux_error_sums part, all;
	size_t capacity;
	double *squares; /* of all rows so far, those of the part at hand last */
};

crux_errors *crux_errors_new(size_t capacity)
{
	crux_errors *errors = calloc(1, sizeof *errors);
	if (!errors)
		return NULL;
	errors->capacity = capacity;
	errors->squares = malloc((capacity ? capacity : 1) * sizeof *errors->squares);
	if (errors->squares)
		return errors;
	crux_errors_free(errors);
	return NULL;
}

void crux_errors_free(crux_errors *errors)
{
	if (!errors)
		return;
	free(errors->squares);
	free(errors);
}

static double predict(const crux_predictions *predictions, size_t row)
{
	double sum = 0;
	for (size_t term = 0; term < predictions->terms; term++)
		sum += predictions->coefficients[term] * predictions->columns[term][row];
	return sum;
}

bool crux_errors_add(crux_errors *errors, const crux_predictions *predictions, size_t n, const double *values,
                     const double *weights, const uint32_t *folds, uint32_t fold)
{
	crux_error_sums sums = errors->part;
	size_t const room = errors->capacity - errors->all.n;
	double *const squares = errors->squares + errors->all.n;
	for (size_t row = 0; row < n; row++) {
		if (folds[row] != fold)
			continue;
		if (sums.n == room)
			return false;
		double const weight = weights ? weights[row] : 1, difference = predict(predictions, row) - values[row];
		double const size = fabs(difference), relative = size / fabs(values[row]);
		sums.weight += weight;
		sums.absolute += size;
		sums.weighted += weight * size;
		sums.relative += relative;
		sums.weighted_relative += weight * relative;
		sums.square += size * size;
		sums.over += difference > 0;
		sums.under += difference < 0;
		squares[sums.n++] = size * size;
	}
	errors->part = sums;
	return true;
}

static void swap(double *a, double *b)
{
	double const other = *a;
	*a = *b;
	*b = other;
}

/* Moves the k-th smallest of n numbers, from 0, to its place, smaller ones before it and larger ones behind (C. A. R.
 * Hoare, Algorithm 65: Find, 1961, with the median of three as the pivot). */
static double choose(double *x, ptrdiff_t n, ptrdiff_t k)
{
	ptrdiff_t low = 0, high = n - 1;
	while (low < high) {
		ptrdiff_t const middle = low + (high - low) / 2;
		if (x[middle] < x[low])
			swap(&x[middle], &x[low]);
		if (x[high] < x[low])
			swap(&x[high], &x[low]);
		if (x[high] < x[middle])
			swap(&x[high], &x[middle]);
		double const pivot = x[middle];
		ptrdiff_t i = low, j = high;
		while (i <= j) {
			while (x[i] < pivot)
				i++;
			while (pivot < x[j])
				j--;
			if (i <= j)
				swap(&x[i++], &x[j--]);
		}
		if (k > j && k < i)
			break;
		if (k <= j)
			high = j;
		else
			low = i;
	}
	return x[k];
}

static double largest(const double *x, size_t n)
{
	double most = x[0];
	for (size_t i = 1; i < n; i++)
		most = x[i] > most ? x[i] : most;
	return most;
}

/* Sets what is no sum; reorders the squares. */
static crux_error_sums complete(crux_error_sums sums, double *squares)
{
	size_t const n = sums.n;
	sums.median_square = sums.largest_square = NAN;
	if (n == 0)
		return sums;
	double const middle = choose(squares, (ptrdiff_t)n, (ptrdiff_t)n / 2);
	sums.median_square = n % 2 ? middle : (largest(squares, n / 2) + middle) / 2;
	sums.largest_square = largest(squares, n);
	return sums;
}

static void end_part(crux_errors *errors)
{
	crux_error_sums const part = errors->part;
	crux_error_sums *const all = &errors->all;
	all->n += part.n;
	all->over += part.over;
	all->under += part.under;
	all->weight += part.weight;
	all->absolute += part.absolute;
	all->weighted += part.weighted;
	all->relative += part.relative;
	all->weighted_relative += part.weighted_relative;
	all->square += part.square;
	errors->part = (crux_error_sums){0};
}

crux_error_sums crux_errors_part(crux_errors *errors)
{
	crux_error_sums const part = complete(errors->part, errors->squares + errors->all.n);
	end_part(errors);
	return part;
}

crux_error_sums crux_errors_all(crux_errors *errors)
{
	end_part(errors);
	return complete(errors->all, errors->squares);
}
