/* libcrux.penalised: linear least squares with penalties, or bounds, on the coefficients, all from the triangle R of an object of
 * libcrux.ols: solving for many penalties, or for folds, reads each row once.
 *
 * Columns are divided by a scale, and the coefficients are scaled back. With penalties the scales of the columns and the
 * response are standard deviations with divisor n, not n - 1, as in R's glmnet (J. Friedman, T. Hastie, R. Tibshirani,
 * Regularization paths for generalized linear models via coordinate descent, Journal of Statistical Software 33, 2010). For
 * slopes b, weights w with sum 1, and the scales s of the columns and d of the response, the objective is
 *
 *     sum w (y - intercept - xb)^2 / 2 + lambda (alpha sum |s b| + (1 - alpha) sum (s b)^2 / (2 d)). */
#include <cblas.h>
#include <lauxlib.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "fit/coordinate_descent.h"
#include "fit/ols.h"
#include "fit/ols_lua.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/vector_lua.h"

typedef enum {
	CENTRED,   /* with an intercept: columns less their means, over their standard deviations */
	DEVIATION, /* without intercept, as glmnet: columns over their standard deviations, the response over the root of its
	                   mean square; the coefficient of a constant is 0 */
	NORM,      /* without intercept, for bounds: columns over the root of their mean square */
} scaling;

typedef struct result {
	size_t rounds;   /* 0: it did not converge */
	double objective;
	double rss;      /* weighted residual sum of squares */
	double tss;      /* weighted sum of squares of the response, around its mean for CENTRED */
} result;

/* A column is constant if its norm around its mean is at most this share of its norm: the rest is rounding. */
static double const least_deviation = 1e-12;

/* glmnet's constants: the least alpha for the start of a path; the bounds that end a path; its least number of values. */
static double const least_alpha = 1e-3, least_gain = 1e-5, most_explained = 0.999;
enum { FIRST_VALUES = 5 };

/* Column 0 is the ones, column j is that of slope j, from 1, and column `width - 1` is the response. */
typedef struct penalised {
	size_t slopes;
	size_t width;
	scaling scaled;
	double weight;    /* sum over all rows */
	void *memory;     /* of the arrays below */
	double *means;    /* of the columns; 0 unless they are centred */
	double *spreads;  /* scales of the columns; 0 for a constant, whose coefficient is 0 */
	double *triangle; /* width x width: R of the standardised columns, (column - mean) / spread */
	double *other;    /* the same for other rows */
	double *products; /* width x width: mean products of these columns */
	double *b;        /* coefficients of the standardised columns */
	double *bounds;   /* of b: lower, then upper */
	double *work;
} penalised;

/* Returns true if all responses are equal, for columns that are not centred if all are 0. */
static bool is_flat(const penalised *self)
{
	return self->spreads[self->width - 1] == 0;
}

/* Returns the scale of the response: 1 when all responses are equal. */
static double response_spread(const penalised *self)
{
	return is_flat(self) ? 1 : self->spreads[self->width - 1];
}

/* Sets `to` to the triangle of the standardised columns, (column - mean) / spread; columns of constants are not set. */
static void transform(const penalised *self, const double *triangle, double *to)
{
	for (size_t j = 1; j < self->width; j++) {
		double const spread = j + 1 == self->width ? response_spread(self) : self->spreads[j];
		const double *const column = triangle + j * self->width;
		for (size_t i = 0; spread > 0 && i <= j; i++)
			to[j * self->width + i] = (column[i] - self->means[j] * triangle[i]) / spread;
	}
}

static void find_products(penalised *self)
{
	size_t const width = self->width;
	cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, (int)width, (int)width, 1 / self->weight, self->triangle, (int)width, 0,
	            self->products, (int)width);
	for (size_t i = 0; i < width; i++)
		for (size_t j = 0; j < i; j++)
			self->products[j * width + i] = self->products[i * width + j];
}

/* Returns the scale of a column: the root of its mean square, around its mean or, as `scaling` says, around 0; 0 if that is
 * only rounding. */
static double spread_of(const penalised *self, const double *column, size_t j)
{
	bool const is_plain = self->scaled == NORM || (self->scaled == DEVIATION && j + 1 == self->width);
	double const whole = cblas_dnrm2((int)j + 1, column, 1), rest = is_plain ? whole : cblas_dnrm2((int)j, column + 1, 1);
	return rest > least_deviation * whole ? rest / sqrt(self->weight) : 0;
}

