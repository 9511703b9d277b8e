/* The public functions on rules (crux.h): each hands its arguments to the function of lua/crux/api/embed.lua of the same
 * meaning. */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fault.h"
#include "host/engine.h"
#include "lua/binding.h"
#include "stats/vector_lua.h"

typedef struct term_list {
	size_t count;
	crux_term *terms; /* each owns its name */
} term_list;

struct crux_rule {
	crux_engine *engine;
	int reference; /* of the Lua object, in the registry */
	term_list list;
};

/* What travels into a protected call. */
typedef struct request {
	crux_rule *rule;
	const char *text;
	const char *weights;
	const crux_table *table;
	double *ratings;
	crux_summary *summary;
	term_list list; /* built by the call; the caller frees what is left in it */
} request;

static void free_terms(term_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free((char *)list->terms[i].name);
	free(list->terms);
	*list = (term_list){0, NULL};
}

static double number_field(lua_State *L, const char *name)
{
	lua_getfield(L, -1, name);
	double const value = lua_isnumber(L, -1) ? lua_tonumber(L, -1) : NAN;
	lua_pop(L, 1);
	return value;
}

/* Copies what embed.terms(rule) lists of the Lua rule on top of the stack. */
static void read_terms(lua_State *L, request *r)
{
	crux_engine_push(L, "crux.api.embed", "terms");
	lua_pushvalue(L, -2);
	lua_call(L, 1, 1);
	size_t const count = lua_rawlen(L, -1);
	r->list.terms = calloc(count + 1, sizeof *r->list.terms);
	if (!r->list.terms)
		luaL_error(L, "out of memory");
	for (size_t i = 0; i < count; i++) {
		crux_term *term = &r->list.terms[i];
		lua_rawgeti(L, -1, (lua_Integer)i + 1);
		lua_getfield(L, -1, "term");
		term->name = strdup(luaL_checkstring(L, -1));
		lua_pop(L, 1);
		if (!term->name)
			luaL_error(L, "out of memory");
		r->list.count++;
		term->estimate = number_field(L, "estimate");
		term->std_error = number_field(L, "std_error");
		term->t = number_field(L, "t");
		term->p = number_field(L, "p");
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
}

/* Makes the Lua rule on top of the stack, which it pops, the one that r->rule stands for. */
static int keep_rule(lua_State *L, request *r)
{
	read_terms(L, r);
	int const reference = luaL_ref(L, LUA_REGISTRYINDEX);
	luaL_unref(L, LUA_REGISTRYINDEX, r->rule->reference);
	r->rule->reference = reference;
	free_terms(&r->rule->list);
	r->rule->list = r->list;
	r->list = (term_list){0, NULL};
	return 0;
}

static int load(lua_State *L)
{
	request *r = lua_touserdata(L, 1);
	crux_engine_push(L, "crux.api.embed", "load");
	lua_pushstring(L, r->text);
	lua_call(L, 1, 1);
	return keep_rule(L, r);
}

static int from_formula(lua_State *L)
{
	request *r = lua_touserdata(L, 1);
	crux_engine_push(L, "crux.api.embed", "from_formula");
	lua_pushstring(L, r->text);
	lua_pushstring(L, r->weights); /* NULL pushes nil */
	lua_call(L, 2, 1);
	return keep_rule(L, r);
}

static int forget(lua_State *L)
{
	crux_rule const *rule = lua_touserdata(L, 1);
	luaL_unref(L, LUA_REGISTRYINDEX, rule->reference);
	return 0;
}

/* Pushes { rows = n, columns = names, vectors = { name -> vector } }. */
static void push_table(lua_State *L, const crux_table *table)
{
	lua_createtable(L, 0, 3);
	lua_pushinteger(L, (lua_Integer)table->rows);
	lua_setfield(L, -2, "rows");
	lua_createtable(L, (int)table->columns, 0);
	lua_createtable(L, 0, (int)table->columns);
	for (size_t column = 0; column < table->columns; column++) {
		lua_pushstring(L, table->names[column]);
		lua_pushvalue(L, -1);
		lua_rawseti(L, -4, (lua_Integer)column + 1);
		double *elements = crux_vector_push(L, table->rows);
		if (table->rows > 0)
			memcpy(elements, table->values + column * table->rows, table->rows * sizeof *elements);
		lua_rawset(L, -3);
	}
	lua_setfield(L, -3, "vectors");
	lua_setfield(L, -2, "columns");
}

static int rate(lua_State *L)
{
	request *r = lua_touserdata(L, 1);
	size_t n;
	crux_engine_push(L, "crux.api.embed", "rate");
	lua_rawgeti(L, LUA_REGISTRYINDEX, r->rule->reference);
	push_table(L, r->table);
	lua_call(L, 2, 1);
	double const *ratings = crux_vector_check(L, -1, &n);
	memcpy(r->ratings, ratings, n * sizeof *ratings);
	return 0;
}

static int fit(lua_State *L)
{
	request *r = lua_touserdata(L, 1);
	crux_engine_push(L, "crux.api.embed", "fit");
	lua_rawgeti(L, LUA_REGISTRYINDEX, r->rule->reference);
	push_table(L, r->table);
	lua_call(L, 2, 2); /* the fitted rule, the summary */
	*r->summary = (crux_summary){
	    .n = (size_t)number_field(L, "n"),
	    .df = (size_t)number_field(L, "df"),
	    .sigma = number_field(L, "sigma"),
	    .r_squared = number_field(L, "r_squared"),
	    .adj_r_squared = number_field(L, "adj_r_squared"),
	    .f = number_field(L, "f"),
	    .f_p = number_field(L, "f_p"),
	    .log_likelihood = number_field(L, "log_likelihood"),
	    .aic = number_field(L, "aic"),
	    .bic = number_field(L, "bic"),
	};
	lua_pop(L, 1);
	return keep_rule(L, r);
}

static int save(lua_State *L)
{
	request *r = lua_touserdata(L, 1);
	crux_engine_push(L, "crux.api.embed", "save");
	lua_rawgeti(L, LUA_REGISTRYINDEX, r->rule->reference);
	lua_pushstring(L, r->text);
	lua_call(L, 2, 0);
	return 0;
}

static bool call(crux_rule *rule, lua_CFunction function, request *r, crux_fault *fault)
{
	r->rule = rule;
	bool const done = crux_engine_call(rule->engine, function, r, fault);
	free_terms(&r->list);
	return done;
}

static crux_rule *new_rule(crux_engine *engine, lua_CFunction function, request *r, crux_fault *fault)
{
	crux_rule *rule = calloc(1, sizeof *rule);
	if (!rule) {
		crux_fault_set(fault, "out of memory");
		return NULL;
	}
	rule->engine = engine;
	rule->reference = LUA_NOREF;
	if (call(rule, function, r, fault))
		return rule;
	crux_rule_free(rule);
	return NULL;
}

crux_rule *crux_rule_load(crux_engine *engine, const char *path, crux_fault *fault)
{
	return new_rule(engine, load, &(request){.text = path}, fault);
}

crux_rule *crux_rule_from_formula(crux_engine *engine, const char *formula, const char *weights, crux_fault *fault)
{
	return new_rule(engine, from_formula, &(request){.text = formula, .weights = weights}, fault);
}

void crux_rule_free(crux_rule *rule)
{
	if (!rule)
		return;
	crux_engine_call(rule->engine, forget, rule, NULL);
	free_terms(&rule->list);
	free(rule);
}

bool crux_rate(crux_rule *rule, const crux_table *table, double *ratings, crux_fault *fault)
{
	return call(rule, rate, &(request){.table = table, .ratings = ratings}, fault);
}

bool crux_fit(crux_rule *rule, const crux_table *table, crux_summary *summary, crux_fault *fault)
{
	crux_summary unwanted;
	return call(rule, fit, &(request){.table = table, .summary = summary ? summary : &unwanted}, fault);
}

size_t crux_rule_terms(const crux_rule *rule)
{
	return rule->list.count;
}

crux_term crux_rule_term(const crux_rule *rule, size_t place)
{
	return rule->list.terms[place];
}

bool crux_rule_save(crux_rule *rule, const char *path, crux_fault *fault)
{
	return call(rule, save, &(request){.text = path}, fault);
}
