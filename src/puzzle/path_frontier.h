/* The frontiers of the sweep in path_cover.c: the paths across each border between the cells swept and the cells to come.
 *
 * A frontier holds width + 1 plugs of `bits` bits, from left to right along the border. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Plugs: no path crosses the border; the first and second open end of a path without an endpoint, which nest like
 * parentheses; from CRUX_PLUG_COLOUR on, the open end of a path from an endpoint of that colour. */
enum { CRUX_PLUG_CLOSED, CRUX_PLUG_OPENING, CRUX_PLUG_CLOSING, CRUX_PLUG_COLOUR };

/* Destinations of an open end of a colour. */
enum {
	CRUX_ROLE_ANY,  /* an endpoint inside the grid */
	CRUX_ROLE_PAIR, /* the colour's other open end: both endpoints were passed */
	CRUX_ROLE_EDGE, /* this or more: an endpoint at the edge of the cells to come; numbers grow counterclockwise from the
	                 * start of the frontier */
	CRUX_ROLE_BITS = 6, /* largest plugs, in bits, that have roles */
};

__extension__ typedef unsigned __int128 crux_path_frontier;

typedef struct crux_path_plugs {
	size_t width;
	unsigned bits;
	unsigned mask;                       /* of one plug */
	unsigned roles[1 << CRUX_ROLE_BITS]; /* by plug; unused with larger plugs */
} crux_path_plugs;

static inline unsigned crux_plug_at(const crux_path_plugs *p, crux_path_frontier frontier, size_t position)
{
	return (unsigned)(frontier >> position * p->bits) & p->mask;
}

static inline crux_path_frontier crux_plug_set(const crux_path_plugs *p, crux_path_frontier frontier, size_t position,
                                               unsigned plug)
{
	unsigned const shift = (unsigned)position * p->bits;
	return (frontier & ~((crux_path_frontier)p->mask << shift)) | (crux_path_frontier)plug << shift;
}

/* The position of the other end of the path whose end, CRUX_PLUG_OPENING or CRUX_PLUG_CLOSING, is at `position`. */
size_t crux_plug_partner(const crux_path_plugs *p, crux_path_frontier frontier, size_t position);

/* True when another colour encloses the open end of a colour at that position, so that it cannot reach its destination: paths
 * cannot cross. Considers only colours within the same parentheses, because the path of a parenthesis may lead elsewhere. */
bool crux_plug_obstructed(const crux_path_plugs *p, crux_path_frontier frontier, size_t position);
