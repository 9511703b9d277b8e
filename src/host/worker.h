/* One worker: an engine with a Lua function that turns items into results. */
#ifndef CRUX_WORKER_H
#define CRUX_WORKER_H

#include "base/bytes.h"
#include "crux.h"

/* All zeros but for the engine: not started. Its address must stay the same. */
typedef struct crux_worker {
	crux_engine *engine; /* the owner's */
	crux_bytes const *start;
	crux_bytes *bytes; /* at hand */
	bool failed;       /* to start */
	crux_fault fault;
} crux_worker;

/* Makes the function for the items (see crux_executor.start). What goes wrong is the fault of every item. */
void crux_worker_start(crux_worker *worker, const crux_bytes *start);

/* Turns an item into its result, in the same bytes. */
bool crux_worker_run(crux_worker *worker, crux_bytes *bytes, crux_fault *fault);

#endif
