/* Variances and covariances of the effects of mixed models, from the inverse of the normal equations; see mixed_squares.h. */
#include <string.h>

#include "fit/cholesky.h"
#include "fit/mixed_squares.h"

void crux_mixed_invert(crux_mixed *mixed, size_t fixed)
{
	crux_cholesky_invert(mixed->square, mixed->dense + fixed, mixed->size, mixed->diagonal, mixed->blocks);
}

/* An element of the inverse of the dense part. */
static double inverse(const crux_mixed *mixed, size_t a, size_t b)
{
	return a == b  ? mixed->diagonal[a]
	       : a < b ? mixed->square[a + b * mixed->size]
	               : mixed->square[b + a * mixed->size];
}

/* r' S^-1 r, with r the first `count` numbers of `right`, which belong to `places`. */
static double quadratic(const crux_mixed *mixed, size_t count)
{
	double sum = 0;
	for (size_t a = 0; a < count; a++) {
		for (size_t b = 0; b < a; b++)
			sum += 2 * mixed->right[a] * mixed->right[b] * inverse(mixed, mixed->places[a], mixed->places[b]);
		sum += mixed->right[a] * mixed->right[a] * mixed->diagonal[mixed->places[a]];
	}
	return sum;
}

/* With the factor L of the group's triangle, C = L^-1 times its products, and S the dense part, the variance of a sum with numbers p
 * for the group's u and q for the dense part is |L^-1 p|^2 + r' S^-1 r, r = q - C' L^-1 p. */
void crux_mixed_sum(crux_mixed *mixed, const double *x, size_t grouping, size_t group, const double *z, double *mean,
                    double *variance)
{
	size_t const g = grouping == mixed->largest ? 0 : grouping == 0 ? mixed->largest : grouping;
	double *p = mixed->scaled, *r = mixed->right;
	size_t count = mixed->fixed;
	for (size_t c = 0; c < count; c++) {
		mixed->places[c] = mixed->dense + c;
		r[c] = x[c];
	}
	*mean = crux_mixed_dot(x, mixed->solution + mixed->effects, mixed->fixed);
	*variance = 0;
	if (grouping < mixed->groupings) {
		const crux_mixed_grouping *at = &mixed->grouping[g];
		size_t const k = at->columns, start = at->start + group * k;
		*mean += crux_mixed_dot(z, mixed->shift + start, k);
		crux_mixed_scale(at, z, p);
		crux_mixed_eliminated const first = crux_mixed_group(mixed, g == 0 ? group : 0);
		if (g == 0) {
			crux_mixed_forward(first.small, k, p);
			*variance = crux_mixed_dot(p, p, k);
			for (size_t c = 0; c < mixed->fixed; c++)
				r[c] -= crux_mixed_dot(first.cross + (first.met + c) * k, p, k);
		}
		for (size_t c = 0; c < (g == 0 ? first.met : k); c++, count++) {
			mixed->places[count] = g == 0 ? first.list[c] : start - (mixed->effects - mixed->dense) + c;
			r[count] = g == 0 ? -crux_mixed_dot(first.cross + c * k, p, k) : p[c];
		}
	}
	*variance += quadratic(mixed, count);
}

void crux_mixed_add_slopes(const crux_mixed_grouping *at, const double *z, const double *u, double factor, double *slopes)
{
	double *next = slopes + at->theta;
	for (size_t b = 0; b < at->columns; b++)
		for (size_t a = b; a < at->columns; a++)
			if (!at->fixed && at->blocks[a] == at->blocks[b])
				*next++ += factor * z[a] * u[b];
}

/* Adds to `spread` of a group what a column of S^-1 gives above the diagonal, and what its mirror below gives. */
static void spread_column(const crux_mixed *mixed, const crux_mixed_eliminated *group, const double *column, size_t slot)
{
	size_t const k = group->columns;
	const double *restrict cross = group->cross;
	double *restrict spread = group->spread;
	size_t b = 0;
	if (k == 1) {
		double const own = cross[slot];
		double sum = 0;
		for (; b < slot && b < group->met; b++) {
			double const share = column[group->list[b]];
			sum += share * cross[b];
			spread[b] += share * own;
		}
		spread[slot] += sum;
	}
	for (; b < slot; b++) {
		double const share = column[crux_mixed_place(mixed, group, b)];
		for (size_t a = 0; a < k; a++) {
			spread[slot * k + a] += share * cross[b * k + a];
			spread[b * k + a] += share * cross[slot * k + a];
		}
	}
}

/* Sets `spread` of all groups of the first grouping: C S^-1, S^-1 having only the rows and columns of what the group has products with.
 * Column by column, as one stays in the first-level cache. */
static void spread_groups(crux_mixed *mixed, size_t fixed)
{
	size_t const k = mixed->grouping[0].columns, groups = mixed->grouping[0].groups;
	memset(mixed->spread, 0, k * (mixed->met_first[groups] + groups * mixed->fixed) * sizeof *mixed->spread);
	for (size_t place = 0; place < mixed->dense + fixed; place++) {
		const double *column = mixed->square + place * mixed->size;
		size_t const meetings = crux_mixed_meetings(mixed, place);
		for (size_t m = 0; m < meetings; m++) {
			crux_mixed_meeting const meeting = crux_mixed_meeting_next(mixed, place, m, true);
			crux_mixed_eliminated const group = crux_mixed_group(mixed, meeting.group);
			for (size_t a = 0; a < k; a++)
				group.spread[meeting.slot * k + a] += mixed->diagonal[place] * group.cross[meeting.slot * k + a];
			spread_column(mixed, &group, column, meeting.slot);
		}
	}
}

