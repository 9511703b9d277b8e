/* exact_cover.c: against enumeration of all covers, against known numbers of domino tilings, and its limits. */
#include "puzzle/exact_cover.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "stats/random.h"

enum { MAX_WORDS = 4, MAX_OPTIONS = 1000, MAX_ITEMS = 64 * MAX_WORDS };

static crux_solver_limits const no_limits = {0};

typedef struct instance {
	crux_cover_problem problem;
	uint64_t masks[MAX_OPTIONS * MAX_WORDS];
} instance;

static void start(instance *p, size_t items)
{
	memset(p, 0, sizeof *p);
	p->problem.items = items;
	p->problem.masks = p->masks;
}

/* Adds the last option's next item; with `more` false the first item of a new option. */
static void add(instance *p, size_t item, bool more)
{
	p->problem.options += !more;
	p->masks[(p->problem.options - 1) * crux_cover_words(p->problem.items) + item / 64] |= (uint64_t)1 << item % 64;
}

static bool covers(const crux_cover_problem *p, size_t option, size_t item)
{
	return p->masks[option * crux_cover_words(p->items) + item / 64] >> item % 64 & 1;
}

/* All covers, from the first item on and with the options in their order: the first of a size comes first. */
typedef struct enumeration {
	const crux_cover_problem *problem;
	bool covered[MAX_ITEMS];
	size_t pieces[MAX_ITEMS], count;
	size_t fewest, first[MAX_ITEMS];
	uint64_t solutions;
} enumeration;

static void take_cover(enumeration *e)
{
	if (e->solutions == 0 || e->count < e->fewest) {
		e->solutions = 0;
		e->fewest = e->count;
		memcpy(e->first, e->pieces, e->count * sizeof *e->first);
	}
	e->solutions += e->count == e->fewest;
}

static void enumerate(enumeration *e)
{
	size_t const items = e->problem->items;
	size_t item = 0;
	while (item < items && e->covered[item])
		item++;
	if (item == items) {
		take_cover(e);
		return;
	}
	for (size_t option = 0; option < e->problem->options; option++) {
		bool fits = covers(e->problem, option, item);
		for (size_t i = 0; i < items && fits; i++)
			fits = !(e->covered[i] && covers(e->problem, option, i));
		if (!fits)
			continue;
		for (size_t i = 0; i < items; i++)
			e->covered[i] ^= covers(e->problem, option, i);
		e->pieces[e->count++] = option;
		enumerate(e);
		e->count--;
		for (size_t i = 0; i < items; i++)
			e->covered[i] ^= covers(e->problem, option, i);
	}
}

static crux_exact_cover solve_counting(const instance *p, crux_solver_limits limits, uint64_t most, size_t *pieces)
{
	crux_exact_cover result;
	crux_fault fault = {""};
	CHECK(crux_exact_cover_solve(&p->problem, limits, most, pieces, &result, &fault) && fault.message[0] == '\0');
	return result;
}

static crux_exact_cover solve(const instance *p, crux_solver_limits limits, bool count, size_t *pieces)
{
	return solve_counting(p, limits, count ? UINT64_MAX : 0, pieces);
}

/* Compares all answers with the enumeration; returns the number of covers with the fewest pieces. */
static uint64_t compare(const instance *p)
{
	static enumeration e;
	size_t pieces[MAX_ITEMS], again[MAX_ITEMS];
	memset(&e, 0, sizeof e);
	e.problem = &p->problem;
	enumerate(&e);
	crux_exact_cover const found = solve(p, no_limits, true, pieces);
	CHECK(found.outcome == (e.solutions > 0 ? CRUX_SOLVED : CRUX_UNSOLVABLE));
	CHECK(found.pieces == e.fewest && found.solutions == e.solutions && found.counted == (e.solutions > 0));
	CHECK(memcmp(pieces, e.first, e.fewest * sizeof *pieces) == 0);
	CHECK(found.statistics.generated >= found.pieces && found.statistics.backtracks == found.statistics.generated - found.pieces);
	crux_exact_cover const uncounted = solve(p, no_limits, false, again);
	CHECK(uncounted.pieces == e.fewest && !uncounted.counted && uncounted.statistics.generated == found.statistics.generated);
	CHECK(memcmp(again, e.first, e.fewest * sizeof *again) == 0);
	for (uint64_t most = 1; most <= 3; most++) /* counting up to a number stops there */
		CHECK(solve_counting(p, no_limits, most, again).solutions == (e.solutions < most ? e.solutions : most));
	return e.solutions;
}

