/* Statistics of numbers in groups of rows. */
#include "stats/groups.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
static double middle_of(crux_middle middle, size_t n, const double *sorted)
{
	mean trimmed = { 0 };
	if (middle == CRUX_MEDIAN)
		return n == 0 ? NAN : n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
	for (size_t i = n / 10; i < n - n / 10; i++)
		add(&trimmed, sorted[i]);
	return value_of(&trimmed);
}

void crux_groups_order(size_t n, const double *groups, size_t count, size_t *ends, size_t *out)
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
		out[ends[(size_t)groups[i] - 1]++] = i;
}

bool crux_groups_middles(crux_middle middle, size_t n, const double *values, const double *groups, size_t count, double *out)
{
	if (middle == CRUX_MEAN)
		return means(n, values, groups, count, out);
	size_t *const rows = calloc(n + 1, sizeof *rows), *const ends = malloc((count + 1) * sizeof *ends);
	double *const sorted = malloc((n + 1) * sizeof *sorted);
	bool const has_memory = rows && ends && sorted;
	if (has_memory)
		crux_groups_order(n, groups, count, ends, rows);
	for (size_t g = 0, at = 0; has_memory && g < count; g++) {
		size_t kept = 0;
		for (; at < ends[g]; at++)
			if (!isnan(values[rows[at]]))
				sorted[kept++] = values[rows[at]];
		qsort(sorted, kept, sizeof *sorted, compare);
		out[g] = middle_of(middle, kept, sorted);
	}
	free(rows);
	free(ends);
	free(sorted);
	return has_memory;
}

void crux_groups_ranges(size_t n, const double *values, const double *groups, size_t count, double *lows, double *highs)
{
	for (size_t g = 0; g < count; g++) {
		lows[g] = INFINITY;
		highs[g] = -INFINITY;
	}
	for (size_t i = 0; i < n; i++) {
		size_t const g = (size_t)groups[i] - 1;
		lows[g] = values[i] < lows[g] ? values[i] : lows[g];
		highs[g] = values[i] > highs[g] ? values[i] : highs[g];
	}
}

void crux_groups_squares(size_t n, const double *values, const double *groups, size_t count, const double *centres, double *out)
{
	memset(out, 0, count * sizeof *out);
	for (size_t i = 0; i < n; i++) {
		size_t const g = (size_t)groups[i] - 1;
		double const difference = values[i] - centres[g];
		out[g] += isnan(values[i]) ? 0 : difference * difference;
	}
}

void crux_groups_sums(size_t n, const double *values, const double *groups, size_t count, double *counts, double *sums)
{
	memset(counts, 0, count * sizeof *counts);
	memset(sums, 0, count * sizeof *sums);
	for (size_t i = 0; i < n; i++) {
		size_t const g = (size_t)groups[i] - 1;
		counts[g] += !isnan(values[i]);
		sums[g] += isnan(values[i]) ? 0 : values[i];
	}
}

bool crux_groups_again(size_t n, const double *first, const double *second, size_t *row, size_t *earlier)
{
	size_t slots = 64;
	while (slots < 2 * n)
		slots *= 2;
	uint32_t *const table = n < UINT32_MAX ? calloc(slots, sizeof *table) : NULL; /* rows from 1, 0 where empty */
	if (!table)
		return false;
	for (*row = 0; *row < n; ++*row) {
		double const a = first[*row], b = second[*row];
		size_t at = ((uint64_t)a << 32 ^ (uint64_t)b) * UINT64_C(0x9E3779B97F4A7C15) >> 20 & (slots - 1);
		for (; table[at]; at = (at + 1) & (slots - 1)) {
			*earlier = table[at] - 1;
			if (first[*earlier] == a && second[*earlier] == b) {
				free(table);
				return true;
			}
		}
		table[at] = (uint32_t)(*row + 1);
	}
	free(table);
	return true;
}
