/* libcrux.linear_program: linear programs over vectors; see linear_program.h. */
#include <lauxlib.h>
#include <math.h>

#include "fit/linear_program.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/vector_lua.h"

/* Returns the n numbers of a vector that is a field of the first argument, which keeps the vector alive. */
static const double *check_field(lua_State *L, const char *name, size_t n, bool infinite)
{
	const double *const numbers = crux_vector_field(L, 1, name, n, false);
	for (size_t i = 0; i < n; i++)
		if (isnan(numbers[i]) || (isinf(numbers[i]) && !infinite))
			luaL_error(L, "%s: expected %s", name, infinite ? "no NaN" : "finite numbers");
	lua_pop(L, 1);
	return numbers;
}

/* Reads the field `matrix`, a list of vectors of one number per variable. Pushes the list and one userdata. */
static void check_matrix(lua_State *L, crux_linear_program *program)
{
	luaL_argcheck(L, lua_getfield(L, 1, "matrix") == LUA_TTABLE, 1, "matrix: expected a list of vectors");
	program->rows = crux_check_length(L, lua_gettop(L));
	const double **const matrix = lua_newuserdatauv(L, program->rows * sizeof *matrix, 0);
	for (size_t row = 0; row < program->rows; row++) {
		size_t n;
		lua_rawgeti(L, -2, (lua_Integer)row + 1);
		matrix[row] = crux_vector_check(L, -1, &n);
		lua_pop(L, 1); /* the list keeps it alive */
		luaL_argcheck(L, n == program->variables, 1, "matrix: vectors of different lengths");
		for (size_t i = 0; i < n; i++)
			luaL_argcheck(L, isfinite(matrix[row][i]), 1, "matrix: expected finite numbers");
	}
	program->matrix = matrix;
}

/* solve { matrix = rows of vectors, objective =, lower =, upper =, row_lower =, row_upper = vectors, most_iterations = }
 * -> "optimal", the variables, the duals, the value; or "infeasible", "unbounded", "stopped"; or nil and a message */
static int solve(lua_State *L)
{
	static const char *const statuses[] = {"optimal", "infeasible", "unbounded", "stopped"};
	static const char *const failures[] = {"a linear program too large", "out of memory",
	                                       "found no libClp.so.1, COIN-OR's Clp, expected it where libraries are"};
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	crux_linear_program program = {.most_iterations = crux_check_limit(L, 1, "most_iterations")};
	lua_getfield(L, 1, "objective");
	crux_vector_check(L, -1, &program.variables);
	program.objective = check_field(L, "objective", program.variables, false);
	check_matrix(L, &program);
	program.lower = check_field(L, "lower", program.variables, true);
	program.upper = check_field(L, "upper", program.variables, true);
	program.row_lower = check_field(L, "row_lower", program.rows, true);
	program.row_upper = check_field(L, "row_upper", program.rows, true);
	double *const variables = crux_vector_push(L, program.variables);
	double *const duals = crux_vector_push(L, program.rows);
	double value;
	crux_linear_status const status = crux_linear_program_solve(&program, variables, duals, &value);
	if (status >= CRUX_LINEAR_TOO_LARGE)
		return crux_fail(L, failures[status - CRUX_LINEAR_TOO_LARGE]);
	lua_pushstring(L, statuses[status]);
	if (status != CRUX_LINEAR_OPTIMAL)
		return 1;
	lua_insert(L, -3);
	lua_pushnumber(L, value);
	return 4;
}

CRUX_LIBRARY(linear_program,
	{"solve", solve})
