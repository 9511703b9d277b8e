/* Mixed models: the maximum of the likelihood, and effects at given parameters; see mixed.h. */
#include "fit/mixed.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "fit/mixed_likelihood.h"
#include "fit/quasi_newton.h"

enum { START_STEPS = 10 }; /* of Newton that find the start of beta, which may have no maximum */

/* The search ends when it knows the parameters to this share of their units. */
static double const precision = 1e-5;

/* Below this an element of a triangle's diagonal counts as 0: lme4's bound of singular fits. */
static double const on_bound = 1e-4;

/* The variables of a search are theta and, of models that are not linear, what beta differs from its start, as multiples of its
 * standard errors there, and the free extras; each over its unit. */
typedef struct search {
	crux_likelihood at;
	size_t free, kept;     /* variables; extras that are kept as given */
	double *unit, *low;    /* of each variable; low: its least value, in units */
	double *last;          /* the variables at which the likelihood was computed last */
	double *slopes;        /* by theta, beta and all extras */
	double *moved, *best;  /* space for variables; the best ones */
	double *start, *spread; /* of beta, and the triangle of its information there */
	double deviance, worst; /* the last and the largest one */
	size_t evaluations;
} search;

static void set_parameters(search *s, const double *variables)
{
	crux_likelihood *at = &s->at;
	size_t const thetas = at->thetas, fixed = at->fixed;
	for (size_t i = 0; i < s->free; i++)
		*(i < thetas           ? &at->theta[i]
		  : i < thetas + fixed ? &at->beta[i - thetas]
		                       : &at->given[i - thetas - fixed + s->kept]) = variables[i] * s->unit[i];
	if (s->free == thetas || fixed == 0)
		return;
	LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'T', 'N', (lapack_int)fixed, 1, s->spread, (lapack_int)fixed, at->beta,
	                    (lapack_int)fixed);
	for (size_t c = 0; c < fixed; c++)
		at->beta[c] += s->start[c];
}

/* A theta is the deviation of effects over that of residuals. Above this one the residuals are rounding errors, and the deviance
 * does not tell thetas apart. */
static double const largest_theta = 1e5;

/* The deviance at the variables; where there is none, a number above all others, if there are any. */
static double at_variables(search *s, const double *variables)
{
	if (s->evaluations > 0 && memcmp(s->last, variables, s->free * sizeof *variables) == 0)
		return s->deviance;
	set_parameters(s, variables);
	memcpy(s->last, variables, s->free * sizeof *variables);
	s->evaluations++;
	double found = crux_likelihood_deviance(&s->at);
	for (size_t i = 0; i < s->at.thetas; i++)
		if (fabs(s->at.theta[i]) > largest_theta)
			found = INFINITY;
	if (isfinite(found))
		s->worst = fmax(s->worst, found);
	return s->deviance = isfinite(found) ? found : s->worst + fabs(s->worst);
}

/* The derivatives of the deviance by the variables, by differences: quadrature moves its nodes with the parameters. */
static void differences(search *s, const double *variables, double *gradient)
{
	double const step = 0.01; /* large beside rounding, small beside a standard error */
	double *there = s->moved;
	memcpy(there, variables, s->free * sizeof *there);
	for (size_t i = 0; i < s->free; i++) {
		there[i] = variables[i] + step;
		double const ahead = at_variables(s, there);
		there[i] = variables[i] - step;
		gradient[i] = (ahead - at_variables(s, there)) / (2 * step);
		there[i] = variables[i];
	}
}

/* The derivatives of the deviance by the variables. */
static void gradient_at(search *s, const double *variables, double *gradient)
{
	size_t const thetas = s->at.thetas, fixed = s->at.fixed;
	if (s->at.options->nodes > 1) {
		differences(s, variables, gradient);
		return;
	}
	at_variables(s, variables);
	crux_likelihood_slopes(&s->at, s->slopes);
	if (s->free > thetas && fixed > 0)
		LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'N', 'N', (lapack_int)fixed, 1, s->spread, (lapack_int)fixed, s->slopes + thetas,
		                    (lapack_int)fixed);
	for (size_t i = 0; i < s->free; i++)
		gradient[i] = s->slopes[i < thetas + fixed ? i : i + s->kept] * s->unit[i];
}

