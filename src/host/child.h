/* A worker in a process of its own: when it dies, whatever of, that costs the item that it worked on, and another takes its
 * place. */
#ifndef CRUX_CHILD_H
#define CRUX_CHILD_H

#include <sys/types.h>

#include "base/bytes.h"
#include "base/executor.h"
#include "crux.h"

/* All zeros but for the first three: none is running yet. */
typedef struct crux_child {
	char const *home;        /* of its engine; the owner's */
	crux_opener lpeg;        /* of its engine */
	crux_bytes const *start; /* see crux_executor.start; the owner's */
	pid_t process;           /* 0: not running */
	int socket;
	int given;               /* items without a result; 0 again when the process died */
	size_t bytes;            /* of the items since there was none */
} crux_child;

/* Gives an item to the child, after starting it if it is not running; when that fails, so does the item. False, and nothing
 * done, when the child has as much as it may have at a time. */
bool crux_child_give(crux_child *child, const char *item, size_t size);

/* Waits for the result of the oldest item given, at most so many nanoseconds; returns whether it is there. Then `message` is
 * the result and a byte of 1; or a byte of 0 behind what went wrong, as text that ends with '\0'. When the process died, that
 * is of this item; those behind it are to be given again. */
bool crux_child_take(crux_child *child, crux_bytes *message, long nanoseconds);

/* Ends the child, even in the middle of an item. */
void crux_child_stop(crux_child *child);

/* What a message that crux_child_take gave says: true and the result, or the fault. Its last byte is taken off. */
bool crux_child_open(crux_bytes *message, crux_fault *fault);

#endif
