/* A beam search for sums of expressions, in threads; see sums.h. */
#include "fit/sums.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clones.h"

/* How many sums of a number of nodes and of so many terms are kept. */
static const size_t widths[CRUX_SUM_TERMS] = {10, 3, 1};
enum { WIDEST = 10 };

/* Columns whose products with a block are computed at once: so many sums in registers hide the time that an addition takes. */
enum { TOGETHER = 4 };

typedef float lanes __attribute__((vector_size(CRUX_LANES * sizeof(float)))); /* a row of a block */

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
	float *vectors;      /* columns of all entries times the roots of the weights: TOGETHER columns, row by row, then the next */
	float *products;     /* of the vectors with the columns of a block */
	float *weights;
	float *squares;      /* variances of the expressions in the weighted rows */
	list *found;         /* by nodes - 1 */
	size_t sizes;
} search;

/* Sets the products of TOGETHER vectors with the columns of a block: CRUX_LANES for each vector. */
CRUX_CLONES static void multiply(const float *block, size_t rows, const float *vectors, float *products)
{
	lanes sums[TOGETHER] = {{0}}, values;
	for (size_t row = 0; row < rows; row++) {
		memcpy(&values, block + row * CRUX_LANES, sizeof values);
		for (size_t i = 0; i < TOGETHER; i++)
			sums[i] += vectors[row * TOGETHER + i] * values;
	}
	memcpy(products, sums, sizeof sums);
}

/* Sets the variances of the columns of a block in the weighted rows. */
CRUX_CLONES static void variances(const float *block, size_t rows, const float *weights, float *result)
{
	float means[CRUX_LANES] = {0};
	memset(result, 0, CRUX_LANES * sizeof *result);
	for (size_t row = 0; row < rows; row++)
		for (size_t lane = 0; lane < CRUX_LANES; lane++)
			means[lane] += weights[row] * block[row * CRUX_LANES + lane];
	for (size_t row = 0; row < rows; row++)
		for (size_t lane = 0; lane < CRUX_LANES; lane++) {
			float const centred = block[row * CRUX_LANES + lane] - means[lane];
			result[lane] += weights[row] * centred * centred;
		}
}

/* Sets by how much each column of a block, as a further term, lessens the squared error of a sum of `terms` terms; returns the
 * most. products: of the columns with the terms, then with the rest of the response. */
