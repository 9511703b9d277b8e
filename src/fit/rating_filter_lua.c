/* libcrux.rating_filter: ratings of players and levels that learn with each play: Elo's, Glicko-2 and the Kalman filter of a mixed model.
 *
 * A play of a player at a level has the linear predictor offset + player + level, of which the latter two are not known: each has a
 * mean and a variance, and counts as independent of all others. For outcomes the predictor is the logit of success. The plays are
 * taken one after the other; each changes the two ratings. Errors therefore leave out what is known of players and levels together,
 * and are a little too small where few players play few levels. Players are side 1 and levels side 2, numbered from 1 on. */
#include <float.h>
#include <lauxlib.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/block.h"
#include "fit/quadrature.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/distribution.h"
#include "stats/vector_lua.h"

/* Of an outcome whose predictor has a deviation of 3 and a mean from -6 to 6, the probability has an error below 1e-4, the new mean
 * below 1e-3 and the new variance below 4e-3; at a deviation of 1.8 these are below 1e-5. */
#define NODES 25

typedef enum model {
	ELO,     /* outcomes; 32 points of Elo's scale a play */
	GLICKO2, /* outcomes; each play is a rating period (Glickman 2013) */
	KALMAN,
} model;

typedef struct rated {
	double mean, variance, volatility;
	double clock; /* of the last play; NaN before it, and without a clock */
	double plays;
	double offset; /* of a level: that of its last play */
} rated;

typedef struct rating_filter {
	model model;
	double residual;      /* standard deviation of numbers around the linear predictor; NaN: responses are outcomes, 0 or 1 */
	double deviations[2]; /* of a new player, and of a new level */
	double drift;         /* Kalman: standard deviation of a player's change in a period */
	double period;        /* in units of the clock; without a clock each play is a period later than the one before */
	double nodes[NODES], weights[NODES];
} rating_filter;

typedef struct rated_play {
	double offset, response;
	bool is_bound; /* the response is a lower bound */
	double clock;  /* NaN for none */
} rated_play;

typedef enum result {
	TAKEN,
	LATE,    /* taken; since the player's last play so long a time has passed that the error is that of a new player */
	AGAIN,   /* not taken: the clock is that of the player's last play */
	EARLIER, /* not taken: the clock is before it */
} result;

static const double pi = 3.14159265358979323846;

/* Glickman (2013), Example of the Glicko-2 system: the constants that he proposes, on the scale of logits. */
static const double tau = 0.5, first_volatility = 0.06, convergence = 1e-6;

static const double elo_step = 32 * 2.302585092994046 / 400; /* 400 points are odds of ten to one */

