/* What carries out long work: a pool of workers that call a Lua function on items, the results in the order of the items.
 *
 * Items and results are plain values as bytes (value.h). A pool is used by one thread. There are two: threads (workers.h),
 * and processes of MPI (mpi_workers.h), which only crux-mpi has. */
#ifndef CRUX_EXECUTOR_H
#define CRUX_EXECUTOR_H

#include "base/bytes.h"
#include "crux.h"

/* Where the registry of a Lua state has a light userdata, the executor to use instead of threads. */
#define CRUX_EXECUTOR_KEY "libcrux.executor"

/* A lua_CFunction that opens a module. */
struct lua_State;
typedef int (*crux_opener)(struct lua_State *L);

typedef struct crux_executor {
	size_t workers; /* of every pool; 0: as many as are asked for */

	/* Starts a pool of `count` workers with engines of that home and LPeg (see crux_engine_open). `start` holds three values: the
	 * package.path of the engines, the name of a module, and the setup. Each engine requires the module, which gives a
	 * function, and calls that with the setup: this gives the function for the items. What goes wrong there is the fault of
	 * every item. The bytes of `start` become the pool's, whatever happens. NULL and a fault when there is no pool. */
	void *(*start)(size_t count, const char *home, crux_opener lpeg, crux_bytes *start, crux_fault *fault);

	/* Ends the workers, even in the middle of Lua code, and frees all. NULL does nothing. */
	void (*stop)(void *pool);

	/* Gives an item to the workers. Its bytes become the pool's and are set to zero; false when memory is short. */
	bool (*put)(void *pool, crux_bytes *item);

	/* Waits for the result of the oldest item and returns its bytes, the pool's until that item is dropped; NULL when it
	 * failed, its worker died, or there is no item. */
	const char *(*wait)(void *pool, crux_fault *fault);

	/* Forgets the oldest item, whose result was waited for; does nothing when there is none. */
	void (*drop)(void *pool);
} crux_executor;

#endif
