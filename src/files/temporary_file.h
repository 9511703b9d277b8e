/* Temporary files beside the file that they become.
 *
 * Their names are TARGET.crux-PROCESS-NUMBER. A file is locked (flock) while the process that made it has it open, so that other
 * processes tell a file in use from one that a killed process has left. */
#pragma once

#include <stddef.h>

/* Makes a temporary file for `path`, open for appending, with the permissions that `path` has or would get. Its name, of at most
 * `size` bytes, goes to `name`. Returns the descriptor, or -1 with errno. Where the file system has no locks the file has none. */
int crux_temporary_file_open(const char *path, char *name, size_t size);

/* Removes the temporary files of killed processes from the folder of `path`: those of this user, on file systems with locks. What
 * cannot be read or removed stays. */
void crux_temporary_files_clean(const char *path);
