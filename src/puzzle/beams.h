/* Beams that run in diagonals over a grid of tiles and meet blocks that reflect, absorb or split them.
 *
 * Places are in half tiles: the tile in column c and row r (from 0) has its centre at (2c + 1, 2r + 1), x grows to the
 * right and y downwards. A beam runs from the middle of one side of a tile to the middle of another, so the points it
 * passes have an odd x + y. At a point it enters the tile before it: with x odd the one above or below, with y odd the
 * one to the left or right. What lies on that tile decides how it goes on: nothing lets it pass, a block turns it at
 * the side (reflect), ends it there (absorb), or does both, turn it and let it pass (split). Beyond the grid it ends. A
 * beam at a point in a direction in which one has been before adds nothing: beams merge, and loops end.
 *
 * Two ways of use: crux_beams_trace for a grid on which everything is known, and, for searches, a crux_beams object
 * whose tiles are decided one by one while the beams run, undone exactly.
 *
 * Arrays belong to the caller and are only read during the call. Functions with a fault return NULL or false and fill
 * it when the grid is wrong or memory short. No global state: one object belongs to one thread at a time. */
#ifndef CRUX_BEAMS_H
#define CRUX_BEAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sizes.h"
#include "crux.h"

enum { CRUX_BEAMS_MAX_SIDE = CRUX_MOST_BEAM_SIDE }; /* tiles in a row or a column */

/* What lies on a tile. */
typedef enum crux_tile {
	CRUX_TILE_EMPTY,     /* nothing, but a block may be placed there */
	CRUX_TILE_REFLECT,   /* block A */
	CRUX_TILE_ABSORB,    /* block B */
	CRUX_TILE_SPLIT,     /* block C: passes and reflects */
	CRUX_TILE_UNUSABLE,  /* nothing, and no block may be placed there */
	CRUX_TILE_UNDECIDED, /* not known yet: only in crux_beams_set */
} crux_tile;

/* A beam's start; dx and dy are 1 or -1. */
typedef struct crux_emitter {
	int x, y, dx, dy;
} crux_emitter;

/* A point that beams are to pass. */
typedef struct crux_target {
	int x, y;
} crux_target;

typedef struct crux_beam_grid {
	int width, height;          /* in tiles, 1..CRUX_BEAMS_MAX_SIDE */
	const unsigned char *tiles; /* a crux_tile each, width * height in reading order */
	const crux_emitter *emitters;
	size_t emitter_count;
	const crux_target *targets; /* the same point twice counts once */
	size_t target_count;
} crux_beam_grid;

/* What beams do at a point: the directions in which they arrive and leave, and whether one is reflected or split. */
enum {
	CRUX_BEAM_LEFT_UP = 1,
	CRUX_BEAM_RIGHT_UP = 2,
	CRUX_BEAM_LEFT_DOWN = 4,
	CRUX_BEAM_RIGHT_DOWN = 8,
	CRUX_BEAM_FALLING = CRUX_BEAM_LEFT_UP | CRUX_BEAM_RIGHT_DOWN, /* the diagonal \ */
	CRUX_BEAM_RISING = CRUX_BEAM_RIGHT_UP | CRUX_BEAM_LEFT_DOWN,  /* the diagonal / */
	CRUX_BEAM_TURNS = 16,
};

typedef struct crux_beam_summary {
	size_t missed;        /* targets that no beam passes */
	size_t reflections;   /* a split counts as one */
	size_t intersections; /* points from which beams go straight on in both diagonals and at which none is reflected or
	                       * split; a beam that leaves the grid or is absorbed at a point does not go on */
} crux_beam_summary;

/* Says in the fault what is wrong with a grid, counting tiles, emitters and targets from 1; true when nothing is. */
bool crux_beams_check(const crux_beam_grid *grid, crux_fault *fault);

/* Runs all beams of a grid. points: (2 width + 1) * (2 height + 1) bytes in reading order, what beams do at each point;
 * NULL when of no interest. */
bool crux_beams_trace(const crux_beam_grid *grid, unsigned char *points, crux_beam_summary *summary, crux_fault *fault);

typedef struct crux_beams crux_beams;

/* The emitters' beams at their starts. Nothing is kept of the grid. */
crux_beams *crux_beams_new(const crux_beam_grid *grid, crux_fault *fault);

/* NULL is allowed. */
void crux_beams_free(crux_beams *beams);

/* Says what lies on a tile, counted from 0 in reading order. Only tiles that no beam has entered may change; see
 * crux_beams_rewind. */
void crux_beams_set(crux_beams *beams, int tile, crux_tile kind);

/* Lets the beams run until one enters an undecided tile, and returns that tile; -1 when all have ended. */
int crux_beams_run(crux_beams *beams);

/* Whether the beams would pass all targets if every undecided tile were of that kind. The beams stay as they are. Since
 * a beam that is split does all that a beam can do, false for CRUX_TILE_SPLIT means that no decisions will do. */
bool crux_beams_would_pass(crux_beams *beams, crux_tile kind);

/* How far the beams have run. */
typedef struct crux_beam_mark {
	size_t head, tail;
} crux_beam_mark;

crux_beam_mark crux_beams_mark(const crux_beams *beams);

/* Takes back all that beams did since the mark, after which the tiles that they entered since may change again. */
void crux_beams_rewind(crux_beams *beams, crux_beam_mark mark);

/* The number of targets that no beam has passed yet. */
size_t crux_beams_missed(const crux_beams *beams);

/* Adds an amount to the numbers of the points that beams have passed; (2 width + 1) * (2 height + 1) numbers in reading
 * order. */
void crux_beams_tally(const crux_beams *beams, int64_t amount, int64_t *numbers);

#endif
