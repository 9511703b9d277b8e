/* Limits on the size of input, a row each: CRUX_MOST_NAME in C, a field of libcrux.sizes in lower case in Lua, a line of
 * docs/sizes.md. Larger input is refused with a message of one line. */
#pragma once

#define CRUX_SIZES(ROW) \
	ROW(CSV_ROW_BYTES, 1 << 20, "bytes of a row of a CSV file") \
	ROW(CSV_COLUMNS, 100000, "columns of a CSV file") \
	ROW(CSV_ROWS, 1000000000, "rows of a CSV file") \
	ROW(PIPE_BYTES, 2000000000, "bytes of CSV from a pipe or device, which are copied to a temporary file") \
	ROW(NAME_BYTES, 1000, "bytes of the name of a level or of a column") \
	ROW(LINE_BYTES, 1000000, "bytes of a line of a level file") \
	ROW(LEVEL_BYTES, 1000000, "bytes of the text of a level") \
	ROW(LEVEL_FILE_BYTES, 250000000, "bytes of a level file") \
	ROW(MAP_FILE_BYTES, 1 << 25, "bytes of a map of an editor, or of its tileset") \
	ROW(PICTURE_PIXELS, 1 << 24, "pixels of a picture that is read as a level") \
	ROW(LEVELS, 1000000, "levels of a command that keeps all of them: not of `measure`, `solve` and `check`") \
	ROW(FILES, 100000, "level files in a folder") \
	ROW(SCRIPT_BYTES, 10000000, "bytes of a rule or game script") \
	ROW(BOARD_SIDE, 64, "columns of a board, and rows: at most 4,096 cells") \
	ROW(BEAM_SIDE, 32, "columns of a grid for beams, and rows, in tiles") \
	ROW(PLANES, 64, "names in a legend") \
	ROW(UNIT_CELLS, 64, "cells of a unit of deductions, units of a group, groups, and values") \
	ROW(COVER_ITEMS, 1024, "items of an exact cover") \
	ROW(COVER_OPTIONS, 1 << 20, "options of an exact cover") \
	ROW(LISTED_SOLUTIONS, 1000, "solutions of a level that are listed") \
	ROW(FORMULA_BYTES, 100000, "bytes of a formula") \
	ROW(FORMULA_TERMS, 2000, "terms of a formula") \
	ROW(FORMULA_VARIABLES, 100, "variables whose product is a term of a formula") \
	ROW(FORMULA_PAIRS, 250000, "pairs of terms that an operator of a formula makes interactions of") \
	ROW(FORMULA_COLUMNS, 5000, "columns that the terms of a formula stand for") \
	ROW(FACTOR_VALUES, 1000, "values of a factor") \
	ROW(POLY_DEGREE, 25, "the degree of a poly") \
	ROW(SUBSETS, 1 << 20, "subsets of measures that are all tried: 8 MB of errors, about 1 s with five folds") \
	ROW(EXPRESSIONS, 1 << 20, "expressions of measures that are all tried, and 50,000,000 values of them: 200 MB a thread") \
	ROW(TRACE_NODES, 200000, "operations of a compiled `step`") \
	ROW(TRACE_TABLE, 65536, "values of a table that a compiled `step` reads at an index of the state") \
	ROW(TRACE_VALUES, 1 << 22, "values of all tables of a compiled `step`: 32 MiB") \
	ROW(CONDITIONS, 5000, "conditions of the state by which paths of a compiled `step` differ") \
	ROW(MASK_NODES, 1 << 18, "nodes of decision diagrams of these conditions: about 20 MiB") \
	ROW(MASK_STEPS, 4000000, "steps of operations on these diagrams, less than a second") \
	ROW(QUADRATURE_NODES, 100, "nodes of a Gauss-Hermite quadrature") \
	ROW(ITEM_PARAMETERS, 5000, "levels, slopes and measures of an item response model") \
	ROW(MIXED_EFFECTS, 12000, "effects of the groups of a mixed model, without the grouping that has the most") \
	ROW(PERMUTED_LEVELS, 5000, "levels whose measures `crux correlate --plays` permutes") \
	ROW(REQUEST_BYTES, 8192, "bytes of the body of a request to `crux serve`") \
	ROW(MESSAGE_BYTES, 1 << 23, "bytes of a message to `crux workbench`") \
	ROW(ACTS, 20000, "moves and other acts of a player in a level of `crux serve`") \
	ROW(CONNECTIONS, 4000, "connections to `crux serve` at a time")

#define CRUX_SIZE_CONSTANT(name, limit, of) CRUX_MOST_##name = (limit),
enum { CRUX_SIZES(CRUX_SIZE_CONSTANT) };
#undef CRUX_SIZE_CONSTANT
