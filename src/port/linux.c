/* Linux, with glibc. */
#include "port/port.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <malloc.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

size_t crux_port_processors(void)
{
	cpu_set_t set;
	bool const is_known = sched_getaffinity(0, sizeof set, &set) == 0;
	return (size_t)(is_known ? CPU_COUNT(&set) : sysconf(_SC_NPROCESSORS_ONLN));
}

/* The kernel knows the absolute path. dladdr may return one that is relative to the current folder, as the program was started by
 * it. */
bool crux_port_file_of(const void *code, char path[PATH_MAX])
{
	uintptr_t const own = (uintptr_t)code;
	FILE *const mappings = fopen("/proc/self/maps", "re");
	char line[PATH_MAX + 100]; /* addresses, rights, offset, device and inode, then the path */
	bool found = false;
	while (mappings && !found && fgets(line, sizeof line, mappings)) {
		uintptr_t from, to;
		int start = 0;
		bool const is_read = sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %*s %n", &from, &to, &start) == 2;
		found = is_read && from <= own && own < to && line[start] == '/';
		if (found)
			snprintf(path, PATH_MAX, "%s", line + start);
	}
	if (mappings)
		fclose(mappings);
	return found;
}

bool crux_port_program(char path[PATH_MAX])
{
	ssize_t const length = readlink("/proc/self/exe", path, PATH_MAX - 1);
	path[length > 0 ? length : 0] = '\0';
	return *path == '/';
}

int crux_port_start_program(pid_t *process, char *const *words)
{
	return posix_spawn(process, "/proc/self/exe", NULL, NULL, words, environ);
}

void crux_port_end_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

void crux_port_close_from(int descriptor) { close_range((unsigned)descriptor, ~0U, 0); }

bool crux_port_wait(int descriptor, long nanoseconds)
{
	struct pollfd ready = {.fd = descriptor, .events = POLLIN};
	return ppoll(&ready, 1, &(struct timespec){.tv_nsec = nanoseconds}, NULL) > 0;
}

int crux_port_memory_file(void) { return memfd_create("crux", MFD_CLOEXEC); }

bool crux_port_sync(int file) { return fdatasync(file) == 0; }

struct timespec crux_port_changed(const struct stat *status) { return status->st_mtim; }

enum { PAD = 1 << 20, TRIM = 1 << 26, MAPPED = 1 << 24 }; /* bytes */

/* malloc takes much memory at a time: threads that ask the kernel for pages wait for one another. Small blocks are merged when they
 * are freed, which takes a third less time for the many blocks of Lua. */
void crux_port_keep_memory(void)
{
	mallopt(M_TOP_PAD, PAD);
	mallopt(M_TRIM_THRESHOLD, TRIM);
	mallopt(M_MMAP_THRESHOLD, MAPPED);
	mallopt(M_MXFAST, 0);
}

void crux_port_give_back_memory(void) { malloc_trim(0); }

void crux_port_use_large_pages(void *block, size_t size)
{
	size_t const page = 1 << 21, before = page - (uintptr_t)block % page;
	if (size >= MAPPED)
		madvise((char *)block + before, (size - before) / page * page, MADV_HUGEPAGE);
}

bool crux_port_has_bytecode_files(void) { return false; }

bool crux_port_has_locks(void) { return true; }

void *crux_port_library(const char *file) { return dlopen(file, RTLD_LAZY | RTLD_NODELETE); }

void *crux_port_function(void *library, const char *name) { return dlsym(library ? library : RTLD_DEFAULT, name); }
