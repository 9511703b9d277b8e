/* Rank correlation; see rank.h. */
#include "stats/rank.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SPEARMAN_EXACT = 9 }; /* the largest n for which all permutations are counted, as in R */

static const double factorials[SPEARMAN_EXACT + 1] = {1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880};

enum {
	DIGIT = 11, /* bits per pass of the radix sort */
	DIGITS = 3, /* passes for KEY bits */
	KEY = 32,
	VALUES = 1 << DIGIT,
	FEW = 16, /* up to this length insertion sort is faster */
};

/* Returns an integer that orders as the double does, the same for both zeros. */
static uint64_t key_of(double x)
{
	double const positive_zero = x + 0.0;
	uint64_t bits;
	memcpy(&bits, &positive_zero, sizeof bits);
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static size_t digit_of(uint32_t key, int digit) { return key >> (DIGIT * digit) & (VALUES - 1); }

static size_t group_end(size_t n, const crux_sorted *rows, size_t start)
{
	size_t end = start + 1;
	while (end < n && rows[end].group == rows[start].group)
		end++;
	return end;
}

/* Sets the group of each row to the KEY leading bits of its key above the lowest key; returns how many bits are left out. */
static int set_keys(size_t n, const double *x, crux_sorted *rows)
{
	uint64_t low = UINT64_MAX, high = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t const key = key_of(x[rows[i].place]);
		low = key < low ? key : low;
		high = key > high ? key : high;
	}
	int const bits = high > low ? 64 - __builtin_clzll(high - low) : 0, left_out = bits > KEY ? bits - KEY : 0;
	for (size_t i = 0; i < n; i++)
		rows[i].group = (uint32_t)((key_of(x[rows[i].place]) - low) >> left_out);
	return left_out;
}

/* Sorts rows by their groups; equal ones stay in order. */
static void sort_keys(size_t n, crux_sorted *rows, crux_sorted *spare)
{
	uint32_t starts[DIGITS][VALUES] = {{0}};
	crux_sorted *from = rows, *to = spare;
	for (size_t i = 0; i < n; i++)
		for (int digit = 0; digit < DIGITS; digit++)
			starts[digit][digit_of(rows[i].group, digit)]++;
	for (int digit = 0; digit < DIGITS; digit++) {
		uint32_t start = 0;
		if (starts[digit][digit_of(rows[0].group, digit)] == n)
			continue;
		for (size_t value = 0; value < VALUES; value++) {
			uint32_t const count = starts[digit][value];
			starts[digit][value] = start;
			start += count;
		}
		for (size_t i = 0; i < n; i++)
			to[starts[digit][digit_of(from[i].group, digit)]++] = from[i];
		crux_sorted *const other = from;
		from = to;
		to = other;
	}
	if (from != rows)
		memcpy(rows, from, n * sizeof *rows);
}

/* Sorts a few rows by insertion; equal ones stay in order. */
static void sort_few(size_t n, const double *x, crux_sorted *rows)
{
	for (size_t i = 1; i < n; i++) {
		crux_sorted const row = rows[i];
		size_t place = i;
		for (; place > 0 && x[rows[place - 1].place] > x[row.place]; place--)
			rows[place] = rows[place - 1];
		rows[place] = row;
	}
}

/* Sorts rows, of which the places are set, and sets their groups from `group` on; equal ones stay in order. Rows that differ only
 * in bits that their keys leave out, few as a rule, are sorted once more. Returns the number of the last group. */
static uint32_t sort(size_t n, const double *x, crux_sorted *rows, crux_sorted *spare, uint32_t group)
{
	if (n <= FEW) {
		sort_few(n, x, rows);
		for (size_t i = 0; i < n; i++)
			rows[i].group = group += i > 0 && x[rows[i].place] > x[rows[i - 1].place];
		return group;
	}
	bool const is_exact = set_keys(n, x, rows) == 0;
	sort_keys(n, rows, spare);
	for (size_t start = 0, end; start < n; start = end, group++) {
		end = group_end(n, rows, start);
		if (end - start > 1 && !is_exact)
			group = sort(end - start, x, rows + start, spare, group);
		else
			for (size_t i = start; i < end; i++)
				rows[i].group = group;
	}
	return group - 1;
}

