/* What functions of crux.h refuse: NULL, arrays that are too short, tables that are too large, names alike; and what they take:
 * arrays that overlap, lengths of 0. */
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "crux.h"
#include "host/refuses.h"

static const char *const names[] = {"x", "y"}, *const twice[] = {"x", "x"}, *const hole[] = {"x", NULL};
static double const values[] = {0, 1, 2, 3, 1, 3, 2, 4}; /* y on x by hand: 1.3 + 0.8 x */
static crux_table const table = {4, 2, names, values, 8};

static void nothing(crux_engine *engine, crux_game *game, crux_level *level, crux_rule *rule)
{
	double ratings[4];
	crux_solution solution;
	REFUSES(crux_rule_load(NULL, "flow", &fault), "crux_rule_load: found NULL, expected an engine");
	REFUSES(crux_rule_load(engine, NULL, &fault), "crux_rule_load: found NULL, expected a path");
	REFUSES(crux_rule_from_formula(NULL, "y ~ x", NULL, &fault), "crux_rule_from_formula: found NULL, expected an engine");
	REFUSES(crux_rule_from_formula(engine, NULL, NULL, &fault), "crux_rule_from_formula: found NULL, expected a formula");
	REFUSES(crux_rate(NULL, &table, ratings, 4, &fault), "crux_rate: found NULL, expected a rule");
	REFUSES(crux_rate(rule, NULL, ratings, 4, &fault), "crux_rate: found NULL, expected a table");
	REFUSES(crux_rate(rule, &table, NULL, 4, &fault), "crux_rate: found NULL, expected an array of 4 ratings");
	REFUSES(crux_fit(NULL, &table, NULL, &fault), "crux_fit: found NULL, expected a rule");
	REFUSES(crux_fit(rule, NULL, NULL, &fault), "crux_fit: found NULL, expected a table");
	REFUSES(crux_rule_save(NULL, "rule.lua", &fault), "crux_rule_save: found NULL, expected a rule");
	REFUSES(crux_rule_save(rule, NULL, &fault), "crux_rule_save: found NULL, expected a path");
	REFUSES(crux_game_load(NULL, "move", &fault), "crux_game_load: found NULL, expected an engine");
	REFUSES(crux_game_load(engine, NULL, &fault), "crux_game_load: found NULL, expected a path");
	REFUSES(crux_level_parse(NULL, "a A\n", &fault), "crux_level_parse: found NULL, expected a game");
	REFUSES(crux_level_parse(game, NULL, &fault), "crux_level_parse: found NULL, expected the text of a level");
	REFUSES(crux_generate(NULL, &(crux_order){0}, 1, &fault), "crux_generate: found NULL, expected a game");
	REFUSES(crux_generate(game, NULL, 1, &fault), "crux_generate: found NULL, expected an order");
	REFUSES(crux_level_solve(NULL, &solution, &fault), "crux_level_solve: found NULL, expected a level");
	REFUSES(crux_level_solve(level, NULL, &fault), "crux_level_solve: found NULL, expected a place for the solution");
	REFUSES(crux_level_measure(NULL, NULL, 0, &fault), "crux_level_measure: found NULL, expected a level");
	REFUSES(crux_level_measure(level, NULL, 1, &fault), "crux_level_measure: found NULL, expected an array of 1 names");
	REFUSES(crux_level_measure(level, hole, 2, &fault), "crux_level_measure: found NULL, expected the name of measure 2");
	REFUSES(crux_level_rate(NULL, rule, ratings, &fault), "crux_level_rate: found NULL, expected a level");
	REFUSES(crux_level_rate(level, NULL, ratings, &fault), "crux_level_rate: found NULL, expected a rule");
	REFUSES(crux_level_rate(level, rule, NULL, &fault), "crux_level_rate: found NULL, expected a place for the rating");
	REFUSES(crux_level_text(NULL, &fault), "crux_level_text: found NULL, expected a level");
	crux_engine_free(NULL);
	crux_engine_limit(NULL, (crux_limit){0});
	crux_game_limit(NULL, (crux_search_limit){0});
	CHECK(crux_rule_terms(NULL) == 0 && !crux_rule_term(NULL, 0).name);
	CHECK(!crux_rate(NULL, NULL, NULL, 0, NULL));
}

