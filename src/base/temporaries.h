/* The list of files and folders to remove if the program ends before they are complete.
 *
 * All engines of a process share one list, behind a lock. Any thread may call any of these functions. */
#pragma once

#include <stdbool.h>

typedef struct crux_temporary crux_temporary; /* belongs to the list; do not use it after it was kept, renamed or removed */

/* Adds a file or folder that was just made; returns NULL if memory is short. */
crux_temporary *crux_temporary_new(const char *path);

/* Takes it off the list: it stays. */
void crux_temporary_keep(crux_temporary *temporary);

/* Renames it to `path`, replacing any file there, and takes it off the list. Returns false, with errno, if it cannot; then
 * nothing has changed. */
bool crux_temporary_rename(crux_temporary *temporary, const char *path);

/* Removes it. A folder that is not empty stays, and stays on the list: an interruption may have left a file in it. */
void crux_temporary_remove(crux_temporary *temporary);

/* Removes all, files before folders. A signal handler may call it while threads run. A forked process removes nothing that its
 * parent made. */
void crux_temporaries_remove(void);
