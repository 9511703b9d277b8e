/* The public interface: rating, fitting, saving, messages, limits of scripts, and engines in several threads. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "crux.h"

static const char *const names[] = {"x", "y", "w"};
/* y on x = 0..3 by hand: slope 1.1, intercept 1.1, rss 2.7 on 2 degrees of freedom. The last row lacks y. */
static double const values[] = {0, 1, 2, 3, 4, 1, 3, 2, 5, NAN, 1, 1, 1, 1, 1};
static crux_table const table = {5, 3, names, values, 15};

static char *path_of(char path[256], const char *name)
{
	const char *const folder = getenv("CRUX_TEST_FOLDER");
	snprintf(path, 256, "%s/%s", folder ? folder : "/tmp", name);
	return path;
}

static void fit_and_rate(crux_engine *engine)
{
	crux_fault fault = {""};
	crux_summary summary;
	double ratings[5];
	crux_rule *rule = crux_rule_from_formula(engine, "y ~ x", "w", &fault);
	CHECK(rule && crux_rule_terms(rule) == 2);
	CHECK(isnan(crux_rule_term(rule, 0).estimate));
	CHECK(!crux_rate(rule, &table, ratings, 5, &fault));
	CHECK(strstr(fault.message, "found no coefficients") != NULL);
	CHECK(crux_fit(rule, &table, &summary, &fault));
	CHECK(summary.n == 4 && summary.df == 2);
	CHECK_NEAR(summary.sigma, sqrt(1.35), 1e-14);
	CHECK_NEAR(summary.r_squared, 6.05 / 8.75, 1e-14);
	CHECK_NEAR(summary.f, 6.05 / 1.35, 1e-13);
	CHECK(strcmp(crux_rule_term(rule, 0).name, "(intercept)") == 0 && strcmp(crux_rule_term(rule, 1).name, "x") == 0);
	CHECK_NEAR(crux_rule_term(rule, 1).estimate, 1.1, 1e-15);
	CHECK_NEAR(crux_rule_term(rule, 1).std_error, sqrt(1.35 * 0.2), 1e-14);
	CHECK_NEAR(crux_rule_term(rule, 1).t, 1.1 / sqrt(1.35 * 0.2), 1e-14);
	CHECK(crux_rate(rule, &table, ratings, 5, &fault));
	CHECK_NEAR(ratings[4], 5.5, 1e-15);

	char path[256];
	CHECK(crux_rule_save(rule, path_of(path, "engine_test.lua"), &fault));
	crux_rule *loaded = crux_rule_load(engine, path, &fault);
	CHECK(loaded && crux_rule_term(loaded, 1).estimate == crux_rule_term(rule, 1).estimate);
	CHECK(isnan(crux_rule_term(loaded, 1).std_error));
	remove(path);
	crux_rule_free(loaded);

	crux_table const short_table = {1, 3, names, (double[]){1, 2, 1}, 3};
	CHECK(!crux_fit(rule, &short_table, NULL, &fault));
	CHECK(strcmp(fault.message, "table: found 1 complete row, expected at least as many as the formula has terms, 2; "
	                             "fits that do with fewer: ridge, lasso, elastic-net") == 0);
	CHECK_NEAR(crux_rule_term(rule, 1).estimate, 1.1, 1e-15); /* unchanged */
	crux_rule_free(rule);
}

static void failures(crux_engine *engine)
{
	static const struct {
		const char *formula, *message;
	} cases[] = {
	    {"y ~ x +", "formula 'y ~ x +': column 8: found the end of the formula"},
	    {"y ~ sin(x)", "formula 'y ~ sin(x)': column 5: found the unknown function 'sin'"},
	    {"z ~ x", "table:1: formula 'z ~ x' needs the target 'z'"},
	    {"y ~ xx", "table:1: formula 'y ~ xx' needs the measure 'xx', which is not among the columns; did you mean 'x'?"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		crux_fault fault = {""};
		crux_rule *rule = crux_rule_from_formula(engine, cases[i].formula, NULL, &fault);
		CHECK(!rule || !crux_fit(rule, &table, NULL, &fault));
		CHECK(strncmp(fault.message, cases[i].message, strlen(cases[i].message)) == 0);
		crux_rule_free(rule);
	}
	crux_fault fault = {""};
	CHECK(!crux_rule_load(engine, "no/such.lua", &fault));
	CHECK(strstr(fault.message, "no/such.lua: ") == fault.message);
	CHECK(!crux_rule_load(engine, "no/such.lua", NULL));
	CHECK(!crux_engine_new("/no/such/home", &fault));
	CHECK(strstr(fault.message, "/no/such/home: ") == fault.message);
	crux_engine_free(NULL);
	crux_rule_free(NULL);
}

/* Rates the same level many times, in an engine of its own. */
static void *work(void *result)
{
	static const char *const measures[] = {"size", "colours", "distance", "corners"};
	static double const level[] = {25, 5, 3.6, 5};
	crux_table const levels = {1, 4, measures, level, 4};
	double rating = NAN;
	crux_engine *engine = crux_engine_new(NULL, NULL);
	crux_rule *rule = engine ? crux_rule_load(engine, "flow", NULL) : NULL;
	for (int i = 0; rule && i < 200; i++)
		if (!crux_rate(rule, &levels, &rating, 1, NULL))
			rating = NAN;
	crux_rule_free(rule);
	crux_engine_free(engine);
	*(double *)result = rating;
	return NULL;
}

/* A rating function that exceeds a limit fails, whatever it catches; the engine still works. */
static void limits(crux_engine *engine)
{
	static const struct {
		crux_limit limit;
		const char *message;
	} cases[] = {
		{{.seconds = 0.05}, ":3: the script ran for more than 0.05 s"},
		{{.instructions = 0.1}, ":3: the script took more than 0.1 million instructions"},
		{{.megabytes = 40}, ":3: the script took more than 40 MB"},
	};
	crux_fault fault = {""};
	double ratings[5];
	char path[256];
	FILE *file = fopen(path_of(path, "limit_test.lua"), "w");
	fputs("local kept = {}\nlocal function grow()\n  while true do kept[#kept % 1e6 + 1] = {} end\nend\n"
	      "return crux.rule { formula = function() while true do pcall(grow) end end }\n", file);
	fclose(file);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		crux_engine_limit(engine, cases[i].limit);
		crux_rule *rule = crux_rule_load(engine, path, &fault);
		CHECK(rule && !crux_rate(rule, &table, ratings, 5, &fault));
		CHECK(strstr(fault.message, cases[i].message) && strncmp(fault.message, path, strlen(path)) == 0);
		crux_rule_free(rule);
	}
	remove(path);
	crux_engine_limit(engine, (crux_limit){0});
}

static void threads(void)
{
	pthread_t ids[4];
	double ratings[4];
	for (int i = 0; i < 4; i++)
		CHECK(pthread_create(&ids[i], NULL, work, &ratings[i]) == 0);
	for (int i = 0; i < 4; i++)
		pthread_join(ids[i], NULL);
	CHECK(isfinite(ratings[0]));
	for (int i = 1; i < 4; i++)
		CHECK(ratings[i] == ratings[0]);
}

int main(void)
{
	crux_fault fault = {""};
	crux_engine *engine = crux_engine_new(NULL, &fault);
	CHECK(engine != NULL);
	fit_and_rate(engine);
	failures(engine);
	limits(engine);
	fit_and_rate(engine);
	crux_engine_free(engine);
	threads();
	return check_summary();
}
