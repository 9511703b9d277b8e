/* Penalised least squares of mixed models; see mixed_squares.h. */
#include "fit/mixed_squares.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void crux_mixed_free(crux_mixed *mixed)
{
	if (!mixed)
		return;
	for (size_t g = 0; mixed->grouping && g < mixed->groupings; g++) {
		free(mixed->grouping[g].blocks);
		free(mixed->grouping[g].triangle);
	}
	void *const arrays[] = {mixed->grouping, mixed->values, mixed->response, mixed->weight, mixed->offset, mixed->censored,
	                        mixed->first, mixed->met_first, mixed->met, mixed->slots, mixed->small, mixed->heads, mixed->cross,
	                        mixed->square, mixed->right, mixed->solution, mixed->before, mixed->curvature, mixed->pull,
	                        mixed->shift, mixed->scaled, mixed->places};
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
		free(arrays[i]);
	free(mixed);
}

size_t crux_mixed_thetas(const crux_mixed *mixed) { return mixed->thetas; }
size_t crux_mixed_effects(const crux_mixed *mixed) { return mixed->effects; }
size_t crux_mixed_fixed(const crux_mixed *mixed) { return mixed->fixed; }

bool crux_mixed_is_scalar(const crux_mixed *mixed) { return mixed->groupings == 1 && mixed->grouping[0].columns == 1; }

size_t crux_mixed_extras(const crux_mixed *mixed)
{
	double most = mixed->family == CRUX_CENSORED ? 1 : 0;
	for (size_t i = 0; mixed->family == CRUX_CUMULATIVE && i < mixed->rows; i++)
		most = fmax(most, mixed->response[i]);
	return (size_t)most;
}

/* The grouping of the most effects: the one to eliminate. */
static size_t largest(const crux_mixed_rows *rows)
{
	size_t best = 0;
	for (size_t g = 1; g < rows->groupings; g++)
		if (rows->grouping[g].groups * rows->grouping[g].columns > rows->grouping[best].groups * rows->grouping[best].columns)
			best = g;
	return best;
}

size_t crux_mixed_dense(const crux_mixed_rows *rows)
{
	size_t sum = 0, out = largest(rows);
	for (size_t g = 0; g < rows->groupings; g++)
		sum += g == out ? 0 : rows->grouping[g].groups * rows->grouping[g].columns;
	return sum;
}

/* The caller's number of a grouping of the object: the first two may be exchanged. */
static size_t given(size_t g, size_t out) { return g == 0 ? out : g == out ? 0 : g; }

/* Copies the sizes and blocks of the groupings, the largest first. */
static bool copy_groupings(crux_mixed *mixed, const crux_mixed_rows *rows)
{
	size_t const out = mixed->largest = largest(rows);
	size_t field = rows->fixed, start = 0;
	for (size_t g = 0; g < rows->groupings; g++) {
		const crux_grouping *from = &rows->grouping[given(g, out)];
		crux_mixed_grouping *to = &mixed->grouping[g];
		size_t const n = from->columns;
		*to = (crux_mixed_grouping){.groups = from->groups, .columns = n, .field = field, .start = start, .fixed = from->fixed,
		                            .blocks = calloc(n, sizeof *to->blocks), .triangle = calloc(n * n, sizeof *to->triangle)};
		if (!to->blocks || !to->triangle)
			return false;
		memcpy(to->blocks, from->blocks, n * sizeof *to->blocks);
		to->triangle[0] = 1; /* of fixed ones; theta sets the others */
		mixed->free_effects += to->fixed ? to->groups : 0;
		field += n;
		start += n * to->groups;
	}
	mixed->effects = start;
	for (size_t i = 0, effects = 0; i < rows->groupings; i++) {
		crux_mixed_grouping *to = &mixed->grouping[given(i, out)];
		to->theta = mixed->thetas;
		to->output = effects;
		effects += to->groups * to->columns;
		for (size_t a = 0; a < to->columns; a++)
			for (size_t b = 0; b <= a; b++)
				mixed->thetas += !to->fixed && to->blocks[a] == to->blocks[b];
	}
	return true;
}

