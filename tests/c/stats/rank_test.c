/* Tests of src/stats/rank.c: ranks and scores by hand and by counting, and the chances of orders against closed forms. */
#include "stats/rank.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { ROWS = 40 };

static void ranks(void)
{
	double const x[] = {5, 1, 5, -2, 5, 1}, expected[] = {5, 2.5, 5, 1, 5, 2.5};
	double found[6];
	CHECK(crux_rank_ranks(6, x, found));
	for (size_t i = 0; i < 6; i++)
		CHECK(found[i] == expected[i]);
	CHECK(crux_rank_ranks(0, x, found));
}

/* The same by looking at every pair; the sums over ties, of each number's group without the number itself. */
static crux_order count(size_t n, const double *x, const double *y)
{
	crux_order order = {0};
	for (size_t i = 0; i < n; i++) {
		double same_x = 0, same_y = 0;
		for (size_t j = 0; j < n; j++) {
			double const product = (x[i] - x[j]) * (y[i] - y[j]);
			order.score += ((product > 0) - (product < 0)) / 2.0;
			same_x += j != i && x[j] == x[i];
			same_y += j != i && y[j] == y[i];
		}
		order.x.pairs += same_x;
		order.x.triples += same_x * (same_x - 1);
		order.x.variance += same_x * (2 * same_x + 7);
		order.y.pairs += same_y;
		order.y.triples += same_y * (same_y - 1);
		order.y.variance += same_y * (2 * same_y + 7);
	}
	return order;
}

static void scores(void)
{
	srand(7);
	for (int round = 0; round < 500; round++) {
		double x[ROWS], y[ROWS];
		size_t const n = (size_t)(rand() % ROWS);
		for (size_t i = 0; i < n; i++) {
			x[i] = rand() % (1 + round % 50) - 3;
			y[i] = round % 3 ? rand() % 5 / 4.0 : -(double)i;
		}
		crux_order order;
		CHECK(crux_rank_order(n, x, y, &order));
		crux_order const expected = count(n, x, y);
		CHECK(order.score == expected.score);
		CHECK(order.x.pairs == expected.x.pairs && order.y.pairs == expected.y.pairs);
		CHECK(order.x.triples == expected.x.triples && order.y.triples == expected.y.triples);
		CHECK(order.x.variance == expected.x.variance && order.y.variance == expected.y.variance);
	}
}