/* The square 1 + C S^-1 C' of a group. */
static void square_group(const crux_mixed_eliminated *group, size_t width, double *square)
{
	size_t const k = group->columns;
	for (size_t a = 0; a < k; a++)
		for (size_t b = 0; b < k; b++) {
			square[a + b * k] = a == b;
			for (size_t c = 0; c < width; c++)
				square[a + b * k] += group->spread[c * k + a] * group->cross[c * k + b];
		}
}

/* Sets y = (normal equations)^-1 q for the values q of a row, the group's first, of the row's own effects and the fixed ones alone.
 * With p for the group and r for the rest of q, y = L'^-1 (square L^-1 p - spread r) and S^-1 r - spread' L^-1 p. The columns of
 * `spread` that belong to r are listed in `slot`; `p`: space for the group. */
static void covary(const crux_mixed *mixed, const crux_mixed_eliminated *group, const double *square, size_t rest,
                   const size_t *slot, const double *q, double *p, double *y)
{
	size_t const k = group->columns;
	const double *spread = group->spread, *r = q + k;
	memcpy(p, q, k * sizeof *p);
	crux_mixed_forward(group->small, k, p);
	for (size_t a = 0; a < k; a++) {
		y[a] = 0;
		for (size_t b = 0; b < k; b++)
			y[a] += square[a + b * k] * p[b];
		for (size_t c = 0; c < rest; c++)
			y[a] -= spread[slot[c] * k + a] * r[c];
	}
	crux_mixed_backward(group->small, k, y);
	for (size_t c = 0; c < rest; c++) {
		y[k + c] = -crux_mixed_dot(spread + slot[c] * k, p, k);
		for (size_t d = 0; d < rest; d++)
			y[k + c] += inverse(mixed, crux_mixed_place(mixed, group, slot[c]), crux_mixed_place(mixed, group, slot[d])) * r[d];
	}
}

void crux_mixed_row_variances(crux_mixed *mixed, size_t fixed, double *variances, double *slopes)
{
	double *q = mixed->scaled, *y = q + mixed->fields, *p = y + mixed->fields, *square = p + mixed->fields;
	spread_groups(mixed, fixed);
	for (size_t j = 0; j < mixed->grouping[0].groups; j++) {
		crux_mixed_eliminated const group = crux_mixed_group(mixed, j);
		square_group(&group, group.met + fixed, square);
		for (size_t i = mixed->first[j]; i < mixed->first[j + 1]; i++) {
			const double *values = crux_mixed_values(mixed, i);
			size_t count = 0;
			for (size_t g = 0; g < mixed->groupings; g++) {
				const crux_mixed_grouping *at = &mixed->grouping[g];
				crux_mixed_scale(at, values + at->field, q + count);
				for (size_t c = 0; g > 0 && c < at->columns; c++)
					mixed->slot[count - group.columns + c] = mixed->slots[i * (mixed->groupings - 1) + g - 1] + c;
				count += at->columns;
			}
			for (size_t c = 0; c < fixed; c++, count++) {
				mixed->slot[count - group.columns] = group.met + c;
				q[count] = values[c];
			}
			covary(mixed, &group, square, count - group.columns, mixed->slot, q, p, y);
			if (variances)
				variances[i] = crux_mixed_dot(q, y, count);
			const double *of_grouping = y;
			for (size_t g = 0; slopes && g < mixed->groupings; of_grouping += mixed->grouping[g++].columns)
				crux_mixed_add_slopes(&mixed->grouping[g], values + mixed->grouping[g].field, of_grouping, 2 * mixed->curvature[i], slopes);
		}
	}
}

/* The trace of the inverse over the effects of the first grouping, of one column: with l a group's triangle and c its cross products,
 * the sum of (1 + c' S^-1 c) / l^2. Column by column of S^-1, as one stays in the first-level cache. */
static double first_trace(const crux_mixed *mixed, size_t fixed)
{
	double trace = 0;
	for (size_t j = 0; j < mixed->grouping[0].groups; j++)
		trace += 1 / (mixed->small[j] * mixed->small[j]);
	for (size_t place = 0; place < mixed->dense + fixed; place++) {
		const double *column = mixed->square + place * mixed->size;
		size_t const meetings = crux_mixed_meetings(mixed, place);
		for (size_t m = 0; m < meetings; m++) {
			crux_mixed_meeting const meeting = crux_mixed_meeting_next(mixed, place, m, true);
			crux_mixed_eliminated const group = crux_mixed_group(mixed, meeting.group);
			double const own = group.cross[meeting.slot];
			double sum = mixed->diagonal[place] * own;
			size_t b = 0;
			for (; b < meeting.slot && b < group.met; b++)
				sum += 2 * column[group.list[b]] * group.cross[b];
			for (; b < meeting.slot; b++)
				sum += 2 * column[crux_mixed_place(mixed, &group, b)] * group.cross[b];
			trace += own * sum / (*group.small * *group.small);
		}
	}
	return trace;
}

void crux_mixed_trace_slopes(const crux_mixed *mixed, size_t fixed, double *slopes)
{
	for (size_t g = 0; g < mixed->groupings; g++) {
		const crux_mixed_grouping *at = &mixed->grouping[g];
		double trace = 0;
		if (at->fixed || *at->triangle == 0) /* where theta is 0, so is the derivative */
			continue;
		if (g == 0)
			trace = first_trace(mixed, fixed);
		for (size_t i = 0; g > 0 && i < at->groups; i++)
			trace += mixed->diagonal[at->start - (mixed->effects - mixed->dense) + i];
		slopes[at->theta] += 2 / *at->triangle * ((double)at->groups - trace);
	}
}
