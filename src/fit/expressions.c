/* Expressions of measures, by their number of nodes, and a set of hashes of their values; see expressions.h. */
#include "fit/expressions.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/block.h"

typedef struct work {
	crux_expressions *made;
	size_t rows, most;
	const double *const *columns, *low, *high, *units; /* of measures */
	uint32_t nodes;
	size_t *ends;     /* ends[n]: number of expressions of up to n nodes */
	uint64_t *hashes; /* open addressing; 0 is free */
	size_t slots;     /* a power of 2, at least twice the expressions */
	double *scratch;  /* columns */
	int32_t *rounded;
} work;

static void evaluate(const work *w, const crux_expression *x, double *values, double *scratch)
{
	size_t const n = w->rows;
	if (x->kind == CRUX_MEASURE) {
		memcpy(values, w->columns[x->left], n * sizeof *values);
		return;
	}
	evaluate(w, &w->made->list[x->left], values, scratch);
	if (x->kind < CRUX_LOG)
		evaluate(w, &w->made->list[x->right], scratch, scratch + n);
	for (size_t i = 0; i < n; i++) {
		double const a = values[i], b = scratch[i];
		switch (x->kind) {
		case CRUX_MEASURE: break;
		case CRUX_SUM: values[i] = a + b; break;
		case CRUX_DIFFERENCE: values[i] = a - b; break;
		case CRUX_PRODUCT: values[i] = a * b; break;
		case CRUX_QUOTIENT: values[i] = a / b; break;
		case CRUX_LOG: values[i] = log(a); break;
		case CRUX_SQRT: values[i] = sqrt(a); break;
		case CRUX_SQUARE: values[i] = a * a; break;
		case CRUX_INCREMENT: values[i] = a + 1; break;
		}
	}
}

/* True if no value of a measure is below that of another in the same row. */
static bool is_above(const work *w, const crux_expression *a, const crux_expression *b)
{
	for (size_t i = 0; i < w->rows; i++)
		if (w->columns[a->left][i] < w->columns[b->left][i])
			return false;
	return true;
}

/* Sets the unit of an expression; false if its operands have unlike units. */
static bool set_unit(const work *w, crux_expression *x)
{
	double const a = w->made->list[x->left].unit, b = w->made->list[x->right].unit;
	switch (x->kind) {
	case CRUX_MEASURE: x->unit = w->units[x->left]; break;
	case CRUX_SUM:
	case CRUX_DIFFERENCE: x->unit = isnan(a) ? b : a; return !(fabs(a - b) > 1e-9);
	case CRUX_PRODUCT: x->unit = a + b; break;
	case CRUX_QUOTIENT: x->unit = a - b; break;
	case CRUX_LOG: x->unit = 0; break;
	case CRUX_SQRT: x->unit = a / 2; break;
	case CRUX_SQUARE: x->unit = 2 * a; break;
	case CRUX_INCREMENT: x->unit = a; break;
	}
	return true;
}

/* Sets the bounds of an expression to those of its operands' bounds; false if it may be undefined or infinite. */
static bool set_bounds(const work *w, crux_expression *x)
{
	const crux_expression *a = &w->made->list[x->left], *b = &w->made->list[x->right];
	double corners[4] = {a->low, a->low, a->high, a->high}, low = b->low, high = b->high;
	switch (x->kind) {
	case CRUX_MEASURE: x->low = w->low[x->left], x->high = w->high[x->left]; break;
	case CRUX_SUM: x->low = a->low + low, x->high = a->high + high; break;
	case CRUX_DIFFERENCE:
		x->low = a->low - high, x->high = a->high - low;
		if (x->low < 0 && x->nodes == 3 && is_above(w, a, b))
			x->low = 0;
		break;
	case CRUX_QUOTIENT:
		if (low <= 0 && high >= 0)
			return false;
		low = 1 / b->high, high = 1 / b->low; /* fall through */
	case CRUX_PRODUCT:
		for (size_t i = 0; i < 4; i++)
			corners[i] *= i % 2 ? high : low;
		x->low = fmin(fmin(corners[0], corners[1]), fmin(corners[2], corners[3]));
		x->high = fmax(fmax(corners[0], corners[1]), fmax(corners[2], corners[3]));
		break;
	case CRUX_LOG: x->low = a->low > 0 ? log(a->low) : NAN, x->high = log(a->high); break;
	case CRUX_SQRT: x->low = sqrt(a->low), x->high = sqrt(a->high); break;
	case CRUX_SQUARE:
		x->low = a->low > 0 ? a->low * a->low : a->high < 0 ? a->high * a->high : 0;
		x->high = fmax(a->low * a->low, a->high * a->high);
		break;
	case CRUX_INCREMENT:
		x->low = a->low == 0 && (a->kind == CRUX_MEASURE || a->kind == CRUX_DIFFERENCE) ? 1 : NAN;
		x->high = a->high + 1;
		break;
	}
	return isfinite(x->low) && isfinite(x->high);
}

