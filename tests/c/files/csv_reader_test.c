/* csv_reader.c: a table of files with their cells or messages, then long files, pipes and passes. */
#include "check.h"
#include "files/csv_reader.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define F(text) (text), sizeof(text) - 1
#define INSIDE ": found a quote inside a field, expected quotes around all of it and \"\" for one inside"
#define OPEN ": found no closing quote, expected one before the end of the file"
#define LARGE ": found a row of more than 1048576 bytes, expected a shorter one; is a quote left open?"
#define RETURN ": found a carriage return alone, expected lines that end in a line feed"

static const struct {
	const char *content;
	size_t length;
	char delimiter;
	const char *kinds;    /* per column one of "-ntg"; the last one holds for the others */
	const char *expected; /* per row "LINE:cell|cell;" with text in <>, or the message */
} files[] = {
	/* rows, line ends, blanks */
	{ F("x,y\n1,2\n3,4\n"), ',', "n", "2:1|2;3:3|4;" },
	{ F("x,y\n1,2\n3,4"), ',', "n", "2:1|2;3:3|4;" },
	{ F("x,y\r\n1,2\r\n3,4\r\n"), ',', "n", "2:1|2;3:3|4;" },
	{ F("x,y\r\n\"1\",\"2\"\r\n"), ',', "t", "2:<1>|<2>;" },
	{ F("x\r\r\n1\r\r\n"), ',', "n", "2:1;" },
	{ F(" x\t, y \n  1 ,\t2\n"), ',', "t", "2:<1>|<2>;" },
	{ F("x,y\n\" 1 \" , \"a b\" \n"), ',', "nt", "2:1|<a b>;" },
	{ F("\n\r\n  \nx\n\n1\n \t\n2\n\n\n"), ',', "n", "6:1;8:2;" },
	{ F("x,y\n1,\n,\n"), ',', "n", "2:1|NA;3:NA|NA;" },
	{ F("x,y\n,"), ',', "n", "2:NA|NA;" },
	{ F("x\n\"\"\n"), ',', "n", "2:NA;" },
	{ F("x,y\n1,2\n\n"), ',', "-", "2:;" },
	{ F("x,y,z\n1,b,3\n"), ',', "-t-", "2:<b>;" },
	{ F("x\n1\n   "), ',', "n", "2:1;" },
	/* quotes */
	{ F("\"x,1\",\"y\"\"2\"\n\"a,b\",\"say \"\"hi\"\"\"\n"), ',', "t", "2:<a,b>|<say \"hi\">;" },
	{ F("\"x\n1\",y\n\"a\nb\",\"\n\n\"\n\n\"c\r\nd\",e\n"), ',', "t", "3:<a\nb>|<\n\n>;8:<c\r\nd>|<e>;" },
	{ F("x\n\"\"\"\"\n\"\"\n\"a\"\"\"\n"), ',', "t", "2:<\">;3:<>;4:<a\">;" },
	{ F("x,y\n\"a\",\"b\""), ',', "t", "2:<a>|<b>;" },
	{ F("x,y\n\"a\rb\",1\n"), ',', "tn", "2:<a\rb>|1;" },
	{ F("x\n\"  a \"\n"), ',', "t", "2:<  a >;" },
	/* delimiters */
	{ F("x;y\n1,5;\"a;b\"\n"), ';', "t", "2:<1,5>|<a;b>;" },
	{ F("x\ty\tz\n\t 2 \t\n\"a\tb\"\t\t\n"), '\t', "t", "2:<>|<2>|<>;3:<a\tb>|<>|<>;" },
	{ F("x|y\n1|2\n"), '|', "n", "2:1|2;" },
	{ F("x y\n1 2\n"), ' ', "n", "2:1|2;" },
	{ F("x\xE9y\n1\xE9" "2\n"), '\xE9', "n", "2:1|2;" },
	{ F("x\n"), '"', "n", "f.csv: found the delimiter '\"', expected another character" },
	{ F("x\n"), '\n', "n", "f.csv: found the delimiter '\\x0a', expected another character" },
	{ F("x\n"), '\0', "n", "f.csv: found the delimiter '\\x00', expected another character" },
	/* encodings */
	{ F("\xEF\xBB\xBFx,y\n1,2\n"), ',', "n", "2:1|2;" },
	{ F("\xEF\xBB\xBF\"x\"\n1\n"), ',', "n", "2:1;" },
	{ F("\xEF\xBB\xBF"), ',', "n", "f.csv:1: found an empty file, expected a header line" },
	{ F("\xFF\xFEx\0\n\0"), ',', "n", "f.csv:1: found UTF-16 text, expected UTF-8" },
	{ F("\xFE\xFF\0x\0\n"), ',', "n", "f.csv:1: found UTF-16 text, expected UTF-8" },
	{ F("x\n\xC3\xA9\xE2\x82\xAC\n"), ',', "t", "2:<\xC3\xA9\xE2\x82\xAC>;" },
	{ F("x,y\n1,2\n1,\0" "2\n"), ',', "n", "f.csv:3: found a NUL byte, expected text" },
	{ F("x\0\n1\n"), ',', "n", "f.csv:1: found a NUL byte, expected text" },
	{ F("x\n\"a\n\0\"\n"), ',', "t", "f.csv:3: found a NUL byte, expected text" },
	{ F("x,y\r1,2\r"), ',', "n", "f.csv:1" RETURN },
	{ F("\"x\"\r\"1\"\r\"2\"\r"), ',', "n", "f.csv:1" RETURN },
	{ F("x,y\r1,2\n"), ',', "n", "f.csv:1" RETURN },
	{ F("\"x\ry\",z\r1,2\r"), ',', "n", "f.csv:1" RETURN },
	/* headers */
	{ F("\"x\ry\",z\n1,b\n"), ',', "n", "f.csv:2: column 'z': found 'b', expected a number" },
	{ F("z,\"\rx\r\n\"\"y\r\"\r\n1,b\n"), ',', "n", "f.csv:3: column '\\x0dx\\x0d\\x0a\"y\\x0d': found 'b', expected a number" },
	{ F(""), ',', "n", "f.csv:1: found an empty file, expected a header line" },
	{ F(" \n\n\r\n"), ',', "n", "f.csv:1: found an empty file, expected a header line" },
	{ F("x,y,,z\n1,2,3,4\n"), ',', "n", "f.csv:1: column 3: found an empty name, expected a name" },
	{ F("\nx,\"\"\n"), ',', "n", "f.csv:2: column 2: found an empty name, expected a name" },
	{ F("x,y,\n1,2,\n"), ',', "n", "f.csv:1: column 3: found an empty name, expected a name" },
	{ F("\"\",x\na,1\n"), ',', "tn", "2:<a>|1;" }, /* R's write.csv */
	{ F(",level\na,1\n"), ',', "n", "f.csv:1: column 1: found an empty name, expected a name: another column is called 'level' "
	  "(R: write.csv(..., row.names = FALSE))" },
	{ F("x,y, x\n1,2,3\n"), ',', "n", "f.csv:1: column 'x': found the name twice, expected a name for one column" },
	{ F("x,y"), ',', "n", "f.csv:1: found a header and no rows, expected at least one row" },
	{ F("\nx,y\n\n"), ',', "n", "f.csv:2: found a header and no rows, expected at least one row" },
	{ F("x,y\"\n"), ',', "n", "f.csv:1: column 2" INSIDE },
	/* the number of fields */
	{ F("x,y,z\n1,2,3\n\n1,2\n"), ',', "n",
	  "f.csv:4: found 2 fields, expected 3 as in the header: nothing for column 'z'" },
	{ F("x,y,z\n1\n"), ',', "n", "f.csv:2: found 1 field, expected 3 as in the header: nothing for column 'y'" },
	{ F("x,y\n1,2\n1,2,3\n"), ',', "n", "f.csv:3: found 3 fields, expected 2 as in the header" },
	{ F("x,y\nabc\n"), ',', "n", "f.csv:2: found 1 field, expected 2 as in the header: nothing for column 'y'" },
	{ F("x,y\n\"a\n\",1\n\"b\n\"\n"), ',', "t",
	  "f.csv:4: found 1 field, expected 2 as in the header: nothing for column 'y'" },
	/* numbers */
	{ F("x\n.5\n5.\n-1e3\n+2E-2\nNA\n\"NA\"\n\" 7 \"\n0.1\n"), ',', "n",
	  "2:0.5;3:5;4:-1000;5:0.02;6:NA;7:NA;8:7;9:0.10000000000000001;" },
	{ F("x,y\n1,2\n1,abc\n"), ',', "n", "f.csv:3: column 'y': found 'abc', expected a number" },
	{ F("x,y\n1,abc\n"), ',', "n-", "2:1;" },
	{ F("x,y\n\"a\nb\",1\n\"\n\",?\n"), ',', "tn", "f.csv:4: column 'y': found '?', expected a number" },
	{ F("x\nnan\n"), ',', "n", "f.csv:2: column 'x': found 'nan', expected a number" },
	{ F("x\n-inf\n"), ',', "n", "f.csv:2: column 'x': found '-inf', expected a number" },
	{ F("x\n0x1F\n"), ',', "n", "f.csv:2: column 'x': found '0x1F', expected a number" },
	{ F("x\n1,5\n"), ';', "n", "f.csv:2: column 'x': found '1,5', expected a number" },
	{ F("x\n1e999\n"), ',', "n",
	  "f.csv:2: column 'x': found '1e999', expected a number within the range of a double" },
	{ F("x\n1e-999\n"), ',', "n", "2:0;" },
	{ F("x\n1\r2\n"), ',', "n", "f.csv:2: column 'x': found '1\\x0d2', expected a number" },
	{ F("\"x\n1\"\na\n"), ',', "n", "f.csv:3: column 'x\\x0a1': found 'a', expected a number" },
	/* guesses */
	{ F("x,y\n1,2\n,NA\n3,4\n"), ',', "g", "2:1|2;3:NA|NA;4:3|4;" },
	{ F("x,y\n1,2\nNA,\n01,b\n2,3\n"), ',', "g", "2:1|<2>;3:NA|<>;4:1|<b>;5:2|<3>;" },
	{ F("x\n1e999\n"), ',', "g", "2:<1e999>;" },
	{ F("x\nnan\n"), ',', "g", "2:<nan>;" },
	/* bad quotes */
	{ F("x,y\n1,2\n1,a\"b\n"), ',', "t", "f.csv:3: column 'y'" INSIDE },
	{ F("x,y\n\"a\"b,1\n"), ',', "t", "f.csv:2: column 'x'" INSIDE },
	{ F("x,y\n\"a\" \"b\",1\n"), ',', "t", "f.csv:2: column 'x'" INSIDE },
	{ F("x,y\n\"a\n\nb\"c,1\n"), ',', "t", "f.csv:4: column 'x'" INSIDE },
	{ F("x\n1,2\"\n"), ',', "t", "f.csv:2: column 2" INSIDE },
	{ F("x,y\n1,\"a\n2,b\n"), ',', "t", "f.csv:2: column 'y'" OPEN },
	{ F("x,y\n\n\"a\n\n\",\"a\n2,b\n"), ',', "t", "f.csv:5: column 'y'" OPEN },
	{ F("\"x"), ',', "t", "f.csv:1: column 1" OPEN },
};

