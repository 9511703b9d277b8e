/* libcrux.groups: statistics of vectors in groups of rows. `groups` is a vector of integers from 1 to count; NaN is a missing number and is
 * not counted. */
#include <lauxlib.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/vector_lua.h"

typedef enum middle {
	MEAN, /* exact for equal numbers */
	MEDIAN,
	COMBINED, /* the mean of mean, trimmed mean and median */
	TRIMMED, /* the mean without the lowest and the highest tenth, rounded down, as R's mean(x, trim = 0.1) */
} middle;

/* A mean of numbers that are added one by one, as differences from the first. */
typedef struct mean {
	size_t n;
	double first, excess;
} mean;

static void add(mean *m, double x)
{
	if (isnan(x))
		return;
	if (m->n++ == 0)
		m->first = x;
	m->excess += x - m->first;
}

static double value_of(const mean *m) { return m->n ? m->first + m->excess / (double)m->n : NAN; }

static bool means(size_t n, const double *values, const double *groups, size_t count, double *out)
{
	mean *const all = calloc(count + 1, sizeof *all);
	if (!all)
		return false;
	for (size_t i = 0; i < n; i++)
		add(&all[(size_t)groups[i] - 1], values[i]);
	for (size_t g = 0; g < count; g++)
		out[g] = value_of(&all[g]);
	free(all);
	return true;
}

