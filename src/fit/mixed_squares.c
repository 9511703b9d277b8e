/* Penalised least squares of mixed models; see mixed_squares.h. */
#include "fit/mixed_squares.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "fit/cholesky.h"

enum { AHEAD = 4, LINES = 4 }; /* groups and lines of the cache to ask for before they are needed */

void crux_mixed_set_theta(crux_mixed *mixed, const double *theta)
{
	for (size_t g = 0; g < mixed->groupings; g++) {
		crux_mixed_grouping *at = &mixed->grouping[g];
		const double *next = theta + at->theta;
		for (size_t b = 0; b < at->columns; b++)
			for (size_t a = b; a < at->columns; a++)
				if (!at->fixed && at->blocks[a] == at->blocks[b])
					at->triangle[a + b * at->columns] = *next++;
	}
}

void crux_mixed_scale(const crux_mixed_grouping *at, const double *z, double *scaled)
{
	for (size_t b = 0; b < at->columns; b++) {
		scaled[b] = 0;
		for (size_t a = b; a < at->columns; a++)
			scaled[b] += at->triangle[a + b * at->columns] * z[a];
	}
}

/* Adds the product of a row's value at a place of the dense part with the row's values at the places before it, and itself. */
static void add_products(const crux_mixed *mixed, size_t place, double value, size_t count, const size_t *places,
                         const double *values)
{
	for (size_t i = 0; i < count; i++)
		mixed->square[place + places[i] * mixed->size] += value * values[i];
}

static void add_row(const crux_mixed *mixed, const crux_mixed_eliminated *group, size_t row, size_t fixed)
{
	const double *values = crux_mixed_values(mixed, row), *own = mixed->scaled + mixed->grouping[0].field;
	double const weight = mixed->curvature[row];
	size_t const k = group->columns;
	for (size_t g = 0; g < mixed->groupings; g++)
		crux_mixed_scale(&mixed->grouping[g], values + mixed->grouping[g].field, mixed->scaled + mixed->grouping[g].field);
	for (size_t a = 0; a < k; a++)
		for (size_t b = 0; b <= a; b++)
			group->small[a + b * k] += weight * own[a] * own[b];
	const double *others = own + k; /* behind those of the first grouping */
	size_t count = 0;
	for (size_t g = 1; g < mixed->groupings; g++) {
		size_t const slot = mixed->slots[row * (mixed->groupings - 1) + g - 1];
		for (size_t c = 0; c < mixed->grouping[g].columns; c++) {
			double const value = others[count];
			size_t const place = mixed->places[count++] = group->list[slot + c];
			for (size_t a = 0; a < k; a++)
				group->cross[(slot + c) * k + a] += weight * value * own[a];
			add_products(mixed, place, weight * value, count, mixed->places, others);
		}
	}
	for (size_t c = 0; c < fixed; c++) {
		size_t const place = mixed->dense + c;
		for (size_t a = 0; a < k; a++)
			group->cross[(group->met + c) * k + a] += weight * values[c] * own[a];
		add_products(mixed, place, weight * values[c], count, mixed->places, others);
		for (size_t b = 0; b <= c; b++)
			mixed->square[place + (mixed->dense + b) * mixed->size] += weight * values[c] * values[b];
	}
}

/* Cholesky's factor of a small matrix, in place of its lower triangle; false if it is not positive definite. */
static bool cholesky(double *a, size_t n)
{
	for (size_t j = 0; j < n; j++) {
		for (size_t k = 0; k < j; k++)
			for (size_t i = j; i < n; i++)
				a[i + j * n] -= a[i + k * n] * a[j + k * n];
		if (!(a[j + j * n] > 0) || !isfinite(a[j + j * n]))
			return false;
		a[j + j * n] = sqrt(a[j + j * n]);
		for (size_t i = j + 1; i < n; i++)
			a[i + j * n] /= a[j + j * n];
	}
	return true;
}

void crux_mixed_forward(const double *triangle, size_t n, double *x)
{
	for (size_t j = 0; j < n; j++) {
		x[j] /= triangle[j + j * n];
		for (size_t i = j + 1; i < n; i++)
			x[i] -= triangle[i + j * n] * x[j];
	}
}

void crux_mixed_backward(const double *triangle, size_t n, double *x)
{
	for (size_t j = n; j-- > 0;) {
		for (size_t i = j + 1; i < n; i++)
			x[j] -= triangle[i + j * n] * x[i];
		x[j] /= triangle[j + j * n];
	}
}

