/* Rates a level at each edit: editor GAME LEVEL < EDITS. Each line of the edits is the number of a line of the level and its new
 * text. The rule has the game's name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <crux.h>

enum { LINES = 100, WIDTH = 256 };

typedef char document[LINES][WIDTH]; /* each line ends with a line break, unused ones are empty */

static double milliseconds(void)
{
	struct timespec now;
	timespec_get(&now, TIME_UTC);
	return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

/* Prints the measures and the rating of a level, or why there is none. */
static void judge(crux_game *game, crux_rule *rule, const char *text)
{
	crux_fault fault;
	crux_solution solution;
	const crux_table *measures = NULL;
	double rating;
	crux_level *level = crux_level_parse(game, text, &fault);
	if (!level || !crux_level_solve(level, &solution, &fault) || !(measures = crux_level_measure(level, NULL, 0, &fault)) ||
	    !crux_level_rate(level, rule, &rating, &fault)) {
		printf("wrong: %s", fault.message);
	} else if (solution.status == CRUX_LEVEL_UNSOLVABLE) {
		printf("unsolvable: no solution exists");
	} else if (solution.status == CRUX_LEVEL_UNKNOWN) {
		printf("not solved: the limit on %s was met", solution.limit);
	} else {
		printf("rating %.2f:", rating);
		for (size_t i = 0; i < measures->columns; i++)
			printf(" %s %g", measures->names[i], measures->values[i]);
	}
	crux_level_free(level);
}

/* Judges the level in the document, and then after each edit. */
static void edit(crux_game *game, crux_rule *rule, document lines)
{
	char input[WIDTH + 16], text[LINES * WIDTH];
	do {
		double const start = milliseconds();
		text[0] = '\0';
		for (size_t i = 0; i < LINES; i++)
			strcat(text, lines[i]);
		judge(game, rule, text);
		printf(" (%.2f ms)\n", milliseconds() - start);
		fflush(stdout);
		char *rest;
		size_t number = 0;
		while (number < 1 || number > LINES) {
			if (!fgets(input, sizeof input, stdin))
				return;
			number = strtoul(input, &rest, 10);
		}
		snprintf(lines[number - 1], WIDTH, "%s", rest + strspn(rest, " "));
	} while (true);
}

static bool read_level(const char *path, document lines)
{
	FILE *file = fopen(path, "r");
	if (!file) {
		perror(path);
		return false;
	}
	for (size_t i = 0; i < LINES && fgets(lines[i], WIDTH, file); i++)
		continue;
	fclose(file);
	return true;
}

int main(int count, char **words)
{
	static document lines;
	crux_fault fault = {"usage: editor GAME LEVEL < EDITS"};
	crux_engine *engine = count == 3 ? crux_engine_new(NULL, &fault) : NULL;
	crux_game *game = engine ? crux_game_load(engine, words[1], &fault) : NULL;
	crux_rule *rule = game ? crux_rule_load(engine, words[1], &fault) : NULL;
	bool const ready = rule && read_level(words[2], lines);
	if (ready) {
		crux_game_limit(game, (crux_search_limit){.seconds = 1, .bytes = (size_t)256 << 20});
		edit(game, rule, lines);
	} else if (!rule) {
		fprintf(stderr, "%s\n", fault.message);
	}
	crux_rule_free(rule);
	crux_game_free(game);
	crux_engine_free(engine);
	return ready ? EXIT_SUCCESS : EXIT_FAILURE;
}
