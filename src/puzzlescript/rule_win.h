/* Win conditions of a level. */
#ifndef CRUX_RULE_WIN_H
#define CRUX_RULE_WIN_H

#include <stdbool.h>

#include "puzzlescript/rule_level.h"

/* Returns true if the program has win conditions and all hold for the current cells. */
bool crux_rule_wins(const crux_rule_level *level);

#endif
