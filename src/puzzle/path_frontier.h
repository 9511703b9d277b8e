/* The frontiers of the sweep in path_cover.c: what crosses each border between the cells swept and those to come.
 *
 * A frontier holds width + 1 plugs of `bits` bits, from left to right along the border. */
#ifndef CRUX_PATH_FRONTIER_H
#define CRUX_PATH_FRONTIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Plugs: the borders that no path crosses; those that join two open ends of a path without an endpoint, which nest as
 * parentheses do; and, from CRUX_PLUG_COLOUR on, the open end of a path that started at an endpoint. */
enum { CRUX_PLUG_CLOSED, CRUX_PLUG_OPENING, CRUX_PLUG_CLOSING, CRUX_PLUG_COLOUR };

/* Where an open end of a colour is to go. */
enum {
	CRUX_ROLE_ANY,  /* to an endpoint somewhere within the grid */
	CRUX_ROLE_PAIR, /* to the colour's other open end, for both endpoints have been passed */
	CRUX_ROLE_EDGE, /* this or more: to an endpoint at the edge of what is to come; more: further on, counterclockwise from
	                 * where the frontier begins */
	CRUX_ROLE_BITS = 6, /* of plugs, up to which roles are kept */
};

__extension__ typedef unsigned __int128 crux_path_frontier;

typedef struct crux_path_plugs {
	size_t width;
	unsigned bits;
	unsigned mask;                       /* of one plug */
	unsigned roles[1 << CRUX_ROLE_BITS]; /* by plug; not used for larger plugs */
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

/* The position of the other end of the path that has an open end, CRUX_PLUG_OPENING or CRUX_PLUG_CLOSING, at this one. */
size_t crux_plug_partner(const crux_path_plugs *p, crux_path_frontier frontier, size_t position);

/* Whether the colour at that position can never go where it is to go, because another one is in its way: paths cannot
 * cross. It finds colours only that stand within the same parentheses, for a path may lead through those to elsewhere. */
bool crux_plug_obstructed(const crux_path_plugs *p, crux_path_frontier frontier, size_t position);

#endif
