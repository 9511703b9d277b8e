/* Sweeps over the cells of a grid, from the last to the first, with the states of all partial covers; see path_cover.h.
 *
 * The grid is turned: `width` is the shorter side, and the sweep goes row by row through "places" 0, 1, ..., from the grid's
 * last cell to its first, so "right" and "down" in this file point towards the grid's first cell. So the newest links of a
 * state are those of the first cells in reading order, which decide between covers.
 *
 * At the place in column c, plug c of the frontier is its left border and plug c + 1 its upper border; the plugs before and
 * after are lower borders of this row and of the row above. */
#include "puzzle/path_cover.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fault.h"
#include "puzzle/path_layer.h"

enum {
	CLOSED = CRUX_PLUG_CLOSED,
	OPENING = CRUX_PLUG_OPENING,
	CLOSING = CRUX_PLUG_CLOSING,
	COLOUR = CRUX_PLUG_COLOUR,
};

enum {
	FRONTIER_BITS = 128,
	STATES_PER_LOOK = 8192, /* at the clock: about 1 ms */
	LARGE_LAYER = 1 << 15,  /* states, 1.3 MB: more than the caches of a core hold */
	ARRIVALS = 16,          /* waiting at a time */
};

static unsigned const blocked = UINT_MAX; /* mark of a blocked place; other marks: 0, or the plug of an endpoint's colour */

/* An extended state to enter into the next layer. If the layer is large, it waits until its memory is in the caches. */
typedef struct arrival {
	crux_path_frontier frontier;
	uint64_t hash;
	uint64_t count;
	uint32_t turns;
	uint32_t link;
} arrival;

typedef struct sweep {
	size_t width, height; /* turned: width <= height */
	size_t places;
	bool transposed;
	crux_path_plugs plugs;
	unsigned *marks; /* by place */
	unsigned char *sides; /* NULL: without links */
	crux_path_layer layers[2];
	crux_path_layer *next; /* the layer that is being filled */
	crux_path_links links;
	crux_path_budget budget;
	double deadline; /* 0: none */
	bool late;
	arrival arrivals[ARRIVALS];
	size_t arrived, entered;
	/* the current place */
	size_t column;
	unsigned mark;
	unsigned right, down; /* the neighbours' marks; blocked where there is none */
} sweep;

static size_t cell_at(const sweep *s, size_t place)
{
	size_t const i = s->places - 1 - place;
	return s->transposed ? i % s->width * s->height + i / s->width : i;
}

/* The partial covers of a state that is extended by one place. */
typedef struct extension {
	uint64_t count;
	uint32_t turns;
	uint32_t link; /* the move: 2: over the left border, 1: over the upper border, in the sweep's directions */
} extension;

/* Enters an arrival into the next layer. */
static inline bool enter(sweep *s, const arrival *a)
{
	crux_path_state *const state = crux_path_layer_at(s->next, a->frontier, a->hash, &s->budget);
	if (!state)
		return false;
	if (state->count == 0 || a->turns < state->turns ||
	    (s->sides && a->turns == state->turns && crux_path_links_prefers(&s->links, a->link, state->link))) {
		state->turns = a->turns;
		state->link = a->link;
	}
	if (__builtin_add_overflow(state->count, a->count, &state->count))
		state->count = UINT64_MAX;
	return true;
}

/* Enters waiting arrivals until `rest` remain. */
static bool enter_waiting(sweep *s, size_t rest)
{
	while (s->arrived - s->entered > rest)
		if (!enter(s, &s->arrivals[s->entered++ % ARRIVALS]))
			return false;
	return true;
}

/* Adds an extension to the next layer; `turns` is 1 when the path turns at this place, else 0. */
static bool add(sweep *s, const extension *e, crux_path_frontier frontier, unsigned turns)
{
	arrival const a = {frontier, crux_path_hash(frontier), e->count, e->turns + turns, e->link};
	if (s->next->count < LARGE_LAYER)
		return enter(s, &a);
	crux_path_layer_expect_slot(s->next, a.hash);
	s->arrivals[s->arrived++ % ARRIVALS] = a;
	crux_path_layer_expect_state(s->next, s->arrivals[(s->arrived + ARRIVALS / 2) % ARRIVALS].hash);
	return enter_waiting(s, ARRIVALS - 1);
}

/* Adds an extension that brings a colour to a position, unless another colour encloses it. */
static bool add_colour(sweep *s, const extension *e, crux_path_frontier rest, size_t position, unsigned plug,
                       unsigned turns)
{
	crux_path_frontier const frontier = crux_plug_set(&s->plugs, rest, position, plug);
	return crux_plug_obstructed(&s->plugs, frontier, position) || add(s, e, frontier, turns);
}

