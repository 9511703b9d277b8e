/* The rules that one line of a game stands for: one for each direction and each combination of the objects and directions that
 * its words stand for.
 *
 * The words of a line: is random, is rigid, replaces, commands (crux_rule_commands), the lengths of its rows as a list, its
 * templates as a list. A template has the rules of one direction: the direction (0 up, 1 down, 2 left, 3 right), a list of the
 * numbers of options of its choices, then for each cell of each row: a list of the choices (from 0) that change the cell, and
 * the number of the cell (from 1; 0: a gap, "...") for each combination of their options. The options of the last choice change
 * fastest. */
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
	CRUX_RULE_MAX_EXPANDED = 1 << 18, /* rules of a template */
};

typedef struct crux_rule_row {
	size_t cell_count, gap_count;
	const crux_rule_cell **cells; /* NULL: a gap */
	uint64_t *present, *moving;   /* unions over the cells */
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
	crux_rule_row *rows;          /* storage of the rows of all rules, */
	const crux_rule_cell **cells; /* of their cells, */
	uint64_t *sets;               /* and of their sets */
} crux_rule_line;

/* Reads a line; leaves out rules with a cell that never matches, and all but the last of equal rules. Adds to
 * program->changing what its rules may change. */
void crux_rule_line_take(crux_rule_reader *r, crux_rule_line *line);

void crux_rule_line_close(crux_rule_line *line);

#endif
