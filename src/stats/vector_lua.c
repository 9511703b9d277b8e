/* libcrux.vector: columns of doubles as Lua values with arithmetic. */
#include "stats/vector_lua.h"

#include <lauxlib.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/distribution.h"
#include "stats/gamma.h"
#include "stats/rank.h"
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

double *crux_vector_of(lua_State *L, int index, size_t n)
{
	size_t found;
	double *const elements = crux_vector_check(L, index, &found);
	luaL_argcheck(L, found == n, index, "vectors of different lengths");
	return elements;
}

const double *crux_vector_or_none(lua_State *L, int index, size_t n)
{
	return lua_isnoneornil(L, index) ? NULL : crux_vector_of(L, index, n);
}

const double *crux_vector_field(lua_State *L, int table, const char *name, size_t n, bool is_optional)
{
	size_t found;
	if (lua_getfield(L, table, name) == LUA_TNIL && is_optional)
		return NULL;
	double const *const elements = crux_vector_check(L, -1, &found);
	if (found != n)
		luaL_error(L, "%s: expected %d numbers", name, (int)n);
	return elements;
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

/* concat{v, w, ...} -> one vector of the elements of all */
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

/* Pushes the indices (from 1) at which `is_wanted` is true; nil when it is true at all of them. */
static int push_wanted(lua_State *L, size_t n, bool (*is_wanted)(const double *const *vectors, size_t count, size_t i),
                       const double *const *vectors, size_t count)
{
	size_t wanted = 0;
	for (size_t i = 0; i < n; i++)
		wanted += is_wanted(vectors, count, i);
	if (wanted == n) {
		lua_pushnil(L);
		return 1;
	}
	double *out = crux_vector_push(L, wanted);
	for (size_t i = 0; i < n; i++)
		if (is_wanted(vectors, count, i))
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

/* complete{v, w, ...} -> the indices (from 1) at which no vector has NaN; nil when these are all indices */
static int vector_complete(lua_State *L)
{
	size_t rows = 0, count;
	luaL_checktype(L, 1, LUA_TTABLE);
	if (lua_rawgeti(L, 1, 1) != LUA_TNIL)
		crux_vector_check(L, -1, &rows);
	double const *const *vectors = crux_vectors_check(L, 1, rows, &count);
	return push_wanted(L, rows, is_complete, vectors, count);
}

static bool is_positive(const double *const *vectors, size_t count, size_t i)
{
	(void)count;
	return vectors[0][i] > 0;
}

/* v:positive() -> the indices (from 1) of elements above 0; nil when these are all indices */
static int vector_positive(lua_State *L)
{
	size_t n;
	const double *const elements = crux_vector_check(L, 1, &n);
	return push_wanted(L, n, is_positive, &elements, 1);
}

static bool is_outside(const double *const *vectors, size_t count, const double *lows, const double *highs, size_t i)
{
	for (size_t v = 0; v < count; v++)
		if (vectors[v][i] < lows[v] || vectors[v][i] > highs[v])
			return true;
	return false;
}

/* outside({v, ...}, lows, highs) -> the indices (from 1) at which some vector is below its low or above its high; vectors of the
 * same length */
static int vector_outside(lua_State *L)
{
	size_t rows = 0, count, wanted = 0;
	luaL_checktype(L, 1, LUA_TTABLE);
	if (lua_rawgeti(L, 1, 1) != LUA_TNIL)
		crux_vector_check(L, -1, &rows);
	double const *const *vectors = crux_vectors_check(L, 1, rows, &count);
	double const *const lows = crux_vector_of(L, 2, count), *const highs = crux_vector_of(L, 3, count);
	for (size_t i = 0; i < rows; i++)
		wanted += is_outside(vectors, count, lows, highs, i);
	double *out = crux_vector_push(L, wanted);
	for (size_t i = 0; i < rows; i++)
		if (is_outside(vectors, count, lows, highs, i))
			*out++ = (double)i + 1;
	return 1;
}

/* Pushes an index from 0 as one from 1, or nil when it is n. */
static int push_index(lua_State *L, size_t i, size_t n)
{
	if (i == n)
		lua_pushnil(L);
	else
		lua_pushinteger(L, (lua_Integer)i + 1);
	return 1;
}

/* v:first_negative() -> the index (from 1) of the first element below 0, or nil */
static int vector_first_negative(lua_State *L)
{
	size_t n, i = 0;
	double const *elements = crux_vector_check(L, 1, &n);
	while (i < n && !(elements[i] < 0))
		i++;
	return push_index(L, i, n);
}

/* v:gather(indices) -> the elements at these indices (from 1), in this order */
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

/* v:spread(indices, n) -> a vector of n elements: those of v at these indices (from 1), else NaN */
static int vector_spread(lua_State *L)
{
	size_t n;
	double const *elements = crux_vector_check(L, 1, &n), *indices = crux_vector_of(L, 2, n);
	lua_Integer const length = luaL_checkinteger(L, 3);
	luaL_argcheck(L, length >= 0, 3, "a length is not negative");
	double *out = crux_vector_push(L, (size_t)length);
	for (lua_Integer i = 0; i < length; i++)
		out[i] = NAN;
	for (size_t i = 0; i < n; i++) {
		luaL_argcheck(L, indices[i] >= 1 && indices[i] <= (double)length, 2, "index outside the vector");
		out[(size_t)indices[i] - 1] = elements[i];
	}
	return 1;
}

/* v:first_nonfinite() -> the index (from 1) of the first NaN or infinite element, or nil */
static int vector_first_nonfinite(lua_State *L)
{
	size_t n;
	double const *elements = crux_vector_check(L, 1, &n);
	return push_index(L, crux_vector_first_nonfinite(n, elements), n);
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

static double negative(double x) { return -x; }

static int vector_unm(lua_State *L) { return map(L, negative); }

/* Functions of a number, or of each element of a vector. */
static const struct {
	const char *name;
	double (*function)(double);
} maps[] = {
	{"log", log},
	{"log10", log10},
	{"log2", log2},
	{"log1p", log1p},
	{"sqrt", sqrt},
	{"exp", exp},
	{"expm1", expm1},
	{"abs", fabs},
	{"floor", floor},
	{"log_gamma", crux_log_gamma},
	{"digamma", crux_digamma},
	{"trigamma", crux_trigamma},
	{"normal_log_lower", crux_normal_log_lower},
	{"normal_lower_slope", crux_normal_lower_slope},
};

/* The function in row upvalue 1 of maps. */
static int vector_map(lua_State *L)
{
	return map(L, maps[lua_tointeger(L, lua_upvalueindex(1))].function);
}

/* Operators and methods, then from CRUX_VECTOR_MINIMUM on functions of the module: min(a, b), max(a, b) elementwise; less(a, b),
 * less_or_equal(a, b), v:equal(number): 1 where it holds, else 0, NaN as vector.h says. One operand may be a number. */
static const char *const operators[] = {
	[CRUX_VECTOR_ADD] = "__add",     [CRUX_VECTOR_SUBTRACT] = "__sub", [CRUX_VECTOR_MULTIPLY] = "__mul",
	[CRUX_VECTOR_DIVIDE] = "__div",  [CRUX_VECTOR_POWER] = "__pow",    [CRUX_VECTOR_EQUAL] = "equal",
	[CRUX_VECTOR_MINIMUM] = "min",   [CRUX_VECTOR_MAXIMUM] = "max",    [CRUX_VECTOR_LESS] = "less",
	[CRUX_VECTOR_LESS_OR_EQUAL] = "less_or_equal",
};

/* A vector, or a number for all elements. */
typedef struct operand {
	const double *elements;
	double number;
	size_t length, step; /* of a number both are 0 */
} operand;

static void check_operand(lua_State *L, int index, operand *o)
{
	o->length = 0;
	o->step = lua_type(L, index) == LUA_TNUMBER ? 0 : 1;
	o->number = o->step ? 0 : lua_tonumber(L, index);
	o->elements = o->step ? crux_vector_check(L, index, &o->length) : &o->number;
}

/* Combines two operands by operator number upvalue 1. */
static int vector_combine(lua_State *L)
{
	operand a, b;
	check_operand(L, 1, &a);
	check_operand(L, 2, &b);
	luaL_argcheck(L, !a.step || !b.step || a.length == b.length, 2, "vectors of different lengths");
	luaL_argcheck(L, a.step || b.step, 1, "a vector");
	size_t const n = a.step ? a.length : b.length;
	crux_vector_operator const op = (crux_vector_operator)lua_tointeger(L, lua_upvalueindex(1));
	crux_vector_combine(op, n, a.elements, a.step, b.elements, b.step, crux_vector_push(L, n));
	return 1;
}

/* choose(test, a, b): elementwise a where the test is not 0, else b; a and b may be numbers */
static int vector_choose(lua_State *L)
{
	size_t n;
	double const *const test = crux_vector_check(L, 1, &n);
	operand a, b;
	check_operand(L, 2, &a);
	check_operand(L, 3, &b);
	luaL_argcheck(L, !a.step || a.length == n, 2, "vectors of different lengths");
	luaL_argcheck(L, !b.step || b.length == n, 3, "vectors of different lengths");
	crux_vector_choose(n, test, a.elements, a.step, b.elements, b.step, crux_vector_push(L, n));
	return 1;
}

/* combination({v, w, ...}, factors, start or n) -> start + v factors[1] + w factors[2] + ..., added in this order; start, a vector,
 * is 0 where its length is given */
static int vector_combination(lua_State *L)
{
	size_t n = (size_t)lua_tointeger(L, 3), terms, count;
	double const *const factors = crux_vector_check(L, 2, &terms);
	luaL_argcheck(L, !lua_isnumber(L, 3) || luaL_checkinteger(L, 3) >= 0, 3, "a length is not negative");
	double const *const start = lua_isnumber(L, 3) ? NULL : crux_vector_check(L, 3, &n);
	double const *const *vectors = crux_vectors_check(L, 1, n, &count);
	luaL_argcheck(L, count == terms, 2, "a factor for each vector");
	double *const out = crux_vector_push(L, n);
	for (size_t i = 0; i < n; i++) {
		double sum = start ? start[i] : 0;
		for (size_t v = 0; v < count; v++)
			sum += vectors[v][i] * factors[v];
		out[i] = sum;
	}
	return 1;
}

/* v:sum() -> number */
static int vector_sum(lua_State *L)
{
	size_t n;
	double const *elements = crux_vector_check(L, 1, &n);
	lua_pushnumber(L, crux_vector_sum(n, elements));
	return 1;
}

/* The n places of elements, less than 2^31, in ascending order, of equal ones the first. Pushes what holds them. */
static const crux_sorted *push_order(lua_State *L, size_t n, const double *elements)
{
	if (n > INT32_MAX)
		luaL_error(L, "a vector of %f elements is too long to sort", (double)n);
	crux_sorted *const rows = lua_newuserdatauv(L, 2 * n * sizeof *rows, 0);
	crux_rank_sort(n, elements, rows + n, rows);
	return rows;
}

/* v:sorted() -> the elements in ascending order; none may be NaN */
static int vector_sorted(lua_State *L)
{
	size_t n;
	double const *elements = crux_vector_check(L, 1, &n);
	const crux_sorted *const rows = push_order(L, n, elements);
	double *out = crux_vector_push(L, n);
	for (size_t i = 0; i < n; i++)
		out[i] = elements[rows[i].place];
	return 1;
}

/* v:largest(count) -> the indices (from 1) of that many of the largest elements, of equal ones the first, in descending order;
 * NaN as minus infinity */
static int vector_largest(lua_State *L)
{
	size_t n;
	double const *elements = crux_vector_check(L, 1, &n);
	lua_Integer const count = luaL_checkinteger(L, 2);
	size_t const wanted = count < 0 ? 0 : (lua_Unsigned)count < n ? (size_t)count : n;
	double *const falling = crux_vector_push(L, n);
	for (size_t i = 0; i < n; i++)
		falling[i] = isnan(elements[i]) ? INFINITY : -elements[i];
	const crux_sorted *const rows = push_order(L, n, falling);
	double *const out = crux_vector_push(L, wanted);
	for (size_t i = 0; i < wanted; i++)
		out[i] = rows[i].place + 1.0;
	return 1;
}

/* v:range() -> the smallest and the largest element, leaving out NaN; nothing when all are NaN */
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

/* v:list() -> a table of the elements */
static int vector_list(lua_State *L)
{
	size_t n;
	double const *elements = crux_vector_check(L, 1, &n);
	lua_createtable(L, n < INT_MAX ? (int)n : INT_MAX, 0);
	for (size_t i = 0; i < n; i++) {
		lua_pushnumber(L, elements[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
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

CRUX_TABLE(methods,
	{"gather",          vector_gather},
	{"spread",          vector_spread},
	{"positive",        vector_positive},
	{"first_negative",  vector_first_negative},
	{"first_nonfinite", vector_first_nonfinite},
	{"sum",             vector_sum},
	{"sorted",          vector_sorted},
	{"largest",         vector_largest},
	{"range",           vector_range},
	{"list",            vector_list},
	{"__unm",           vector_unm},
	{"__len",           vector_len},
	{"__index",         vector_index},
	{"__tostring",      vector_tostring})

CRUX_TABLE(functions,
	{"of",          vector_of},
	{"fill",        vector_fill},
	{"concat",      vector_concat},
	{"complete",    vector_complete},
	{"choose",      vector_choose},
	{"combination", vector_combination},
	{"outside",     vector_outside})

/* Adds a function whose upvalue 1 is a number to the table at the top of the stack. */
static void set_numbered(lua_State *L, const char *name, lua_CFunction function, size_t number)
{
	lua_pushinteger(L, (lua_Integer)number);
	lua_pushcclosure(L, function, 1);
	lua_setfield(L, -2, name);
}

int crux_open_vector(lua_State *L)
{
	crux_open_type(L, CRUX_VECTOR_TYPE, methods, functions);
	crux_set_operators(L, CRUX_VECTOR_TYPE, vector_combine, operators, CRUX_VECTOR_MINIMUM);
	for (size_t op = CRUX_VECTOR_MINIMUM; op < sizeof operators / sizeof *operators; op++)
		set_numbered(L, operators[op], vector_combine, op);
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
		set_numbered(L, maps[i].name, vector_map, i);
	return 1;
}
