/* Beams on a grid of tiles: a queue of beam states, each followed once; see beams.h. */
#include "puzzle/beams.h"

#include <stdlib.h>
#include <string.h>

#include "base/fault.h"

/* A state is a point and a direction in one number: y, x, a bit for down, a bit for right. */
enum {
	RIGHT = 1,
	DOWN = 2,
	DIRECTION_BITS = 2,
	X_BITS = 7, /* for 0 to 2 * 32 */
	MAX_SIDE = CRUX_BEAMS_MAX_SIDE,
	POINTS = (2 * MAX_SIDE + 1) << X_BITS,
	STATES = 4 * 2 * MAX_SIDE * (MAX_SIDE + 1), /* four directions at the middle of each side of a tile */
	PASSES = 15,                                /* any of the four directions */
	TARGET = 32,
};

struct crux_beams {
	int width, height;
	size_t missed;
	size_t head;                   /* states before it have been followed */
	size_t tail;                   /* states in the queue */
	uint16_t queue[STATES];        /* every state of the beams so far, in the order found */
	unsigned char points[POINTS];  /* by y and x: bit d for a state of direction d, and TARGET */
	unsigned char tiles[(MAX_SIDE + 2) * (MAX_SIDE + 2)]; /* with a frame that absorbs */
};

static unsigned state_of(int x, int y, unsigned direction)
{
	return (((unsigned)y << X_BITS) + (unsigned)x) << DIRECTION_BITS | direction;
}

static bool on_side(const crux_beam_grid *grid, int x, int y)
{
	return x >= 0 && y >= 0 && x <= 2 * grid->width && y <= 2 * grid->height && (x + y) % 2 == 1;
}

static bool refuse_point(const crux_beam_grid *grid, const char *what, size_t i, int x, int y, crux_fault *fault)
{
	if (x < 0 || y < 0 || x > 2 * grid->width || y > 2 * grid->height)
		crux_fault_set(fault, "%s %zu: (%d, %d) lies outside the grid, expected 0..%d and 0..%d", what, i + 1, x, y,
		               2 * grid->width, 2 * grid->height);
	else
		crux_fault_set(fault, "%s %zu: (%d, %d) is not the middle of a tile's side, expected one coordinate even, one odd",
		               what, i + 1, x, y);
	return false;
}

bool crux_beams_check(const crux_beam_grid *grid, crux_fault *fault)
{
	if (grid->width < 1 || grid->height < 1 || grid->width > MAX_SIDE || grid->height > MAX_SIDE) {
		crux_fault_set(fault, "a grid of %d x %d tiles, expected 1 x 1 to %d x %d", grid->width, grid->height, MAX_SIDE,
		               MAX_SIDE);
		return false;
	}
	for (int i = 0; i < grid->width * grid->height; i++) {
		if (grid->tiles[i] > CRUX_TILE_UNUSABLE) {
			crux_fault_set(fault, "tile %d: unknown kind %d", i + 1, grid->tiles[i]);
			return false;
		}
	}
	for (size_t i = 0; i < grid->emitter_count; i++) {
		crux_emitter const *e = &grid->emitters[i];
		if (!on_side(grid, e->x, e->y))
			return refuse_point(grid, "emitter", i, e->x, e->y, fault);
		if ((e->dx != 1 && e->dx != -1) || (e->dy != 1 && e->dy != -1)) {
			crux_fault_set(fault, "emitter %zu: direction (%d, %d), expected 1 or -1 each", i + 1, e->dx, e->dy);
			return false;
		}
	}
	for (size_t i = 0; i < grid->target_count; i++)
		if (!on_side(grid, grid->targets[i].x, grid->targets[i].y))
			return refuse_point(grid, "target", i, grid->targets[i].x, grid->targets[i].y, fault);
	return true;
}

/* Adds a state to the queue unless it was added before. */
static void push(crux_beams *beams, unsigned state)
{
	unsigned char *const point = &beams->points[state >> DIRECTION_BITS];
	unsigned const bit = 1u << (state & 3);
	if (*point & bit)
		return;
	if ((*point & (PASSES | TARGET)) == TARGET)
		beams->missed--;
	*point |= (unsigned char)bit;
	beams->queue[beams->tail++] = (uint16_t)state;
}