/* A player (side 0) or a level (side 1) before its first play. */
static rated new_rated(const rating_filter *filter, size_t side)
{
	double const deviation = filter->deviations[side];
	return (rated){.variance = deviation * deviation, .volatility = first_volatility, .clock = NAN};
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

/* Glicko-2's change of a rating in one period, on the scale on which a difference is a logit, from n games against opponents; the
 * system constant is 0.5. */
static void glicko2_period(rated *one, size_t n, const double *means, const double *variances, const double *outcomes)
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
static bool age(const rating_filter *filter, rated *one, size_t side, double clock)
{
	double const most = filter->deviations[side] * filter->deviations[side];
	double periods = isnan(clock) ? 1 : fmax(0, (clock - one->clock) / filter->period), growth = 0;
	if (one->plays > 0 && filter->model == GLICKO2)
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
static double likelihood(const rating_filter *filter, const rated_play *play, double eta)
{
	if (isnan(filter->residual))
		return fmax(success(play->response > 0 ? eta : -eta), DBL_MIN);
	return fmax(exp(crux_normal_log_lower((eta - play->response) / filter->residual)), DBL_MIN);
}

/* The mean and the variance of the predictor once the response is known, and the surprise: of a number by Kalman's equations, of an
 * outcome or bound the moments, by quadrature (assumed density filtering). */
static double learn(const rating_filter *filter, const rated_play *play, double *mean, double *variance)
{
	if (!isnan(filter->residual) && !play->is_bound) {
		double const total = *variance + filter->residual * filter->residual, error = play->response - *mean, share = *variance / total;
		*mean += share * error;
		*variance -= share * *variance;
		return 0.5 * (log(2 * pi * total) + error * error / total);
	}
	double sum = 0, first = 0, second = 0;
	double const deviation = sqrt(*variance);
	for (size_t i = 0; i < NODES; i++) {
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

static double kalman(const rating_filter *filter, const rated_play *play, rated *player, rated *level, double *surprise)
{
	double const before = play->offset + player->mean + level->mean, total = player->variance + level->variance;
	double mean = before, variance = total;
	*surprise = learn(filter, play, &mean, &variance);
	for (int side = 0; side < 2 && total > 0; side++) {
		rated *const one = side == 0 ? player : level;
		double const share = one->variance / total;
		one->mean += share * (mean - before);
		one->variance += share * share * (variance - total);
	}
	if (!isnan(filter->residual))
		return before;
	return play->response > 0 ? exp(-*surprise) : 1 - exp(-*surprise);
}

static double glicko2(const rated_play *play, rated *player, rated *level)
{
	rated const before = *player;
	double const outcome = play->response > 0, opponent = -(play->offset + level->mean), other = -(play->offset + before.mean);
	double const expected = success(attenuation(player->variance + level->variance) * (before.mean - opponent));
	glicko2_period(player, 1, &opponent, &level->variance, &outcome);
	glicko2_period(level, 1, &other, &before.variance, &outcome);
	return expected;
}

/* Takes a play; *expected is what the two ratings predicted: the probability of success, or the linear predictor. *surprise is minus
 * the logarithm of the probability, or density, of the response. */
static result play_one(const rating_filter *filter, const rated_play *play, rated *player, rated *level,
                                           double *expected, double *surprise)
{
	if (play->clock == player->clock)
		return AGAIN;
	if (play->clock < player->clock)
		return EARLIER;
	bool const is_late = age(filter, player, 0, play->clock);
	age(filter, level, 1, play->clock);
	level->offset = play->offset;
	if (filter->model == KALMAN) {
		*expected = kalman(filter, play, player, level, surprise);
		return is_late ? LATE : TAKEN;
	}
	if (filter->model == GLICKO2) {
		*expected = glicko2(play, player, level);
	} else {
		*expected = success(play->offset + player->mean + level->mean);
		player->mean += elo_step * ((play->response > 0) - *expected);
		level->mean += elo_step * ((play->response > 0) - *expected);
	}
	*surprise = -log(play->response > 0 ? *expected : 1 - *expected);
	return is_late ? LATE : TAKEN;
}

#define TYPE "crux.rating_filter"

typedef struct side {
	size_t n, capacity;
	rated *rated;
} side;

typedef struct state {
	rating_filter filter;
	side sides[2];
} state;

static state *check(lua_State *L) { return *(state **)crux_handle_check(L, 1, TYPE, "the filter was closed"); }

static double check_positive(lua_State *L, const char *name)
{
	lua_getfield(L, 1, name);
	double const value = luaL_checknumber(L, -1);
	luaL_argcheck(L, value >= 0 && value < INFINITY, 1, "a number of at least 0");
	lua_pop(L, 1);
	return value;
}

/* new{model = "elo" | "glicko2" | "kalman", player = deviation, level = deviation, drift = 0, period = 1, residual = nil} -> filter */
static int filter_new(lua_State *L)
{
	static const char *const models[] = {"elo", "glicko2", "kalman", NULL};
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_getfield(L, 1, "model");
	rating_filter filter = {.model = (model)luaL_checkoption(L, -1, NULL, models), .residual = NAN,
		.deviations = {check_positive(L, "player"), check_positive(L, "level")}, .drift = check_positive(L, "drift"),
		.period = check_positive(L, "period")};
	if (lua_getfield(L, 1, "residual") != LUA_TNIL)
		filter.residual = check_positive(L, "residual");
	crux_quadrature_normal(NODES, filter.nodes, filter.weights);
	state **const slot = crux_handle_new(L, TYPE, sizeof *slot, 0);
	*slot = calloc(1, sizeof **slot);
	if (!*slot)
		return luaL_error(L, "not enough memory");
	(*slot)->filter = filter;
	return 1;
}

/* The player or level of that number, and new ones before it. */
static rated *rated_at(lua_State *L, state *s, size_t at, double number)
{
	side *const one = &s->sides[at];
	luaL_argcheck(L, number >= 1 && number <= INT32_MAX, (int)at + 2, "numbers of players and levels");
	size_t const wanted = (size_t)number;
	if (!crux_array_grow(CRUX_ARRAY(one->rated, wanted), &one->capacity))
		luaL_error(L, "not enough memory");
	while (one->n < wanted)
		one->rated[one->n++] = new_rated(&s->filter, at);
	return &one->rated[wanted - 1];
}

enum { RESULT, SURPRISE, EXPECTED, PLAYER, PLAYER_ERROR, LEVEL, LEVEL_ERROR, RESULTS };

/* filter:play(players, levels, responses, offsets, bounds, clocks), the last three vectors or nil -> vectors of the results, "taken",
 * "late", "again" or "earlier" as 0 to 3; surprises; expected responses; after each play the player's mean and error, and the level's
 * with its offset. Of a play that was not taken, surprise is 0 and expected NaN. */
static int filter_play(lua_State *L)
{
	state *const s = check(L);
	size_t n;
	double const *const players = crux_vector_check(L, 2, &n), *const levels = crux_vector_of(L, 3, n);
	double const *const responses = crux_vector_of(L, 4, n), *const offsets = crux_vector_or_none(L, 5, n);
	double const *const bounds = crux_vector_or_none(L, 6, n), *const clocks = crux_vector_or_none(L, 7, n);
	double *out[RESULTS];
	for (int k = 0; k < RESULTS; k++)
		out[k] = crux_vector_push(L, n);
	for (size_t i = 0; i < n; i++) {
		rated_play const play = {offsets ? offsets[i] : 0, responses[i], bounds && bounds[i] != 0, clocks ? clocks[i] : NAN};
		rated *const player = rated_at(L, s, 0, players[i]), *const level = rated_at(L, s, 1, levels[i]);
		out[SURPRISE][i] = 0;
		out[EXPECTED][i] = NAN;
		out[RESULT][i] = (double)play_one(&s->filter, &play, player, level, &out[EXPECTED][i], &out[SURPRISE][i]);
		out[PLAYER][i] = player->mean;
		out[PLAYER_ERROR][i] = sqrt(player->variance);
		out[LEVEL][i] = level->mean + level->offset;
		out[LEVEL_ERROR][i] = sqrt(level->variance);
	}
	return RESULTS;
}

enum { FIELDS = 6 }; /* of rated */

static size_t check_side(lua_State *L)
{
	lua_Integer const at = luaL_checkinteger(L, 2);
	luaL_argcheck(L, at == 1 || at == 2, 2, "a side");
	return (size_t)at - 1;
}

/* filter:ratings(side) -> vectors of means, variances, volatilities, clocks of the last plays, NaN for none, numbers of plays, and last
 * offsets */
static int filter_ratings(lua_State *L)
{
	const side *const one = &check(L)->sides[check_side(L)];
	double *out[FIELDS];
	for (int k = 0; k < FIELDS; k++)
		out[k] = crux_vector_push(L, one->n);
	for (size_t i = 0; i < one->n; i++) {
		rated const r = one->rated[i];
		double const values[] = {r.mean, r.variance, r.volatility, r.clock, r.plays, r.offset};
		for (int k = 0; k < FIELDS; k++)
			out[k][i] = values[k];
	}
	return FIELDS;
}

/* filter:restore(side, means, variances, volatilities, clocks, plays, offsets): sets the ratings that filter:ratings returned */
static int filter_restore(lua_State *L)
{
	state *const s = check(L);
	size_t const at = check_side(L);
	size_t n;
	double const *in[FIELDS] = {crux_vector_check(L, 3, &n)};
	for (int k = 1; k < FIELDS; k++)
		in[k] = crux_vector_of(L, 3 + k, n);
	for (size_t i = 0; i < n; i++)
		*rated_at(L, s, at, (double)i + 1) = (rated){in[0][i], in[1][i], in[2][i], in[3][i], in[4][i], in[5][i]};
	return 0;
}

static int filter_release(lua_State *L)
{
	state *const s = crux_handle_take(L, TYPE);
	if (s) {
		free(s->sides[0].rated);
		free(s->sides[1].rated);
	}
	free(s);
	return 0;
}

CRUX_TABLE(methods,
	{"play",    filter_play},
	{"ratings", filter_ratings},
	{"restore", filter_restore},
	CRUX_CLOSES(filter_release))

/* glicko2(mean, variance, volatility, means, variances, outcomes) -> mean, variance and volatility after a period of these games */
static int filter_glicko2(lua_State *L)
{
	size_t n;
	rated one = {.mean = luaL_checknumber(L, 1), .variance = luaL_checknumber(L, 2), .volatility = luaL_checknumber(L, 3)};
	double const *const means = crux_vector_check(L, 4, &n), *const variances = crux_vector_of(L, 5, n);
	double const *const outcomes = crux_vector_of(L, 6, n);
	glicko2_period(&one, n, means, variances, outcomes);
	lua_pushnumber(L, one.mean);
	lua_pushnumber(L, one.variance);
	lua_pushnumber(L, one.volatility);
	return 3;
}

CRUX_TABLE(functions,
	{"new",     filter_new},
	{"glicko2", filter_glicko2})

CRUX_TYPE_LIBRARY(rating_filter, TYPE)
