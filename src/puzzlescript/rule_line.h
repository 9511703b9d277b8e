/* The rules that one line of a game stands for: one for each direction and each combination of the objects and directions that
 * its words stand for, in the order of the original engine.
 *
 * The words of a line: its number in the file, is late, is random, is rigid, commands (crux_rule_commands), its directions as a
 * list, the number of its rows, the rows of its left side, each a list of numbers of texts, 1 if there is a right side, and if
 * so its rows, of the same lengths, without these. */
#ifndef CRUX_RULE_LINE_H
#define CRUX_RULE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "puzzlescript/rule_cell.h"
#include "puzzlescript/rule_reader.h"

enum {
	CRUX_RULE_MAX_GAPS = 2, /* in a row */
	CRUX_RULE_MAX_ROWS = 64,
	CRUX_RULE_MAX_EXPANDED = 1 << 18, /* rules of a line in one direction, */
	CRUX_RULE_MAX_PLACES = 1 << 24,   /* and their cells */
};

/* Directions of rules. */
enum { CRUX_RULE_UP, CRUX_RULE_DOWN, CRUX_RULE_LEFT, CRUX_RULE_RIGHT };

typedef struct crux_rule_row {
	size_t cell_count, gap_count;
	const crux_rule_cell **cells; /* NULL: a gap */
	crux_rule_tests objects, moves; /* of the unions of cells that the row may match: they have what any of its cells must have */
	size_t any_count;
	const uint64_t **any; /* sets of objects, of each of which the union has at least one */
} crux_rule_row;

typedef struct crux_rule {
	int direction;
	crux_rule_row *rows;
} crux_rule;

typedef struct crux_rule_line {
	bool is_random, is_rigid, replaces;
	size_t number; /* among all lines, from 0 */
	uint64_t commands;
	size_t row_count, rule_count;
	crux_rule *rules;
	crux_rule_tests objects;      /* of the union of all cells: they have what all rules require */
	crux_rule_row *rows;          /* storage of the rows of all rules, */
	const crux_rule_cell **cells; /* of their cells, */
	crux_rule_test *tests;        /* of their tests, */
	const uint64_t **any;         /* and of their sets */
} crux_rule_line;

/* Reads a line; leaves out rules with a cell that never matches, and all but the last of equal rules. Notes in the reader the
 * mistake of the first line with one. */
void crux_rule_line_take(crux_rule_reader *r, crux_rule_line *line);

void crux_rule_line_close(crux_rule_line *line);

#endif
