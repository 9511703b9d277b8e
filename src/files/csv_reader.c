/* Reads CSV files as a stream: splits plain rows into fields, calls libcsv for other rows, checks and converts cells. */
#include "files/csv_reader.h"

#include <csv.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "base/sizes.h"
#include "files/compression.h"
#include "files/input.h"

enum {
	CHUNK_SIZE = 1 << 16,
	ROW_LIMIT = CRUX_MOST_CSV_ROW_BYTES, /* a longer row is most likely a quote left open */
	ENOUGH_TEXT = 1 << 20, /* a block ends at these numbers of bytes of text, of rows and of cells */
	ENOUGH_ROWS = 1 << 12,
	ENOUGH_CELLS = 1 << 18,
};

/* The role of a byte in a plain row. */
typedef enum { INSIDE, BLANK, FIELD_END, NOT_PLAIN } role;

typedef struct column {
	const char *name; /* in reader->names */
	crux_csv_kind kind;
	double *numbers; /* per row of the block; NULL until needed */
	size_t *texts;   /* per row of the block, the place of the cell in reader->text; NULL until needed */
} column;

struct crux_csv {
	char *name;
	int file; /* -1 while not open */
	crux_compressed_file *compressed; /* NULL for a plain file */
	struct csv_parser parser;
	unsigned char delimiter;
	unsigned char roles[UCHAR_MAX + 1];
	crux_fault fault; /* if failed */
	bool failed;
	const char *no_number; /* the cell that failed as it is no number, in row_text; or NULL */
	size_t no_number_in;   /* its column */

	off_t offset; /* in the file, of the end of the chunk */
	size_t chunk_at, chunk_end;
	size_t line; /* of the file, at chunk_at */

	size_t row_line;   /* line on which the current row begins */
	size_t row_bytes;  /* bytes of the file that were read for it */
	size_t row_used;   /* bytes of row_text in use */
	size_t row_fields; /* fields in row_text */
	bool row_ended;

	char *names; /* each ended by '\0' */
	column *columns;
	size_t column_count;
	size_t header_line;
	size_t body_line; /* after the header */
	off_t body_offset;

	size_t *lines; /* per row of the block */
	size_t rows, capacity;
	size_t text_used;
	bool any_row; /* in this pass */

	/* Arrays of full size, which are not cleared, as memory that is not touched costs nothing. */
	char chunk[CHUNK_SIZE + CRUX_NUMBER_AHEAD];
	/* Each field ends with '\0' instead of a delimiter, a line end, or the end of the file: one byte more suffices. */
	char row_text[ROW_LIMIT + 1];
	char text[ENOUGH_TEXT + ROW_LIMIT + 1];
};

/* Notes a failure in that line, or, for line 0, in no line. Returns false. */
__attribute__((format(printf, 3, 4))) static bool fail(crux_csv *reader, size_t line, const char *format, ...)
{
	char what[400];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(what, sizeof what, format, arguments);
	va_end(arguments);
	if (line)
		crux_fault_set(&reader->fault, "%s:%zu: %s", reader->name, line, what);
	else
		crux_fault_set(&reader->fault, "%s: %s", reader->name, what);
	reader->failed = true;
	return false;
}

static bool fail_memory(crux_csv *reader) { return fail(reader, 0, "out of memory"); }

/* Writes "column 'x'", or "column 3" for a column without a name, into out, and returns it. */
static const char *label(const crux_csv *reader, size_t i, char out[96])
{
	char name[64];
	if (i < reader->column_count)
		snprintf(out, 96, "column %s",
		         crux_fault_quote(name, reader->columns[i].name, strlen(reader->columns[i].name)));
	else
		snprintf(out, 96, "column %zu", i + 1);
	return out;
}

/* Reads the next chunk; returns false at the end of the file, and on failure. */
static bool fill_chunk(crux_csv *reader)
{
	ssize_t got;
	crux_fault fault;
	do
		got = reader->compressed ? crux_compressed_file_read(reader->compressed, reader->chunk, CHUNK_SIZE, reader->offset, &fault)
			: pread(reader->file, reader->chunk, CHUNK_SIZE, reader->offset);
	while (got < 0 && !reader->compressed && errno == EINTR);
	if (got < 0 && reader->compressed)
		return fail(reader, 0, "%s", fault.message);
	if (got < 0)
		return fail(reader, reader->line, "cannot be read: %s", strerror(errno));
	reader->chunk_at = 0;
	reader->chunk_end = (size_t)got;
	reader->offset += got;
	return got > 0;
}

