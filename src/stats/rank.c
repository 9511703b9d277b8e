/* Rank correlation; see rank.h. */
#include "stats/rank.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SPEARMAN_EXACT = 9 }; /* the most ranks whose permutations are gone through, as in R */

static const double factorials[SPEARMAN_EXACT + 1] = {1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880};

typedef struct row {
	double x, y;
} row;

static int compare(const void *a, const void *b)
{
	row const *left = a, *right = b;
	int const by_x = (left->x > right->x) - (left->x < right->x);
	return by_x ? by_x : (left->y > right->y) - (left->y < right->y);
}

bool crux_rank_ranks(size_t n, const double *x, double *ranks)
{
	row *rows = malloc((n + 1) * sizeof *rows); /* y is the place in x */
	if (!rows)
		return false;
	for (size_t i = 0; i < n; i++)
		rows[i] = (row){x[i], (double)i};
	qsort(rows, n, sizeof *rows, compare);
	for (size_t start = 0, end; start < n; start = end) {
		for (end = start + 1; end < n && rows[end].x == rows[start].x; end++)
			continue;
		for (size_t i = start; i < end; i++)
			ranks[(size_t)rows[i].y] = ((double)start + 1 + (double)end) / 2;
	}
	free(rows);
	return true;
}

/* Counts a row of a group, and takes the group in with its last one. */
static void add_row(crux_ties *ties, size_t *size, bool is_last)
{
	double const t = (double)++*size;
	if (!is_last)
		return;
	*size = 0;
	ties->pairs += t * (t - 1);
	ties->triples += t * (t - 1) * (t - 2);
	ties->variance += t * (t - 1) * (2 * t + 5);
}

/* Sorts rows by y, from `rows` by way of `other`; returns how many pairs stood the wrong way round. */
static uint64_t sort_by_y(row *rows, row *other, size_t n)
{
	if (n < 2)
		return 0;
	size_t const half = n / 2;
	uint64_t exchanges = sort_by_y(rows, other, half) + sort_by_y(rows + half, other, n - half);
	memcpy(other, rows, n * sizeof *rows);
	size_t left = 0, right = half;
	for (size_t i = 0; i < n; i++) {
		bool const from_left = right == n || (left < half && other[left].y <= other[right].y);
		if (!from_left)
			exchanges += half - left;
		rows[i] = other[from_left ? left++ : right++];
	}
	return exchanges;
}

bool crux_rank_order(size_t n, const double *x, const double *y, crux_order *order)
{
	row *rows = malloc((2 * n + 1) * sizeof *rows);
	if (!rows)
		return false;
	for (size_t i = 0; i < n; i++)
		rows[i] = (row){x[i], y[i]};
	qsort(rows, n, sizeof *rows, compare);
	*order = (crux_order){0};
	crux_ties both = {0};
	for (size_t i = 0, of_x = 0, of_both = 0; i < n; i++) { /* sizes of the groups that row i is in */
		bool const same_x = i + 1 < n && rows[i + 1].x == rows[i].x;
		bool const same_both = same_x && rows[i + 1].y == rows[i].y;
		add_row(&both, &of_both, !same_both);
		add_row(&order->x, &of_x, !same_x);
	}
	uint64_t const discordant = sort_by_y(rows, rows + n, n);
	for (size_t i = 0, of_y = 0; i < n; i++)
		add_row(&order->y, &of_y, i + 1 == n || rows[i + 1].y != rows[i].y);
	double const all = (double)n * ((double)n - 1);
	order->score = (all - order->x.pairs - order->y.pairs + both.pairs) / 2 - 2 * (double)discordant;
	free(rows);
	return true;
}

/* The number of discordant pairs is a sum of independent numbers, the k-th uniform in 0 .. k - 1. */
double crux_kendall_lower(size_t n, double concordant)
{
	double probability[CRUX_KENDALL_MOST * (CRUX_KENDALL_MOST - 1) / 2 + 1] = {1};
	size_t most = 0;
	for (size_t k = 2; k <= n; k++) {
		most += k - 1;
		for (size_t pairs = most + 1; pairs-- > 0;) { /* from above: what is read has not been replaced yet */
			double sum = 0;
			for (size_t more = 0; more < k && more <= pairs; more++)
				sum += probability[pairs - more];
			probability[pairs] = sum / (double)k;
		}
	}
	double sum = 0;
	for (size_t pairs = 0; pairs <= most && (double)pairs <= concordant; pairs++)
		sum += probability[pairs];
	return fmin(sum, 1);
}

/* How many ways to give the ranks that are not taken to the places from `place` on reach a sum of `missing` or more. */
static double ways(int n, int place, unsigned taken, double missing)
{
	if (missing <= 0)
		return factorials[n - place];
	double sum = 0;
	for (int rank = 0; rank < n; rank++)
		if (!(taken >> rank & 1))
			sum += ways(n, place + 1, taken | 1U << rank, missing - (rank - place) * (rank - place));
	return sum;
}

double crux_spearman_upper(size_t n, double sum)
{
	double const size = (double)n;
	if (n <= SPEARMAN_EXACT)
		return ways((int)n, 0, 0, sum) / factorials[n];
	/* x is the sum, less 1 for its steps of 2, in standard deviations from its mean; coefficients as published. */
	double const b = 1 / size, x = (6 * (sum - 1) / (size * (size * size - 1)) - 1) * sqrt(size - 1), y = x * x;
	double const far = 0.0879 + 0.0151 * b - y * (0.0072 - 0.0831 * b + y * b * (0.0131 - 4.6e-4 * y));
	double const series = 0.2274 + b * (0.2531 + 0.1745 * b) + y * (-0.0758 + b * (0.1033 + 0.3932 * b) - y * b * far);
	return fmin(fmax(x * b * series * exp(-y / 2) + erfc(x / sqrt(2)) / 2, 0), 1);
}