/* Replaces values by standardised ones; false if they are the same, but for rounding. */
static bool standardise(size_t n, double *values)
{
	double mean = 0, squares = 0, largest = 0;
	for (size_t i = 0; i < n; i++) {
		mean += (values[i] - mean) / (double)(i + 1);
		largest = fmax(largest, fabs(values[i]));
	}
	for (size_t i = 0; i < n; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	double const deviation = sqrt(squares / (double)n);
	if (!isfinite(deviation) || deviation <= 1e-9 * largest)
		return false;
	for (size_t i = 0; i < n; i++)
		values[i] = (values[i] - mean) / deviation;
	return true;
}

/* Returns a hash that columns which are lines of each other share: of the values rounded, the first far from 0 positive. */
static uint64_t hash(const work *w, const double *values)
{
	size_t first = 0;
	while (first + 1 < w->rows && fabs(values[first]) < 0.5)
		first++;
	double const scale = values[first] < 0 ? -1e6 : 1e6;
	for (size_t i = 0; i < w->rows; i++)
		w->rounded[i] = (int32_t)lround(fmax(-2000, fmin(2000, values[i])) * scale);
	return XXH3_64bits(w->rounded, w->rows * sizeof *w->rounded) | 1;
}

/* Adds a hash to the set; false if it is there. */
static bool add_hash(work *w, uint64_t value)
{
	size_t slot = (size_t)(value >> 1) & (w->slots - 1);
	for (; w->hashes[slot]; slot = (slot + 1) & (w->slots - 1))
		if (w->hashes[slot] == value)
			return false;
	w->hashes[slot] = value;
	return true;
}

/* Adds an expression of these operands, if it is a new one. Returns false if there is no room for it. */
static bool add(work *w, crux_expression_kind kind, size_t left, size_t right)
{
	crux_expressions *made = w->made;
	crux_expression x = {.kind = kind, .nodes = w->nodes, .left = (uint32_t)left, .right = (uint32_t)right};
	const crux_expression *a = &made->list[left], *b = &made->list[right];
	bool const are_measures = kind == CRUX_DIFFERENCE && w->nodes == 3;
	if (kind == CRUX_DIFFERENCE && (a->high <= b->low || (are_measures && is_above(w, b, a)))) /* for its logarithm and root */
		x.left = (uint32_t)right, x.right = (uint32_t)left;
	if (!set_bounds(w, &x) || !set_unit(w, &x))
		return true;
	double *values = w->scratch;
	evaluate(w, &x, values, values + w->rows);
	made->tried++;
	if (!standardise(w->rows, values))
		return true;
	if (made->count == w->most)
		return false;
	if (kind == CRUX_INCREMENT)
		memset(values, 0, w->rows * sizeof *values);
	else if (!add_hash(w, hash(w, values)))
		return true;
	float *block = made->values + made->count / CRUX_LANES * CRUX_LANES * w->rows;
	for (size_t i = 0; i < w->rows; i++)
		block[i * CRUX_LANES + made->count % CRUX_LANES] = (float)values[i];
	made->list[made->count++] = x;
	return true;
}

static bool is_operation(const crux_expression *x)
{
	return x->kind >= CRUX_SUM && x->kind <= CRUX_QUOTIENT;
}

/* Adds the expressions of w->nodes nodes, or only functions of operations; false if there is no room for all. */
static bool add_all(work *w, size_t measures, bool only_functions)
{
	const size_t *ends = w->ends;
	uint32_t const operands = w->nodes - 1;
	for (size_t i = 0; !operands && i < measures; i++)
		if (!add(w, CRUX_MEASURE, i, 0))
			return false;
	for (size_t i = operands ? ends[operands - 1] : 0; i < ends[operands]; i++)
		for (crux_expression_kind kind = CRUX_LOG; kind <= CRUX_INCREMENT; kind++)
			if ((!only_functions || is_operation(&w->made->list[i])) && !add(w, kind, i, 0))
				return false;
	for (uint32_t nodes = 1; nodes < operands && !only_functions; nodes++)
		for (size_t i = ends[nodes - 1]; i < ends[nodes]; i++)
			for (size_t j = ends[operands - nodes - 1]; j < ends[operands - nodes]; j++)
				for (crux_expression_kind kind = CRUX_SUM; kind <= CRUX_QUOTIENT; kind++)
					if ((i < j || (i > j && kind == CRUX_QUOTIENT)) && !add(w, kind, i, j))
						return false;
	return true;
}

bool crux_expressions_make(crux_expressions *made, size_t measures, size_t rows, const double *const *columns,
                           const double *low, const double *high, const double *units, uint32_t nodes, size_t most)
{
	work w = {.made = made, .rows = rows, .most = most, .columns = columns, .low = low, .high = high, .units = units, .nodes = 1,
	          .slots = 2};
	while (w.slots < 2 * most)
		w.slots *= 2;
	made->list = calloc(most + 1, sizeof *made->list);
	made->values = calloc((most / CRUX_LANES + 1) * CRUX_LANES * rows, sizeof *made->values);
	crux_array const arrays[] = {
		CRUX_ARRAY(w.ends, nodes + (size_t)2), CRUX_ARRAY(w.hashes, w.slots), CRUX_ARRAY(w.scratch, (nodes + (size_t)3) * rows),
		CRUX_ARRAY(w.rounded, rows),
	};
	void *const memory = crux_block_new(arrays, sizeof arrays / sizeof *arrays);
	bool const done = made->list && made->values && memory;
	for (made->rows = rows; done && w.nodes <= nodes + 1 && add_all(&w, measures, w.nodes > nodes); w.nodes++)
		w.ends[w.nodes] = made->count;
	made->nodes = w.nodes - 1;
	made->count = done ? w.ends[made->nodes] : 0;
	free(memory);
	return done;
}

void crux_expressions_clear(crux_expressions *expressions)
{
	if (expressions) {
		free(expressions->list);
		free(expressions->values);
	}
}
