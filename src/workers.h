/* An executor of threads, each with an engine of its own; no engine but its own is touched by the thread that uses the pool.
 *
 * A primitive in C is run to its end before a thread stops. */
#ifndef CRUX_WORKERS_H
#define CRUX_WORKERS_H

#include "executor.h"

extern const crux_executor crux_workers;

#endif