static void standardise(penalised *self, const double *triangle)
{
	self->weight = triangle[0] * triangle[0];
	for (size_t j = 1; j < self->width; j++) {
		const double *const column = triangle + j * self->width;
		self->means[j] = self->scaled == CENTRED ? column[0] / triangle[0] : 0;
		self->spreads[j] = spread_of(self, column, j);
	}
	transform(self, triangle, self->triangle);
	if (is_flat(self)) /* clears the rounding in it */
		memset(self->triangle + (self->width - 1) * self->width, 0, self->width * sizeof(double));
	find_products(self);
}

static void free_penalised(penalised *self)
{
	if (!self)
		return;
	free(self->memory);
	free(self);
}

/* Returns an object for the rows of `ols`: its first column is ones, the others belong to slopes; NULL when memory is short. */
static penalised *new_penalised(crux_ols *ols, scaling scaled)
{
	penalised *self = calloc(1, sizeof *self);
	if (!self)
		return NULL;
	size_t const width = crux_ols_terms(ols) + 1;
	self->slopes = width - 2;
	self->width = width;
	self->scaled = scaled;
	crux_array const arrays[] = {
		CRUX_ARRAY(self->means, width), CRUX_ARRAY(self->spreads, width), CRUX_ARRAY(self->triangle, width * width),
		CRUX_ARRAY(self->other, width * width), CRUX_ARRAY(self->products, width * width), CRUX_ARRAY(self->b, width),
		CRUX_ARRAY(self->bounds, 2 * width), CRUX_ARRAY(self->work, crux_descent_work(width)),
	};
	self->memory = crux_block_new(arrays, sizeof arrays / sizeof *arrays);
	if (self->memory) {
		standardise(self, crux_ols_triangle(ols));
		return self;
	}
	free_penalised(self);
	return NULL;
}

/* Returns the problem for coordinate descent. */
static crux_descent descent_of(penalised *self, double alpha, double lambda)
{
	double const strength = lambda / response_spread(self);
	return (crux_descent){.n = self->slopes,
	                      .stride = self->width,
	                      .products = self->products + self->width + 1,
	                      .targets = self->products + (self->width - 1) * self->width + 1,
	                      .l1 = strength * alpha,
	                      .l2 = strength * (1 - alpha),
	                      .work = self->work};
}

/* Returns the sum of squared residuals of the rows of a triangle, over the response's squared spread and the weight. */
static double residual_square(penalised *self, const double *triangle)
{
	double *const x = self->work;
	x[0] = 0;
	for (size_t j = 0; j < self->slopes; j++)
		x[j + 1] = -self->b[j];
	x[self->width - 1] = 1;
	cblas_dtrmv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, (int)self->width, triangle, (int)self->width, x, 1);
	return cblas_ddot((int)self->width, x, 1, x, 1) / self->weight;
}

static double penalty(const penalised *self, const crux_descent *problem)
{
	double sum = 0;
	for (size_t j = 0; j < self->slopes; j++)
		sum += problem->l1 * fabs(self->b[j]) + problem->l2 * self->b[j] * self->b[j] / 2;
	return sum;
}

static result solve(penalised *self, const crux_descent *problem, double *out)
{
	size_t const y = self->width - 1;
	result found = {.rounds = crux_descent_solve(problem, self->b)};
	double const spread = response_spread(self), left = residual_square(self, self->triangle);
	found.objective = spread * spread * (left / 2 + penalty(self, problem));
	found.rss = spread * spread * self->weight * left;
	found.tss = spread * spread * self->weight * self->products[y * self->width + y];
	double intercept = self->means[y];
	for (size_t j = 1; j < y; j++) {
		out[j] = self->spreads[j] > 0 ? self->b[j - 1] * spread / self->spreads[j] : 0;
		intercept -= out[j] * self->means[j];
	}
	out[0] = intercept;
	return found;
}