/* True when a path with that plug may continue to a neighbour with that mark. */
static bool may_enter(unsigned mark, unsigned plug)
{
	return mark == 0 || (mark != blocked && (plug < COLOUR || plug == mark));
}

/* Continues a path with that plug, down or to the right. */
static bool lead_on(sweep *s, const extension *e, crux_path_frontier rest, unsigned plug, unsigned turns_down,
                    unsigned turns_right)
{
	return (!may_enter(s->down, plug) || add(s, e, crux_plug_set(&s->plugs, rest, s->column, plug), turns_down)) &&
	       (!may_enter(s->right, plug) || add(s, e, crux_plug_set(&s->plugs, rest, s->column + 1, plug), turns_right));
}

/* Starts the path of the current place's endpoint, down or to the right. */
static bool start_path(sweep *s, const extension *e, crux_path_frontier rest)
{
	return (!may_enter(s->down, s->mark) || add_colour(s, e, rest, s->column, s->mark, 0)) &&
	       (!may_enter(s->right, s->mark) || add_colour(s, e, rest, s->column + 1, s->mark, 0));
}

/* Extends to an endpoint; at most one path may reach it. */
static bool end_path(sweep *s, const extension *e, crux_path_frontier frontier, crux_path_frontier rest, unsigned left,
                     unsigned up)
{
	unsigned const plug = left | up;
	if (left && up)
		return true;
	if (!plug)
		return start_path(s, e, rest);
	if (plug >= COLOUR)
		return plug != s->mark || add(s, e, rest, 0);
	return add_colour(s, e, rest, crux_plug_partner(&s->plugs, frontier, s->column + (up != 0)), s->mark, 0);
}

/* Extends to a place at which two open ends meet. */
static bool join_paths(sweep *s, const extension *e, crux_path_frontier frontier, crux_path_frontier rest, unsigned left,
                       unsigned up)
{
	if (left >= COLOUR && up >= COLOUR)
		return left != up || add(s, e, rest, 1);
	if (left >= COLOUR)
		return add_colour(s, e, rest, crux_plug_partner(&s->plugs, frontier, s->column + 1), left, 1);
	if (up >= COLOUR)
		return add_colour(s, e, rest, crux_plug_partner(&s->plugs, frontier, s->column), up, 1);
	if (left == OPENING && up == CLOSING)
		return true; /* the path would be a loop */
	if (left == CLOSING && up == OPENING)
		return add(s, e, rest, 1); /* the outer ends already match */
	/* one path inside the other: the other end of the inner path gets the plug that both have here */
	size_t const end = crux_plug_partner(&s->plugs, frontier, s->column + (left == OPENING));
	return add(s, e, crux_plug_set(&s->plugs, rest, end, left), 1);
}

/* Extends a state, with its number, to the current place; false when stopped. */
static bool extend(sweep *s, const crux_path_state *state, size_t number)
{
	crux_path_frontier frontier = crux_path_state_frontier(state);
	if (s->column == 0)
		frontier <<= s->plugs.bits; /* drops the closed border at the end of a row and adds one at the start of the next */
	unsigned const left = crux_plug_at(&s->plugs, frontier, s->column), up = crux_plug_at(&s->plugs, frontier, s->column + 1);
	crux_path_frontier const left_closed = crux_plug_set(&s->plugs, frontier, s->column, CLOSED);
	crux_path_frontier const rest = crux_plug_set(&s->plugs, left_closed, s->column + 1, CLOSED);
	extension const e = {state->count, state->turns, (uint32_t)number * 4 + (left ? 2 : 0) + (up ? 1 : 0)};
	if (s->mark == blocked)
		return add(s, &e, rest, 0);
	if (s->mark)
		return end_path(s, &e, frontier, rest, left, up);
	if (left && up)
		return join_paths(s, &e, frontier, rest, left, up);
	if (left || up)
		return lead_on(s, &e, rest, left | up, left != 0, up != 0);
	if (!may_enter(s->down, OPENING) || !may_enter(s->right, CLOSING))
		return true;
	return add(s, &e, crux_plug_set(&s->plugs, crux_plug_set(&s->plugs, rest, s->column, OPENING), s->column + 1, CLOSING), 1);
}

static bool is_late(sweep *s)
{
	s->late = s->deadline > 0 && crux_clock_now() > s->deadline;
	return s->late;
}

