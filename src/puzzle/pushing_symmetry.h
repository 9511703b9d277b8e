/* Symmetries of a level: the ways to turn and mirror it by which floor comes on floor, and goals on goals. */
#pragma once

#include "puzzle/pushing_level.h"

enum { CRUX_PUSHING_SYMMETRIES = 8 };

/* Sets, for each symmetry, the square that every square comes on, `squares` for each; the first symmetry changes nothing. Returns their
 * number. */
unsigned crux_pushing_symmetries_find(const crux_pushing_level *level, uint16_t *images);
