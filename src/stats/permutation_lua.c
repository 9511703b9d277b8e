/* libcrux.permutation: tests of correlations between a number of each group and a number of each row, as between a measure of levels and
 * the plays of these levels: rows of a group are not independent, so the numbers of groups are permuted among the groups (Fisher 1935;
 * with random permutations the p-values are exact, Phipson and Smyth 2010). */
#include <lauxlib.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "base/sizes.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "stats/random.h"
#include "stats/rank.h"
#include "stats/vector_lua.h"

typedef struct sample {
	size_t rows, groups;     /* each group has a row */
	const double *x;         /* of each group */
	const double *group, *y; /* of each row: its group, from 1; and its number */
} sample;

typedef struct p_values {
	double pearson, kendall, spearman; /* P(|statistic| >= the one observed) */
} p_values;

typedef struct test {
	size_t groups;
	double *x;              /* of the groups, ascending */
	double *count;          /* rows of each group */
	double *y, *rank;       /* sums over the rows of each group: of y and of its ranks, both about their means */
	double *above;          /* above[i * groups + j]: pairs of a row of i and one of j with a larger y, minus those with a smaller one */
	size_t *group;          /* group[k] has the k-th x */
} test;

typedef struct statistics {
	double pearson, kendall, spearman; /* but for constant factors */
} statistics;

/* The end of the groups that have the same x as the k-th. */
static size_t end_of_ties(const test *at, size_t k)
{
	size_t end = k + 1;
	while (end < at->groups && at->x[end] == at->x[k])
		end++;
	return end;
}

static statistics compute(const test *at, double rows)
{
	double xy = 0, x = 0, xx = 0, ranks = 0, squares = 0, rank_products = 0, score = 0, tied = 0, before = 0;
	for (size_t k = 0; k < at->groups;) {
		size_t const end = end_of_ties(at, k);
		double count = 0, y = 0, rank = 0;
		for (size_t i = k; i < end; i++) {
			size_t const group = at->group[i];
			count += at->count[group];
			y += at->y[group];
			rank += at->rank[group];
			for (size_t j = end; j < at->groups; j++)
				score += at->above[group * at->groups + at->group[j]];
		}
		double const here = before + (count + 1) / 2 - (rows + 1) / 2;
		x += count * at->x[k];
		xx += count * at->x[k] * at->x[k];
		xy += at->x[k] * y;
		ranks += count * here;
		squares += count * here * here;
		rank_products += here * rank;
		tied += count * (count - 1);
		before += count;
		k = end;
	}
	return (statistics){
		.pearson = fabs(xy) / sqrt(fmax(xx - x * x / rows, 0)),
		.kendall = fabs(score) / sqrt(rows * (rows - 1) - tied),
		.spearman = fabs(rank_products) / sqrt(fmax(squares - ranks * ranks / rows, 0)),
	};
}

typedef struct ordered {
	double value;
	size_t index;
} ordered;

static int by_value(const void *a, const void *b)
{
	const ordered *x = a, *y = b;
	return x->value != y->value ? (x->value > y->value) - (x->value < y->value) : (x->index > y->index) - (x->index < y->index);
}

static void sort(ordered *list, const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		list[i] = (ordered){values[i], i};
	qsort(list, n, sizeof *list, by_value);
}

/* Counts the pairs of rows of different groups, in the order of y: `passed` holds the rows of each group with a smaller y. */
static void count_pairs(test *at, const sample *rows, const ordered *list, double *passed)
{
	for (size_t first = 0, end; first < rows->rows; first = end) {
		for (end = first; end < rows->rows && list[end].value == list[first].value; end++) {
			size_t const group = (size_t)rows->group[list[end].index] - 1;
			for (size_t i = 0; i < at->groups; i++) {
				at->above[i * at->groups + group] += passed[i];
				at->above[group * at->groups + i] -= passed[i];
			}
		}
		for (size_t i = first; i < end; i++)
			passed[(size_t)rows->group[list[i].index] - 1]++;
	}
}

