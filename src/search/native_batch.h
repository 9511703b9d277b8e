/* A batch of states whose moves are all tried at once: keys in; keys and outcomes of every move out.
 *
 * A lane is a state of the batch. A step is a move of a lane; step lane * moves + move, from 0, in the order of a search that
 * tries them one by one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "states/state_layout.h"
#include "trace/program.h"

/* The truth values that a program has as outputs for each move, after the values of the successor and, when informed, its
 * estimate of the moves left. */
enum { CRUX_NATIVE_OUTPUT_WON, CRUX_NATIVE_OUTPUT_LOST, CRUX_NATIVE_OUTPUT_WRONG, CRUX_NATIVE_OUTPUTS };

typedef struct crux_native_batch {
	crux_program *program;
	bool is_guarded;       /* the program has a part for each move: steps where a guard does not hold lead back and are left out */
	crux_program *special; /* shorter, for states whose flag has that value; may be NULL */
	size_t flag;
	bool flag_value;
	size_t moves, values, words; /* values of a state, words of its key */
	bool informed;               /* there are estimates */
	bool never_loses, never_wrong; /* these outputs hold in no state */
	void *block;                 /* of the arrays below */
	crux_state_layout *layout;
	crux_state_place const *places; /* of the values in a key; the layout's */
	uint64_t *columns;           /* words of the keys, by lane */
	uint64_t *successors;        /* the same for each move */
	uint8_t *won, *lost, *wrong; /* by move and lane; `lost` also marks states above the bound, and `wrong` becomes
	                              * CRUX_NATIVE_IS_REFUSED when a step is settled as that */
	uint64_t *estimates;         /* by move and lane, or by pair; when informed */
	int64_t depth;               /* of the successors */
	int64_t bound;               /* on the sum of depth and estimate */
	int64_t beyond;              /* the least such sum above the bound; INT64_MAX when there is none */
	bool has_end, has_lost;      /* a step wins or is refused; a step is lost or above the bound */
	uint64_t *keys, *notes;      /* of the gathered successors; before they are gathered, of the pairs; with room for one more */
	size_t pair_count;           /* of a guarded batch: steps whose guards hold */
	uint32_t *pairs;             /* their numbers, in order; won, lost and wrong are by pair */
	uint16_t *guarded;           /* the lanes of each move's pairs, move after move, */
	uint32_t *move_pairs;        /* up to this end */
	uint32_t *rows;              /* the places of these pairs in `pairs` */
	uint32_t *lane_pairs;        /* the place of each lane's first pair */
	uint64_t *idle_estimates;    /* of each lane's other steps */
	uint8_t *idle_beyond;        /* those steps are above the bound */
} crux_native_batch;

/* The outcome of a step. The program does not know that of an open step: crux_native_batch_settle sets it. */
typedef enum {
	CRUX_NATIVE_LEADS_ON,
	CRUX_NATIVE_WINS,
	CRUX_NATIVE_LOSES,
	CRUX_NATIVE_IS_REFUSED,
	CRUX_NATIVE_IS_OPEN,
} crux_native_outcome;

/* Copies the layout and takes over the program. False when memory is short or there are too many moves and values; release frees
 * both in any case. */
bool crux_native_batch_init(crux_native_batch *batch, crux_program *program, const crux_state_layout *layout, size_t moves,
                            bool informed, bool is_guarded);
void crux_native_batch_release(crux_native_batch *batch);

/* Makes a state that of a lane. */
void crux_native_batch_take(crux_native_batch *batch, size_t lane, const uint64_t *key);

/* Tries all moves of the states of the first lanes, at most CRUX_BATCH; sets successors and outcomes. */
void crux_native_batch_run(crux_native_batch *batch, size_t lanes);

/* The outcome of a step and, unless key is NULL, the key of the successor if it leads on. */
crux_native_outcome crux_native_batch_step(const crux_native_batch *batch, size_t step, uint64_t *key);

/* The estimate of a step, when informed. */
uint64_t crux_native_batch_estimate(const crux_native_batch *batch, size_t step);

/* Sets the outcome of an open step: another one and, if it leads on, the key of the successor and its estimate. */
void crux_native_batch_settle(crux_native_batch *batch, size_t step, crux_native_outcome outcome, const uint64_t *key,
                              uint64_t estimate);

/* The first step from `from` on that wins, is refused or is open; `end` when there is none before it. */
size_t crux_native_batch_find_end(const crux_native_batch *batch, size_t from, size_t end);

/* Puts the keys of the successors of the steps before `end` into `keys`, in order, and into `notes` for each the number of its
 * predecessor, from 1 (`first` is that of the first lane, from 0), in the lower half, and of the move in the upper half. Leaves
 * out lost successors and, unless `all`, those equal to their predecessor or to the first move's successor. Returns their
 * number. */
size_t crux_native_batch_gather(crux_native_batch *batch, uint32_t first, size_t end, bool all);

/* The number of steps before `end` that are lost; *beyond: those above the bound. */
size_t crux_native_batch_count_lost(const crux_native_batch *batch, size_t end, size_t *beyond);
