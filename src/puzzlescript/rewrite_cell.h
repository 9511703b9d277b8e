/* A cell of a rewrite: the sets that a cell of the level must have to match, and those that replace them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "puzzlescript/rewrite_reader.h"
#include "puzzlescript/rewrite_sets.h"

/* An object; a property: any one of several objects; or an aggregate of objects. */
typedef struct crux_rewrite_name {
	bool is_object, is_aggregate;
	bool has_layers; /* a property whose objects are on several layers */
	size_t layer;    /* of the first object */
	size_t count;
	const uint64_t *objects_in_order; /* their numbers */
	uint64_t *objects;                /* their set */
} crux_rewrite_name;

typedef struct crux_rewrite_cell {
	bool replaces;
	bool contradicts; /* it requires an object and its absence */
	bool excludes;    /* it requires two names on one layer */
	bool overlaps;    /* the right side has two names on one layer */
	bool is_identity; /* both sides are equal */
	bool has_chance, is_used;
	uint64_t *present, *missing, *moving, *still;
	crux_rewrite_tests objects, moves; /* tests of these sets */
	size_t any_count;
	uint64_t *any; /* any_count sets; the cell of the level has at least one object of each */
	uint64_t *clear, *set, *stop, *go, *touched;
	uint64_t *spawned, *turned; /* objects of which chance spawns one; layers to which it gives a direction */
	uint64_t *storage;
	crux_rewrite_test *tests; /* storage of both */
} crux_rewrite_cell;

struct crux_rewrite_program;

/* Returns the number, from 1, of the program's cell with a text on each side; right: CRUX_REWRITE_NO_TEXT if the rewrite
 * replaces nothing. Unless the rewrite is late, objects on the right stop if the left side names nothing on their layer.
 * Returns 0 when memory is short. */
uint32_t crux_rewrite_cell_of(crux_rewrite_reader *r, uint32_t left, uint32_t right, bool is_late);

/* NULL is allowed. */
void crux_rewrite_cell_free(crux_rewrite_cell *cell);

/* Returns the mistake that a text names two objects of a layer. */
crux_rewrite_mistake crux_rewrite_overlap(const crux_rewrite_reader *r, uint32_t text, bool is_left);

/* Adds the objects that the cell may create, remove or move to program->changing, and notes its use of chance. */
void crux_rewrite_cell_use(struct crux_rewrite_program *program, crux_rewrite_cell *cell);
