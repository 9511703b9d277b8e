/* The functions of crux.h on games and levels: each calls a function of lua/crux/api/embed.lua. */
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "base/fault.h"
#include "host/arguments.h"
#include "host/engine.h"
#include "host/object.h"
#include "lua/binding.h"
#include "stats/vector_lua.h"

struct crux_game {
	crux_object object;
	crux_search_limit limit;
};

struct crux_level {
	crux_object object;
	crux_table measures; /* its arrays are fields of the Lua object */
};

struct crux_pool {
	crux_object object;
	crux_search_limit limit;
};

/* Arguments and results of a protected call. */
typedef struct request {
	const crux_game *game;
	crux_level *level;
	const char *text; /* of a level; path of a game */
	const crux_order *order;
	size_t number;
	crux_solution *solution;
	const char *const *names;
	size_t count; /* of the names */
	const crux_rule *rule;
	double *rating;
	const crux_pool *pool;
	const crux_curve *curve;
	double wanted, seconds; /* of a pool */
} request;

static int load(lua_State *L)
{
	request const *const r = lua_touserdata(L, 1);
	crux_engine_push(L, "crux.api.embed", "load_game");
	lua_pushstring(L, r->text);
	lua_call(L, 1, 1);
	return 1;
}

/* The number, or the greatest integer of Lua if that is less. */
static lua_Integer to_integer(size_t number)
{
	return number < LUA_MAXINTEGER ? (lua_Integer)number : LUA_MAXINTEGER;
}

/* Pushes { seconds =, states =, bytes = }, without those that are 0. */
static void push_limit(lua_State *L, crux_search_limit limit)
{
	lua_createtable(L, 0, 3);
	if (limit.seconds > 0)
		crux_set_number(L, "seconds", limit.seconds);
	if (limit.states > 0)
		crux_set_integer(L, "states", to_integer(limit.states));
	if (limit.bytes > 0)
		crux_set_integer(L, "bytes", to_integer(limit.bytes));
}

static int parse(lua_State *L)
{
	request const *const r = lua_touserdata(L, 1);
	crux_object_push_call(L, "level", r->game);
	lua_pushstring(L, r->text);
	push_limit(L, r->game->limit);
	lua_call(L, 3, 1);
	return 1;
}

static int generate(lua_State *L)
{
	enum { CHANGES = 50000 };
	static crux_table const none = {.rows = 1};
	request const *const r = lua_touserdata(L, 1);
	crux_object_push_call(L, "generate", r->game);
	lua_createtable(L, 0, 4);
	crux_set_integer(L, "seed", to_integer(r->order->seed));
	crux_set_integer(L, "changes", r->order->changes > 0 ? to_integer(r->order->changes) : CHANGES);
	crux_table_push(L, r->order->options ? r->order->options : &none);
	lua_setfield(L, -2, "options");
	crux_table_push(L, r->order->measures ? r->order->measures : &none);
	lua_setfield(L, -2, "measures");
	lua_pushinteger(L, to_integer(r->number));
	push_limit(L, r->game->limit);
	lua_call(L, 4, 1);
	return 1;
}

static int make_pool(lua_State *L)
{
	request const *const r = lua_touserdata(L, 1);
	crux_object_push_call(L, "pool", r->game);
	crux_object_push(L, r->rule);
	lua_createtable(L, 0, 4);
	crux_set_number(L, "least", r->curve->least);
	crux_set_number(L, "greatest", r->curve->greatest);
	crux_set_integer(L, "count", to_integer(r->curve->count));
	crux_set_integer(L, "seed", to_integer(r->curve->seed));
	push_limit(L, r->game->limit);
	lua_call(L, 4, 1);
	return 1;
}

static int fill(lua_State *L)
{
	request *const r = lua_touserdata(L, 1);
	crux_object_push_call(L, "fill", r->pool);
	lua_pushnumber(L, r->seconds);
	lua_call(L, 2, 1);
	r->count = (size_t)lua_tointeger(L, -1);
	return 0;
}

