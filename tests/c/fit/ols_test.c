/* ols.c against an independent method: Gram-Schmidt orthogonalisation with every number in double-double. */
#include "fit/ols.h"

#include <stdlib.h>

#include "base/double_double.h"
#include "check.h"

enum { ROWS = 60, TERMS = 6 };

/* xorshift64*; good enough to draw test data. */
static double uniform(unsigned long long *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (double)((*state * 2685821657736338717ULL) >> 11) / 9007199254740992.0;
}

/* a - b * c, relative error about 2^-103 without cancellation. */
static crux_dd less(crux_dd a, crux_dd b, crux_dd c)
{
	crux_dd const product = crux_dd_scale(b, c.high);
	return crux_dd_add(a, crux_dd_sum(-product.high, -fma(b.high, c.low, product.low)));
}

/* a / b, relative error about 2^-102. */
static crux_dd divide(crux_dd a, crux_dd b)
{
	double const first = a.high / b.high;
	crux_dd const rest = less(a, b, (crux_dd){first, 0});
	return crux_dd_sum(first, rest.high / b.high);
}

/* The weighted sum of products of two columns. */
static crux_dd dot(const crux_dd *a, const crux_dd *b, const double *weights)
{
	crux_dd sum = {0, 0};
	for (size_t row = 0; row < ROWS; row++) {
		crux_dd const weighted = crux_dd_scale(a[row], -weights[row]);
		sum = less(sum, weighted, b[row]);
	}
	return sum;
}

/* Takes the share of a column out of another; returns the factor. */
static crux_dd project(crux_dd *column, const crux_dd *base, const double *weights)
{
	crux_dd const factor = divide(dot(base, column, weights), dot(base, base, weights));
	for (size_t row = 0; row < ROWS; row++)
		column[row] = less(column[row], factor, base[row]);
	return factor;
}

/* Solves the weighted problem: makes the columns orthogonal one after the other, then the response. Also gives the residual
 * sum of squares. */
static double reference(size_t terms, double columns[][ROWS], const double *response, const double *weights, double *out)
{
	crux_dd base[TERMS + 1][ROWS], factors[TERMS + 1][TERMS], solution[TERMS];
	for (size_t i = 0; i <= terms; i++) {
		for (size_t row = 0; row < ROWS; row++)
			base[i][row] = (crux_dd){i < terms ? columns[i][row] : response[row], 0};
		for (size_t k = 0; k < i; k++)
			factors[i][k] = project(base[i], base[k], weights);
	}
	for (size_t k = terms; k-- > 0;) {
		solution[k] = factors[terms][k];
		for (size_t j = k + 1; j < terms; j++)
			solution[k] = less(solution[k], factors[j][k], solution[j]);
		out[k] = solution[k].high;
	}
	return dot(base[terms], base[terms], weights).high;
}

/* A pass over the rows in blocks of the given size. */
static void each_block(crux_ols *ols, double columns[][ROWS], size_t terms, const double *response, const double *weights,
                       size_t block, void (*take)(crux_ols *, size_t, const double *const *, const double *, const double *))
{
	for (size_t start = 0; start < ROWS; start += block) {
		size_t const rows = start + block < ROWS ? block : ROWS - start;
		double const *parts[TERMS];
		for (size_t term = 0; term < terms; term++)
			parts[term] = columns[term] + start;
		take(ols, rows, parts, response + start, weights ? weights + start : NULL);
	}
}

/* Blocks of the given size through all passes. Returns the number of passes after the first one. */
static int fit(crux_ols *ols, double columns[][ROWS], size_t terms, const double *response, const double *weights,
               size_t block, double tolerance)
{
	int passes = 0;
	each_block(ols, columns, terms, response, weights, block, crux_ols_add);
	for (bool more = crux_ols_solve(ols, tolerance); more; more = crux_ols_refine(ols), passes++)
		each_block(ols, columns, terms, response, weights, block, crux_ols_residuals);
	return passes;
}

static void random_fits(void)
{
	unsigned long long state = 20261121;
	int single = 0;
	for (int round = 0; round < 200; round++) {
		double columns[TERMS][ROWS], response[ROWS], weights[ROWS], expected[TERMS];
		size_t const terms = 1 + (size_t)(uniform(&state) * TERMS);
		double const skew = round % 3 == 0 ? 1 : round % 3 == 1 ? 1e-2 : 1e-6; /* columns that nearly agree */
		for (size_t row = 0; row < ROWS; row++) {
			columns[0][row] = 1;
			for (size_t term = 1; term < terms; term++)
				columns[term][row] = columns[term - 1][row] + skew * (uniform(&state) - 0.5);
			response[row] = 10 * uniform(&state) - 5;
			weights[row] = 0.1 + uniform(&state) * 9;
		}
		double const rss = reference(terms, columns, response, weights, expected);
		crux_ols *ols = crux_ols_new(terms);
		int const passes =
			fit(ols, columns, terms, response, weights, 1 + (size_t)(uniform(&state) * ROWS), 1e-12);
		single += passes == 0;
		CHECK(crux_ols_rank(ols) == terms && crux_ols_rows(ols) == ROWS);
		for (size_t term = 0; term < terms; term++)
			CHECK_NEAR(crux_ols_estimate(ols, term), expected[term], passes ? 1e-14 : 1e-12);
		CHECK_NEAR(crux_ols_rss(ols), rss, passes ? 1e-15 : 1e-13);
		crux_ols_free(ols);
	}
	CHECK(single > 60 && single < 140); /* without and with passes of refinement */
}