/* Random options of up to `largest` items each, and the options of one cover when `solvable`. */
static void fill(instance *p, crux_random *random, size_t options, int largest, bool solvable)
{
	size_t const items = p->problem.items;
	for (size_t item = 0; item < items && solvable; item++)
		add(p, item, item > 0 && crux_random_integer(random, 1, largest) > 1);
	while (p->problem.options < options) {
		int const size = (int)crux_random_integer(random, 1, largest);
		for (int i = 0; i < size; i++)
			add(p, (size_t)crux_random_integer(random, 0, (int64_t)items - 1), i > 0);
	}
}

static void test_random(void)
{
	static instance p;
	crux_random random = crux_random_new(1, 0);
	int solved = 0, unsolved = 0, several = 0;
	for (int i = 0; i < 3000; i++) {
		start(&p, (size_t)crux_random_integer(&random, 1, 12));
		fill(&p, &random, (size_t)crux_random_integer(&random, 1, 24), (int)crux_random_integer(&random, 1, 5), i % 2 == 0);
		uint64_t const solutions = compare(&p);
		solved += solutions > 0;
		unsolved += solutions == 0;
		several += solutions > 1;
	}
	CHECK(solved > 1500 && unsolved > 500 && several > 500);
	for (int i = 0; i < 300; i++) { /* options of two items each */
		start(&p, 2 * (size_t)crux_random_integer(&random, 1, 5));
		for (int64_t k = crux_random_integer(&random, 8, 24); k > 0; k--) {
			size_t const item = (size_t)crux_random_integer(&random, 0, (int64_t)p.problem.items - 1);
			add(&p, item, false);
			add(&p, (item + (size_t)crux_random_integer(&random, 1, (int64_t)p.problem.items - 1)) % p.problem.items, true);
		}
		compare(&p);
	}
	for (int i = 0; i < 100; i++) { /* sets of several words */
		start(&p, (size_t)crux_random_integer(&random, 60, 200));
		fill(&p, &random, p.problem.items / 2 + 10, 6, true);
		compare(&p);
	}
}

/* All places of one domino on a grid. */
static void fill_dominoes(instance *p, size_t width, size_t height)
{
	start(p, width * height);
	for (size_t item = 0; item < width * height; item++) {
		if (item % width + 1 < width) {
			add(p, item, false);
			add(p, item + 1, true);
		}
		if (item + width < width * height) {
			add(p, item, false);
			add(p, item + width, true);
		}
	}
}

/* Tilings of squares by dominoes: OEIS A004003. */
static void test_dominoes(void)
{
	static uint64_t const tilings[] = {2, 36, 6728, 12988816, UINT64_C(258584046368)};
	static instance p;
	size_t pieces[MAX_ITEMS];
	for (size_t half = 1; half <= 5; half++) {
		fill_dominoes(&p, 2 * half, 2 * half);
		crux_exact_cover const found = solve(&p, no_limits, true, pieces);
		CHECK(found.outcome == CRUX_SOLVED && found.pieces == 2 * half * half);
		CHECK(found.counted && found.solutions == tilings[half - 1]);
		for (size_t i = 0; i < half; i++)
			CHECK(covers(&p.problem, pieces[i], 2 * i) && covers(&p.problem, pieces[i], 2 * i + 1)); /* lying, on top */
	}
	fill_dominoes(&p, 5, 5);
	CHECK(solve(&p, no_limits, true, pieces).outcome == CRUX_UNSOLVABLE);
}

/* Corners of three items, with two covers each: 2^n covers. */
static void fill_corners(instance *p, size_t corners)
{
	start(p, 3 * corners);
	for (size_t i = 0; i < 3 * corners; i += 3) {
		for (size_t k = 0; k < 3; k++)
			add(p, i + k, false);
		for (size_t k = 0; k < 2; k++) {
			add(p, i + k, false);
			add(p, i + k + 1, true);
		}
	}
}

