/* Random grids of tiles for the tests of beams and placements. */
#pragma once

#include "beams_reference.h"

enum { RANDOM_ITEMS = 5 };

typedef struct random_grid {
	crux_beam_grid grid;
	unsigned char tiles[CRUX_BEAMS_MAX_SIDE * CRUX_BEAMS_MAX_SIDE];
	crux_emitter emitters[RANDOM_ITEMS];
	crux_target targets[RANDOM_ITEMS];
} random_grid;

/* xorshift64*; good enough to draw test data: 0..n - 1. */
static inline int draw(unsigned long long *state, int n)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (int)((*state * 2685821657736338717ULL >> 33) % (unsigned long long)n);
}

static inline void draw_point(unsigned long long *state, const crux_beam_grid *grid, int *x, int *y)
{
	do {
		*x = draw(state, 2 * grid->width + 1);
		*y = draw(state, 2 * grid->height + 1);
	} while ((*x + *y) % 2 == 0);
}

/* A grid of that size; of ten tiles, `fixed` hold blocks or are unusable. Its targets are drawn from all points. */
static inline void draw_grid(unsigned long long *state, int width, int height, int fixed, random_grid *out)
{
	crux_beam_grid *grid = &out->grid;
	*grid = (crux_beam_grid){width, height, out->tiles, out->emitters, (size_t)draw(state, 6), out->targets,
	                         (size_t)draw(state, 4)};
	for (int i = 0; i < width * height; i++)
		out->tiles[i] = (unsigned char)(draw(state, 10) < fixed ? 1 + draw(state, 5) : CRUX_TILE_EMPTY);
	for (size_t i = 0; i < grid->emitter_count; i++) {
		crux_emitter *e = &out->emitters[i];
		draw_point(state, grid, &e->x, &e->y);
		e->dx = 2 * draw(state, 2) - 1;
		e->dy = 2 * draw(state, 2) - 1;
	}
	for (size_t i = 0; i < grid->target_count; i++)
		draw_point(state, grid, &out->targets[i].x, &out->targets[i].y);
}