size_t crux_rank_work(size_t n)
{
	return n < UINT32_C(1) << 31 ? n * (sizeof(crux_sorted) + 4 * sizeof(uint32_t)) + 1 : PTRDIFF_MAX;
}

void crux_rank_sort(size_t n, const double *x, crux_sorted *spare, crux_sorted *out)
{
	for (size_t i = 0; i < n; i++)
		out[i].place = (uint32_t)i;
	sort(n, x, out, spare, 0);
}

bool crux_rank_ranks(size_t n, const double *x, double *ranks)
{
	void *work = malloc(crux_rank_work(n));
	crux_sorted *rows = malloc((n + 1) * sizeof *rows);
	bool const ok = work && rows;
	if (ok)
		crux_rank_sort(n, x, work, rows);
	for (size_t start = 0, end; ok && start < n; start = end) {
		end = group_end(n, rows, start);
		for (size_t i = start; i < end; i++)
			ranks[rows[i].place] = ((double)start + 1 + (double)end) / 2;
	}
	free(work);
	free(rows);
	return ok;
}

static void add_ties(crux_ties *ties, size_t size)
{
	if (size == 1)
		return;
	double const t = (double)size;
	ties->pairs += t * (t - 1);
	ties->triples += t * (t - 1) * (t - 2);
	ties->variance += t * (t - 1) * (2 * t + 5);
}

/* Returns the sum of squares of n ranks around their mean. */
static double spread(double n, crux_ties ties)
{
	return (n * (n * n - 1) - ties.triples - 3 * ties.pairs) / 12;
}

/* Work space: lists of n numbers. */
typedef struct room {
	uint32_t *group;   /* group of x of each row, from 0 */
	uint32_t *in_turn; /* the same, rows in the order of y */
	uint32_t *moved;
	uint32_t *rank;    /* of each group of x: 2 times its mean rank, less 1 */
} room;

/* Sorts a few numbers by insertion; returns the number of inversions. */
static uint64_t few_falling_pairs(size_t n, uint32_t *numbers)
{
	uint64_t pairs = 0;
	for (size_t i = 1; i < n; i++) {
		uint32_t const number = numbers[i];
		size_t place = i;
		for (; place > 0 && numbers[place - 1] > number; place--)
			numbers[place] = numbers[place - 1];
		numbers[place] = number;
		pairs += i - place;
	}
	return pairs;
}

/* Sorts numbers of `bits` bits, bit by bit from the highest; returns the number of inversions. */
static uint64_t falling_pairs(size_t n, uint32_t *numbers, uint32_t *moved, int bits)
{
	if (n <= FEW || bits == 0)
		return few_falling_pairs(n, numbers);
	size_t low = 0, high = 0;
	uint64_t pairs = 0;
	for (size_t i = 0; i < n; i++) { /* without a branch, which would be mispredicted */
		uint32_t const number = numbers[i], is_high = number >> (bits - 1) & 1;
		numbers[low] = moved[high] = number;
		low += 1 - is_high;
		high += is_high;
		pairs += (1 - is_high) * high;
	}
	memcpy(numbers + low, moved, high * sizeof *moved);
	return pairs + falling_pairs(low, numbers, moved, bits - 1) + falling_pairs(high, numbers + low, moved, bits - 1);
}

/* Finds the groups of x and their ranks; returns the number of groups. */
static uint32_t rank_x(size_t n, const crux_sorted *by_x, room at, crux_ties *ties)
{
	uint32_t groups = 0;
	for (size_t start = 0, end; start < n; start = end, groups++) {
		end = group_end(n, by_x, start);
		add_ties(ties, end - start);
		at.rank[groups] = (uint32_t)(start + end);
		for (size_t i = start; i < end; i++)
			at.group[by_x[i].place] = groups;
	}
	return groups;
}

