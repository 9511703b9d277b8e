/* Nonlinear least squares by cminpack and NLopt; see minimise.h. */
#include "fit/minimise.h"

#include <cminpack-1/cminpack.h>
#include <limits.h>
#include <math.h>
#include <nlopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"

/* Replaces residuals if one is not finite: larger than any other, with a finite square. */
static double const beyond = 1e150;

/* The step of central differences with the least error, relative to the variable: the cube root of DBL_EPSILON. */
static double const step_share = 6e-6;

/* From time to time, after `look_evaluations` evaluations for each variable, the search looks whether it gains anything: whether
 * the sum of squares has fallen since the last look by `gain_share` of the residual variance; less would not count as a
 * difference. If not, a variable grows without end that is beyond CRUX_MINIMISE_AWAY_RATIO times its start and has grown by
 * `away_growth`. After `still_looks` looks in a row without a gain the search stands still. */
static double const gain_share = 1e-3, away_growth = 0.01;
enum { look_evaluations = 50, still_looks = 20 };

typedef struct search {
	const crux_squares *squares;
	void *memory;             /* of the arrays below */
	double *start;            /* gives the scale of each variable */
	double *variables, *near; /* near, ahead, behind: for differences */
	double *ahead, *behind;
	double *jacobian;         /* variables x residuals, as for crux_minimise_jacobian */
	size_t evaluations;
	double least;             /* sum of squares */
	double *before;           /* the variables at the last look for those that grow without end */
	double least_before;
	unsigned still; /* looks in a row without a gain */
	crux_minimise_status status;
	nlopt_opt simplex;
} search;

static void release(search *at)
{
	free(at->memory);
	nlopt_destroy(at->simplex);
}

static bool allocate(search *at, const crux_squares *squares, const double *start)
{
	size_t const variables = squares->variables, residuals = squares->residuals;
	*at = (search){.squares = squares, .least = INFINITY, .least_before = INFINITY};
	crux_array const arrays[] = {
		CRUX_ARRAY(at->start, variables), CRUX_ARRAY(at->variables, variables), CRUX_ARRAY(at->near, variables),
		CRUX_ARRAY(at->ahead, residuals), CRUX_ARRAY(at->behind, residuals), CRUX_ARRAY(at->jacobian, variables * residuals),
		CRUX_ARRAY(at->before, variables),
	};
	at->memory = crux_block_new(arrays, sizeof arrays / sizeof *arrays);
	if (at->memory)
		memcpy(at->start, start, variables * sizeof *start);
	return at->memory != NULL;
}

static bool are_finite(const double *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isfinite(numbers[i]))
			return false;
	return true;
}

static double sum_of_squares(const double *numbers, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += numbers[i] * numbers[i];
	return sum;
}

/* Looks from time to time whether the search gains anything; sets the status if it must end. */
static void look(search *at, const double *variables, const double *residuals)
{
	size_t const count = at->squares->variables, n = at->squares->residuals;
	double const sum = sum_of_squares(residuals, n);
	if (sum < at->least) /* not if it is no number */
		at->least = sum;
	if (at->evaluations % (look_evaluations * count) != 0)
		return;
	bool grows = false;
	for (size_t j = 0; j < count; j++) {
		double const size = fabs(variables[j]), start = fabs(at->start[j]);
		grows = grows || (size > CRUX_MINIMISE_AWAY_RATIO * (start > 0 ? start : 1) && size > (1 + away_growth) * fabs(at->before[j]));
	}
	bool const gains = !(at->least_before - at->least < gain_share * at->least / (n > count ? (double)(n - count) : 1));
	at->still = gains ? 0 : at->still + 1;
	if (!gains && (grows || at->still == still_looks))
		at->status = grows ? CRUX_MINIMISE_AWAY : CRUX_MINIMISE_STILL;
	memcpy(at->before, variables, count * sizeof *variables);
	at->least_before = at->least;
}

