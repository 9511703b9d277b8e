/* The files and folders that are to be removed should the program end before they are done.
 *
 * Their list is of the process, as files are: beside a signal handler's flag, the one thing that all engines share. Any thread may
 * call any of these functions. */
#ifndef CRUX_TEMPORARIES_H
#define CRUX_TEMPORARIES_H

#include <stdbool.h>

typedef struct crux_temporary crux_temporary; /* the list's; not to be used once it was kept, replaced or removed */

/* Notes what was just made; NULL when memory is short. */
crux_temporary *crux_temporary_new(const char *path);

/* Lets it stay. */
void crux_temporary_keep(crux_temporary *temporary);

/* Gives it its lasting name, in place of what had that; false, with errno, if it cannot, and nothing is changed. */
bool crux_temporary_rename(crux_temporary *temporary, const char *path);

/* Removes it; a folder only if it is empty. */
void crux_temporary_remove(crux_temporary *temporary);

/* Removes all, the latest first. May be called in a signal handler, with threads running; a forked process removes nothing
 * of its parent's. */
void crux_temporaries_remove(void);

#endif
