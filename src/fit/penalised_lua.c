/* libcrux.penalised: least squares with penalties or bounds for the rows of an object of libcrux.ols. */
#include <lauxlib.h>
#include <math.h>

#include "fit/ols.h"
#include "fit/ols_lua.h"
#include "fit/penalised.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/vector_lua.h"

#define TYPE "crux.penalised"

static crux_penalised *check(lua_State *L, int index)
{
	return *(crux_penalised **)crux_handle_check(L, index, TYPE, "the object was closed");
}

/* new(solver, scaling) -> object, or nil and a message. The first column of the solver is ones; scaling is "centred" with
 * an intercept, else "deviation" for penalties, "norm" for bounds. */
static int penalised_new(lua_State *L)
{
	static const char *const names[] = {"centred", "deviation", "norm", NULL};
	static crux_scaling const scalings[] = {CRUX_CENTRED, CRUX_DEVIATION, CRUX_NORM};
	crux_ols *solver = crux_ols_check(L, 1);
	luaL_argcheck(L, crux_ols_rows(solver) > 0, 1, "no rows");
	crux_scaling const scaling = scalings[luaL_checkoption(L, 2, NULL, names)];
	crux_penalised **slot = crux_handle_new(L, TYPE, sizeof *slot, 0);
	*slot = crux_penalised_new(solver, scaling);
	return *slot ? 1 : crux_fail(L, "out of memory");
}

/* object:is_flat() -> true if all responses are equal */
static int penalised_is_flat(lua_State *L)
{
	lua_pushboolean(L, crux_penalised_is_flat(check(L, 1)));
	return 1;
}

static double check_alpha(lua_State *L, int index)
{
	double const alpha = luaL_checknumber(L, index);
	luaL_argcheck(L, alpha >= 0 && alpha <= 1, index, "from 0 to 1");
	return alpha;
}

/* Pushes a vector for the coefficients and returns its numbers. */
static double *push_coefficients(lua_State *L, const crux_penalised *self)
{
	return crux_vector_push(L, crux_penalised_slopes(self) + 1);
}

/* Pushes { objective, rss, tss, rounds = nil if it did not converge } above the coefficients. */
static int finish(lua_State *L, crux_penalised_result result)
{
	lua_createtable(L, 0, 4);
	crux_set_number(L, "objective", result.objective);
	crux_set_number(L, "rss", result.rss);
	crux_set_number(L, "tss", result.tss);
	if (result.rounds > 0)
		crux_set_integer(L, "rounds", (lua_Integer)result.rounds);
	return 2;
}

/* object:solve(alpha, lambda) -> vector of the intercept and the slopes, { objective, rss, tss, rounds } */
static int penalised_solve(lua_State *L)
{
	crux_penalised *self = check(L, 1);
	double const alpha = check_alpha(L, 2), lambda = luaL_checknumber(L, 3);
	luaL_argcheck(L, lambda >= 0 && isfinite(lambda), 3, "not negative");
	double *out = push_coefficients(L, self);
	return finish(L, crux_penalised_solve(self, alpha, lambda, out));
}

/* object:bounded(lower, upper) -> the same, without penalty; lower, upper: vectors of a bound for each slope */
static int penalised_bounded(lua_State *L)
{
	crux_penalised *self = check(L, 1);
	size_t const slopes = crux_penalised_slopes(self);
	const double *lower = crux_vector_of(L, 2, slopes), *upper = crux_vector_of(L, 3, slopes);
	for (size_t i = 0; i < slopes; i++)
		luaL_argcheck(L, lower[i] <= upper[i], 2, "bounds that some number keeps");
	double *out = push_coefficients(L, self);
	return finish(L, crux_penalised_bounded(self, lower, upper, out));
}

/* object:path(alpha, ratio, count) -> vector of penalties, largest first */
static int penalised_path(lua_State *L)
{
	crux_penalised *self = check(L, 1);
	double const alpha = check_alpha(L, 2), ratio = luaL_checknumber(L, 3);
	lua_Integer const most = luaL_checkinteger(L, 4);
	luaL_argcheck(L, ratio > 0 && ratio <= 1, 3, "above 0 and at most 1");
	luaL_argcheck(L, most >= 1 && most <= 100000, 4, "1 to 100000");
	double *lambdas = lua_newuserdatauv(L, (size_t)most * sizeof *lambdas, 0);
	size_t const count = crux_penalised_path(self, alpha, ratio, (size_t)most, lambdas);
	double *out = crux_vector_push(L, count);
	for (size_t i = 0; i < count; i++)
		out[i] = lambdas[i];
	return 1;
}

/* object:errors(other solver, alpha, lambdas) -> vector: for each penalty the weighted sum of squared errors on the others */
static int penalised_errors(lua_State *L)
{
	crux_penalised *self = check(L, 1);
	crux_ols *others = crux_ols_check(L, 2);
	luaL_argcheck(L, crux_ols_terms(others) == crux_penalised_slopes(self) + 1, 2, "rows of as many columns");
	double const alpha = check_alpha(L, 3);
	size_t count;
	const double *lambdas = crux_vector_check(L, 4, &count);
	double *sums = crux_vector_push(L, count);
	for (size_t i = 0; i < count; i++)
		sums[i] = 0;
	crux_penalised_errors(self, others, alpha, count, lambdas, sums);
	return 1;
}

CRUX_RELEASE(penalised_release, TYPE, crux_penalised_free)

static const luaL_Reg methods[] = {
	{"is_flat", penalised_is_flat},
	{"solve",   penalised_solve},
	{"bounded", penalised_bounded},
	{"path",    penalised_path},
	{"errors",  penalised_errors},
	{"__gc",    penalised_release},
	{"__close", penalised_release},
	{NULL,      NULL},
};

static const luaL_Reg functions[] = {
	{"new", penalised_new},
	{NULL,  NULL},
};

CRUX_TYPE_LIBRARY(penalised, TYPE)