static void add_groups(crux_ties *ties, size_t n, const uint32_t *groups)
{
	for (size_t start = 0, end; start < n; start = end) {
		for (end = start + 1; end < n && groups[end] == groups[start]; end++)
			continue;
		add_ties(ties, end - start);
	}
}

static crux_order order_of(size_t size, const crux_sorted *by_x, const crux_sorted *by_y, room at)
{
	double const n = (double)size, all = n * (n - 1);
	crux_order order = {0};
	crux_ties both = {0};
	uint32_t const groups = rank_x(size, by_x, at, &order.x);
	int const bits = groups > 1 ? 32 - __builtin_clz(groups - 1) : 0;
	double products = 0;
	for (size_t i = 0; bits > 0 && i < size; i++)
		at.in_turn[i] = at.group[by_y[i].place];
	for (size_t start = 0, end; start < size; start = end) {
		end = group_end(size, by_y, start);
		add_ties(&order.y, end - start);
		double sum = 0;
		for (size_t i = start; bits > 0 && i < end; i++)
			sum += (double)at.rank[at.in_turn[i]] - n;
		products += sum * ((double)(start + end) - n) / 4;
		if (bits > 0 && end - start > 1) {
			falling_pairs(end - start, at.in_turn + start, at.moved, bits); /* sorts rows of equal y: they are not discordant */
			add_groups(&both, end - start, at.in_turn + start);
		}
	}
	order.rho = products / sqrt(spread(n, order.x) * spread(n, order.y));
	if (bits > 0)
		order.score = (all - order.x.pairs - order.y.pairs + both.pairs) / 2 -
		              2 * (double)falling_pairs(size, at.in_turn, at.moved, bits);
	return order;
}

/* Copies the rows to `out` part by part, in their order within each part. */
static void divide(size_t n, const crux_sorted *rows, const uint32_t *part_of, size_t parts, size_t *ends, crux_sorted *out)
{
	for (size_t i = n; i-- > 0;)
		out[--ends[part_of[rows[i].place]]] = rows[i];
	memmove(ends, ends + 1, (parts - 1) * sizeof *ends); /* each is now the begin of its part */
	ends[parts - 1] = n;
}

void crux_rank_orders(size_t n, crux_sorted *by_x, const crux_sorted *by_y, size_t places, size_t parts, const uint32_t *part_of,
                      size_t *ends, void *work, crux_order *orders)
{
	crux_sorted *const divided = work;
	uint32_t *const numbers = (uint32_t *)(divided + n);
	room const at = {numbers, numbers + places, numbers + places + n, numbers + places + 2 * n};
	orders[parts] = order_of(n, by_x, by_y, at);
	if (parts == 0)
		return;
	divide(n, by_x, part_of, parts, ends, divided);
	divide(n, by_y, part_of, parts, ends, by_x);
	for (size_t part = 0, start = 0; part < parts; start = ends[part++])
		orders[part] = order_of(ends[part] - start, divided + start, by_x + start, at);
}

bool crux_rank_order(size_t n, const double *x, const double *y, crux_order *order)
{
	void *work = malloc(crux_rank_work(n));
	crux_sorted *by_x = malloc((2 * n + 1) * sizeof *by_x), *by_y = by_x + n;
	bool const ok = work && by_x;
	if (ok) {
		crux_rank_sort(n, x, work, by_x);
		crux_rank_sort(n, y, work, by_y);
		crux_rank_orders(n, by_x, by_y, n, 0, NULL, NULL, work, order);
	}
	free(work);
	free(by_x);
	return ok;
}

/* The number of discordant pairs is a sum of independent numbers, the k-th uniform in 0 .. k - 1. */
double crux_kendall_lower(size_t n, double concordant)
{
	double probability[CRUX_KENDALL_MOST * (CRUX_KENDALL_MOST - 1) / 2 + 1] = {1};
	size_t most = 0;
	for (size_t k = 2; k <= n; k++) {
		most += k - 1;
		for (size_t pairs = most + 1; pairs-- > 0;) { /* downwards, so that the numbers read are those of k - 1 */
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

/* Counts the assignments of the ranks not taken to the places from `place` on whose sum is at least `missing`. */
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