/* Computes residuals; returns false and sets the status if the search must end. */
static bool evaluate(search *at, const double *variables, double *residuals)
{
	const crux_squares *squares = at->squares;
	if (at->evaluations >= squares->most_evaluations) {
		at->status = CRUX_MINIMISE_LIMIT;
		return false;
	}
	at->evaluations++;
	if (!squares->evaluate(squares->context, variables, residuals))
		at->status = CRUX_MINIMISE_STOPPED;
	else
		look(at, variables, residuals);
	return at->status == CRUX_MINIMISE_CONVERGED;
}

/* Sets the derivatives of all residuals by one variable; `here`: the residuals at `variables`. */
static bool differentiate(search *at, const double *variables, const double *here, size_t variable, double *column)
{
	const crux_squares *squares = at->squares;
	size_t const n = squares->residuals;
	double const x = variables[variable], low = squares->low[variable], high = squares->high[variable];
	double const unit = fmax(fabs(x), 1e-3 * fabs(at->start[variable])), step = step_share * (unit > 0 ? unit : 1);
	double right = fmin(x + step, high), left = fmax(x - step, low);
	memcpy(at->near, variables, squares->variables * sizeof *variables);
	at->near[variable] = right;
	if (!evaluate(at, at->near, at->ahead))
		return false;
	at->near[variable] = left;
	if (!evaluate(at, at->near, at->behind))
		return false;
	const double *ahead = at->ahead, *behind = at->behind;
	if (!are_finite(ahead, n)) {
		ahead = here;
		right = x;
	}
	if (!are_finite(behind, n)) {
		behind = here;
		left = x;
	}
	for (size_t i = 0; i < n; i++)
		column[i] = right > left ? (ahead[i] - behind[i]) / (right - left) : 0;
	return true;
}

/* Returns the variable for an angle; sets *slope to its derivative by the angle. */
static double of_angle(const search *at, size_t variable, double angle, double *slope)
{
	double const low = at->squares->low[variable], high = at->squares->high[variable], start = at->start[variable];
	if (isfinite(low) && isfinite(high)) {
		*slope = (high - low) / 2 * cos(angle);
		return fmin(high, fmax(low, low + (high - low) / 2 * (1 + sin(angle))));
	}
	if (!isfinite(low) && !isfinite(high)) {
		*slope = 1;
		return angle;
	}
	double const bound = isfinite(low) ? low : high, unit = start == bound ? 1 : start - bound, root = hypot(angle, 1);
	double const direction = isfinite(low) ? fabs(unit) : -fabs(unit);
	*slope = direction * angle / root;
	return bound + direction * (root - 1);
}

static double angle_of(const search *at, size_t variable)
{
	double const low = at->squares->low[variable], high = at->squares->high[variable], start = at->start[variable];
	if (isfinite(low) && isfinite(high))
		return asin(fmin(1, fmax(-1, 2 * ((start - low) / (high - low)) - 1)));
	if (!isfinite(low) && !isfinite(high))
		return start;
	return start == (isfinite(low) ? low : high) ? 0 : sqrt(3); /* hypot(sqrt(3), 1) - 1 is the unit */
}

/* Callback of lmder: computes the residuals at angles or, for flag 2, their derivatives. */
static int by_angles(void *context, int rows, int count, const double *angles, double *residuals, double *jacobian, int stride,
                     int flag)
{
	search *at = context;
	size_t const n = (size_t)rows;
	double *slopes = flag == 2 ? jacobian : at->near; /* with flag 2 each starts its column, until that is set */
	size_t const apart = flag == 2 ? (size_t)stride : 1;
	for (size_t j = 0; j < (size_t)count; j++)
		at->variables[j] = of_angle(at, j, angles[j], &slopes[j * apart]);
	if (flag != 2) {
		if (!evaluate(at, at->variables, residuals))
			return -1;
		if (!are_finite(residuals, n))
			for (size_t i = 0; i < n; i++)
				residuals[i] = beyond;
		return 0;
	}
	for (size_t j = 0; j < (size_t)count; j++) {
		double const slope = slopes[j * apart];
		double *column = jacobian + j * apart;
		if (!differentiate(at, at->variables, residuals, j, column))
			return -1;
		for (size_t i = 0; i < n; i++)
			column[i] *= slope;
	}
	return 0;
}