/* Sets the role of the current place's colour from here on. */
static void set_role(sweep *s, size_t place)
{
	if (s->mark == 0 || s->mark == blocked || s->plugs.bits > CRUX_ROLE_BITS)
		return;
	size_t other = s->places - 1;
	while (s->marks[other] != s->mark)
		other--;
	size_t const x = other % s->width, y = other / s->width;
	unsigned role = CRUX_ROLE_ANY;
	if (other == place)
		role = CRUX_ROLE_PAIR;
	else if (x == 0)
		role = CRUX_ROLE_EDGE + (unsigned)y;
	else if (y + 1 == s->height)
		role = CRUX_ROLE_EDGE + (unsigned)(y + x);
	else if (x + 1 == s->width)
		role = CRUX_ROLE_EDGE + (unsigned)(2 * s->height + s->width - y);
	s->plugs.roles[s->mark] = role;
}

/* Extends all states of a layer to a place; false when stopped. */
static bool extend_layer(sweep *s, size_t place)
{
	crux_path_layer *const layer = &s->layers[place % 2];
	s->next = &s->layers[(place + 1) % 2];
	s->column = place % s->width;
	s->mark = s->marks[place];
	s->right = s->column + 1 < s->width ? s->marks[place + 1] : blocked;
	s->down = place + s->width < s->places ? s->marks[place + s->width] : blocked;
	size_t const first = s->links.count;
	set_role(s, place);
	if (!crux_path_layer_reset(s->next, layer->count, &s->budget) ||
	    (s->sides && !crux_path_links_append(&s->links, layer, &s->budget)))
		return false;
	for (size_t i = 0; i < layer->count; i++) {
		if (i % STATES_PER_LOOK == 0 && is_late(s))
			return false;
		if (!extend(s, &layer->states[i], first + i))
			return false;
	}
	return enter_waiting(s, 0);
}

/* Sets the sides of all cells, from the link of the last state. */
static void set_sides(const sweep *s, uint32_t link)
{
	unsigned const across = s->transposed ? CRUX_PATH_DOWN : CRUX_PATH_RIGHT;
	unsigned const along = s->transposed ? CRUX_PATH_RIGHT : CRUX_PATH_DOWN;
	memset(s->sides, 0, s->places);
	for (size_t place = s->places; place-- > 0; link = s->links.items[link / 4]) {
		size_t const cell = cell_at(s, place);
		if (link & 2) {
			s->sides[cell] |= (unsigned char)across;
			s->sides[cell_at(s, place - 1)] |= (unsigned char)(s->transposed ? CRUX_PATH_UP : CRUX_PATH_LEFT);
		}
		if (link & 1) {
			s->sides[cell] |= (unsigned char)along;
			s->sides[cell_at(s, place - s->width)] |= (unsigned char)(s->transposed ? CRUX_PATH_LEFT : CRUX_PATH_UP);
		}
	}
}

static bool run(sweep *s, crux_path_cover *result, crux_fault *fault)
{
	crux_path_layer *const first = &s->layers[0];
	crux_path_state *const start =
	    crux_path_layer_reset(first, 1, &s->budget) ? crux_path_layer_at(first, 0, crux_path_hash(0), &s->budget) : NULL;
	bool going = start != NULL;
	if (going)
		start->count = 1;
	for (size_t place = 0; going && place < s->places; place++) {
		going = extend_layer(s, place);
		result->states += s->next->count;
		if (s->next->count > result->peak)
			result->peak = s->next->count;
	}
	result->bytes = s->budget.peak;
	if (going) {
		crux_path_state const *const end = s->next->count ? s->next->states : NULL;
		result->outcome = end ? CRUX_SOLVED : CRUX_UNSOLVABLE;
		result->solutions = end ? end->count : 0;
		result->turns = end ? end->turns : 0;
		if (end && s->sides)
			set_sides(s, end->link);
		return true;
	}
	result->outcome = s->late ? CRUX_LIMIT_SECONDS : CRUX_LIMIT_BYTES;
	if (s->budget.failed)
		crux_fault_set(fault, "out of memory");
	return !s->budget.failed;
}

/* An endpoint, for the check that every colour has two. */
typedef struct endpoint {
	int colour;
	size_t place;
} endpoint;

