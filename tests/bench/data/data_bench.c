/* Times reading, fitting and cross-validating CSV datasets against plain C, R and pandas, interleaved; prints medians.
 *
 * data_bench CRUX FOLDER: the program, and where evaluate.R and evaluate.py are. */
#include <csv.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "files/csv_reader.h"

enum { ROUNDS = 5, COLUMNS = 7, TERMS = 6, FOLDS = 5 };

#define FORMULA "difficulty ~ size + colours + distance + corners + moves"

static double uniform(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(*state >> 11) * 0x1p-53;
}

/* Numbers as people have them, or with all 17 digits. */
static void write_data(const char *path, long rows, int digits)
{
	FILE *const file = fopen(path, "w");
	uint64_t state = 1;
	fputs("size,colours,distance,corners,moves,difficulty,solved\n", file);
	for (long row = 0; row < rows; row++) {
		double const size = floor(9 + 216 * uniform(&state)), colours = floor(2 + 12 * uniform(&state));
		double const distance = 20 * uniform(&state), corners = floor(90 * uniform(&state));
		double const moves = 100 * uniform(&state), noise = uniform(&state) + uniform(&state) + uniform(&state);
		double const difficulty = 2 + size / 100 - colours / 3 - distance / 5 + corners / 25 + moves / 100 + noise;
		fprintf(file, "%.*g,%.*g,%.*g,%.*g,%.*g,%.*g,%d\n", digits, size, digits, colours, digits, distance,
		        digits, corners, digits, moves, digits, difficulty, 1 + (int)(40 * uniform(&state)));
	}
	fclose(file);
}

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Reading alone: every way returns a sum, so that nothing is left out. */

static double read_bytes(const char *path)
{
	static char chunk[1 << 16];
	int const file = open(path, O_RDONLY);
	double sum = 0;
	for (ssize_t got; (got = read(file, chunk, sizeof chunk)) > 0;)
		sum += chunk[got - 1];
	close(file);
	return sum;
}

static void count_field(void *text, size_t length, void *sum)
{
	(void)text;
	*(double *)sum += (double)length;
}

static void add_field(void *text, size_t length, void *sum)
{
	char cell[64];
	memcpy(cell, text, length < 63 ? length : 63);
	cell[length < 63 ? length : 63] = '\0';
	*(double *)sum += strtod(cell, NULL);
}

static double parse(const char *path, void (*on_field)(void *, size_t, void *))
{
	static char chunk[1 << 16];
	struct csv_parser parser;
	int const file = open(path, O_RDONLY);
	double sum = 0;
	csv_init(&parser, 0);
	for (ssize_t got; (got = read(file, chunk, sizeof chunk)) > 0;)
		csv_parse(&parser, chunk, (size_t)got, on_field, NULL, &sum);
	csv_free(&parser);
	close(file);
	return sum;
}

static double read_libcsv(const char *path) { return parse(path, count_field); }

static double read_libcsv_strtod(const char *path) { return parse(path, add_field); }

static double read_crux(const char *path)
{
	crux_fault fault;
	crux_csv *const reader = crux_csv_open(path, NULL, ',', &fault);
	double sum = 0;
	for (size_t i = 0; i < COLUMNS; i++)
		crux_csv_select(reader, i, CRUX_CSV_NUMBER);
	for (long rows; (rows = crux_csv_next(reader, &fault)) > 0;)
		for (size_t i = 0; i < COLUMNS; i++)
			for (long row = 0; row < rows; row++)
				sum += crux_csv_numbers(reader, i)[row];
	crux_csv_close(reader);
	return sum;
}

/* Plain C that does what `crux evaluate` does: getline, strtod, normal equations in double for each fold, sorting for the
 * medians. It names no line, knows no missing values, and is wrong where the equations are ill-conditioned. */

static void solve(double a[TERMS][TERMS + 1])
{
	for (int k = 0; k < TERMS; k++)
		for (int i = 0; i < TERMS; i++)
			for (int j = TERMS; i != k && j >= k; j--)
				a[i][j] -= a[i][k] / a[k][k] * a[k][j];
}

