/* Opens files and pipes for reading, so that none blocks for ever or fills a disk. */
#pragma once

#include <sys/types.h>

#include "base/fault.h"

enum { CRUX_INPUT_PATIENCE = 10000 }; /* ms */

/* Opens the file for reading. Waits at most `patience` ms until somebody writes to a named pipe; after that it is empty.
 * Returns the descriptor, which the caller closes, or -1 with errno. */
int crux_input_descriptor(const char *path, int patience);

/* Opens the file for pread, "-" being standard input, and sets *start to its beginning. Pipes and terminals, which can be
 * read only once, are copied to a temporary file, which has no name and ends with the descriptor; more than `limit` bytes are
 * a failure, and bytes behind a NUL byte may be left out. Returns the descriptor, which the caller closes, or -1 and a fault
 * whose message begins with `name`. */
int crux_input_open(const char *path, const char *name, size_t limit, off_t *start, crux_fault *fault);
