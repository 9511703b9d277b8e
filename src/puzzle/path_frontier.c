/* What the plugs of a frontier say about each other. */
#include "puzzle/path_frontier.h"

#include <limits.h>

size_t crux_plug_partner(const crux_path_plugs *p, crux_path_frontier frontier, size_t position)
{
	bool const opening = crux_plug_at(p, frontier, position) == CRUX_PLUG_OPENING;
	size_t const step = opening ? 1 : SIZE_MAX; /* one back */
	size_t depth = 0;
	for (size_t i = position;; i += step) {
		unsigned const plug = crux_plug_at(p, frontier, i);
		if (plug == (opening ? CRUX_PLUG_OPENING : CRUX_PLUG_CLOSING))
			depth++;
		else if (plug == (opening ? CRUX_PLUG_CLOSING : CRUX_PLUG_OPENING) && --depth == 0)
			return i;
	}
}

/* The colours on one side of an open end, up to where the parentheses around it end; what parentheses enclose is passed
 * over. Sets of colours are bits by plug. */
typedef struct outlook {
	uint64_t pairs;     /* those with CRUX_ROLE_PAIR that are met once */
	uint64_t between;   /* those of them that are met before the colour's own other end */
	bool meets;         /* that other end */
	bool edge;          /* a colour that is to go to the edge, before that other end */
	bool enclosed;      /* parentheses end */
	unsigned low, high; /* roles of those that are to go to the edge */
} outlook;

/* Takes in a colour that is met. */
static void meet(outlook *o, unsigned plug, unsigned own, unsigned role)
{
	if (plug == own) {
		o->meets = true;
		o->between = o->pairs;
		o->pairs = 0;
	} else if (role == CRUX_ROLE_PAIR) {
		o->pairs ^= UINT64_C(1) << plug;
	} else if (role >= CRUX_ROLE_EDGE) {
		o->edge |= !o->meets;
		o->low = role < o->low ? role : o->low;
		o->high = role > o->high ? role : o->high;
	}
}

static outlook look(const crux_path_plugs *p, crux_path_frontier frontier, size_t position, bool right)
{
	unsigned const own = crux_plug_at(p, frontier, position), out = right ? CRUX_PLUG_CLOSING : CRUX_PLUG_OPENING;
	size_t const end = right ? p->width : 0, step = right ? 1 : SIZE_MAX; /* one back */
	size_t depth = 0;
	outlook o = {.low = UINT_MAX};
	for (size_t i = position; i != end && !o.enclosed;) {
		i += step;
		unsigned const plug = crux_plug_at(p, frontier, i);
		if (plug == out && depth == 0)
			o.enclosed = true;
		else if (plug == out)
			depth--;
		else if (plug >= CRUX_PLUG_COLOUR && depth == 0)
			meet(&o, plug, own, p->roles[plug]);
		else if (plug != CRUX_PLUG_CLOSED && plug < CRUX_PLUG_COLOUR)
			depth++;
	}
	return o;
}

bool crux_plug_obstructed(const crux_path_plugs *p, crux_path_frontier frontier, size_t position)
{
	unsigned const role = p->bits > CRUX_ROLE_BITS ? CRUX_ROLE_ANY : p->roles[crux_plug_at(p, frontier, position)];
	if (role == CRUX_ROLE_ANY)
		return false;
	outlook const left = look(p, frontier, position, false);
	if ((role >= CRUX_ROLE_EDGE && left.enclosed) || (left.meets && !left.between && !left.edge))
		return false;
	outlook const right = look(p, frontier, position, true);
	bool const outermost = !left.enclosed && !right.enclosed;
	if (role >= CRUX_ROLE_EDGE)
		return outermost && ((left.pairs & right.pairs) || left.high > role || right.low < role);
	outlook const *const inner = left.meets ? &left : &right, *const outer = left.meets ? &right : &left;
	return inner->meets && ((inner->between & (inner->pairs | outer->pairs)) || (inner->edge && outermost));
}