/* Text in memory that grows. */
typedef struct buffer {
	char *bytes;
	size_t used, size;
} buffer;

__attribute__((format(printf, 2, 3))) static void add(buffer *out, const char *format, ...)
{
	va_list arguments, again;
	va_start(arguments, format);
	va_copy(again, arguments);
	size_t const n = (size_t)vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	if (out->used + n + 1 > out->size) {
		out->size = 2 * (out->used + n + 1);
		out->bytes = realloc(out->bytes, out->size);
	}
	vsnprintf(out->bytes + out->used, n + 1, format, again);
	va_end(again);
	out->used += n;
}

static void write_file(const char *path, const char *bytes, size_t n)
{
	FILE *const file = fopen(path, "wb");
	CHECK(file && fwrite(bytes, 1, n, file) == n && fclose(file) == 0);
}

static void add_row(buffer *out, const crux_csv *reader, const char *kinds, size_t row)
{
	const char *separator = "";
	add(out, "%zu:", crux_csv_lines(reader)[row]);
	for (size_t i = 0; i < crux_csv_columns(reader); i++) {
		char const kind = kinds[i < strlen(kinds) ? i : strlen(kinds) - 1];
		const double *const numbers = crux_csv_numbers(reader, i);
		if (kind == '-')
			continue;
		if (!numbers)
			add(out, "%s<%s>", separator, crux_csv_text(reader, i, row));
		else if (isnan(numbers[row]))
			add(out, "%sNA", separator);
		else
			add(out, "%s%.17g", separator, numbers[row]);
		separator = "|";
	}
	add(out, ";");
}

