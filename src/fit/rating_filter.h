/* Ratings of players and levels that learn with each play: Elo's, Glicko-2 and the Kalman filter of a mixed model.
 *
 * A play of a player at a level has the linear predictor offset + player + level, of which the latter two are not known: each has a
 * mean and a variance, and counts as independent of all others. For outcomes the predictor is the logit of success. The plays are
 * taken one after the other; each changes the two ratings. Errors therefore leave out what is known of players and levels together,
 * and are a little too small where few players play few levels.
 *
 * Plain functions on the caller's structures; nothing is allocated, any thread may call. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Of an outcome whose predictor has a deviation of 3 and a mean from -6 to 6, the probability has an error below 1e-4, the new mean
 * below 1e-3 and the new variance below 4e-3; at a deviation of 1.8 these are below 1e-5. */
#define CRUX_RATING_NODES 25

typedef enum crux_rating_model {
	CRUX_RATING_ELO,     /* outcomes; 32 points of Elo's scale a play */
	CRUX_RATING_GLICKO2, /* outcomes; each play is a rating period (Glickman 2013) */
	CRUX_RATING_KALMAN,
} crux_rating_model;

typedef struct crux_rated {
	double mean, variance, volatility;
	double clock; /* of the last play; NaN before it, and without a clock */
	double plays;
	double offset; /* of a level: that of its last play */
} crux_rated;

typedef struct crux_rating_filter {
	crux_rating_model model;
	double residual;      /* standard deviation of numbers around the linear predictor; NaN: responses are outcomes, 0 or 1 */
	double deviations[2]; /* of a new player, and of a new level */
	double drift;         /* Kalman: standard deviation of a player's change in a period */
	double period;        /* in units of the clock; without a clock each play is a period later than the one before */
	double nodes[CRUX_RATING_NODES], weights[CRUX_RATING_NODES];
} crux_rating_filter;

typedef struct crux_rated_play {
	double offset, response;
	bool is_bound; /* the response is a lower bound */
	double clock;  /* NaN for none */
} crux_rated_play;

typedef enum crux_rating_result {
	CRUX_RATING_TAKEN,
	CRUX_RATING_LATE,    /* taken; since the player's last play so long a time has passed that the error is that of a new player */
	CRUX_RATING_AGAIN,   /* not taken: the clock is that of the player's last play */
	CRUX_RATING_EARLIER, /* not taken: the clock is before it */
} crux_rating_result;

/* Sets the nodes and weights. */
void crux_rating_filter_prepare(crux_rating_filter *filter);

/* A player (side 0) or a level (side 1) before its first play. */
crux_rated crux_rating_filter_new(const crux_rating_filter *filter, size_t side);

/* Takes a play; *expected is what the two ratings predicted: the probability of success, or the linear predictor. *surprise is minus
 * the logarithm of the probability, or density, of the response. */
crux_rating_result crux_rating_filter_play(const crux_rating_filter *filter, const crux_rated_play *play, crux_rated *player, crux_rated *level,
                                           double *expected, double *surprise);

/* Glicko-2's change of a rating in one period, on the scale on which a difference is a logit, from n games against opponents; the
 * system constant is 0.5. */
void crux_glicko2_period(crux_rated *one, size_t n, const double *means, const double *variances, const double *outcomes);