static int take(lua_State *L)
{
	request const *const r = lua_touserdata(L, 1);
	crux_object_push_call(L, "take", r->pool);
	lua_pushnumber(L, r->wanted);
	lua_pushnumber(L, r->seconds);
	push_limit(L, r->pool->limit);
	lua_call(L, 4, 1);
	return 1;
}

/* Returns the text in a field of the table on top of the stack, which keeps it; NULL for nil. */
static const char *text_field(lua_State *L, const char *name)
{
	lua_getfield(L, -1, name);
	const char *const text = lua_tostring(L, -1);
	lua_pop(L, 1);
	return text;
}

static int solve(lua_State *L)
{
	static const char *const statuses[] = {"solved", "unsolvable", "unknown", NULL};
	request const *const r = lua_touserdata(L, 1);
	crux_object_push_call(L, "solve", r->level);
	lua_call(L, 1, 1);
	crux_solution found = {.limit = text_field(L, "limit"), .text = text_field(L, "text"), .length = NAN};
	lua_getfield(L, -1, "status");
	found.status = (crux_status)luaL_checkoption(L, -1, NULL, statuses);
	lua_pop(L, 1);
	if (lua_getfield(L, -1, "length") != LUA_TNIL)
		found.length = lua_tonumber(L, -1);
	*r->solution = found;
	return 0;
}

static int measure(lua_State *L)
{
	request const *const r = lua_touserdata(L, 1);
	crux_table table = {.rows = 1};
	crux_object_push(L, r->level);
	crux_object_push_call(L, "measure", r->level);
	if (r->names)
		crux_texts_list_push(L, r->names, r->count);
	lua_call(L, r->names ? 2 : 1, 2); /* the values, their names */
	table.values = crux_vector_check(L, -2, &table.columns);
	const char **const names = lua_newuserdatauv(L, (table.columns + 1) * sizeof *names, 1);
	for (size_t i = 0; i < table.columns; i++) {
		lua_rawgeti(L, -2, (lua_Integer)i + 1);
		names[i] = lua_tostring(L, -1);
		lua_pop(L, 1);
	}
	lua_insert(L, -2);
	lua_setiuservalue(L, -2, 1); /* keeps the texts */
	table.names = names;
	table.length = table.columns;
	lua_setfield(L, -3, "names");
	lua_setfield(L, -2, "values");
	r->level->measures = table;
	return 0;
}

static int rate(lua_State *L)
{
	request const *const r = lua_touserdata(L, 1);
	crux_object_push_call(L, "rate_level", r->level);
	crux_object_push(L, r->rule);
	lua_call(L, 2, 1);
	*r->rating = lua_tonumber(L, -1);
	return 0;
}

static int text(lua_State *L)
{
	request *const r = lua_touserdata(L, 1);
	crux_object_push_call(L, "text", r->level);
	lua_call(L, 1, 1);
	r->text = lua_tostring(L, -1);
	return 0;
}

static bool call(crux_level *level, lua_CFunction function, request *r, crux_fault *fault)
{
	r->level = level;
	return crux_engine_call(level->object.engine, function, r, fault);
}

crux_game *crux_game_load(crux_engine *engine, const char *path, crux_fault *fault)
{
	if (!crux_is_given(engine, __func__, "an engine", fault) || !crux_is_given(path, __func__, "a path", fault))
		return NULL;
	return crux_object_new(engine, sizeof(crux_game), load, &(request){.text = path}, fault);
}

void crux_game_free(crux_game *game) { crux_object_free(game); }

void crux_game_limit(crux_game *game, crux_search_limit limit)
{
	if (game)
		game->limit = limit;
}

crux_level *crux_level_parse(crux_game *game, const char *content, crux_fault *fault)
{
	if (!crux_is_given(game, __func__, "a game", fault) || !crux_is_given(content, __func__, "the text of a level", fault))
		return NULL;
	request r = {.game = game, .text = content};
	return crux_object_new(game->object.engine, sizeof(crux_level), parse, &r, fault);
}

/* True unless the table of an order is wrong; NULL is right. */
static bool is_row(const crux_table *table, const char *function, crux_fault *fault)
{
	if (!table)
		return true;
	if (table->rows != 1)
		crux_fault_set(fault, "%s: found a table of %zu rows, expected one row", function, table->rows);
	return table->rows == 1 && crux_is_table(table, function, fault);
}

