/* Likelihoods of mixed models; see mixed_likelihood.h. */
#include "fit/mixed_likelihood.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "fit/quadrature.h"

enum { MOST_STEPS = 100 }; /* of penalised least squares: about 5 are usual */

bool crux_likelihood_new(crux_likelihood *at, crux_mixed *mixed, const crux_mixed_options *options, const double *extras)
{
	size_t const fixed = mixed->fixed, count = options->extras;
	*at = (crux_likelihood){.mixed = mixed, .options = options, .thetas = mixed->thetas, .fixed = fixed, .extras = count, .variance = 1};
	crux_array const arrays[] = {
		CRUX_ARRAY(at->theta, mixed->thetas), CRUX_ARRAY(at->beta, fixed),          CRUX_ARRAY(at->given, count),
		CRUX_ARRAY(at->extra, count),         CRUX_ARRAY(at->node, options->nodes), CRUX_ARRAY(at->node_weight, options->nodes),
	};
	at->block = crux_block_new(arrays, sizeof arrays / sizeof *arrays);
	if (!at->block)
		return false;
	crux_quadrature_normal(options->nodes, at->node, at->node_weight);
	memset(mixed->solution, 0, (mixed->effects + fixed) * sizeof *mixed->solution);
	memcpy(at->given, extras, count * sizeof *at->given);
	return true;
}

void crux_likelihood_free(crux_likelihood *at) { free(at->block); }

void crux_likelihood_apply(crux_likelihood *at)
{
	crux_mixed *mixed = at->mixed;
	crux_mixed_set_theta(mixed, at->theta);
	memcpy(mixed->solution + mixed->effects, at->beta, at->fixed * sizeof *at->beta);
	for (size_t i = 0; i < at->extras; i++)
		at->extra[i] = mixed->family == CRUX_CUMULATIVE && i > 0 ? at->extra[i - 1] + exp(at->given[i]) : at->given[i];
}

static bool is_censored(const crux_mixed *mixed, size_t row) { return mixed->censored && mixed->censored[row] != 0; }

static crux_density density(const crux_likelihood *at, size_t row, double eta)
{
	const crux_mixed *mixed = at->mixed;
	return crux_family_density(mixed->family, mixed->response[row], is_censored(mixed, row), eta, at->extra, (double)at->extras);
}

static crux_density_slopes density_slopes(const crux_likelihood *at, size_t row, double eta)
{
	const crux_mixed *mixed = at->mixed;
	return crux_family_slopes(mixed->family, mixed->response[row], is_censored(mixed, row), eta, at->extra, (double)at->extras);
}

/* The linear predictor of a row by `shift` and beta. */
static double predictor(const crux_mixed *mixed, size_t row, size_t group)
{
	return crux_mixed_offset(mixed, row) +
	       crux_mixed_predictor(mixed, row, group, mixed->shift, mixed->solution + mixed->effects, mixed->fixed);
}

/* Computes the density of each row at the solution, and sets W and p for the next step, which finds the first `fixed` numbers of beta.
 * Returns the log-likelihood of the rows given u, minus half of u'u. */
static double weigh_rows(crux_likelihood *at, size_t fixed)
{
	crux_mixed *mixed = at->mixed;
	const double *beta = mixed->solution + mixed->effects;
	double sum = 0, penalty = 0;
	crux_mixed_shift(mixed, mixed->solution, mixed->shift);
	for (size_t j = 0; j < mixed->grouping[0].groups; j++)
		for (size_t i = mixed->first[j]; i < mixed->first[j + 1]; i++) {
			double const eta = predictor(mixed, i, j);
			double known = crux_mixed_offset(mixed, i);
			for (size_t c = fixed; c < mixed->fixed; c++)
				known += crux_mixed_values(mixed, i)[c] * beta[c];
			crux_density const here = density(at, i, eta);
			double const weight = crux_mixed_weight(mixed, i);
			sum += weight * here.value;
			mixed->curvature[i] = weight * here.curvature;
			mixed->pull[i] = mixed->curvature[i] * (eta - known) + weight * here.slope;
		}
	for (size_t g = 0; g < mixed->groupings; g++) {
		const crux_mixed_grouping *grouping = &mixed->grouping[g];
		const double *u = mixed->solution + grouping->start;
		penalty += grouping->fixed ? 0 : crux_mixed_dot(u, u, grouping->groups * grouping->columns);
	}
	return sum - penalty / 2;
}

