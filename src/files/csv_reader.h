/* Reads CSV files as a stream: blocks of rows with the selected columns as numbers or text, in any number of passes.
 *
 * The first row that is not blank is the header. Blank lines are skipped; blanks around unquoted fields are cut; lines
 * end in LF or CRLF; a quoted field may hold delimiters, line ends and doubled quotes. A reader needs some MB of memory for
 * files of any length. Standard input and pipes, which cannot be read twice, are copied to a temporary file.
 *
 * Messages read NAME:LINE: found ..., expected ...; LINE, from 1, is the line of the file on which the row begins, or that of a
 * bad quote or byte. A reader belongs to one thread at a time; readers share nothing. */
#pragma once

#include <stddef.h>

#include "base/fault.h"

typedef struct crux_csv crux_csv;

typedef enum crux_csv_kind {
	CRUX_CSV_SKIP,
	CRUX_CSV_NUMBER, /* fails for a cell that is neither a number nor missing; see number.h */
	CRUX_CSV_TEXT,
	CRUX_CSV_GUESS, /* a column of numbers until a cell is neither a number nor missing, then a column of text */
} crux_csv_kind;

/* Opens the file and reads its header. The path "-" is standard input. Messages call the file `name`, which is copied; for NULL
 * they call it by its path or <stdin>. Returns NULL on failure. */
crux_csv *crux_csv_open(const char *path, const char *name, char delimiter, crux_fault *fault);

/* Closes the file and frees the reader; NULL does nothing. */
void crux_csv_close(crux_csv *reader);

/* After a failure: the cell that is no number, and its column; NULL if something else failed. */
const char *crux_csv_no_number(const crux_csv *reader, size_t *in);

size_t crux_csv_columns(const crux_csv *reader);

/* The name of a column; column < crux_csv_columns(reader), here and below. Names are unique, not empty, and live as long as the
 * reader. A first column without a name, as R's write.csv writes row names, is called "level", unless another column is. */
const char *crux_csv_column(const crux_csv *reader, size_t column);

/* Sets how a column is read, CRUX_CSV_SKIP at first. Drops the current block. */
void crux_csv_select(crux_csv *reader, size_t column, crux_csv_kind kind);

/* Reads the next block. Returns its number of rows, 0 at the end of the file, -1 on failure, which then repeats until a
 * rewind. A file without any row is a failure. */
long crux_csv_next(crux_csv *reader, crux_fault *fault);

/* A number per row of the block, NaN for a missing one; NULL for a column of text, as a GUESS column may turn out to be. The
 * results of this and the next two functions are valid until the next call of next, select, rewind or close. */
const double *crux_csv_numbers(const crux_csv *reader, size_t column);

/* The text of a cell, without '\0' but at its end. NULL if the column is not TEXT or GUESS, or the block has no such row. */
const char *crux_csv_text(const crux_csv *reader, size_t column, size_t row);

/* The line of the file on which each row of the block begins. */
const size_t *crux_csv_lines(const crux_csv *reader);

/* Goes back to the first row. The selection stays. */
void crux_csv_rewind(crux_csv *reader);
