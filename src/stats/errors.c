/* Errors of predictions, summed; medians by selection. */
#include "stats/errors.h"

#include <math.h>
#include <stdlib.h>

#include "stats/rank.h"

struct crux_errors {
	crux_error_sums part, all;
	size_t capacity;
	double origin;   /* the first value, which the moments are taken around */
	double *squares; /* of all rows so far, those of the part at hand last */
	double *details; /* NULL, or of all rows so far the predictions, the values, and the sizes of errors by row */
};

crux_errors *crux_errors_new(size_t capacity, bool has_details)
{
	crux_errors *errors = calloc(1, sizeof *errors);
	if (!errors)
		return NULL;
	errors->capacity = capacity;
	errors->squares = malloc((capacity ? capacity : 1) * sizeof *errors->squares);
	errors->details = has_details ? calloc(capacity ? capacity : 1, 3 * sizeof *errors->details) : NULL;
	if (errors->squares && (errors->details || !has_details))
		return errors;
	crux_errors_free(errors);
	return NULL;
}

void crux_errors_free(crux_errors *errors)
{
	if (!errors)
		return;
	free(errors->squares);
	free(errors->details);
	free(errors);
}

static double const two_pi = 6.283185307179586477;

static double predict(const crux_predictions *predictions, size_t row)
{
	double sum = 0;
	for (size_t term = 0; term < predictions->terms; term++)
		sum += predictions->coefficients[term] * predictions->columns[term][row];
	return sum;
}

static void add_moments(crux_error_sums *sums, double value, double prediction)
{
	sums->values += value;
	sums->predictions += prediction;
	sums->values_square += value * value;
	sums->predictions_square += prediction * prediction;
	sums->product += value * prediction;
}

/* The first of the chosen rows that is in the block. */
static size_t first_chosen(const crux_compared *compared)
{
	size_t low = 0, high = compared->count;
	while (low < high) {
		size_t const middle = low + (high - low) / 2;
		if (compared->rows[middle] < compared->first)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool crux_errors_add(crux_errors *errors, const crux_predictions *predictions, const crux_compared *compared)
{
	crux_error_sums sums = errors->part;
	size_t const room = errors->capacity - errors->all.n, end = compared->first + compared->n;
	for (size_t i = first_chosen(compared); i < compared->count && compared->rows[i] < end; i++) {
		if (sums.n == room || compared->rows[i] >= errors->capacity)
			return false;
		size_t const row = compared->rows[i] - compared->first, place = errors->all.n + sums.n;
		double const weight = compared->weights ? compared->weights[row] : 1, value = compared->values[row];
		double const prediction = predict(predictions, row), difference = prediction - value;
		double const size = fabs(difference), relative = size / fabs(value), scaled = size / compared->sigma;
		if (place == 0)
			errors->origin = value;
		sums.weight += weight;
		sums.absolute += size;
		sums.weighted += weight * size;
		sums.relative += relative;
		sums.weighted_relative += weight * relative;
		sums.square += size * size;
		sums.weighted_square += weight * size * size;
		sums.log_density +=
		    errors->details ? (log(weight / two_pi) - weight * scaled * scaled) / 2 - log(compared->sigma) : NAN;
		add_moments(&sums, value - errors->origin, prediction - errors->origin);
		sums.over += difference > 0;
		sums.under += difference < 0;
		errors->squares[place] = size * size;
		if (errors->details) {
			errors->details[place] = prediction;
			errors->details[errors->capacity + place] = value;
			errors->details[2 * errors->capacity + compared->rows[i]] = size;
		}
		sums.n++;
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

/* Of squares: 0 when there are none. */
static double largest(const double *x, size_t n)
{
	double most = 0;
	for (size_t i = 0; i < n; i++)
		most = x[i] > most ? x[i] : most;
	return most;
}

/* Pearson's correlation of two columns of ranks, whose mean is known. */
static double rank_correlation(size_t n, const double *x, const double *y)
{
	double const mean = ((double)n + 1) / 2;
	double xx = 0, yy = 0, xy = 0;
	for (size_t i = 0; i < n; i++) {
		xx += (x[i] - mean) * (x[i] - mean);
		yy += (y[i] - mean) * (y[i] - mean);
		xy += (x[i] - mean) * (y[i] - mean);
	}
	return xy / sqrt(xx * yy);
}

static bool compare_order(crux_error_sums *sums, const double *predictions, const double *values)
{
	size_t const n = sums->n;
	double *const ranks = malloc(2 * n * sizeof *ranks);
	crux_order order;
	bool const ok = ranks && crux_rank_order(n, predictions, values, &order) &&
	                crux_rank_ranks(n, predictions, ranks) && crux_rank_ranks(n, values, ranks + n);
	if (ok) {
		double const all = (double)n * ((double)n - 1);
		sums->tau = 2 * order.score / sqrt((all - order.x.pairs) * (all - order.y.pairs));
		sums->rho = rank_correlation(n, ranks, ranks + n);
	}
	free(ranks);
	return ok;
}

/* Sets what is no sum, of the rows from that place on; reorders the squares. */
static bool complete(crux_errors *errors, crux_error_sums *sums, size_t place)
{
	size_t const n = sums->n;
	double *const squares = errors->squares + place;
	sums->median_square = sums->largest_square = sums->median = sums->tau = sums->rho = NAN;
	if (n == 0)
		return true;
	double const middle = choose(squares, (ptrdiff_t)n, (ptrdiff_t)n / 2), below = largest(squares, n / 2);
	sums->median_square = n % 2 ? middle : (below + middle) / 2;
	sums->median = n % 2 ? sqrt(middle) : (sqrt(below) + sqrt(middle)) / 2;
	sums->largest_square = largest(squares, n);
	const double *const details = errors->details;
	return !details || compare_order(sums, details + place, details + errors->capacity + place);
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
	all->weighted_square += part.weighted_square;
	all->log_density += part.log_density;
	all->values += part.values;
	all->predictions += part.predictions;
	all->values_square += part.values_square;
	all->predictions_square += part.predictions_square;
	all->product += part.product;
	errors->part = (crux_error_sums){0};
}

bool crux_errors_part(crux_errors *errors, crux_error_sums *sums)
{
	*sums = errors->part;
	bool const ok = complete(errors, sums, errors->all.n);
	end_part(errors);
	return ok;
}

bool crux_errors_all(crux_errors *errors, crux_error_sums *sums)
{
	end_part(errors);
	*sums = errors->all;
	return complete(errors, sums, 0);
}

const double *crux_errors_sizes(const crux_errors *errors, size_t *n)
{
	*n = errors->capacity;
	return errors->details ? errors->details + 2 * errors->capacity : NULL;
}