double crux_likelihood_climb(crux_likelihood *at, size_t fixed, size_t enough, crux_mixed_factor *factor)
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
		if (change <= 1e-10 * (double)count || (enough > 0 && step == enough))
			return value;
		memcpy(mixed->before, mixed->solution, count * sizeof *mixed->before);
		crux_mixed_solve(mixed, fixed, mixed->solution);
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
static double quadrature(const crux_likelihood *at)
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
				double const z = crux_mixed_values(mixed, i)[mixed->grouping[0].field];
				value += crux_mixed_weight(mixed, i) * density(at, i, predictor(mixed, i, j) + unit * step * z).value;
			}
			total = value > largest ? total * exp(largest - value) + 1 : total + exp(value - largest);
			largest = fmax(largest, value);
		}
		sum += largest + log(total) + log(deviation);
	}
	return sum;
}

double crux_likelihood_project(crux_likelihood *at, crux_mixed_factor *factor)
{
	crux_mixed *mixed = at->mixed;
	weigh_rows(at, at->fixed);
	if (!crux_mixed_factorise(mixed, at->fixed, factor))
		return NAN;
	crux_mixed_solve(mixed, at->fixed, mixed->solution);
	return weigh_rows(at, at->fixed);
}

/* The profiled deviance of a linear model (Bates et al. 2015, equations 34 and 42). */
static double linear_deviance(crux_likelihood *at)
{
	const crux_mixed *mixed = at->mixed;
	crux_mixed_factor factor;
	double const squares = -2 * crux_likelihood_project(at, &factor);
	double const df = (double)(mixed->rows - (at->options->restricted ? at->fixed + mixed->free_effects : 0));
	if (isnan(squares))
		return NAN;
	double log_weights = 0;
	for (size_t i = 0; i < mixed->rows && mixed->weight; i++)
		log_weights += log(crux_mixed_weight(mixed, i));
	memcpy(at->beta, mixed->solution + mixed->effects, at->fixed * sizeof *at->beta);
	at->variance = squares / df;
	return factor.log_effects + (at->options->restricted ? factor.log_fixed : 0) - log_weights +
	       df * (1 + log(2 * M_PI * at->variance));
}

double crux_likelihood_deviance(crux_likelihood *at)
{
	crux_likelihood_apply(at);
	if (at->mixed->family == CRUX_NORMAL)
		return linear_deviance(at);
	crux_mixed_factor factor = {0};
	double const value = crux_likelihood_climb(at, 0, 0, &factor);
	return isnan(value)             ? NAN
	       : at->options->nodes > 1 ? -2 * quadrature(at)
	                                : -2 * value + factor.log_effects + factor.log_fixed;
}

/* Sets `pull` from the variance of each row's linear predictor to the derivative of the logarithm of the determinant by this predictor,
 * and adds what the extras change in the determinant by themselves. */
static void pull_determinant(const crux_likelihood *at, double *slopes)
{
	crux_mixed *mixed = at->mixed;
	for (size_t j = 0; j < mixed->grouping[0].groups; j++)
		for (size_t i = mixed->first[j]; i < mixed->first[j + 1]; i++) {
			crux_density_slopes const there = density_slopes(at, i, predictor(mixed, i, j));
			double const share = crux_mixed_weight(mixed, i) * mixed->pull[i];
			for (size_t k = 0; k < there.count; k++)
				slopes[at->thetas + at->fixed + there.extra[k]] += share * there.by[k].curvature;
			mixed->pull[i] = share * there.curvature;
		}
}

/* Adds the share of a row. What moves its linear predictor eta moves the deviance by `push`, and its slope by -W; u moves where slopes
 * move: `before` is (normal equations)^-1 U' pull, and t what it adds to eta. */
static void add_row(const crux_likelihood *at, size_t row, size_t group, double *slopes)
{
	const crux_mixed *mixed = at->mixed;
	const double *values = crux_mixed_values(mixed, row);
	double const eta = predictor(mixed, row, group), weight = crux_mixed_weight(mixed, row);
	double const slope = weight * density(at, row, eta).slope;
	bool const is_linear = mixed->family == CRUX_NORMAL;
	double push = -2 * slope / at->variance;
	if (!is_linear) {
		double const t = crux_mixed_predictor(mixed, row, group, mixed->shift_before, NULL, 0);
		crux_density_slopes const there = density_slopes(at, row, eta);
		push += mixed->pull[row] - mixed->curvature[row] * t;
		for (size_t c = 0; c < at->fixed; c++)
			slopes[at->thetas + c] += values[c] * push;
		for (size_t k = 0; k < there.count; k++)
			slopes[at->thetas + at->fixed + there.extra[k]] += weight * (t * there.by[k].slope - 2 * there.by[k].value);
	}
	for (size_t g = 0; g < mixed->groupings; g++) {
		const crux_mixed_grouping *grouping = &mixed->grouping[g];
		size_t const effect = crux_mixed_effect(mixed, row, group, g);
		crux_mixed_add_slopes(grouping, values + grouping->field, mixed->solution + effect, push, slopes);
		if (!is_linear)
			crux_mixed_add_slopes(grouping, values + grouping->field, mixed->before + effect, slope, slopes);
	}
}

