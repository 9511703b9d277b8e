/* Beams that run in diagonals over a grid of tiles and meet blocks that reflect, absorb, split or refract them.
 *
 * Coordinates are in half tiles: the tile in column c and row r (from 0) has its centre at (2c + 1, 2r + 1), x grows to the
 * right and y downwards. A beam runs from the middle of one side of a tile to the middle of another, so the points it passes
 * have an odd x + y. At a point a beam enters the next tile: above or below if x is odd, to the left or right if y is odd. An
 * empty tile lets the beam pass; a block turns it at the side (reflect), ends it there (absorb), turns it and also lets it pass
 * (split), or takes it straight across to its opposite side, where it leaves in its old direction (refract). At the edge of the
 * grid a beam ends. A beam at a point and in a direction in which another beam was before is dropped: beams merge, and loops
 * end.
 *
 * Use crux_beams_trace for a grid whose tiles are all known; for searches, a crux_beams object, whose tiles are decided one by
 * one while the beams run, and undone in reverse order.
 *
 * Arrays belong to the caller and are only read during the call. Functions with a fault return NULL or false and fill
 * it when the grid is wrong or memory short. No global state: one object belongs to one thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sizes.h"
#include "crux.h"

enum { CRUX_BEAMS_MAX_SIDE = CRUX_MOST_BEAM_SIDE }; /* tiles in a row or a column */

/* Kinds of tiles. */
typedef enum crux_tile {
	CRUX_TILE_EMPTY,     /* empty; a block may be placed there */
	CRUX_TILE_REFLECT,   /* block A */
	CRUX_TILE_ABSORB,    /* block B */
	CRUX_TILE_SPLIT,     /* block C: passes and reflects */
	CRUX_TILE_REFRACT,   /* block D */
	CRUX_TILE_UNUSABLE,  /* empty; no block may be placed there */
	CRUX_TILE_UNDECIDED, /* not yet known; only for crux_beams_set */
	CRUX_TILE_ANY,       /* passes, reflects and refracts; only for crux_beams_would_pass */
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

/* Bits of a point: the directions in which beams arrive and leave; TURNS if a beam is reflected or split there. */
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
	size_t intersections; /* points from which beams continue straight in both diagonals, and at which no beam is reflected
	                       * or split; a beam that leaves the grid or is absorbed at a point does not continue */
} crux_beam_summary;

/* False with a fault when the grid is wrong; messages count tiles, emitters and targets from 1. */
bool crux_beams_check(const crux_beam_grid *grid, crux_fault *fault);

/* Runs all beams of a grid and fills `summary` and, unless it is NULL, `points`: (2 width + 1) * (2 height + 1) bytes, the bits
 * of each point in reading order. */
bool crux_beams_trace(const crux_beam_grid *grid, unsigned char *points, crux_beam_summary *summary, crux_fault *fault);

typedef struct crux_beams crux_beams;

/* Beams at their emitters. The grid may be freed afterwards. */
crux_beams *crux_beams_new(const crux_beam_grid *grid, crux_fault *fault);

/* NULL is allowed. */
void crux_beams_free(crux_beams *beams);

/* Sets the kind of a tile, counted from 0 in reading order, which no beam may have entered; see crux_beams_rewind. */
void crux_beams_set(crux_beams *beams, int tile, crux_tile kind);

/* Runs the beams until one enters an undecided tile, and returns that tile; -1 when all beams have ended. */
int crux_beams_run(crux_beams *beams);

/* True when the beams would pass all targets if every undecided tile were of that kind; changes nothing. CRUX_TILE_ANY includes
 * every course of a beam, so false for it means that no kinds of the undecided tiles pass all targets; CRUX_TILE_SPLIT includes
 * every course without refraction. */
bool crux_beams_would_pass(crux_beams *beams, crux_tile kind);

/* A state of the beams to which crux_beams_rewind returns. */
typedef struct crux_beam_mark {
	size_t head, tail;
} crux_beam_mark;

crux_beam_mark crux_beams_mark(const crux_beams *beams);

/* Returns the beams to the mark; the tiles that they entered since then may change again. */
void crux_beams_rewind(crux_beams *beams, crux_beam_mark mark);

/* The number of targets that no beam has passed. */
size_t crux_beams_missed(const crux_beams *beams);

/* Adds an amount to the numbers of the points that beams have passed; `numbers` has (2 width + 1) * (2 height + 1) numbers in
 * reading order. */
void crux_beams_tally(const crux_beams *beams, int64_t amount, int64_t *numbers);