crux_minimise_status crux_minimise_by_gradient(const crux_squares *squares, double *variables, size_t *evaluations)
{
	size_t const count = squares->variables, n = squares->residuals;
	*evaluations = 0;
	if (n > INT_MAX || count > INT_MAX || count > n)
		return CRUX_MINIMISE_TOO_LARGE;
	search at;
	double *work = calloc(2 * n + 6 * count, sizeof *work);
	int *pivots = calloc(count, sizeof *pivots);
	if (allocate(&at, squares, variables) && work && pivots) {
		double *angles = work, *scale = angles + count, *projected = scale + count, *spare = projected + count;
		double *residuals = spare + 3 * count, *trial = residuals + n;
		for (size_t j = 0; j < count; j++)
			angles[j] = angle_of(&at, j);
		int values, jacobians;
		at.status = CRUX_MINIMISE_CONVERGED;
		lmder(by_angles, &at, (int)n, (int)count, angles, residuals, at.jacobian, (int)n, 1e-14, 1e-12, 0, INT_MAX, scale, 1, 1,
		      0, &values, &jacobians, pivots, projected, spare, spare + count, spare + 2 * count, trial);
		double slope;
		for (size_t j = 0; j < count; j++)
			variables[j] = of_angle(&at, j, angles[j], &slope);
	} else {
		at.status = CRUX_MINIMISE_NO_MEMORY;
	}
	*evaluations = at.evaluations;
	release(&at);
	free(work);
	free(pivots);
	return at.status;
}

static double objective(unsigned count, const double *variables, double *gradient, void *context)
{
	(void)count;
	(void)gradient;
	search *at = context;
	if (!evaluate(at, variables, at->ahead)) {
		nlopt_force_stop(at->simplex);
		return beyond * beyond;
	}
	double const sum = sum_of_squares(at->ahead, at->squares->residuals);
	return isfinite(sum) ? sum : beyond * beyond;
}

/* Restarts SBPLX at the end of each search, with its first simplex size, until the sum falls no further. */
static bool repeat(search *at, double *variables)
{
	nlopt_opt const simplex = at->simplex;
	if (nlopt_set_min_objective(simplex, objective, at) < 0 || nlopt_set_lower_bounds(simplex, at->squares->low) < 0 ||
	    nlopt_set_upper_bounds(simplex, at->squares->high) < 0 || nlopt_set_xtol_rel(simplex, 1e-10) < 0)
		return false;
	double before = INFINITY, value = 0;
	for (;;) {
		nlopt_result const result = nlopt_optimize(simplex, variables, &value);
		if (result == NLOPT_OUT_OF_MEMORY)
			return false;
		if (at->status != CRUX_MINIMISE_CONVERGED || !(value < before * (1 - 1e-10)))
			return true;
		before = value;
	}
}

crux_minimise_status crux_minimise_by_simplex(const crux_squares *squares, double *variables, size_t *evaluations)
{
	*evaluations = 0;
	if (squares->variables > INT_MAX)
		return CRUX_MINIMISE_TOO_LARGE;
	search at;
	bool done = allocate(&at, squares, variables);
	at.status = CRUX_MINIMISE_CONVERGED;
	at.simplex = done ? nlopt_create(NLOPT_LN_SBPLX, (unsigned)squares->variables) : NULL;
	done = at.simplex && repeat(&at, variables);
	*evaluations = at.evaluations;
	release(&at);
	return done ? at.status : CRUX_MINIMISE_NO_MEMORY;
}

crux_minimise_status crux_minimise_jacobian(const crux_squares *squares, const double *variables, double *jacobian)
{
	search at;
	size_t const n = squares->residuals;
	double *here = calloc(n, sizeof *here);
	bool const done = allocate(&at, squares, variables) && here;
	at.status = done ? CRUX_MINIMISE_CONVERGED : CRUX_MINIMISE_NO_MEMORY;
	bool going = done && evaluate(&at, variables, here);
	for (size_t j = 0; going && j < squares->variables; j++)
		going = differentiate(&at, variables, here, j, jacobian + j * n);
	release(&at);
	free(here);
	return at.status;
}
