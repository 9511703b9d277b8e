/* A worker in a process of its own: if it dies, the item that it worked on fails, and a new process takes its place.
 *
 * Behind the wall of system calls no process can be started. There the child is a keeper: it was started before the wall, raises
 * none, and passes items on to a worker that is its own child. */
#pragma once

#include <stdatomic.h>
#include <sys/types.h>

#include "base/bytes.h"
#include "base/executor.h"
#include "crux.h"

/* Set the first three members, those that are needed of the next three, and all others to zero. */
typedef struct crux_child {
	char const *home;        /* of its engine; belongs to the owner */
	crux_opener lpeg;        /* of its engine */
	crux_bytes const *start; /* see crux_executor.start; belongs to the owner */
	bool keeps;              /* it is a keeper */
	bool opens_files;        /* the module of the worker opens files to write, and then raises the wall */
	atomic_int *note;        /* where the worker notes how far it is (note.h), in memory that it shares; NULL: nowhere. A keeper
	                            ends the worker when its owner writes CRUX_NOTE_HALT there */
	pid_t process;           /* 0: not running */
	int socket;
	int in_flight;           /* items without a result; 0 after the process died */
	size_t bytes;            /* of the items given since none was in flight */
} crux_child;

/* Starts the child, if it is not running; returns false if that fails. */
bool crux_child_start(crux_child *child);

/* Starts the child if it is not running and gives it an item; if it cannot be started, the item fails. Does nothing and returns
 * false while the child has too many bytes in flight. */
bool crux_child_give(crux_child *child, const char *item, size_t size);

/* Waits for the result of the oldest item in flight, at most `nanoseconds`; returns true when it is there. Then `message` is
 * the result and a byte of 1; or the text of a fault, '\0' and a byte of 0. If the process died, this item fails; give the
 * items behind it again. */
bool crux_child_take(crux_child *child, crux_bytes *message, long nanoseconds);

/* Ends the child, even in the middle of an item. */
void crux_child_stop(crux_child *child);

/* Turns a message of crux_child_take into its result and returns true; for a fault, returns false and the fault. */
bool crux_child_result(crux_bytes *message, crux_fault *fault);
