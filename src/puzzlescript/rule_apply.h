/* Applies groups of rules to a level, in the order of the original engine. */
#ifndef CRUX_RULE_APPLY_H
#define CRUX_RULE_APPLY_H

#include "puzzlescript/rule_level.h"

enum {
	CRUX_RULE_MAX_ROUNDS = 200,     /* rounds of a group of rules, and of a loop of groups */
	CRUX_RULE_MAX_TUPLES = 1 << 24, /* combinations of matches of the rows of a rule */
	CRUX_RULE_MAX_WORK = 1 << 26,   /* cells tried and matches found by all rules in an input */
	CRUX_RULE_CHANCE_WORK = 16,     /* a replacement with chance takes about as long as 16 cells tried */
};

/* Applies groups in rounds until a round changes nothing; leaves out groups that are banned (NULL: none). */
void crux_rule_apply(crux_rule_level *level, const crux_rule_groups *groups, const bool *banned);

#endif
