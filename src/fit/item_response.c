#include "fit/item_response.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "base/sizes.h"
#include "fit/quadrature.h"

enum {
	MOST_STEPS = 200, /* Newton's method takes about 6, or does not end if there is no maximum */
	MOST_MODE_STEPS = 100,
};

typedef struct play {
	size_t level;
	double solved;
} play;

/* The sorted plays and the work space of a fit. A player's plays concern few parameters: these are numbered from 0 in the order
 * of their appearance. */
typedef struct workspace {
	const crux_item_response *model;
	size_t count, free;    /* of all parameters; of the first, which are estimated */
	size_t *first;         /* of each player's plays, and the end of the last */
	play *plays;           /* by player */
	double *modes;         /* of each player's ability */
	double nodes[CRUX_MOST_QUADRATURE_NODES], log_weights[CRUX_MOST_QUADRATURE_NODES];
	double *gradient, *information, *step, *trial; /* information: the lower triangle, by columns */
	size_t *place;         /* of each parameter: 1 + its number for the current player, or 0 */
	size_t *parameter;     /* of each number */
	double *score, *mean, *squares; /* of these parameters: scores at a node, their mean, their mean products */
	double *chances;       /* of solving: nodes numbers for each play */
	double shares[CRUX_MOST_QUADRATURE_NODES], abilities[CRUX_MOST_QUADRATURE_NODES]; /* of the nodes */
	void *sorted, *player; /* blocks of memory */
} workspace;

size_t crux_item_response_parameters(const crux_item_response *model)
{
	size_t const slopes[] = {[CRUX_SLOPES_ONE] = 0, [CRUX_SLOPES_COMMON] = 1, [CRUX_SLOPES_OWN] = model->levels};
	return model->levels + slopes[model->slopes] + model->measures;
}

/* The parameter that is a level's slope, if slopes are parameters. */
static size_t slope_index(const crux_item_response *model, size_t level)
{
	return model->levels + (model->slopes == CRUX_SLOPES_OWN ? level : 0);
}

static double slope_of(const crux_item_response *model, const double *parameters, size_t level)
{
	return model->slopes == CRUX_SLOPES_ONE ? 1 : parameters[slope_index(model, level)];
}

/* Sorts the plays by player; returns the most plays of one. */
static size_t sort_plays(const crux_item_response *model, workspace *work)
{
	size_t *const first = work->first, most = 0;
	for (size_t i = 0; i < model->plays; i++)
		first[(size_t)model->player[i]]++;
	for (size_t i = 0; i < model->players; i++) {
		most = first[i + 1] > most ? first[i + 1] : most;
		first[i + 1] += first[i];
	}
	for (size_t i = model->plays; i-- > 0;)
		work->plays[--first[(size_t)model->player[i]]] = (play){(size_t)model->level[i] - 1, model->solved[i]};
	work->first++; /* first[p] was the end of player p, from 1, and is the start now */
	work->first[model->players] = model->plays;
	return most;
}

static void workspace_close(workspace *work)
{
	free(work->sorted);
	free(work->player);
}

/* False when memory is short; close it also then. */
static bool workspace_open(workspace *work, const crux_item_response *model)
{
	size_t const count = crux_item_response_parameters(model);
	*work = (workspace){.model = model, .count = count, .free = model->holds ? model->levels : count};
	work->sorted = crux_block_new((crux_array[]){
		CRUX_ARRAY(work->first, model->players + 2), CRUX_ARRAY(work->plays, model->plays),
		CRUX_ARRAY(work->modes, model->players), CRUX_ARRAY(work->place, count), CRUX_ARRAY(work->gradient, count),
		CRUX_ARRAY(work->step, count), CRUX_ARRAY(work->trial, count), CRUX_ARRAY(work->information, count * count)}, 8);
	if (!work->sorted)
		return false;
	size_t const most = sort_plays(model, work), levels = most < model->levels ? most : model->levels;
	size_t const used = model->slopes == CRUX_SLOPES_OWN ? 2 * levels : levels + 1;
	work->player = crux_block_new((crux_array[]){
		CRUX_ARRAY(work->parameter, used), CRUX_ARRAY(work->score, used), CRUX_ARRAY(work->mean, used),
		CRUX_ARRAY(work->squares, used * used), CRUX_ARRAY(work->chances, most * model->nodes)}, 5);
	if (!work->player)
		return false;
	crux_quadrature_normal(model->nodes, work->nodes, work->log_weights);
	for (size_t i = 0; i < model->nodes; i++)
		work->log_weights[i] = log(work->log_weights[i]) + work->nodes[i] * work->nodes[i] / 2;
	return true;
}

