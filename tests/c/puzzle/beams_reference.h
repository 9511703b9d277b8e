/* The reference for beams: a slow implementation of the definition, which shares only types with src/puzzle/beams.c. */
#pragma once

#include <string.h>

#include "puzzle/beams.h"

enum { REFERENCE_SIDE = 2 * CRUX_BEAMS_MAX_SIDE + 1 };

typedef struct reference {
	int width, height;
	unsigned char tiles[CRUX_BEAMS_MAX_SIDE][CRUX_BEAMS_MAX_SIDE]; /* [row][column], CRUX_TILE_UNDECIDED stops a beam */
	bool entered[CRUX_BEAMS_MAX_SIDE][CRUX_BEAMS_MAX_SIDE];
	bool been[REFERENCE_SIDE][REFERENCE_SIDE][2][2];  /* [y][x][runs down][runs right] */
	bool straight[REFERENCE_SIDE][REFERENCE_SIDE][2]; /* goes on from there, on the diagonal [rising] */
	bool turned[REFERENCE_SIDE][REFERENCE_SIDE];
	size_t reflections;
} reference;

/* Half of a number that may be negative, rounded down. */
static inline int half(int n) { return n < 0 ? (n - 1) / 2 : n / 2; }

static inline void walk(reference *r, int x, int y, int dx, int dy)
{
	if (r->been[y][x][dy > 0][dx > 0])
		return;
	r->been[y][x][dy > 0][dx > 0] = true;
	/* the tiles ahead and behind hold the points a quarter tile away: (2x + dx) / 2 half tiles, (2x + dx) / 4 tiles */
	int const column = half(half(2 * x + dx)), row = half(half(2 * y + dy));
	if (column < 0 || row < 0 || column >= r->width || row >= r->height)
		return;
	r->entered[row][column] = true;
	int const kind = r->tiles[row][column];
	bool const sideways = half(half(2 * x - dx)) != column;
	if (kind == CRUX_TILE_REFRACT)
		walk(r, sideways ? x + 2 * dx : x, sideways ? y : y + 2 * dy, dx, dy);
	if (kind == CRUX_TILE_REFLECT || kind == CRUX_TILE_SPLIT) {
		r->turned[y][x] = true;
		r->reflections++;
		walk(r, x, y, sideways ? -dx : dx, sideways ? dy : -dy);
	}
	if (kind == CRUX_TILE_EMPTY || kind == CRUX_TILE_UNUSABLE || kind == CRUX_TILE_SPLIT) {
		r->straight[y][x][dx != dy] = true;
		walk(r, x + dx, y + dy, dx, dy);
	}
}

/* Runs the beams of a grid whose tiles are replaced by `tiles`. */
static inline void reference_run(reference *r, const crux_beam_grid *grid, const unsigned char *tiles)
{
	memset(r, 0, sizeof *r);
	r->width = grid->width;
	r->height = grid->height;
	for (int i = 0; i < grid->width * grid->height; i++)
		r->tiles[i / grid->width][i % grid->width] = tiles[i];
	for (size_t i = 0; i < grid->emitter_count; i++)
		walk(r, grid->emitters[i].x, grid->emitters[i].y, grid->emitters[i].dx, grid->emitters[i].dy);
}

static inline bool reference_passes(const reference *r, int x, int y)
{
	return r->been[y][x][0][0] || r->been[y][x][0][1] || r->been[y][x][1][0] || r->been[y][x][1][1];
}

/* True when beams pass all targets. */
static inline bool reference_solved(const reference *r, const crux_beam_grid *grid)
{
	for (size_t i = 0; i < grid->target_count; i++)
		if (!reference_passes(r, grid->targets[i].x, grid->targets[i].y))
			return false;
	return true;
}