/* The index in `tiles` of a column and row, which may be -1 or one past the last. */
static int framed(const crux_beams *beams, int column, int row)
{
	return (row + 1) * (beams->width + 2) + column + 1;
}

static int place_of(const crux_beams *beams, int tile)
{
	return framed(beams, tile % beams->width, tile / beams->width);
}

crux_beams *crux_beams_new(const crux_beam_grid *grid, crux_fault *fault)
{
	if (!crux_beams_check(grid, fault))
		return NULL;
	crux_beams *beams = malloc(sizeof *beams);
	if (!beams) {
		crux_fault_set(fault, "out of memory");
		return NULL;
	}
	beams->width = grid->width;
	beams->height = grid->height;
	beams->missed = beams->head = beams->tail = 0;
	memset(beams->points, 0, state_of(0, 2 * grid->height + 1, 0) >> DIRECTION_BITS); /* the rows of the grid */
	memset(beams->tiles, CRUX_TILE_ABSORB, sizeof beams->tiles);
	for (int i = 0; i < grid->width * grid->height; i++)
		beams->tiles[place_of(beams, i)] = grid->tiles[i];
	for (size_t i = 0; i < grid->target_count; i++) {
		unsigned char *const point = &beams->points[state_of(grid->targets[i].x, grid->targets[i].y, 0) >> DIRECTION_BITS];
		if (!*point)
			beams->missed++;
		*point = TARGET;
	}
	for (size_t i = 0; i < grid->emitter_count; i++) {
		crux_emitter const *e = &grid->emitters[i];
		push(beams, state_of(e->x, e->y, (e->dx > 0 ? RIGHT : 0) | (e->dy > 0 ? DOWN : 0)));
	}
	return beams;
}

void crux_beams_free(crux_beams *beams) { free(beams); }

void crux_beams_set(crux_beams *beams, int tile, crux_tile kind)
{
	beams->tiles[place_of(beams, tile)] = (unsigned char)kind;
}

/* Where a beam goes from the side of a tile, by the tile's kind, as bits. */
enum { PASSES_ON = 1, TURNS = 2, CROSSES = 4 };

static unsigned char const ways[] = {
	[CRUX_TILE_EMPTY] = PASSES_ON,
	[CRUX_TILE_REFLECT] = TURNS,
	[CRUX_TILE_ABSORB] = 0,
	[CRUX_TILE_SPLIT] = PASSES_ON | TURNS,
	[CRUX_TILE_REFRACT] = CROSSES,
	[CRUX_TILE_UNUSABLE] = PASSES_ON,
	[CRUX_TILE_ANY] = PASSES_ON | TURNS | CROSSES,
};

/* A beam's next step: the tile it enters (column and row from -1), its next state if it passes, turns or crosses. */
typedef struct step {
	int column, row;
	unsigned passed, turned, crossed;
} step;

static step step_of(unsigned state)
{
	int const x = (int)(state >> DIRECTION_BITS & ((1u << X_BITS) - 1));
	int const y = (int)(state >> (DIRECTION_BITS + X_BITS));
	unsigned const direction = state & 3;
	int const dx = direction & RIGHT ? 1 : -1;
	int const dy = direction & DOWN ? 1 : -1;
	bool const vertical = x & 1; /* the point is on the upper or lower side of a tile */
	int const centre_x = vertical ? x : x + dx;
	int const centre_y = vertical ? y + dy : y;
	return (step){
		.column = (centre_x + 1) / 2 - 1,
		.row = (centre_y + 1) / 2 - 1,
		.passed = state_of(x + dx, y + dy, direction),
		.turned = state ^ (vertical ? DOWN : RIGHT),
		.crossed = vertical ? state_of(x, y + 2 * dy, direction) : state_of(x + 2 * dx, y, direction),
	};
}

/* Follows the states in the queue, with `kind` in place of undecided tiles, until no target is missed; with
 * CRUX_TILE_UNDECIDED, until a beam enters an undecided tile, which it returns. -1 when all beams have ended. */