static double evaluate(void *context, const double *variables, double *gradient)
{
	if (gradient)
		gradient_at(context, variables, gradient);
	return at_variables(context, variables);
}

/* Sets the units and bounds: a diagonal of a triangle is not below 0. The units are about the standard errors that the deviance has
 * where groups tell their effects well and theta is at its start, over the root of 2. */
static void set_units(search *s)
{
	const crux_mixed *mixed = s->at.mixed;
	size_t least_groups = mixed->rows;
	for (size_t g = 0; g < mixed->groupings; g++) {
		const crux_mixed_grouping *grouping = &mixed->grouping[g];
		size_t next = grouping->theta;
		least_groups = grouping->groups < least_groups ? grouping->groups : least_groups;
		for (size_t b = 0; b < grouping->columns; b++)
			for (size_t a = b; a < grouping->columns; a++)
				if (!grouping->fixed && grouping->blocks[a] == grouping->blocks[b]) {
					s->low[next] = a == b ? 0 : -HUGE_VAL;
					double const start = s->at.theta[next] > 0 ? s->at.theta[next] : 1;
					s->unit[next++] = 0.5 * start / sqrt((double)grouping->groups);
				}
	}
	for (size_t i = s->at.thetas; i < s->free; i++) {
		bool const is_location = i == s->at.thetas + s->at.fixed && s->kept == 0 && mixed->family == CRUX_CUMULATIVE;
		s->low[i] = -HUGE_VAL;
		s->unit[i] = i < s->at.thetas + s->at.fixed ? M_SQRT1_2 : 1 / sqrt((double)(is_location ? least_groups : mixed->rows));
	}
}

/* Searches again from inside while the search ends on a bound, where the derivatives are 0, and the next one finds less. Returns false
 * when memory is short. */
static bool minimise(search *s, double *variables, crux_mixed_fit *fit)
{
	crux_smooth const function = {.variables = s->free, .low = s->low, .precision = precision, .evaluate = evaluate, .context = s,
	                              .most_evaluations = s->at.options->most_evaluations};
	fit->deviance = INFINITY;
	for (bool again = true; again;) {
		double found;
		crux_smooth_status const status = crux_quasi_newton(&function, variables, &found);
		if (status == CRUX_SMOOTH_NO_MEMORY)
			return false;
		again = false;
		if (isfinite(fit->deviance) && !(found < fit->deviance - 1e-6 * fabs(fit->deviance)))
			break;
		fit->deviance = found;
		fit->converged = status == CRUX_SMOOTH_CONVERGED;
		memcpy(s->best, variables, s->free * sizeof *variables);
		for (size_t i = 0; i < s->at.thetas && fit->converged; i++)
			if (s->low[i] == 0 && variables[i] * s->unit[i] < on_bound) {
				again = true;
				variables[i] = 0.1 / s->unit[i];
			}
	}
	memcpy(variables, s->best, s->free * sizeof *variables);
	return true;
}

