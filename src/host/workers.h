/* An executor of threads, each with an engine of its own. A thread stops after the primitive in C that it runs. */
#pragma once

#include "base/executor.h"

extern const crux_executor crux_workers;

/* Registers libcrux.workers with require; the executor makes its pools, or threads if it is NULL. libcrux.workers is no row of
 * lua/modules.h, as engines must not depend on workers. */
struct lua_State;
void crux_workers_preload(struct lua_State *L, const crux_executor *executor);
