/* Command lines in which the n-th allocation fails, or all from the n-th on, of whoever makes it: crux, Lua, libc, libcsv, Clp,
 * NLopt or cminpack. Each prints what it prints with memory enough, or fails with one line and leaves nothing.
 *
 * The functions below take the place of the C library's. Under the sanitizers, which have their own, they serve libcrux and Lua
 * only (--wrap). A sample of n is tried, of a seed, and the last ones, while results appear; `command_allocation_test FIRST STEP`
 * tries each STEP-th from FIRST on. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "host/command_line.h"
#include "stats/random.h"

static atomic_long allocations; /* since the last reset */
static atomic_long live;        /* blocks that are not freed; the sanitizers count them themselves */
static long failing;            /* the number of the one that fails; 0: none */
static bool fails_on;           /* and all after it */

/* True if the caller is libseccomp: version 2.5.4 frees blocks twice after a failure. */
static bool is_spared(const void *caller)
{
	Dl_info about;
	return dladdr(caller, &about) && about.dli_fname && strstr(about.dli_fname, "libseccomp");
}

/* True if the allocation of this caller must fail. */
static bool fails(const void *caller)
{
	long const number = ++allocations;
	if (failing == 0 || number < failing || (number > failing && !fails_on) || is_spared(caller))
		return false;
	errno = ENOMEM;
	return true;
}

#define FAILS() fails(__builtin_return_address(0))

#ifdef __SANITIZE_ADDRESS__
#define REPLACE(name) __wrap_##name
#define REAL(name) __real_##name
#define made(block) (block)
#else
#define REPLACE(name) name
#define REAL(name) __libc_##name
void __libc_free(void *block);
void *__libc_memalign(size_t alignment, size_t size);

/* Counts a block that was made. */
static void *made(void *block)
{
	if (block)
		live++;
	return block;
}
#endif

void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t count, size_t size);
void *REAL(realloc)(void *block, size_t size);
void *REPLACE(malloc)(size_t size);
void *REPLACE(calloc)(size_t count, size_t size);
void *REPLACE(realloc)(void *block, size_t size);
void *REPLACE(aligned_alloc)(size_t alignment, size_t size);

void *REPLACE(malloc)(size_t size) { return FAILS() ? NULL : made(REAL(malloc)(size)); }

void *REPLACE(calloc)(size_t count, size_t size)
{
	return FAILS() ? NULL : made(REAL(calloc)(count, size));
}

void *REPLACE(realloc)(void *block, size_t size)
{
	if (FAILS())
		return NULL;
	void *const moved = REAL(realloc)(block, size);
	return block ? moved : made(moved);
}

#ifdef __SANITIZE_ADDRESS__
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text);

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
	return FAILS() ? NULL : __real_aligned_alloc(alignment, size);
}

char *__wrap_strdup(const char *text) { return FAILS() ? NULL : __real_strdup(text); }
#else
void *aligned_alloc(size_t alignment, size_t size)
{
	return FAILS() ? NULL : made(__libc_memalign(alignment, size));
}

void *memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size)
{
	*block = aligned_alloc(alignment, size);
	return *block ? 0 : ENOMEM;
}

void free(void *block)
{
	if (block)
		live--;
	__libc_free(block);
}
#endif

/* Results of a run, which is a process of its own, as the wall around scripts stays. */
typedef struct shared {
	long allocations, left; /* blocks that were made, and those of them that were not freed */
} shared;

static shared *known;
static char folder[200];

enum { MOST = 1 << 16, WORDS = 18, LAST = 6 };

/* Output of a run. */
typedef struct outcome {
	int status; /* -1 - the signal for one that was killed */
	long left;
	size_t out_size, err_size;
	long file_size; /* of the written file; -1: none */
	char out[MOST], err[MOST], file[MOST];
} outcome;

static int redirect(int descriptor, const char *name)
{
	char path[256];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	int const kept = dup(descriptor), file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	dup2(file, descriptor);
	close(file);
	return kept;
}

static size_t restore(int descriptor, int kept, char *text)
{
	ssize_t const size = pread(descriptor, text, MOST - 1, 0);
	text[size < 0 ? 0 : size] = '\0';
	dup2(kept, descriptor);
	close(kept);
	return size < 0 ? 0 : (size_t)size;
}

/* Reads the file that a command line may write; returns -1 if there is none. */
static long read_written(char text[MOST])
{
	char path[256];
	snprintf(path, sizeof path, "%s/written", folder);
	int const file = open(path, O_RDONLY);
	long const size = file < 0 ? -1 : (long)read(file, text, MOST);
	if (file >= 0)
		close(file);
	unlink(path);
	return size;
}

/* Runs a command line, of words without blanks, in which an allocation fails, and ends the process. */
static _Noreturn void run_alone(const char *line, long number, bool on)
{
	char words[512], *list[WORDS + 1] = {"crux"};
	int count = 1;
	snprintf(words, sizeof words, "%s", line);
	for (char *word = strtok(words, " "); word && count < WORDS; word = strtok(NULL, " "))
		list[count++] = word;
	long const before = live;
	allocations = 0;
	failing = number;
	fails_on = on;
	int const status = crux_command_line_run(count, list, NULL);
	failing = 0;
	*known = (shared){allocations, live - before};
	fflush(stdout);
	exit(status);
}

