/* Deductions by the common techniques of puzzles in which one value goes into each cell, and in which every value goes into one
 * cell of each unit, a set of cells. Techniques as on hodoku.sourceforge.net.
 *
 * - last: a unit has one cell left;
 * - naked: n cells of a unit have n candidates together, which go from its other cells; n = 1 places a value;
 * - hidden: n values have n cells of a unit together, from which other candidates go; n = 1 places a value;
 * - fish: the places of a value in n units of a group are in n units of another group, from whose other cells it goes. With
 *   n = 1 these are pointing and claiming, 2 X-wings, 3 swordfish;
 * - colours: units in which a value has two places make chains, whose cells are alternately true and false. A colour two of
 *   whose cells share a unit is false; a cell that shares units with both colours has not that value.
 *
 * Naked, hidden and fish are one search: rows of a matrix of bits of which n have n columns together.
 *
 * Sets of cells are bit planes of `words` words. All memory belongs to the caller; nothing fails. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sizes.h"

enum { CRUX_DEDUCE_MOST = CRUX_MOST_UNIT_CELLS }; /* cells of a unit, units of a group, groups and values: bits of a word */

typedef enum {
	CRUX_DEDUCE_LAST,
	CRUX_DEDUCE_NAKED,
	CRUX_DEDUCE_HIDDEN,
	CRUX_DEDUCE_FISH,
	CRUX_DEDUCE_COLOURS
} crux_technique;

typedef struct crux_units {
	size_t cells, words, groups;
	const size_t *starts;  /* of each group its first unit, and at last the number of units */
	const uint64_t *sets;  /* of each unit its cells */
	const uint64_t *peers; /* of each cell the other cells of its units */
} crux_units;

typedef struct crux_candidates {
	size_t values;
	const uint64_t *planes; /* of each value the cells that may have it */
	const uint64_t *open;   /* the cells into which no value was placed */
} crux_candidates;

typedef struct crux_deduction {
	uint64_t *removed; /* of each value the cells that lose it */
	uint64_t *placed;  /* a cell into which its last candidate is placed, or none */
} crux_deduction;

/* Takes a deduction, whose sets are valid until it returns; it may leave by longjmp. */
typedef void crux_take_deduction(void *context, const crux_deduction *deduction);

/* Writes the peers of all cells. */
void crux_units_find_peers(const crux_units *units, uint64_t *peers);

/* The words of the scratch memory that the next two functions need. */
size_t crux_deduce_scratch(const crux_units *units, size_t values);

/* Finds all deductions of a technique with sets of `size` in some groups, bit g for group g. Placements into one cell are taken
 * once. */
void crux_deduce(const crux_units *units, const crux_candidates *candidates, crux_technique technique, unsigned size,
                 uint64_t groups, uint64_t *scratch, crux_take_deduction *take, void *context);

/* Places the only candidates of some cells, as one deduction; cells with several or none are ignored. */
void crux_deduce_place(const crux_units *units, const crux_candidates *candidates, const uint64_t *cells, uint64_t *scratch,
                       crux_take_deduction *take, void *context);
