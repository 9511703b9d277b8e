/* The search for placements of blocks: branching where a beam enters an undecided tile; see placement.h. */
#include "puzzle/placement.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fault.h"

enum {
	KINDS = CRUX_TILE_REFRACT + 1, /* kinds of decided tiles, in the order of placements */
	MAX_TILES = CRUX_BEAMS_MAX_SIDE * CRUX_BEAMS_MAX_SIDE,
	BLOCKS_AHEAD = 4,      /* with as many blocks left, looking ahead saved time on grids of 5 x 5 to 14 x 14 */
	NODES_PER_LOOK = 1024, /* between looks at the clock, which cost as much as a node */
};

typedef struct search {
	crux_placement_question question;
	crux_solver_limits limits;
	double deadline; /* 0: none */
	crux_beams *beams;
	crux_placement *result;
	bool stopped; /* at a limit, or by overflow of the count */
	bool found;
	int tile_count;
	size_t left[KINDS];             /* tiles of each kind, empty included, to put on the undecided tiles */
	unsigned char tiles[MAX_TILES]; /* at this node */
	unsigned char *best;            /* the first placement so far */
	int64_t *passed;                /* when counting, by point: placements whose beams pass it; or NULL */
} search;

/* Adds to the count; more < 0 stands for more than 63 bits hold. An overflow ends the search, which only counts. */
static void add(search *s, int64_t more)
{
	if (more >= 0 && !__builtin_add_overflow(s->result->count, more, &s->result->count))
		return;
	s->result->count = -1;
	s->stopped = true;
}

/* Multiplies *product by n over k; false when the result takes more than 63 bits. Every intermediate value is an integer not
 * above the result: `value` stays a binomial coefficient, and is divided by its common divisor with i first. */
static bool multiply_binomial(int64_t n, int64_t k, int64_t *product)
{
	int64_t value = 1;
	if (k > n - k)
		k = n - k;
	for (int64_t i = 1; i <= k; i++) {
		int64_t a = value, divisor = i;
		while (divisor) {
			int64_t const rest = a % divisor;
			a = divisor;
			divisor = rest;
		}
		if (__builtin_mul_overflow(value / a, (n - k + i) / (i / a), &value))
			return false;
	}
	return !__builtin_mul_overflow(*product, value, product);
}

/* The number of ways to fill the undecided tiles with what is left; -1 when it takes more than 63 bits. */
static int64_t arrangements(const search *s)
{
	int64_t ways = 1, tiles = 0;
	for (int kind = 0; kind < KINDS; kind++) {
		tiles += (int64_t)s->left[kind];
		if (!multiply_binomial(tiles, (int64_t)s->left[kind], &ways))
			return -1;
	}
	return ways;
}

/* True, and *out the arrangement unless out is NULL, when the earliest arrangement of what is left (sorted: empty first) comes
 * before the best placement so far. It need not pass the targets. */
static bool earlier(const search *s, unsigned char *out)
{
	unsigned char arrangement[MAX_TILES];
	size_t used = 0;
	unsigned char kind = 0;
	bool before = !s->found;
	for (int i = 0; i < s->tile_count; i++) {
		arrangement[i] = s->tiles[i];
		if (s->tiles[i] == CRUX_TILE_UNDECIDED) {
			for (; used == s->left[kind]; kind++)
				used = 0;
			used++;
			arrangement[i] = kind;
		}
		if (!before && arrangement[i] > s->best[i])
			return false;
		before |= !before && arrangement[i] < s->best[i];
		if (before && !out)
			return true;
	}
	if (before && out)
		memcpy(out, arrangement, (size_t)s->tile_count);
	return before;
}

/* The kind that all undecided tiles must take; CRUX_TILE_UNDECIDED when several kinds are left. */
static crux_tile forced(const search *s)
{
	crux_tile only = CRUX_TILE_UNDECIDED;
	for (int kind = 0; kind < KINDS; kind++) {
		if (s->left[kind] > 0) {
			if (only != CRUX_TILE_UNDECIDED)
				return CRUX_TILE_UNDECIDED;
			only = (crux_tile)kind;
		}
	}
	return only;
}

/* False when no placement lies below; with one kind left, true only when one does. Looking ahead costs as much as a dozen
 * nodes, so it is done only when several blocks are left. */
static bool hopeful(search *s)
{
	crux_tile const only = forced(s);
	size_t const turning = s->left[CRUX_TILE_REFLECT] + s->left[CRUX_TILE_SPLIT], refracting = s->left[CRUX_TILE_REFRACT];
	if (only != CRUX_TILE_UNDECIDED)
		return crux_beams_would_pass(s->beams, only);
	return turning + refracting + s->left[CRUX_TILE_ABSORB] < BLOCKS_AHEAD ||
	       crux_beams_would_pass(s->beams, refracting ? CRUX_TILE_ANY : turning ? CRUX_TILE_SPLIT : CRUX_TILE_EMPTY);
}

/* True when all that lies below this node is placements (or one course). False when that is not yet known, or when the beams
 * must run on to all points that they pass. */
static bool settled(const search *s, int tile)
{
	if (s->question == CRUX_PLACEMENT_COURSES)
		return tile < 0 || forced(s) == CRUX_TILE_EMPTY;
	if (s->passed)
		return tile < 0;
	return crux_beams_missed(s->beams) == 0 || forced(s) != CRUX_TILE_UNDECIDED;
}

static void take_in(search *s)
{
	int64_t const before = s->result->count;
	if (s->question == CRUX_PLACEMENT_COURSES)
		add(s, 1);
	else if (s->question == CRUX_PLACEMENT_COUNT)
		add(s, arrangements(s));
	else
		earlier(s, s->best);
	if (s->passed)
		crux_beams_tally(s->beams, s->result->count - before, s->passed);
	s->found = true;
}