static int compare(const void *a, const void *b)
{
	double const x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void evaluate_plain(const char *path)
{
	FILE *const file = fopen(path, "r");
	char *line = NULL;
	size_t size = 0, n = 0, room = 1 << 16;
	double (*rows)[COLUMNS] = malloc(room * sizeof *rows), absolute = 0, weighted = 0, weight = 0;
	if (getline(&line, &size, file) < 0)
		_exit(1);
	for (; getline(&line, &size, file) >= 0; n++) {
		if (n == room)
			rows = realloc(rows, (room *= 2) * sizeof *rows);
		char *at = line;
		for (int i = 0; i < COLUMNS; i++, at++)
			rows[n][i] = strtod(at, &at);
	}
	double sums[FOLDS][TERMS][TERMS + 1] = {{{0}}}, *const squares = malloc(n * sizeof *squares);
	for (size_t row = 0; row < n; row++) {
		double const x[TERMS + 1] = {1, rows[row][0], rows[row][1], rows[row][2], rows[row][3], rows[row][4], rows[row][5]};
		for (int i = 0; i < TERMS; i++)
			for (int j = 0; j <= TERMS; j++)
				sums[row * FOLDS / n][i][j] += rows[row][6] * x[i] * x[j];
	}
	for (size_t fold = 0, row = 0; fold < FOLDS; fold++) {
		double others[TERMS][TERMS + 1] = {{0}};
		for (size_t other = 0; other < FOLDS; other++)
			for (int i = 0; other != fold && i < TERMS; i++)
				for (int j = 0; j <= TERMS; j++)
					others[i][j] += sums[other][i][j];
		solve(others);
		for (; row < n && row * FOLDS / n == fold; row++) {
			double predicted = others[0][TERMS] / others[0][0];
			for (int i = 1; i < TERMS; i++)
				predicted += others[i][TERMS] / others[i][i] * rows[row][i - 1];
			double const difference = predicted - rows[row][5];
			absolute += fabs(difference);
			weighted += rows[row][6] * fabs(difference);
			weight += rows[row][6];
			squares[row] = difference * difference;
		}
	}
	qsort(squares, n, sizeof *squares, compare);
	printf("%g %g %g\n", absolute / (double)n, weighted / weight, squares[n / 2]);
}

/* What a process took. */
typedef struct cost {
	double seconds;
	double processor; /* of these, on a processor: what a busy machine changes less */
	double megabytes; /* at its largest */
	bool done;
} cost;

/* Runs a program, or plain C when there is none. */
static cost run(char *const arguments[], const char *path)
{
	double const before = seconds();
	struct rusage usage;
	int status;
	fflush(stdout);
	pid_t const child = fork();
	if (child == 0) {
		int const nothing = open("/dev/null", O_WRONLY);
		dup2(nothing, STDOUT_FILENO);
		dup2(nothing, STDERR_FILENO);
		if (arguments)
			execvp(arguments[0], arguments);
		else
			evaluate_plain(path);
		fflush(stdout);
		_exit(arguments ? 127 : 0);
	}
	bool const ended = wait4(child, &status, 0, &usage) == child;
	double const processor = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	                         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
	return (cost){seconds() - before, processor, (double)usage.ru_maxrss / 1024,
	              ended && WIFEXITED(status) && WEXITSTATUS(status) == 0};
}

static int compare_costs(const void *a, const void *b)
{
	return compare(&((const cost *)a)->seconds, &((const cost *)b)->seconds);
}

static double median(double *list)
{
	qsort(list, ROUNDS, sizeof *list, compare);
	return list[ROUNDS / 2];
}

static void time_reading(const char *title, const char *path)
{
	static const struct {
		const char *name;
		double (*read)(const char *path);
	} ways[] = {{"read", read_bytes}, {"libcsv", read_libcsv}, {"libcsv + strtod", read_libcsv_strtod}, {"crux", read_crux}};
	enum { WAYS = sizeof ways / sizeof *ways };
	double took[WAYS][ROUNDS], sum = 0;
	for (int round = 0; round < ROUNDS; round++)
		for (int way = 0; way < WAYS; way++) {
			double const before = seconds();
			sum += ways[way].read(path);
			took[way][round] = seconds() - before;
		}
	FILE *const file = fopen(path, "r");
	fseek(file, 0, SEEK_END);
	double const megabytes = (double)ftell(file) * 1e-6;
	fclose(file);
	printf("%s, %.0f MB, all cells as numbers%s\n", title, megabytes, isnan(sum) ? " (none)" : "");
	double const crux = median(took[WAYS - 1]);
	for (int way = 0; way < WAYS; way++) {
		double const time = way == WAYS - 1 ? crux : median(took[way]);
		printf("  %-18s %7.3f s  %6.0f MB/s   crux / this %.2f\n", ways[way].name, time, megabytes / time, crux / time);
	}
}

static void time_programs(char *program, const char *folder, const char *title, char *path, bool others)
{
	char r[4096], python[4096];
	snprintf(r, sizeof r, "%s/evaluate.R", folder);
	snprintf(python, sizeof python, "%s/evaluate.py", folder);
	struct {
		const char *name;
		char *arguments[12];
		bool plain, skipped;
		cost costs[ROUNDS];
	} programs[] = {
		{.name = "crux help", .arguments = {program, "help"}},
		{.name = "crux fit", .arguments = {program, "fit", "--formula", FORMULA, "--weights", "solved", path}},
		{.name = "crux evaluate", .arguments = {program, "evaluate", "--folds-by", "order", "--formula", FORMULA, "--weights",
			"solved", path}},
		{.name = "crux evaluate json", .arguments = {program, "evaluate", "--folds-by", "order", "--formula", FORMULA,
			"--weights", "solved", "--format", "json", path},
		 .skipped = !others},
		{.name = "plain C evaluate", .plain = true},
		{.name = "R evaluate", .arguments = {"Rscript", "--vanilla", r, path}, .skipped = !others},
		{.name = "fread evaluate", .arguments = {"Rscript", "--vanilla", r, path, "fread"}, .skipped = !others},
		{.name = "pandas evaluate", .arguments = {"python3", python, path, "pandas"}, .skipped = !others},
		{.name = "polars evaluate", .arguments = {"python3", python, path, "polars"}, .skipped = !others},
	};
	enum { PROGRAMS = sizeof programs / sizeof *programs, EMPTY = 0, EVALUATE = 2 };
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < PROGRAMS; i++) {
			if (programs[i].skipped)
				continue;
			programs[i].costs[round] = run(programs[i].plain ? NULL : programs[i].arguments, path);
			programs[i].skipped = !programs[i].costs[round].done;
		}
	printf("%s, weighted fit, %d folds\n", title, FOLDS);
	for (int i = 0; i < PROGRAMS; i++)
		qsort(programs[i].costs, ROUNDS, sizeof(cost), compare_costs);
	for (int i = 0; i < PROGRAMS; i++) {
		cost const middle = programs[i].costs[ROUNDS / 2];
		if (programs[i].skipped && others)
			printf("  %-18s not installed, or it failed\n", programs[i].name);
		else if (!programs[i].skipped)
			printf("  %-18s %7.3f s (processor %7.3f s) %6.1f MB, %6.1f above the empty process   crux evaluate / this %.2f\n",
			       programs[i].name, middle.seconds, middle.processor, middle.megabytes, middle.megabytes - programs[EMPTY].costs[ROUNDS / 2].megabytes,
			       programs[EVALUATE].costs[ROUNDS / 2].seconds / middle.seconds);
	}
}

int main(int count, char **arguments)
{
	if (count != 3) {
		fprintf(stderr, "expected CRUX FOLDER\n");
		return 2;
	}
	char path[] = "/tmp/crux-data-bench-XXXXXX";
	int const file = mkstemp(path);
	if (file < 0)
		return 1;
	close(file);
	for (long rows = 10000; rows <= 10000000; rows *= 10) {
		char title[64];
		snprintf(title, sizeof title, "%ld rows x %d columns", rows, COLUMNS);
		write_data(path, rows, 6);
		if (rows == 1000000)
			time_reading(title, path);
		time_programs(arguments[1], arguments[2], title, path, rows == 1000000);
	}
	write_data(path, 1000000, 17);
	time_reading("1000000 rows with 17 digits", path);
	time_programs(arguments[1], arguments[2], "1000000 rows with 17 digits", path, false);
	unlink(path);
	return 0;
}
