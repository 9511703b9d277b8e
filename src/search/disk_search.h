/* Breadth-first search whose states are in files, for more states than memory holds: a layer, the states that equally many moves
 * lead to, is a sorted list of keys.
 *
 * Method (Munagala and Ranade, I/O-complexity of graph algorithms, 1999; Korf, Best-first frontier search with delayed duplicate
 * detection, 2004): the successors of a layer are gathered in memory; when that is full, they are sorted and written as a run.
 * The runs are merged, and what any layer holds is left out; the rest is the next layer. Where each move can be taken back,
 * successors are in the last two layers or new. In general a move may lead to any layer: so all are compared.
 *
 * The caller owns the files. A search belongs to one thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crux.h"
#include "search/key_lists.h"
#include "search/native_batch.h"
#include "states/state_set.h"

typedef enum {
	CRUX_DISK_PAUSED,  /* there is more to do */
	CRUX_DISK_THROUGH, /* all is done */
	CRUX_DISK_OPEN,    /* the program does not know what a move does */
	CRUX_DISK_FAILED,  /* the fault says why */
} crux_disk_end;

/* The first group is for reading. */
typedef struct crux_disk_search {
	crux_key_list *layers;
	size_t layer_count;
	bool has_win;           /* a move from a state of the last layer wins */
	int64_t lost;           /* moves from this layer that lose */
	uint64_t found;         /* keys written of the next layer */
	size_t open_move;       /* of CRUX_DISK_OPEN, from 0 */

	int states, runs;       /* files */
	size_t words, room;     /* of a key; keys that `keys` holds, and `spare` */
	uint64_t *keys, *spare; /* gathered successors; then a part of the merged ones */
	size_t count;           /* keys in `keys` */
	void *block;            /* of arrays and of these blocks */
	crux_key_block source;  /* of the layer whose moves are tried; of what is compared when runs are merged */
	crux_key_block target;  /* of the list that is written */
	size_t layer_room, reading, next_block; /* the layer that is read, its next block */
	crux_key_list *run_lists;
	size_t run_count, run_room;
	bool is_merging;
	size_t *cursors;        /* the block of each layer with the last key that was compared */
	size_t cursor_room;
	crux_key_merge merge;   /* of the runs */
} crux_disk_search;

/* A search of states of that layout, with `moves` moves, whose arrays take about `bytes`, at most 512 MiB and as much as a batch
 * needs. NULL when memory is short. */
crux_disk_search *crux_disk_search_new(int states, int runs, const crux_state_layout *layout, size_t moves, size_t bytes);

/* NULL is allowed. */
void crux_disk_search_free(crux_disk_search *search);

/* Writes the first layer, the start. */
bool crux_disk_search_begin(crux_disk_search *search, const uint64_t *start, crux_fault *fault);

/* Adds a layer that an earlier search wrote, and reads it. */
bool crux_disk_search_restore(crux_disk_search *search, uint64_t offset, uint64_t count, crux_fault *fault);

/* Tries the moves of at least `count` further states of the last layer, or of those that are left. */
crux_disk_end crux_disk_search_expand(crux_disk_search *search, crux_native_batch *batch, size_t count, crux_fault *fault);

/* Merges as many successors as `keys` holds; there is no next layer when `found` is 0 at the end. Afterwards crux_disk_search_keep
 * writes the file to the disk, and cuts off what is behind the last layer. */
crux_disk_end crux_disk_search_merge(crux_disk_search *search, crux_fault *fault);
bool crux_disk_search_keep(crux_disk_search *search, crux_fault *fault);

/* Adds to `into` those of the next `count` states of a layer from which a move wins, or, unless targets is NULL, leads to one of
 * these; as many as the set's limit on bytes allows. */
crux_disk_end crux_disk_search_trace(crux_disk_search *search, crux_native_batch *batch, size_t layer,
                                     const crux_state_set *targets, crux_state_set *into, size_t count, crux_fault *fault);

/* The first state of the last layer; NULL with a fault when it cannot be read. */
const uint64_t *crux_disk_search_sample(crux_disk_search *search, crux_fault *fault);