static int compare(const void *a, const void *b)
{
	double const x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The middle of n sorted numbers. */
static double middle_of(middle kind, size_t n, const double *sorted)
{
	mean trimmed = { 0 }, all = { 0 };
	for (size_t i = 0; i < n && kind == COMBINED; i++)
		add(&all, sorted[i]);
	if (kind == COMBINED)
		return (value_of(&all) + middle_of(TRIMMED, n, sorted) + middle_of(MEDIAN, n, sorted)) / 3;
	if (kind == MEDIAN)
		return n == 0 ? NAN : n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
	for (size_t i = n / 10; i < n - n / 10; i++)
		add(&trimmed, sorted[i]);
	return value_of(&trimmed);
}

/* Lists the rows, from 0, by group; those of a group stay in order. Group g ends before out[ends[g - 1]]. */
static void order(size_t n, const double *groups, size_t count, size_t *ends, uint32_t *out)
{
	memset(ends, 0, count * sizeof *ends);
	for (size_t i = 0; i < n; i++)
		ends[(size_t)groups[i] - 1]++;
	for (size_t g = 0, start = 0; g < count; g++) { /* each end is its group's start at first */
		size_t const size = ends[g];
		ends[g] = start;
		start += size;
	}
	for (size_t i = 0; i < n; i++)
		out[ends[(size_t)groups[i] - 1]++] = (uint32_t)i;
}

/* out[g - 1] is the middle of the values of group g; NaN without any. */
static bool middles(middle kind, size_t n, const double *values, const double *groups, size_t count, double *out)
{
	if (kind == MEAN)
		return means(n, values, groups, count, out);
	uint32_t *const rows = malloc((n + 1) * sizeof *rows);
	size_t *const ends = malloc((count + 1) * sizeof *ends);
	double *const sorted = malloc((n + 1) * sizeof *sorted);
	bool const has_memory = rows && ends && sorted;
	if (has_memory)
		order(n, groups, count, ends, rows);
	for (size_t g = 0, at = 0; has_memory && g < count; g++) {
		size_t kept = 0;
		for (; at < ends[g]; at++)
			if (!isnan(values[rows[at]]))
				sorted[kept++] = values[rows[at]];
		qsort(sorted, kept, sizeof *sorted, compare);
		out[g] = middle_of(kind, kept, sorted);
	}
	free(rows);
	free(ends);
	free(sorted);
	return has_memory;
}

/* Sets *row to the first row whose pair of groups an earlier row has; *row to n if there is none. */
static bool find_again(size_t n, const double *first, size_t first_count, const double *second, size_t second_count, size_t *row)
{
	uint32_t *const rows = calloc(n + 1, sizeof *rows), *const seen = calloc(second_count + 1, sizeof *seen);
	size_t *const ends = malloc((first_count + 1) * sizeof *ends);
	bool const has_memory = rows && seen && ends;
	*row = n;
	if (has_memory)
		order(n, first, first_count, ends, rows);
	for (size_t i = 0; has_memory && i < n; i++) {
		size_t const other = (size_t)second[rows[i]];
		uint32_t const group = (uint32_t)first[rows[i]]; /* from 1: the last of the first groups that the other was seen with */
		*row = seen[other] == group && rows[i] < *row ? rows[i] : *row;
		seen[other] = group;
	}
	free(rows);
	free(seen);
	free(ends);
	return has_memory;
}

/* The vector of groups at index `at` and, at the index behind, their count; raises for a group outside. */
static const double *check_groups(lua_State *L, int at, size_t *n, size_t *count)
{
	double const *const groups = crux_vector_check(L, at, n);
	lua_Integer const found = luaL_checkinteger(L, at + 1);
	luaL_argcheck(L, found >= 0 && found <= INT32_MAX, at + 1, "a count of groups");
	luaL_argcheck(L, *n < UINT32_MAX, at, "too many rows");
	*count = (size_t)found;
	for (size_t i = 0; i < *n; i++)
		luaL_argcheck(L, groups[i] >= 1 && groups[i] <= (double)found && groups[i] == (int32_t)groups[i], at, "a group outside the count");
	return groups;
}

/* The arguments values, groups, count. */
static const double *check_values(lua_State *L, const double **groups, size_t *n, size_t *count)
{
	*groups = check_groups(L, 2, n, count);
	return crux_vector_of(L, 1, *n);
}

/* middles(values, groups, count, "mean" | "median" | "combined" | "trimmed") -> vector over the groups, NaN without values */
static int groups_middles(lua_State *L)
{
	static const char *const names[] = {"mean", "median", "combined", "trimmed", NULL};
	size_t n, count;
	double const *groups, *const values = check_values(L, &groups, &n, &count);
	middle const kind = (middle)luaL_checkoption(L, 4, NULL, names);
	if (!middles(kind, n, values, groups, count, crux_vector_push(L, count)))
		return luaL_error(L, "not enough memory");
	return 1;
}

/* ranges(values, groups, count) -> the lowest and the highest values, vectors over the groups; infinity and minus infinity without any */
static int groups_ranges(lua_State *L)
{
	size_t n, count;
	double const *groups, *const values = check_values(L, &groups, &n, &count);
	double *const lows = crux_vector_push(L, count), *const highs = crux_vector_push(L, count);
	for (size_t g = 0; g < count; g++) {
		lows[g] = INFINITY;
		highs[g] = -INFINITY;
	}
	for (size_t i = 0; i < n; i++) {
		size_t const g = (size_t)groups[i] - 1;
		lows[g] = values[i] < lows[g] ? values[i] : lows[g];
		highs[g] = values[i] > highs[g] ? values[i] : highs[g];
	}
	return 2;
}

/* squares(values, groups, count, centres) -> sums of squared differences in the order of the rows, a vector over the groups */
static int groups_squares(lua_State *L)
{
	size_t n, count;
	double const *groups, *const values = check_values(L, &groups, &n, &count), *const centres = crux_vector_of(L, 4, count);
	double *const out = memset(crux_vector_push(L, count), 0, count * sizeof *out);
	for (size_t i = 0; i < n; i++) {
		size_t const g = (size_t)groups[i] - 1;
		double const difference = values[i] - centres[g];
		out[g] += isnan(values[i]) ? 0 : difference * difference;
	}
	return 1;
}

/* counts_and_sums(values, groups, count) -> numbers of values, and their sums in the order of the rows, vectors over the groups */
static int groups_counts_and_sums(lua_State *L)
{
	size_t n, count;
	double const *groups, *const values = check_values(L, &groups, &n, &count);
	double *const counts = memset(crux_vector_push(L, count), 0, count * sizeof *counts);
	double *const sums = memset(crux_vector_push(L, count), 0, count * sizeof *sums);
	for (size_t i = 0; i < n; i++) {
		size_t const g = (size_t)groups[i] - 1;
		counts[g] += !isnan(values[i]);
		sums[g] += isnan(values[i]) ? 0 : values[i];
	}
	return 2;
}

/* order(groups, count) -> the rows (from 1) by group, those of a group in order */
static int groups_order(lua_State *L)
{
	size_t n, count;
	double const *const groups = check_groups(L, 1, &n, &count);
	size_t *const ends = lua_newuserdatauv(L, (count + 1) * sizeof *ends, 0);
	uint32_t *const rows = lua_newuserdatauv(L, (n + 1) * sizeof *rows, 0);
	order(n, groups, count, ends, rows);
	double *const out = crux_vector_push(L, n);
	for (size_t i = 0; i < n; i++)
		out[i] = (double)rows[i] + 1;
	return 1;
}

/* again(groups, count, other groups, count) -> the first row (from 1) with the same pair of groups as an earlier one, and that row;
 * or nil */
static int groups_again(lua_State *L)
{
	size_t n, others, first_count, second_count, row, earlier = 0;
	double const *const first = check_groups(L, 1, &n, &first_count), *const second = check_groups(L, 3, &others, &second_count);
	luaL_argcheck(L, n == others, 3, "vectors of different lengths");
	if (!find_again(n, first, first_count, second, second_count, &row))
		return luaL_error(L, "not enough memory");
	if (row == n)
		return 0;
	while (first[earlier] != first[row] || second[earlier] != second[row])
		earlier++;
	lua_pushinteger(L, (lua_Integer)row + 1);
	lua_pushinteger(L, (lua_Integer)earlier + 1);
	return 2;
}

/* scaled(values, groups, count, low, high) -> the values, those of each group linearly from their range onto low to high; a group
 * of one value keeps it */
static int groups_scaled(lua_State *L)
{
	size_t n, count;
	double const *groups, *const values = check_values(L, &groups, &n, &count);
	double const low = luaL_checknumber(L, 4), width = luaL_checknumber(L, 5) - low;
	groups_ranges(L);
	double const *const lows = crux_vector_of(L, -2, count), *const highs = crux_vector_of(L, -1, count);
	double *const out = crux_vector_push(L, n);
	for (size_t i = 0; i < n; i++) {
		size_t const g = (size_t)groups[i] - 1;
		out[i] = lows[g] < highs[g] ? (values[i] - lows[g]) * width / (highs[g] - lows[g]) + low : values[i];
	}
	return 1;
}

CRUX_LIBRARY(groups,
	{"middles",         groups_middles},
	{"ranges",          groups_ranges},
	{"squares",         groups_squares},
	{"counts_and_sums", groups_counts_and_sums},
	{"order",           groups_order},
	{"again",           groups_again},
	{"scaled",          groups_scaled})
