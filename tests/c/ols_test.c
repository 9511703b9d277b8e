/* ols.c against an independent method: the normal equations with every number in double-double. */
#include "ols.h"

#include <stdlib.h>

#include "check.h"
#include "double_double.h"

enum { ROWS = 60, TERMS = 6 };

/* xorshift64*; good enough to draw test data. */
static double uniform(unsigned long long *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (double)((*state * 2685821657736338717ULL) >> 11) / 9007199254740992.0;
}

static crux_dd multiply(crux_dd a, crux_dd b)
{
	return crux_dd_add(crux_dd_scale(a, b.high), crux_dd_scale(a, b.low));
}

static crux_dd negative(crux_dd a)
{
	return (crux_dd){-a.high, -a.low};
}

/* Newton's step from the double quotient. */
static crux_dd divide(crux_dd a, crux_dd b)
{
	crux_dd const first = {a.high / b.high, 0};
	crux_dd const rest = crux_dd_add(a, negative(multiply(b, first)));
	return crux_dd_add(first, (crux_dd){rest.high / b.high, 0});
}

/* Solves the weighted problem by the normal equations in double-double, Cholesky without roots. */
static void reference(size_t terms, double columns[][ROWS], const double *response, const double *weights, double *out)
{
	crux_dd gram[TERMS][TERMS + 1];
	for (size_t i = 0; i < terms; i++) {
		for (size_t j = 0; j <= terms; j++) {
			gram[i][j] = (crux_dd){0, 0};
			for (size_t row = 0; row < ROWS; row++) {
				crux_dd const product = crux_dd_product(columns[i][row], j < terms ? columns[j][row] : response[row]);
				gram[i][j] = crux_dd_add(gram[i][j], crux_dd_scale(product, weights[row]));
			}
		}
	}
	for (size_t k = 0; k < terms; k++) {
		for (size_t i = k + 1; i < terms; i++) {
			crux_dd const factor = divide(gram[i][k], gram[k][k]);
			for (size_t j = k; j <= terms; j++)
				gram[i][j] = crux_dd_add(gram[i][j], negative(multiply(factor, gram[k][j])));
		}
	}
	crux_dd solution[TERMS];
	for (size_t k = terms; k-- > 0;) {
		crux_dd sum = gram[k][terms];
		for (size_t j = k + 1; j < terms; j++)
			sum = crux_dd_add(sum, negative(multiply(gram[k][j], solution[j])));
		solution[k] = divide(sum, gram[k][k]);
		out[k] = solution[k].high;
	}
}

/* Blocks of the given size through all passes. */
static void fit(crux_ols *ols, double columns[][ROWS], size_t terms, const double *response, const double *weights,
                size_t block, double tolerance)
{
	for (int pass = 0; pass == 0 || crux_ols_refine(ols); pass++) {
		for (int phase = pass == 0 ? 0 : 1; phase < 2; phase++) {
			for (size_t start = 0; start < ROWS; start += block) {
				size_t const rows = start + block < ROWS ? block : ROWS - start;
				double const *parts[TERMS];
				for (size_t term = 0; term < terms; term++)
					parts[term] = columns[term] + start;
				(phase ? crux_ols_residuals : crux_ols_add)(ols, rows, parts, response + start,
				                                            weights ? weights + start : NULL);
			}
			if (phase == 0)
				crux_ols_solve(ols, tolerance);
		}
	}
}

static void random_fits(void)
{
	unsigned long long state = 20261121;
	for (int round = 0; round < 200; round++) {
		double columns[TERMS][ROWS], response[ROWS], weights[ROWS], expected[TERMS];
		size_t const terms = 1 + (size_t)(uniform(&state) * TERMS);
		double const skew = round % 2 ? 1e-4 : 1; /* columns that nearly agree */
		for (size_t row = 0; row < ROWS; row++) {
			columns[0][row] = 1;
			for (size_t term = 1; term < terms; term++)
				columns[term][row] = columns[term - 1][row] + skew * (uniform(&state) - 0.5);
			response[row] = 10 * uniform(&state) - 5;
			weights[row] = 0.1 + uniform(&state) * 9;
		}
		reference(terms, columns, response, weights, expected);
		crux_ols *ols = crux_ols_new(terms);
		fit(ols, columns, terms, response, weights, 1 + (size_t)(uniform(&state) * ROWS), 1e-12);
		CHECK(crux_ols_rank(ols) == terms && crux_ols_rows(ols) == ROWS);
		for (size_t term = 0; term < terms; term++)
			CHECK_NEAR(crux_ols_estimate(ols, term), expected[term], 1e-14);
		crux_ols_free(ols);
	}
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

int main(void)
{
	random_fits();
	by_hand();
	zeros();
	return check_summary();
}
