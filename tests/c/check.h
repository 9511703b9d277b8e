/* The C tests' few words: CHECK, CHECK_NEAR and a count of both at the end. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int checks_passed, checks_failed;

static inline void check_report(bool holds, const char *file, int line, const char *text)
{
	if (holds) {
		checks_passed++;
		return;
	}
	checks_failed++;
	printf("%s:%d: does not hold: %s\n", file, line, text);
}

static inline void check_near(double found, double expected, double relative, const char *file, int line, const char *text)
{
	bool const holds = found == expected || fabs(found - expected) <= relative * fabs(expected);
	check_report(holds, file, line, text);
	if (!holds)
		printf("  found %.17g, expected %.17g within %g relative\n", found, expected, relative);
}

#define CHECK(condition) check_report((condition), __FILE__, __LINE__, #condition)
#define CHECK_NEAR(found, expected, relative) check_near((found), (expected), (relative), __FILE__, __LINE__, #found)

/* The second count in make test-long, which sets CRUX_TEST_LONG, else the first. */
static inline int check_count(int few, int all) { return getenv("CRUX_TEST_LONG") ? all : few; }

/* The next word of Marsaglia's xorshift; the state is not 0. */
static inline uint64_t check_word(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

/* The last call of main: prints "N passed, N failed", gives the exit status. */
static inline int check_summary(void)
{
	printf("%d passed, %d failed\n", checks_passed, checks_failed);
	return checks_failed ? 1 : 0;
}
