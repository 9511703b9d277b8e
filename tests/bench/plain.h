/* Searches and a generator written in C, each for one game, against which crux is timed: Lua functions. */
#pragma once

#include <lauxlib.h>
#include <time.h>

/* plain_move(width, height, rocks, balls, goals) -> actions (nil: no solution), states, seconds. Boards are integers, a bit a
 * cell in reading order; balls and goals lists of them by colour. */
int plain_move(lua_State *L);

/* plain_dungeongrams(text) -> actions (nil: no solution), states, seconds */
int plain_dungeongrams(lua_State *L);

/* plain_flow(width, height, cells, nodes) -> list of the colours on all cells (nil: none within that number of nodes), nodes,
 * seconds. Cells: 0 free, from 1 the colour of an endpoint. */
int plain_flow(lua_State *L);

/* plain_lazors(width, height, tiles, emitters, targets, blocks) -> number of placements, nodes, seconds. What a level of
 * libcrux.beams has. */
int plain_lazors(lua_State *L);

/* plain_sudoku(puzzle of 81 characters) -> number of solutions up to 2, options tried, seconds */
int plain_sudoku(lua_State *L);
int plain_sudoku_bits(lua_State *L); /* digits tried in place of options */

/* plain_generator(count, path) -> seconds; writes `count` Move levels to the file */
int plain_generator(lua_State *L);

/* plain_rushhour(text) -> states, seconds. The text has 36 cells, a letter for each cell of a piece, '#' for a wall. */
int plain_rushhour(lua_State *L);

/* Of the processor: other programs on the machine do not count. */
static inline double plain_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
