/* Applies groups of rewrites to a level, in the order of the original engine. */
#pragma once

#include "puzzlescript/rewrite_level.h"

enum {
	CRUX_REWRITE_MAX_ROUNDS = 200,     /* rounds of a group of rewrites, and of a loop of groups */
	CRUX_REWRITE_MAX_TUPLES = 1 << 24, /* combinations of matches of the rows of a rewrite */
	CRUX_REWRITE_MAX_WORK = 1 << 26,   /* cells tried and matches found by all rewrites in an input */
	CRUX_REWRITE_CHANCE_WORK = 16,     /* a replacement with chance takes about as long as 16 cells tried */
};

/* Applies groups in rounds until a round changes nothing; leaves out groups that are banned (NULL: none). */
void crux_rewrite_apply(crux_rewrite_level *level, const crux_rewrite_groups *groups, const bool *banned);
