/* Statistics of numbers in groups of rows.
 *
 * Plain functions on the caller's arrays; any thread may call them. Row i belongs to group groups[i], from 1 to count. NaN is a
 * missing number and is not counted. Those that need memory return false when there is none. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum crux_middle {
	CRUX_MEAN, /* exact for equal numbers */
	CRUX_MEDIAN,
	CRUX_TRIMMED, /* the mean without the lowest and the highest tenth, rounded down, as R's mean(x, trim = 0.1) */
} crux_middle;

/* out[g - 1] is the middle of the values of group g; NaN without any. */
bool crux_groups_middles(crux_middle middle, size_t n, const double *values, const double *groups, size_t count, double *out);

/* The lowest and the highest value of each group; infinity and minus infinity without any. */
void crux_groups_ranges(size_t n, const double *values, const double *groups, size_t count, double *lows, double *highs);

/* The sum of the squared differences of each group's values from its centre, in the order of the rows. */
void crux_groups_squares(size_t n, const double *values, const double *groups, size_t count, const double *centres, double *out);

/* The number of values of each group, and their sum in the order of the rows. */
void crux_groups_sums(size_t n, const double *values, const double *groups, size_t count, double *counts, double *sums);

/* Lists the rows, from 0, by group; those of a group stay in order. Group g ends before out[ends[g - 1]]. */
void crux_groups_order(size_t n, const double *groups, size_t count, size_t *ends, size_t *out);

/* Sets *row to the first row whose pair of groups an earlier row has, and *earlier to that row; *row to n if there is none. */
bool crux_groups_again(size_t n, const double *first, const double *second, size_t *row, size_t *earlier);
