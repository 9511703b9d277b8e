/* What each system does in its own way: a file beside this one for each system, of which the build compiles one. All other files
 * keep to POSIX. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

/* The processors that this process may use; 0 where a program has one thread only. */
size_t crux_port_processors(void);

/* Writes the absolute path of the file that holds the code at that address, a library or the program; returns false if it is not
 * known. */
bool crux_port_file_of(const void *code, char path[PATH_MAX]);

/* Writes the path of the program's file; returns false if it is not known. */
bool crux_port_program(char path[PATH_MAX]);

/* Starts this program again, with these words, of which the last is NULL; returns 0 or an error number. */
int crux_port_start_program(pid_t *process, char *const *words);

/* Has the process killed when its parent ends, where the system can. */
void crux_port_end_with_parent(void);

/* Closes this descriptor and all above it. */
void crux_port_close_from(int descriptor);

/* Waits until there is something to read, or the other end is closed, at most that long; returns true if so. */
bool crux_port_wait(int descriptor, long nanoseconds);

/* Opens a file in memory; returns -1 and sets errno if that fails, or where the system has none. */
int crux_port_memory_file(void);

/* Writes the bytes of a file to the disk; returns false and sets errno if that fails. */
bool crux_port_sync(int file);

/* When a file was last changed. */
struct timespec crux_port_changed(const struct stat *status);

/* Has malloc keep the memory that it gets, for a program with several threads; and has it give back what is free now. */
void crux_port_keep_memory(void);
void crux_port_give_back_memory(void);

/* Asks for pages of 2 MB for a block that was just allocated, if it is so large that the kernel has mapped it anew. It then
 * interrupts the program once for 2 MB rather than for each 4 kB. */
void crux_port_use_large_pages(void *block, size_t size);

/* True where the files of crux's own modules are bytecode (wasm/dump.lua); elsewhere bytecode is refused. */
bool crux_port_has_bytecode_files(void);

/* False where flock() locks nothing and succeeds. */
bool crux_port_has_locks(void);

/* Opens a library for the rest of the process by its name on Linux, as "libz.so.1"; returns NULL if it is missing. */
void *crux_port_library(const char *file);

/* The function of that name of a library, NULL: of the program or any of its libraries; returns NULL if there is none. */
void *crux_port_function(void *library, const char *name);