/* Returns the probability of solving at that sum; adds the logarithm of the probability of the outcome. */
static double chance(double sum, double solved, double *log_chance)
{
	double const small = exp(-fabs(sum));
	*log_chance += (solved > 0) == (sum > 0) ? -log1p(small) : -fabs(sum) - log1p(small);
	return (sum > 0 ? 1 : small) / (1 + small);
}

/* Moves a player's mode to the ability of the greatest density, given the plays; returns the second derivative there. The
 * density is log-concave, and the mode is no larger than the sum of the slopes. Newton's steps that leave the interval known to
 * hold the mode become bisections. */
static double find_mode(const workspace *work, const double *parameters, const play *plays, size_t n, double *mode)
{
	double bound = 0, ignored = 0, curvature = 1;
	for (size_t i = 0; i < n; i++)
		bound += fabs(slope_of(work->model, parameters, plays[i].level));
	double low = -bound, high = bound, ability = fmax(low, fmin(high, *mode));
	for (size_t step = 0; step < MOST_MODE_STEPS; step++) {
		double slope = -ability;
		curvature = 1;
		for (size_t i = 0; i < n; i++) {
			double const a = slope_of(work->model, parameters, plays[i].level);
			double const p = chance(parameters[plays[i].level] + a * ability, plays[i].solved, &ignored);
			slope += a * (plays[i].solved - p);
			curvature += a * a * p * (1 - p);
		}
		*(slope > 0 ? &low : &high) = ability;
		double next = ability + slope / curvature;
		if (fabs(next - ability) < 1e-9)
			break;
		if (next <= low || next >= high)
			next = (low + high) / 2;
		ability = next;
	}
	*mode = ability;
	return curvature;
}

/* Sets the abilities at the nodes of a player, the chances there, and the shares that the nodes have in the likelihood; returns
 * its logarithm. */
static double integrate(workspace *work, const double *parameters, size_t player)
{
	size_t const nodes = work->model->nodes, n = work->first[player + 1] - work->first[player];
	const play *const plays = work->plays + work->first[player];
	double const unit = 1 / sqrt(find_mode(work, parameters, plays, n, &work->modes[player]));
	double most = -INFINITY, sum = 0;
	for (size_t node = 0; node < nodes; node++) {
		double const ability = work->modes[player] + unit * work->nodes[node];
		double log_density = work->log_weights[node] + log(unit) - ability * ability / 2;
		for (size_t i = 0; i < n; i++) {
			double const slope = slope_of(work->model, parameters, plays[i].level);
			work->chances[i * nodes + node] = chance(parameters[plays[i].level] + slope * ability, plays[i].solved, &log_density);
		}
		work->abilities[node] = ability;
		work->shares[node] = log_density;
		most = fmax(most, log_density);
	}
	for (size_t node = 0; node < nodes; node++)
		sum += work->shares[node] = exp(work->shares[node] - most);
	for (size_t node = 0; node < nodes; node++)
		work->shares[node] /= sum;
	return most + log(sum);
}

/* Numbers the parameters of a player's plays; returns how many there are. */
static size_t number_parameters(workspace *work, const play *plays, size_t n)
{
	size_t used = 0;
	for (size_t i = 0; i < n; i++) {
		size_t const both[] = {plays[i].level, slope_index(work->model, plays[i].level)};
		for (size_t k = 0; k < (work->model->slopes == CRUX_SLOPES_ONE ? 1 : 2); k++) {
			if (work->place[both[k]] > 0)
				continue;
			work->parameter[used] = both[k];
			work->place[both[k]] = ++used;
		}
	}
	return used;
}

/* Adds the information that the plays would give if the ability were known: its mean over the nodes. */
static void add_complete(workspace *work, const play *plays, size_t n)
{
	const crux_item_response *const model = work->model;
	for (size_t i = 0; i < n; i++) {
		double sums[3] = {0};
		for (size_t node = 0; node < model->nodes; node++) {
			double const p = work->chances[i * model->nodes + node], ability = work->abilities[node];
			double const part = work->shares[node] * p * (1 - p);
			sums[0] += part;
			sums[1] += part * ability;
			sums[2] += part * ability * ability;
		}
		double *const of_level = work->information + plays[i].level * work->count;
		of_level[plays[i].level] += sums[0];
		if (model->slopes == CRUX_SLOPES_ONE)
			continue;
		size_t const slope = slope_index(model, plays[i].level);
		of_level[slope] += sums[1];
		work->information[slope * work->count + slope] += sums[2];
	}
}

