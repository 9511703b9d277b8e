/* crux_pool: levels of Move that are made ahead and taken, and what is refused. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "crux.h"
#include "host/refuses.h"

static void takes(crux_game *game, crux_rule *rule)
{
	crux_pool *const pool = crux_pool_new(game, rule, &(crux_curve){2, 3, 3, 1}, NULL);
	REFUSES(crux_pool_take(pool, 2, 0, &fault), "crux_pool_take: found no level, expected a pool that was filled");
	size_t missing = 7;
	CHECK(crux_pool_fill(pool, 0, &missing, NULL) && missing == 3);
	CHECK(crux_pool_fill(pool, 600, &missing, NULL) && missing == 0);
	crux_level *const first = crux_pool_take(pool, 2.5, 600, NULL), *const second = crux_pool_take(pool, 2.5, 600, NULL);
	double rating = 0;
	CHECK(crux_level_rate(first, rule, &rating, NULL));
	CHECK_NEAR(rating, 2.5, 0.05);
	CHECK(crux_level_rate(second, rule, &rating, NULL));
	CHECK_NEAR(rating, 2.5, 0.05);
	CHECK(strcmp(crux_level_text(first, NULL), crux_level_text(second, NULL)) != 0);
	CHECK(crux_pool_fill(pool, 600, NULL, NULL));
	crux_pool_free(pool);
	crux_level_free(first);
	crux_level_free(second);
}

static void refuses(crux_game *game, crux_rule *rule)
{
	crux_curve const curve = {2, 3, 3, 1};
	crux_engine *const other = crux_engine_new(NULL, NULL);
	crux_rule *const stranger = crux_rule_load(other, "move", NULL);
	REFUSES(crux_pool_new(NULL, rule, &curve, &fault), "crux_pool_new: found NULL, expected a game");
	REFUSES(crux_pool_new(game, NULL, &curve, &fault), "crux_pool_new: found NULL, expected a rule");
	REFUSES(crux_pool_new(game, rule, NULL, &fault), "crux_pool_new: found NULL, expected a curve");
	REFUSES(crux_pool_new(game, stranger, &curve, &fault),
	        "crux_pool_new: found a rule of another engine, expected one of the game's engine");
	REFUSES(crux_pool_new(game, rule, &(crux_curve){2, 3, SIZE_MAX, 1}, &fault),
	        "crux_pool_new: count: found 9223372036854775807, expected at most 10,000");
	REFUSES(crux_pool_new(game, rule, &(crux_curve){3, 3, 2, 1}, &fault),
	        "curve: expected LEAST..GREATEST of different numbers, a count of at least 2, and no pack");
	CHECK(!crux_pool_new(game, rule, &(crux_curve){NAN, 3, 2, 1}, NULL));
	CHECK(!crux_pool_fill(NULL, 0, NULL, NULL) && !crux_pool_take(NULL, 2, 0, NULL));
	crux_pool *const pool = crux_pool_new(game, rule, &curve, NULL);
	REFUSES(crux_pool_fill(pool, -1, NULL, &fault), "fill: argument 1: found -1, expected seconds, 0 or more");
	REFUSES(crux_pool_take(pool, NAN, 0, &fault), "take: argument 1: found NaN, expected a number");
	crux_pool_free(pool);
	crux_pool_free(NULL);
	crux_rule_free(stranger);
	crux_engine_free(other);
}

int main(void)
{
	crux_engine *const engine = crux_engine_new(NULL, NULL);
	crux_game *const game = crux_game_load(engine, "move", NULL);
	crux_rule *const rule = crux_rule_load(engine, "move", NULL);
	takes(game, rule);
	refuses(game, rule);
	crux_rule_free(rule);
	crux_game_free(game);
	crux_engine_free(engine);
	return check_summary();
}