static int compare(const void *a, const void *b)
{
	double const x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

enum { MANY = 5000 };

/* The order of qsort; equal numbers are in one group, and stay in order. */
static void expect_sorted(size_t n, const double *x)
{
	static double expected[MANY];
	static crux_sorted found[MANY], spare[MANY];
	memcpy(expected, x, n * sizeof *x);
	qsort(expected, n, sizeof *expected, compare);
	crux_rank_sort(n, x, spare, found);
	CHECK(n == 0 || found[0].group == 0);
	for (size_t i = 0; i < n; i++) {
		CHECK(x[found[i].place] == expected[i]);
		CHECK(i == 0 || found[i].group == found[i - 1].group + (expected[i] > expected[i - 1]));
		CHECK(i == 0 || expected[i] > expected[i - 1] || found[i].place > found[i - 1].place);
	}
}

/* Numbers of all sizes and signs, some equal, both zeros among them. */
static void sorted(void)
{
	static double x[MANY];
	for (size_t i = 0; i < MANY; i++)
		x[i] = rand() % 9 ? ldexp(rand() - RAND_MAX / 2, rand() % 2000 - 1000) : (double)(rand() % 3 - 1) * 0;
	expect_sorted(MANY, x);
	for (size_t i = 0; i < MANY; i++) /* numbers that only the last bits tell apart, far from one that is not */
		x[i] = i == 7 ? -1e300 : 1 + rand() % 3000 * DBL_EPSILON * (i % 5 ? 1 : 1 << 20);
	expect_sorted(MANY, x);
	for (size_t n = 0; n < 40; n++)
		expect_sorted(n, x + 5 * n);
	CHECK(crux_rank_work(SIZE_MAX / 32) == PTRDIFF_MAX);
}

/* Pearson's correlation of the ranks. */
static double rank_correlation(size_t n, const double *x, const double *y)
{
	double a[ROWS], b[ROWS], aa = 0, bb = 0, ab = 0, middle = ((double)n + 1) / 2;
	CHECK(crux_rank_ranks(n, x, a) && crux_rank_ranks(n, y, b));
	for (size_t i = 0; i < n; i++) {
		aa += (a[i] - middle) * (a[i] - middle);
		bb += (b[i] - middle) * (b[i] - middle);
		ab += (a[i] - middle) * (b[i] - middle);
	}
	return ab / sqrt(aa * bb);
}

/* The orders of parts are those of their rows alone, which may be anywhere; a part may be empty, a row in none. */
static void parts(void)
{
	enum { PARTS = 3 };
	for (int round = 0; round < 200; round++) {
		double x[ROWS], y[ROWS];
		uint32_t part_of[ROWS];
		crux_sorted by_x[ROWS], by_y[ROWS], spare[ROWS];
		size_t n = 0, ends[PARTS] = {0};
		for (size_t i = 0; i < ROWS; i++) {
			x[i] = rand() % (1 + round % 50);
			y[i] = rand() % (1 + round % 7);
			part_of[i] = (uint32_t)(rand() % (PARTS + 1));
			n += part_of[i] < PARTS;
			for (size_t part = part_of[i]; part < PARTS; part++)
				ends[part]++;
		}
		crux_rank_sort(ROWS, x, spare, by_x);
		crux_rank_sort(ROWS, y, spare, by_y);
		for (size_t i = 0, to_x = 0, to_y = 0; i < ROWS; i++) {
			if (part_of[by_x[i].place] < PARTS)
				by_x[to_x++] = by_x[i];
			if (part_of[by_y[i].place] < PARTS)
				by_y[to_y++] = by_y[i];
		}
		crux_order found[PARTS + 1], expected;
		void *work = malloc(crux_rank_work(ROWS));
		crux_rank_orders(n, by_x, by_y, ROWS, PARTS, part_of, ends, work, found);
		free(work);
		for (size_t part = 0; part <= PARTS; part++) {
			double part_x[ROWS], part_y[ROWS];
			size_t rows = 0;
			for (size_t i = 0; i < ROWS; i++) {
				if (part < PARTS ? part_of[i] == part : part_of[i] < PARTS) {
					part_x[rows] = x[i];
					part_y[rows++] = y[i];
				}
			}
			CHECK(crux_rank_order(rows, part_x, part_y, &expected));
			CHECK(found[part].score == expected.score && found[part].x.pairs == expected.x.pairs);
			double const rho = rank_correlation(rows, part_x, part_y);
			CHECK(isnan(rho) ? isnan(found[part].rho) : fabs(found[part].rho - rho) < 1e-13);
		}
	}
}

/* Of the 24 orders of 4, 1, 3, 5, 6, 5, 3, 1 have 0 .. 6 pairs in order. */
static void chances_of_kendall(void)
{
	double const counts[] = {1, 3, 5, 6, 5, 3, 1};
	double sum = 0;
	for (int pairs = 0; pairs <= 6; pairs++)
		CHECK_NEAR(crux_kendall_lower(4, pairs), (sum += counts[pairs]) / 24, 1e-15);
	CHECK(crux_kendall_lower(4, -1) == 0 && crux_kendall_lower(0, 0) == 1 && crux_kendall_lower(1, 0) == 1);
	for (size_t n = 2; n <= CRUX_KENDALL_MOST; n++) {
		double const most = (double)n * ((double)n - 1) / 2;
		CHECK_NEAR(crux_kendall_lower(n, most), 1, 1e-14);
		CHECK_NEAR(crux_kendall_lower(n, 0), 1 / tgamma((double)n + 1), 1e-13);
		CHECK_NEAR(crux_kendall_lower(n, most / 3), 1 - crux_kendall_lower(n, ceil(most - floor(most / 3)) - 1), 1e-11);
	}
}

/* Of the 24 orders of 4, sums of 0, 2, 4 .. 20 come from 1, 3, 1, 4, 2, 2, 2, 4, 1, 3, 1. */
static void chances_of_spearman(void)
{
	double const counts[] = {1, 3, 1, 4, 2, 2, 2, 4, 1, 3, 1};
	double sum = 0;
	for (int i = 10; i >= 0; i--)
		CHECK_NEAR(crux_spearman_upper(4, 2 * i), (sum += counts[i]) / 24, 1e-15);
	CHECK(crux_spearman_upper(4, 21) == 0 && crux_spearman_upper(1, 0) == 1);
	CHECK_NEAR(crux_spearman_upper(9, 240), 1 / 362880.0, 1e-15);
	for (size_t n = 10; n < 1300; n += 43) {
		double const mean = (double)n * ((double)n * (double)n - 1) / 6;
		CHECK(crux_spearman_upper(n, 2 * mean) >= 0 && crux_spearman_upper(n, 2 * mean) < 1e-4);
		CHECK_NEAR(crux_spearman_upper(n, mean + 1), 0.5, 1e-15);
		CHECK_NEAR(crux_spearman_upper(n, 1.2 * mean) + crux_spearman_upper(n, 0.8 * mean + 2), 1, 1e-12);
	}
}

int main(void)
{
	ranks();
	scores();
	sorted();
	parts();
	chances_of_kendall();
	chances_of_spearman();
	return check_summary();
}