static size_t group_of(const crux_mixed_rows *rows, size_t grouping, size_t row)
{
	return (size_t)rows->grouping[grouping].group[row] - 1;
}

/* Copies the rows, sorted by their group of the first grouping, and notes the dense place of each effect in `places`. */
static void copy_rows(crux_mixed *mixed, const crux_mixed_rows *rows, size_t *next, uint32_t *places)
{
	size_t const out = largest(rows), first_effects = mixed->effects - mixed->dense;
	for (size_t i = 0; i < rows->rows; i++)
		mixed->first[group_of(rows, out, i) + 1]++;
	for (size_t j = 0; j < mixed->grouping[0].groups; j++) {
		mixed->first[j + 1] += mixed->first[j];
		next[j] = mixed->first[j];
	}
	for (size_t i = 0; i < rows->rows; i++) {
		size_t const at = next[group_of(rows, out, i)]++;
		double *to = mixed->values + at * mixed->fields;
		for (size_t c = 0; c < rows->fixed; c++)
			*to++ = rows->columns[c][i];
		for (size_t g = 0; g < mixed->groupings; g++) {
			const crux_grouping *from = &rows->grouping[given(g, out)];
			for (size_t k = 0; k < from->columns; k++)
				*to++ = from->values[k][i];
			if (g > 0)
				places[at * (mixed->groupings - 1) + g - 1] = (uint32_t)(mixed->grouping[g].start - first_effects +
				                                                         group_of(rows, given(g, out), i) * from->columns);
		}
		mixed->response[at] = rows->response[i];
		mixed->weight[at] = rows->weights ? rows->weights[i] : 1;
		mixed->offset[at] = rows->offset ? rows->offset[i] : 0;
		if (mixed->censored)
			mixed->censored[at] = rows->censored[i];
	}
}

