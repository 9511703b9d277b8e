/* Opening a file such that it can be read from any place, and as often as wanted. */
#ifndef CRUX_INPUT_H
#define CRUX_INPUT_H

#include "fault.h"

#include <sys/types.h>

/* Opens the file for pread, "-" being standard input, and sets *start to where it begins. What can be read only once
 * (pipes, terminals) is first copied to a temporary file that has no name and goes away with the descriptor. Returns
 * the descriptor, which the caller closes, or -1; the message then begins with name. */
int crux_input_open(const char *path, const char *name, off_t *start, crux_fault *fault);

#endif
