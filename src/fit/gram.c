/* Sums of products in twice the precision; see gram.h for the method. */
#include "fit/gram.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/clones.h"

enum {
	BATCH = 256, /* rows multiplied at once: with 10 columns 20 kB, which stays in the first-level cache */
	LANES = 16,  /* partial sums, enough to hide the latency of an addition */
	/* Exponents up to which numbers are not scaled, products of two and a weight and their errors being in range, and the
	 * largest of a scale, whose inverse is to be in range. */
	PLAIN_EXPONENT = 200,
	LAST_EXPONENT = 1000,
	NO_SCALE = INT_MIN, /* of a column of zeros */
};

struct crux_gram {
	size_t width; /* the terms and the response */
	size_t filled;
	crux_dd *sums;   /* width x width */
	int *scales;     /* of the columns */
	double *rows;    /* width columns of BATCH numbers */
	double *weights; /* BATCH */
	double *high;    /* BATCH: a weighted column, rounded, */
	double *low;     /* and what is missing */
};

crux_gram *crux_gram_new(size_t terms)
{
	crux_gram *gram = calloc(1, sizeof *gram);
	if (!gram)
		return NULL;
	gram->width = terms + 1;
	gram->sums = calloc(gram->width * gram->width, sizeof *gram->sums);
	gram->rows = calloc(gram->width * BATCH, sizeof *gram->rows);
	gram->weights = calloc(3 * BATCH, sizeof *gram->weights);
	gram->scales = calloc(gram->width, sizeof *gram->scales);
	if (gram->sums && gram->rows && gram->weights && gram->scales) {
		for (size_t i = 0; i < gram->width; i++)
			gram->scales[i] = NO_SCALE;
		gram->high = gram->weights + BATCH;
		gram->low = gram->high + BATCH;
		return gram;
	}
	crux_gram_free(gram);
	return NULL;
}

void crux_gram_free(crux_gram *gram)
{
	if (!gram)
		return;
	free(gram->sums);
	free(gram->rows);
	free(gram->weights);
	free(gram->scales);
	free(gram);
}

CRUX_CLONES static void weigh(const double *weights, const double *column, double *high, double *low)
{
	for (size_t i = 0; i < BATCH; i++) {
		crux_dd const product = crux_dd_product(weights[i], column[i]);
		high[i] = product.high;
		low[i] = product.low;
	}
}

/* The sum of (high + low) * column. */
CRUX_CLONES static crux_dd multiply(const double *high, const double *low, const double *column)
{
	double sums[LANES] = {0}, rests[LANES] = {0};
	for (size_t start = 0; start < BATCH; start += LANES) {
		for (size_t lane = 0; lane < LANES; lane++) {
			size_t const i = start + lane;
			crux_dd const product = crux_dd_product(high[i], column[i]);
			crux_dd const sum = crux_dd_sum(sums[lane], product.high);
			sums[lane] = sum.high;
			rests[lane] += sum.low + (product.low + low[i] * column[i]);
		}
	}
	for (size_t half = LANES / 2; half > 0; half /= 2) {
		for (size_t lane = 0; lane < half; lane++) {
			crux_dd const sum = crux_dd_sum(sums[lane], sums[lane + half]);
			sums[lane] = sum.high;
			rests[lane] += rests[lane + half] + sum.low;
		}
	}
	return crux_dd_sum(sums[0], rests[0]);
}

CRUX_CLONES static double largest(const double *column, size_t n)
{
	double most = 0;
	for (size_t i = 0; i < n; i++)
		most = fabs(column[i]) > most ? fabs(column[i]) : most;
	return most;
}

/* Makes a scale larger, or has one where there was none. */
static void rescale(crux_gram *gram, size_t i, int scale)
{
	int const before = gram->scales[i];
	if (scale <= before)
		return;
	gram->scales[i] = scale;
	double const factor = before == NO_SCALE ? 1 : ldexp(1, before - scale);
	for (size_t j = 0; j < gram->width; j++) {
		crux_dd *const sum = &gram->sums[i < j ? i * gram->width + j : j * gram->width + i];
		double const share = i == j ? factor * factor : factor;
		*sum = (crux_dd){sum->high * share, sum->low * share};
	}
}

static int scale_of(double most)
{
	int const exponent = ilogb(most);
	if (abs(exponent) <= PLAIN_EXPONENT)
		return 0;
	return exponent > LAST_EXPONENT ? LAST_EXPONENT : exponent < -LAST_EXPONENT ? -LAST_EXPONENT : exponent;
}

static void scale_rows(crux_gram *gram)
{
	for (size_t i = 0; i < gram->width; i++) {
		double *const column = gram->rows + i * BATCH;
		double const most = largest(column, gram->filled);
		if (most == 0)
			continue;
		rescale(gram, i, scale_of(most));
		double const factor = ldexp(1, -gram->scales[i]);
		for (size_t row = 0; factor != 1 && row < gram->filled; row++)
			column[row] *= factor;
	}
}

/* Rows that are not there weigh nothing. */
static void flush(crux_gram *gram)
{
	if (gram->filled == 0)
		return;
	scale_rows(gram);
	memset(gram->weights + gram->filled, 0, (BATCH - gram->filled) * sizeof *gram->weights);
	for (size_t i = 0; i < gram->width; i++) {
		weigh(gram->weights, gram->rows + i * BATCH, gram->high, gram->low);
		for (size_t j = i; j < gram->width; j++) {
			crux_dd *const sum = &gram->sums[i * gram->width + j];
			*sum = crux_dd_add(*sum, multiply(gram->high, gram->low, gram->rows + j * BATCH));
		}
	}
	gram->filled = 0;
}

void crux_gram_add(crux_gram *gram, size_t row, const double *const *columns, const double *response, double weight)
{
	double *const place = gram->rows + gram->filled;
	for (size_t i = 0; i + 1 < gram->width; i++)
		place[i * BATCH] = columns[i][row];
	place[(gram->width - 1) * BATCH] = response[row];
	gram->weights[gram->filled] = weight;
	if (++gram->filled == BATCH)
		flush(gram);
}

void crux_gram_merge(crux_gram *gram, crux_gram *other)
{
	flush(other);
	for (size_t i = 0; i < gram->width; i++) {
		rescale(gram, i, other->scales[i]);
		rescale(other, i, gram->scales[i]);
	}
	for (size_t i = 0; i < gram->width * gram->width; i++)
		gram->sums[i] = crux_dd_add(gram->sums[i], other->sums[i]);
}

const crux_dd *crux_gram_sums(crux_gram *gram)
{
	flush(gram);
	return gram->sums;
}

int crux_gram_scale(const crux_gram *gram, size_t column)
{
	return gram->scales[column] == NO_SCALE ? 0 : gram->scales[column];
}