crux_level *crux_generate(crux_game *game, const crux_order *order, size_t number, crux_fault *fault)
{
	if (!crux_is_given(game, __func__, "a game", fault) || !crux_is_given(order, __func__, "an order", fault) ||
	    !is_row(order->options, __func__, fault) || !is_row(order->measures, __func__, fault))
		return NULL;
	request r = {.game = game, .order = order, .number = number};
	return crux_object_new(game->object.engine, sizeof(crux_level), generate, &r, fault);
}

void crux_level_free(crux_level *level) { crux_object_free(level); }

bool crux_level_solve(crux_level *level, crux_solution *solution, crux_fault *fault)
{
	return crux_is_given(level, __func__, "a level", fault) && crux_is_given(solution, __func__, "a place for the solution", fault) &&
	       call(level, solve, &(request){.solution = solution}, fault);
}

const crux_table *crux_level_measure(crux_level *level, const char *const *names, size_t count, crux_fault *fault)
{
	bool const is_right = crux_is_given(level, __func__, "a level", fault) &&
	                      crux_is_long_enough(names, count, count, __func__, "names", fault) &&
	                      crux_are_names(names, count, __func__, "measure", fault) &&
	                      call(level, measure, &(request){.names = names, .count = count}, fault);
	return is_right ? &level->measures : NULL;
}

/* Refuses a rule of another engine than that of a game or level. */
static bool is_of_engine(const crux_rule *rule, const crux_engine *engine, const char *function, const char *of, crux_fault *fault)
{
	bool const is_same = ((crux_object const *)rule)->engine == engine;
	if (!is_same)
		crux_fault_set(fault, "%s: found a rule of another engine, expected one of the %s's engine", function, of);
	return is_same;
}

bool crux_level_rate(crux_level *level, crux_rule *rule, double *rating, crux_fault *fault)
{
	if (!crux_is_given(level, __func__, "a level", fault) || !crux_is_given(rule, __func__, "a rule", fault) ||
	    !crux_is_given(rating, __func__, "a place for the rating", fault))
		return false;
	return is_of_engine(rule, level->object.engine, __func__, "level", fault) &&
	       call(level, rate, &(request){.rule = rule, .rating = rating}, fault);
}

crux_pool *crux_pool_new(crux_game *game, crux_rule *rule, const crux_curve *curve, crux_fault *fault)
{
	if (!crux_is_given(game, __func__, "a game", fault) || !crux_is_given(rule, __func__, "a rule", fault) ||
	    !crux_is_given(curve, __func__, "a curve", fault) || !is_of_engine(rule, game->object.engine, __func__, "game", fault))
		return NULL;
	request r = {.game = game, .rule = rule, .curve = curve};
	crux_pool *const pool = crux_object_new(game->object.engine, sizeof *pool, make_pool, &r, fault);
	if (pool)
		pool->limit = game->limit;
	return pool;
}

void crux_pool_free(crux_pool *pool) { crux_object_free(pool); }

bool crux_pool_fill(crux_pool *pool, double seconds, size_t *missing, crux_fault *fault)
{
	request r = {.pool = pool, .seconds = seconds};
	if (!crux_is_given(pool, __func__, "a pool", fault) || !crux_engine_call(pool->object.engine, fill, &r, fault))
		return false;
	if (missing)
		*missing = r.count;
	return true;
}

crux_level *crux_pool_take(crux_pool *pool, double rating, double seconds, crux_fault *fault)
{
	if (!crux_is_given(pool, __func__, "a pool", fault))
		return NULL;
	request r = {.pool = pool, .wanted = rating, .seconds = seconds};
	return crux_object_new(pool->object.engine, sizeof(crux_level), take, &r, fault);
}

const char *crux_level_text(crux_level *level, crux_fault *fault)
{
	request r = {0};
	return crux_is_given(level, __func__, "a level", fault) && call(level, text, &r, fault) ? r.text : NULL;
}
