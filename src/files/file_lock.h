/* A lock of a file, which one process has at a time. */
#pragma once

#include <stdbool.h>

/* Locks the open file until all its descriptors are closed, as at the end of the process. Waits 2 s for a process that was
 * killed and has not ended yet. Returns false with errno, EWOULDBLOCK if another process has the lock. Programs that do not
 * ask for the lock read and write the file as before; SQLite's locks are others. */
bool crux_file_lock(int file);