/* Sets the same coefficients for slopes within bounds, no penalty. Bounds may be infinite; lower[i] <= upper[i], i from 0. */
static result solve_bounded(penalised *self, const double *lower, const double *upper, double *out)
{
	crux_descent problem = descent_of(self, 0, 0);
	double *const ends[] = {self->bounds, self->bounds + self->width};
	for (size_t j = 0; j < self->slopes; j++) {
		double const unit = self->spreads[j + 1] / response_spread(self);
		bool const counts = unit > 0;
		ends[0][j] = counts ? lower[j] * unit : -INFINITY;
		ends[1][j] = counts ? upper[j] * unit : INFINITY;
		self->b[j] = fmin(fmax(0, ends[0][j]), ends[1][j]);
	}
	problem.lower = ends[0];
	problem.upper = ends[1];
	result const found = solve(self, &problem, out);
	for (size_t j = 0; j < self->slopes; j++) {
		double const before = out[j + 1]; /* on its bound but for rounding; 0 for a constant */
		double const at = self->b[j] == ends[0][j] ? lower[j] : self->b[j] == ends[1][j] ? upper[j] : before;
		out[j + 1] = fmin(fmax(at, lower[j]), upper[j]);
		out[0] -= self->means[j + 1] * (out[j + 1] - before);
	}
	return found;
}

/* Sets glmnet's path: up to `count` values of lambda, from the least one for which all slopes are 0 (for alpha below 0.001,
 * that of alpha 0.001) down to `ratio` times it. The path ends where the explained share of the response grows by less than
 * 1e-5 of itself or is above 0.999. Returns the number of values. */
static size_t path_of(penalised *self, double alpha, double ratio, size_t count, double *lambdas)
{
	size_t const y = self->width - 1;
	double most = 0;
	for (size_t j = 1; j < y; j++)
		most = fmax(most, fabs(self->products[y * self->width + j]));
	most *= response_spread(self) / fmax(alpha, least_alpha);
	double const whole = self->products[y * self->width + y];
	double explained = 0;
	memset(self->b, 0, self->slopes * sizeof *self->b);
	for (size_t k = 0; k < count; k++) {
		lambdas[k] = count == 1 ? most : most * pow(ratio, (double)k / (double)(count - 1));
		if (k > 0) {
			double const before = explained;
			crux_descent const problem = descent_of(self, alpha, lambdas[k]);
			crux_descent_solve(&problem, self->b);
			explained = whole - residual_square(self, self->triangle);
			bool const ends = explained - before < least_gain * explained || explained > most_explained;
			if (ends && k + 1 >= FIRST_VALUES)
				return k + 1;
		}
	}
	return count;
}

/* Adds to sums[k] the weighted squared errors of predictions for the rows of `others` by the coefficients for lambdas[k]. */
static void add_errors(penalised *self, crux_ols *others, double alpha, size_t count, const double *lambdas,
                           double *sums)
{
	double const spread = response_spread(self);
	transform(self, crux_ols_triangle(others), self->other);
	memset(self->b, 0, self->slopes * sizeof *self->b);
	for (size_t k = 0; k < count; k++) {
		crux_descent const problem = descent_of(self, alpha, lambdas[k]);
		crux_descent_solve(&problem, self->b);
		sums[k] += spread * spread * self->weight * residual_square(self, self->other);
	}
}

#define TYPE "crux.penalised"

static penalised *check(lua_State *L, int index)
{
	return *(penalised **)crux_handle_check(L, index, TYPE, "the object was closed");
}

/* new(solver, scaling) -> object, or nil and a message. The first column of the solver is ones; scaling is "centred" with
 * an intercept, else "deviation" for penalties, "norm" for bounds. */
static int penalised_new(lua_State *L)
{
	static const char *const names[] = {"centred", "deviation", "norm", NULL};
	static scaling const scalings[] = {CENTRED, DEVIATION, NORM};
	crux_ols *solver = crux_ols_check(L, 1);
	luaL_argcheck(L, crux_ols_rows(solver) > 0, 1, "no rows");
	scaling const scaled = scalings[luaL_checkoption(L, 2, NULL, names)];
	penalised **slot = crux_handle_new(L, TYPE, sizeof *slot, 0);
	*slot = new_penalised(solver, scaled);
	return *slot ? 1 : crux_fail(L, "out of memory");
}

/* object:is_flat() -> true if all responses are equal */
static int penalised_is_flat(lua_State *L)
{
	lua_pushboolean(L, is_flat(check(L, 1)));
	return 1;
}

