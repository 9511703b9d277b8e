/* Errors of subsets in a depth-first sweep, and of the neighbours of one set; see subsets.h for the method. */
#include "fit/subsets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct walk {
	const crux_subsets *which;
	const crux_splits *splits; /* NULL: subsets are only counted, up to `limit` */
	size_t split, limit;
	double *matrices;
	size_t *order; /* the indices of the columns: 0, 1, 2, ... */
	double *errors, *subsets;
	size_t next;   /* index of the next subset */
} walk;

static bool may_join(const crux_subsets *which, size_t measure, uint64_t subset)
{
	return !which->needs || !(which->needs[measure] & ~subset);
}

static size_t project(const walk *w, size_t kept, size_t column, bool is_leaf)
{
	size_t const response = w->which->measures + 1, first = is_leaf ? response : column + 1;
	return crux_splits_project(w->splits, w->matrices, kept, column, column + 1, w->order + first,
	                           response + 1 - first);
}

/* Adds the errors of the given subset and of all that extend it by measures from `first` on. */
static void visit(walk *w, size_t kept, size_t first, size_t size, uint64_t subset)
{
	if (w->splits) {
		w->errors[w->next] += crux_splits_error(w->splits, w->matrices, kept);
		w->subsets[w->next] = (double)subset;
	}
	w->next++;
	if (size == w->which->most)
		return;
	for (size_t measure = first; measure < w->which->measures && w->next < w->limit; measure++)
		if (may_join(w->which, measure, subset))
			visit(w, w->splits ? project(w, kept, measure + 1, size + 1 == w->which->most) : 0, measure + 1, size + 1,
			      subset | (uint64_t)1 << measure);
}

size_t crux_subsets_count(const crux_subsets *which, size_t limit)
{
	walk w = {.which = which, .limit = limit};
	visit(&w, 0, 0, 0, 0);
	return w.next;
}

static size_t *new_order(const crux_splits *splits)
{
	size_t *order = calloc(crux_splits_width(splits), sizeof *order);
	for (size_t i = 0; order && i < crux_splits_width(splits); i++)
		order[i] = i;
	return order;
}

bool crux_subsets_errors(const crux_subsets *which, const crux_splits *splits, double *errors, double *subsets)
{
	walk w = {.which = which, .splits = splits, .limit = SIZE_MAX, .errors = errors, .subsets = subsets};
	size_t const n = crux_subsets_count(which, SIZE_MAX), width = crux_splits_width(splits);
	memset(errors, 0, n * sizeof *errors);
	w.matrices = calloc(crux_splits_size(splits, width), sizeof *w.matrices);
	w.order = new_order(splits);
	bool const done = w.matrices && w.order;
	for (; done && w.split < crux_splits_count(splits); w.split++) {
		w.next = 0;
		crux_splits_start(splits, w.split, w.matrices);
		visit(&w, 1, 0, 0, 0);
	}
	for (size_t i = 0; i < n; i++)
		errors[i] = crux_splits_mean(splits, errors[i]);
	free(w.matrices);
	free(w.order);
	return done;
}

typedef struct ranking {
	const double *errors, *subsets;
} ranking;

static int size_of(const ranking *r, uint32_t place)
{
	return __builtin_popcountll((uint64_t)r->subsets[place]);
}

/* Returns true if subset a ranks behind subset b. */
static bool is_behind(const ranking *r, uint32_t a, uint32_t b)
{
	if (r->errors[a] != r->errors[b])
		return r->errors[a] > r->errors[b];
	if (size_of(r, a) != size_of(r, b))
		return size_of(r, a) > size_of(r, b);
	uint64_t const differ = (uint64_t)r->subsets[a] ^ (uint64_t)r->subsets[b], first = differ & (~differ + 1);
	return (uint64_t)r->subsets[b] & first;
}

/* Restores the heap, whose root ranks behind all other entries, after the entry at `place` changed. */
static void sink(const ranking *r, uint32_t *heap, size_t count, size_t place)
{
	for (size_t child; (child = 2 * place + 1) < count; place = child) {
		if (child + 1 < count && is_behind(r, heap[child + 1], heap[child]))
			child++;
		if (!is_behind(r, heap[child], heap[place]))
			return;
		uint32_t const entry = heap[place];
		heap[place] = heap[child];
		heap[child] = entry;
	}
}

