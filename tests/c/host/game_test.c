/* Games and levels through the public interface: their numbers, messages, limits, and engines in several threads. */
#include <pthread.h>
#include <string.h>

#include "check.h"
#include "crux.h"

/* By hand: the ball is four squares from its goal, around the rock. */
static const char around[] = "a . .\n. # .\n. . A\n";
/* The ball cannot leave its square. */
static const char walled[] = "a # A\n";

static double measure_of(const crux_table *table, const char *name)
{
	for (size_t i = 0; i < table->columns; i++)
		if (strcmp(table->names[i], name) == 0)
			return table->values[i];
	return -1;
}

/* The rating of the rule's formula by hand: the coefficients times the measures. */
static double sum_of_terms(const crux_rule *rule, const crux_table *measures)
{
	double sum = crux_rule_term(rule, 0).estimate;
	for (size_t i = 1; i < crux_rule_terms(rule); i++)
		sum += crux_rule_term(rule, i).estimate * measure_of(measures, crux_rule_term(rule, i).name);
	return sum;
}

static void solved(crux_game *game, crux_rule *rule)
{
	static const char *const some[] = {"directions", "moves"}, *const unknown[] = {"movse"};
	crux_fault fault = {""};
	crux_solution solution;
	double rating, again;
	crux_level *level = crux_level_parse(game, around, &fault);
	CHECK(level && crux_level_solve(level, &solution, &fault));
	CHECK(solution.status == CRUX_LEVEL_SOLVED && !solution.limit && solution.length == 4);
	CHECK(strcmp(solution.text, "DDRR") == 0); /* the moves are tried in the order U, L, D, R */
	const crux_table *measures = crux_level_measure(level, some, 2, &fault);
	CHECK(measures && measures->rows == 1 && measures->columns == 2 && strcmp(measures->names[0], "directions") == 0);
	CHECK(measures->values[0] == 2 && measures->values[1] == 4);
	CHECK(!crux_level_measure(level, unknown, 1, &fault));
	CHECK(strcmp(fault.message, "game 'move': found the unknown measure 'movse'; did you mean 'moves'?") == 0);
	measures = crux_level_measure(level, NULL, 0, &fault);
	CHECK(measures && measures->columns == 6 && measure_of(measures, "size") == 9 && measure_of(measures, "rocks") == 1);
	CHECK(crux_level_rate(level, rule, &rating, &fault));
	CHECK_NEAR(rating, sum_of_terms(rule, measures), 1e-12);
	CHECK(crux_rate(rule, measures, &again, 1, &fault) && again == rating);
	CHECK(strcmp(crux_level_text(level, &fault), around) == 0);
	CHECK(crux_level_text(level, NULL) == crux_level_text(level, NULL));
	CHECK(strcmp(solution.text, "DDRR") == 0); /* the text still lives */
	crux_level_free(level);
}

static void unsolved(crux_game *game, crux_rule *rule)
{
	crux_solution solution;
	double rating = 0;
	crux_level *level = crux_level_parse(game, walled, NULL);
	CHECK(level && crux_level_solve(level, &solution, NULL));
	CHECK(solution.status == CRUX_LEVEL_UNSOLVABLE && !solution.limit && !solution.text && isnan(solution.length));
	CHECK(crux_level_rate(level, rule, &rating, NULL) && isnan(rating));
	crux_level_free(level);
}

static void failures(crux_engine *engine, crux_game *game)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
	    {"a . .\n. ? A\n", "level:2: column 3: found '?', expected '.', '#', a ball such as 'a', a goal such as 'A', or both"},
	    {"a A\n\na A\n", "level: found 2 levels, expected one"},
	    {"", "level: found 0 levels, expected one"},
	};
	crux_fault fault;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CHECK(!crux_level_parse(game, cases[i].text, &fault));
		CHECK(strcmp(fault.message, cases[i].message) == 0);
	}
	CHECK(!crux_game_load(engine, "mvoe", &fault));
	CHECK(strstr(fault.message, "found the unknown game 'mvoe'; did you mean 'move'?"));
	double rating = 7;
	crux_rule *other = crux_rule_load(engine, "flow", NULL);
	crux_level *level = crux_level_parse(game, around, NULL);
	CHECK(!crux_level_rate(level, other, &rating, &fault) && rating == 7);
	CHECK(strstr(fault.message, "level:1: ") == fault.message && strstr(fault.message, "needs the measure 'distance'"));
	crux_level_free(level);
	crux_rule_free(other);
	crux_level_free(NULL);
	crux_game_free(NULL);
}