/* Sets the scores of the player's parameters at a node, and adds them and their products to the means. */
static void add_scores(workspace *work, const play *plays, size_t n, size_t used, size_t node)
{
	const crux_item_response *const model = work->model;
	double *const score = work->score;
	double const share = work->shares[node];
	memset(score, 0, used * sizeof *score);
	for (size_t i = 0; i < n; i++) {
		double const miss = plays[i].solved - work->chances[i * model->nodes + node];
		score[work->place[plays[i].level] - 1] += miss;
		if (model->slopes != CRUX_SLOPES_ONE)
			score[work->place[slope_index(model, plays[i].level)] - 1] += miss * work->abilities[node];
	}
	for (size_t i = 0; i < used; i++) {
		double const part = share * score[i];
		double *const squares = work->squares + i * used;
		work->mean[i] += part;
		for (size_t k = 0; k <= i; k++)
			squares[k] += part * score[k];
	}
}

/* Adds the gradient and the information of a player's plays: that of complete data less the variance of the scores. */
static void add_player(workspace *work, size_t player)
{
	size_t const n = work->first[player + 1] - work->first[player];
	const play *const plays = work->plays + work->first[player];
	size_t const used = number_parameters(work, plays, n);
	memset(work->mean, 0, used * sizeof *work->mean);
	memset(work->squares, 0, used * used * sizeof *work->squares);
	for (size_t node = 0; node < work->model->nodes; node++)
		add_scores(work, plays, n, used, node);
	add_complete(work, plays, n);
	for (size_t i = 0; i < used; i++) {
		size_t const a = work->parameter[i];
		work->gradient[a] += work->mean[i];
		for (size_t k = 0; k <= i; k++) {
			size_t const b = work->parameter[k];
			work->information[(a < b ? a : b) * work->count + (a < b ? b : a)] -=
				work->squares[i * used + k] - work->mean[i] * work->mean[k];
		}
	}
	for (size_t i = 0; i < used; i++)
		work->place[work->parameter[i]] = 0;
}

/* Adds the gradient and the information of the residuals; returns the logarithm of their density. */
static double add_residuals(workspace *work, const double *parameters)
{
	const crux_item_response *const model = work->model;
	size_t const base = work->count - model->measures;
	double squares = 0;
	for (size_t level = 0; level < model->levels && model->measures > 0; level++) {
		double *const of_level = work->information + level * work->count;
		double residual = parameters[level];
		for (size_t i = 0; i < model->measures; i++)
			residual -= model->columns[i][level] * parameters[base + i];
		squares += residual * residual;
		work->gradient[level] -= model->precision * residual;
		of_level[level] += model->precision;
		for (size_t i = 0; i < model->measures; i++) {
			double const part = model->precision * model->columns[i][level];
			work->gradient[base + i] += part * residual;
			of_level[base + i] -= part;
			for (size_t k = i; k < model->measures; k++)
				work->information[(base + i) * work->count + base + k] += part * model->columns[k][level];
		}
	}
	return model->measures > 0 ? ((double)model->levels * log(model->precision) - model->precision * squares) / 2 : 0;
}

/* Sets the gradient and the information at the parameters; returns the objective. */
static double evaluate(workspace *work, const double *parameters, double *log_likelihood)
{
	memset(work->gradient, 0, work->count * sizeof *work->gradient);
	memset(work->information, 0, work->count * work->count * sizeof *work->information);
	*log_likelihood = 0;
	for (size_t player = 0; player < work->model->players; player++) {
		*log_likelihood += integrate(work, parameters, player);
		add_player(work, player);
	}
	return *log_likelihood + add_residuals(work, parameters);
}

/* Sets `factor` to the Cholesky factor of the information, with its diagonal times 1 + ridge; false if it is not positive
 * definite. */
static bool factorise(const workspace *work, double ridge, double *factor)
{
	for (size_t i = 0; i < work->free; i++) {
		memcpy(factor + i * work->free, work->information + i * work->count, work->free * sizeof *factor);
		factor[i * work->free + i] += ridge * (1 + fabs(factor[i * work->free + i]));
	}
	lapack_int const n = (lapack_int)work->free;
	return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, factor, n) == 0;
}