/* The rest of a pass in the form of files[].expected; *end is the result of the last call of next. */
static char *render(crux_csv *reader, const char *kinds, long *end)
{
	buffer out = { 0 };
	crux_fault fault;
	add(&out, "%s", "");
	while ((*end = crux_csv_next(reader, &fault)) > 0)
		for (long row = 0; row < *end; row++)
			add_row(&out, reader, kinds, (size_t)row);
	if (*end < 0) {
		out.used = 0;
		add(&out, "%s", fault.message);
	}
	return out.bytes;
}

static void select_kinds(crux_csv *reader, const char *kinds)
{
	static const crux_csv_kind of[] = {
		['-'] = CRUX_CSV_SKIP, ['n'] = CRUX_CSV_NUMBER, ['t'] = CRUX_CSV_TEXT, ['g'] = CRUX_CSV_GUESS
	};
	for (size_t i = 0; i < crux_csv_columns(reader); i++)
		crux_csv_select(reader, i, of[(unsigned char)kinds[i < strlen(kinds) ? i : strlen(kinds) - 1]]);
}

static void check_text(const char *found, const char *expected)
{
	bool const right = strcmp(found, expected) == 0;
	CHECK(right);
	if (!right)
		printf("  found    %.300s\n  expected %.300s\n", found, expected);
}

