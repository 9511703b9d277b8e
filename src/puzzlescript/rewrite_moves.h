/* Carries out the movements of a level, and finds the rigid groups whose movements fail. */
#pragma once

#include "puzzlescript/rewrite_level.h"

/* Moves all objects that can move, then clears all movements. Returns true if it banned a rigid group with a movement that
 * failed: the turn must be repeated. */
bool crux_rewrite_move(crux_rewrite_level *level);