static void on_field(void *text, size_t length, void *context)
{
	crux_csv *const reader = context;
	memcpy(reader->row_text + reader->row_used, text, length);
	reader->row_used += length;
	reader->row_text[reader->row_used++] = '\0';
	reader->row_fields++;
}

static void on_row(int terminator, void *context)
{
	crux_csv *const reader = context;
	(void)terminator;
	reader->row_ended = true;
}

static int is_blank(unsigned char c) { return c == ' ' || c == '\t' || c == '\r'; }

static int is_line_end(unsigned char c) { return c == '\n'; }

/* No row is plain if the delimiter can be part of a number. */
static void set_roles(crux_csv *reader)
{
	bool const plain = !memchr("0123456789.", reader->delimiter, 11);
	memset(reader->roles, plain ? INSIDE : NOT_PLAIN, sizeof reader->roles);
	reader->roles[' '] = reader->roles['\t'] = reader->roles['\r'] = BLANK;
	reader->roles['"'] = reader->roles['\0'] = NOT_PLAIN;
	reader->roles['\n'] = reader->roles[reader->delimiter] = FIELD_END;
}

static void start_parser(crux_csv *reader)
{
	csv_free(&reader->parser);
	csv_init(&reader->parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL);
	csv_set_delim(&reader->parser, reader->delimiter);
	csv_set_space_func(&reader->parser, is_blank);
	csv_set_term_func(&reader->parser, is_line_end);
	csv_set_blk_size(&reader->parser, 4096);
}

/* Gives libcsv a line, or a part of one, to parse. */
static bool parse(crux_csv *reader, const char *text, size_t n)
{
	char place[96];
	if (memchr(text, '\0', n))
		return fail(reader, reader->line, "found a NUL byte, expected text");
	reader->row_bytes += n;
	if (reader->row_bytes > ROW_LIMIT)
		return fail(reader, reader->row_line,
		            "found a row of more than %d bytes, expected a shorter one; is a quote left open?", ROW_LIMIT);
	if (csv_parse(&reader->parser, text, n, on_field, on_row, reader) == n)
		return true;
	if (csv_error(&reader->parser) != CSV_EPARSE)
		return fail_memory(reader);
	return fail(reader, reader->line,
	            "%s: found a quote inside a field, expected quotes around all of it and \"\" for one inside",
	            label(reader, reader->row_fields, place));
}

/* Ends parsing at the end of the file; returns true if there is a last row, without a line end. */
static bool parse_end(crux_csv *reader)
{
	char place[96];
	if (csv_fini(&reader->parser, on_field, on_row, reader) == 0)
		return reader->row_fields > 0;
	size_t line = reader->row_line; /* line of the open quote, after the line ends in the fields before it */
	for (size_t i = 0; i < reader->row_used; i++)
		line += reader->row_text[i] == '\n';
	return fail(reader, line, "%s: found no closing quote, expected one before the end of the file",
	            label(reader, reader->row_fields, place));
}

/* Reads the next row that is not blank; returns false at the end of the file, and on failure. */
static bool read_row(crux_csv *reader)
{
	reader->row_line = reader->line;
	reader->row_bytes = reader->row_used = reader->row_fields = 0;
	reader->row_ended = false;
	while (reader->row_fields == 0 || !reader->row_ended) {
		if (reader->chunk_at == reader->chunk_end && !fill_chunk(reader))
			return !reader->failed && parse_end(reader);
		const char *const text = reader->chunk + reader->chunk_at;
		size_t const left = reader->chunk_end - reader->chunk_at;
		const char *const line_end = memchr(text, '\n', left);
		size_t const length = line_end ? (size_t)(line_end - text) + 1 : left;
		if (!parse(reader, text, length))
			return false;
		reader->chunk_at += length;
		reader->line += line_end != NULL;
		if (reader->row_ended && reader->row_fields == 0) { /* a blank line */
			reader->row_line = reader->line;
			reader->row_bytes = 0;
			reader->row_ended = false;
		}
	}
	return true;
}

/* Fails for old Mac files, whose lines end in a carriage return alone, so that they would look like one long row. */
static bool check_line_end(crux_csv *reader)
{
	const char *at = reader->chunk, *const end = at + reader->chunk_end;
	bool is_quoted = false, is_return = false;
	while (at < end && (*at == '\n' || *at == '\r'))
		at++;
	for (; at < end && (is_quoted || *at != '\n') && !(is_return && *at != '\r'); at++) {
		is_quoted ^= *at == '"';
		is_return = !is_quoted && *at == '\r';
	}
	if (is_return && (at < end ? *at != '\n' : reader->chunk_end < CHUNK_SIZE))
		return fail(reader, 1, "found a carriage return alone, expected lines that end in a line feed");
	return true;
}

