/* A beam search for sums of expressions; see sums.h. */
#include "fit/sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clones.h"

/* How many sums of a number of nodes and of so many terms are kept. */
static const size_t widths[CRUX_SUM_TERMS] = {10, 3, 1};
enum { WIDEST = 10 };

typedef struct list {
	size_t count;
	crux_sum sums[WIDEST]; /* best first */
} list;

/* A sum in the beam. Columns hold a number for each row, times the root of its weight. */
typedef struct entry {
	crux_sum sum;
	double *columns; /* an orthonormal basis of the terms, then the rest of the response */
} entry;

typedef struct search {
	const crux_expressions *expressions;
	size_t rows;
	double *roots;       /* of the weights, which add up to 1 */
	double total;        /* squares of the response about its mean */
	entry *beam;
	size_t count;        /* of the beam */
	float *vectors;      /* of all entries: their columns times the roots of the weights */
	float *weights;
	list *found;         /* by nodes - 1 */
	size_t sizes;
} search;

/* dots[lane]: the products of a vector with the columns of a block. */
CRUX_CLONES static void dots(const float *block, size_t rows, const float *vector, float *result)
{
	float sums[CRUX_LANES] = {0};
	for (size_t row = 0; row < rows; row++)
		for (size_t lane = 0; lane < CRUX_LANES; lane++)
			sums[lane] += vector[row] * block[row * CRUX_LANES + lane];
	memcpy(result, sums, sizeof sums);
}

/* Sets the deviations of the columns of a block in the weighted rows. */
CRUX_CLONES static void deviations(const float *block, size_t rows, const float *weights, float *result)
{
	float means[CRUX_LANES] = {0}, squares[CRUX_LANES] = {0};
	for (size_t row = 0; row < rows; row++)
		for (size_t lane = 0; lane < CRUX_LANES; lane++)
			means[lane] += weights[row] * block[row * CRUX_LANES + lane];
	for (size_t row = 0; row < rows; row++)
		for (size_t lane = 0; lane < CRUX_LANES; lane++) {
			float const centred = block[row * CRUX_LANES + lane] - means[lane];
			squares[lane] += weights[row] * centred * centred;
		}
	for (size_t lane = 0; lane < CRUX_LANES; lane++)
		result[lane] = sqrtf(squares[lane]);
}

/* Returns true if a sum of that error is none of the best `width` of a list. */
static bool is_worse(const list *l, double error, size_t width)
{
	return l->count == width && error >= l->sums[width - 1].error;
}

/* Keeps a sum that is not worse, unless it is there; of equal ones the first stands first. */
static void keep(list *l, const crux_sum *sum, size_t width)
{
	for (size_t i = 0; i < l->count; i++)
		if (!memcmp(l->sums[i].expressions, sum->expressions, sizeof sum->expressions))
			return;
	size_t place = l->count < width ? l->count++ : width - 1;
	for (; place > 0 && l->sums[place - 1].error > sum->error; place--)
		l->sums[place] = l->sums[place - 1];
	l->sums[place] = *sum;
}

static crux_sum with_term(const crux_sum *sum, uint32_t expression, uint32_t nodes, double error)
{
	crux_sum next = {.error = error, .terms = sum->terms + 1, .nodes = nodes};
	memcpy(next.expressions, sum->expressions, sizeof next.expressions);
	uint32_t place = sum->terms;
	for (; place > 0 && next.expressions[place - 1] > expression; place--)
		next.expressions[place] = next.expressions[place - 1];
	next.expressions[place] = expression;
	return next;
}

/* Tries the expressions of a block as a further term of an entry. */
static void extend(search *s, size_t place, size_t block, const float *values, const float *spreads)
{
	const crux_sum *sum = &s->beam[place].sum;
	const float *vectors = s->vectors + place * CRUX_SUM_TERMS * s->rows;
	size_t const first = block * CRUX_LANES, count = s->expressions->count - first;
	uint32_t const before = sum->nodes + (sum->terms > 0);
	float products[CRUX_SUM_TERMS][CRUX_LANES];
	for (size_t i = 0; i <= sum->terms; i++)
		dots(values, s->rows, vectors + i * s->rows, products[i]);
	for (size_t lane = 0; lane < CRUX_LANES && lane < count; lane++) {
		float const squares = spreads[lane] * spreads[lane];
		float left = squares;
		for (size_t i = 0; i < sum->terms; i++)
			left -= products[i][lane] * products[i][lane];
		if (squares < 1e-6f || left < 1e-4f * squares)
			continue;
		uint32_t const nodes = before + s->expressions->list[first + lane].nodes;
		float const product = products[sum->terms][lane];
		double const error = sum->error - (double)(product * product / left) / s->total;
		if (is_worse(&s->found[nodes - 1], error, widths[sum->terms]))
			continue;
		crux_sum const next = with_term(sum, (uint32_t)(first + lane), nodes, error);
		keep(&s->found[nodes - 1], &next, widths[sum->terms]);
	}
}

