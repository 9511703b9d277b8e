/* Reading CSV files as a stream: blocks of rows with the selected columns as numbers or text, as many passes as wanted.
 *
 * The first row that is not blank is the header. Blank lines are skipped; blanks around unquoted fields are cut; lines
 * end in LF or CRLF; a quoted field may hold delimiters, line ends and doubled quotes. Memory stays within some MB
 * whatever the length of the file, a copy in a temporary file takes what cannot be read twice (standard input, pipes).
 *
 * Messages read NAME:LINE: what was found, what was expected; LINE, from 1, is the line of the file on which the row
 * begins, or that of a bad quote or byte. A reader belongs to one thread at a time; readers share nothing. */
#ifndef CRUX_CSV_READER_H
#define CRUX_CSV_READER_H

#include <stddef.h>

#include "base/fault.h"

typedef struct crux_csv crux_csv;

typedef enum crux_csv_kind {
	CRUX_CSV_SKIP,
	CRUX_CSV_NUMBER, /* any cell that is neither a number nor missing (see number.h) is a failure */
	CRUX_CSV_TEXT,
	CRUX_CSV_GUESS, /* a number column until a cell is neither number nor missing, a text column from then on */
} crux_csv_kind;

/* Opens the file and reads its header. The path "-" is standard input; messages call the file by name, which is copied,
 * or by its path or <stdin> when name is NULL. Returns NULL on failure. */
crux_csv *crux_csv_open(const char *path, const char *name, char delimiter, crux_fault *fault);

/* Frees everything; NULL is fine. */
void crux_csv_close(crux_csv *reader);

size_t crux_csv_columns(const crux_csv *reader);

/* Here and below, column < crux_csv_columns(reader). Names are unique, not empty, and live as long as the reader. */
const char *crux_csv_column(const crux_csv *reader, size_t column);

/* Says what to read from a column: CRUX_CSV_SKIP at first. Drops the block at hand. */
void crux_csv_select(crux_csv *reader, size_t column, crux_csv_kind kind);

/* Reads the next block. Returns its number of rows, 0 at the end of the file, -1 on failure, which then repeats until a
 * rewind. A file without any row is a failure. */
long crux_csv_next(crux_csv *reader, crux_fault *fault);

/* What these three return is valid until the next call of next, select, rewind or close. First, a number per row of the
 * block, NaN for a missing one. NULL if the column is not one of numbers, as a GUESS column may turn out to be. */
const double *crux_csv_numbers(const crux_csv *reader, size_t column);

/* The text of one cell, ended by its only '\0'. NULL if the column is not TEXT or GUESS, or the block ends before. */
const char *crux_csv_text(const crux_csv *reader, size_t column, size_t row);

/* Per row of the block, the line of the file on which it begins. */
const size_t *crux_csv_lines(const crux_csv *reader);

/* Starts again before the first row. The selection stays. */
void crux_csv_rewind(crux_csv *reader);

#endif
