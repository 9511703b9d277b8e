/* subsets.c and splits.c against a fit of its own for every subset and fold (ols.c, refined), and the order of subsets. */
#include "fit/subsets.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "fit/ols.h"

enum { ROWS = 40, MEASURES = 6, FOLDS = 5, SUBSETS = 1 << MEASURES };

typedef struct problem {
	double columns[MEASURES][ROWS], response[ROWS], weights[ROWS];
	uint32_t folds[ROWS];
	bool is_weighted, is_split;
} problem;

static double uniform(void) { return rand() / (RAND_MAX + 1.0) - 0.5; }

static double weight_of(const problem *p, size_t row)
{
	return p->is_weighted ? p->weights[row] : 1;
}

/* The squared errors of a fold's rows, by a fit to the others; of all by a fit to all where nothing is split. */
static double fold_error(const problem *p, uint32_t subset, size_t fold)
{
	double ones[ROWS], weights[ROWS], sum = 0;
	double const *columns[MEASURES + 1] = {ones};
	size_t terms = 1;
	for (size_t i = 0; i < MEASURES; i++)
		if (subset >> i & 1)
			columns[terms++] = p->columns[i];
	for (size_t row = 0; row < ROWS; row++) {
		ones[row] = 1;
		weights[row] = p->is_split && p->folds[row] == fold ? 0 : weight_of(p, row);
	}
	crux_ols *ols = crux_ols_new(terms);
	crux_ols_add(ols, ROWS, columns, p->response, weights);
	crux_ols_solve(ols, 1e-7);
	do
		crux_ols_residuals(ols, ROWS, columns, p->response, weights);
	while (crux_ols_refine(ols));
	for (size_t row = 0; row < ROWS; row++) {
		double error = p->response[row];
		for (size_t term = 0; term < terms; term++)
			error -= crux_ols_aliased(ols, term) ? 0 : crux_ols_estimate(ols, term) * columns[term][row];
		sum += !p->is_split || p->folds[row] == fold ? weight_of(p, row) * error * error : 0;
	}
	crux_ols_free(ols);
	return sum;
}

/* The mean squared error by fits of their own. */
static double separate(const problem *p, uint32_t subset)
{
	double sum = 0, weight = 0;
	for (size_t row = 0; row < ROWS; row++)
		weight += weight_of(p, row);
	for (size_t fold = 0; fold < (p->is_split ? FOLDS : 1); fold++)
		sum += fold_error(p, subset, fold);
	return sum / weight;
}

/* The rows of a fold, or, if it is told so, those of the others. */
static crux_ols *rows_of(const problem *p, size_t fold, bool is_training)
{
	double ones[ROWS];
	double const *columns[MEASURES + 1] = {ones};
	for (size_t i = 0; i < MEASURES; i++)
		columns[i + 1] = p->columns[i];
	crux_ols *ols = crux_ols_new(MEASURES + 1);
	for (size_t row = 0; row < ROWS; row++) {
		ones[row] = 1;
		if (!p->is_split || (p->folds[row] == fold) != is_training)
			crux_ols_add_row(ols, row, columns, p->response, p->is_weighted ? p->weights : NULL);
	}
	return ols;
}

static crux_splits *splits_of(const problem *p)
{
	size_t const count = p->is_split ? FOLDS : 1;
	crux_split list[FOLDS];
	for (size_t fold = 0; fold < count; fold++)
		list[fold] = (crux_split){rows_of(p, fold, true), rows_of(p, fold, false)};
	crux_splits *splits = crux_splits_new(count, list, 1e-7);
	CHECK(splits != NULL);
	for (size_t fold = 0; fold < count; fold++) {
		crux_ols_free(list[fold].training);
		crux_ols_free(list[fold].test);
	}
	return splits;
}

static crux_subsets const all = {.measures = MEASURES, .most = MEASURES};

/* The errors by subset. */
static void errors_of(const crux_splits *splits, double *by_subset)
{
	double errors[SUBSETS], subsets[SUBSETS];
	CHECK(crux_subsets_errors(&all, splits, errors, subsets) && subsets[0] == 0);
	for (size_t i = 0; i < SUBSETS; i++)
		by_subset[i] = NAN;
	for (size_t i = 0; i < SUBSETS; i++)
		by_subset[(size_t)subsets[i]] = errors[i];
}

/* The neighbours of a set have the errors of the sweep, in whatever order its measures are, unless some split has collinear
 * ones, of which the first are kept: then in their order, and with one more behind them. */