static void fill(test *at, const sample *rows, const double *ranks, ordered *list, double *passed)
{
	double mean = 0, middle = 0;
	for (size_t i = 0; i < rows->rows; i++) {
		mean += (rows->y[i] - mean) / (double)(i + 1);
		middle += (rows->x[(size_t)rows->group[i] - 1] - middle) / (double)(i + 1);
	}
	for (size_t i = 0; i < rows->rows; i++) {
		size_t const group = (size_t)rows->group[i] - 1;
		at->count[group]++;
		at->y[group] += rows->y[i] - mean;
		at->rank[group] += ranks[i] - (double)(rows->rows + 1) / 2;
	}
	sort(list, rows->y, rows->rows);
	count_pairs(at, rows, list, passed);
	sort(list, rows->x, rows->groups);
	for (size_t k = 0; k < rows->groups; k++) {
		at->x[k] = list[k].value - middle;
		at->group[k] = list[k].index;
	}
}

static void draw(test *at, size_t rows, size_t draws, uint64_t seed, p_values *p)
{
	double const near = 1 - 1e-10; /* an equal statistic of another order of sums */
	statistics const observed = compute(at, (double)rows);
	crux_random random = crux_random_new(seed, 0);
	size_t pearson = 1, kendall = 1, spearman = 1;
	for (size_t i = 0; i < draws; i++) {
		for (size_t k = at->groups; k-- > 1;) {
			size_t const other = (size_t)crux_random_integer(&random, 0, (int64_t)k), group = at->group[k];
			at->group[k] = at->group[other];
			at->group[other] = group;
		}
		statistics const there = compute(at, (double)rows);
		pearson += there.pearson >= observed.pearson * near;
		kendall += there.kendall >= observed.kendall * near;
		spearman += there.spearman >= observed.spearman * near;
	}
	double const all = (double)(draws + 1);
	*p = (p_values){(double)pearson / all, (double)kendall / all, (double)spearman / all};
}

/* Draws so many permutations from the seed; the smallest p is 1 / (draws + 1). Takes time and 8 bytes of memory for each pair of groups.
 * False when memory is short. */
static bool run(const sample *rows, size_t draws, uint64_t seed, p_values *p)
{
	size_t const groups = rows->groups, most = groups > rows->rows ? groups : rows->rows;
	test at = {.groups = groups};
	double *passed, *ranks;
	ordered *list;
	crux_array const arrays[] = {
		CRUX_ARRAY(at.x, groups), CRUX_ARRAY(at.count, groups), CRUX_ARRAY(at.y, groups), CRUX_ARRAY(at.rank, groups),
		CRUX_ARRAY(at.above, groups * groups), CRUX_ARRAY(at.group, groups), CRUX_ARRAY(passed, groups),
		CRUX_ARRAY(ranks, rows->rows), CRUX_ARRAY(list, most),
	};
	void *const memory = crux_block_new(arrays, sizeof arrays / sizeof *arrays);
	bool const done = memory && crux_rank_ranks(rows->rows, rows->y, ranks);
	if (done) {
		fill(&at, rows, ranks, list, passed);
		draw(&at, rows->rows, draws, seed, p);
	}
	free(memory);
	return done;
}

/* test(x, group, y, draws, seed) -> p-values of Pearson's r, Kendall's tau and Spearman's rho; or nil and a message: "too large". x:
 * vector of the groups; group, y: vectors of the rows */
static int permutation_test(lua_State *L)
{
	sample rows;
	p_values p;
	rows.x = crux_vector_check(L, 1, &rows.groups);
	rows.group = crux_vector_check(L, 2, &rows.rows);
	rows.y = crux_vector_of(L, 3, rows.rows);
	luaL_argcheck(L, rows.rows > 0 && rows.groups > 0, 3, "rows and groups");
	for (size_t i = 0; i < rows.rows; i++)
		luaL_argcheck(L, rows.group[i] >= 1 && rows.group[i] <= (double)rows.groups, 2, "expected numbers from 1 to the number of groups");
	lua_Integer const draws = luaL_checkinteger(L, 4);
	luaL_argcheck(L, draws > 0, 4, "expected draws");
	if (rows.groups > CRUX_MOST_PERMUTED_LEVELS)
		return crux_fail(L, "too large");
	if (!run(&rows, (size_t)draws, (uint64_t)luaL_checkinteger(L, 5), &p))
		return crux_fail(L, "out of memory");
	lua_pushnumber(L, p.pearson);
	lua_pushnumber(L, p.kendall);
	lua_pushnumber(L, p.spearman);
	return 3;
}

CRUX_LIBRARY(permutation,
	{"test", permutation_test})
