/* libcrux.vector: columns of doubles as Lua values with arithmetic. */
#include "stats/vector_lua.h"

#include <lauxlib.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/gamma.h"
#include "stats/vector.h"

typedef struct vector {
	size_t n;
	double elements[];
} vector;

double *crux_vector_push(lua_State *L, size_t n)
{
	if (n > (SIZE_MAX - sizeof(vector)) / sizeof(double))
		luaL_error(L, "a vector of %f elements does not fit into memory", (double)n);
	vector *v = lua_newuserdatauv(L, sizeof *v + n * sizeof(double), 0);
	v->n = n;
	luaL_setmetatable(L, CRUX_VECTOR_TYPE);
	return v->elements;
}

double *crux_vector_check(lua_State *L, int index, size_t *n)
{
	vector *v = luaL_checkudata(L, index, CRUX_VECTOR_TYPE);
	*n = v->n;
	return v->elements;
}

const double **crux_vectors_check(lua_State *L, int index, size_t n, size_t *count)
{
	*count = crux_check_length(L, index);
	double const **vectors = lua_newuserdatauv(L, *count * sizeof *vectors, 0);
	for (size_t i = 0; i < *count; i++) {
		size_t found;
		lua_rawgeti(L, index, (lua_Integer)i + 1);
		vectors[i] = crux_vector_check(L, -1, &found);
		luaL_argcheck(L, found == n, index, "vectors of different lengths");
		lua_pop(L, 1); /* the list keeps it alive */
	}
	return vectors;
}

/* of{1, 2, 3} -> vector */
static int vector_of(lua_State *L)
{
	size_t const n = crux_check_length(L, 1);
	double *elements = crux_vector_push(L, n);
	for (size_t i = 0; i < n; i++) {
		lua_rawgeti(L, 1, (lua_Integer)i + 1);
		if (!lua_isnumber(L, -1))
			return luaL_error(L, "element %d is no number", (int)i + 1);
		elements[i] = lua_tonumber(L, -1);
		lua_pop(L, 1);
	}
	return 1;
}

/* fill(n, value) -> vector of n times the value */
static int vector_fill(lua_State *L)
{
	lua_Integer const n = luaL_checkinteger(L, 1);
	double const value = luaL_checknumber(L, 2);
	luaL_argcheck(L, n >= 0, 1, "a length is not negative");
	double *elements = crux_vector_push(L, (size_t)n);
	for (lua_Integer i = 0; i < n; i++)
		elements[i] = value;
	return 1;
}

/* concat{v, w, ...} -> one vector of all their elements */
static int vector_concat(lua_State *L)
{
	size_t const parts = crux_check_length(L, 1);
	size_t total = 0;
	for (size_t i = 1; i <= parts; i++) {
		size_t n;
		lua_rawgeti(L, 1, (lua_Integer)i);
		crux_vector_check(L, -1, &n);
		total += n;
		lua_pop(L, 1);
	}
	double *out = crux_vector_push(L, total);
	for (size_t i = 1; i <= parts; i++) {
		size_t n;
		lua_rawgeti(L, 1, (lua_Integer)i);
		double const *elements = crux_vector_check(L, -1, &n);
		memcpy(out, elements, n * sizeof *out);
		out += n;
		lua_pop(L, 1);
	}
	return 1;
}

/* Pushes the indices (from 1) at which keep is true; nil when that is everywhere. */
static int push_kept(lua_State *L, size_t n, bool (*keep)(const double *const *vectors, size_t count, size_t i),
                     const double *const *vectors, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		kept += keep(vectors, count, i);
	if (kept == n) {
		lua_pushnil(L);
		return 1;
	}
	double *out = crux_vector_push(L, kept);
	for (size_t i = 0; i < n; i++)
		if (keep(vectors, count, i))
			*out++ = (double)i + 1;
	return 1;
}

static bool is_complete(const double *const *vectors, size_t count, size_t i)
{
	for (size_t v = 0; v < count; v++)
		if (isnan(vectors[v][i]))
			return false;
	return true;
}

/* complete{v, w, ...} -> nil when no element is NaN, else the indices (from 1) at which none of them is */
static int vector_complete(lua_State *L)
{
	size_t rows = 0, count;
	luaL_checktype(L, 1, LUA_TTABLE);
	if (lua_rawgeti(L, 1, 1) != LUA_TNIL)
		crux_vector_check(L, -1, &rows);
	double const *const *vectors = crux_vectors_check(L, 1, rows, &count);
	return push_kept(L, rows, is_complete, vectors, count);
}