/* Rows split among objects and merged are rows added to one. */
static void merged(void)
{
	unsigned long long state = 5;
	double columns[TERMS][ROWS], response[ROWS], weights[ROWS];
	crux_ols *whole = crux_ols_new(3), *parts[4];
	for (size_t i = 0; i < 4; i++)
		parts[i] = crux_ols_new(3);
	for (size_t row = 0; row < ROWS; row++) {
		for (size_t term = 0; term < 3; term++)
			columns[term][row] = uniform(&state) * 100;
		response[row] = uniform(&state);
		weights[row] = row % 5 ? ldexp(uniform(&state), row % 2 ? 900 : -900) : 0; /* the product would overflow */
		const double *const places[] = {columns[0], columns[1], columns[2]};
		crux_ols_add_row(parts[row % 4], row, places, response, weights);
	}
	each_block(whole, columns, 3, response, weights, ROWS, crux_ols_add);
	for (size_t i = 1; i < 4; i++)
		crux_ols_merge(parts[0], parts[i]);
	crux_ols_solve(whole, 1e-7);
	crux_ols_solve(parts[0], 1e-7);
	double logs = 0;
	for (size_t row = 0; row < ROWS; row++)
		logs += weights[row] > 0 ? log(weights[row]) : 0;
	CHECK(crux_ols_rows(parts[0]) == ROWS - ROWS / 5 && crux_ols_rank(parts[0]) == 3);
	CHECK_NEAR(crux_ols_log_weights(parts[0]), logs, 1e-12);
	CHECK_NEAR(crux_ols_log_weights(whole), logs, 1e-12);
	CHECK_NEAR(crux_ols_rss(parts[0]), crux_ols_rss(whole), 1e-12);
	for (size_t term = 0; term < 3; term++)
		CHECK_NEAR(crux_ols_estimate(parts[0], term), crux_ols_estimate(whole, term), 1e-12);
	for (size_t i = 0; i < 4; i++)
		crux_ols_free(parts[i]);
	crux_ols_free(whole);
}

/* Values by hand: y = 1, 3, 2, 5 on x = 0, 1, 2, 3: slope 1.1, intercept 1.1, rss 2.7; a third column is twice x. */
static void by_hand(void)
{
	double columns[3][ROWS] = {{1, 1, 1, 1}, {0, 1, 2, 3}, {0, 2, 4, 6}};
	double const response[ROWS] = {1, 3, 2, 5};
	double weights[ROWS] = {1, 1, 1, 1}; /* the rest is 0: such rows count for nothing */
	crux_ols *ols = crux_ols_new(3);
	fit(ols, columns, 3, response, weights, 7, 1e-7);
	CHECK(crux_ols_rows(ols) == 4);
	CHECK(crux_ols_rank(ols) == 2);
	CHECK(!crux_ols_aliased(ols, 0) && !crux_ols_aliased(ols, 1) && crux_ols_aliased(ols, 2));
	CHECK(isnan(crux_ols_estimate(ols, 2)) && isnan(crux_ols_unit_error(ols, 2)) && crux_ols_explained(ols, 2) == 0);
	CHECK_NEAR(crux_ols_estimate(ols, 0), 1.1, 1e-15);
	CHECK_NEAR(crux_ols_estimate(ols, 1), 1.1, 1e-15);
	CHECK_NEAR(crux_ols_rss(ols), 2.7, 1e-15);
	CHECK_NEAR(crux_ols_unit_error(ols, 0), sqrt(0.7), 1e-14);
	CHECK_NEAR(crux_ols_unit_error(ols, 1), sqrt(0.2), 1e-14);
	CHECK_NEAR(crux_ols_explained(ols, 0), 30.25, 1e-14);
	CHECK_NEAR(crux_ols_explained(ols, 1), 6.05, 1e-14);
	CHECK(crux_ols_log_weights(ols) == 0);
	crux_ols_free(ols);
}

/* Nothing but zeros: every term is aliased, nothing divides by zero. */
static void zeros(void)
{
	double columns[2][ROWS] = {{0}};
	double const response[ROWS] = {1, 2, 3};
	crux_ols *ols = crux_ols_new(2);
	fit(ols, columns, 2, response, NULL, ROWS, 1e-7);
	CHECK(crux_ols_rank(ols) == 0);
	CHECK_NEAR(crux_ols_rss(ols), 14, 1e-15);
	crux_ols_free(ols);
	crux_ols_free(NULL);
}

/* Numbers that are denormal, whose squares are 0, or whose squares are infinite fit as they do at scale 1. */
static void odd_scales(void)
{
	static double const scales[] = {0x1p-1040, 0x1p-600, 0x1p600};
	double const response[] = {1, 3, 2, 5};
	for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
		double columns[2][ROWS] = {{1, 1, 1, 1}}, scaled[4];
		for (size_t row = 0; row < 4; row++) {
			columns[1][row] = scales[i] * (double)row;
			scaled[row] = scales[i] * response[row];
		}
		double const *const places[] = {columns[0], columns[1]};
		crux_ols *ols = crux_ols_new(2);
		crux_ols_add(ols, 4, places, scaled, NULL);
		crux_ols_solve(ols, 1e-7);
		CHECK(crux_ols_rank(ols) == 2);
		CHECK_NEAR(crux_ols_estimate(ols, 0) / scales[i], 1.1, 1e-8);
		CHECK_NEAR(crux_ols_estimate(ols, 1), 1.1, 1e-8);
		crux_ols_free(ols);
	}
}

int main(void)
{
	random_fits();
	merged();
	by_hand();
	zeros();
	odd_scales();
	return check_summary();
}
