/* libcrux.ablation: the errors of all subsets of measures; ablation.h says how. */
#include "ablation.h"

#include <lauxlib.h>

#include "binding.h"
#include "primitives.h"

/* The folds, numbers from 1 in the vector at index 3, as C has them; pushes their memory. */
static const size_t *check_folds(lua_State *L, crux_ablation *study)
{
	size_t n;
	double const *numbers = crux_vector_check(L, 3, &n);
	luaL_argcheck(L, n == study->rows, 3, "one fold for each row");
	size_t *fold = lua_newuserdatauv(L, (n + 1) * sizeof *fold, 0);
	study->folds = 0;
	for (size_t row = 0; row < n; row++) {
		luaL_argcheck(L, numbers[row] >= 1 && numbers[row] <= (double)n, 3, "folds from 1 to the number of rows");
		fold[row] = (size_t)numbers[row] - 1;
		study->folds = fold[row] + 1 > study->folds ? fold[row] + 1 : study->folds;
	}
	return fold;
}

/* errors(columns, response, folds, tolerance) -> vector: at 1 + subset the mean squared error of that subset, the baseline's
 * at 1; or nil and a message. `columns` is a list of vectors, `folds` a vector of numbers from 1. */
static int ablation_errors(lua_State *L)
{
	crux_ablation study = {.tolerance = luaL_checknumber(L, 4)};
	study.response = crux_vector_check(L, 2, &study.rows);
	luaL_argcheck(L, study.rows > 0, 2, "at least one row");
	study.fold = check_folds(L, &study);
	study.columns = crux_vectors_check(L, 1, study.rows, &study.measures);
	luaL_argcheck(L, study.measures <= CRUX_ABLATION_MOST, 1, "at most 20 columns");
	double *errors = crux_vector_push(L, (size_t)1 << study.measures);
	return crux_ablation_errors(&study, errors) ? 1 : crux_fail(L, "out of memory");
}

/* best(errors, count) -> list of as many subsets (of all but the empty one if there are fewer), best first */
static int ablation_best(lua_State *L)
{
	size_t n, measures = 0;
	double const *errors = crux_vector_check(L, 1, &n);
	while ((size_t)1 << measures < n && measures < CRUX_ABLATION_MOST)
		measures++;
	luaL_argcheck(L, (size_t)1 << measures == n, 1, "a vector of 2^measures errors");
	lua_Integer count = luaL_checkinteger(L, 2);
	luaL_argcheck(L, count >= 0, 2, "a number of subsets is not negative");
	if (count > (lua_Integer)n - 1)
		count = (lua_Integer)n - 1;
	uint32_t *subsets = lua_newuserdatauv(L, (size_t)count * sizeof *subsets + 1, 0);
	crux_ablation_best(measures, errors, (size_t)count, subsets);
	lua_createtable(L, (int)count, 0);
	for (lua_Integer i = 0; i < count; i++) {
		lua_pushinteger(L, subsets[i]);
		lua_rawseti(L, -2, i + 1);
	}
	return 1;
}

static const luaL_Reg functions[] = {
	{"errors", ablation_errors},
	{"best",   ablation_best},
	{NULL,     NULL},
};

int crux_open_ablation(lua_State *L)
{
	luaL_newlib(L, functions);
	lua_pushinteger(L, CRUX_ABLATION_MOST);
	lua_setfield(L, -2, "most");
	return 1;
}