CRUX_CLONES static float gains(const float *products, size_t terms, const float *squares, float *result)
{
	float most = 0, left[CRUX_LANES];
	memcpy(left, squares, sizeof left);
	for (size_t i = 0; i < terms; i++)
		for (size_t lane = 0; lane < CRUX_LANES; lane++)
			left[lane] -= products[i * CRUX_LANES + lane] * products[i * CRUX_LANES + lane];
	for (size_t lane = 0; lane < CRUX_LANES; lane++) {
		float const product = products[terms * CRUX_LANES + lane];
		bool const joins = squares[lane] >= 1e-6f && left[lane] >= 1e-4f * squares[lane];
		result[lane] = joins ? product * product / left[lane] : -1;
	}
	for (size_t lane = 0; lane < CRUX_LANES; lane++)
		most = result[lane] > most ? result[lane] : most;
	return most;
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

/* Tries the expressions of a block as a further term of an entry. products: of its columns with those of the block. */
static void extend(search *s, const crux_sum *sum, size_t block, const float *products)
{
	size_t const first = block * CRUX_LANES, width = widths[sum->terms];
	const crux_expression *tried = s->expressions->list + first;
	size_t const count = s->expressions->count - first < CRUX_LANES ? s->expressions->count - first : CRUX_LANES;
	uint32_t const before = sum->nodes + (sum->terms > 0);
	assert(sum->terms < CRUX_SUM_TERMS);
	float gained[CRUX_LANES];
	double const least = sum->error - (double)gains(products, sum->terms, s->squares + first, gained) / s->total;
	if (tried[0].nodes == tried[count - 1].nodes && is_worse(&s->found[before + tried[0].nodes - 1], least, width))
		return;
	for (size_t lane = 0; lane < count; lane++) {
		uint32_t const nodes = before + tried[lane].nodes;
		double const error = sum->error - (double)gained[lane] / s->total;
		if (gained[lane] < 0 || is_worse(&s->found[nodes - 1], error, width))
			continue;
		crux_sum const next = with_term(sum, (uint32_t)(first + lane), nodes, error);
		keep(&s->found[nodes - 1], &next, width);
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

/* Sets the vectors of the beam, whose sums have so many terms; returns how many there are. */
static size_t set_vectors(search *s, size_t terms)
{
	size_t const n = s->rows;
	for (size_t i = 0; i < s->count * (terms + 1); i++) {
		const double *column = s->beam[i / (terms + 1)].columns + i % (terms + 1) * n;
		float *vector = s->vectors + i / TOGETHER * TOGETHER * n + i % TOGETHER;
		for (size_t row = 0; row < n; row++)
			vector[row * TOGETHER] = (float)(column[row] * s->roots[row]);
	}
	return s->count * (terms + 1);
}

static void run(search *s, const double *response, crux_sum *best, const atomic_int *stop)
{
	size_t const n = s->rows, count = s->expressions->count;
	for (uint32_t terms = 0; terms < CRUX_SUM_TERMS; terms++) {
		size_t const vectors = set_vectors(s, terms);
		for (size_t block = 0; block * CRUX_LANES < count && !*stop; block++) {
			const float *values = s->expressions->values + block * CRUX_LANES * n;
			if (!terms)
				variances(values, n, s->weights, s->squares + block * CRUX_LANES);
			for (size_t i = 0; i < vectors; i += TOGETHER)
				multiply(values, n, s->vectors + i * n, s->products + i * CRUX_LANES);
			for (size_t i = 0; i < s->count; i++)
				extend(s, &s->beam[i].sum, block, s->products + i * (terms + 1) * CRUX_LANES);
		}
		advance(s, response, best);
	}
}

size_t crux_sums_nodes(const crux_expressions *expressions)
{
	size_t const count = expressions->count, largest = count ? expressions->list[count - 1].nodes : 1;
	return CRUX_SUM_TERMS * (largest + 1) - 1;
}

/* Subtracts from a column its part along another, with products weighted by squared roots; returns how often it holds it. */
static double subtract_weighted(const search *s, const double *along, double *column)
{
	double product = 0, squares = 0;
	for (size_t i = 0; i < s->rows; i++) {
		double const weighted = s->roots[i] * s->roots[i] * along[i];
		product += weighted * column[i];
		squares += weighted * along[i];
	}
	for (size_t i = 0; i < s->rows; i++)
		column[i] -= product / squares * along[i];
	return product / squares;
}

/* Predicts all rows by the least-squares fit of a sum to the weighted rows: by Gram-Schmidt, whose steps also change the other
 * rows. scratch: a column for 1, for each term, and for the rest of the response. */
static void predict(const search *s, const crux_sum *sum, const double *response, double *scratch, double *predictions)
{
	size_t const n = s->rows;
	double *rest = scratch + (sum->terms + 1) * n;
	memset(predictions, 0, n * sizeof *predictions);
	for (size_t i = 0; i < n; i++)
		scratch[i] = 1, rest[i] = s->roots[i] > 0 ? response[i] : 0;
	for (size_t term = 0; term <= sum->terms; term++) {
		double *column = scratch + term * n;
		size_t const index = term ? sum->expressions[term - 1] : 0;
		const float *values = s->expressions->values + index / CRUX_LANES * CRUX_LANES * n + index % CRUX_LANES;
		for (size_t i = 0; i < n && term; i++)
			column[i] = (double)values[i * CRUX_LANES];
		for (size_t other = 0; other < term; other++)
			subtract_weighted(s, scratch + other * n, column);
		double const slope = subtract_weighted(s, column, rest);
		for (size_t i = 0; i < n; i++)
			predictions[i] += slope * column[i];
	}
}

/* Sets the roots of the weights, the response of entry 0, and its squares. */
static void begin(search *s, const crux_sum_problem *problem)
{
	size_t const n = s->rows;
	double total = 0, *response = s->roots + n;
	for (size_t i = 0; i < n; i++)
		total += problem->weights[i];
	for (size_t i = 0; i < n; i++) {
		s->roots[i] = sqrt(problem->weights[i] / total);
		s->weights[i] = (float)(problem->weights[i] / total);
		response[i] = problem->weights[i] > 0 ? s->roots[i] * problem->response[i] : 0;
	}
	subtract(n, s->roots, response);
	s->total = pow(length(n, response), 2);
	memcpy(s->beam[0].columns, response, n * sizeof *response);
	s->beam[0].sum.error = 1;
}

/* Solves a problem; false when memory is short. */
static bool solve(const crux_expressions *expressions, crux_sum_problem *problem, const atomic_int *stop)
{
	size_t const n = expressions->rows, sizes = crux_sums_nodes(expressions), most = sizes * WIDEST;
	size_t const vectors = most * CRUX_SUM_TERMS + TOGETHER;
	search s = {.expressions = expressions, .rows = n, .sizes = sizes, .count = 1};
	s.roots = calloc(2 * n, sizeof *s.roots);
	s.weights = calloc(n, sizeof *s.weights);
	s.beam = calloc(most, sizeof *s.beam);
	double *columns = calloc(most * (CRUX_SUM_TERMS + 1) * n, sizeof *columns);
	s.vectors = calloc(vectors * n, sizeof *s.vectors);
	s.products = calloc(vectors * CRUX_LANES, sizeof *s.products);
	s.squares = calloc(expressions->count + CRUX_LANES, sizeof *s.squares);
	s.found = calloc(sizes, sizeof *s.found);
	void *const owned[] = {s.roots, s.weights, s.beam, columns, s.vectors, s.products, s.squares, s.found};
	bool const done = s.roots && s.weights && s.beam && columns && s.vectors && s.products && s.squares && s.found;
	if (done) {
		for (size_t i = 0; i < most; i++)
			s.beam[i].columns = columns + i * (CRUX_SUM_TERMS + 1) * n;
		begin(&s, problem);
		run(&s, s.roots + n, problem->best, stop);
		for (size_t i = 0; i < sizes; i++)
			predict(&s, &problem->best[i], problem->response, columns, problem->predictions + i * n);
	}
	for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
		free(owned[i]);
	return done;
}

typedef struct work {
	const crux_expressions *expressions;
	crux_sum_problem *problems;
	size_t count;
	atomic_size_t next;
	atomic_bool failed;
	const atomic_int *stop;
} work;

static void *take_problems(void *argument)
{
	work *w = argument;
	for (size_t i; !w->failed && !*w->stop && (i = atomic_fetch_add(&w->next, 1)) < w->count;)
		if (!solve(w->expressions, &w->problems[i], w->stop))
			w->failed = true;
	return NULL;
}

bool crux_sums_search(const crux_expressions *expressions, crux_sum_problem *problems, size_t count, size_t threads,
                      const atomic_int *stop)
{
	work w = {.expressions = expressions, .problems = problems, .count = count, .stop = stop};
	pthread_t *others = calloc(threads, sizeof *others);
	size_t started = 0;
	sigset_t all, former;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &former); /* signals are for the calling thread */
	while (others && started + 1 < threads && !pthread_create(&others[started], NULL, take_problems, &w))
		started++;
	pthread_sigmask(SIG_SETMASK, &former, NULL);
	take_problems(&w);
	for (size_t i = 0; i < started; i++)
		pthread_join(others[i], NULL);
	free(others);
	return !w.failed;
}