/* The slopes of a linear model whose groupings have one column each: as the normal equations make U'W times the residuals u, that of the
 * penalised sum of squares is -2 / theta times u'u. */
static void simple_slopes(const crux_likelihood *at, size_t fixed, double *slopes)
{
	const crux_mixed *mixed = at->mixed;
	crux_mixed_trace_slopes(mixed, fixed, slopes);
	for (size_t g = 0; g < mixed->groupings; g++) {
		const crux_mixed_grouping *grouping = &mixed->grouping[g];
		const double *u = mixed->solution + grouping->start;
		if (!grouping->fixed && *grouping->triangle != 0)
			slopes[grouping->theta] -= 2 / *grouping->triangle * crux_mixed_dot(u, u, grouping->groups) / at->variance;
	}
}

static bool is_simple(const crux_mixed *mixed)
{
	bool found = mixed->family == CRUX_NORMAL;
	for (size_t g = 0; g < mixed->groupings; g++)
		found = found && mixed->grouping[g].columns == 1;
	return found;
}

/* Laplace's approximation depends on the parameters by itself and by u, which moves with them; the profiled deviance of linear models
 * only by itself, as it is least at u and beta. */
void crux_likelihood_slopes(crux_likelihood *at, double *slopes)
{
	crux_mixed *mixed = at->mixed;
	bool const is_linear = mixed->family == CRUX_NORMAL;
	size_t const fixed = is_linear && at->options->restricted ? at->fixed : 0;
	double *of_extras = slopes + at->thetas + at->fixed;
	memset(slopes, 0, (at->thetas + at->fixed + at->extras) * sizeof *slopes);
	crux_mixed_invert(mixed, fixed);
	if (is_simple(mixed)) {
		simple_slopes(at, fixed, slopes);
		return;
	}
	crux_mixed_row_variances(mixed, fixed, is_linear ? NULL : mixed->pull, slopes);
	if (!is_linear) {
		pull_determinant(at, slopes);
		crux_mixed_solve(mixed, 0, mixed->before);
		crux_mixed_shift(mixed, mixed->before, mixed->shift_before);
	}
	for (size_t j = 0; j < mixed->grouping[0].groups; j++)
		for (size_t i = mixed->first[j]; i < mixed->first[j + 1]; i++)
			add_row(at, i, j, slopes);
	for (size_t k = at->extras; mixed->family == CRUX_CUMULATIVE && k-- > 1;) { /* a distance moves all thresholds from its own on */
		of_extras[k - 1] += of_extras[k];
		of_extras[k] *= exp(at->given[k]);
	}
}

/* A step with the expected slopes and curvatures of the rows, as their linear predictors are normal around the mode (a step of a
 * Gaussian variational approximation; Opper and Archambeau 2009). In groups of few outcomes the mode is too near to 0, and the
 * variance there too small. */
bool crux_likelihood_expect(crux_likelihood *at, crux_mixed_factor *factor)
{
	static double const node[] = {-1.7320508075688772, 0, 1.7320508075688772}, share[] = {1. / 6, 2. / 3, 1. / 6};
	crux_mixed *mixed = at->mixed;
	crux_mixed_row_variances(mixed, at->fixed, mixed->pull, NULL);
	for (size_t j = 0; j < mixed->grouping[0].groups; j++)
		for (size_t i = mixed->first[j]; i < mixed->first[j + 1]; i++) {
			double const eta = predictor(mixed, i, j), deviation = sqrt(mixed->pull[i]);
			double slope = 0, curvature = 0;
			for (size_t k = 0; k < 3; k++) {
				crux_density const there = density(at, i, eta + deviation * node[k]);
				slope += share[k] * there.slope;
				curvature += share[k] * there.curvature;
			}
			mixed->curvature[i] = crux_mixed_weight(mixed, i) * curvature;
			mixed->pull[i] = mixed->curvature[i] * (eta - crux_mixed_offset(mixed, i)) + crux_mixed_weight(mixed, i) * slope;
		}
	if (!crux_mixed_factorise(mixed, at->fixed, factor))
		return false;
	crux_mixed_solve(mixed, at->fixed, mixed->solution);
	return true;
}
