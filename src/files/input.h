/* Opening what is read: files, and pipes, such that neither blocks for ever or fills a disk. */
#ifndef CRUX_INPUT_H
#define CRUX_INPUT_H

#include <sys/types.h>

#include "base/fault.h"

enum { CRUX_INPUT_PATIENCE = 10000 }; /* ms */

/* Opens the file for reading. A named pipe is waited for until somebody writes to it, `patience` ms at most: then it is
 * empty. Returns the descriptor, which the caller closes, or -1 with errno. */
int crux_input_descriptor(const char *path, int patience);

/* Opens the file for pread, "-" being standard input, and sets *start to where it begins. What can be read only once
 * (pipes, terminals) is first copied to a temporary file that has no name and goes away with the descriptor: `most` bytes
 * of it, or a failure; what follows a NUL byte is left out. Returns the descriptor, which the caller closes, or -1; the
 * message then begins with name. */
int crux_input_open(const char *path, const char *name, size_t most, off_t *start, crux_fault *fault);

#endif
