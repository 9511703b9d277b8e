/* Masks: sets of states, as reduced ordered binary decision diagrams over truth values of a trace. They tell in which states a path
 * of a script runs. Equal sets are the same number: CRUX_MASK_NONE is no state, CRUX_MASK_ALL are all states, and the last bit
 * makes a mask its opposite.
 *
 * The caller owns the masks, and keeps the trace as long. When memory is short, or there are more than CRUX_MOST_CONDITIONS truth
 * values or CRUX_MOST_MASK_NODES nodes of diagrams, or CRUX_MOST_MASK_STEPS steps, crux_masks_have_failed becomes true, and results
 * are meaningless (but valid). */
#pragma once

#include "trace/trace.h"

typedef uint32_t crux_mask;

enum { CRUX_MASK_NONE = 0, CRUX_MASK_ALL = 1 };

typedef struct crux_masks crux_masks;

/* NULL when memory is short. */
crux_masks *crux_masks_new(crux_trace *trace);

/* NULL is allowed. */
void crux_masks_free(crux_masks *masks);

bool crux_masks_have_failed(const crux_masks *masks);

/* True while another move can use the masks, too: most of what they may hold is left. */
bool crux_masks_are_few(const crux_masks *masks);

/* False for a number that is no mask. */
bool crux_masks_has(const crux_masks *masks, uint64_t number);

/* The states in which a truth value of the trace holds, and the truth value of a mask. */
crux_mask crux_masks_of(crux_masks *masks, crux_node truth);
crux_node crux_masks_truth(crux_masks *masks, crux_mask mask);

static inline crux_mask crux_mask_negate(crux_mask a) { return a ^ 1; }

crux_mask crux_masks_both(crux_masks *masks, crux_mask a, crux_mask b);

/* A mask, simpler where it can be, that has the same states as a among those of `whole`. */
crux_mask crux_masks_within(crux_masks *masks, crux_mask a, crux_mask whole);