static int by_colour(const void *a, const void *b)
{
	endpoint const *const x = a, *const y = b;
	if (x->colour != y->colour)
		return x->colour < y->colour ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* Marks the endpoints with plugs, in the order of the colours' numbers; sets the size of plugs. */
static bool mark_endpoints(sweep *s, endpoint *endpoints, size_t count, crux_fault *fault)
{
	qsort(endpoints, count, sizeof *endpoints, by_colour);
	for (size_t i = 0, same; i < count; i += same) {
		for (same = 1; i + same < count && endpoints[i + same].colour == endpoints[i].colour; same++)
			;
		if (same != 2) {
			crux_fault_set(fault, "colour %d has %zu endpoint%s, expected 2", endpoints[i].colour, same,
			               same == 1 ? "" : "s");
			return false;
		}
		s->marks[endpoints[i].place] = s->marks[endpoints[i + 1].place] = COLOUR + (unsigned)(i / 2);
	}
	s->plugs.bits = 2;
	while (COLOUR + count / 2 > (size_t)1 << s->plugs.bits)
		s->plugs.bits++;
	s->plugs.mask = (1U << s->plugs.bits) - 1;
	if ((s->width + 1) * s->plugs.bits <= FRONTIER_BITS)
		return true;
	crux_fault_set(fault, "the shorter side has %zu cells, expected at most %u with %zu colours", s->width,
	               FRONTIER_BITS / s->plugs.bits - 1, count / 2);
	return false;
}

/* Turns the grid's cells into marks. */
static bool mark_places(sweep *s, const int *cells, crux_fault *fault)
{
	endpoint *const endpoints = malloc(s->places * sizeof *endpoints);
	size_t count = 0;
	bool good = true;
	s->marks = malloc(s->places * sizeof *s->marks);
	if (!endpoints || !s->marks) {
		crux_fault_set(fault, "out of memory");
		good = false;
	}
	for (size_t place = 0; good && place < s->places; place++) {
		size_t const cell = cell_at(s, place);
		s->marks[place] = cells[cell] == CRUX_PATH_BLOCKED ? blocked : 0;
		if (cells[cell] > 0)
			endpoints[count++] = (endpoint){cells[cell], place};
		if (cells[cell] < CRUX_PATH_BLOCKED) {
			crux_fault_set(fault, "cell %zu is %d, expected a colour from 1, 0 (empty) or -1 (blocked)", cell + 1,
			               cells[cell]);
			good = false;
		}
	}
	good = good && mark_endpoints(s, endpoints, count, fault);
	free(endpoints);
	return good;
}

/* False if no paths can cover the cells, by the colours of a chessboard: these alternate along a path, so a path between two black
 * ends covers one black cell more than white ones, and one between ends of both colours as many. */
static bool is_balanced(const sweep *s)
{
	long cells = 0, ends = 0;
	for (size_t place = 0; place < s->places; place++) {
		unsigned const mark = s->marks[place];
		int const shade = mark == blocked ? 0 : (place / s->width + place % s->width) % 2 ? 1 : -1;
		cells += shade;
		ends += mark > 0 ? shade : 0;
	}
	return 2 * cells == ends;
}

bool crux_path_cover_solve(const crux_path_grid *grid, crux_solver_limits limits, unsigned char *sides,
                           crux_path_cover *result, crux_fault *fault)
{
	if (grid->width < 1 || grid->height < 1) {
		crux_fault_set(fault, "the grid is %d x %d, expected at least 1 x 1", grid->width, grid->height);
		return false;
	}
	size_t const width = (size_t)grid->width, height = (size_t)grid->height;
	bool const transposed = width > height;
	sweep s = {
		.width = transposed ? height : width,
		.height = transposed ? width : height,
		.plugs.width = transposed ? height : width,
		.places = width * height,
		.transposed = transposed,
		.sides = sides,
		.budget = {.limit = limits.bytes},
		.deadline = crux_clock_deadline(limits.seconds, limits.latest),
	};
	*result = (crux_path_cover){.outcome = CRUX_UNSOLVABLE};
	bool const good = mark_places(&s, grid->cells, fault) && (!is_balanced(&s) || run(&s, result, fault));
	free(s.marks);
	free(s.links.items);
	crux_path_layer_free(&s.layers[0]);
	crux_path_layer_free(&s.layers[1]);
	return good;
}

/* The neighbour of a cell on a side. */
static size_t neighbour(const crux_path_grid *grid, size_t cell, unsigned side)
{
	size_t const width = (size_t)grid->width;
	size_t const steps[] = {
		[CRUX_PATH_UP] = 0 - width, [CRUX_PATH_RIGHT] = 1, [CRUX_PATH_DOWN] = width, [CRUX_PATH_LEFT] = SIZE_MAX,
	};
	return cell + steps[side];
}

size_t crux_path_cover_trace(const crux_path_grid *grid, const unsigned char *sides, size_t start, size_t *path)
{
	unsigned out = sides[start];
	size_t count = 0;
	for (size_t cell = start;; out = sides[cell] & ~out) {
		path[count++] = cell;
		if (!out)
			return count;
		cell = neighbour(grid, cell, out);
		/* the side by which the path enters this cell */
		out = out & (CRUX_PATH_UP | CRUX_PATH_RIGHT) ? out << 2 : out >> 2;
	}
}
