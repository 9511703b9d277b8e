/* Mixed models: likelihoods and their maximum; see mixed.h. */
#include "fit/mixed.h"

#include <lapacke.h>
#include <math.h>
#include <nlopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "fit/mixed_squares.h"
#include "fit/quadrature.h"

enum {
	MOST_STEPS = 100, /* of penalised least squares: about 5 are usual */
	START_STEPS = 10, /* of those that find the start of beta, which may have no maximum */
};

/* The search ends when it knows the parameters to this share of its first steps: half for theta, a standard error for beta. */
static double const precision = 1e-5, linear_precision = 1e-7;

/* Below this an element of a triangle's diagonal counts as 0: lme4's bound of singular fits. */
static double const on_bound = 1e-4;

typedef struct search {
	crux_mixed *mixed;
	const crux_mixed_options *options;
	size_t thetas, fixed, extras, free; /* free: all that the search varies */
	double *theta, *beta, *given;       /* given: extras */
	double *extra;                      /* of the family: thresholds */
	double *start, *spread;             /* beta = start + spread'^-1 times its variables; spread: lower triangle */
	double *node, *node_weight;
	double log_weights, squares;        /* of linear models: sums of log weight, and of weight times squared response */
	double worst;                       /* the largest deviance so far */
	size_t evaluations;
} search;

/* Computes the density of each row at the solution, and sets W and p for the next step. Returns the log-likelihood of the rows
 * given u, minus half of u'u. */
static double weigh_rows(search *at, size_t fixed)
{
	crux_mixed *mixed = at->mixed;
	double sum = 0, penalty = 0;
	crux_mixed_shift(mixed);
	for (size_t j = 0; j < mixed->grouping[0].groups; j++)
		for (size_t i = mixed->first[j]; i < mixed->first[j + 1]; i++) {
			double const eta = crux_mixed_predictor(mixed, i, j, mixed->fixed);
			double known = mixed->offset[i];
			for (size_t c = fixed; c < mixed->fixed; c++)
				known += mixed->values[i * mixed->fields + c] * mixed->solution[mixed->effects + c];
			crux_density const density = crux_family_density(mixed->family, mixed->response[i],
			                                                 mixed->censored && mixed->censored[i] != 0, eta, at->extra,
			                                                 (double)at->extras);
			sum += mixed->weight[i] * density.value;
			mixed->curvature[i] = mixed->weight[i] * density.curvature;
			mixed->pull[i] = mixed->curvature[i] * (eta - known) + mixed->weight[i] * density.slope;
		}
	for (size_t g = 0; g < mixed->groupings; g++) {
		const crux_mixed_grouping *grouping = &mixed->grouping[g];
		const double *u = mixed->solution + grouping->start;
		for (size_t i = 0; i < grouping->groups * grouping->columns && !grouping->fixed; i++)
			penalty += u[i] * u[i];
	}
	return sum - penalty / 2;
}

/* Finds the most probable u, and beta with them if `fixed` is not 0, by Newton's steps, halved where they lead down. Leaves the factor
 * at the solution. Returns the value there; NaN where there is none. With `enough` steps it returns where it has come to. */
static double climb(search *at, size_t fixed, size_t enough, crux_mixed_factor *factor)
{
	crux_mixed *mixed = at->mixed;
	size_t const count = mixed->effects + fixed;
	double value = weigh_rows(at, fixed), change = INFINITY;
	if (!isfinite(value)) {
		memset(mixed->solution, 0, mixed->effects * sizeof *mixed->solution);
		value = weigh_rows(at, fixed);
	}
	for (size_t step = 0; step < MOST_STEPS && isfinite(value); step++) {
		if (!crux_mixed_factorise(mixed, fixed, factor))
			return NAN;
		if (change <= 1e-10 * (double)count || step == enough)
			return value;
		memcpy(mixed->before, mixed->solution, count * sizeof *mixed->before);
		crux_mixed_solve(mixed, fixed);
		change = 0;
		for (size_t i = 0; i < count; i++)
			change += (mixed->solution[i] - mixed->before[i]) * (mixed->solution[i] - mixed->before[i]);
		double there = weigh_rows(at, fixed);
		for (size_t half = 0; half < 30 && !(there >= value - 1e-9 * fabs(value)); half++) {
			for (size_t i = 0; i < count; i++)
				mixed->solution[i] = (mixed->solution[i] + mixed->before[i]) / 2;
			there = weigh_rows(at, fixed);
		}
		value = there;
	}
	return NAN;
}