static void tables(crux_rule *rule, crux_game *game)
{
	static const struct {
		crux_table table;
		const char *message;
	} cases[] = {
	    {{4, 2, names, values, 7}, ": found an array of 7 values, expected at least 8"},
	    {{4, 2, names, NULL, 8}, ": found NULL, expected an array of 8 values"},
	    {{4, 2, NULL, values, 8}, ": found NULL, expected an array of 2 names"},
	    {{4, 2, hole, values, 8}, ": found NULL, expected the name of column 2"},
	    {{1000000001, 2, names, values, 8},
	     ": found a table of 1000000001 rows and 2 columns, expected at most 1000000000 and 100000"},
	    {{0, 100001, names, NULL, 0}, ": found a table of 0 rows and 100001 columns, expected at most 1000000000 and 100000"},
	};
	char message[200];
	double ratings[4] = {7, 7, 7, 7};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(message, sizeof message, "crux_rate%s", cases[i].message);
		REFUSES(crux_rate(rule, &cases[i].table, ratings, 4, &fault), message);
		snprintf(message, sizeof message, "crux_fit%s", cases[i].message);
		REFUSES(crux_fit(rule, &cases[i].table, NULL, &fault), message);
	}
	REFUSES(crux_rate(rule, &table, ratings, 3, &fault), "crux_rate: found an array of 3 ratings, expected at least 4");
	REFUSES(crux_fit(rule, &(crux_table){4, 2, twice, values, 8}, NULL, &fault),
	        "table: found two columns 'x', expected different names");
	REFUSES(crux_generate(game, &(crux_order){.options = &table}, 1, &fault),
	        "crux_generate: found a table of 4 rows, expected one row");
	REFUSES(crux_generate(game, &(crux_order){.measures = &(crux_table){1, 2, names, values, 1}}, 1, &fault),
	        "crux_generate: found an array of 1 values, expected at least 2");
	REFUSES(crux_generate(game, &(crux_order){.options = &(crux_table){1, 2, hole, values, 2}}, 1, &fault),
	        "crux_generate: found NULL, expected the name of column 2");
	CHECK(ratings[0] == 7 && ratings[3] == 7);
}

/* A rule of another engine is another object there; a place beyond the terms has none. */
static void objects(crux_level *level, crux_rule *rule)
{
	double rating = 7;
	crux_engine *other = crux_engine_new(NULL, NULL);
	crux_rule *stranger = crux_rule_load(other, "move", NULL);
	REFUSES(crux_level_rate(level, stranger, &rating, &fault),
	        "crux_level_rate: found a rule of another engine, expected one of the level's engine");
	CHECK(rating == 7);
	crux_rule_free(stranger);
	crux_engine_free(other);
	size_t const beyond[] = {crux_rule_terms(rule), SIZE_MAX};
	for (size_t i = 0; i < 2; i++) {
		crux_term const term = crux_rule_term(rule, beyond[i]);
		CHECK(!term.name && isnan(term.estimate) && isnan(term.std_error) && isnan(term.t) && isnan(term.p));
	}
}

