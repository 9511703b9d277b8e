/* Rates a level from C: cc embed.c -lcrux, see README.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <crux.h>

static int fail(const crux_fault *fault)
{
	fprintf(stderr, "%s\n", fault->message);
	return EXIT_FAILURE;
}

int main(void)
{
	static const char *const names[] = {"size", "colours", "distance", "corners"};
	/* Two levels, column after column; NAN is a missing measure. */
	static const double values[] = {25, 81, 5, 9, 3.6, 6.2, 5, NAN};
	crux_table const levels = {.rows = 2, .columns = 4, .names = names, .values = values, .length = 8};
	double ratings[2];
	crux_fault fault;

	crux_engine *engine = crux_engine_new(NULL, &fault);
	if (!engine)
		return fail(&fault);
	crux_rule *rule = crux_rule_load(engine, "flow", &fault);
	if (!rule || !crux_rate(rule, &levels, ratings, 2, &fault)) {
		crux_rule_free(rule);
		crux_engine_free(engine);
		return fail(&fault);
	}
	for (size_t i = 0; i < crux_rule_terms(rule); i++) {
		crux_term const term = crux_rule_term(rule, i);
		printf("%+.4f %s\n", term.estimate, term.name);
	}
	for (size_t row = 0; row < levels.rows; row++)
		printf(isnan(ratings[row]) ? "level %zu: no rating, a measure is missing\n" : "level %zu: %.2f\n", row + 1,
		       ratings[row]);
	crux_rule_free(rule);
	crux_engine_free(engine);
	return EXIT_SUCCESS;
}