static bool is_positive(const double *const *vectors, size_t count, size_t i)
{
	(void)count;
	return vectors[0][i] > 0;
}

/* v:positive() -> nil when all elements are above 0, else the indices (from 1) of those that are */
static int vector_positive(lua_State *L)
{
	size_t n;
	const double *const elements = crux_vector_check(L, 1, &n);
	return push_kept(L, n, is_positive, &elements, 1);
}

/* v:first_negative() -> the index (from 1) of the first element below 0, or nil */
static int vector_first_negative(lua_State *L)
{
	size_t n, i = 0;
	double const *elements = crux_vector_check(L, 1, &n);
	while (i < n && !(elements[i] < 0))
		i++;
	if (i == n)
		lua_pushnil(L);
	else
		lua_pushinteger(L, (lua_Integer)i + 1);
	return 1;
}

/* v:gather(indices) -> the elements at those places (from 1), in that order */
static int vector_gather(lua_State *L)
{
	size_t n, m;
	double const *elements = crux_vector_check(L, 1, &n);
	double const *indices = crux_vector_check(L, 2, &m);
	double *out = crux_vector_push(L, m);
	for (size_t i = 0; i < m; i++) {
		luaL_argcheck(L, indices[i] >= 1 && indices[i] <= (double)n, 2, "index outside the vector");
		out[i] = elements[(size_t)indices[i] - 1];
	}
	return 1;
}

/* v:first_nonfinite() -> the index (from 1) of the first NaN or infinite element, or nil */
static int vector_first_nonfinite(lua_State *L)
{
	size_t n;
	double const *elements = crux_vector_check(L, 1, &n);
	size_t const i = crux_vector_first_nonfinite(n, elements);
	if (i == n)
		lua_pushnil(L);
	else
		lua_pushinteger(L, (lua_Integer)i + 1);
	return 1;
}

static int map(lua_State *L, double (*function)(double))
{
	if (lua_isnumber(L, 1)) {
		lua_pushnumber(L, function(lua_tonumber(L, 1)));
		return 1;
	}
	size_t n;
	double const *elements = crux_vector_check(L, 1, &n);
	crux_vector_map(function, n, elements, crux_vector_push(L, n));
	return 1;
}

static double negative(double x)
{
	return -x;
}

static int vector_log(lua_State *L)
{
	return map(L, log);
}

static int vector_sqrt(lua_State *L)
{
	return map(L, sqrt);
}

static int vector_exp(lua_State *L)
{
	return map(L, exp);
}

static int vector_abs(lua_State *L)
{
	return map(L, fabs);
}

static int vector_log_gamma(lua_State *L)
{
	return map(L, crux_log_gamma);
}

static int vector_digamma(lua_State *L)
{
	return map(L, crux_digamma);
}

static int vector_trigamma(lua_State *L)
{
	return map(L, crux_trigamma);
}

static int vector_unm(lua_State *L)
{
	return map(L, negative);
}

static const char *const operators[] = {
	[CRUX_VECTOR_ADD] = "__add",    [CRUX_VECTOR_SUBTRACT] = "__sub", [CRUX_VECTOR_MULTIPLY] = "__mul",
	[CRUX_VECTOR_DIVIDE] = "__div", [CRUX_VECTOR_POWER] = "__pow",
};

static int combine(lua_State *L, crux_vector_operator op)
{
	double const *operands[2];
	double numbers[2];
	size_t lengths[2], steps[2];
	for (int i = 0; i < 2; i++) {
		steps[i] = lua_type(L, i + 1) == LUA_TNUMBER ? 0 : 1;
		if (steps[i]) {
			operands[i] = crux_vector_check(L, i + 1, &lengths[i]);
		} else {
			numbers[i] = lua_tonumber(L, i + 1);
			operands[i] = &numbers[i];
		}
	}
	luaL_argcheck(L, !steps[0] || !steps[1] || lengths[0] == lengths[1], 2, "vectors of different lengths");
	luaL_argcheck(L, steps[0] || steps[1], 1, "a vector");
	size_t const n = lengths[steps[0] ? 0 : 1];
	crux_vector_combine(op, n, operands[0], steps[0], operands[1], steps[1], crux_vector_push(L, n));
	return 1;
}