/* Reads the file twice; the second pass must equal the first. */
static void check_passes(const char *path, char delimiter, const char *kinds, const char *expected)
{
	crux_fault fault = { "" };
	crux_csv *const reader = crux_csv_open(path, "f.csv", delimiter, &fault);
	if (!reader) {
		check_text(fault.message, expected);
		return;
	}
	select_kinds(reader, kinds);
	for (int pass = 0; pass < 2; pass++) {
		long end;
		char *const found = render(reader, kinds, &end);
		check_text(found, expected);
		CHECK(crux_csv_next(reader, &fault) == end);
		free(found);
		crux_csv_rewind(reader);
	}
	crux_csv_close(reader);
}

static void test_table(void)
{
	const char *const path = "table.csv";
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		int const failed = checks_failed;
		write_file(path, files[i].content, files[i].length);
		check_passes(path, files[i].delimiter, files[i].kinds, files[i].expected);
		if (checks_failed > failed)
			printf("  in files[%zu]\n", i);
	}
	unlink(path);
}

static void test_open(void)
{
	crux_fault fault;
	CHECK(!crux_csv_open("absent.csv", NULL, ',', &fault));
	check_text(fault.message, "absent.csv: cannot be opened: No such file or directory");
	CHECK(!crux_csv_open(".", "it", ',', &fault));
	check_text(fault.message, "it: found a directory, expected a CSV file");
	CHECK(!crux_csv_open("/dev/null", NULL, ',', &fault));
	check_text(fault.message, "/dev/null:1: found an empty file, expected a header line");
	crux_csv_close(NULL);
}