/* Adaptive Gauss-Hermite quadrature around the solution of climb: the sum over groups of the logarithms of their integrals. */
static double quadrature(const search *at)
{
	const crux_mixed *mixed = at->mixed;
	size_t const nodes = at->options->nodes;
	double const unit = mixed->grouping[0].triangle[0];
	double sum = 0;
	for (size_t j = 0; j < mixed->grouping[0].groups; j++) {
		double const deviation = 1 / mixed->small[j];
		double largest = -INFINITY, total = 0;
		for (size_t k = 0; k < nodes; k++) {
			double const step = deviation * at->node[k], u = mixed->solution[j] + step;
			double value = log(at->node_weight[k]) + at->node[k] * at->node[k] / 2 - u * u / 2;
			for (size_t i = mixed->first[j]; i < mixed->first[j + 1]; i++) {
				double const eta = crux_mixed_predictor(mixed, i, j, mixed->fixed) +
				                   unit * step * mixed->values[i * mixed->fields + mixed->grouping[0].field];
				value += mixed->weight[i] * crux_family_density(mixed->family, mixed->response[i],
				                                                mixed->censored && mixed->censored[i] != 0, eta, at->extra,
				                                                (double)at->extras).value;
			}
			total = value > largest ? total * exp(largest - value) + 1 : total + exp(value - largest);
			largest = fmax(largest, value);
		}
		sum += largest + log(total) + log(deviation);
	}
	return sum;
}

/* The numbers that the family needs: of CRUX_CUMULATIVE the thresholds. */
static void set_extras(search *at, const double *extras)
{
	for (size_t i = 0; i < at->extras; i++)
		at->extra[i] = at->mixed->family == CRUX_CUMULATIVE && i > 0 ? at->extra[i - 1] + exp(extras[i]) : extras[i];
}

/* Sets theta, and of other than linear models beta and the extras, from the variables of the search. */
static void set_parameters(search *at, const double *variables)
{
	size_t const thetas = at->thetas, fixed = at->fixed;
	memcpy(at->theta, variables, thetas * sizeof *at->theta);
	if (at->mixed->family == CRUX_NORMAL)
		return;
	memcpy(at->beta, variables + thetas, fixed * sizeof *at->beta);
	if (fixed > 0)
		LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'T', 'N', (lapack_int)fixed, 1, at->spread, (lapack_int)fixed, at->beta,
		                    (lapack_int)fixed);
	for (size_t c = 0; c < fixed; c++)
		at->beta[c] += at->start[c];
	size_t const kept = at->options->kept_extras;
	memcpy(at->given + kept, variables + thetas + fixed, (at->extras - kept) * sizeof *at->given);
}

/* Gives the parameters to the rows. */
static void apply(search *at)
{
	crux_mixed *mixed = at->mixed;
	crux_mixed_set_theta(mixed, at->theta);
	memcpy(mixed->solution + mixed->effects, at->beta, at->fixed * sizeof *at->beta);
	set_extras(at, at->given);
}

/* Sets W and p of a linear model, and the sums of its rows. */
static void weigh_linear(search *at, size_t fixed)
{
	crux_mixed *mixed = at->mixed;
	at->log_weights = at->squares = 0;
	for (size_t i = 0; i < mixed->rows; i++) {
		double rest = mixed->response[i] - mixed->offset[i];
		for (size_t c = fixed; c < mixed->fixed; c++)
			rest -= mixed->values[i * mixed->fields + c] * at->beta[c];
		mixed->curvature[i] = mixed->weight[i];
		mixed->pull[i] = mixed->weight[i] * rest;
		at->log_weights += log(mixed->weight[i]);
		at->squares += mixed->weight[i] * rest * rest;
	}
}