/* The limit that is met, or CRUX_SOLVED. */
static crux_solver_outcome met_limit(const search *s)
{
	uint64_t const nodes = s->result->statistics.generated;
	if (s->limits.nodes && nodes >= s->limits.nodes)
		return CRUX_LIMIT_NODES;
	bool const is_late = s->deadline > 0 && nodes % NODES_PER_LOOK == 0 && crux_clock_now() > s->deadline;
	return is_late ? CRUX_LIMIT_SECONDS : CRUX_SOLVED;
}

static bool explore(search *s);

/* Puts a kind on a tile and searches on; returns as explore does. */
static bool enter(search *s, int tile, unsigned char kind)
{
	bool met = false;
	crux_beam_mark const mark = crux_beams_mark(s->beams);
	s->left[kind]--;
	s->tiles[tile] = kind;
	crux_beams_set(s->beams, tile, kind);
	if (s->question != CRUX_PLACEMENT_FIRST || earlier(s, NULL)) {
		crux_solver_outcome const limit = met_limit(s);
		if (limit != CRUX_SOLVED) {
			s->stopped = true;
			s->result->outcome = limit;
		} else {
			s->result->statistics.generated++;
			met = explore(s);
			s->result->statistics.backtracks += !met;
		}
	}
	crux_beams_rewind(s->beams, mark);
	crux_beams_set(s->beams, tile, CRUX_TILE_UNDECIDED);
	s->tiles[tile] = CRUX_TILE_UNDECIDED;
	s->left[kind]++;
	return met;
}

/* Searches a node: runs the beams to the next undecided tile and branches there. True when a placement (or course) was
 * found. */
static bool explore(search *s)
{
	int const tile = crux_beams_run(s->beams);
	bool const passed = s->question == CRUX_PLACEMENT_COURSES || crux_beams_missed(s->beams) == 0;
	if (!passed && (tile < 0 || !hopeful(s)))
		return false;
	if (settled(s, tile)) {
		take_in(s);
		return true;
	}
	bool met = false;
	s->result->statistics.expanded++;
	for (unsigned char kind = 0; kind < KINDS && !s->stopped; kind++)
		if (s->left[kind] > 0)
			met |= enter(s, tile, kind);
	return met;
}

/* Makes the tiles that may take blocks undecided; false when there are more blocks than such tiles. */
static bool prepare(search *s, const crux_beam_grid *grid, crux_blocks blocks)
{
	size_t usable = 0;
	s->tile_count = grid->width * grid->height;
	for (int i = 0; i < s->tile_count; i++) {
		s->tiles[i] = grid->tiles[i];
		if (grid->tiles[i] != CRUX_TILE_EMPTY)
			continue;
		s->tiles[i] = CRUX_TILE_UNDECIDED;
		crux_beams_set(s->beams, i, CRUX_TILE_UNDECIDED);
		usable++;
	}
	bool const courses = s->question == CRUX_PLACEMENT_COURSES;
	size_t const hand[] = {blocks.reflect, blocks.absorb, blocks.split, blocks.refract};
	size_t empty = usable; /* when all blocks are placed */
	bool fit = true;
	for (size_t i = 0; i < sizeof hand / sizeof *hand && fit; i++) {
		fit = hand[i] <= empty;
		empty -= fit ? hand[i] : 0;
	}
	s->left[CRUX_TILE_EMPTY] = courses || !fit ? usable : empty;
	s->left[CRUX_TILE_REFLECT] = blocks.reflect;
	s->left[CRUX_TILE_ABSORB] = blocks.absorb;
	s->left[CRUX_TILE_SPLIT] = blocks.split;
	s->left[CRUX_TILE_REFRACT] = blocks.refract;
	return fit || courses; /* a course is made with at most the blocks */
}

/* Searches; question, limits, best and passed are those of `asked`. */
static bool run(const search *asked, const crux_beam_grid *grid, crux_blocks blocks, crux_placement *result,
                crux_fault *fault)
{
	crux_beams *beams = crux_beams_new(grid, fault);
	search *s = beams ? malloc(sizeof *s) : NULL;
	if (!s) {
		if (beams)
			crux_fault_set(fault, "out of memory");
		crux_beams_free(beams);
		return false;
	}
	*result = (crux_placement){.outcome = CRUX_UNSOLVABLE};
	*s = *asked;
	s->beams = beams;
	s->result = result;
	if (s->passed)
		memset(s->passed, 0, (size_t)(2 * grid->width + 1) * (size_t)(2 * grid->height + 1) * sizeof *s->passed);
	s->deadline = crux_clock_deadline(s->limits.seconds, s->limits.latest);
	if (prepare(s, grid, blocks)) {
		explore(s);
		if (s->found && result->outcome == CRUX_UNSOLVABLE)
			result->outcome = CRUX_SOLVED;
	}
	free(s);
	crux_beams_free(beams);
	return true;
}

bool crux_placement_search(const crux_beam_grid *grid, crux_blocks blocks, crux_placement_question question,
                           crux_solver_limits limits, unsigned char *tiles, crux_placement *result, crux_fault *fault)
{
	search const asked = {.question = question, .limits = limits, .best = tiles};
	return run(&asked, grid, blocks, result, fault);
}

bool crux_placement_passes(const crux_beam_grid *grid, crux_blocks blocks, crux_solver_limits limits, int64_t *passed,
                           crux_placement *result, crux_fault *fault)
{
	search const asked = {.question = CRUX_PLACEMENT_COUNT, .limits = limits, .passed = passed};
	return run(&asked, grid, blocks, result, fault);
}