static void run(const char *line, long number, bool on, outcome *o)
{
	int status = 0;
	fflush(stdout);
	int const out = redirect(1, "out"), err = redirect(2, "err");
	pid_t const process = fork();
	if (process == 0)
		run_alone(line, number, on);
	waitpid(process, &status, 0);
	o->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1 - WTERMSIG(status);
	o->left = known->left;
	o->out_size = restore(1, out, o->out);
	o->err_size = restore(2, err, o->err);
	o->file_size = read_written(o->file);
}

/* True if a file is complete after a run that succeeded, and if there is none after another. */
static bool is_file_right(const outcome *o, const outcome *whole)
{
	if (o->status != 0 || whole->file_size < 0)
		return o->file_size < 0;
	return o->file_size == whole->file_size && memcmp(o->file, whole->file, (size_t)o->file_size) == 0;
}

static bool is_same(const outcome *a, const outcome *b)
{
	return a->status == b->status && a->out_size == b->out_size && memcmp(a->out, b->out, a->out_size) == 0 &&
	       a->err_size == b->err_size && memcmp(a->err, b->err, a->err_size) == 0;
}

static bool is_one_line(const outcome *o)
{
	bool const is_line = o->err_size > 0 && strchr(o->err, '\n') == o->err + o->err_size - 1;
	return o->status == 1 && o->out_size == 0 && is_line && strstr(o->err, "memory") && !strstr(o->err, "internal error");
}

/* True if a search was given up, with a message: there were fewer bytes for its states than allowed. */
static bool is_given_up(const outcome *o)
{
	return o->status == 0 && strstr(o->err, "not solved: the limit on bytes was met\n");
}

/* Makes an allocation fail. */
static void fail_one(const char *line, long number, bool on, const outcome *whole)
{
	static outcome o;
	run(line, number, on, &o);
	bool const is_clean = o.left <= whole->left + 1 || strstr(line, "quantile"); /* dlerror keeps one; Clp loses its model */
	bool const is_right = is_clean && (is_same(&o, whole) || is_one_line(&o) || is_given_up(&o)) && is_file_right(&o, whole);
	CHECK(is_right);
	if (!is_right)
		printf("%s: %ld%s: status %d, %ld blocks left, %zu bytes of output, %s\n", line, number, on ? " and on" : "", o.status,
		       o.left - whole->left, o.out_size, o.err);
}

static void fail_each(const char *format, long first, long step)
{
	static outcome whole, again;
	char line[512];
	snprintf(line, sizeof line, format, folder, folder);
	run(line, 0, false, &again);
	run(line, 0, false, &whole);
	CHECK(whole.status == 0 && is_same(&whole, &again));
	if (whole.status != 0)
		printf("%s: %s", line, whole.err);
	long const count = known->allocations;
	crux_random random = crux_random_new(1, 0);
	long tried = 0;
	for (long i = 0; step > 0 ? first + i * step <= count : i < first; i++, tried++) {
		long const number = step > 0 ? first + i * step : (long)crux_random_integer(&random, 1, count);
		fail_one(line, number, i % 2 == 1 && step == 0, &whole);
		if (step > 0 && i % 16 == 0)
			fail_one(line, number, true, &whole);
	}
	for (long number = count - LAST + 1; step == 0 && number <= count; number++, tried++)
		fail_one(line, number, true, &whole);
	printf("command_allocation_test: crux %.40s: %ld of %ld allocations\n", line, tried, count);
}

static void write_file(const char *name, const char *text)
{
	char path[256];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *const file = fopen(path, "w");
	if (file) {
		fputs(text, file);
		fclose(file);
	}
}

static const char *const lines[] = {
	"fit --formula y~a+log(b) %s/data.csv -o %s/written",
	"fit --formula y~a+b %s/data.csv --fit quantile --draws 3",
	"fit --formula y~a+b %s/data.csv --fit ridge --draws 3",
	"fit %s/tuned.lua %s/data.csv --format json",
	"evaluate %s/rule.lua %s/data.csv --folds 3",
	"measure move %s/level.txt --jobs 1",
	"generate move --rule move --rating 0..9 --side 2 --tries 2 --count 1 --jobs 1 -o %s/written",
	"ablate %s/data.csv --target y --folds 3",
};

int main(int argc, char **argv)
{
	const char *const given = getenv("CRUX_TEST_FOLDER");
	snprintf(folder, sizeof folder, "%s/allocation", given ? given : "/tmp");
	known = mmap(NULL, sizeof *known, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(known != MAP_FAILED);
	char command[256];
	snprintf(command, sizeof command, "mkdir -p %s", folder);
	CHECK(system(command) == 0);
	write_file("data.csv", "level,a,b,y\n1,1,2,3\n2,2,1,5\n3,4,3,4\n4,3,5,9\n5,5,4,8\n6,6,8,14\n7,7,6,11\n8,8,9,18\n9,2,7,6\n");
	write_file("rule.lua", "return crux.rule { formula = 'y ~ a + b' }\n");
	write_file("tuned.lua", "return crux.rule { predicts = 'y', params = { k = 1, c = { 2, low = 0, high = 9 } },\n"
	                        "formula = function(v, p) return p.k * v.a + p.c end }\n");
	write_file("level.txt", "a . .\n. # .\n. . A\n");
	long const first = argc > 1 ? atol(argv[1]) : check_count(3, 12), step = argc > 2 ? atol(argv[2]) : 0;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (argc < 4 || (size_t)atol(argv[3]) == i)
			fail_each(lines[i], first, step);
	return check_summary();
}