/* The degrees of freedom of the residual variance of a linear model. */
static double degrees(const search *at)
{
	return (double)(at->mixed->rows - (at->options->restricted ? at->fixed + at->mixed->free_effects : 0));
}

/* The residual variance of a linear model after its factorisation. */
static double residual_variance(const search *at, const crux_mixed_factor *factor)
{
	return fmax(at->squares - factor->explained, 0) / degrees(at);
}

/* The deviance at the parameters; NaN where there is none. */
static double deviance(search *at)
{
	crux_mixed *mixed = at->mixed;
	crux_mixed_factor factor;
	apply(at);
	if (mixed->family == CRUX_NORMAL) {
		if (!crux_mixed_factorise(mixed, at->fixed, &factor))
			return NAN;
		double const df = degrees(at);
		return factor.log_effects + (at->options->restricted ? factor.log_fixed : 0) - at->log_weights +
		       df * (1 + log(2 * M_PI * residual_variance(at, &factor)));
	}
	double const value = climb(at, 0, MOST_STEPS, &factor);
	return isnan(value)                ? NAN
	       : at->options->nodes > 1    ? -2 * quadrature(at)
	                                   : -2 * value + factor.log_effects + factor.log_fixed;
}

/* The deviance at the variables of the search; where there is none, a number above all others, if there are any. */
static double at_variables(search *at, const double *variables)
{
	set_parameters(at, variables);
	at->evaluations++;
	double const found = deviance(at);
	if (isfinite(found))
		at->worst = fmax(at->worst, found);
	return isfinite(found) ? found : at->worst + fabs(at->worst);
}

static double objective(unsigned count, const double *variables, double *gradient, void *context)
{
	(void)count;
	(void)gradient;
	return at_variables(context, variables);
}

/* Sets the parts of each triangle's diagonal among the thetas: they are not below 0. */
static void set_bounds(const crux_mixed *mixed, double *low)
{
	for (size_t g = 0; g < mixed->groupings; g++) {
		const crux_mixed_grouping *grouping = &mixed->grouping[g];
		size_t next = grouping->theta;
		for (size_t b = 0; b < grouping->columns; b++)
			for (size_t a = b; a < grouping->columns; a++)
				if (!grouping->fixed && grouping->blocks[a] == grouping->blocks[b])
					low[next++] = a == b ? 0 : -HUGE_VAL;
	}
}

/* Runs BOBYQA, again while it ends on a bound and the next run finds less. Returns false when memory is short. */
static bool minimise(search *at, double *variables, double *low, double *steps, crux_mixed_fit *fit)
{
	nlopt_opt const powell = nlopt_create(NLOPT_LN_BOBYQA, (unsigned)at->free);
	double *tolerances = calloc(at->free, sizeof *tolerances);
	bool done = powell && tolerances;
	for (size_t i = 0; done && i < at->free; i++)
		tolerances[i] = (at->mixed->family == CRUX_NORMAL ? linear_precision : precision) * steps[i];
	done = done && nlopt_set_min_objective(powell, objective, at) > 0 && nlopt_set_lower_bounds(powell, low) > 0 &&
	       nlopt_set_initial_step(powell, steps) > 0 && nlopt_set_xtol_abs(powell, tolerances) > 0;
	for (double before = INFINITY; done;) {
		nlopt_set_maxeval(powell, (int)(at->options->most_evaluations - at->evaluations));
		nlopt_result const result = nlopt_optimize(powell, variables, &fit->deviance);
		done = result != NLOPT_OUT_OF_MEMORY;
		fit->converged = result == NLOPT_XTOL_REACHED || result == NLOPT_SUCCESS || result == NLOPT_ROUNDOFF_LIMITED ||
		                 result == NLOPT_FTOL_REACHED;
		bool is_bound = false;
		for (size_t i = 0; i < at->thetas; i++)
			is_bound = is_bound || (low[i] == 0 && variables[i] < on_bound);
		if (!fit->converged || !is_bound || at->evaluations >= at->options->most_evaluations || !(fit->deviance < before - 1e-6 * fabs(before)))
			break;
		before = fit->deviance;
	}
	nlopt_destroy(powell);
	free(tolerances);
	return done;
}

