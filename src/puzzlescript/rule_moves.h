/* Carries out the movements of a level, and finds the rigid groups whose movements fail. */
#ifndef CRUX_RULE_MOVES_H
#define CRUX_RULE_MOVES_H

#include "puzzlescript/rule_level.h"

/* Moves all objects that can move, then clears all movements. Returns true if it banned a rigid group with a movement that
 * failed: the turn must be repeated. */
bool crux_rule_move(crux_rule_level *level);

#endif