static int follow(crux_beams *beams, crux_tile kind)
{
	bool const ahead = kind != CRUX_TILE_UNDECIDED;
	for (; beams->head < beams->tail && !(ahead && beams->missed == 0); beams->head++) {
		step const s = step_of(beams->queue[beams->head]);
		unsigned tile = beams->tiles[framed(beams, s.column, s.row)];
		if (tile == CRUX_TILE_UNDECIDED) {
			if (!ahead)
				return s.row * beams->width + s.column;
			tile = kind;
		}
		if (ways[tile] & PASSES_ON)
			push(beams, s.passed);
		if (ways[tile] & TURNS)
			push(beams, s.turned);
		if (ways[tile] & CROSSES)
			push(beams, s.crossed);
	}
	return -1;
}

int crux_beams_run(crux_beams *beams) { return follow(beams, CRUX_TILE_UNDECIDED); }

bool crux_beams_would_pass(crux_beams *beams, crux_tile kind)
{
	crux_beam_mark const mark = crux_beams_mark(beams);
	follow(beams, kind);
	bool const passed = beams->missed == 0;
	crux_beams_rewind(beams, mark);
	return passed;
}

crux_beam_mark crux_beams_mark(const crux_beams *beams)
{
	return (crux_beam_mark){beams->head, beams->tail};
}

void crux_beams_rewind(crux_beams *beams, crux_beam_mark mark)
{
	while (beams->tail > mark.tail) {
		unsigned const state = beams->queue[--beams->tail];
		unsigned char *const point = &beams->points[state >> DIRECTION_BITS];
		*point &= (unsigned char)~(1u << (state & 3));
		if ((*point & (PASSES | TARGET)) == TARGET)
			beams->missed++;
	}
	beams->head = mark.head;
}

size_t crux_beams_missed(const crux_beams *beams) { return beams->missed; }

void crux_beams_tally(const crux_beams *beams, int64_t amount, int64_t *numbers)
{
	unsigned const columns = 2 * (unsigned)beams->width + 1;
	for (size_t i = 0; i < beams->tail; i++) {
		unsigned const state = beams->queue[i], point = state >> DIRECTION_BITS;
		unsigned const others = beams->points[point] & PASSES & ((1u << (state & 3)) - 1);
		if (!others) /* each point counts once, by its lowest direction */
			numbers[(point >> X_BITS) * columns + (point & ((1u << X_BITS) - 1))] += amount;
	}
}

/* Returns the bits of a point (see beams.h) and adds its turns and intersections to the summary. */
static unsigned describe(const crux_beams *beams, int x, int y, crux_beam_summary *summary)
{
	unsigned const state = state_of(x, y, 0);
	unsigned const directions = beams->points[state >> DIRECTION_BITS] & PASSES;
	unsigned passing = 0; /* directions in which a beam goes straight on */
	unsigned turning = 0;
	for (unsigned direction = 0; direction < 4; direction++) {
		if (!(directions & 1u << direction))
			continue;
		step const s = step_of(state | direction);
		unsigned const tile = beams->tiles[framed(beams, s.column, s.row)];
		if (ways[tile] & TURNS) {
			turning = CRUX_BEAM_TURNS;
			summary->reflections++;
		} else if (ways[tile] & PASSES_ON) {
			passing |= 1u << direction;
		}
	}
	summary->intersections += !turning && (passing & CRUX_BEAM_FALLING) && (passing & CRUX_BEAM_RISING);
	return directions | turning;
}

bool crux_beams_trace(const crux_beam_grid *grid, unsigned char *points, crux_beam_summary *summary, crux_fault *fault)
{
	crux_beams *beams = crux_beams_new(grid, fault);
	if (!beams)
		return false;
	crux_beams_run(beams);
	*summary = (crux_beam_summary){.missed = beams->missed};
	int const columns = 2 * grid->width + 1;
	for (int y = 0; y <= 2 * grid->height; y++) {
		for (int x = 0; x < columns; x++) {
			unsigned const what = describe(beams, x, y, summary);
			if (points)
				points[y * columns + x] = (unsigned char)what;
		}
	}
	crux_beams_free(beams);
	return true;
}