/* The second derivatives of the deviance by the variables that `chosen` lists, by differences. */
static void second_derivatives(search *at, double *x, const size_t *chosen, size_t n, double *ahead, double *behind,
                               double *out)
{
	double const middle = at_variables(at, x);
	double const step = 0.02; /* large beside rounding, small beside a standard error */
	for (size_t i = 0; i < n; i++) {
		double const here = x[chosen[i]];
		x[chosen[i]] = here + step;
		ahead[i] = at_variables(at, x);
		x[chosen[i]] = here - step;
		behind[i] = at_variables(at, x);
		x[chosen[i]] = here;
		out[i + i * n] = (ahead[i] + behind[i] - 2 * middle) / (step * step);
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++) {
			double sum = 2 * middle - ahead[i] - behind[i] - ahead[j] - behind[j];
			for (int side = -1; side <= 1; side += 2) {
				x[chosen[i]] += side * step;
				x[chosen[j]] += side * step;
				sum += at_variables(at, x);
				x[chosen[i]] -= side * step;
				x[chosen[j]] -= side * step;
			}
			out[i + j * n] = sum / (2 * step * step);
		}
}

/* Inverts a positive definite matrix, given and returned as its lower triangle; false if it is none. */
static bool invert(double *matrix, size_t n)
{
	lapack_int const order = (lapack_int)n;
	return n == 0 || (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', order, matrix, order) == 0 &&
	                  LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', order, matrix, order) == 0);
}

/* Sets the covariance of beta and the free extras from the second derivatives at the variables, without thetas on their bound. */
static bool set_covariance(search *at, double *variables, const double *low, double *covariance)
{
	size_t const free_count = at->free, kept = free_count - at->thetas, fixed = at->fixed;
	size_t *chosen = calloc(free_count, sizeof *chosen), n = 0;
	double *matrix = calloc(free_count * (free_count + 2), sizeof *matrix);
	bool const done = chosen && matrix;
	for (size_t i = 0; done && i < free_count; i++)
		if (i >= at->thetas || low[i] < 0 || variables[i] > 0.02)
			chosen[n++] = i;
	for (size_t i = 0; i < kept * kept; i++)
		covariance[i] = NAN;
	if (done) {
		second_derivatives(at, variables, chosen, n, matrix + n * n, matrix + n * n + n, matrix);
		if (invert(matrix, n)) {
			size_t const skipped = n - kept;
			for (size_t i = 0; i < kept; i++)
				for (size_t j = 0; j < kept; j++) {
					size_t const a = skipped + (i > j ? i : j), b = skipped + (i > j ? j : i);
					covariance[i + j * kept] = 2 * matrix[a + b * n];
				}
			for (size_t pass = 0; pass < 2 && fixed > 0; pass++) { /* the rows after the columns */
				LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'T', 'N', (lapack_int)fixed, (lapack_int)kept, at->spread,
				                    (lapack_int)fixed, covariance, (lapack_int)kept);
				for (size_t i = 0; i < kept; i++)
					for (size_t j = 0; j < i; j++) {
						double const other = covariance[i + j * kept];
						covariance[i + j * kept] = covariance[j + i * kept];
						covariance[j + i * kept] = other;
					}
			}
		}
	}
	free(chosen);
	free(matrix);
	return done;
}

/* Sets up a search; returns the block with its arrays, which free releases, or NULL when memory is short. */
static void *prepare(search *at, crux_mixed *mixed, const crux_mixed_options *options, const double *extras, size_t count)
{
	size_t const fixed = mixed->fixed;
	*at = (search){
		.mixed = mixed,
		.options = options,
		.thetas = mixed->thetas,
		.fixed = fixed,
		.extras = count,
		.worst = -INFINITY,
	};
	at->free = at->thetas + (mixed->family == CRUX_NORMAL ? 0 : fixed + count - options->kept_extras);
	crux_array const arrays[] = {
		CRUX_ARRAY(at->theta, mixed->thetas), CRUX_ARRAY(at->beta, fixed),           CRUX_ARRAY(at->given, count),
		CRUX_ARRAY(at->extra, count),         CRUX_ARRAY(at->start, fixed),          CRUX_ARRAY(at->spread, fixed * fixed),
		CRUX_ARRAY(at->node, options->nodes), CRUX_ARRAY(at->node_weight, options->nodes),
	};
	void *const block = crux_block_new(arrays, sizeof arrays / sizeof *arrays);
	if (!block)
		return NULL;
	crux_quadrature_normal(options->nodes, at->node, at->node_weight);
	memset(mixed->solution, 0, (mixed->effects + fixed) * sizeof *mixed->solution);
	memcpy(at->given, extras, count * sizeof *at->given);
	return block;
}

