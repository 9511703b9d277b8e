/* Errors of predictions, summed; medians by selection. */
#include "stats/errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clones.h"
#include "base/double_double.h"
#include "stats/rank.h"

struct crux_errors {
	crux_error_sums *parts; /* the last is at hand */
	size_t part, room;      /* parts that have ended, and that there is room for */
	size_t n;               /* rows of the parts that have ended */
	size_t capacity;
	double origin;   /* the first value, subtracted before moments are summed */
	double *squares; /* of all rows so far, the current part is last */
	uint32_t *part_of; /* by row */
	bool is_sorted;  /* by_value lists all rows by their values */
	crux_sorted *by_value, *by_prediction, *work; /* NULL without details */
	double *details;     /* NULL, or by row the predictions, the values, and the sizes of errors */
	double *predictions; /* NULL, or by row */
};

static uint32_t const no_part = UINT32_MAX; /* of a row */

/* Forgets all rows. */
static void clear(crux_errors *errors)
{
	memset(errors->parts, 0, (errors->room + 1) * sizeof *errors->parts);
	memset(errors->part_of, 0xff, errors->capacity * sizeof *errors->part_of);
	errors->part = errors->n = 0;
}

crux_errors *crux_errors_new(size_t capacity, size_t parts, bool has_details, bool has_predictions)
{
	crux_errors *errors = calloc(1, sizeof *errors);
	if (!errors)
		return NULL;
	errors->capacity = capacity;
	errors->room = parts;
	errors->parts = calloc(parts + 1, sizeof *errors->parts);
	errors->squares = malloc((capacity ? capacity : 1) * sizeof *errors->squares);
	errors->part_of = malloc((capacity ? capacity : 1) * sizeof *errors->part_of);
	if (has_details) {
		errors->details = calloc(capacity ? capacity : 1, 3 * sizeof *errors->details);
		errors->by_value = malloc((capacity + 1) * sizeof *errors->by_value);
		errors->by_prediction = malloc((capacity + 1) * sizeof *errors->by_prediction);
		errors->work = malloc(crux_rank_work(capacity));
	}
	if (has_predictions)
		errors->predictions = calloc(capacity ? capacity : 1, sizeof *errors->predictions);
	bool const has_all = errors->details && errors->by_value && errors->by_prediction && errors->work;
	bool const has_some = errors->parts && errors->squares && errors->part_of && (errors->predictions || !has_predictions);
	if (has_some && (has_all || !has_details)) {
		clear(errors);
		return errors;
	}
	crux_errors_free(errors);
	return NULL;
}

void crux_errors_free(crux_errors *errors)
{
	if (!errors)
		return;
	free(errors->parts);
	free(errors->squares);
	free(errors->by_value);
	free(errors->by_prediction);
	free(errors->part_of);
	free(errors->work);
	free(errors->details);
	free(errors->predictions);
	free(errors);
}

static double const two_pi = 6.283185307179586477;

/* The relative error that a prediction may have by rounding. */
static double const rounding = 0x1p-44;

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

/* The place in `rows` of the first row that is not before the block. */
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

/* Keeps what the orders of a row need; the values stay sorted if it is the one that was there. */
static void keep(crux_errors *errors, size_t row, double prediction, double value)
{
	double *const kept = &errors->details[errors->capacity + row];
	errors->is_sorted = errors->is_sorted && *kept == value;
	*kept = value;
	errors->details[row] = crux_rounded(prediction);
	errors->details[2 * errors->capacity + row] = fabs(prediction - value);
}

bool crux_errors_add(crux_errors *errors, const crux_predictions *predictions, const crux_compared *compared)
{
	crux_error_sums sums = errors->parts[errors->part];
	size_t const room = errors->capacity - errors->n, end = compared->first + compared->n;
	double const log_sigma = log(compared->sigma), log_of_one = log(1 / two_pi);
	for (size_t i = first_chosen(compared); i < compared->count && compared->rows[i] < end; i++) {
		if (sums.n == room || compared->rows[i] >= errors->capacity || errors->part_of[compared->rows[i]] != no_part) {
			for (size_t added = sums.n - errors->parts[errors->part].n; added > 0; added--)
				errors->part_of[compared->rows[--i]] = no_part;
			return false;
		}
		size_t const row = compared->rows[i] - compared->first, place = errors->n + sums.n;
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
		if (!errors->details)
			sums.log_density = NAN;
		else if (compared->log_densities)
			sums.log_density += compared->log_densities[row];
		else
			sums.log_density += ((compared->weights ? log(weight / two_pi) : log_of_one) - weight * scaled * scaled) / 2 - log_sigma;
		add_moments(&sums, value - errors->origin, prediction - errors->origin);
		sums.over += difference > rounding * fabs(value);
		sums.under += difference < -rounding * fabs(value);
		errors->squares[place] = size * size;
		if (errors->details)
			keep(errors, compared->rows[i], prediction, value);
		if (errors->predictions)
			errors->predictions[compared->rows[i]] = prediction;
		errors->part_of[compared->rows[i]] = (uint32_t)errors->part;
		sums.n++;
	}
	errors->parts[errors->part] = sums;
	return true;
}

/* Moves the numbers below a pivot, or with `is_equal` those that are not above it, in front of the others. Returns their number.
 * Without a branch, which would be mispredicted. */
static size_t divide(double *x, size_t n, double pivot, bool is_equal)
{
	size_t front = 0;
	for (size_t i = 0; i < n; i++) {
		double const number = x[i];
		x[i] = x[front];
		x[front] = number;
		front += is_equal ? !(number > pivot) : number < pivot;
	}
	return front;
}

