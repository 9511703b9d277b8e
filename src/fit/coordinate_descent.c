/* Coordinate descent that finishes by Cholesky's factors; see coordinate_descent.h for the method. */
#include "fit/coordinate_descent.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
	MOST_ROUNDS = 2000,
	ROUNDING = 32, /* errors in sums of products, in units of the last place of what is summed */
};

/* A column of which less than this share is left after those before it: they say all that it says. */
static double const least_pivot = 1e-12;

/* One problem on its way. */
typedef struct descent {
	const crux_descent *of;
	double *b;
	double *gradient; /* c - Gb */
	double *step;     /* of the coefficients that are free, in the order of `free` */
	double *factor;   /* Cholesky's, n x n by rows */
	size_t count;     /* of those that are free */
	double *free;     /* their numbers, exact in a double */
	double size;      /* of what the gradient is a difference of, for columns of mean square 1 */
	double unit;      /* relative rounding errors */
} descent;

size_t crux_descent_work(size_t n)
{
	return n * n + 3 * n;
}

static double product(const descent *d, size_t i, size_t j)
{
	return d->of->products[i * d->of->stride + j];
}

static double lower(const descent *d, size_t j)
{
	return d->of->lower ? d->of->lower[j] : -INFINITY;
}

static double upper(const descent *d, size_t j)
{
	return d->of->upper ? d->of->upper[j] : INFINITY;
}

static size_t free_at(const descent *d, size_t k)
{
	return (size_t)d->free[k];
}

static void find_gradient(descent *d)
{
	for (size_t j = 0; j < d->of->n; j++)
		d->gradient[j] = d->of->targets[j];
	for (size_t j = 0; j < d->of->n; j++)
		for (size_t i = 0; d->b[j] != 0 && i < d->of->n; i++)
			d->gradient[i] -= product(d, j, i) * d->b[j];
}

/* The least value of the objective along one coordinate. */
static double best_along(const descent *d, size_t j)
{
	double const diagonal = product(d, j, j);
	double const target = d->gradient[j] + diagonal * d->b[j];
	double const rest = fmax(fabs(target) - d->of->l1, 0);
	return fmin(fmax(copysign(rest, target) / (diagonal + d->of->l2), lower(d, j)), upper(d, j));
}

/* The size of rounding errors in the gradient. */
static double rounding(const descent *d, size_t j)
{
	return d->unit * (fabs(d->of->targets[j]) + sqrt(product(d, j, j)) * d->size);
}

/* One round over all coordinates; whether any changed by more than rounding explains. */
static bool descend(descent *d, size_t round)
{
	d->unit = (ROUNDING + (double)round) * DBL_EPSILON;
	d->size = 0;
	for (size_t j = 0; j < d->of->n; j++)
		d->size += sqrt(product(d, j, j)) * fabs(d->b[j]);
	bool moved = false;
	for (size_t j = 0; j < d->of->n; j++) {
		double const diagonal = product(d, j, j);
		if (diagonal == 0)
			continue;
		double const change = best_along(d, j) - d->b[j];
		if (fabs(change) * (diagonal + d->of->l2) <= rounding(d, j))
			continue;
		moved = true;
		d->b[j] += change;
		for (size_t i = 0; i < d->of->n; i++)
			d->gradient[i] -= product(d, j, i) * change;
	}
	return moved;
}

/* How far a coefficient may go in the direction of `step` without leaving its bounds or changing its sign. */
static double room(const descent *d, size_t j, double step)
{
	double const b = d->b[j], end = step > 0 ? upper(d, j) : lower(d, j);
	bool const to_zero = d->of->l1 > 0 && b * step < 0;
	return to_zero && b * end < 0 ? -b : end - b;
}

static void find_free(descent *d)
{
	d->count = 0;
	for (size_t j = 0; j < d->of->n; j++) {
		bool const is_free = product(d, j, j) > 0 && d->b[j] > lower(d, j) && d->b[j] < upper(d, j);
		if (is_free && (d->b[j] != 0 || d->of->l1 == 0))
			d->free[d->count++] = (double)j;
	}
}

/* Cholesky's factor of the free part, its diagonal inverted; 0 there for a column that those before it say all about. */
static void factorise(descent *d)
{
	size_t const n = d->of->n;
	for (size_t k = 0; k < d->count; k++) {
		double *const row = d->factor + k * n;
		for (size_t l = 0; l <= k; l++) {
			const double *const other = d->factor + l * n;
			double rest = product(d, free_at(d, k), free_at(d, l)) + (k == l ? d->of->l2 : 0);
			double const whole = rest;
			for (size_t i = 0; i < l; i++)
				rest -= row[i] * other[i];
			if (l < k)
				row[l] = rest * other[l];
			else
				row[k] = rest > least_pivot * whole ? 1 / sqrt(rest) : 0;
		}
	}
}