static void test_overflow(void)
{
	static instance p;
	size_t pieces[MAX_ITEMS];
	for (size_t corners = 61; corners <= 65; corners++) {
		fill_corners(&p, corners);
		crux_exact_cover const found = solve(&p, no_limits, true, pieces);
		CHECK(found.pieces == 2 * corners && found.counted);
		CHECK(found.solutions == (corners < 64 ? UINT64_C(1) << corners : UINT64_MAX));
		CHECK(pieces[0] == 0 && pieces[1] == 4); /* the lone first item comes before the pair */
	}
}

static void test_statistics(void)
{
	static instance p;
	size_t pieces[MAX_ITEMS];
	start(&p, 0);
	crux_exact_cover found = solve(&p, no_limits, true, pieces);
	CHECK(found.outcome == CRUX_SOLVED && found.pieces == 0 && found.solutions == 1 && found.statistics.generated == 0);
	start(&p, 3);
	found = solve(&p, no_limits, true, pieces);
	CHECK(found.outcome == CRUX_UNSOLVABLE && found.statistics.expanded == 0);
	/* { 0 1 } { 1 2 } { 2 3 } { 0 } { 3 }: 0 + 12 + 3 would be three; 01 + 23 is met at once */
	for (size_t i = 0; i < 3; i++) {
		if (i == 0)
			start(&p, 4);
		add(&p, i, false);
		add(&p, i + 1, true);
	}
	add(&p, 0, false);
	add(&p, 3, false);
	found = solve(&p, no_limits, true, pieces);
	CHECK(found.pieces == 2 && found.solutions == 1 && pieces[0] == 0 && pieces[1] == 2);
	CHECK(found.statistics.expanded == 2 && found.statistics.generated == 2 && found.statistics.backtracks == 0);
}

static void test_limits(void)
{
	static instance p;
	size_t pieces[MAX_ITEMS];
	fill_dominoes(&p, 15, 15); /* an odd number of items: only all of the search shows that there is no cover */
	crux_exact_cover found = solve(&p, (crux_solver_limits){.nodes = 1000}, true, pieces);
	CHECK(found.outcome == CRUX_LIMIT_NODES && found.statistics.generated == 1000 && !found.counted);
	found = solve(&p, (crux_solver_limits){.seconds = 1e-3}, true, pieces);
	CHECK(found.outcome == CRUX_LIMIT_SECONDS);
	found = solve(&p, (crux_solver_limits){.bytes = 100000}, true, pieces);
	CHECK(found.outcome == CRUX_LIMIT_BYTES);
	fill_corners(&p, 10); /* a corner: 0, 1 in vain and 12; to count, 01 and 2 as well */
	found = solve(&p, (crux_solver_limits){.nodes = 50}, true, pieces);
	CHECK(found.outcome == CRUX_SOLVED && found.counted && found.statistics.generated == 30 && found.statistics.backtracks == 10);
	found = solve(&p, (crux_solver_limits){.nodes = 49}, true, pieces);
	CHECK(found.outcome == CRUX_SOLVED && !found.counted && found.pieces == 20);
}

static void test_wrong_problems(void)
{
	static instance p;
	size_t pieces[MAX_ITEMS];
	crux_exact_cover result;
	crux_fault fault = {""};
	start(&p, 3);
	p.problem.options = 1;
	CHECK(!crux_exact_cover_solve(&p.problem, no_limits, 0, pieces, &result, &fault));
	CHECK(strcmp(fault.message, "option 1: expected items from 1 to 3, at least one") == 0);
	add(&p, 3, true);
	CHECK(!crux_exact_cover_solve(&p.problem, no_limits, 0, pieces, &result, &fault));
	p.problem.items = CRUX_COVER_MAX_ITEMS + 1;
	CHECK(!crux_exact_cover_solve(&p.problem, no_limits, 0, pieces, &result, &fault));
	CHECK(strncmp(fault.message, "found 1025 items and 1 options, expected at most 1024", 53) == 0);
}

int main(void)
{
	test_random();
	test_dominoes();
	test_overflow();
	test_statistics();
	test_limits();
	test_wrong_problems();
	return check_summary();
}