/* Copies the dense part's triangle of the fixed effects. */
static void copy_spread(search *at)
{
	const crux_mixed *mixed = at->mixed;
	for (size_t c = 0; c < at->fixed; c++)
		for (size_t r = c; r < at->fixed; r++)
			at->spread[r + c * at->fixed] = mixed->square[mixed->dense + r + (mixed->dense + c) * mixed->size];
}

/* Sets the fixed effects of a linear model and their covariance from the factor at the best theta. */
static bool finish_linear(search *at, crux_mixed_fit *fit, double *covariance)
{
	crux_mixed *mixed = at->mixed;
	crux_mixed_factor factor;
	apply(at);
	if (!crux_mixed_factorise(mixed, at->fixed, &factor))
		return false;
	crux_mixed_solve(mixed, at->fixed);
	fit->variance = residual_variance(at, &factor);
	memcpy(at->beta, mixed->solution + mixed->effects, at->fixed * sizeof *at->beta);
	copy_spread(at);
	size_t const n = at->fixed;
	if (n > 0)
		LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', (lapack_int)n, at->spread, (lapack_int)n);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			covariance[i + j * n] = fit->variance * at->spread[i > j ? i + j * n : j + i * n];
	return true;
}

/* Finds the start of beta, with all thetas as they are given, and the unit of its search: its standard errors there. */
static bool start_beta(search *at)
{
	crux_mixed_factor factor;
	apply(at);
	if (!isfinite(climb(at, at->fixed, START_STEPS, &factor)))
		return false;
	memcpy(at->start, at->mixed->solution + at->mixed->effects, at->fixed * sizeof *at->start);
	copy_spread(at);
	return true;
}

static crux_mixed_status estimate(search *at, double *variables, double *low, double *steps, double *covariance,
                                  crux_mixed_fit *fit)
{
	bool const is_linear = at->mixed->family == CRUX_NORMAL;
	if (is_linear)
		weigh_linear(at, at->fixed);
	else if (!start_beta(at))
		return CRUX_MIXED_NOT_FINITE;
	for (size_t i = 0; i < at->free; i++) {
		low[i] = -HUGE_VAL;
		steps[i] = i < at->thetas ? 0.5 : i < at->thetas + at->fixed ? 1 : 0.1;
	}
	set_bounds(at->mixed, low);
	if (!isfinite(at_variables(at, variables)))
		return CRUX_MIXED_NOT_FINITE;
	if (!minimise(at, variables, low, steps, fit))
		return CRUX_MIXED_NO_MEMORY;
	fit->evaluations = at->evaluations;
	if (!is_linear && !set_covariance(at, variables, low, covariance))
		return CRUX_MIXED_NO_MEMORY;
	set_parameters(at, variables);
	return !is_linear || finish_linear(at, fit, covariance) ? CRUX_MIXED_DONE : CRUX_MIXED_NOT_FINITE;
}

