/* mixed.c: effects, their variances, coefficients and likelihoods of linear models beside those of the whole matrix of covariances,
 * with crossed and nested groupings, slopes and weights; and derivatives beside differences. */
#include "fit/mixed.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fit/mixed_likelihood.h"
#include "stats/random.h"

enum { ROWS = 60, FIXED = 2, PLAYERS = 9, LEVELS = 6, PACKS = 3, EFFECTS = 2 * PLAYERS + LEVELS + PACKS, THETAS = 3 + 1 + 1 };

static double ones[ROWS], x[ROWS], y[ROWS], weights[ROWS], player[ROWS], level[ROWS], pack[ROWS];

static void draw(uint64_t seed)
{
	crux_random random = crux_random_new(seed, 0);
	for (size_t i = 0; i < ROWS; i++) {
		player[i] = 1 + (double)(i % PLAYERS);
		level[i] = 1 + floor(crux_random_real(&random) * LEVELS);
		if (i < LEVELS)
			level[i] = 1 + (double)i;
		pack[i] = 1 + floor((level[i] - 1) / 2);
		ones[i] = 1;
		x[i] = crux_random_real(&random) * 3;
		weights[i] = 0.5 + crux_random_real(&random);
		y[i] = 2 + x[i] * sin(player[i]) + cos(level[i]) + crux_random_real(&random);
	}
}

/* Solves a x = b for positive definite a in place, by Gauss; returns the logarithm of the determinant. */
static double solve(size_t n, double *a, size_t sides, double *b)
{
	double log_determinant = 0;
	for (size_t j = 0; j < n; j++) {
		log_determinant += log(a[j * n + j]);
		for (size_t i = 0; i < n; i++) {
			double const share = a[i * n + j] / a[j * n + j];
			if (i == j)
				continue;
			for (size_t k = j; k < n; k++)
				a[i * n + k] -= share * a[j * n + k];
			for (size_t k = 0; k < sides; k++)
				b[i * sides + k] -= share * b[j * sides + k];
		}
	}
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < sides; k++)
			b[i * sides + k] /= a[i * n + i];
	return log_determinant;
}

/* The effect that a row has of each column of Z T: sets zt[row][effect], and t, the triangle of all effects. */
static void dense(const double *theta, double (*z)[EFFECTS], double (*t)[EFFECTS])
{
	memset(z, 0, sizeof(double[ROWS][EFFECTS]));
	memset(t, 0, sizeof(double[EFFECTS][EFFECTS]));
	for (size_t i = 0; i < ROWS; i++) {
		size_t const p = 2 * (size_t)(player[i] - 1);
		z[i][p] = 1;
		z[i][p + 1] = x[i];
		z[i][2 * PLAYERS + (size_t)level[i] - 1] = 1;
		z[i][2 * PLAYERS + LEVELS + (size_t)pack[i] - 1] = 1;
	}
	for (size_t e = 0; e < EFFECTS; e++)
		t[e][e] = e < 2 * PLAYERS ? theta[e % 2 ? 2 : 0] : theta[e < 2 * PLAYERS + LEVELS ? 3 : 4];
	for (size_t p = 0; p < PLAYERS; p++)
		t[2 * p + 1][2 * p] = theta[1];
}

/* With V = 1 / weights + Z T T' Z' (times the variance of residuals): beta = (X'V^-1 X)^-1 X'V^-1 y, effects = T T' Z' V^-1 (y - X
 * beta), of variance T T' - T T' Z' V^-1 Z T T' where beta is given; a sum of beta and an effect has also the variance of what it
 * takes of beta (Henderson 1975). The restricted criterion is that of Bates et al. (2015), (39). */