/* Subtracts from a column its part along another of length 1. */
static void subtract(size_t rows, const double *along, double *column)
{
	double product = 0;
	for (size_t i = 0; i < rows; i++)
		product += along[i] * column[i];
	for (size_t i = 0; i < rows; i++)
		column[i] -= product * along[i];
}

static double length(size_t rows, const double *column)
{
	double squares = 0;
	for (size_t i = 0; i < rows; i++)
		squares += column[i] * column[i];
	return sqrt(squares);
}

/* Fills an entry for its sum, with its error; `response` is centred. */
static void fill(const search *s, entry *at, const double *response)
{
	size_t const n = s->rows, terms = at->sum.terms;
	double *rest = at->columns + terms * n;
	memcpy(rest, response, n * sizeof *rest);
	for (size_t term = 0; term < terms; term++) {
		size_t const index = at->sum.expressions[term];
		const float *block = s->expressions->values + index / CRUX_LANES * CRUX_LANES * n + index % CRUX_LANES;
		double *column = at->columns + term * n;
		for (size_t i = 0; i < n; i++)
			column[i] = s->roots[i] * (double)block[i * CRUX_LANES];
		subtract(n, s->roots, column);
		for (size_t other = 0; other < term; other++)
			subtract(n, at->columns + other * n, column);
		double const size = length(n, column);
		for (size_t i = 0; i < n; i++)
			column[i] /= size;
		subtract(n, column, rest);
	}
	at->sum.error = pow(length(n, rest), 2) / s->total;
}

/* Replaces the beam by the sums that were found, and improves `best` by them. */
static void advance(search *s, const double *response, crux_sum *best)
{
	s->count = 0;
	for (size_t size = 0; size < s->sizes; size++) {
		for (size_t i = 0; i < s->found[size].count; i++) {
			entry *at = &s->beam[s->count++];
			at->sum = s->found[size].sums[i];
			fill(s, at, response);
			if (!best[size].terms || at->sum.error < best[size].error)
				best[size] = at->sum;
		}
		s->found[size].count = 0;
	}
}

static void run(search *s, const double *response, crux_sum *best)
{
	size_t const n = s->rows, count = s->expressions->count;
	for (uint32_t terms = 0; terms < CRUX_SUM_TERMS; terms++) {
		for (size_t i = 0; i < s->count; i++)
			for (size_t j = 0; j < (terms + 1) * n; j++)
				s->vectors[i * CRUX_SUM_TERMS * n + j] = (float)(s->beam[i].columns[j] * s->roots[j % n]);
		for (size_t block = 0; block * CRUX_LANES < count; block++) {
			const float *values = s->expressions->values + block * CRUX_LANES * n;
			float spreads[CRUX_LANES];
			deviations(values, n, s->weights, spreads);
			for (size_t i = 0; i < s->count; i++)
				extend(s, i, block, values, spreads);
		}
		advance(s, response, best);
	}
}

size_t crux_sums_nodes(const crux_expressions *expressions)
{
	return CRUX_SUM_TERMS * (expressions->nodes + (size_t)1) - 1;
}

bool crux_sums_search(const crux_expressions *expressions, const double *weights, const double *response, crux_sum *best)
{
	size_t const n = expressions->rows, sizes = crux_sums_nodes(expressions), most = sizes * WIDEST;
	search s = {.expressions = expressions, .rows = n, .sizes = sizes, .count = 1};
	double total = 0;
	s.roots = calloc(2 * n, sizeof *s.roots);
	s.weights = calloc(n, sizeof *s.weights);
	s.beam = calloc(most, sizeof *s.beam);
	double *columns = calloc(most * (CRUX_SUM_TERMS + 1) * n, sizeof *columns);
	s.vectors = calloc(most * CRUX_SUM_TERMS * n, sizeof *s.vectors);
	s.found = calloc(sizes, sizeof *s.found);
	bool const done = s.roots && s.weights && s.beam && columns && s.vectors && s.found;
	memset(best, 0, sizes * sizeof *best);
	if (done) {
		for (size_t i = 0; i < n; i++)
			total += weights[i];
		for (size_t i = 0; i < n; i++) {
			s.roots[i] = sqrt(weights[i] / total);
			s.weights[i] = (float)(weights[i] / total);
			s.roots[n + i] = weights[i] > 0 ? s.roots[i] * response[i] : 0;
		}
		subtract(n, s.roots, s.roots + n);
		s.total = pow(length(n, s.roots + n), 2);
		for (size_t i = 0; i < most; i++)
			s.beam[i].columns = columns + i * (CRUX_SUM_TERMS + 1) * n;
		memcpy(s.beam[0].columns, s.roots + n, n * sizeof *columns);
		s.beam[0].sum.error = 1;
		run(&s, s.roots + n, best);
	}
	free(s.roots);
	free(s.weights);
	free(s.beam);
	free(columns);
	free(s.vectors);
	free(s.found);
	return done;
}