size_t crux_subsets_best(size_t n, const double *errors, const double *subsets, size_t size, size_t count, uint32_t *best)
{
	ranking const r = {errors, subsets};
	size_t found = 0;
	for (uint32_t place = 0; count > 0 && place < n; place++) {
		if (size > 0 ? (size_t)size_of(&r, place) != size : subsets[place] == 0)
			continue;
		if (found < count) {
			best[found++] = place;
			for (size_t i = found == count ? count / 2 : 0; i-- > 0;)
				sink(&r, best, count, i);
		} else if (is_behind(&r, best[0], place)) {
			best[0] = place;
			sink(&r, best, count, 0);
		}
	}
	for (size_t i = found < count ? found / 2 : 0; i-- > 0;)
		sink(&r, best, found, i);
	for (size_t left = found; left-- > 1;) { /* moves the last-ranked entry left to the end */
		uint32_t const last = best[0];
		best[0] = best[left];
		best[left] = last;
		sink(&r, best, left, 0);
	}
	return found;
}

/* A set and its neighbours in one split. */
typedef struct neighbourhood {
	const crux_splits *splits;
	size_t split, count;
	bool is_removal;
	size_t *columns; /* first those of the set, then the others, then the response */
	size_t *kept;    /* number of kept columns before each of the set's columns, and after the last */
	double *matrices;
	double *errors;
} neighbourhood;

/* Projects the column at `place` in the list out of those from `first` on. */
static size_t take_out(const neighbourhood *at, size_t kept, size_t place, size_t first)
{
	size_t const width = crux_splits_width(at->splits);
	return crux_splits_project(at->splits, at->matrices, kept, at->columns[place], width, at->columns + first,
	                           width - 1 - first);
}

static void add_errors(const neighbourhood *at)
{
	size_t const measures = crux_splits_measures(at->splits);
	crux_splits_start(at->splits, at->split, at->matrices);
	at->kept[0] = 1;
	for (size_t i = 0; i < at->count; i++)
		at->kept[i + 1] = take_out(at, at->kept[i], i, i + 1);
	at->errors[measures] += crux_splits_error(at->splits, at->matrices, at->kept[at->count]);
	for (size_t i = at->count; !at->is_removal && i < measures; i++) {
		size_t const kept = take_out(at, at->kept[at->count], i, measures);
		at->errors[at->columns[i] - 1] += crux_splits_error(at->splits, at->matrices, kept);
	}
	/* Each removal overwrites the matrices of the later columns only, so removals go from the last column to the first. */
	for (size_t i = at->count; at->is_removal && i-- > 0;) {
		size_t kept = at->kept[i];
		for (size_t j = i + 1; j < at->count; j++)
			kept = take_out(at, kept, j, j + 1);
		at->errors[at->columns[i] - 1] += crux_splits_error(at->splits, at->matrices, kept);
	}
}

/* Lists the columns; sets the errors of measures without a neighbour to NaN, the others to 0. */
static void list_columns(const neighbourhood *at, const size_t *set)
{
	size_t const measures = crux_splits_measures(at->splits);
	size_t others = at->count;
	for (size_t measure = 0; measure < measures; measure++)
		at->errors[measure] = at->is_removal ? NAN : 0;
	for (size_t i = 0; i < at->count; i++) {
		at->columns[i] = set[i] + 1;
		at->errors[set[i]] = at->is_removal ? 0 : NAN;
	}
	for (size_t measure = 0; measure < measures; measure++)
		if (isnan(at->errors[measure]) == at->is_removal)
			at->columns[others++] = measure + 1;
	at->columns[measures] = measures + 1;
	at->errors[measures] = 0;
}

bool crux_subsets_neighbours(const crux_splits *splits, const size_t *set, size_t count, bool is_removal, double *errors)
{
	size_t const width = crux_splits_width(splits);
	neighbourhood at = {.splits = splits, .count = count, .is_removal = is_removal, .errors = errors};
	at.columns = calloc(width, sizeof *at.columns);
	at.kept = calloc(count + 1, sizeof *at.kept);
	at.matrices = calloc(crux_splits_size(splits, count + 3), sizeof *at.matrices);
	bool const done = at.columns && at.kept && at.matrices;
	if (done)
		list_columns(&at, set);
	for (; done && at.split < crux_splits_count(splits); at.split++)
		add_errors(&at);
	for (size_t i = 0; done && i < width - 1; i++)
		errors[i] = crux_splits_mean(splits, errors[i]);
	free(at.columns);
	free(at.kept);
	free(at.matrices);
	return done;
}