/* Checks the first chunk and skips the byte order mark of UTF-8. */
static bool check_start(crux_csv *reader)
{
	const char *const start = reader->chunk;
	fill_chunk(reader);
	if (reader->failed)
		return false;
	if (reader->chunk_end >= 3 && memcmp(start, "\xEF\xBB\xBF", 3) == 0)
		reader->chunk_at = 3;
	if (reader->chunk_end >= 2 && (memcmp(start, "\xFE\xFF", 2) == 0 || memcmp(start, "\xFF\xFE", 2) == 0))
		return fail(reader, 1, "found UTF-16 text, expected UTF-8");
	return check_line_end(reader);
}

/* Names a first column without a name "level": R's write.csv writes row names so. */
static void name_first(crux_csv *reader)
{
	for (size_t i = 1; i < reader->column_count; i++)
		if (strcmp(reader->columns[i].name, "level") == 0)
			return;
	if (!*reader->columns[0].name)
		reader->columns[0].name = "level";
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool check_names(crux_csv *reader)
{
	size_t const n = reader->column_count;
	const char **const sorted = malloc(n * sizeof *sorted);
	if (!sorted)
		return fail_memory(reader);
	for (size_t i = 0; i < n; i++) {
		sorted[i] = reader->columns[i].name;
		size_t const length = strlen(sorted[i]);
		if (length == 0 && !reader->failed)
			fail(reader, reader->header_line, "column %zu: found an empty name, expected a name%s", i + 1,
			     i == 0 ? ": another column is called 'level' (R: write.csv(..., row.names = FALSE))" : "");
		if (length > CRUX_MOST_NAME_BYTES && !reader->failed)
			fail(reader, reader->header_line, "column %zu: found a name of %zu bytes, expected at most %d", i + 1,
			     length, CRUX_MOST_NAME_BYTES);
	}
	qsort(sorted, n, sizeof *sorted, compare_names);
	for (size_t i = 1; i < n && !reader->failed; i++) {
		char name[64];
		if (strcmp(sorted[i - 1], sorted[i]) == 0)
			fail(reader, reader->header_line,
			     "column %s: found the name twice, expected a name for one column",
			     crux_fault_quote(name, sorted[i], strlen(sorted[i])));
	}
	free(sorted);
	return !reader->failed;
}

static bool read_header(crux_csv *reader)
{
	if (!read_row(reader))
		return !reader->failed && fail(reader, 1, "found an empty file, expected a header line");
	size_t const n = reader->row_fields;
	size_t const rows = ENOUGH_CELLS / n;
	reader->header_line = reader->row_line;
	if (n > CRUX_MOST_CSV_COLUMNS)
		return fail(reader, reader->header_line, "found %zu columns, expected at most %d", n, CRUX_MOST_CSV_COLUMNS);
	reader->body_line = reader->line;
	reader->body_offset = reader->offset - (off_t)(reader->chunk_end - reader->chunk_at);
	reader->capacity = rows > ENOUGH_ROWS ? ENOUGH_ROWS : rows < 1 ? 1 : rows;
	reader->lines = malloc(reader->capacity * sizeof *reader->lines);
	reader->names = malloc(reader->row_used);
	reader->columns = calloc(n, sizeof *reader->columns);
	if (!reader->lines || !reader->names || !reader->columns)
		return fail_memory(reader);
	memcpy(reader->names, reader->row_text, reader->row_used);
	const char *name = reader->names;
	for (; reader->column_count < n; name += strlen(name) + 1)
		reader->columns[reader->column_count++].name = name;
	name_first(reader);
	return check_names(reader);
}

static bool start_decompressing(crux_csv *reader, const char *path)
{
	crux_fault fault;
	crux_compression_kind const kind = crux_compression_of(path);
	reader->compressed = kind == CRUX_PLAIN ? NULL : crux_compressed_file_new(kind, reader->file, &fault);
	return kind == CRUX_PLAIN || reader->compressed || fail(reader, 0, "%s", fault.message);
}

static bool start(crux_csv *reader, const char *path)
{
	if (memchr("\"\n\r", reader->delimiter, 4)) { /* 4 bytes, with the '\0' */
		char found[64];
		char const delimiter = (char)reader->delimiter;
		return fail(reader, 0, "found the delimiter %s, expected another character",
		            crux_fault_quote(found, &delimiter, 1));
	}
	set_roles(reader);
	start_parser(reader);
	reader->file = crux_input_open(path, reader->name, CRUX_MOST_PIPE_BYTES, &reader->offset, &reader->fault);
	return reader->file >= 0 && start_decompressing(reader, path) && check_start(reader) && read_header(reader);
}

crux_csv *crux_csv_open(const char *path, const char *name, char delimiter, crux_fault *fault)
{
	crux_csv *const reader = malloc(sizeof *reader);
	if (!name)
		name = strcmp(path, "-") == 0 ? "<stdin>" : path;
	if (reader)
		memset(reader, 0, offsetof(crux_csv, chunk));
	if (!reader || !(reader->name = strdup(name))) {
		crux_fault_set(fault, "%s: out of memory", name);
		free(reader);
		return NULL;
	}
	reader->file = -1;
	reader->line = 1;
	reader->delimiter = (unsigned char)delimiter;
	if (start(reader, path))
		return reader;
	*fault = reader->fault;
	crux_csv_close(reader);
	return NULL;
}

void crux_csv_close(crux_csv *reader)
{
	if (!reader)
		return;
	for (size_t i = 0; i < reader->column_count; i++) {
		free(reader->columns[i].numbers);
		free(reader->columns[i].texts);
	}
	free(reader->columns);
	free(reader->names);
	free(reader->lines);
	free(reader->name);
	csv_free(&reader->parser);
	crux_compressed_file_free(reader->compressed);
	if (reader->file >= 0)
		close(reader->file);
	free(reader);
}

void crux_csv_rewind(crux_csv *reader)
{
	start_parser(reader);
	reader->failed = reader->any_row = false;
	reader->no_number = NULL;
	reader->offset = reader->body_offset;
	reader->line = reader->body_line;
	reader->chunk_at = reader->chunk_end = 0;
	reader->rows = 0;
}

static void store_text(crux_csv *reader, column *into, const char *cell, size_t length)
{
	into->texts[reader->rows] = reader->text_used;
	memcpy(reader->text + reader->text_used, cell, length);
	reader->text_used += length;
	reader->text[reader->text_used++] = '\0';
}

static bool store_cell(crux_csv *reader, column *into, const char *cell, size_t length)
{
	bool const guess = into->kind == CRUX_CSV_GUESS;
	if (into->kind == CRUX_CSV_TEXT || guess) /* a guessed column may turn out to be text within this block */
		store_text(reader, into, cell, length);
	if (into->kind != CRUX_CSV_NUMBER && !guess)
		return true;
	crux_number const result = crux_number_parse(cell, length, &into->numbers[reader->rows]);
	if (result == CRUX_NUMBER_OK || result == CRUX_NUMBER_MISSING)
		return true;
	if (guess) {
		into->kind = CRUX_CSV_TEXT;
		return true;
	}
	char place[96], found[64];
	reader->no_number = result == CRUX_NUMBER_NONE ? cell : NULL;
	reader->no_number_in = (size_t)(into - reader->columns);
	return fail(reader, reader->row_line, "%s: found %s, expected %s", label(reader, reader->no_number_in, place),
	            crux_fault_quote(found, cell, length), crux_number_expected(result));
}

static bool store_row(crux_csv *reader)
{
	size_t const found = reader->row_fields, expected = reader->column_count;
	char place[96];
	if (found != expected)
		return fail(reader, reader->row_line, "found %zu field%s, expected %zu as in the header%s%s", found, found == 1 ? "" : "s",
		            expected, found < expected ? ": nothing for " : "", found < expected ? label(reader, found, place) : "");
	const char *cell = reader->row_text;
	for (size_t i = 0; i < expected; i++) {
		size_t const length = strlen(cell);
		if (!store_cell(reader, &reader->columns[i], cell, length))
			return false;
		cell += length + 1;
	}
	reader->lines[reader->rows++] = reader->row_line;
	reader->any_row = true;
	return true;
}

static role role_of(const crux_csv *reader, const char *at)
{
	return (role)reader->roles[(unsigned char)*at];
}

static const char *skip_blanks(const crux_csv *reader, const char *at)
{
	while (role_of(reader, at) == BLANK)
		at++;
	return at;
}

/* Returns the end of the cell; NULL if it is not plain. */
static const char *store_plain_cell(crux_csv *reader, column *into, const char *at)
{
	double *const number = into->kind == CRUX_CSV_NUMBER ? &into->numbers[reader->rows] : NULL;
	const char *const cell = at = skip_blanks(reader, at);
	if (number && role_of(reader, at) == INSIDE) {
		const char *past = crux_number_scan(at, number);
		if (past && role_of(reader, past = skip_blanks(reader, past)) == FIELD_END)
			return past;
	}
	const char *end = at;
	for (; role_of(reader, at) <= BLANK; at++)
		if (role_of(reader, at) == INSIDE)
			end = at + 1;
	if (role_of(reader, at) == NOT_PLAIN)
		return NULL;
	size_t const length = (size_t)(end - cell);
	if (number)
		return crux_number_parse(cell, length, number) <= CRUX_NUMBER_MISSING ? at : NULL;
	store_cell(reader, into, cell, length); /* cannot fail, as the column is no column of numbers */
	return at;
}

/* Stores the next row if it is plain: a correct line of the chunk, without quotes. Otherwise returns false, and libcsv must
 * split the row, or find the mistake. */
static bool store_plain_row(crux_csv *reader)
{
	const char *at = reader->chunk + reader->chunk_at;
	if (!memchr(at, '\n', reader->chunk_end - reader->chunk_at) || *skip_blanks(reader, at) == '\n')
		return false;
	size_t const text_used = reader->text_used;
	for (size_t i = 0; i < reader->column_count; i++) {
		at = store_plain_cell(reader, &reader->columns[i], at);
		if (!at || (*at == '\n') != (i + 1 == reader->column_count)) {
			reader->text_used = text_used;
			return false;
		}
		at++;
	}
	reader->chunk_at = (size_t)(at - reader->chunk);
	reader->lines[reader->rows++] = reader->line++;
	reader->any_row = true;
	return true;
}

static bool reserve(crux_csv *reader)
{
	for (size_t i = 0; i < reader->column_count; i++) {
		column *const c = &reader->columns[i];
		bool const guess = c->kind == CRUX_CSV_GUESS;
		if (!c->numbers && (c->kind == CRUX_CSV_NUMBER || guess))
			if (!(c->numbers = malloc(reader->capacity * sizeof *c->numbers)))
				return fail_memory(reader);
		if (!c->texts && (c->kind == CRUX_CSV_TEXT || guess))
			if (!(c->texts = malloc(reader->capacity * sizeof *c->texts)))
				return fail_memory(reader);
	}
	return true;
}

static bool read_block(crux_csv *reader)
{
	if (!reserve(reader))
		return false;
	while (reader->rows < reader->capacity && reader->text_used < ENOUGH_TEXT)
		if (!store_plain_row(reader) && !(read_row(reader) && store_row(reader)))
			break;
	if (!reader->any_row && !reader->failed)
		fail(reader, reader->header_line, "found a header and no rows, expected at least one row");
	return !reader->failed;
}

long crux_csv_next(crux_csv *reader, crux_fault *fault)
{
	reader->rows = reader->text_used = 0;
	if (!reader->failed && read_block(reader))
		return (long)reader->rows;
	reader->rows = 0;
	*fault = reader->fault;
	return -1;
}

const char *crux_csv_no_number(const crux_csv *reader, size_t *in)
{
	*in = reader->no_number_in;
	return reader->no_number;
}

size_t crux_csv_columns(const crux_csv *reader) { return reader->column_count; }

const char *crux_csv_column(const crux_csv *reader, size_t i) { return reader->columns[i].name; }

void crux_csv_select(crux_csv *reader, size_t i, crux_csv_kind kind)
{
	reader->columns[i].kind = kind;
	reader->rows = 0;
}

const double *crux_csv_numbers(const crux_csv *reader, size_t i)
{
	crux_csv_kind const kind = reader->columns[i].kind;
	return kind == CRUX_CSV_NUMBER || kind == CRUX_CSV_GUESS ? reader->columns[i].numbers : NULL;
}

const char *crux_csv_text(const crux_csv *reader, size_t i, size_t row)
{
	const column *const c = &reader->columns[i];
	bool const held = (c->kind == CRUX_CSV_TEXT || c->kind == CRUX_CSV_GUESS) && row < reader->rows;
	return held ? reader->text + c->texts[row] : NULL;
}

const size_t *crux_csv_lines(const crux_csv *reader) { return reader->lines; }
