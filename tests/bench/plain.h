/* Searches written in C, each for one game, against which crux is timed: Lua functions. */
#ifndef CRUX_PLAIN_H
#define CRUX_PLAIN_H

#include <lua.h>

/* plain_move(width, height, rocks, balls, goals) -> actions (nil: no solution), states, seconds. Boards are integers, a bit a
 * cell in reading order; balls and goals lists of them by colour. */
int plain_move(lua_State *L);

/* plain_dungeongrams(text) -> actions (nil: no solution), states, seconds */
int plain_dungeongrams(lua_State *L);

#endif
