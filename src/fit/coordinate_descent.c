/* Coordinate descent with steps by Cholesky factors; see coordinate_descent.h for the method. */
#include "fit/coordinate_descent.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
	MOST_ROUNDS = 2000,
	ROUNDING = 32, /* error of sums of products, in units of the last place of the summands */
};

/* A column is a combination of those before it if less than this share of its square is left after projection on them. */
static double const least_pivot = 1e-12;

/* The state of one search. */
typedef struct descent {
	const crux_descent *of;
	double *b;
	double *gradient; /* c - Gb */
	double *step;     /* of the free coefficients, in the order of `free` */
	double *factor;   /* Cholesky factor, n x n by rows */
	size_t count;     /* of free coefficients */
	double *free;     /* indices of the free coefficients, exact in a double */
	double size;      /* sum of |b| times the roots of G's diagonal: scale of the terms of the gradient */
	double unit;      /* relative rounding errors */
} descent;

size_t crux_descent_work(size_t n) { return n * n + 3 * n; }

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

static size_t free_at(const descent *d, size_t k) { return (size_t)d->free[k]; }

static void find_gradient(descent *d)
{
	for (size_t j = 0; j < d->of->n; j++)
		d->gradient[j] = d->of->targets[j];
	for (size_t j = 0; j < d->of->n; j++)
		for (size_t i = 0; d->b[j] != 0 && i < d->of->n; i++)
			d->gradient[i] -= product(d, j, i) * d->b[j];
}

/* Returns a bound on the rounding error of the gradient of one coefficient. */
static double rounding(const descent *d, size_t j)
{
	return d->unit * (fabs(d->of->targets[j]) + sqrt(product(d, j, j)) * d->size);
}

/* Returns the value of one coefficient that minimises the objective, the others fixed; 0 if it differs by rounding only. */
static double best_along(const descent *d, size_t j)
{
	double const diagonal = product(d, j, j);
	double const target = d->gradient[j] + diagonal * d->b[j], rest = fabs(target) - d->of->l1;
	double const pulled = d->of->l1 > 0 && rest <= rounding(d, j) ? 0 : copysign(rest, target);
	return fmin(fmax(pulled / (diagonal + d->of->l2), lower(d, j)), upper(d, j));
}

/* Updates each coefficient once; true if one changed by more than rounding. */
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
		double const best = best_along(d, j), change = best - d->b[j];
		bool const is_rounding = fabs(change) * (diagonal + d->of->l2) <= rounding(d, j);
		if (is_rounding && best != 0)
			continue;
		moved = moved || !is_rounding;
		d->b[j] = best;
		for (size_t i = 0; i < d->of->n; i++)
			d->gradient[i] -= product(d, j, i) * change;
	}
	return moved;
}

/* Returns the largest change of a coefficient in the direction of `step` that keeps its bounds and, with l1, its sign. */
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

/* Computes the Cholesky factor of the free part of G, its diagonal inverted; 0 there for a combination of columns before. */
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

/* Replaces the first `count` numbers x of the step by the solution z of L'z = x. */
static void substitute_back(const descent *d, size_t count)
{
	for (size_t k = count; k-- > 0;) {
		d->step[k] *= d->factor[k * d->of->n + k];
		for (size_t i = 0; i < k; i++)
			d->step[i] -= d->factor[k * d->of->n + i] * d->step[k];
	}
}

/* Returns minus the derivative of the objective by a free coefficient. */
static double pull(const descent *d, size_t j)
{
	return d->gradient[j] - d->of->l2 * d->b[j] - (d->of->l1 > 0 ? copysign(d->of->l1, d->b[j]) : 0);
}

/* Returns the multiple of the step with the least objective: INFINITY if the objective falls without end, 0 if it falls by
 * rounding only. */
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

/* Sets the step that exchanges column `spent` for the columns before it, whose combination it is, in the direction in which
 * the objective falls. Returns the best multiple of the step. */
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

/* Sets the first exchange that lowers the objective and returns its best multiple; returns 0 if there is none. */
static double find_exchange(descent *d)
{
	for (size_t k = 0; k < d->count; k++) {
		double const share = d->factor[k * d->of->n + k] == 0 ? exchange(d, k) : 0;
		if (share > 0)
			return share;
	}
	return 0;
}

/* Sets the step to the least objective for the present signs. Returns its best multiple: 1, or less because of rounding. */
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

/* Adds the largest multiple of the step, at most `share`, that signs and bounds allow; true if that is `share`. */
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
