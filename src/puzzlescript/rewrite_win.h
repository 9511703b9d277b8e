/* Win conditions of a level. */
#pragma once

#include <stdbool.h>

#include "puzzlescript/rewrite_level.h"

/* Returns true if the program has win conditions and all hold for the current cells. */
bool crux_rewrite_wins(const crux_rewrite_level *level);
