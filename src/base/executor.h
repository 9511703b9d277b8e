/* An executor makes pools of workers, which call a Lua function on items. Results come in the order of the items.
 *
 * Items and results are plain values as bytes (value.h). One thread uses a pool. Workers are threads (workers.h), in crux-mpi
 * processes of MPI (mpi_workers.h), and in a server processes (processes.h). */
#pragma once

#include "base/bytes.h"
#include "crux.h"

/* Key of the registry of a Lua state: a light userdata, the executor to use instead of threads. */
#define CRUX_EXECUTOR_KEY "libcrux.executor"

/* A lua_CFunction that opens a module. */
struct lua_State;
typedef int (*crux_opener)(struct lua_State *L);

typedef struct crux_executor {
	size_t workers; /* of every pool; 0: the caller chooses */

	/* Starts a pool of `count` workers, each with an engine of that home and LPeg (see crux_engine_open). `start` holds
	 * three values: the package.path of the engines, the name of a module, and a setup. Each engine calls
	 * require(module)(setup), which returns the function for the items; an error there is the fault of every item. The
	 * pool takes the bytes of `start`, also when it fails. Returns NULL and a fault when it fails. */
	void *(*start)(size_t count, const char *home, crux_opener lpeg, crux_bytes *start, crux_fault *fault);

	/* Ends the workers, even in the middle of Lua code, and frees the pool. NULL does nothing. */
	void (*stop)(void *pool);

	/* Gives an item to the workers. The pool takes its bytes and sets `item` to zero. Returns false if memory is short. */
	bool (*put)(void *pool, crux_bytes *item);

	/* Waits for the result of the oldest item and returns its bytes, which last until the item is dropped. Returns NULL
	 * and a fault if the item failed, its worker died, or there is no item. */
	const char *(*wait)(void *pool, crux_fault *fault);

	/* Drops the oldest item, whose result was waited for; does nothing if there is none. */
	void (*drop)(void *pool);

	/* A descriptor that is readable while there is a result that was not waited for, or -1 when the worker is gone for good; and
	 * the number that the worker noted last (note.h), 0 since the item was put. halt() ends the process that works on an item,
	 * which then fails, and another process gets the next one; or tells it to answer soon. NULL unless the pool is a process. */
	int (*descriptor)(void *pool);
	int (*note)(void *pool);
	void (*halt)(void *pool, int how); /* CRUX_NOTE_HALT or CRUX_NOTE_FINISH */
} crux_executor;