static double check_alpha(lua_State *L, int index)
{
	double const alpha = luaL_checknumber(L, index);
	luaL_argcheck(L, alpha >= 0 && alpha <= 1, index, "from 0 to 1");
	return alpha;
}

/* Pushes a vector for the coefficients and returns its numbers. */
static double *push_coefficients(lua_State *L, const penalised *self)
{
	return crux_vector_push(L, self->slopes + 1);
}

/* Pushes { objective, rss, tss, rounds = nil if it did not converge } above the coefficients. */
static int finish(lua_State *L, result found)
{
	lua_createtable(L, 0, 4);
	crux_set_number(L, "objective", found.objective);
	crux_set_number(L, "rss", found.rss);
	crux_set_number(L, "tss", found.tss);
	if (found.rounds > 0)
		crux_set_integer(L, "rounds", (lua_Integer)found.rounds);
	return 2;
}

/* object:solve(alpha, lambda) -> vector of the intercept (0 without one) and the slopes (0 for a constant), { objective, rss, tss,
 * rounds }. The search begins at the coefficients of the last call. */
static int penalised_solve(lua_State *L)
{
	penalised *self = check(L, 1);
	double const alpha = check_alpha(L, 2), lambda = luaL_checknumber(L, 3);
	luaL_argcheck(L, lambda >= 0 && isfinite(lambda), 3, "not negative");
	crux_descent const problem = descent_of(self, alpha, lambda);
	double *const out = push_coefficients(L, self);
	return finish(L, solve(self, &problem, out));
}

/* object:bounded(lower, upper) -> the same, without penalty; lower, upper: vectors of a bound for each slope */
static int penalised_bounded(lua_State *L)
{
	penalised *self = check(L, 1);
	size_t const slopes = self->slopes;
	const double *lower = crux_vector_of(L, 2, slopes), *upper = crux_vector_of(L, 3, slopes);
	for (size_t i = 0; i < slopes; i++)
		luaL_argcheck(L, lower[i] <= upper[i], 2, "bounds that some number keeps");
	double *out = push_coefficients(L, self);
	return finish(L, solve_bounded(self, lower, upper, out));
}

/* object:path(alpha, ratio, count) -> vector of penalties, largest first */
static int penalised_path(lua_State *L)
{
	penalised *self = check(L, 1);
	double const alpha = check_alpha(L, 2), ratio = luaL_checknumber(L, 3);
	lua_Integer const most = luaL_checkinteger(L, 4);
	luaL_argcheck(L, ratio > 0 && ratio <= 1, 3, "above 0 and at most 1");
	luaL_argcheck(L, most >= 1 && most <= 100000, 4, "1 to 100000");
	double *lambdas = lua_newuserdatauv(L, (size_t)most * sizeof *lambdas, 0);
	size_t const count = path_of(self, alpha, ratio, (size_t)most, lambdas);
	double *out = crux_vector_push(L, count);
	for (size_t i = 0; i < count; i++)
		out[i] = lambdas[i];
	return 1;
}

/* object:errors(other solver, alpha, lambdas) -> vector: for each penalty the weighted sum of squared errors on the others */
static int penalised_errors(lua_State *L)
{
	penalised *self = check(L, 1);
	crux_ols *others = crux_ols_check(L, 2);
	luaL_argcheck(L, crux_ols_terms(others) == self->slopes + 1, 2, "rows of as many columns");
	double const alpha = check_alpha(L, 3);
	size_t count;
	const double *lambdas = crux_vector_check(L, 4, &count);
	double *sums = crux_vector_push(L, count);
	for (size_t i = 0; i < count; i++)
		sums[i] = 0;
	add_errors(self, others, alpha, count, lambdas, sums);
	return 1;
}

CRUX_RELEASE(penalised_release, TYPE, free_penalised)

CRUX_TABLE(methods,
	{"is_flat", penalised_is_flat},
	{"solve",   penalised_solve},
	{"bounded", penalised_bounded},
	{"path",    penalised_path},
	{"errors",  penalised_errors},
	CRUX_CLOSES(penalised_release))

CRUX_TABLE(functions,
	{"new", penalised_new})

CRUX_TYPE_LIBRARY(penalised, TYPE)