static void check_against_whole_matrix(crux_mixed *mixed, const double *theta, const double *beta, const double *effects,
                                       const crux_mixed_fit *fit)
{
	static double z[ROWS][EFFECTS], t[EFFECTS][EFFECTS], zg[ROWS][EFFECTS], v[ROWS * ROWS], right[ROWS * (EFFECTS + 3)];
	size_t const sides = EFFECTS + 3;
	dense(theta, z, t);
	for (size_t i = 0; i < ROWS; i++)
		for (size_t e = 0; e < EFFECTS; e++) {
			zg[i][e] = 0; /* Z T T' */
			for (size_t f = 0; f < EFFECTS; f++)
				for (size_t k = 0; k < EFFECTS; k++)
					zg[i][e] += z[i][f] * t[f][k] * t[e][k];
		}
	for (size_t i = 0; i < ROWS; i++) {
		for (size_t j = 0; j < ROWS; j++) {
			v[i * ROWS + j] = i == j ? 1 / weights[i] : 0;
			for (size_t e = 0; e < EFFECTS; e++)
				v[i * ROWS + j] += zg[i][e] * z[j][e];
		}
		right[i * sides] = 1;
		right[i * sides + 1] = x[i];
		right[i * sides + 2] = y[i];
		memcpy(&right[i * sides + 3], zg[i], sizeof zg[i]);
	}
	double const log_v = solve(ROWS, v, sides, right);
	double a[4] = {0}, b[2] = {0}, squares = 0;
	const double *columns[] = {ones, x};
	for (size_t i = 0; i < ROWS; i++)
		for (size_t c = 0; c < 2; c++) {
			b[c] += columns[c][i] * right[i * sides + 2];
			for (size_t d = 0; d < 2; d++)
				a[c * 2 + d] += columns[c][i] * right[i * sides + d];
		}
	double inverse[4] = {1, 0, 0, 1}, whole[4];
	memcpy(whole, a, sizeof whole);
	solve(2, whole, 2, inverse);
	double const log_x = solve(2, a, 1, b);
	for (size_t i = 0; i < ROWS; i++)
		squares += (y[i] - b[0] - b[1] * x[i]) * (right[i * sides + 2] - b[0] * right[i * sides] - b[1] * right[i * sides + 1]);
	double const df = ROWS - FIXED;
	CHECK_NEAR(fit->deviance, log_v + log_x + df * (1 + log(2 * M_PI * squares / df)), 1e-10);
	CHECK_NEAR(fit->variance, squares / df, 1e-9);
	CHECK_NEAR(beta[0], b[0], 1e-9);
	CHECK_NEAR(beta[1], b[1], 1e-9);
	for (size_t e = 0; e < EFFECTS; e++) {
		double effect = 0, variance = 0;
		for (size_t k = 0; k < EFFECTS; k++)
			variance += t[e][k] * t[e][k];
		for (size_t i = 0; i < ROWS; i++) {
			effect += zg[i][e] * (right[i * sides + 2] - b[0] * right[i * sides] - b[1] * right[i * sides + 1]);
			variance -= zg[i][e] * right[i * sides + 3 + e];
		}
		CHECK(fabs(effects[e] - effect) < 1e-9);
		double const at[FIXED] = {1, 0.7}, slope[] = {e % 2 == 0, e % 2 == 1}, one[] = {1};
		size_t const grouping = e < 2 * PLAYERS ? 0 : e < 2 * PLAYERS + LEVELS ? 1 : 2;
		size_t const group = grouping == 0 ? e / 2 : e - 2 * PLAYERS - (grouping == 2 ? LEVELS : 0);
		double rest[2] = {at[0], at[1]}, mean, found;
		for (size_t i = 0; i < ROWS; i++)
			for (size_t c = 0; c < 2; c++)
				rest[c] -= zg[i][e] * right[i * sides + c];
		for (size_t c = 0; c < 4; c++)
			variance += rest[c / 2] * rest[c % 2] * inverse[c];
		crux_mixed_sum(mixed, at, grouping, group, grouping == 0 ? slope : one, &mean, &found);
		CHECK(fabs(mean - effect - b[0] - 0.7 * b[1]) < 1e-9);
		CHECK(fabs(found - variance) < 1e-9);
	}
}

static void check_linear(uint64_t seed)
{
	draw(seed);
	const double *const fixed[] = {ones, x}, *const slope[] = {ones, x}, *const one[] = {ones};
	size_t const together[] = {1, 1}, alone[] = {1};
	crux_grouping const groupings[] = {
		{.groups = PLAYERS, .columns = 2, .group = player, .values = slope, .blocks = together},
		{.groups = LEVELS, .columns = 1, .group = level, .values = one, .blocks = alone},
		{.groups = PACKS, .columns = 1, .group = pack, .values = one, .blocks = alone},
	};
	crux_mixed_rows const rows = {.rows = ROWS, .fixed = FIXED, .groupings = 3, .columns = fixed, .grouping = groupings,
	                              .response = y, .weights = weights, .family = CRUX_NORMAL};
	CHECK(crux_mixed_dense(&rows) == LEVELS + PACKS);
	crux_mixed *mixed = crux_mixed_new(&rows);
	CHECK(mixed && crux_mixed_thetas(mixed) == THETAS && crux_mixed_effects(mixed) == EFFECTS);
	crux_mixed_options const options = {.restricted = true, .nodes = 1, .most_evaluations = 5000, .sums = true};
	double none[1] = {0}, theta[THETAS] = {1, 0, 1, 1, 1}, beta[FIXED], covariance[FIXED * FIXED], effects[EFFECTS];
	crux_mixed_fit fit;
	CHECK(crux_mixed_estimate(mixed, &options, theta, beta, none, covariance, &fit) == CRUX_MIXED_DONE);
	CHECK(fit.converged);
	crux_mixed_point point;
	CHECK(crux_mixed_modes(mixed, &options, theta, none, effects, &point) == CRUX_MIXED_DONE);
	CHECK_NEAR(point.value, (ROWS - FIXED) * fit.variance, 1e-9);
	check_against_whole_matrix(mixed, theta, beta, effects, &fit);
	crux_mixed_free(mixed);
}

