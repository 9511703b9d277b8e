/* linear_program.c: what is too large, the limit of iterations, and memory that ends. tests/fit/linear_program_test.lua tests the numbers. */
#include "fit/linear_program.h"

#include <dlfcn.h>
#include <limits.h>
#include <malloc.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

static void test_too_large(void)
{
	crux_linear_program const program = {.variables = INT_MAX};
	CHECK(crux_linear_program_solve(&program, NULL, NULL, NULL) == CRUX_LINEAR_TOO_LARGE);
}

/* xorshift64*; whole numbers from 0 to most. */
static double draw(unsigned long long *state, int most)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (double)((*state * 2685821657736338717ULL >> 33) % ((unsigned)most + 1));
}

static void test_limit(void)
{
	enum { N = 40 };
	double numbers[N][N], ones[N], zeros[N] = {0}, bounds[N];
	const double *matrix[N];
	unsigned long long state = 7;
	for (int row = 0; row < N; row++) {
		matrix[row] = numbers[row];
		ones[row] = -1 - draw(&state, 9);
		bounds[row] = 100;
		for (int i = 0; i < N; i++)
			numbers[row][i] = 1 + draw(&state, 9);
	}
	double lowest[N], highest[N], found[N], duals[N], value;
	for (int i = 0; i < N; i++) {
		lowest[i] = -INFINITY;
		highest[i] = INFINITY;
	}
	crux_linear_program program = {.variables = N, .rows = N, .matrix = matrix, .objective = ones, .lower = zeros,
		.upper = highest, .row_lower = lowest, .row_upper = bounds, .most_iterations = 1};
	CHECK(crux_linear_program_solve(&program, found, duals, &value) == CRUX_LINEAR_STOPPED);
	program.most_iterations = 0;
	CHECK(crux_linear_program_solve(&program, found, duals, &value) == CRUX_LINEAR_OPTIMAL);
	double sum = 0;
	for (int row = 0; row < N; row++)
		sum += duals[row] * bounds[row];
	CHECK_NEAR(value, sum, 1e-12);
}

#ifndef __SANITIZE_ADDRESS__ /* it takes address space without an end */

typedef void handler(void);

static void own_handler(void) {}

static size_t bytes_in_use(void)
{
	struct mallinfo2 const info = mallinfo2();
	return info.uordblks + info.hblkhd;
}

static size_t address_space(void)
{
	size_t pages = 0;
	FILE *const file = fopen("/proc/self/statm", "r");
	CHECK(file && fscanf(file, "%zu", &pages) == 1 && fclose(file) == 0);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Memory that ends at several steps of Clp's: the result says so, the functions of Clp free what they had, at least a copy of the
 * matrix, and the host has its handler again. */
static void test_memory(void)
{
	enum { N = 600, BYTES = N * N * (sizeof(double) + sizeof(int)) };
	double numbers[N], zeros[N] = {0}, found[N], duals[N], value;
	const double *matrix[N];
	handler *(*set_new_handler)(handler *);
	void *const symbol = dlsym(dlopen("libstdc++.so.6", RTLD_LAZY), "_ZSt15set_new_handlerPFvvE");
	memcpy(&set_new_handler, &symbol, sizeof symbol);
	for (int i = 0; i < N; i++) {
		numbers[i] = i + 1;
		matrix[i] = numbers;
	}
	crux_linear_program const program = {.variables = N, .rows = N, .matrix = matrix, .objective = numbers, .lower = zeros,
		.upper = numbers, .row_lower = zeros, .row_upper = numbers};
	crux_linear_status status = CRUX_LINEAR_NO_MEMORY;
	struct rlimit old;
	int failed = 0;
	set_new_handler(own_handler);
	getrlimit(RLIMIT_AS, &old);
	for (size_t room = BYTES; status == CRUX_LINEAR_NO_MEMORY && room < 4 * BYTES; room += BYTES / 8) {
		size_t const before = bytes_in_use();
		setrlimit(RLIMIT_AS, &(struct rlimit){address_space() + room, old.rlim_max});
		status = crux_linear_program_solve(&program, found, duals, &value);
		setrlimit(RLIMIT_AS, &old);
		failed += status == CRUX_LINEAR_NO_MEMORY;
		CHECK(bytes_in_use() < before + BYTES);
		CHECK(set_new_handler(own_handler) == own_handler);
	}
	CHECK(failed > 3 && status == CRUX_LINEAR_OPTIMAL && value == 0);
	set_new_handler(NULL);
}

#else
static void test_memory(void) {}
#endif

int main(void)
{
	test_too_large();
	test_limit();
	test_memory();
	return check_summary();
}