static void compare_neighbours(const crux_splits *splits, uint32_t subset, const double *by_subset, bool is_collinear)
{
	size_t set[MEASURES], count = 0;
	for (size_t i = 0; i < MEASURES; i++) {
		if (!(subset >> i & 1))
			continue;
		size_t const at = is_collinear ? count : (size_t)rand() % (count + 1);
		set[count++] = set[at];
		set[at] = i;
	}
	for (int is_removal = 0; is_removal < 2; is_removal++) {
		double errors[MEASURES + 1];
		CHECK(crux_subsets_neighbours(splits, set, count, is_removal, errors));
		CHECK_NEAR(errors[MEASURES], by_subset[subset], 1e-11);
		for (size_t i = 0; i < MEASURES; i++) {
			if ((subset >> i & 1) != (uint32_t)is_removal)
				CHECK(isnan(errors[i]));
			else if (!is_collinear || is_removal || subset >> i == 0)
				CHECK_NEAR(errors[i], by_subset[subset ^ (uint32_t)1 << i], 1e-11);
		}
	}
}

static void compare(const problem *p, bool is_collinear, double tolerance)
{
	crux_splits *splits = splits_of(p);
	double errors[SUBSETS];
	errors_of(splits, errors);
	for (uint32_t subset = 0; subset < SUBSETS; subset++)
		CHECK_NEAR(errors[subset], separate(p, subset), tolerance);
	compare_neighbours(splits, 0, errors, is_collinear);
	compare_neighbours(splits, SUBSETS - 1, errors, is_collinear);
	for (int round = 0; round < 4; round++)
		compare_neighbours(splits, (uint32_t)rand() % SUBSETS, errors, is_collinear);
	crux_splits_free(splits);
}

/* A kind of problem: 0 plain; 1 with collinear columns, one of them only but for its first rows; 2 with columns that are
 * constant where fold 2 is not; 3 with columns that nearly agree; 4 with offsets that dwarf what varies, and odd scales. */
static problem draw(int kind)
{
	problem p = {.is_split = true};
	for (size_t row = 0; row < ROWS; row++) {
		p.folds[row] = (uint32_t)(kind % 2 ? row * FOLDS / ROWS : (size_t)rand() % FOLDS);
		p.weights[row] = 0.01 + 3 * (uniform() + 0.5);
		for (size_t i = 0; i < MEASURES; i++)
			p.columns[i][row] = uniform();
		if (kind == 1) {
			p.columns[2][row] = p.columns[0][row] - 3 * p.columns[1][row];
			p.columns[4][row] = row < 3 ? uniform() : p.columns[2][row] + 0.1;
		}
		if (kind == 2)
			p.columns[3][row] = p.columns[5][row] = p.folds[row] == 2 ? uniform() : 0.3;
		if (kind == 3)
			p.columns[3][row] = p.columns[0][row] + 1e-3 * uniform();
		if (kind == 4) {
			p.columns[1][row] += 1e4;
			p.columns[2][row] *= 1e-200;
			p.columns[3][row] *= 1e200;
		}
		p.response[row] = 3 * p.columns[0][row] - p.columns[1][row] + uniform();
	}
	return p;
}

static void random_problems(void)
{
	srand(11);
	for (int round = 0; round < 60; round++) {
		problem p = draw(round % 5);
		p.is_weighted = round % 3 > 0;
		p.is_split = round % 7 > 0;
		compare(&p, round % 5 == 1 || round % 5 == 2, 1e-11);
	}
}

/* The response is columns 1 and 3: all subsets with both are without error, the pair is best. */
static void exact(void)
{
	problem p = draw(0);
	for (size_t row = 0; row < ROWS; row++)
		p.response[row] = 20 + 2 * p.columns[1][row] - 0.7 * p.columns[3][row];
	crux_splits *splits = splits_of(&p);
	double errors[SUBSETS], subsets[SUBSETS];
	uint32_t best[SUBSETS];
	CHECK(crux_subsets_errors(&all, splits, errors, subsets));
	for (size_t i = 0; i < SUBSETS; i++)
		CHECK((errors[i] == 0) == (((uint32_t)subsets[i] & 10) == 10));
	CHECK(crux_subsets_best(SUBSETS, errors, subsets, 0, SUBSETS, best) == SUBSETS - 1);
	uint32_t const expected[] = {10, 11, 14, 26, 42, 15, 27, 43, 30, 46, 58, 31};
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
		CHECK(subsets[best[i]] == expected[i]);
	CHECK(crux_subsets_best(SUBSETS, errors, subsets, 4, 3, best) == 3);
	for (size_t i = 0; i < 3; i++)
		CHECK(subsets[best[i]] == expected[5 + i]);
	CHECK(crux_subsets_best(SUBSETS, errors, subsets, MEASURES, 9, best) == 1 && subsets[best[0]] == SUBSETS - 1);
	crux_splits_free(splits);
}