static int by_place(const void *a, const void *b)
{
	uint32_t const x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* Lists what each group of the first grouping meets, and finds there the places of each row's effects. */
static bool note_met(crux_mixed *mixed, const uint32_t *places)
{
	size_t const others = mixed->groupings - 1, groups = mixed->grouping[0].groups;
	size_t columns = 0, met = 0;
	for (size_t g = 1; g < mixed->groupings; g++)
		columns += mixed->grouping[g].columns;
	mixed->met = calloc(mixed->rows * columns + 1, sizeof *mixed->met);
	if (!mixed->met)
		return false;
	for (size_t j = 0; j < groups; j++) {
		uint32_t *list = mixed->met + met;
		size_t count = 0, unique = 0;
		for (size_t i = mixed->first[j]; i < mixed->first[j + 1]; i++)
			for (size_t g = 0; g < others; g++)
				for (size_t k = 0; k < mixed->grouping[g + 1].columns; k++)
					list[count++] = places[i * others + g] + (uint32_t)k;
		qsort(list, count, sizeof *list, by_place);
		for (size_t i = 0; i < count; i++)
			if (i == 0 || list[i] != list[i - 1])
				list[unique++] = list[i];
		for (size_t i = mixed->first[j] * others; i < mixed->first[j + 1] * others; i++)
			mixed->slots[i] = (uint32_t)((uint32_t *)bsearch(&places[i], list, unique, sizeof *list, by_place) - list);
		mixed->met_first[j] = met;
		met += unique;
	}
	mixed->met_first[groups] = met;
	return true;
}

crux_mixed *crux_mixed_new(const crux_mixed_rows *rows)
{
	crux_mixed *mixed = calloc(1, sizeof *mixed);
	if (!mixed)
		return NULL;
	*mixed = (crux_mixed){.rows = rows->rows, .fixed = rows->fixed, .groupings = rows->groupings, .family = rows->family,
	                      .grouping = calloc(rows->groupings, sizeof *mixed->grouping)};
	if (!mixed->grouping || !copy_groupings(mixed, rows)) {
		crux_mixed_free(mixed);
		return NULL;
	}
	const crux_mixed_grouping *top = mixed->grouping, *last = &top[rows->groupings - 1];
	size_t const n = rows->rows, groups = top->groups, others = rows->groupings - 1;
	mixed->dense = mixed->effects - groups * top->columns;
	mixed->size = mixed->dense + mixed->fixed;
	mixed->fields = last->field + last->columns;
	mixed->values = calloc(n * mixed->fields, sizeof *mixed->values);
	mixed->response = calloc(n, sizeof *mixed->response);
	mixed->weight = calloc(n, sizeof *mixed->weight);
	mixed->offset = calloc(n, sizeof *mixed->offset);
	mixed->censored = rows->censored ? calloc(n, sizeof *mixed->censored) : NULL;
	mixed->first = calloc(groups + 1, sizeof *mixed->first);
	mixed->met_first = calloc(groups + 1, sizeof *mixed->met_first);
	mixed->slots = calloc(n * others + 1, sizeof *mixed->slots);
	mixed->small = calloc(groups * top->columns * top->columns, sizeof *mixed->small);
	mixed->heads = calloc(groups * top->columns, sizeof *mixed->heads);
	mixed->square = calloc(mixed->size * mixed->size + 1, sizeof *mixed->square);
	mixed->right = calloc(mixed->size + 1, sizeof *mixed->right);
	mixed->solution = calloc(mixed->effects + mixed->fixed, sizeof *mixed->solution);
	mixed->before = calloc(mixed->effects + mixed->fixed, sizeof *mixed->before);
	mixed->curvature = calloc(n, sizeof *mixed->curvature);
	mixed->pull = calloc(n, sizeof *mixed->pull);
	mixed->shift = calloc(mixed->effects, sizeof *mixed->shift);
	mixed->scaled = calloc(mixed->fields, sizeof *mixed->scaled);
	mixed->places = calloc(mixed->size + 1, sizeof *mixed->places);
	size_t *next = calloc(groups, sizeof *next);
	uint32_t *places = calloc(n * others + 1, sizeof *places);
	bool done = mixed->values && mixed->response && mixed->weight && mixed->offset && (mixed->censored || !rows->censored) &&
	            mixed->first && mixed->met_first && mixed->slots && mixed->small && mixed->heads && mixed->square &&
	            mixed->right && mixed->solution && mixed->before && mixed->curvature && mixed->pull && mixed->shift &&
	            mixed->scaled && mixed->places && next && places;
	if (done) {
		copy_rows(mixed, rows, next, places);
		done = note_met(mixed, places);
	}
	if (done) {
		mixed->cross = calloc(top->columns * (mixed->met_first[groups] + groups * mixed->fixed) + 1, sizeof *mixed->cross);
		done = mixed->cross != NULL;
	}
	free(next);
	free(places);
	if (done)
		return mixed;
	crux_mixed_free(mixed);
	return NULL;
}

size_t crux_mixed_groups(const crux_mixed *mixed, size_t grouping, size_t *columns)
{
	bool const is_there = grouping < mixed->groupings;
	const crux_mixed_grouping *at = &mixed->grouping[is_there ? given(grouping, mixed->largest) : 0];
	*columns = is_there ? at->columns : 0;
	return is_there ? at->groups : 0;
}

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

/* Sets T' z. */
static void scale_group(const crux_mixed_grouping *at, const double *z, double *scaled)
{
	for (size_t b = 0; b < at->columns; b++) {
		scaled[b] = 0;
		for (size_t a = b; a < at->columns; a++)
			scaled[b] += at->triangle[a + b * at->columns] * z[a];
	}
}

/* Sets the values of a row's effects: T' z for each grouping. */
static void scale(const crux_mixed *mixed, const double *values)
{
	for (size_t g = 0; g < mixed->groupings; g++) {
		const crux_mixed_grouping *at = &mixed->grouping[g];
		scale_group(at, values + at->field, mixed->scaled + at->field);
	}
}

/* The products of a group of the first grouping. */
typedef struct eliminated {
	size_t columns, met;     /* effects of the group; of others that its rows have */
	const uint32_t *list;
	double *small, *head, *cross;
} eliminated;

static eliminated of_group(const crux_mixed *mixed, size_t j)
{
	size_t const k = mixed->grouping[0].columns;
	return (eliminated){
		.columns = k,
		.met = mixed->met_first[j + 1] - mixed->met_first[j],
		.list = mixed->met + mixed->met_first[j],
		.small = mixed->small + j * k * k,
		.head = mixed->heads + j * k,
		.cross = mixed->cross + k * (mixed->met_first[j] + j * mixed->fixed),
	};
}

/* Adds the product of a row's value at a place of the dense part with the row's values at the places before it, and itself. */
static void add_products(const crux_mixed *mixed, size_t place, double value, size_t count, const size_t *places,
                         const double *values)
{
	for (size_t i = 0; i < count; i++)
		mixed->square[place + places[i] * mixed->size] += value * values[i];
}

static void add_row(const crux_mixed *mixed, const eliminated *group, size_t row, size_t fixed)
{
	const double *values = mixed->values + row * mixed->fields, *own = mixed->scaled + mixed->grouping[0].field;
	double const weight = mixed->curvature[row], pull = mixed->pull[row];
	size_t const k = group->columns;
	scale(mixed, values);
	for (size_t a = 0; a < k; a++) {
		group->head[a] += pull * own[a];
		for (size_t b = 0; b <= a; b++)
			group->small[a + b * k] += weight * own[a] * own[b];
	}
	const double *others = own + k; /* behind those of the first grouping */
	size_t count = 0;
	for (size_t g = 1; g < mixed->groupings; g++) {
		size_t const slot = mixed->slots[row * (mixed->groupings - 1) + g - 1];
		for (size_t c = 0; c < mixed->grouping[g].columns; c++) {
			double const value = others[count];
			size_t const place = mixed->places[count++] = group->list[slot + c];
			mixed->right[place] += pull * value;
			for (size_t a = 0; a < k; a++)
				group->cross[(slot + c) * k + a] += weight * value * own[a];
			add_products(mixed, place, weight * value, count, mixed->places, others);
		}
	}
	for (size_t c = 0; c < fixed; c++) {
		size_t const place = mixed->dense + c;
		mixed->right[place] += pull * values[c];
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

static void forward(const double *triangle, size_t n, double *x)
{
	for (size_t j = 0; j < n; j++) {
		x[j] /= triangle[j + j * n];
		for (size_t i = j + 1; i < n; i++)
			x[i] -= triangle[i + j * n] * x[j];
	}
}

static void backward(const double *triangle, size_t n, double *x)
{
	for (size_t j = n; j-- > 0;) {
		for (size_t i = j + 1; i < n; i++)
			x[j] -= triangle[i + j * n] * x[i];
		x[j] /= triangle[j + j * n];
	}
}

static double dot(const double *x, const double *y, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

/* Factors a group of the first grouping and subtracts its share from the dense part. */
static bool eliminate(crux_mixed *mixed, size_t j, size_t fixed)
{
	eliminated const group = of_group(mixed, j);
	size_t const k = group.columns, width = group.met + fixed;
	memset(group.small, 0, k * k * sizeof *group.small);
	memset(group.head, 0, k * sizeof *group.head);
	memset(group.cross, 0, k * (group.met + mixed->fixed) * sizeof *group.cross);
	for (size_t i = mixed->first[j]; i < mixed->first[j + 1]; i++)
		add_row(mixed, &group, i, fixed);
	for (size_t a = 0; a < k && !mixed->grouping[0].fixed; a++)
		group.small[a + a * k] += 1;
	if (!cholesky(group.small, k))
		return false;
	forward(group.small, k, group.head);
	for (size_t c = 0; c < width; c++) {
		mixed->places[c] = c < group.met ? group.list[c] : mixed->dense + c - group.met;
		forward(group.small, k, group.cross + c * k);
	}
	for (size_t c = 0; c < width; c++) {
		const double *column = group.cross + c * k;
		double *target = mixed->square + mixed->places[c] * mixed->size;
		mixed->right[mixed->places[c]] -= dot(column, group.head, k);
		if (k == 1)
			for (size_t r = c; r < width; r++)
				target[mixed->places[r]] -= group.cross[r] * *column;
		else
			for (size_t r = c; r < width; r++)
				target[mixed->places[r]] -= dot(group.cross + r * k, column, k);
	}
	return true;
}

bool crux_mixed_factorise(crux_mixed *mixed, size_t fixed, crux_mixed_factor *factor)
{
	size_t const size = mixed->size, n = mixed->dense + fixed, groups = mixed->grouping[0].groups;
	size_t const k = mixed->grouping[0].columns;
	memset(mixed->square, 0, size * size * sizeof *mixed->square);
	memset(mixed->right, 0, size * sizeof *mixed->right);
	*factor = (crux_mixed_factor){0};
	for (size_t j = 0; j < groups; j++) {
		if (!eliminate(mixed, j, fixed))
			return false;
		for (size_t a = 0; a < k; a++)
			*(mixed->grouping[0].fixed ? &factor->log_fixed : &factor->log_effects) += 2 * log(mixed->small[j * k * k + a + a * k]);
	}
	for (size_t g = 1; g < mixed->groupings; g++) {
		const crux_mixed_grouping *at = &mixed->grouping[g];
		size_t const start = at->start - (mixed->effects - mixed->dense);
		for (size_t i = start; i < start + at->groups * at->columns && !at->fixed; i++)
			mixed->square[i + i * size] += 1;
	}
	if (n > 0) {
		lapack_int const order = (lapack_int)n, stride = (lapack_int)size;
		if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', order, mixed->square, stride) != 0 ||
		    LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'N', 'N', order, 1, mixed->square, stride, mixed->right, stride) != 0)
			return false;
	}
	for (size_t i = 0; i < n; i++)
		*(i < mixed->dense ? &factor->log_effects : &factor->log_fixed) += 2 * log(mixed->square[i + i * size]);
	factor->explained = dot(mixed->heads, mixed->heads, groups * k) + dot(mixed->right, mixed->right, n);
	return isfinite(factor->log_effects) && isfinite(factor->log_fixed) && isfinite(factor->explained);
}

void crux_mixed_solve(crux_mixed *mixed, size_t fixed)
{
	size_t const n = mixed->dense + fixed, k = mixed->grouping[0].columns;
	double *rest = mixed->solution + (mixed->effects - mixed->dense);
	if (n > 0) {
		memcpy(rest, mixed->right, n * sizeof *rest);
		LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'T', 'N', (lapack_int)n, 1, mixed->square, (lapack_int)mixed->size, rest,
		                    (lapack_int)mixed->size);
	}
	for (size_t j = 0; j < mixed->grouping[0].groups; j++) {
		eliminated const group = of_group(mixed, j);
		double *u = mixed->solution + j * k;
		memcpy(u, group.head, k * sizeof *u);
		for (size_t c = 0; c < group.met + fixed; c++)
			for (size_t a = 0; a < k; a++)
				u[a] -= group.cross[c * k + a] * rest[c < group.met ? group.list[c] : mixed->dense + c - group.met];
		backward(group.small, k, u);
	}
}

void crux_mixed_invert(crux_mixed *mixed)
{
	if (mixed->size > 0)
		LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', (lapack_int)mixed->size, mixed->square, (lapack_int)mixed->size);
}

/* r' S^-1 r, with r the first `count` numbers of `right`, which belong to `places`. */
static double quadratic(const crux_mixed *mixed, size_t count)
{
	double sum = 0;
	for (size_t a = 0; a < count; a++) {
		size_t const row = mixed->places[a];
		for (size_t b = 0; b < a; b++) {
			size_t const column = mixed->places[b];
			sum += 2 * mixed->right[a] * mixed->right[b] *
			       mixed->square[row > column ? row + column * mixed->size : column + row * mixed->size];
		}
		sum += mixed->right[a] * mixed->right[a] * mixed->square[row + row * mixed->size];
	}
	return sum;
}

/* With the factor L of the group's triangle, C = L^-1 times its products, and S the dense part, the variance of a sum with numbers p
 * for the group's u and q for the dense part is |L^-1 p|^2 + r' S^-1 r, r = q - C' L^-1 p. */
void crux_mixed_sum(crux_mixed *mixed, const double *x, size_t grouping, size_t group, const double *z, double *mean,
                    double *variance)
{
	size_t const g = grouping < mixed->groupings ? given(grouping, mixed->largest) : mixed->groupings;
	double *p = mixed->scaled, *r = mixed->right;
	size_t count = mixed->fixed;
	for (size_t c = 0; c < count; c++) {
		mixed->places[c] = mixed->dense + c;
		r[c] = x[c];
	}
	*mean = dot(x, mixed->solution + mixed->effects, mixed->fixed);
	*variance = 0;
	if (g < mixed->groupings) {
		const crux_mixed_grouping *at = &mixed->grouping[g];
		size_t const k = at->columns, start = at->start + group * k;
		*mean += dot(z, mixed->shift + start, k);
		scale_group(at, z, p);
		eliminated const first = of_group(mixed, g == 0 ? group : 0);
		if (g == 0) {
			forward(first.small, k, p);
			*variance = dot(p, p, k);
			for (size_t c = 0; c < mixed->fixed; c++)
				r[c] -= dot(first.cross + (first.met + c) * k, p, k);
		}
		for (size_t c = 0; c < (g == 0 ? first.met : k); c++, count++) {
			mixed->places[count] = g == 0 ? first.list[c] : start - (mixed->effects - mixed->dense) + c;
			r[count] = g == 0 ? -dot(first.cross + c * k, p, k) : p[c];
		}
	}
	*variance += quadratic(mixed, count);
}

double crux_mixed_row_variance(crux_mixed *mixed, size_t row, size_t group)
{
	const double *values = mixed->values + row * mixed->fields;
	const crux_mixed_grouping *top = mixed->grouping;
	eliminated const first = of_group(mixed, group);
	double *p = mixed->scaled + top->field, *r = mixed->right;
	scale(mixed, values);
	forward(first.small, top->columns, p);
	for (size_t c = 0; c < first.met + mixed->fixed; c++) {
		mixed->places[c] = c < first.met ? first.list[c] : mixed->dense + c - first.met;
		r[c] = (c < first.met ? 0 : values[c - first.met]) - dot(first.cross + c * top->columns, p, top->columns);
	}
	for (size_t g = 1; g < mixed->groupings; g++)
		for (size_t c = 0; c < mixed->grouping[g].columns; c++)
			r[mixed->slots[row * (mixed->groupings - 1) + g - 1] + c] += mixed->scaled[mixed->grouping[g].field + c];
	return dot(p, p, top->columns) + quadratic(mixed, first.met + mixed->fixed);
}

void crux_mixed_shift(crux_mixed *mixed)
{
	for (size_t g = 0; g < mixed->groupings; g++) {
		const crux_mixed_grouping *at = &mixed->grouping[g];
		size_t const n = at->columns;
		for (size_t j = 0; j < at->groups; j++) {
			const double *u = mixed->solution + at->start + j * n;
			double *to = mixed->shift + at->start + j * n;
			for (size_t a = 0; a < n; a++) {
				to[a] = 0;
				for (size_t b = 0; b <= a; b++)
					to[a] += at->triangle[a + b * n] * u[b];
			}
		}
	}
}

double crux_mixed_predictor(const crux_mixed *mixed, size_t row, size_t group, size_t fixed)
{
	const double *values = mixed->values + row * mixed->fields;
	const crux_mixed_grouping *top = mixed->grouping;
	double sum = mixed->offset[row] + dot(values, mixed->solution + mixed->effects, fixed) +
	             dot(values + top->field, mixed->shift + group * top->columns, top->columns);
	for (size_t g = 1; g < mixed->groupings; g++) {
		const crux_mixed_grouping *at = &mixed->grouping[g];
		size_t const slot = mixed->slots[row * (mixed->groupings - 1) + g - 1];
		size_t const place = mixed->met[mixed->met_first[group] + slot];
		sum += dot(values + at->field, mixed->shift + mixed->effects - mixed->dense + place, at->columns);
	}
	return sum;
}
