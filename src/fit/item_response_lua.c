/* libcrux.item_response: item response models; see item_response.h. */
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "base/sizes.h"
#include "fit/item_response.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/vector_lua.h"

/* Pushes a field of the first argument, a vector of n integers from 1 to `most`, each of which occurs; returns these. */
static const double *check_numbers(lua_State *L, const char *name, size_t n, size_t most)
{
	const double *const numbers = crux_vector_field(L, 1, name, n, false);
	bool *const seen = memset(lua_newuserdatauv(L, most, 0), 0, most);
	size_t different = 0;
	for (size_t i = 0; i < n; i++) {
		luaL_argcheck(L, numbers[i] >= 1 && numbers[i] <= (double)most && numbers[i] == floor(numbers[i]), 1,
		              "expected numbers of players and levels");
		different += !seen[(size_t)numbers[i] - 1];
		seen[(size_t)numbers[i] - 1] = true;
	}
	luaL_argcheck(L, different == most, 1, "expected plays of each player and each level");
	lua_pop(L, 1);
	return numbers;
}

/* Reads the model in the first argument; pushes its vectors. */
static void check_model(lua_State *L, crux_item_response *model)
{
	static const char *const slopes[] = {"one", "common", "own", NULL};
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	luaL_checkstack(L, 20, NULL);
	*model = (crux_item_response){.players = crux_check_limit(L, 1, "players"), .levels = crux_check_limit(L, 1, "levels"),
		.nodes = crux_check_limit(L, 1, "nodes")};
	luaL_argcheck(L, model->players > 0 && model->levels > 0, 1, "expected players and levels");
	luaL_argcheck(L, model->nodes > 0 && model->nodes <= CRUX_MOST_QUADRATURE_NODES, 1,
	              "nodes: expected a number of nodes within the limit");
	lua_getfield(L, 1, "slopes");
	model->slopes = (crux_slopes)luaL_checkoption(L, -1, NULL, slopes);
	lua_getfield(L, 1, "solved");
	model->solved = crux_vector_check(L, -1, &model->plays);
	luaL_argcheck(L, model->players <= model->plays && model->levels <= model->plays, 1, "expected plays of each player");
	for (size_t i = 0; i < model->plays; i++)
		luaL_argcheck(L, model->solved[i] == 0 || model->solved[i] == 1, 1, "solved: expected 0 or 1");
	model->player = check_numbers(L, "player", model->plays, model->players);
	model->level = check_numbers(L, "level", model->plays, model->levels);
	if (lua_getfield(L, 1, "columns") != LUA_TNIL)
		model->columns = crux_vectors_check(L, lua_gettop(L), model->levels, &model->measures);
	if (model->measures > 0) {
		lua_getfield(L, 1, "precision");
		model->precision = luaL_checknumber(L, -1);
		luaL_argcheck(L, model->precision > 0 && isfinite(model->precision), 1, "precision: expected a number above 0");
	}
	lua_getfield(L, 1, "holds");
	model->holds = lua_toboolean(L, -1);
	for (size_t i = 0; i < model->measures; i++)
		for (size_t level = 0; level < model->levels; level++)
			luaL_argcheck(L, isfinite(model->columns[i][level]), 1, "columns: expected finite numbers");
}

/* Pushes a vector of n numbers, and sets it as a field of the table at that index. */
static double *new_field(lua_State *L, int table, const char *name, size_t n)
{
	double *const numbers = crux_vector_push(L, n);
	lua_setfield(L, table, name);
	return numbers;
}

/* fit { players, levels, nodes = numbers, player, level, solved = vectors of the plays, slopes = "one", "common" or "own",
 * start = vector, columns = list of vectors or nil, precision = number with columns, holds = boolean or nil } -> table of the fields of
 * crux_item_estimates, or nil and a message */
static int item_response_fit(lua_State *L)
{
	crux_item_response model;
	check_model(L, &model);
	size_t const count = crux_item_response_parameters(&model);
	luaL_argcheck(L, count <= CRUX_MOST_ITEM_PARAMETERS, 1, "expected a number of parameters within the limit");
	const double *const start = crux_vector_field(L, 1, "start", count, false);
	for (size_t i = 0; i < count; i++)
		luaL_argcheck(L, isfinite(start[i]), 1, "start: expected finite numbers");
	lua_newtable(L);
	int const table = lua_gettop(L);
	crux_item_estimates estimates = {.parameters = new_field(L, table, "parameters", count),
		.covariances = new_field(L, table, "covariances", count * count),
		.abilities = new_field(L, table, "abilities", model.players), .errors = new_field(L, table, "errors", model.players)};
	memcpy(estimates.parameters, start, count * sizeof *start);
	memset(estimates.abilities, 0, model.players * sizeof *estimates.abilities);
	memset(estimates.errors, 0, model.players * sizeof *estimates.errors);
	if (!crux_item_response_fit(&model, &estimates))
		return crux_fail(L, "out of memory");
	crux_set_number(L, "log_likelihood", estimates.log_likelihood);
	crux_set_number(L, "objective", estimates.objective);
	crux_set_number(L, "log_determinant", estimates.log_determinant);
	crux_set_number(L, "level_determinant", estimates.level_determinant);
	crux_set_integer(L, "iterations", (lua_Integer)estimates.iterations);
	lua_pushboolean(L, estimates.converged);
	lua_setfield(L, table, "converged");
	return 1;
}

CRUX_LIBRARY(item_response,
	{"fit", item_response_fit})
