/* A pool of threads, each with an engine of its own, that call a Lua function on items in the order they were put.
 *
 * Items and results are plain values as bytes (value.h). The pool is used by one thread; no engine but its own is touched
 * by it. */
#ifndef CRUX_WORKERS_H
#define CRUX_WORKERS_H

#include "crux.h"
#include "value.h"

typedef struct crux_workers crux_workers;

/* Starts `count` threads with engines of that home (see crux_engine_new). `start` holds three values: the package.path
 * of the engines, the name of a module, and the setup. Each engine requires the module, which gives a function, and calls
 * that with the setup: this gives the function for the items. What goes wrong there is the fault of every item. The bytes
 * of `start` become the pool's, whatever happens. */
crux_workers *crux_workers_new(size_t count, const char *home, crux_bytes *start, crux_fault *fault);

/* Stops the threads, even in the middle of Lua code, waits for them, and frees all. A primitive in C is run to its end.
 * NULL does nothing. */
void crux_workers_free(crux_workers *pool);

/* Gives an item to the workers. Its bytes become the pool's and are set to zero; false when memory is short. */
bool crux_workers_put(crux_workers *pool, crux_bytes *item);

/* Waits for the result of the oldest item and returns its bytes, the pool's until that item is dropped; NULL when it
 * failed, or when there is no item. */
const char *crux_workers_wait(crux_workers *pool, crux_fault *fault);

/* Forgets the oldest item, whose result was waited for; does nothing when there is none. */
void crux_workers_drop(crux_workers *pool);

#endif
