/* macOS. */
#include "port/port.h"

#include <crt_externs.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <mach-o/dyld.h>
#include <malloc/malloc.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

size_t crux_port_processors(void)
{
	long const count = sysconf(_SC_NPROCESSORS_ONLN);
	return count > 0 ? (size_t)count : 1;
}

bool crux_port_file_of(const void *code, char path[PATH_MAX])
{
	Dl_info found;
	return dladdr(code, &found) && realpath(found.dli_fname, path);
}

bool crux_port_program(char path[PATH_MAX])
{
	char name[PATH_MAX];
	uint32_t size = sizeof name;
	return _NSGetExecutablePath(name, &size) == 0 && realpath(name, path);
}

int crux_port_start_program(pid_t *process, char *const *words)
{
	char path[PATH_MAX];
	return crux_port_program(path) ? posix_spawn(process, path, NULL, NULL, words, *_NSGetEnviron()) : ENOENT;
}

void crux_port_end_with_parent(void) {}

void crux_port_close_from(int descriptor)
{
	for (int last = getdtablesize(); descriptor < last; descriptor++)
		close(descriptor);
}

bool crux_port_wait(int descriptor, long nanoseconds)
{
	enum { MILLISECOND = 1000 * 1000 };
	struct pollfd ready = {.fd = descriptor, .events = POLLIN};
	return poll(&ready, 1, (int)((nanoseconds + MILLISECOND - 1) / MILLISECOND)) > 0;
}

int crux_port_memory_file(void)
{
	errno = ENOSYS;
	return -1;
}

/* fsync leaves the bytes in the disk's own memory. */
bool crux_port_sync(int file) { return fcntl(file, F_FULLFSYNC) == 0 || fsync(file) == 0; }

struct timespec crux_port_changed(const struct stat *status) { return status->st_mtimespec; }

void crux_port_keep_memory(void) {}

void crux_port_give_back_memory(void) { malloc_zone_pressure_relief(NULL, 0); }

void crux_port_use_large_pages(void *block, size_t size) { (void)block, (void)size; }

bool crux_port_has_bytecode_files(void) { return false; }

bool crux_port_has_locks(void) { return true; }

/* "libz.so.1" is libz.1.dylib here, of Homebrew, where macos.mk says, or of the system. */
void *crux_port_library(const char *file)
{
	const char *const end = strstr(file, ".so.");
	char name[100];
	int const stem = end ? (int)(end - file) : 0;
	snprintf(name, sizeof name, "@rpath/%.*s.%s.dylib", stem, file, end ? end + strlen(".so.") : "");
	void *const found = dlopen(name, RTLD_LAZY | RTLD_NODELETE);
	return found ? found : dlopen(strchr(name, '/') + 1, RTLD_LAZY | RTLD_NODELETE);
}

void *crux_port_function(void *library, const char *name) { return dlsym(library ? library : RTLD_DEFAULT, name); }
