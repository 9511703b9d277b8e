/* The rows of mixed models, sorted by the groups of the largest grouping; see mixed_squares.h. */
#include "fit/mixed_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "fit/cholesky.h"

void crux_mixed_free(crux_mixed *mixed)
{
	if (!mixed)
		return;
	for (size_t g = 0; mixed->grouping && g < mixed->groupings; g++) {
		free(mixed->grouping[g].blocks);
		free(mixed->grouping[g].triangle);
	}
	free(mixed->grouping);
	free(mixed->block);
	free(mixed->crossed);
	free(mixed->met);
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
static void sort_rows(crux_mixed *mixed, const crux_mixed_rows *rows, size_t *next, uint32_t *places)
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
		double *to = mixed->values + at * mixed->stride;
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
		if (rows->weights)
			mixed->weight[at] = rows->weights[i];
		if (rows->offset)
			mixed->offset[at] = rows->offset[i];
		if (rows->censored)
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

static bool is_constant(const double *column, size_t n) { return memcmp(column, column + 1, (n - 1) * sizeof *column) == 0; }

/* True if all rows have the same values, as those of formulas with intercepts alone. */
static bool are_same(const crux_mixed_rows *rows)
{
	bool found = true;
	for (size_t c = 0; found && c < rows->fixed; c++)
		found = is_constant(rows->columns[c], rows->rows);
	for (size_t g = 0; g < rows->groupings; g++)
		for (size_t k = 0; found && k < rows->grouping[g].columns; k++)
			found = is_constant(rows->grouping[g].values[k], rows->rows);
	return found;
}

/* Allocates what the sizes of groupings and rows tell. */
static bool allocate(crux_mixed *mixed, const crux_mixed_rows *rows)
{
	const crux_mixed_grouping *top = mixed->grouping, *last = &top[mixed->groupings - 1];
	size_t const n = mixed->rows, groups = top->groups;
	mixed->dense = mixed->effects - groups * top->columns;
	mixed->size = mixed->dense + mixed->fixed;
	mixed->fields = last->field + last->columns;
	mixed->stride = are_same(rows) ? 0 : mixed->fields;
	crux_array const arrays[] = {
		CRUX_ARRAY(mixed->values, mixed->stride ? n * mixed->fields : mixed->fields), CRUX_ARRAY(mixed->response, n), CRUX_ARRAY(mixed->weight, rows->weights ? n : 0),
		CRUX_ARRAY(mixed->offset, rows->offset ? n : 0), CRUX_ARRAY(mixed->censored, rows->censored ? n : 0), CRUX_ARRAY(mixed->curvature, n), CRUX_ARRAY(mixed->pull, n),
		CRUX_ARRAY(mixed->slots, n * (mixed->groupings - 1)), CRUX_ARRAY(mixed->first, groups + 1),
		CRUX_ARRAY(mixed->met_first, groups + 1), CRUX_ARRAY(mixed->meeting_first, mixed->dense + 2), CRUX_ARRAY(mixed->solution, mixed->effects + mixed->fixed),
		CRUX_ARRAY(mixed->before, mixed->effects + mixed->fixed), CRUX_ARRAY(mixed->shift, mixed->effects),
		CRUX_ARRAY(mixed->shift_before, mixed->effects), CRUX_ARRAY(mixed->small, groups * top->columns * top->columns),
		CRUX_ARRAY(mixed->square, mixed->size * mixed->size), CRUX_ARRAY(mixed->diagonal, mixed->size),
		CRUX_ARRAY(mixed->right, mixed->size), CRUX_ARRAY(mixed->blocks, crux_cholesky_work(mixed->size)),
		CRUX_ARRAY(mixed->scaled, 4 * mixed->fields + top->columns * top->columns), CRUX_ARRAY(mixed->places, mixed->size), CRUX_ARRAY(mixed->slot, mixed->fields),
	};
	mixed->block = crux_block_new(arrays, sizeof arrays / sizeof *arrays);
	mixed->weight = rows->weights ? mixed->weight : NULL;
	mixed->offset = rows->offset ? mixed->offset : NULL;
	mixed->censored = rows->censored ? mixed->censored : NULL;
	return mixed->block != NULL;
}

static bool copy_rows(crux_mixed *mixed, const crux_mixed_rows *rows)
{
	size_t *next = calloc(mixed->grouping[0].groups, sizeof *next);
	uint32_t *places = calloc(mixed->rows * (mixed->groupings - 1) + 1, sizeof *places);
	bool done = next && places;
	if (done) {
		sort_rows(mixed, rows, next, places);
		done = note_met(mixed, places);
	}
	free(next);
	free(places);
	return done;
}

/* Allocates what the lists of met effects tell, and lists the meetings of each effect. */
static bool note_meetings(crux_mixed *mixed)
{
	size_t const groups = mixed->grouping[0].groups, met = mixed->met_first[groups];
	size_t const crossed = mixed->grouping[0].columns * (met + groups * mixed->fixed);
	mixed->crossed = crux_block_new((crux_array[]){CRUX_ARRAY(mixed->cross, crossed), CRUX_ARRAY(mixed->spread, crossed),
	                                               CRUX_ARRAY(mixed->meeting, met)}, 3);
	if (!mixed->crossed)
		return false;
	size_t *next = mixed->meeting_first;
	for (size_t i = 0; i < met; i++)
		next[mixed->met[i] + 2]++;
	for (size_t place = 2; place < mixed->dense + 2; place++)
		next[place] += next[place - 1];
	for (size_t j = 0; j < groups; j++)
		for (size_t i = mixed->met_first[j]; i < mixed->met_first[j + 1]; i++)
			mixed->meeting[next[mixed->met[i] + 1]++] = (crux_mixed_meeting){(uint32_t)j, (uint32_t)(i - mixed->met_first[j])};
	return true;
}

crux_mixed *crux_mixed_new(const crux_mixed_rows *rows)
{
	crux_mixed *mixed = calloc(1, sizeof *mixed);
	if (!mixed)
		return NULL;
	*mixed = (crux_mixed){.rows = rows->rows, .fixed = rows->fixed, .groupings = rows->groupings, .family = rows->family,
	                      .grouping = calloc(rows->groupings, sizeof *mixed->grouping)};
	if (mixed->grouping && copy_groupings(mixed, rows) && allocate(mixed, rows) && copy_rows(mixed, rows) &&
	    note_meetings(mixed))
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
