/* The wall behind the sandbox of scripts: a filter of system calls, by libseccomp. crux_wall_raise of crux.h raises it.
 *
 * A list tells which calls are allowed: memory, threads, time, signals to this process, reading files, reading and writing
 * open files; renaming and removing files, for temporary ones; and making files without a name, which end with the process.
 * All other calls, such as opening a file to write, starting a program, the network and other processes, fail with EPERM or
 * ENOSYS. */
#pragma once

#include "crux.h"

/* As crux_wall_raise, for a server: connections from that listening socket may be taken, answered and closed, too. -1: none. */
bool crux_wall_raise_serving(int listening, crux_fault *fault);

/* Why this build has no wall; NULL if it has one. */
extern const char *const crux_wall_missing;