/* Ratings may overwrite the values, and a fault the text of the next call; empty tables and lists of names are right. */
static void overlaps(crux_engine *engine, crux_level *level, crux_rule *rule)
{
	static const char *const level_and_x[] = {"level", "x"};
	double own[] = {0, 1, 2, 3, 1, 3, 2, 4};
	crux_table const over = {4, 2, names, own, 8};
	crux_fault problem = {"y ~ "};
	CHECK(!crux_rule_from_formula(engine, problem.message, problem.message, &problem));
	CHECK(strncmp(problem.message, "formula 'y ~ ': column 5: ", 26) == 0);
	REFUSES(crux_engine_new("a\n\xff\u00e9", &fault), "a??\u00e9: found no lua/crux in it, expected the home folder of crux");
	CHECK(crux_fit(rule, &over, (crux_summary *)own, &problem));
	CHECK_NEAR(crux_rule_term(rule, 1).estimate, 0.8, 1e-15);
	memcpy(own, values, sizeof own);
	CHECK(crux_rate(rule, &over, own, 8, &problem) && own[4] == 1 && own[7] == 4);
	for (int i = 0; i < 4; i++)
		CHECK_NEAR(own[i], 1.3 + 0.8 * i, 1e-15);
	CHECK(crux_rate(rule, &(crux_table){0, 2, names, NULL, 0}, NULL, 0, &problem));
	const crux_table *measures = crux_level_measure(level, names, 0, &problem);
	CHECK(measures && measures->columns == 0 && measures->rows == 1);
	measures = crux_level_measure(level, NULL, 0, &problem);
	size_t const columns = measures->columns;
	measures = crux_level_measure(level, measures->names, columns, &problem);
	CHECK(measures && measures->columns == columns && measures->length == columns && columns == 6);
	CHECK(crux_rate(rule, &(crux_table){1, 2, level_and_x, (double[]){9, 2}, 2}, own, 1, &problem));
	CHECK_NEAR(own[0], 2.9, 1e-15);
}

/* A column of the name `level` is a measure like others, also for a rule that is a function. */
static void column_level(crux_engine *engine)
{
	static const char *const level[] = {"level"};
	const char *const folder = getenv("CRUX_TEST_FOLDER");
	char path[256];
	double rating = 0;
	crux_fault problem = {""};
	snprintf(path, sizeof path, "%s/arguments_test.lua", folder ? folder : "/tmp");
	FILE *file = fopen(path, "w");
	fputs("return crux.rule { formula = function(measures) return 2 * measures.level end }\n", file);
	fclose(file);
	crux_rule *rule = crux_rule_load(engine, path, &problem);
	CHECK(rule && crux_rate(rule, &(crux_table){1, 1, level, (double[]){4}, 1}, &rating, 1, &problem) && rating == 8);
	CHECK(*problem.message == '\0');
	crux_rule_free(rule);
	remove(path);
}

/* The greatest numbers count as the greatest that crux knows. */
static void huge(crux_game *game)
{
	crux_search_limit const most = {INFINITY, SIZE_MAX, SIZE_MAX}, none = {NAN, 0, 0};
	crux_order const order = {.seed = SIZE_MAX, .changes = SIZE_MAX};
	crux_solution solution;
	crux_game_limit(game, most);
	crux_level *level = crux_generate(game, &order, SIZE_MAX, NULL);
	crux_level *same = crux_generate(game, &(crux_order){.seed = INT64_MAX}, INT64_MAX, NULL);
	CHECK(level && same && strcmp(crux_level_text(level, NULL), crux_level_text(same, NULL)) == 0);
	CHECK(crux_level_solve(level, &solution, NULL) && solution.status == CRUX_LEVEL_SOLVED);
	crux_game_limit(game, none);
	crux_level_free(level);
	crux_level_free(same);
}

int main(void)
{
	crux_engine *engine = crux_engine_new(NULL, NULL);
	crux_game *game = crux_game_load(engine, "move", NULL);
	crux_level *level = crux_level_parse(game, "a . .\n. # .\n. . A\n", NULL);
	crux_rule *rule = crux_rule_from_formula(engine, "y ~ x", NULL, NULL);
	CHECK(game && level && rule);
	nothing(engine, game, level, rule);
	tables(rule, game);
	objects(level, rule);
	overlaps(engine, level, rule);
	column_level(engine);
	huge(game);
	crux_rule_free(rule);
	crux_level_free(level);
	crux_game_free(game);
	crux_engine_free(engine);
	return check_summary();
}
