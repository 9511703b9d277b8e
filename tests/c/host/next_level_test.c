/* crux_next_level: the choice for records by hand, and what it refuses. */
#include <math.h>
#include <stdint.h>

#include "check.h"
#include "crux.h"
#include "host/refuses.h"

static double const difficulties[] = {0, -1, -2, -1};
static crux_play const plays[] = {{1, true}, {1, false}};

/* By hand: without plays the chance at -1 is 1 / (1 + exp(-1 / sqrt(1 + 3 / pi^2))), and that of 0.7 is at
 * -log(0.7 / 0.3) * sqrt(1 + 3 / pi^2). */
static void choices(crux_engine *engine)
{
	crux_next next;
	CHECK(crux_next_level(engine, &(crux_record){.difficulties = difficulties, .levels = 4}, &next, NULL) && next.level == 1);
	CHECK_NEAR(next.chance, 0.705935, 1e-6);
	CHECK_NEAR(next.difficulty, -0.967540, 1e-6);
	crux_record record = {difficulties, 4, plays, 1, 0.5, 2};
	CHECK(crux_next_level(engine, &record, &next, NULL) && next.level == 0);
	crux_next again;
	record.count = 2; /* the second play is of the same level */
	CHECK(crux_next_level(engine, &record, &again, NULL) && again.level == 0 && again.chance == next.chance);
	CHECK(next.difficulty > 0); /* who solved a level is better than an average player */
	CHECK(crux_next_level(engine, &(crux_record){0}, &next, NULL) && next.level == 0 && isnan(next.chance));
}

static void failures(crux_engine *engine)
{
	crux_next next = {7, 7, 7};
	crux_record const record = {difficulties, 1, plays, 2, 0, 0};
	REFUSES(crux_next_level(NULL, &record, &next, &fault), "crux_next_level: found NULL, expected an engine");
	REFUSES(crux_next_level(engine, NULL, &next, &fault), "crux_next_level: found NULL, expected a record");
	REFUSES(crux_next_level(engine, &record, NULL, &fault), "crux_next_level: found NULL, expected a place for the next level");
	REFUSES(crux_next_level(engine, &(crux_record){.levels = 2}, &next, &fault),
	        "crux_next_level: found NULL, expected an array of 2 difficulties");
	REFUSES(crux_next_level(engine, &(crux_record){.count = 2}, &next, &fault),
	        "crux_next_level: found NULL, expected an array of 2 plays");
	REFUSES(crux_next_level(engine, &record, &next, &fault), "crux_next_level: play 1: found level 1, expected less than 1");
	REFUSES(crux_next_level(engine, &(crux_record){(double[]){INFINITY}, 1, NULL, 0, 0, 0}, &next, &fault),
	        "crux_next_level: difficulty 1: found Inf, expected a finite number");
	REFUSES(crux_next_level(engine, &(crux_record){difficulties, 4, NULL, 0, 1, 0}, &next, &fault),
	        "crux_next_level: success: found 1, expected a number between 0 and 1");
	REFUSES(crux_next_level(engine, &(crux_record){difficulties, 4, NULL, 0, 0, -1}, &next, &fault),
	        "crux_next_level: spread: found -1, expected a number between 0 and 1e6");
	CHECK(next.level == 7 && next.chance == 7 && next.difficulty == 7);
}

int main(void)
{
	crux_engine *engine = crux_engine_new(NULL, NULL);
	choices(engine);
	failures(engine);
	crux_engine_free(engine);
	return check_summary();
}
