/* One worker: an engine with a Lua function that turns items into results. */
#pragma once

#include "base/bytes.h"
#include "crux.h"

/* Set the engine, and all other members to zero. The worker must stay at its address. */
typedef struct crux_worker {
	crux_engine *engine; /* belongs to the owner */
	crux_bytes const *start;
	crux_bytes *bytes; /* current item */
	bool failed;       /* to start */
	crux_fault fault;
} crux_worker;

/* Makes the function for the items (see crux_executor.start). If that fails, every item fails. */
void crux_worker_start(crux_worker *worker, const crux_bytes *start);

/* Replaces the item in `bytes` by its result. */
bool crux_worker_run(crux_worker *worker, crux_bytes *bytes, crux_fault *fault);
