/* Item response models: the probability that a player of ability z solves a level is 1 / (1 + exp(-(easiness + slope z))),
 * abilities being standard normal (Rasch; Birnbaum 1968).
 *
 * The likelihood is marginal: each player's ability is integrated out by Gauss-Hermite quadrature around its mode (Bock and
 * Aitkin 1981; Pinheiro and Bates 1995). With measures, the easiness of a level is a sum of measures times coefficients and a
 * normal residual (the linear logistic test model with error, Janssen, Schepers and Peres 2004), whose density the objective
 * contains. Newton's method with the observed information (Louis 1982) finds the parameters that maximise it.
 *
 * The caller owns the arrays. No global state; any thread may call. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum crux_slopes {
	CRUX_SLOPES_ONE,    /* all are 1 */
	CRUX_SLOPES_COMMON, /* one parameter, the standard deviation of abilities in logits */
	CRUX_SLOPES_OWN,    /* a parameter for each level: its discrimination */
} crux_slopes;

typedef struct crux_item_response {
	size_t plays, players, levels;
	const double *player, *level; /* of each play: integers from 1; each player and each level occurs */
	const double *solved;         /* of each play: 0 or 1 */
	crux_slopes slopes;
	size_t measures;              /* 0: each level's easiness is free */
	const double *const *columns; /* columns[measure][level], linearly independent */
	double precision;             /* 1 / variance of the residuals, above 0 */
	bool holds;                   /* the slopes and coefficients stay at the start */
	size_t nodes;                 /* of the quadrature, at most CRUX_MOST_QUADRATURE_NODES */
} crux_item_response;

typedef struct crux_item_estimates {
	double *parameters;       /* easiness of each level, slopes, coefficients of measures; on entry the start */
	double *covariances;      /* parameters^2: the inverse of the information */
	double *abilities;        /* of each player: mean of the ability, given the plays */
	double *errors;           /* of each player: its standard deviation */
	double log_likelihood;    /* of the plays, given the easiness of levels */
	double objective;         /* the same, plus the logarithm of the residuals' density but for its constant -0.92 a level */
	double log_determinant;   /* of the information */
	double level_determinant; /* logarithm of the determinant of the part of the information that is about easiness */
	size_t iterations;
	bool converged;           /* else covariances mean nothing */
} crux_item_estimates;

/* The number of parameters. */
size_t crux_item_response_parameters(const crux_item_response *model);

/* Maximises the objective from the start. False when memory is short. */
bool crux_item_response_fit(const crux_item_response *model, crux_item_estimates *estimates);
