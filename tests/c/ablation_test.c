/* ablation.c against a fit of its own for every subset and fold (ols.c, refined), and its order against sorting. */
#include "ablation.h"

#include <stdlib.h>

#include "check.h"
#include "ols.h"

enum { ROWS = 40, MEASURES = 6, FOLDS = 5 };

typedef struct problem {
	double columns[MEASURES][ROWS], response[ROWS];
	size_t folds[ROWS];
} problem;

static double uniform(void)
{
	return rand() / (RAND_MAX + 1.0) - 0.5;
}

/* The squared errors of a fold's rows, by a fit to the others. */
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
		weights[row] = p->folds[row] != fold;
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
		sum += p->folds[row] == fold ? error * error : 0;
	}
	crux_ols_free(ols);
	return sum;
}

static void errors_of(const problem *p, double *errors)
{
	double const *columns[MEASURES];
	for (size_t i = 0; i < MEASURES; i++)
		columns[i] = p->columns[i];
	crux_ablation const study = {MEASURES, ROWS, FOLDS, columns, p->response, p->folds, 1e-7};
	CHECK(crux_ablation_errors(&study, errors));
}

static void compare(const problem *p, double tolerance)
{
	double errors[1 << MEASURES];
	errors_of(p, errors);
	for (uint32_t subset = 0; subset < 1 << MEASURES; subset++) {
		double sum = 0;
		for (size_t fold = 0; fold < FOLDS; fold++)
			sum += fold_error(p, subset, fold);
		CHECK_NEAR(errors[subset], sum / ROWS, tolerance);
	}
}

/* A kind of problem: 0 plain; 1 with collinear columns, one of them only but for its first rows; 2 with columns that are
 * constant where fold 2 is not; 3 with columns that nearly agree; 4 with offsets that dwarf what varies, and odd scales. */
static problem draw(int kind)
{
	problem p;
	for (size_t row = 0; row < ROWS; row++) {
		p.folds[row] = kind % 2 ? row * FOLDS / ROWS : (size_t)rand() % FOLDS;
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
		problem const p = draw(round % 5);
		compare(&p, 1e-11);
	}
}

/* The response is columns 1 and 3: all subsets with both are without error, the pair is best. */
static void exact(void)
{
	problem p = draw(0);
	for (size_t row = 0; row < ROWS; row++)
		p.response[row] = 20 + 2 * p.columns[1][row] - 0.7 * p.columns[3][row];
	double errors[1 << MEASURES];
	uint32_t best[(1 << MEASURES) - 1];
	errors_of(&p, errors);
	for (uint32_t subset = 0; subset < 1 << MEASURES; subset++)
		CHECK((errors[subset] == 0) == ((subset & 10) == 10));
	crux_ablation_best(MEASURES, errors, 63, best);
	uint32_t const expected[] = {10, 11, 14, 26, 42, 15, 27, 43, 30, 46, 58, 31};
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
		CHECK(best[i] == expected[i]);
}

static int size(uint32_t subset)
{
	return subset ? (int)(subset & 1) + size(subset >> 1) : 0;
}

/* Errors with many ties: each subset of the list stands before the next, and those left out would stand behind the last. */
static void order(void)
{
	srand(12);
	for (int round = 0; round < 200; round++) {
		double errors[1 << MEASURES];
		uint32_t best[1 << MEASURES];
		size_t const count = (size_t)(rand() % (1 << MEASURES));
		for (size_t subset = 0; subset < 1 << MEASURES; subset++)
			errors[subset] = rand() % (1 + round);
		errors[0] = -1;
		crux_ablation_best(MEASURES, errors, count, best);
		bool listed[1 << MEASURES] = {false};
		for (size_t i = 0; i < count; i++) {
			CHECK(best[i] > 0 && best[i] < 1 << MEASURES && !listed[best[i]]);
			listed[best[i]] = true;
			if (i == 0)
				continue;
			uint32_t const a = best[i - 1], b = best[i], differ = a ^ b;
			CHECK(errors[a] < errors[b] ||
			      (errors[a] == errors[b] && (size(a) < size(b) || (size(a) == size(b) && (a & differ & -differ)))));
		}
		for (uint32_t subset = 1; count > 0 && subset < 1 << MEASURES; subset++)
			CHECK(listed[subset] || errors[subset] >= errors[best[count - 1]]);
	}
}

/* One row in each of two folds, predicted by the other: y = 1 and 4, whatever the measure, is off by 3. */
static void smallest(void)
{
	double const column[] = {2, 7}, response[] = {1, 4};
	double const *const columns[] = {column};
	size_t const folds[] = {0, 1};
	crux_ablation const study = {1, 2, 2, columns, response, folds, 1e-7};
	double errors[2];
	CHECK(crux_ablation_errors(&study, errors));
	CHECK(errors[0] == 9 && errors[1] == 9);
}

int main(void)
{
	random_problems();
	exact();
	order();
	smallest();
	return check_summary();
}
