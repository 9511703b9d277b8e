/* Win conditions of a level. */
#ifndef CRUX_REWRITE_WIN_H
#define CRUX_REWRITE_WIN_H

#include <stdbool.h>

#include "puzzlescript/rewrite_level.h"

/* Returns true if the program has win conditions and all hold for the current cells. */
bool crux_rewrite_wins(const crux_rewrite_level *level);

#endif
