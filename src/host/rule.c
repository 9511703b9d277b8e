/* The functions of crux.h on rules: each calls a function of lua/crux/api/embed.lua. */
#include <assert.h>
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/arguments.h"
#include "host/engine.h"
#include "host/object.h"
#include "stats/vector_lua.h"

typedef struct term_list {
	size_t count;
	crux_term *terms; /* each owns its name */
} term_list;

struct crux_rule {
	crux_object object;
	term_list list;
};

/* Arguments and results of a protected call. */
typedef struct request {
	crux_rule *rule;
	const char *function, *text, *weights; /* of make; save has a text, too */
	const crux_table *table;
	double *ratings;
	crux_summary summary;
	term_list list; /* read by the call; the caller gives it to the rule, or frees it */
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

/* Copies the terms of the Lua rule on top of the stack to the request. */
static void read_terms(lua_State *L, request *r)
{
	crux_engine_push(L, "crux.api.embed", "terms");
	lua_pushvalue(L, -2);
	lua_call(L, 1, 1);
	size_t const count = lua_rawlen(L, -1);
	r->list.terms = calloc(count + 1, sizeof *r->list.terms);
	if (!r->list.terms)
		luaL_error(L, "out of memory");
	assert(r->list.terms); /* luaL_error does not return */
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

/* Makes a rule of a text by a function of embed.lua. */
static int make(lua_State *L)
{
	request *r = lua_touserdata(L, 1);
	crux_engine_push(L, "crux.api.embed", r->function);
	lua_pushstring(L, r->text);
	lua_pushstring(L, r->weights); /* NULL pushes nil */
	lua_call(L, 2, 1);
	read_terms(L, r);
	return 1;
}

static int rate(lua_State *L)
{
	request *r = lua_touserdata(L, 1);
	size_t n;
	crux_object_push_call(L, "rate", r->rule);
	crux_table_push(L, r->table);
	lua_call(L, 2, 1);
	double const *ratings = crux_vector_check(L, -1, &n);
	assert(n == r->table->rows);
	if (n > 0) /* of no rows the array may be NULL */
		memcpy(r->ratings, ratings, n * sizeof *ratings);
	return 0;
}

static int fit(lua_State *L)
{
	request *r = lua_touserdata(L, 1);
	crux_object_push_call(L, "fit", r->rule);
	crux_table_push(L, r->table);
	lua_call(L, 2, 2); /* the fitted rule, the summary */
	r->summary = (crux_summary){
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
	read_terms(L, r);
	crux_object_replace(L, r->rule);
	return 0;
}

static int save(lua_State *L)
{
	request *r = lua_touserdata(L, 1);
	crux_object_push_call(L, "save", r->rule);
	lua_pushstring(L, r->text);
	lua_call(L, 2, 0);
	return 0;
}

static bool call(crux_rule *rule, lua_CFunction function, request *r, crux_fault *fault)
{
	r->rule = rule;
	return crux_engine_call(rule->object.engine, function, r, fault);
}

static crux_rule *new_rule(crux_engine *engine, request *r, crux_fault *fault)
{
	crux_rule *rule = crux_object_new(engine, sizeof *rule, make, r, fault);
	if (rule)
		rule->list = r->list;
	else
		free_terms(&r->list);
	return rule;
}

crux_rule *crux_rule_load(crux_engine *engine, const char *path, crux_fault *fault)
{
	if (!crux_is_given(engine, __func__, "an engine", fault) || !crux_is_given(path, __func__, "a path", fault))
		return NULL;
	return new_rule(engine, &(request){.function = "load", .text = path}, fault);
}

crux_rule *crux_rule_from_formula(crux_engine *engine, const char *formula, const char *weights, crux_fault *fault)
{
	if (!crux_is_given(engine, __func__, "an engine", fault) || !crux_is_given(formula, __func__, "a formula", fault))
		return NULL;
	return new_rule(engine, &(request){.function = "from_formula", .text = formula, .weights = weights}, fault);
}

void crux_rule_free(crux_rule *rule)
{
	if (rule)
		free_terms(&rule->list);
	crux_object_free(rule);
}

bool crux_rate(crux_rule *rule, const crux_table *table, double *ratings, size_t length, crux_fault *fault)
{
	return crux_is_given(rule, __func__, "a rule", fault) && crux_is_table(table, __func__, fault) &&
	       crux_is_long_enough(ratings, length, table->rows, __func__, "ratings", fault) &&
	       call(rule, rate, &(request){.table = table, .ratings = ratings}, fault);
}

bool crux_fit(crux_rule *rule, const crux_table *table, crux_summary *summary, crux_fault *fault)
{
	if (!crux_is_given(rule, __func__, "a rule", fault) || !crux_is_table(table, __func__, fault))
		return false;
	request r = {.table = table};
	bool const done = call(rule, fit, &r, fault);
	free_terms(done ? &rule->list : &r.list);
	if (done)
		rule->list = r.list;
	if (done && summary)
		*summary = r.summary;
	return done;
}

size_t crux_rule_terms(const crux_rule *rule) { return rule ? rule->list.count : 0; }

crux_term crux_rule_term(const crux_rule *rule, size_t place)
{
	return place < crux_rule_terms(rule) ? rule->list.terms[place] : (crux_term){NULL, NAN, NAN, NAN, NAN};
}

bool crux_rule_save(crux_rule *rule, const char *path, crux_fault *fault)
{
	return crux_is_given(rule, __func__, "a rule", fault) && crux_is_given(path, __func__, "a path", fault) &&
	       call(rule, save, &(request){.text = path}, fault);
}
