/* A cell of a rule: the sets that a cell of the level must have to match, and those that replace them. */
#ifndef CRUX_RULE_CELL_H
#define CRUX_RULE_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "puzzlescript/rule_reader.h"
#include "puzzlescript/rule_sets.h"

/* An object; a property: any one of several objects; or an aggregate of objects. */
typedef struct crux_rule_name {
	bool is_object, is_aggregate;
	bool has_layers; /* a property whose objects are on several layers */
	size_t layer;    /* of the first object */
	size_t count;
	const uint64_t *objects_in_order; /* their numbers */
	uint64_t *objects;                /* their set */
} crux_rule_name;

typedef struct crux_rule_cell {
	bool replaces;
	bool contradicts; /* it requires an object and its absence */
	bool excludes;    /* it requires two names on one layer */
	bool overlaps;    /* the right side has two names on one layer */
	bool is_identity; /* both sides are equal */
	bool has_chance, is_used;
	uint64_t *present, *missing, *moving, *still;
	crux_rule_tests objects, moves; /* tests of these sets */
	size_t any_count;
	uint64_t *any; /* any_count sets; the cell of the level has at least one object of each */
	uint64_t *clear, *set, *stop, *go, *touched;
	uint64_t *spawned, *turned; /* objects of which chance spawns one; layers to which it gives a direction */
	uint64_t *storage;
	crux_rule_test *tests; /* storage of both */
} crux_rule_cell;

struct crux_rule_program;

/* Returns the number, from 1, of the program's cell with a text on each side; right: CRUX_RULE_NO_TEXT if the rule replaces
 * nothing. Unless the rule is late, objects on the right stop if the left side names nothing on their layer. Returns 0 when
 * memory is short. */
uint32_t crux_rule_cell_of(crux_rule_reader *r, uint32_t left, uint32_t right, bool is_late);

/* NULL is allowed. */
void crux_rule_cell_free(crux_rule_cell *cell);

/* Returns the mistake that a text names two objects of a layer. */
crux_rule_mistake crux_rule_overlap(const crux_rule_reader *r, uint32_t text, bool is_left);

/* Adds the objects that the cell may create, remove or move to program->changing, and notes its use of chance. */
void crux_rule_cell_use(struct crux_rule_program *program, crux_rule_cell *cell);

#endif