/* Of at most 3 measures, 2 only with 0, 5 only with 0 and 1: those of all that are like that, with the same errors. */
static void limits(void)
{
	uint64_t const needs[MEASURES] = {0, 0, 1, 0, 0, 3};
	crux_subsets const some = {MEASURES, 3, needs};
	problem const p = draw(0);
	crux_splits *splits = splits_of(&p);
	double by_subset[SUBSETS], errors[SUBSETS], subsets[SUBSETS];
	errors_of(splits, by_subset);
	size_t const n = crux_subsets_count(&some, SIZE_MAX);
	CHECK(n < SUBSETS && crux_subsets_count(&some, n) == n && crux_subsets_count(&some, n - 1) == n - 1);
	CHECK(crux_subsets_errors(&some, splits, errors, subsets));
	size_t expected = 0;
	for (uint32_t subset = 0; subset < SUBSETS; subset++)
		expected += __builtin_popcount(subset) <= 3 && (!(subset & 4) || subset & 1) && (!(subset & 32) || (subset & 3) == 3);
	CHECK(n == expected);
	for (size_t i = 0; i < n; i++) {
		CHECK(errors[i] == by_subset[(size_t)subsets[i]]);
		for (size_t measure = 0; measure < MEASURES; measure++)
			CHECK(!((uint64_t)subsets[i] >> measure & 1) || !(needs[measure] & ~(uint64_t)subsets[i]));
	}
	crux_splits_free(splits);
}

static int size(uint32_t subset) { return subset ? (int)(subset & 1) + size(subset >> 1) : 0; }

/* Errors with many ties: each subset of the list stands before the next, and those left out would stand behind the last. */
static void order(void)
{
	srand(12);
	double subsets[SUBSETS];
	for (size_t subset = 0; subset < SUBSETS; subset++)
		subsets[subset] = (double)subset;
	for (int round = 0; round < 200; round++) {
		double errors[SUBSETS];
		uint32_t best[SUBSETS];
		size_t const count = (size_t)(rand() % SUBSETS);
		for (size_t subset = 0; subset < SUBSETS; subset++)
			errors[subset] = rand() % (1 + round);
		errors[0] = -1;
		CHECK(crux_subsets_best(SUBSETS, errors, subsets, 0, count, best) == count);
		bool listed[SUBSETS] = {false};
		for (size_t i = 0; i < count; i++) {
			CHECK(best[i] > 0 && best[i] < SUBSETS && !listed[best[i]]);
			listed[best[i]] = true;
			if (i == 0)
				continue;
			uint32_t const a = best[i - 1], b = best[i], differ = a ^ b;
			CHECK(errors[a] < errors[b] ||
			      (errors[a] == errors[b] && (size(a) < size(b) || (size(a) == size(b) && (a & differ & -differ)))));
		}
		for (uint32_t subset = 1; count > 0 && subset < SUBSETS; subset++)
			CHECK(listed[subset] || errors[subset] >= errors[best[count - 1]]);
	}
}

/* One row in each of two folds, predicted by the other: y = 1 and 4, whatever the measure, is off by 3. */
static void smallest(void)
{
	double const ones[] = {1, 1}, column[] = {2, 7}, response[] = {1, 4};
	double const *const columns[] = {ones, column};
	crux_ols *rows[] = {crux_ols_new(2), crux_ols_new(2)};
	for (size_t i = 0; i < 2; i++)
		crux_ols_add_row(rows[i], i, columns, response, NULL);
	crux_split const list[] = {{rows[1], rows[0]}, {rows[0], rows[1]}};
	crux_splits *splits = crux_splits_new(2, list, 1e-7);
	double errors[2], subsets[2];
	CHECK(crux_subsets_errors(&(crux_subsets){.measures = 1, .most = 1}, splits, errors, subsets));
	CHECK(errors[0] == 9 && errors[1] == 9);
	crux_splits_free(splits);
	crux_ols_free(rows[0]);
	crux_ols_free(rows[1]);
}

int main(void)
{
	random_problems();
	exact();
	limits();
	order();
	smallest();
	return check_summary();
}