double crux_mixed_dot(const double *x, const double *y, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

/* Factors a group of the first grouping, and adds the products of its rows with each other to the dense part. */
static bool eliminate(crux_mixed *mixed, size_t j, size_t fixed)
{
	crux_mixed_eliminated const group = crux_mixed_group(mixed, j);
	size_t const k = group.columns, width = group.met + fixed;
	memset(group.small, 0, k * k * sizeof *group.small);
	memset(group.cross, 0, k * (group.met + mixed->fixed) * sizeof *group.cross);
	for (size_t i = mixed->first[j]; i < mixed->first[j + 1]; i++)
		add_row(mixed, &group, i, fixed);
	for (size_t a = 0; a < k && !mixed->grouping[0].fixed; a++)
		group.small[a + a * k] += 1;
	if (!cholesky(group.small, k))
		return false;
	for (size_t c = 0; c < width; c++)
		crux_mixed_forward(group.small, k, group.cross + c * k);
	return true;
}

size_t crux_mixed_meetings(const crux_mixed *mixed, size_t place)
{
	return place < mixed->dense ? mixed->meeting_first[place + 1] - mixed->meeting_first[place] : mixed->grouping[0].groups;
}

crux_mixed_meeting crux_mixed_meeting_at(const crux_mixed *mixed, size_t place, size_t number)
{
	if (place < mixed->dense)
		return mixed->meeting[mixed->meeting_first[place] + number];
	size_t const met = mixed->met_first[number + 1] - mixed->met_first[number];
	return (crux_mixed_meeting){(uint32_t)number, (uint32_t)(met + place - mixed->dense)};
}

crux_mixed_meeting crux_mixed_meeting_next(const crux_mixed *mixed, size_t place, size_t number, bool from_first)
{
	if (number + AHEAD < crux_mixed_meetings(mixed, place)) {
		crux_mixed_meeting const later = crux_mixed_meeting_at(mixed, place, number + AHEAD);
		crux_mixed_eliminated const group = crux_mixed_group(mixed, later.group);
		size_t const from = from_first ? 0 : later.slot;
		for (size_t line = 0; line < LINES; line++) {
			__builtin_prefetch((const char *)(group.cross + from * group.columns) + 64 * line);
			__builtin_prefetch((const char *)(group.list + from) + 64 * line);
		}
	}
	return crux_mixed_meeting_at(mixed, place, number);
}

/* Subtracts the shares of all groups from a column of the dense part: column by column, as one stays in the first-level cache. */
static void subtract_shares(crux_mixed *mixed, size_t place, size_t fixed)
{
	double *target = mixed->square + place * mixed->size;
	size_t const meetings = crux_mixed_meetings(mixed, place), k = mixed->grouping[0].columns;
	for (size_t m = 0; m < meetings; m++) {
		crux_mixed_meeting const meeting = crux_mixed_meeting_next(mixed, place, m, false);
		crux_mixed_eliminated const group = crux_mixed_group(mixed, meeting.group);
		const double *own = group.cross + meeting.slot * k;
		size_t r = meeting.slot;
		if (k == 1)
			for (; r < group.met; r++)
				target[group.list[r]] -= group.cross[r] * *own;
		for (; r < group.met + fixed; r++)
			target[crux_mixed_place(mixed, &group, r)] -= crux_mixed_dot(group.cross + r * k, own, k);
	}
}

bool crux_mixed_factorise(crux_mixed *mixed, size_t fixed, crux_mixed_factor *factor)
{
	size_t const size = mixed->size, n = mixed->dense + fixed, k = mixed->grouping[0].columns;
	memset(mixed->square, 0, size * size * sizeof *mixed->square);
	*factor = (crux_mixed_factor){0};
	for (size_t j = 0; j < mixed->grouping[0].groups; j++) {
		if (!eliminate(mixed, j, fixed))
			return false;
		for (size_t a = 0; a < k; a++)
			*(mixed->grouping[0].fixed ? &factor->log_fixed : &factor->log_effects) += 2 * log(mixed->small[j * k * k + a + a * k]);
	}
	for (size_t place = 0; place < n; place++)
		subtract_shares(mixed, place, fixed);
	for (size_t g = 1; g < mixed->groupings; g++) {
		const crux_mixed_grouping *at = &mixed->grouping[g];
		size_t const start = at->start - (mixed->effects - mixed->dense);
		for (size_t i = start; i < start + at->groups * at->columns && !at->fixed; i++)
			mixed->square[i + i * size] += 1;
	}
	if (!crux_cholesky_factorise(mixed->square, n, size, mixed->blocks))
		return false;
	for (size_t i = 0; i < n; i++)
		*(i < mixed->dense ? &factor->log_effects : &factor->log_fixed) += 2 * log(mixed->square[i + i * size]);
	return isfinite(factor->log_effects) && isfinite(factor->log_fixed);
}

/* Sets u of a group of the first grouping to L^-1 U'p, and adds what its rows say of the others to the right side. */
static void reduce(crux_mixed *mixed, size_t j, size_t fixed, double *u)
{
	crux_mixed_eliminated const group = crux_mixed_group(mixed, j);
	const crux_mixed_grouping *top = mixed->grouping;
	size_t const k = group.columns;
	memset(u, 0, k * sizeof *u);
	for (size_t i = mixed->first[j]; i < mixed->first[j + 1]; i++) {
		const double *values = crux_mixed_values(mixed, i);
		double const pull = mixed->pull[i];
		crux_mixed_scale(top, values + top->field, mixed->scaled);
		for (size_t a = 0; a < k; a++)
			u[a] += pull * mixed->scaled[a];
		for (size_t g = 1; g < mixed->groupings; g++) {
			const crux_mixed_grouping *at = &mixed->grouping[g];
			size_t const place = crux_mixed_effect(mixed, i, j, g) - (mixed->effects - mixed->dense);
			crux_mixed_scale(at, values + at->field, mixed->scaled);
			for (size_t c = 0; c < at->columns; c++)
				mixed->right[place + c] += pull * mixed->scaled[c];
		}
		for (size_t c = 0; c < fixed; c++)
			mixed->right[mixed->dense + c] += pull * values[c];
	}
	crux_mixed_forward(group.small, k, u);
	for (size_t c = 0; c < group.met + fixed; c++)
		mixed->right[crux_mixed_place(mixed, &group, c)] -= crux_mixed_dot(group.cross + c * k, u, k);
}

void crux_mixed_solve(crux_mixed *mixed, size_t fixed, double *solution)
{
	size_t const n = mixed->dense + fixed, k = mixed->grouping[0].columns;
	double *rest = solution + (mixed->effects - mixed->dense);
	memset(mixed->right, 0, n * sizeof *mixed->right);
	for (size_t j = 0; j < mixed->grouping[0].groups; j++)
		reduce(mixed, j, fixed, solution + j * k);
	memcpy(rest, mixed->right, n * sizeof *rest);
	for (size_t pass = 0; pass < 2 && n > 0; pass++)
		cblas_dtrsv(CblasColMajor, CblasLower, pass == 0 ? CblasNoTrans : CblasTrans, CblasNonUnit, (int)n, mixed->square,
		            (int)mixed->size, rest, 1);
	for (size_t j = 0; j < mixed->grouping[0].groups; j++) {
		crux_mixed_eliminated const group = crux_mixed_group(mixed, j);
		double *u = solution + j * k;
		for (size_t c = 0; c < group.met + fixed; c++)
			for (size_t a = 0; a < k; a++)
				u[a] -= group.cross[c * k + a] * rest[crux_mixed_place(mixed, &group, c)];
		crux_mixed_backward(group.small, k, u);
	}
}

void crux_mixed_shift(const crux_mixed *mixed, const double *u, double *shift)
{
	for (size_t g = 0; g < mixed->groupings; g++) {
		const crux_mixed_grouping *at = &mixed->grouping[g];
		size_t const n = at->columns;
		for (size_t start = at->start; start < at->start + at->groups * n; start += n)
			for (size_t a = 0; a < n; a++) {
				shift[start + a] = 0;
				for (size_t b = 0; b <= a; b++)
					shift[start + a] += at->triangle[a + b * n] * u[start + b];
			}
	}
}

size_t crux_mixed_effect(const crux_mixed *mixed, size_t row, size_t group, size_t grouping)
{
	if (grouping == 0)
		return group * mixed->grouping[0].columns;
	size_t const slot = mixed->slots[row * (mixed->groupings - 1) + grouping - 1];
	return mixed->effects - mixed->dense + mixed->met[mixed->met_first[group] + slot];
}

double crux_mixed_predictor(const crux_mixed *mixed, size_t row, size_t group, const double *shift, const double *beta, size_t fixed)
{
	const double *values = crux_mixed_values(mixed, row);
	double sum = crux_mixed_dot(values, beta, fixed);
	for (size_t g = 0; g < mixed->groupings; g++) {
		const crux_mixed_grouping *at = &mixed->grouping[g];
		sum += crux_mixed_dot(values + at->field, shift + crux_mixed_effect(mixed, row, group, g), at->columns);
	}
	return sum;
}
