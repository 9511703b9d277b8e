/* An executor of threads, each with an engine of its own; no engine but its own is touched by the thread that uses the pool.
 *
 * A primitive in C is run to its end before a thread stops. */
#ifndef CRUX_WORKERS_H
#define CRUX_WORKERS_H

#include "base/executor.h"

extern const crux_executor crux_workers;

/* Makes libcrux.workers known to require. It is no row of lua/modules.h, as workers have engines and engines no workers. Pools
 * are of that executor, or of threads if it is NULL. */
struct lua_State;
void crux_workers_preload(struct lua_State *L, const crux_executor *executor);

#endif