/* Inverts a positive definite matrix, given and returned as its lower triangle; false if it is none. */
static bool invert(double *matrix, size_t n)
{
	lapack_int const order = (lapack_int)n;
	return n == 0 || (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', order, matrix, order) == 0 &&
	                  LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', order, matrix, order) == 0);
}

/* Sets the lower triangle of the second derivatives of the deviance by the variables that `chosen` lists, by differences of the first. */
static void second_derivatives(search *s, double *x, const size_t *chosen, size_t n, double *gradient, double *out)
{
	double const step = s->at.options->nodes > 1 ? 0.05 : 0.01; /* large beside the errors of derivatives, small beside a standard error */
	memset(out, 0, n * n * sizeof *out);
	for (size_t i = 0; i < n; i++) {
		double const here = x[chosen[i]];
		for (int side = -1; side <= 1; side += 2) {
			x[chosen[i]] = here + side * step;
			gradient_at(s, x, gradient);
			for (size_t j = 0; j < n; j++)
				out[i > j ? i + j * n : j + i * n] += side * gradient[chosen[j]] / (i == j ? 2 * step : 4 * step);
		}
		x[chosen[i]] = here;
	}
}

/* Sets the covariance of beta and the free extras from the second derivatives at the variables, without thetas on their bound. */
static bool set_covariance(search *s, double *variables, double *covariance)
{
	size_t const free_count = s->free, thetas = s->at.thetas, kept = free_count - thetas, fixed = s->at.fixed;
	size_t *chosen = calloc(free_count, sizeof *chosen), n = 0;
	double *matrix = calloc(free_count * (free_count + 1), sizeof *matrix);
	bool const done = chosen && matrix;
	for (size_t i = 0; done && i < free_count; i++)
		if (i >= thetas || s->low[i] < 0 || variables[i] * s->unit[i] > 0.02)
			chosen[n++] = i;
	for (size_t i = 0; i < kept * kept; i++)
		covariance[i] = NAN;
	if (done)
		second_derivatives(s, variables, chosen, n, matrix + n * n, matrix);
	if (done && invert(matrix, n)) {
		size_t const skipped = n - kept;
		for (size_t i = 0; i < kept; i++)
			for (size_t j = 0; j < kept; j++) {
				size_t const a = skipped + (i > j ? i : j), b = skipped + (i > j ? j : i);
				covariance[i + j * kept] = 2 * matrix[a + b * n] * s->unit[thetas + i] * s->unit[thetas + j];
			}
		for (size_t pass = 0; pass < 2 && fixed > 0; pass++) { /* the rows after the columns */
			LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'T', 'N', (lapack_int)fixed, (lapack_int)kept, s->spread, (lapack_int)fixed,
			                    covariance, (lapack_int)kept);
			for (size_t i = 0; i < kept; i++)
				for (size_t j = 0; j < i; j++) {
					double const other = covariance[i + j * kept];
					covariance[i + j * kept] = covariance[j + i * kept];
					covariance[j + i * kept] = other;
				}
		}
	}
	free(chosen);
	free(matrix);
	return done;
}

/* Copies the dense part's triangle of the fixed effects. */
static void copy_spread(search *s)
{
	const crux_mixed *mixed = s->at.mixed;
	for (size_t c = 0; c < mixed->fixed; c++)
		for (size_t r = c; r < mixed->fixed; r++)
			s->spread[r + c * mixed->fixed] = mixed->square[mixed->dense + r + (mixed->dense + c) * mixed->size];
}

/* Finds the start of beta of models that are not linear, with all thetas as they are given, and the unit of its search. */
static bool start_beta(search *s)
{
	crux_likelihood *at = &s->at;
	crux_mixed_factor factor;
	crux_likelihood_apply(at);
	if (!isfinite(crux_likelihood_climb(at, at->fixed, START_STEPS, &factor)))
		return false;
	memcpy(s->start, at->mixed->solution + at->mixed->effects, at->fixed * sizeof *s->start);
	copy_spread(s);
	return true;
}

/* Sets the covariance of the fixed effects of a linear model from the factor at the best theta. */
static void set_linear_covariance(search *s, double *covariance)
{
	size_t const n = s->at.fixed;
	copy_spread(s);
	if (n > 0)
		LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', (lapack_int)n, s->spread, (lapack_int)n);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			covariance[i + j * n] = s->at.variance * s->spread[i > j ? i + j * n : j + i * n];
}

static crux_mixed_status estimate(search *s, double *variables, double *covariance, crux_mixed_fit *fit)
{
	bool const is_linear = s->at.mixed->family == CRUX_NORMAL;
	if (!is_linear && !start_beta(s))
		return CRUX_MIXED_NOT_FINITE;
	at_variables(s, variables);
	if (!isfinite(s->worst))
		return CRUX_MIXED_NOT_FINITE;
	if (!minimise(s, variables, fit))
		return CRUX_MIXED_NO_MEMORY;
	fit->evaluations = s->evaluations;
	if (!is_linear && !set_covariance(s, variables, covariance))
		return CRUX_MIXED_NO_MEMORY;
	if (!is_linear) {
		set_parameters(s, variables);
		return CRUX_MIXED_DONE;
	}
	at_variables(s, variables);
	set_linear_covariance(s, covariance);
	fit->variance = s->at.variance;
	return CRUX_MIXED_DONE;
}

