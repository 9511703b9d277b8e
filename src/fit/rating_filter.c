#include "fit/rating_filter.h"

#include <float.h>
#include <math.h>

#include "fit/quadrature.h"
#include "stats/distribution.h"

static const double pi = 3.14159265358979323846;

/* Glickman (2013), Example of the Glicko-2 system: the constants that he proposes, on the scale of logits. */
static const double tau = 0.5, first_volatility = 0.06, convergence = 1e-6;

static const double elo_step = 32 * 2.302585092994046 / 400; /* 400 points are odds of ten to one */

void crux_rating_filter_prepare(crux_rating_filter *filter)
{
	crux_quadrature_normal(CRUX_RATING_NODES, filter->nodes, filter->weights);
}

crux_rated crux_rating_filter_new(const crux_rating_filter *filter, size_t side)
{
	double const deviation = filter->deviations[side];
	return (crux_rated){.variance = deviation * deviation, .volatility = first_volatility, .clock = NAN};
}

static double success(double logit) { return 1 / (1 + exp(-logit)); }

/* How much less a game tells against an opponent of that variance. */
static double attenuation(double variance) { return 1 / sqrt(1 + 3 * variance / (pi * pi)); }

/* Step 5 of Glickman's algorithm, whose root is the logarithm of the new variance of the rating's changes. */
static double slope(double x, double square, double spread, double start)
{
	double const e = exp(x), total = spread + e;
	return e * (square - total) / (2 * total * total) - (x - start) / (tau * tau);
}

static double new_volatility(double volatility, double square, double spread)
{
	double const start = 2 * log(volatility);
	double a = start, b = square > spread ? log(square - spread) : start - tau;
	while (square <= spread && slope(b, square, spread, start) < 0)
		b -= tau;
	double at_a = slope(a, square, spread, start), at_b = slope(b, square, spread, start);
	while (fabs(b - a) > convergence) {
		double const c = a + (a - b) * at_a / (at_b - at_a), at_c = slope(c, square, spread, start);
		if (at_c * at_b <= 0) {
			a = b;
			at_a = at_b;
		} else {
			at_a /= 2;
		}
		b = c;
		at_b = at_c;
	}
	return exp(a / 2);
}

void crux_glicko2_period(crux_rated *one, size_t n, const double *means, const double *variances, const double *outcomes)
{
	double information = 0, gain = 0;
	for (size_t i = 0; i < n; i++) {
		double const g = attenuation(variances[i]), p = success(g * (one->mean - means[i]));
		information += g * g * p * (1 - p);
		gain += g * (outcomes[i] - p);
	}
	if (information > 0) { /* else no game tells anything */
		double const change = gain / information;
		one->volatility = new_volatility(one->volatility, change * change, one->variance + 1 / information);
	}
	one->variance = 1 / (1 / (one->variance + one->volatility * one->volatility) + information);
	one->mean += one->variance * gain;
}

/* Adds what may have changed since the last play; the variance becomes at most that of a new one. Returns true if it would be more. */
static bool age(const crux_rating_filter *filter, crux_rated *one, size_t side, double clock)
{
	double const most = filter->deviations[side] * filter->deviations[side];
	double periods = isnan(clock) ? 1 : fmax(0, (clock - one->clock) / filter->period), growth = 0;
	if (one->plays > 0 && filter->model == CRUX_RATING_GLICKO2)
		growth = one->volatility * one->volatility * fmax(0, periods - 1); /* the period of this play adds its own */
	else if (one->plays > 0 && side == 0)
		growth = filter->drift * filter->drift * periods;
	bool const is_late = growth > 0 && one->variance + growth > most;
	one->variance = is_late ? most : one->variance + growth;
	one->clock = isnan(clock) ? one->clock : fmax(clock, one->clock);
	one->plays++;
	return is_late;
}

/* The likelihood of an outcome or bound where the linear predictor is eta; not 0, so that what cannot happen teaches nothing. */
static double likelihood(const crux_rating_filter *filter, const crux_rated_play *play, double eta)
{
	if (isnan(filter->residual))
		return fmax(success(play->response > 0 ? eta : -eta), DBL_MIN);
	return fmax(exp(crux_normal_log_lower((eta - play->response) / filter->residual)), DBL_MIN);
}

/* The mean and the variance of the predictor once the response is known, and the surprise: of a number by Kalman's equations, of an
 * outcome or bound the moments, by quadrature (assumed density filtering). */
static double learn(const crux_rating_filter *filter, const crux_rated_play *play, double *mean, double *variance)
{
	if (!isnan(filter->residual) && !play->is_bound) {
		double const total = *variance + filter->residual * filter->residual, error = play->response - *mean, share = *variance / total;
		*mean += share * error;
		*variance -= share * *variance;
		return 0.5 * (log(2 * pi * total) + error * error / total);
	}
	double sum = 0, first = 0, second = 0;
	double const deviation = sqrt(*variance);
	for (size_t i = 0; i < CRUX_RATING_NODES; i++) {
		double const node = filter->nodes[i], weight = filter->weights[i] * likelihood(filter, play, *mean + deviation * node);
		sum += weight;
		first += weight * node;
		second += weight * node * node;
	}
	first /= sum;
	*mean += deviation * first;
	*variance *= second / sum - first * first;
	return -log(sum);
}

static double kalman(const crux_rating_filter *filter, const crux_rated_play *play, crux_rated *player, crux_rated *level, double *surprise)
{
	double const before = play->offset + player->mean + level->mean, total = player->variance + level->variance;
	double mean = before, variance = total;
	*surprise = learn(filter, play, &mean, &variance);
	for (int side = 0; side < 2 && total > 0; side++) {
		crux_rated *const one = side == 0 ? player : level;
		double const share = one->variance / total;
		one->mean += share * (mean - before);
		one->variance += share * share * (variance - total);
	}
	if (!isnan(filter->residual))
		return before;
	return play->response > 0 ? exp(-*surprise) : 1 - exp(-*surprise);
}

static double glicko2(const crux_rated_play *play, crux_rated *player, crux_rated *level)
{
	crux_rated const before = *player;
	double const outcome = play->response > 0, opponent = -(play->offset + level->mean), other = -(play->offset + before.mean);
	double const expected = success(attenuation(player->variance + level->variance) * (before.mean - opponent));
	crux_glicko2_period(player, 1, &opponent, &level->variance, &outcome);
	crux_glicko2_period(level, 1, &other, &before.variance, &outcome);
	return expected;
}

crux_rating_result crux_rating_filter_play(const crux_rating_filter *filter, const crux_rated_play *play, crux_rated *player, crux_rated *level,
                                           double *expected, double *surprise)
{
	if (play->clock == player->clock)
		return CRUX_RATING_AGAIN;
	if (play->clock < player->clock)
		return CRUX_RATING_EARLIER;
	bool const is_late = age(filter, player, 0, play->clock);
	age(filter, level, 1, play->clock);
	level->offset = play->offset;
	if (filter->model == CRUX_RATING_KALMAN) {
		*expected = kalman(filter, play, player, level, surprise);
		return is_late ? CRUX_RATING_LATE : CRUX_RATING_TAKEN;
	}
	if (filter->model == CRUX_RATING_GLICKO2) {
		*expected = glicko2(play, player, level);
	} else {
		*expected = success(play->offset + player->mean + level->mean);
		player->mean += elo_step * ((play->response > 0) - *expected);
		level->mean += elo_step * ((play->response > 0) - *expected);
	}
	*surprise = -log(play->response > 0 ? *expected : 1 - *expected);
	return is_late ? CRUX_RATING_LATE : CRUX_RATING_TAKEN;
}
