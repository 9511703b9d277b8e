/* All expressions of measures up to a number of nodes: measures, their sums, differences, products and quotients, logarithms,
 * square roots and squares, 1 + x of measures and differences whose least value is 0, and all that these make of each other.
 * Of one node more there are logarithms, roots and squares of sums, differences, products and quotients.
 *
 * Left out are expressions that measures within their ranges could make undefined or infinite, by interval arithmetic over the
 * ranges (R. E. Moore, Interval Analysis, 1966), those that are the same in all rows, and those whose values are a line of an
 * earlier one's: a search for least-squares fits needs one of them. Of two measures, one of which is below the other in no row,
 * the difference is taken as never below 0. The order depends on the measures alone: fewer nodes first.
 *
 * Units: each measure has a number, of which products get the sum; sums and differences of unlike units are left out. Logarithms
 * have unit 0.
 *
 * No global state. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum crux_expression_kind {
	CRUX_MEASURE, CRUX_SUM, CRUX_DIFFERENCE, CRUX_PRODUCT, CRUX_QUOTIENT, CRUX_LOG, CRUX_SQRT, CRUX_SQUARE, CRUX_INCREMENT
} crux_expression_kind;

typedef struct crux_expression {
	crux_expression_kind kind;
	uint32_t nodes;
	uint32_t left, right; /* indices of its operands, or the index of the measure */
	double low, high;     /* bounds of its values while the measures are within their ranges */
	double unit;          /* NAN: any */
} crux_expression;

/* The values are standardised, zeros for 1 + x, a line of x that only larger expressions need, and stand in blocks of CRUX_LANES
 * expressions, each of which begins with the first row of all its expressions. The last block is filled with zeros. */
enum { CRUX_LANES = 16 };

typedef struct crux_expressions {
	size_t rows, count, tried; /* count: of the list; tried: those of all whose values were computed */
	uint32_t nodes;            /* all of up to so many are made */
	crux_expression *list;
	float *values;
} crux_expressions;

/* Sets the expressions of measures, each a column of `rows` values, whose ranges are low[measure] to high[measure]. If those of
 * up to `nodes` nodes and one are more than `most`, those of fewer nodes are made. False when memory is short. */
bool crux_expressions_make(crux_expressions *made, size_t measures, size_t rows, const double *const *columns,
                           const double *low, const double *high, const double *units, uint32_t nodes, size_t most);

/* Frees the list and the values; NULL is allowed. */
void crux_expressions_clear(crux_expressions *expressions);