crux_mixed_status crux_mixed_estimate(crux_mixed *mixed, const crux_mixed_options *options, double *theta, double *beta,
                                      double *extras, double *covariance, crux_mixed_fit *fit)
{
	size_t const kept = options->kept_extras, thetas = mixed->thetas, fixed = mixed->fixed;
	search s = {.free = thetas + (mixed->family == CRUX_NORMAL ? 0 : fixed + options->extras - kept), .kept = kept, .worst = -INFINITY};
	crux_likelihood *at = &s.at;
	double *variables;
	crux_array const arrays[] = {
		CRUX_ARRAY(variables, s.free), CRUX_ARRAY(s.unit, s.free),  CRUX_ARRAY(s.low, s.free),
		CRUX_ARRAY(s.last, s.free),    CRUX_ARRAY(s.moved, s.free), CRUX_ARRAY(s.best, s.free), CRUX_ARRAY(s.slopes, thetas + fixed + options->extras),
		CRUX_ARRAY(s.start, fixed),    CRUX_ARRAY(s.spread, fixed * fixed),
	};
	crux_mixed_status status = CRUX_MIXED_NO_MEMORY;
	void *const block = crux_block_new(arrays, sizeof arrays / sizeof *arrays);
	*fit = (crux_mixed_fit){.variance = 1};
	if (block && crux_likelihood_new(at, mixed, options, extras)) {
		memcpy(at->theta, theta, thetas * sizeof *theta);
		set_units(&s);
		for (size_t i = 0; i < s.free; i++)
			variables[i] = (i < thetas ? theta[i] : i < thetas + fixed ? 0 : extras[i - thetas - fixed + kept]) / s.unit[i];
		status = estimate(&s, variables, covariance, fit);
		memcpy(theta, at->theta, thetas * sizeof *theta);
		memcpy(beta, at->beta, fixed * sizeof *beta);
		memcpy(extras, at->given, at->extras * sizeof *extras);
		crux_likelihood_free(at);
	}
	free(block);
	return status;
}

/* Copies the effects of all groups in the caller's order. */
static void copy_effects(const crux_mixed *mixed, double *effects)
{
	for (size_t g = 0; g < mixed->groupings; g++) {
		const crux_mixed_grouping *grouping = &mixed->grouping[g];
		memcpy(effects + grouping->output, mixed->shift + grouping->start, grouping->groups * grouping->columns * sizeof *effects);
	}
}

crux_mixed_status crux_mixed_modes(crux_mixed *mixed, const crux_mixed_options *options, const double *theta, const double *extras,
                                   double *effects, crux_mixed_point *point)
{
	crux_likelihood at;
	crux_mixed_factor factor = {0}, moved;
	if (!crux_likelihood_new(&at, mixed, options, extras))
		return CRUX_MIXED_NO_MEMORY;
	memcpy(at.theta, theta, at.thetas * sizeof *theta);
	crux_likelihood_apply(&at);
	bool const is_linear = mixed->family == CRUX_NORMAL;
	double const value = is_linear ? crux_likelihood_project(&at, &factor) : crux_likelihood_climb(&at, at.fixed, 0, &factor);
	*point = (crux_mixed_point){factor.log_effects, factor.log_fixed, is_linear ? -2 * value : value};
	bool is_found = isfinite(value);
	if (is_found && options->expected && !is_linear) {
		crux_mixed_invert(mixed, at.fixed);
		is_found = crux_likelihood_expect(&at, &moved);
	}
	if (is_found && options->sums)
		crux_mixed_invert(mixed, at.fixed);
	crux_mixed_shift(mixed, mixed->solution, mixed->shift);
	if (effects)
		copy_effects(mixed, effects);
	crux_likelihood_free(&at);
	return is_found ? CRUX_MIXED_DONE : CRUX_MIXED_NOT_FINITE;
}