/* The operator whose place is upvalue 1. */
static int vector_operate(lua_State *L)
{
	return combine(L, (crux_vector_operator)lua_tointeger(L, lua_upvalueindex(1)));
}

/* min(a, b), max(a, b): elementwise; one of them may be a number */
static int vector_min(lua_State *L)
{
	return combine(L, CRUX_VECTOR_MINIMUM);
}

static int vector_max(lua_State *L)
{
	return combine(L, CRUX_VECTOR_MAXIMUM);
}

/* v:equal(number) -> 1 where it is, else 0; NaN where v is not finite */
static int vector_equal(lua_State *L)
{
	return combine(L, CRUX_VECTOR_EQUAL);
}

/* v:sum() -> number */
static int vector_sum(lua_State *L)
{
	size_t n;
	double const *elements = crux_vector_check(L, 1, &n);
	lua_pushnumber(L, crux_vector_sum(n, elements));
	return 1;
}

static int compare(const void *a, const void *b)
{
	double const x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* v:sorted() -> the elements, none of which may be NaN, the smallest first */
static int vector_sorted(lua_State *L)
{
	size_t n;
	double const *elements = crux_vector_check(L, 1, &n);
	double *out = crux_vector_push(L, n);
	memcpy(out, elements, n * sizeof *out);
	qsort(out, n, sizeof *out, compare);
	return 1;
}

/* v:range() -> the smallest and the largest element that is no NaN; nothing when there is none */
static int vector_range(lua_State *L)
{
	size_t n;
	double const *elements = crux_vector_check(L, 1, &n);
	double low = INFINITY, high = -INFINITY;
	for (size_t i = 0; i < n; i++) {
		low = elements[i] < low ? elements[i] : low;
		high = elements[i] > high ? elements[i] : high;
	}
	if (low > high)
		return 0;
	lua_pushnumber(L, low);
	lua_pushnumber(L, high);
	return 2;
}

static int vector_len(lua_State *L)
{
	size_t n;
	crux_vector_check(L, 1, &n);
	lua_pushinteger(L, (lua_Integer)n);
	return 1;
}

/* v[i] -> element, nil outside; v.name -> method */
static int vector_index(lua_State *L)
{
	size_t n;
	double const *elements = crux_vector_check(L, 1, &n);
	int is_integer;
	lua_Integer const i = lua_tointegerx(L, 2, &is_integer);
	if (is_integer && i >= 1 && (lua_Unsigned)i <= n)
		lua_pushnumber(L, elements[i - 1]);
	else if (lua_type(L, 2) != LUA_TSTRING || luaL_getmetafield(L, 1, lua_tostring(L, 2)) == LUA_TNIL)
		lua_pushnil(L);
	return 1;
}

static int vector_tostring(lua_State *L)
{
	size_t n;
	crux_vector_check(L, 1, &n);
	lua_pushfstring(L, "vector of %I", (LUAI_UACINT)n);
	return 1;
}

static const luaL_Reg methods[] = {
	{"gather",          vector_gather},
	{"positive",        vector_positive},
	{"first_negative",  vector_first_negative},
	{"first_nonfinite", vector_first_nonfinite},
	{"equal",           vector_equal},
	{"sum",             vector_sum},
	{"sorted",          vector_sorted},
	{"range",           vector_range},
	{"__unm",           vector_unm},
	{"__len",           vector_len},
	{"__index",         vector_index},
	{"__tostring",      vector_tostring},
	{NULL,              NULL},
};

static const luaL_Reg functions[] = {
	{"of",        vector_of},
	{"fill",      vector_fill},
	{"concat",    vector_concat},
	{"complete",  vector_complete},
	{"log",       vector_log},
	{"sqrt",      vector_sqrt},
	{"exp",       vector_exp},
	{"abs",       vector_abs},
	{"log_gamma", vector_log_gamma},
	{"digamma",   vector_digamma},
	{"trigamma",  vector_trigamma},
	{"min",       vector_min},
	{"max",       vector_max},
	{NULL,        NULL},
};

int crux_open_vector(lua_State *L)
{
	crux_open_type(L, CRUX_VECTOR_TYPE, methods, NULL, functions);
	crux_set_operators(L, CRUX_VECTOR_TYPE, vector_operate, operators, sizeof operators / sizeof *operators);
	return 1;
}