/* The reader between its calls: before the first block, after a failure, with a changed selection. */
static void test_states(void)
{
	static const char content[] = "x,y,z\n1,a,2\n2,b,c\n3,4,5\n";
	const char *const path = "states.csv";
	crux_fault fault;
	write_file(path, content, sizeof content - 1);
	crux_csv *const reader = crux_csv_open(path, NULL, ',', &fault);
	CHECK(crux_csv_columns(reader) == 3);
	check_text(crux_csv_column(reader, 2), "z");
	CHECK(!crux_csv_numbers(reader, 0) && !crux_csv_text(reader, 0, 0));
	CHECK(crux_csv_next(reader, &fault) == 3 && !crux_csv_numbers(reader, 0) && !crux_csv_text(reader, 0, 0));
	crux_csv_rewind(reader);
	select_kinds(reader, "ngn");
	CHECK(!crux_csv_numbers(reader, 0));
	CHECK(crux_csv_next(reader, &fault) == -1);
	CHECK(strstr(fault.message, "states.csv:3: column 'z': found 'c', expected a number"));
	CHECK(!crux_csv_text(reader, 1, 0));
	crux_csv_rewind(reader);
	select_kinds(reader, "gtg");
	CHECK(crux_csv_next(reader, &fault) == 3);
	CHECK(crux_csv_numbers(reader, 0)[2] == 3 && !crux_csv_numbers(reader, 1) && !crux_csv_numbers(reader, 2));
	check_text(crux_csv_text(reader, 0, 1), "2");
	check_text(crux_csv_text(reader, 2, 0), "2");
	CHECK(!crux_csv_text(reader, 2, 3));
	crux_csv_select(reader, 0, CRUX_CSV_NUMBER);
	CHECK(!crux_csv_text(reader, 1, 0));
	CHECK(crux_csv_next(reader, &fault) == 0);
	crux_csv_close(reader);
	unlink(path);
}

/* Everything that can straddle two chunks, at each offset around the border. */
static void test_chunks(void)
{
	static const char tail[] = "\"a\"\"b\r\nc,\"\"\", -1.25 \r\n\n\"d\",\xC3\xA9\n";
	enum { BORDER = 1 << 16, SIZE = BORDER + 256 };
	const char *const path = "chunks.csv";
	char *const content = malloc(SIZE);
	for (size_t before = BORDER - sizeof tail; before <= BORDER + 1; before++) {
		buffer expected = { 0 };
		memset(content, 'x', before);
		memcpy(content, "t,u\n", 4);
		memcpy(content + before - 3, ",y\n", 3);
		memcpy(content + before, tail, sizeof tail - 1);
		write_file(path, content, before + sizeof tail - 1);
		add(&expected, "2:<%.*s>|<y>;3:<a\"b\r\nc,\">|<-1.25>;6:<d>|<\xC3\xA9>;", (int)before - 7, content + 4);
		check_passes(path, ',', "t", expected.bytes);
		free(expected.bytes);
		memset(content + 1, ' ', before); /* a header that ends there */
		memcpy(content + before - 2, "\r\n1\n", 4);
		write_file(path, content, before + 2);
		check_passes(path, ',', "n", "2:1;");
	}
	free(content);
	unlink(path);
}

/* Rows of many lengths, with and without quoted line ends and blank lines, and what they should be read as. */
static void make_long(buffer *content, buffer *expected, int rows)
{
	size_t line = 2;
	unsigned state = 7;
	add(content, "\xEF\xBB\xBFn,words,\"m\"\r\n");
	for (int i = 0; i < rows; i++) {
		char words[64];
		state = state * 1103515245u + 12345u;
		int const length = (int)(state >> 16) % 60, kind = (int)(state >> 24) % 4;
		memset(words, 'a' + i % 26, sizeof words);
		double const m = (double)state * 1e-3 - 1e5;
		add(content,
		    kind == 1   ? "%d,\"%.*s\n\"\"\r\n\",%.17g\n"
		    : kind == 2 ? "%d, %.*s\t,\"%.17g\"\r\n\n"
		                : "%d,\"%.*s\",%.17g\r\n",
		    i, length, words, m);
		add(expected, kind == 1 ? "%zu:%d|<%.*s\n\"\r\n>|%.17g;" : "%zu:%d|<%.*s>|%.17g;", line, i, length,
		    words, m);
		line += kind == 1 ? 3 : kind == 2 ? 2 : 1;
	}
}

/* Writes the bytes to the file, a pipe, in a process of its own. */
static pid_t feed(const char *path, int file, const buffer *content)
{
	pid_t const child = fork();
	if (child != 0)
		return child;
	if (file < 0)
		file = open(path, O_WRONLY);
	for (size_t at = 0; at < content->used;) {
		ssize_t const written = write(file, content->bytes + at, content->used - at);
		if (written < 0)
			_exit(1);
		at += (size_t)written;
	}
	_exit(0);
}

