/* The second wall behind the sandbox of scripts: a filter of system calls, by libseccomp. crux_wall_raise of crux.h raises it.
 *
 * What it lets through is a list: memory, threads, time, signals to this process itself, reading files, and reading and writing
 * what is open. Of names of files, only renaming and removing stay possible, for temporary files; and making files without a
 * name, which nobody else can see and which end with the process. What else there is, opening a file to write, starting a
 * program, the network, other processes, fails with EPERM or, as on a system that does not know of it, with ENOSYS: libraries
 * do without, and who tries is told. */
#ifndef CRUX_WALL_H
#define CRUX_WALL_H

#include <stddef.h>

#include "crux.h"

/* Why this crux has no wall; NULL if it has one. */
extern const char *const crux_wall_missing;

/* Something that the wall is there to prevent. */
typedef struct crux_wall_attempt {
	const char *what;
	int (*try)(void); /* does it, and undoes it; returns 0 or the error */
} crux_wall_attempt;

extern const crux_wall_attempt crux_wall_attempts[];
extern const size_t crux_wall_attempt_count;

#endif
