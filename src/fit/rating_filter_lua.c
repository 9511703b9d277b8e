/* libcrux.rating_filter: ratings of players and levels that learn with each play; see rating_filter.h. Players are side 1 and levels
 * side 2, numbered from 1 on. */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "base/block.h"
#include "fit/rating_filter.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/vector_lua.h"

#define TYPE "crux.rating_filter"

typedef struct side {
	size_t n, capacity;
	crux_rated *rated;
} side;

typedef struct state {
	crux_rating_filter filter;
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
	crux_rating_filter filter = {.model = (crux_rating_model)luaL_checkoption(L, -1, NULL, models), .residual = NAN,
		.deviations = {check_positive(L, "player"), check_positive(L, "level")}, .drift = check_positive(L, "drift"),
		.period = check_positive(L, "period")};
	if (lua_getfield(L, 1, "residual") != LUA_TNIL)
		filter.residual = check_positive(L, "residual");
	crux_rating_filter_prepare(&filter);
	state **const slot = crux_handle_new(L, TYPE, sizeof *slot, 0);
	*slot = calloc(1, sizeof **slot);
	if (!*slot)
		return luaL_error(L, "not enough memory");
	(*slot)->filter = filter;
	return 1;
}

/* The player or level of that number, and new ones before it. */
static crux_rated *rated(lua_State *L, state *s, size_t at, double number)
{
	side *const one = &s->sides[at];
	luaL_argcheck(L, number >= 1 && number <= INT32_MAX, (int)at + 2, "numbers of players and levels");
	size_t const wanted = (size_t)number;
	if (!crux_array_grow(CRUX_ARRAY(one->rated, wanted), &one->capacity))
		luaL_error(L, "not enough memory");
	while (one->n < wanted)
		one->rated[one->n++] = crux_rating_filter_new(&s->filter, at);
	return &one->rated[wanted - 1];
}

/* The vector at that index, of n numbers; NULL for nil. */
static const double *column(lua_State *L, int index, size_t n)
{
	size_t found;
	if (lua_isnoneornil(L, index))
		return NULL;
	double const *const values = crux_vector_check(L, index, &found);
	luaL_argcheck(L, found == n, index, "vectors of the same length");
	return values;
}

enum { RESULT, SURPRISE, EXPECTED, PLAYER, PLAYER_ERROR, LEVEL, LEVEL_ERROR, RESULTS };

/* filter:play(players, levels, responses, offsets, bounds, clocks), the last three vectors or nil -> vectors of the results, "taken",
 * "late", "again" or "earlier" as 0 to 3; surprises; expected responses; after each play the player's mean and error, and the level's
 * with its offset. Of a play that was not taken, surprise is 0 and expected NaN. */
static int filter_play(lua_State *L)
{
	state *const s = check(L);
	size_t n;
	double const *const players = crux_vector_check(L, 2, &n), *const levels = column(L, 3, n), *const responses = column(L, 4, n);
	double const *const offsets = column(L, 5, n), *const bounds = column(L, 6, n), *const clocks = column(L, 7, n);
	luaL_argcheck(L, levels && responses, 3, "levels and responses");
	double *out[RESULTS];
	for (int k = 0; k < RESULTS; k++)
		out[k] = crux_vector_push(L, n);
	for (size_t i = 0; i < n; i++) {
		crux_rated_play const play = {offsets ? offsets[i] : 0, responses[i], bounds && bounds[i] != 0, clocks ? clocks[i] : NAN};
		crux_rated *const player = rated(L, s, 0, players[i]), *const level = rated(L, s, 1, levels[i]);
		out[SURPRISE][i] = 0;
		out[EXPECTED][i] = NAN;
		out[RESULT][i] = (double)crux_rating_filter_play(&s->filter, &play, player, level, &out[EXPECTED][i], &out[SURPRISE][i]);
		out[PLAYER][i] = player->mean;
		out[PLAYER_ERROR][i] = sqrt(player->variance);
		out[LEVEL][i] = level->mean + level->offset;
		out[LEVEL_ERROR][i] = sqrt(level->variance);
	}
	return RESULTS;
}

enum { FIELDS = 6 }; /* of crux_rated */

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
		crux_rated const r = one->rated[i];
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
		luaL_argcheck(L, (in[k] = column(L, 3 + k, n)), 3 + k, "a vector");
	for (size_t i = 0; i < n; i++)
		*rated(L, s, at, (double)i + 1) = (crux_rated){in[0][i], in[1][i], in[2][i], in[3][i], in[4][i], in[5][i]};
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

static const luaL_Reg methods[] = {
	{"play",    filter_play},
	{"ratings", filter_ratings},
	{"restore", filter_restore},
	{"__gc",    filter_release},
	{"__close", filter_release},
	{NULL,      NULL},
};

/* glicko2(mean, variance, volatility, means, variances, outcomes) -> mean, variance and volatility after a period of these games */
static int filter_glicko2(lua_State *L)
{
	size_t n;
	crux_rated one = {.mean = luaL_checknumber(L, 1), .variance = luaL_checknumber(L, 2), .volatility = luaL_checknumber(L, 3)};
	double const *const means = crux_vector_check(L, 4, &n), *const variances = column(L, 5, n), *const outcomes = column(L, 6, n);
	luaL_argcheck(L, variances && outcomes, 5, "variances and outcomes");
	crux_glicko2_period(&one, n, means, variances, outcomes);
	lua_pushnumber(L, one.mean);
	lua_pushnumber(L, one.variance);
	lua_pushnumber(L, one.volatility);
	return 3;
}

static const luaL_Reg functions[] = {
	{"new",     filter_new},
	{"glicko2", filter_glicko2},
	{NULL,      NULL},
};

CRUX_TYPE_LIBRARY(rating_filter, TYPE)
