/* permutation.c beside all permutations of few groups, each statistic by its definition over all pairs of rows. */
#include "stats/permutation.h"

#include <math.h>

#include "check.h"
#include "stats/random.h"

enum { GROUPS = 5, ROWS = 17, ALL = 120, DRAWS = 20000 };

static double x[GROUPS], y[ROWS], group[ROWS];

static double sign(double a) { return (a > 0) - (a < 0); }

static double product(const double *a, const double *b)
{
	double ab = 0, aa = 0, bb = 0, mean_a = 0, mean_b = 0;
	for (size_t i = 0; i < ROWS; i++) {
		mean_a += a[i] / ROWS;
		mean_b += b[i] / ROWS;
	}
	for (size_t i = 0; i < ROWS; i++) {
		ab += (a[i] - mean_a) * (b[i] - mean_b);
		aa += (a[i] - mean_a) * (a[i] - mean_a);
		bb += (b[i] - mean_b) * (b[i] - mean_b);
	}
	return ab / sqrt(aa * bb);
}

static void statistics(const size_t *order, double *r, double *tau, double *rho)
{
	double a[ROWS], rank_a[ROWS] = {0}, rank_y[ROWS] = {0}, score = 0, free_a = 0, free_y = 0;
	for (size_t i = 0; i < ROWS; i++)
		a[i] = x[order[(size_t)group[i] - 1]];
	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < ROWS; j++) {
			score += sign(a[i] - a[j]) * sign(y[i] - y[j]);
			free_a += fabs(sign(a[i] - a[j]));
			free_y += fabs(sign(y[i] - y[j]));
			rank_a[i] += (1 + sign(a[i] - a[j])) / 2;
			rank_y[i] += (1 + sign(y[i] - y[j])) / 2;
		}
	*r = fabs(product(a, y));
	*tau = fabs(score) / sqrt(free_a * free_y);
	*rho = fabs(product(rank_a, rank_y));
}

/* The share of all permutations, listed by their number in the factorial system, whose statistics are no smaller. */
static void count_all(double *shares)
{
	size_t const identity[GROUPS] = {0, 1, 2, 3, 4};
	double observed[3], found[3];
	statistics(identity, &observed[0], &observed[1], &observed[2]);
	for (size_t number = 0; number < ALL; number++) {
		size_t order[GROUPS] = {0, 1, 2, 3, 4}, rest = number;
		for (size_t k = GROUPS; k > 1; k--) {
			size_t const other = rest % k, last = order[k - 1];
			order[k - 1] = order[other];
			order[other] = last;
			rest /= k;
		}
		statistics(order, &found[0], &found[1], &found[2]);
		for (size_t s = 0; s < 3; s++)
			shares[s] += (found[s] >= observed[s] * (1 - 1e-10)) / (double)ALL;
	}
}

int main(void)
{
	for (uint64_t seed = 1; seed <= 8; seed++) {
		crux_random random = crux_random_new(seed, 0);
		for (size_t g = 0; g < GROUPS; g++)
			x[g] = (double)crux_random_integer(&random, 0, seed % 2 ? 3 : 100); /* with and without ties */
		x[0] = 200;
		for (size_t i = 0; i < ROWS; i++) {
			group[i] = i < GROUPS ? (double)i + 1 : (double)crux_random_integer(&random, 1, GROUPS);
			y[i] = (double)crux_random_integer(&random, 0, 9) + x[(size_t)group[i] - 1] / 50;
		}
		crux_permutation_rows const rows = {.rows = ROWS, .groups = GROUPS, .x = x, .group = group, .y = y};
		crux_permutation_p p;
		double shares[3] = {0};
		CHECK(crux_permutation_test(&rows, DRAWS, 1, &p));
		count_all(shares);
		double const found[] = {p.pearson, p.kendall, p.spearman};
		for (size_t s = 0; s < 3; s++) /* 5 standard errors of DRAWS draws */
			CHECK(fabs(found[s] - shares[s]) < 5 * sqrt(0.25 / DRAWS));
	}
	return check_summary();
}
