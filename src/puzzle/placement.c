/* The search for placements of blocks: branching where a beam enters an undecided tile; see placement.h. */
#include "puzzle/placement.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fault.h"

enum {
	KINDS = CRUX_TILE_SPLIT + 1, /* what may lie on a tile that is to be decided, in the order of placements */
	MAX_TILES = CRUX_BEAMS_MAX_SIDE * CRUX_BEAMS_MAX_SIDE,
	BLOCKS_AHEAD = 4,     /* blocks left from which on looking ahead saved time on grids of 5 x 5 to 14 x 14 */
	NODES_A_CLOCK = 1024, /* reading the clock costs about as much as a node */
};

typedef struct search {
	crux_placement_question question;
	crux_placement_limits limits;
	double deadline; /* 0: none */
	crux_beams *beams;
	crux_placement *result;
	bool stopped; /* at a limit or, counting, at an overflow */
	bool found;
	int tile_count;
	size_t left[KINDS];             /* what the undecided tiles still take, empty included */
	unsigned char tiles[MAX_TILES]; /* at this node */
	unsigned char *best;            /* the first placement so far */
	int64_t *passed;                /* counting: placements by the points that their beams pass; NULL: not wanted */
} search;

/* Raises the count; more < 0: by more than 63 bits hold. An overflow ends the search, for counting is all it is for. */
static void add(search *s, int64_t more)
{
	if (more >= 0 && !__builtin_add_overflow(s->result->count, more, &s->result->count))
		return;
	s->result->count = -1;
	s->stopped = true;
}

/* n over k into *product times that; false when it takes more than 63 bits. Every intermediate value is an integer not
 * above the result: `value` stays a binomial coefficient, and what the divisor shares with it is divided out first. */
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

/* The number of ways to lay what is left on the undecided tiles; -1 when it takes more than 63 bits. */
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

/* Whether the earliest arrangement of what is left, beams or no beams, comes before the best so far; out (NULL: not
 * wanted) is set to it if so. Earliest is sorted: empty first. */
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
	if (before)
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

/* Whether a placement may lie below; certain when one kind is left. Looking ahead costs as much as a dozen nodes, so it
 * is done where many lie below. */
static bool hopeful(search *s)
{
	crux_tile const only = forced(s);
	size_t const turning = s->left[CRUX_TILE_REFLECT] + s->left[CRUX_TILE_SPLIT];
	if (only != CRUX_TILE_UNDECIDED)
		return crux_beams_would_pass(s->beams, only);
	return turning + s->left[CRUX_TILE_ABSORB] < BLOCKS_AHEAD ||
	       crux_beams_would_pass(s->beams, turning ? CRUX_TILE_SPLIT : CRUX_TILE_EMPTY);
}

/* Whether nothing but a placement (or one course) lies at this node and below; false also when that is still open, or
 * when the beams are to run on to all points that they pass. */
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

static bool at_limit(const search *s)
{
	if (s->limits.nodes && s->result->generated >= s->limits.nodes)
		return true;
	if (s->deadline == 0 || s->result->generated % NODES_A_CLOCK)
		return false;
	return crux_clock_now() > s->deadline;
}

static bool explore(search *s);

/* Searches on with that kind on that tile; true as for explore. */
static bool enter(search *s, int tile, unsigned char kind)
{
	bool met = false;
	crux_beam_mark const mark = crux_beams_mark(s->beams);
	s->left[kind]--;
	s->tiles[tile] = kind;
	crux_beams_set(s->beams, tile, kind);
	if (s->question != CRUX_PLACEMENT_FIRST || earlier(s, NULL)) {
		if (at_limit(s)) {
			s->stopped = true;
			s->result->outcome = CRUX_PLACEMENT_LIMIT;
		} else {
			s->result->generated++;
			met = explore(s);
			s->result->backtracks += !met;
		}
	}
	crux_beams_rewind(s->beams, mark);
	crux_beams_set(s->beams, tile, CRUX_TILE_UNDECIDED);
	s->tiles[tile] = CRUX_TILE_UNDECIDED;
	s->left[kind]++;
	return met;
}

/* One node: lets the beams run up to the next undecided tile and branches there. True when a placement (or course) was
 * met. */
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
	s->result->expanded++;
	for (unsigned char kind = 0; kind < KINDS && !s->stopped; kind++)
		if (s->left[kind] > 0)
			met |= enter(s, tile, kind);
	return met;
}

/* Makes the tiles that blocks may be placed on undecided; false when there are fewer than blocks. */
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
	bool const fit = blocks.reflect <= usable && blocks.absorb <= usable && blocks.split <= usable &&
	                 blocks.reflect + blocks.absorb + blocks.split <= usable;
	s->left[CRUX_TILE_EMPTY] = courses || !fit ? usable : usable - blocks.reflect - blocks.absorb - blocks.split;
	s->left[CRUX_TILE_REFLECT] = blocks.reflect;
	s->left[CRUX_TILE_ABSORB] = blocks.absorb;
	s->left[CRUX_TILE_SPLIT] = blocks.split;
	return fit || courses; /* a course is made with at most the blocks */
}

/* Searches with what `asked` says about question, limits, best and passed. */
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
	*result = (crux_placement){.outcome = CRUX_PLACEMENT_NONE};
	*s = *asked;
	s->beams = beams;
	s->result = result;
	if (s->passed)
		memset(s->passed, 0, (size_t)(2 * grid->width + 1) * (size_t)(2 * grid->height + 1) * sizeof *s->passed);
	s->deadline = crux_clock_deadline(s->limits.seconds, s->limits.latest);
	if (prepare(s, grid, blocks)) {
		explore(s);
		if (s->found && result->outcome != CRUX_PLACEMENT_LIMIT)
			result->outcome = CRUX_PLACEMENT_SOLVED;
	}
	free(s);
	crux_beams_free(beams);
	return true;
}

bool crux_placement_search(const crux_beam_grid *grid, crux_blocks blocks, crux_placement_question question,
                           crux_placement_limits limits, unsigned char *tiles, crux_placement *result, crux_fault *fault)
{
	search const asked = {.question = question, .limits = limits, .best = tiles};
	return run(&asked, grid, blocks, result, fault);
}

bool crux_placement_passes(const crux_beam_grid *grid, crux_blocks blocks, crux_placement_limits limits, int64_t *passed,
                           crux_placement *result, crux_fault *fault)
{
	search const asked = {.question = CRUX_PLACEMENT_COUNT, .limits = limits, .passed = passed};
	return run(&asked, grid, blocks, result, fault);
}
