/* A batch of states whose moves are all tried at once: keys in, keys and outcomes of every move out.
 *
 * A lane is a state of the batch. A step is a move of a lane; steps are numbered from 0 in the order of a search one by one:
 * lane * moves + move. */
#ifndef CRUX_NATIVE_BATCH_H
#define CRUX_NATIVE_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "states/state_layout.h"
#include "states/state_set.h"
#include "trace/program.h"

/* The outputs of a program for each move, after the values of the state that it leads to (and, if there is one, the estimate
 * of the moves that are left): truth values. */
enum { CRUX_NATIVE_OUTPUT_WON, CRUX_NATIVE_OUTPUT_LOST, CRUX_NATIVE_OUTPUT_WRONG, CRUX_NATIVE_OUTPUTS };

typedef struct crux_native_batch {
	crux_program *program;
	crux_program *special; /* what does when a flag has that value; may be NULL */
	size_t flag;
	bool flag_value;
	size_t moves, values, words; /* values of a state, words of its key */
	crux_state_place *places;  /* of the values in a key */
	uint64_t *columns;           /* the words of the keys, by lane */
	uint64_t *successors;        /* the same for each move */
	uint8_t *won, *lost, *wrong; /* by move and lane; lost may tell that the state is beyond the bound */
	uint64_t *estimates;         /* likewise; NULL unless informed */
	int64_t depth;               /* of the successors */
	int64_t bound;               /* what depth and estimate may add up to */
	int64_t beyond;              /* the least such sum above the bound; INT64_MAX until there is one */
	bool has_end, has_lost;      /* whether any step wins or is refused, and whether any is lost or beyond the bound */
	uint64_t *keys, *notes;      /* the successors that were gathered */
} crux_native_batch;

/* Takes over the program, also when memory is short or the moves and values are too many, which it then tells by false; release
 * frees it in either case. */
bool crux_native_batch_init(crux_native_batch *batch, crux_program *program, const crux_state_layout *layout, size_t moves,
                            bool informed);
void crux_native_batch_release(crux_native_batch *batch);

/* Tries all moves of so many states, at most CRUX_BATCH, of the set; afterwards `successors` holds keys, and the outcomes
 * are set. */
void crux_native_batch_run(crux_native_batch *batch, const crux_state_set *set, uint32_t first, size_t lanes);

/* Where the outcome of a step is in won, lost and wrong. */
static inline size_t crux_native_batch_outcome(const crux_native_batch *batch, size_t step)
{
	return step % batch->moves * CRUX_BATCH + step / batch->moves;
}

/* The first step from `from` on, before `end`, that wins or is refused; or end. */
size_t crux_native_batch_find_end(const crux_native_batch *batch, size_t from, size_t end);

/* Puts the keys of the states that the steps before `end` lead to in order into `keys`, and beside each, packed, the number
 * from 1 of the state that led to it (`first` being that of the first lane, from 0) and that of the move. Those that are
 * lost are left out, and, unless `all`, those that lead back or where the first move leads. Returns their number. */
size_t crux_native_batch_gather(crux_native_batch *batch, uint32_t first, size_t end, bool all);

/* How many of the steps before `end` are lost; and how many are beyond the bound. */
size_t crux_native_batch_count_lost(const crux_native_batch *batch, size_t end, size_t *beyond);

#endif