crux_mixed_status crux_mixed_estimate(crux_mixed *mixed, const crux_mixed_options *options, double *theta, double *beta,
                                      double *extras, double *covariance, crux_mixed_fit *fit)
{
	search at;
	crux_mixed_status status = CRUX_MIXED_NO_MEMORY;
	double *work = NULL;
	*fit = (crux_mixed_fit){.variance = 1};
	void *const block = prepare(&at, mixed, options, extras, options->extras);
	if (block && (work = calloc(3 * at.free, sizeof *work))) {
		memcpy(work, theta, at.thetas * sizeof *work);
		memcpy(at.theta, theta, at.thetas * sizeof *work);
		if (mixed->family != CRUX_NORMAL)
			memcpy(work + at.thetas + at.fixed, extras + options->kept_extras, (at.extras - options->kept_extras) * sizeof *work);
		status = estimate(&at, work, work + at.free, work + 2 * at.free, covariance, fit);
		memcpy(theta, at.theta, at.thetas * sizeof *theta);
		memcpy(beta, at.beta, at.fixed * sizeof *beta);
		memcpy(extras, at.given, at.extras * sizeof *extras);
	}
	free(work);
	free(block);
	return status;
}

/* Moves from the mode to the mean: a step with the expected slopes and curvatures of the rows, as their linear predictors are normal
 * around the mode (a step of a Gaussian variational approximation; Opper and Archambeau 2009). In groups of few outcomes the mode is
 * too near to 0, and the variance there too small. */
static bool expect(search *at, crux_mixed_factor *factor)
{
	static double const node[] = {-1.7320508075688772, 0, 1.7320508075688772}, share[] = {1. / 6, 2. / 3, 1. / 6};
	crux_mixed *mixed = at->mixed;
	crux_mixed_invert(mixed);
	for (size_t j = 0; j < mixed->grouping[0].groups; j++)
		for (size_t i = mixed->first[j]; i < mixed->first[j + 1]; i++) {
			double const eta = crux_mixed_predictor(mixed, i, j, mixed->fixed);
			double const deviation = sqrt(crux_mixed_row_variance(mixed, i, j));
			double slope = 0, curvature = 0;
			for (size_t k = 0; k < 3; k++) {
				crux_density const there = crux_family_density(mixed->family, mixed->response[i],
				                                               mixed->censored && mixed->censored[i] != 0,
				                                               eta + deviation * node[k], at->extra, (double)at->extras);
				slope += share[k] * there.slope;
				curvature += share[k] * there.curvature;
			}
			mixed->curvature[i] = mixed->weight[i] * curvature;
			mixed->pull[i] = mixed->curvature[i] * (eta - mixed->offset[i]) + mixed->weight[i] * slope;
		}
	if (!crux_mixed_factorise(mixed, at->fixed, factor))
		return false;
	crux_mixed_solve(mixed, at->fixed);
	return true;
}

crux_mixed_status crux_mixed_modes(crux_mixed *mixed, const crux_mixed_options *options, const double *theta, const double *extras,
                                   double *effects, crux_mixed_point *point)
{
	search at;
	crux_mixed_factor factor = {0};
	crux_mixed_status status = CRUX_MIXED_NO_MEMORY;
	void *const block = prepare(&at, mixed, options, extras, options->extras);
	if (block) {
		memcpy(at.theta, theta, at.thetas * sizeof *theta);
		apply(&at);
		bool is_found;
		if (mixed->family == CRUX_NORMAL) {
			weigh_linear(&at, at.fixed);
			is_found = crux_mixed_factorise(mixed, at.fixed, &factor);
			if (is_found)
				crux_mixed_solve(mixed, at.fixed);
			point->value = fmax(at.squares - factor.explained, 0);
		} else {
			point->value = climb(&at, at.fixed, MOST_STEPS, &factor);
			is_found = isfinite(point->value);
		}
		point->log_effects = factor.log_effects;
		point->log_fixed = factor.log_fixed;
		crux_mixed_factor moved;
		if (is_found && options->expected && mixed->family != CRUX_NORMAL) {
			crux_mixed_shift(mixed);
			is_found = expect(&at, &moved);
		}
		if (is_found) {
			crux_mixed_shift(mixed);
			for (size_t g = 0; effects && g < mixed->groupings; g++) {
				const crux_mixed_grouping *grouping = &mixed->grouping[g];
				memcpy(effects + grouping->output, mixed->shift + grouping->start,
				       grouping->groups * grouping->columns * sizeof *effects);
			}
			crux_mixed_invert(mixed);
		}
		status = is_found ? CRUX_MIXED_DONE : CRUX_MIXED_NOT_FINITE;
	}
	free(block);
	return status;
}
