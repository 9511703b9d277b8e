/* libcrux.minimise: nonlinear least squares of Lua functions; see minimise.h. */
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "fit/minimise.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/vector_lua.h"

/* The context of the callback; the function to call is at stack index 2. */
typedef struct calling {
	lua_State *L;
	size_t variables, residuals;
	const double *from;
	double *to;
} calling;

/* Calls the function with a vector of the variables and copies the residuals that it returns. */
static int call_function(lua_State *L)
{
	calling *at = lua_touserdata(L, 2);
	lua_settop(L, 1);
	memcpy(crux_vector_push(L, at->variables), at->from, at->variables * sizeof *at->from);
	lua_call(L, 1, 1);
	size_t n;
	const double *residuals = crux_vector_check(L, 1, &n);
	if (n != at->residuals)
		return luaL_error(L, "evaluate: expected %d residuals", (int)at->residuals);
	memcpy(at->to, residuals, n * sizeof *residuals);
	return 0;
}

/* Calls the function protected, so that no error jumps over the frames of the search. Pushes an error and returns false. */
static bool evaluate(void *context, const double *variables, double *residuals)
{
	calling *at = context;
	at->from = variables;
	at->to = residuals;
	lua_pushcfunction(at->L, call_function);
	lua_pushvalue(at->L, 2);
	lua_pushlightuserdata(at->L, at);
	return lua_pcall(at->L, 2, 0, 0) == LUA_OK;
}

/* Reads the first argument; leaves the function at index 2 and the vectors above it. Returns the start. */
static const double *check_squares(lua_State *L, crux_squares *squares, calling *at)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	luaL_argcheck(L, lua_getfield(L, 1, "evaluate") == LUA_TFUNCTION, 1, "evaluate: expected a function");
	*squares = (crux_squares){.evaluate = evaluate, .context = at};
	lua_getfield(L, 1, "start");
	const double *start = crux_vector_check(L, -1, &squares->variables);
	luaL_argcheck(L, squares->variables > 0, 1, "start: expected numbers");
	squares->low = crux_vector_field(L, 1, "low", squares->variables, false);
	squares->high = crux_vector_field(L, 1, "high", squares->variables, false);
	for (size_t i = 0; i < squares->variables; i++)
		luaL_argcheck(L, isfinite(start[i]) && squares->low[i] <= start[i] && start[i] <= squares->high[i] &&
		              squares->low[i] < squares->high[i], 1, "expected a start between low and high");
	squares->residuals = crux_check_limit(L, 1, "residuals");
	luaL_argcheck(L, squares->residuals > 0, 1, "residuals: expected their number");
	size_t const most = crux_check_limit(L, 1, "most_evaluations");
	squares->most_evaluations = most > 0 ? most : SIZE_MAX;
	*at = (calling){.L = L, .variables = squares->variables, .residuals = squares->residuals};
	return start;
}

/* Raises the function's error; pushes nil and a message if memory is short or the size is wrong; else returns 0. */
static int fail(lua_State *L, crux_minimise_status status)
{
	if (status == CRUX_MINIMISE_STOPPED)
		return lua_error(L);
	if (status == CRUX_MINIMISE_NO_MEMORY || status == CRUX_MINIMISE_TOO_LARGE)
		return crux_fail(L, status == CRUX_MINIMISE_NO_MEMORY ? "out of memory" : "too many residuals, or too few");
	return 0;
}

/* squares { by = "gradient" or "simplex", start, low, high = vectors, residuals = their number, most_evaluations =,
 * evaluate = function(vector) -> vector } -> "converged", "still", "limit" or "away", the variables, the number of evaluations;
 * or nil and a message. Raises what evaluate raises. */
static int minimise_squares(lua_State *L)
{
	static const char *const methods[] = {"gradient", "simplex", NULL};
	crux_squares squares;
	calling at;
	const double *start = check_squares(L, &squares, &at);
	lua_getfield(L, 1, "by");
	int const method = luaL_checkoption(L, -1, "gradient", methods);
	double *variables = crux_vector_push(L, squares.variables);
	memcpy(variables, start, squares.variables * sizeof *start);
	size_t evaluations = 0;
	crux_minimise_status const status = (method == 0 ? crux_minimise_by_gradient : crux_minimise_by_simplex)(
		&squares, variables, &evaluations);
	int const failed = fail(L, status);
	if (failed > 0)
		return failed;
	lua_pushstring(L, status == CRUX_MINIMISE_CONVERGED ? "converged"
	                   : status == CRUX_MINIMISE_STILL   ? "still"
	                   : status == CRUX_MINIMISE_AWAY    ? "away"
	                                                     : "limit");
	lua_insert(L, -2);
	lua_pushinteger(L, (lua_Integer)evaluations);
	return 3;
}

/* jacobian { start, low, high, residuals, evaluate as above } -> a list: for each variable the vector of the derivatives by it;
 * or nil and a message */
static int minimise_jacobian(lua_State *L)
{
	crux_squares squares;
	calling at;
	const double *start = check_squares(L, &squares, &at);
	squares.most_evaluations = SIZE_MAX;
	double *columns = crux_vector_push(L, squares.variables * squares.residuals);
	int const failed = fail(L, crux_minimise_jacobian(&squares, start, columns));
	if (failed > 0)
		return failed;
	lua_createtable(L, (int)squares.variables, 0);
	for (size_t i = 0; i < squares.variables; i++) {
		memcpy(crux_vector_push(L, squares.residuals), columns + i * squares.residuals, squares.residuals * sizeof *columns);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

CRUX_TABLE(functions,
	{"squares",  minimise_squares},
	{"jacobian", minimise_jacobian})

int crux_open_minimise(lua_State *L)
{
	luaL_newlib(L, functions);
	lua_pushnumber(L, CRUX_MINIMISE_AWAY_RATIO);
	lua_setfield(L, -2, "away_ratio");
	return 1;
}
