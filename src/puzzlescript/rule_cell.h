/* A cell of a rule: the sets that a cell of the level must have to match, and those that replace them. */
#ifndef CRUX_RULE_CELL_H
#define CRUX_RULE_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Words before a name. Others are the bits of a movement, or 0 for none. */
enum {
	CRUX_RULE_NO = 3,
	CRUX_RULE_RANDOM_DIRECTION = 5,
	CRUX_RULE_RANDOM = 18,
	CRUX_RULE_STATIONARY = 32,
};

/* An object, or a property: any one of several objects. */
typedef struct crux_rule_name {
	bool is_object;
	const uint64_t *objects;
	size_t layer; /* of the first object */
} crux_rule_name;

/* One side of a cell as it is written: pairs of a word and the number of a name, from 0. */
typedef struct crux_rule_side {
	bool has_random;
	size_t count;
	const uint64_t *pairs;
} crux_rule_side;

typedef struct crux_rule_cell {
	bool replaces;
	bool never_matches; /* it requires two objects of a layer, or an object and its absence */
	bool is_identity;   /* both sides are equal */
	bool has_chance, is_used;
	uint64_t *present, *missing, *moving, *still;
	size_t any_count;
	uint64_t *any; /* any_count sets; the cell of the level has at least one object of each */
	uint64_t *clear, *set, *stop, *go, *touched;
	uint64_t *spawned, *turned; /* objects of which chance spawns one; layers to which it gives a direction */
	uint64_t *storage;
} crux_rule_cell;

struct crux_rule_program;

/* Makes the cell of a rule. `right` is NULL if the rule replaces nothing. Unless the rule is late, objects on the right stop
 * if the left side names nothing on their layer. Returns false when memory is short. */
bool crux_rule_cell_make(const struct crux_rule_program *program, crux_rule_cell *cell, const crux_rule_side *left,
                         const crux_rule_side *right, bool is_late);

/* Adds the objects that the cell may create, remove or move to program->changing, and notes its use of chance. */
void crux_rule_cell_use(struct crux_rule_program *program, crux_rule_cell *cell);

#endif