/* Solves L'x = x for the first columns of the factor. */
static void substitute_back(const descent *d, size_t count)
{
	for (size_t k = count; k-- > 0;) {
		d->step[k] *= d->factor[k * d->of->n + k];
		for (size_t i = 0; i < k; i++)
			d->step[i] -= d->factor[k * d->of->n + i] * d->step[k];
	}
}

/* How steeply the objective falls as a coefficient that is free grows. */
static double pull(const descent *d, size_t j)
{
	return d->gradient[j] - d->of->l2 * d->b[j] - (d->of->l1 > 0 ? copysign(d->of->l1, d->b[j]) : 0);
}

/* How much of the step leads to the least value on its way: INFINITY where the objective falls all along; 0 where what it
 * gains is rounding. */
static double best_share(const descent *d)
{
	double slope = 0, curvature = 0, noise = 0;
	for (size_t k = 0; k < d->count; k++) {
		size_t const j = free_at(d, k);
		double bend = d->of->l2 * d->step[k];
		for (size_t i = 0; i < d->count; i++)
			bend += product(d, j, free_at(d, i)) * d->step[i];
		curvature += bend * d->step[k];
		slope += pull(d, j) * d->step[k];
		noise += rounding(d, j) * fabs(d->step[k]);
	}
	if (!(slope > noise))
		return 0;
	return curvature > 0 ? slope / curvature : INFINITY;
}

/* Finds a step for a column that those before it say all about: it takes their place, or they take its, as the penalty
 * likes it. How much of it is best. */
static double exchange(descent *d, size_t spent)
{
	memset(d->step, 0, d->count * sizeof *d->step);
	memcpy(d->step, d->factor + spent * d->of->n, spent * sizeof *d->step);
	substitute_back(d, spent);
	d->step[spent] = -1;
	double slope = 0;
	for (size_t k = 0; k <= spent; k++)
		slope += pull(d, free_at(d, k)) * d->step[k];
	for (size_t k = 0; k <= spent; k++)
		d->step[k] = copysign(1, slope) * d->step[k];
	return best_share(d);
}

/* Such a step for any column; 0 if none gains anything. */
static double find_exchange(descent *d)
{
	for (size_t k = 0; k < d->count; k++) {
		double const share = d->factor[k * d->of->n + k] == 0 ? exchange(d, k) : 0;
		if (share > 0)
			return share;
	}
	return 0;
}

/* Finds the step to the least value for the signs as they are. How much of it is best: all but for rounding. */
static double find_step(descent *d)
{
	size_t const n = d->of->n;
	for (size_t k = 0; k < d->count; k++) {
		double rest = pull(d, free_at(d, k));
		for (size_t i = 0; i < k; i++)
			rest -= d->factor[k * n + i] * d->step[i];
		d->step[k] = rest * d->factor[k * n + k];
	}
	substitute_back(d, d->count);
	double const share = best_share(d);
	return share > 0.5 ? 1 : share;
}

/* Goes as much of the step, at most `share` times, as signs and bounds allow; whether that is all. */
static bool take_step(descent *d, double share)
{
	size_t first = d->count;
	for (size_t k = 0; k < d->count; k++) {
		double const distance = d->step[k] == 0 ? INFINITY : room(d, free_at(d, k), d->step[k]) / d->step[k];
		if (distance < share) {
			share = distance;
			first = k;
		}
	}
	for (size_t k = 0; k < d->count && isfinite(share); k++) {
		size_t const j = free_at(d, k);
		double const end = d->b[j] + room(d, j, d->step[k]);
		d->b[j] = k == first ? end : fmin(fmax(d->b[j] + share * d->step[k], lower(d, j)), upper(d, j));
	}
	find_gradient(d);
	return first == d->count;
}

size_t crux_descent_solve(const crux_descent *problem, double *b)
{
	size_t const n = problem->n;
	descent d = {.of = problem, .b = b, .gradient = problem->work, .step = problem->work + n, .free = problem->work + 2 * n,
	             .factor = problem->work + 3 * n};
	find_gradient(&d);
	for (size_t round = 1; round <= MOST_ROUNDS; round++) {
		if (!descend(&d, round))
			return round;
		bool arrived = false;
		while (!arrived) {
			find_free(&d);
			factorise(&d);
			double const share = find_exchange(&d);
			arrived = take_step(&d, share > 0 ? share : find_step(&d));
		}
	}
	return 0;
}