/* Slopes and curvatures are derivatives of values: beside differences. */
static void check_density(crux_family family, double response, bool is_censored, double eta, const double *extras, double highest)
{
	double const step = 1e-4;
	crux_density const here = crux_family_density(family, response, is_censored, eta, extras, highest);
	crux_density const ahead = crux_family_density(family, response, is_censored, eta + step, extras, highest);
	crux_density const behind = crux_family_density(family, response, is_censored, eta - step, extras, highest);
	CHECK(fabs((ahead.value - behind.value) / (2 * step) - here.slope) < 1e-6 * (1 + fabs(here.slope)));
	CHECK(fabs((behind.slope - ahead.slope) / (2 * step) - here.curvature) < 1e-6 * (1 + here.curvature));
	crux_density_slopes const slopes = crux_family_slopes(family, response, is_censored, eta, extras, highest);
	CHECK(fabs((ahead.curvature - behind.curvature) / (2 * step) - slopes.curvature) < 1e-6 * (1 + fabs(slopes.curvature)));
	for (size_t k = 0; k < slopes.count; k++) {
		double moved[3];
		memcpy(moved, extras, (family == CRUX_CUMULATIVE ? 3 : 1) * sizeof *moved);
		moved[slopes.extra[k]] += step;
		crux_density const above = crux_family_density(family, response, is_censored, eta, moved, highest);
		moved[slopes.extra[k]] -= 2 * step;
		crux_density const below = crux_family_density(family, response, is_censored, eta, moved, highest);
		crux_density const by = slopes.by[k];
		CHECK(fabs((above.value - below.value) / (2 * step) - by.value) < 1e-5 * (1 + fabs(by.value)));
		CHECK(fabs((above.slope - below.slope) / (2 * step) - by.slope) < 1e-5 * (1 + fabs(by.slope)));
		CHECK(fabs((above.curvature - below.curvature) / (2 * step) - by.curvature) < 1e-5 * (1 + fabs(by.curvature)));
	}
}

/* The derivatives of the deviance beside its differences, of each family, with slopes, crossed groupings and weights. */
static void check_slopes(crux_family family, bool is_restricted)
{
	draw(7);
	const double *const fixed[] = {ones, x}, *const slope[] = {ones, x}, *const one[] = {ones};
	size_t const together[] = {1, 1}, alone[] = {1};
	crux_grouping const groupings[] = {
		{.groups = PLAYERS, .columns = 2, .group = player, .values = slope, .blocks = together},
		{.groups = LEVELS, .columns = 1, .group = level, .values = one, .blocks = alone},
	};
	double response[ROWS], censored[ROWS];
	for (size_t i = 0; i < ROWS; i++) {
		response[i] = family == CRUX_CUMULATIVE ? (double)(i % 4) : y[i];
		censored[i] = i % 5 == 0;
	}
	crux_mixed_rows const rows = {.rows = ROWS, .fixed = FIXED, .groupings = 2, .columns = fixed, .grouping = groupings,
	                              .response = response, .weights = weights, .censored = family == CRUX_CENSORED ? censored : NULL,
	                              .family = family};
	crux_mixed *mixed = crux_mixed_new(&rows);
	size_t const extras = family == CRUX_NORMAL ? 0 : family == CRUX_CENSORED ? 1 : 3, count = 4 + FIXED + extras;
	crux_mixed_options const options = {.restricted = is_restricted, .nodes = 1, .extras = extras};
	double const given[] = {-0.5, 0.1, -0.2};
	crux_likelihood at;
	CHECK(mixed && crux_likelihood_new(&at, mixed, &options, given));
	double *const parameters[] = {at.theta, at.beta, at.given};
	double const theta[] = {0.9, 0.2, 0.4, 0.7}, beta[] = {0.3, -0.2}, step = 1e-4;
	memcpy(at.theta, theta, sizeof theta);
	memcpy(at.beta, beta, sizeof beta);
	double slopes[4 + FIXED + 3];
	CHECK(isfinite(crux_likelihood_deviance(&at)));
	crux_likelihood_slopes(&at, slopes);
	for (size_t i = 0; i < count; i++) {
		double *parameter = i < 4 ? &parameters[0][i] : i < 4 + FIXED ? &parameters[1][i - 4] : &parameters[2][i - 4 - FIXED];
		double const here = *parameter;
		*parameter = here + step;
		double const ahead = crux_likelihood_deviance(&at);
		*parameter = here - step;
		double const behind = crux_likelihood_deviance(&at);
		*parameter = here;
		CHECK(fabs((ahead - behind) / (2 * step) - slopes[i]) < 1e-5 * (1 + fabs(slopes[i])));
	}
	crux_likelihood_free(&at);
	crux_mixed_free(mixed);
}

int main(void)
{
	for (uint64_t seed = 1; seed <= 5; seed++)
		check_linear(seed);
	check_slopes(CRUX_NORMAL, true);
	check_slopes(CRUX_NORMAL, false);
	check_slopes(CRUX_CUMULATIVE, false);
	check_slopes(CRUX_CENSORED, false);
	double const thresholds[] = {-1, 0.5, 2}, log_sigma = -0.3;
	for (double eta = -30; eta <= 30; eta += 1.7) {
		for (double category = 0; category <= 3; category++)
			check_density(CRUX_CUMULATIVE, category, false, eta, thresholds, 3);
		check_density(CRUX_CENSORED, 1.5, false, eta, &log_sigma, 1);
		check_density(CRUX_CENSORED, 1.5, true, eta, &log_sigma, 1);
	}
	return check_summary();
}