/* Sets the step of Newton's method, shortened by a ridge where the objective is not concave; returns its length in standard
 * errors, infinite with a ridge. */
static double set_step(workspace *work, double *factor)
{
	double ridge = 0, length = 0;
	while (!factorise(work, ridge, factor) && ridge < 1e6)
		ridge = ridge > 0 ? 10 * ridge : 1e-3;
	lapack_int const n = (lapack_int)work->free;
	memcpy(work->step, work->gradient, work->free * sizeof *work->step); /* 0 behind these */
	LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', n, 1, factor, n, work->step, n);
	for (size_t i = 0; i < work->free; i++)
		length += work->step[i] * work->gradient[i];
	return ridge > 0 ? INFINITY : sqrt(fmax(length, 0));
}

/* Moves the parameters by the step, its half, its quarter ..., the first that does not decrease the objective; returns the
 * objective there. Leaves them if none does, and returns NaN. */
static double climb(workspace *work, double objective, crux_item_estimates *estimates)
{
	for (double share = 1; share > 1e-6; share /= 2) {
		for (size_t i = 0; i < work->count; i++)
			work->trial[i] = estimates->parameters[i] + share * work->step[i];
		double const there = evaluate(work, work->trial, &estimates->log_likelihood);
		if (there >= objective - 1e-10 * fabs(objective)) {
			memcpy(estimates->parameters, work->trial, work->count * sizeof *work->trial);
			return there;
		}
	}
	return NAN;
}

/* Changes the sign of abilities and slopes, which leaves the likelihood, if the sum of the slopes is negative. */
static void turn(workspace *work, crux_item_estimates *estimates)
{
	double *const slopes = estimates->parameters + work->model->levels;
	double sum = 0;
	size_t const count = work->model->holds ? 0 : work->count - work->model->levels - work->model->measures;
	for (size_t i = 0; i < count; i++)
		sum += slopes[i];
	for (size_t i = 0; i < count && sum < 0; i++)
		slopes[i] = -slopes[i];
	if (sum < 0)
		estimates->objective = evaluate(work, estimates->parameters, &estimates->log_likelihood);
}

/* Sets the means and standard deviations of abilities. */
static void set_abilities(workspace *work, crux_item_estimates *estimates)
{
	for (size_t player = 0; player < work->model->players; player++) {
		integrate(work, estimates->parameters, player);
		double mean = 0, square = 0;
		for (size_t node = 0; node < work->model->nodes; node++)
			mean += work->shares[node] * work->abilities[node];
		for (size_t node = 0; node < work->model->nodes; node++)
			square += work->shares[node] * (work->abilities[node] - mean) * (work->abilities[node] - mean);
		estimates->abilities[player] = mean;
		estimates->errors[player] = sqrt(square);
	}
}

/* Turns the factor of the information into its inverse. */
static void invert(size_t levels, size_t count, crux_item_estimates *estimates)
{
	double *const matrix = estimates->covariances;
	estimates->log_determinant = estimates->level_determinant = 0;
	for (size_t i = 0; i < count; i++) {
		estimates->log_determinant += 2 * log(matrix[i * count + i]);
		if (i + 1 == levels)
			estimates->level_determinant = estimates->log_determinant;
	}
	LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', (lapack_int)count, matrix, (lapack_int)count);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i; k++)
			matrix[i * count + k] = matrix[k * count + i];
}

bool crux_item_response_fit(const crux_item_response *model, crux_item_estimates *estimates)
{
	workspace work;
	bool const opened = workspace_open(&work, model);
	estimates->converged = false;
	estimates->iterations = 0;
	estimates->objective = opened ? evaluate(&work, estimates->parameters, &estimates->log_likelihood) : NAN;
	while (opened && !estimates->converged && estimates->iterations < MOST_STEPS) {
		double const length = set_step(&work, estimates->covariances);
		double const there = climb(&work, estimates->objective, estimates);
		if (isnan(there))
			break;
		estimates->objective = there;
		estimates->converged = length < 1e-7; /* the next step is far shorter */
		estimates->iterations++;
	}
	if (estimates->converged) {
		turn(&work, estimates);
		work.free = work.count;
		estimates->converged = factorise(&work, 0, estimates->covariances);
		invert(model->levels, work.count, estimates);
		set_abilities(&work, estimates);
	}
	workspace_close(&work);
	return opened;
}
