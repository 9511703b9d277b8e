/* The rewrites that one line of a game stands for: one for each direction and each combination of the objects and directions
 * that its words stand for, in the order of the original engine.
 *
 * The words of a line: its number in the file, is late, is random, is rigid, commands (crux_rewrite_commands), its directions
 * as a list, the number of its rows, the rows of its left side, each a list of numbers of texts, 1 if there is a right side,
 * and if so its rows, of the same lengths, without these. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "puzzlescript/rewrite_cell.h"
#include "puzzlescript/rewrite_reader.h"

enum {
	CRUX_REWRITE_MAX_GAPS = 2, /* in a row */
	CRUX_REWRITE_MAX_ROWS = 64,
	CRUX_REWRITE_MAX_EXPANDED = 1 << 18, /* rewrites of a line in one direction, */
	CRUX_REWRITE_MAX_PLACES = 1 << 24,   /* and their cells */
};

/* Directions of rewrites. */
enum { CRUX_REWRITE_UP, CRUX_REWRITE_DOWN, CRUX_REWRITE_LEFT, CRUX_REWRITE_RIGHT };

typedef struct crux_rewrite_row {
	size_t cell_count, gap_count;
	const crux_rewrite_cell **cells; /* NULL: a gap */
	crux_rewrite_tests objects, moves; /* of the unions of cells that may match: they have what any cell of the row must have */
	size_t any_count;
	const uint64_t **any; /* sets of objects, of each of which the union has at least one */
} crux_rewrite_row;

typedef struct crux_rewrite {
	int direction;
	crux_rewrite_row *rows;
} crux_rewrite;

typedef struct crux_rewrite_line {
	bool is_random, is_rigid, replaces;
	size_t number; /* among all lines, from 0 */
	uint64_t commands;
	size_t row_count, rewrite_count;
	crux_rewrite *rewrites;
	crux_rewrite_tests objects;      /* of the union of all cells: they have what all rewrites require */
	crux_rewrite_row *rows;          /* storage of the rows of all rewrites, */
	const crux_rewrite_cell **cells; /* of their cells, */
	crux_rewrite_test *tests;        /* of their tests, */
	const uint64_t **any;         /* and of their sets */
} crux_rewrite_line;

/* Reads a line; leaves out rewrites with a cell that never matches, and all but the last of equal rewrites. Notes in the
 * reader the mistake of the first line with one. */
void crux_rewrite_line_take(crux_rewrite_reader *r, crux_rewrite_line *line);

void crux_rewrite_line_close(crux_rewrite_line *line);