static double middle_of(double a, double b, double c) { return fmax(fmin(a, b), fmin(fmax(a, b), c)); }

/* Moves the k-th smallest of n numbers, from 0, to its place, smaller ones before it and larger ones behind (C. A. R.
 * Hoare, Algorithm 65: Find, 1961, with the median of three as the pivot). */
static double choose(double *x, size_t n, size_t k)
{
	for (;;) {
		double const pivot = middle_of(x[0], x[n / 2], x[n - 1]);
		size_t const below = divide(x, n, pivot, false), front = k < below ? below : below + divide(x + below, n - below, pivot, true);
		if (k >= below && k < front)
			return pivot;
		x += k < below ? 0 : front;
		n = k < below ? below : n - front;
		k -= k < below ? 0 : front;
	}
}

/* The largest of n squares; 0 when n is 0. */
CRUX_CLONES static double largest(const double *x, size_t n)
{
	enum { LANES = 8 }; /* so that a comparison need not wait for the one before */
	double found[LANES] = {0}, most = 0;
	for (size_t i = 0; i + LANES <= n; i += LANES)
		for (size_t lane = 0; lane < LANES; lane++)
			found[lane] = x[i + lane] > found[lane] ? x[i + lane] : found[lane];
	for (size_t i = n - n % LANES; i < n; i++)
		most = fmax(most, x[i]);
	for (size_t lane = 0; lane < LANES; lane++)
		most = fmax(most, found[lane]);
	return most;
}

/* Sets what is no sum, of rows whose squares those are; reorders them. */
static void complete(crux_error_sums *sums, double *squares)
{
	size_t const n = sums->n;
	sums->median_square = sums->largest_square = sums->median = sums->tau = sums->rho = NAN;
	if (n == 0)
		return;
	double const middle = choose(squares, n, n / 2), below = largest(squares, n / 2);
	sums->median_square = n % 2 ? middle : (below + middle) / 2;
	sums->median = n % 2 ? sqrt(middle) : (sqrt(below) + sqrt(middle)) / 2;
	sums->largest_square = largest(squares + n / 2, n - n / 2); /* the others are not larger */
}

/* Leaves out the rows that are in no part. */
static void drop_absent(const crux_errors *errors, crux_sorted *rows)
{
	size_t n = 0;
	for (size_t i = 0; i < errors->capacity; i++) {
		rows[n] = rows[i];
		n += errors->part_of[rows[i].place] != no_part;
	}
}

/* Sets what is asked of single rows to 0 for rows that are in no part. */
static void reset_absent(crux_errors *errors)
{
	for (size_t row = 0; row < errors->capacity; row++) {
		if (errors->part_of[row] != no_part)
			continue;
		if (errors->details)
			errors->details[2 * errors->capacity + row] = 0;
		if (errors->predictions)
			errors->predictions[row] = 0;
	}
}

/* Sets tau and rho of the parts, which end there, and of all. */
static bool add_orders(crux_errors *errors, crux_error_sums *sums, size_t *ends)
{
	size_t const n = sums[errors->part].n, capacity = errors->capacity;
	crux_order *orders = malloc((errors->part + 1) * sizeof *orders);
	if (!orders)
		return false;
	if (!errors->is_sorted)
		crux_rank_sort(capacity, errors->details + capacity, errors->work, errors->by_value);
	crux_rank_sort(capacity, errors->details, errors->work, errors->by_prediction);
	errors->is_sorted = n == capacity;
	if (!errors->is_sorted) {
		drop_absent(errors, errors->by_value);
		drop_absent(errors, errors->by_prediction);
	}
	crux_rank_orders(n, errors->by_prediction, errors->by_value, capacity, errors->part, errors->part_of, ends, errors->work, orders);
	for (size_t part = 0; part <= errors->part; part++) {
		double const rows = (double)sums[part].n, all = rows * (rows - 1);
		sums[part].tau = 2 * orders[part].score / sqrt((all - orders[part].x.pairs) * (all - orders[part].y.pairs));
		sums[part].rho = orders[part].rho;
	}
	free(orders);
	return true;
}

bool crux_errors_end_part(crux_errors *errors)
{
	if (errors->part == errors->room)
		return false;
	errors->n += errors->parts[errors->part++].n;
	return true;
}

size_t crux_errors_parts(const crux_errors *errors) { return errors->part; }

static void add_sums(crux_error_sums *all, const crux_error_sums *part)
{
	all->n += part->n;
	all->over += part->over;
	all->under += part->under;
#define ADD(name) all->name += part->name;
	CRUX_ERROR_SUMS(ADD)
#undef ADD
}

bool crux_errors_sums(crux_errors *errors, crux_error_sums *sums)
{
	crux_error_sums *const all = sums + errors->part;
	size_t *const ends = malloc((errors->part + 1) * sizeof *ends);
	*all = (crux_error_sums){0};
	for (size_t part = 0; ends && part < errors->part; part++) {
		sums[part] = errors->parts[part];
		complete(&sums[part], errors->squares + all->n);
		add_sums(all, &sums[part]);
		ends[part] = all->n;
	}
	complete(all, errors->squares);
	bool const ok = ends && (!errors->details || add_orders(errors, sums, ends));
	free(ends);
	if (errors->n < errors->capacity)
		reset_absent(errors);
	clear(errors);
	return ok;
}

const double *crux_errors_sizes(const crux_errors *errors, size_t *n)
{
	*n = errors->capacity;
	return errors->details ? errors->details + 2 * errors->capacity : NULL;
}

const double *crux_errors_predictions(const crux_errors *errors, size_t *n)
{
	*n = errors->capacity;
	return errors->predictions;
}