static void check_feed(pid_t child)
{
	int status = -1;
	CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static void *read_long(void *expected)
{
	crux_fault fault;
	long end;
	crux_csv *const reader = crux_csv_open("long.csv", NULL, ',', &fault);
	select_kinds(reader, "ntn");
	char *const found = render(reader, "ntn", &end);
	bool const right = strcmp(found, expected) == 0;
	free(found);
	crux_csv_close(reader);
	return right ? expected : NULL;
}

static void test_long(void)
{
	buffer content = { 0 }, expected = { 0 };
	make_long(&content, &expected, 30000);
	CHECK(content.used > 1 << 20);
	write_file("long.csv", content.bytes, content.used);
	check_passes("long.csv", ',', "ntn", expected.bytes);

	const char *const path = "pipe";
	CHECK(mkfifo(path, 0600) == 0);
	pid_t child = feed(path, -1, &content);
	check_passes(path, ',', "ntn", expected.bytes);
	check_feed(child);
	unlink(path);

	int ends[2], standard = dup(STDIN_FILENO);
	CHECK(pipe(ends) == 0 && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
	child = feed(NULL, ends[1], &content);
	close(ends[0]);
	close(ends[1]);
	check_passes("-", ',', "ntn", expected.bytes);
	check_feed(child);
	dup2(standard, STDIN_FILENO);
	close(standard);
	free(content.bytes);
	free(expected.bytes);
}

/* Makes a cell of special bytes, without the delimiter, and without blanks at its ends. Returns its length. */
static size_t draw_cell(unsigned *state, char delimiter, char *cell)
{
	static const char bytes[] = "0123456789012345678901234567890123456789....--+eENAx,;\t \r";
	size_t const wanted = (*state >> 16) % 24 * ((*state >> 22) % 4 > 0);
	size_t n = 0;
	for (size_t i = 0; i < wanted; i++) {
		*state = *state * 1103515245u + 12345u;
		size_t const kinds = *state >> 30 ? 44 : sizeof bytes - 1; /* mostly numbers */
		char const c = bytes[(*state >> 16) % kinds];
		if (c != delimiter && (n > 0 || !strchr(" \t\r", c)))
			cell[n++] = c;
	}
	while (n > 0 && strchr(" \t\r", cell[n - 1]))
		n--;
	return n;
}

/* Random rows, and the same with quotes around each cell, which only libcsv splits: equal cells, or equal messages. */
static void test_plain_as_quoted(void)
{
	static const char delimiters[] = ",,;\t |15.e-";
	static const char *const kinds[] = { "n", "t", "g", "-n", "ngt", "gn", "tn-" };
	unsigned state = 99;
	int const rounds = check_count(80, 1500);
	int good = 0;
	for (int round = 0; round < rounds; round++) {
		buffer plain = { 0 }, quoted = { 0 };
		char const delimiter = delimiters[(size_t)round % (sizeof delimiters - 1)];
		int const columns = 3 + round % 3, rows = 1 + round % 7;
		for (int i = 0; i < columns; i++) {
			add(&plain, "%s\"c%d\"", i ? (char[]){ delimiter, 0 } : "", i);
			add(&quoted, "%s\"c%d\"", i ? (char[]){ delimiter, 0 } : "", i);
		}
		for (int row = 0; row < rows; row++) {
			state = state * 1103515245u + 12345u;
			int const fields = columns + (state >> 16 & 255 ? 0 : (int)(state >> 24 & 2) - 1);
			add(&plain, "\n");
			add(&quoted, "\n");
			for (int i = 0; i < fields; i++) {
				char cell[32];
				size_t const n = draw_cell(&state, delimiter, cell);
				const char *const blank = delimiter == ' ' || state >> 28 ? "" : "  ";
				add(&plain, "%s%s%.*s%s", i ? (char[]){ delimiter, 0 } : "", blank, (int)n, cell, blank);
				add(&quoted, "%s\"%.*s\"", i ? (char[]){ delimiter, 0 } : "", (int)n, cell);
			}
			add(&plain, "%s", state >> 20 & 1 ? "\r" : "");
		}
		add(&plain, "\n");
		add(&quoted, "\n");
		write_file("quoted.csv", quoted.bytes, quoted.used);
		write_file("plain.csv", plain.bytes, plain.used);
		crux_fault fault;
		crux_csv *const reader = crux_csv_open("quoted.csv", "f.csv", delimiter, &fault);
		long end;
		select_kinds(reader, kinds[round % 7]);
		char *const expected = render(reader, kinds[round % 7], &end);
		crux_csv_close(reader);
		check_passes("plain.csv", delimiter, kinds[round % 7], expected);
		good += end == 0;
		free(expected);
		free(plain.bytes);
		free(quoted.bytes);
	}
	CHECK(good > rounds / 5 && good < rounds * 7 / 8);
	unlink("plain.csv");
	unlink("quoted.csv");
}

static void test_threads(void)
{
	buffer content = { 0 }, expected = { 0 };
	pthread_t threads[4];
	make_long(&content, &expected, 30000);
	for (size_t i = 0; i < 4; i++)
		CHECK(pthread_create(&threads[i], NULL, read_long, expected.bytes) == 0);
	for (size_t i = 0; i < 4; i++) {
		void *right = NULL;
		pthread_join(threads[i], &right);
		CHECK(right);
	}
	unlink("long.csv");
	free(content.bytes);
	free(expected.bytes);
}

/* Standard input that is a file already read in part, and its name. */
static void test_standard(void)
{
	static const char content[] = "# a line before\nx\n1\n?\n";
	const char *const path = "standard.csv";
	crux_fault fault;
	write_file(path, content, sizeof content - 1);
	int const standard = dup(STDIN_FILENO), file = open(path, O_RDONLY);
	CHECK(lseek(file, 16, SEEK_SET) == 16 && dup2(file, STDIN_FILENO) == STDIN_FILENO);
	close(file);
	crux_csv *const reader = crux_csv_open("-", NULL, ',', &fault);
	CHECK(reader != NULL);
	crux_csv_select(reader, 0, CRUX_CSV_NUMBER);
	CHECK(crux_csv_next(reader, &fault) == -1);
	check_text(fault.message, "<stdin>:3: column 'x': found '?', expected a number");
	crux_csv_close(reader);
	close(STDIN_FILENO);
	CHECK(!crux_csv_open("-", NULL, ',', &fault));
	check_text(fault.message, "<stdin>: cannot be opened: Bad file descriptor");
	dup2(standard, STDIN_FILENO);
	close(standard);
	unlink(path);
}

/* A row may have 1 MiB, its line end counted, and no more. */
static void test_limit(void)
{
	enum { LIMIT = 1 << 20 };
	const char *const path = "limit.csv";
	char *const content = malloc(2 * LIMIT);
	buffer expected = { 0 };
	memset(content, ',', 2 * LIMIT);
	memcpy(content, "t\n1\n\"", 5);
	memset(content + 5, '\n', LIMIT - 3);
	memcpy(content + 4 + LIMIT - 2, "\"\n", 2);
	add(&expected, "2:<1>;3:<%.*s>;", LIMIT - 3, content + 5);
	write_file(path, content, 4 + LIMIT);
	check_passes(path, ',', "t", expected.bytes);
	memcpy(content + 4 + LIMIT - 2, "\n\"\n", 3);
	write_file(path, content, 4 + LIMIT + 1);
	check_passes(path, ',', "t", "f.csv:3" LARGE);
	memset(content + 4, ',', 2 * LIMIT - 4); /* a row of delimiters alone */
	write_file(path, content, 2 * LIMIT);
	check_passes(path, ',', "t", "f.csv:3" LARGE);
	content[4 + LIMIT - 1] = '\n';
	write_file(path, content, 4 + LIMIT);
	check_passes(path, ',', "t", "f.csv:3: found 1048576 fields, expected 1 as in the header");
	write_file(path, content, 4 + LIMIT - 1); /* the row ends with the file */
	check_passes(path, ',', "t", "f.csv:3: found 1048576 fields, expected 1 as in the header");
	memset(content, 'x', 2 * LIMIT);
	write_file(path, content, 2 * LIMIT);
	check_passes(path, ',', "t", "f.csv:1" LARGE);
	free(expected.bytes);
	free(content);
	unlink(path);
}

/* A guess that holds for blocks, then fails. */
static void test_late_guess(void)
{
	enum { ROWS = 20000 };
	const char *const path = "guess.csv";
	buffer content = { 0 };
	crux_fault fault;
	long rows, total = 0, text = 0;
	add(&content, "x\n");
	for (int i = 0; i < ROWS; i++)
		add(&content, "%d%s\n", i, i == 15000 ? "?" : "");
	write_file(path, content.bytes, content.used);
	crux_csv *const reader = crux_csv_open(path, NULL, ',', &fault);
	crux_csv_select(reader, 0, CRUX_CSV_GUESS);
	for (; (rows = crux_csv_next(reader, &fault)) > 0; total += rows) {
		const double *const numbers = crux_csv_numbers(reader, 0);
		CHECK((numbers != NULL) == (total + rows <= 15000));
		CHECK(!numbers || numbers[rows - 1] == (double)(total + rows - 1));
		CHECK(atol(crux_csv_text(reader, 0, 0)) == total);
		text += numbers ? 0 : rows;
	}
	CHECK(rows == 0 && total == ROWS && text >= 5000 && text < ROWS);
	crux_csv_rewind(reader);
	CHECK(crux_csv_next(reader, &fault) > 0 && !crux_csv_numbers(reader, 0));
	crux_csv_close(reader);
	free(content.bytes);
	unlink(path);
}

/* A header with the most columns, and the longest names; one more is refused. */
static void test_wide(void)
{
	enum { COLUMNS = 100000 };
	const char *const path = "wide.csv";
	buffer content = { 0 };
	crux_fault fault;
	for (int i = 0; i < COLUMNS; i++)
		add(&content, "%sc%d", i ? "," : "", i);
	for (int row = 0; row < 3; row++)
		for (int i = 0; i < COLUMNS; i++)
			add(&content, "%s%d", i ? "," : "\n", i + row);
	write_file(path, content.bytes, content.used);
	crux_csv *const reader = crux_csv_open(path, NULL, ',', &fault);
	CHECK(crux_csv_columns(reader) == COLUMNS);
	select_kinds(reader, "n");
	long total = 0, rows;
	for (; (rows = crux_csv_next(reader, &fault)) > 0; total += rows)
		CHECK(crux_csv_numbers(reader, COLUMNS - 1)[rows - 1] == (double)(COLUMNS - 1 + total + rows - 1));
	CHECK(total == 3);
	crux_csv_close(reader);
	content.used = strcspn(content.bytes, "\n");
	add(&content, ",z");
	write_file(path, content.bytes, content.used);
	CHECK(!crux_csv_open(path, "f.csv", ',', &fault));
	check_text(fault.message, "f.csv:1: found 100001 columns, expected at most 100000");
	content.used = 0;
	add(&content, "y,%01001d", 0);
	write_file(path, content.bytes, content.used - 1);
	crux_csv *const named = crux_csv_open(path, "f.csv", ',', &fault);
	CHECK(named);
	crux_csv_close(named);
	write_file(path, content.bytes, content.used);
	CHECK(!crux_csv_open(path, "f.csv", ',', &fault));
	check_text(fault.message, "f.csv:1: column 2: found a name of 1001 bytes, expected at most 1000");
	free(content.bytes);
	unlink(path);
}

int main(void)
{
	char folder[] = "/tmp/crux_csv_XXXXXX";
	if (fcntl(STDIN_FILENO, F_GETFD) < 0) /* the tests replace standard input by other files */
		CHECK(open("/dev/null", O_RDONLY) == STDIN_FILENO);
	if (!mkdtemp(folder) || chdir(folder) != 0)
		return 1;
	test_table();
	test_open();
	test_states();
	test_chunks();
	test_plain_as_quoted();
	test_long();
	test_threads();
	test_standard();
	test_limit();
	test_late_guess();
	test_wide();
	CHECK(chdir("/") == 0 && rmdir(folder) == 0);
	return check_summary();
}