/* The second level of `crux generate move --seed 7 --count 2 --side 3 --balls 2`, levels with given measures, and messages. */
static void generated(crux_game *game, crux_rule *rule)
{
	static const char *const options[] = {"side", "balls"}, *const wanted[] = {"size", "moves"};
	crux_table const small = {1, 2, options, (double[]){3, 2}, 2};
	crux_level *second = crux_generate(game, &(crux_order){.seed = 7, .options = &small}, 2, NULL);
	CHECK(second && strcmp(crux_level_text(second, NULL), "#  aA A\n.  .  a\n.  .  #\n") == 0);
	crux_level_free(second);
	crux_table const like = {1, 2, wanted, (double[]){9, 5}, 2};
	crux_fault fault = {""};
	crux_level *level = crux_generate(game, &(crux_order){.seed = 7, .measures = &like}, 1, &fault);
	const crux_table *measures = level ? crux_level_measure(level, NULL, 0, &fault) : NULL;
	CHECK(measures && measure_of(measures, "size") == 9 && measure_of(measures, "moves") == 5);
	crux_level *twin = crux_generate(game, &(crux_order){.seed = 7, .measures = &like}, 1, &fault);
	CHECK(twin && strcmp(crux_level_text(twin, NULL), crux_level_text(level, NULL)) == 0);
	double rating = NAN;
	CHECK(crux_level_rate(twin, rule, &rating, &fault) && isfinite(rating));
	crux_level_free(level);
	crux_level_free(twin);

	CHECK(!crux_generate(game, &(crux_order){.seed = 7}, 0, &fault));
	CHECK(strcmp(fault.message, "crux_generate: number: found 0, expected 1 or more") == 0);
	static const struct {
		const char *name;
		double value;
		bool is_option;
		const char *message;
	} cases[] = {
	    {"sdie", 3, true, "crux_generate: found the unknown option 'sdie'; did you mean 'side'?"},
	    {"side", 3.5, true, "crux_generate: option 'side': found 3.5, expected an integer"},
	    {"movse", 3, false, "crux_generate: game 'move': found the unknown measure 'movse'; did you mean 'moves'?"},
	    {"size", 10, false, "level 'move-7-1' was not made: a size of 10 is no square"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		crux_table const row = {1, 1, &cases[i].name, &cases[i].value, 1};
		crux_order const order = {.seed = 7, .options = cases[i].is_option ? &row : NULL,
		                          .measures = cases[i].is_option ? NULL : &row};
		CHECK(!crux_generate(game, &order, 1, &fault));
		CHECK(strcmp(fault.message, cases[i].message) == 0);
	}
}

/* A search that meets a limit says which one; a level keeps what is known of it. */
static void limits(crux_engine *engine, crux_rule *rule)
{
	static const struct {
		crux_search_limit limit;
		const char *name;
	} cases[] = {{{.seconds = 1e-9}, "seconds"}, {{.states = 10}, "states"}, {{.bytes = 1000}, "bytes"}};
	static const char *const names[] = {"side", "balls", "colours", "rocks"};
	crux_table const options = {1, 4, names, (double[]){6, 6, 3, 0.1}, 4};
	crux_game *game = crux_game_load(engine, "move", NULL);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		crux_solution solution;
		double rating = 0;
		crux_fault fault = {""};
		crux_game_limit(game, cases[i].limit);
		crux_level *level = crux_generate(game, &(crux_order){.seed = 3, .options = &options}, 1, &fault);
		CHECK(level && crux_level_solve(level, &solution, &fault));
		CHECK(solution.status == CRUX_LEVEL_UNKNOWN && strcmp(solution.limit, cases[i].name) == 0);
		crux_game_limit(game, (crux_search_limit){0});
		CHECK(crux_level_rate(level, rule, &rating, &fault) && isnan(rating));
		crux_level *fresh = crux_level_parse(game, crux_level_text(level, &fault), &fault);
		CHECK(fresh && crux_level_rate(fresh, rule, &rating, &fault) && isfinite(rating));
		crux_level_free(level);
		crux_level_free(fresh);
	}
	crux_game_free(game);
}

/* A script that does not end is stopped by the limit on its calls; the engine still works. */
static void endless_script(crux_engine *engine)
{
	const char *const folder = getenv("CRUX_TEST_FOLDER");
	char path[256];
	crux_fault fault = {""};
	snprintf(path, sizeof path, "%s/game_test.lua", folder ? folder : "/tmp");
	FILE *file = fopen(path, "w");
	fputs("local game = crux.game 'endless'\nfunction game.parse() while true do end end\n"
	      "function game.format() return '' end\nfunction game.solve() return { status = 'solved' } end\n"
	      "game.measure { 'size', kind = 'initial', doc = 'none', function() return 1 end }\nreturn game\n", file);
	fclose(file);
	crux_game *game = crux_game_load(engine, path, &fault);
	crux_engine_limit(engine, (crux_limit){.seconds = 0.05});
	CHECK(game && !crux_level_parse(game, "x\n", &fault));
	CHECK(strstr(fault.message, "the script ran for more than 0.05 s"));
	crux_engine_limit(engine, (crux_limit){0});
	crux_game_free(game);
	remove(path);
}

/* Rates each of several edits of a level in an engine of its own; a level outlives its game. */
static void *work(void *result)
{
	crux_engine *engine = crux_engine_new(NULL, NULL);
	crux_game *game = crux_game_load(engine, "move", NULL);
	crux_rule *rule = crux_rule_load(engine, "move", NULL);
	crux_level *level = NULL;
	char text[sizeof around];
	for (int i = 0; i < 50; i++) {
		memcpy(text, around, sizeof text);
		text[6 + 4 * (i % 2)] = '#';
		crux_level_free(level);
		level = crux_level_parse(game, text, NULL);
		if (!level || !crux_level_rate(level, rule, result, NULL))
			*(double *)result = NAN;
	}
	crux_game_free(game);
	if (!level || !crux_level_measure(level, NULL, 0, NULL))
		*(double *)result = NAN;
	crux_level_free(level);
	crux_rule_free(rule);
	crux_engine_free(engine);
	return NULL;
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
	crux_engine *engine = crux_engine_new(NULL, NULL);
	crux_game *game = crux_game_load(engine, "move", NULL);
	crux_rule *rule = crux_rule_load(engine, "move", NULL);
	solved(game, rule);
	unsolved(game, rule);
	failures(engine, game);
	generated(game, rule);
	limits(engine, rule);
	endless_script(engine);
	solved(game, rule);
	crux_rule_free(rule);
	crux_game_free(game);
	crux_engine_free(engine);
	threads();
	return check_summary();
}
