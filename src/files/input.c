/* Opens files so that they can be read again: pipes and devices are copied to temporary files. */
#include "files/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "port/port.h"

static int fail(crux_fault *fault, const char *name, const char *what)
{
	crux_fault_set(fault, "%s: %s: %s", name, what, strerror(errno));
	return -1;
}

/* Makes a file without a name; in memory, if the process may make no other. */
static int open_temporary(void)
{
	FILE *const file = tmpfile();
	if (!file)
		return crux_port_memory_file();
	int const copy = fcntl(fileno(file), F_DUPFD_CLOEXEC, 0);
	fclose(file);
	return copy;
}

/* Copies all bytes, or those up to the chunk with a NUL byte, as no reader reads further. */
static int copy_all(int from, int to, const char *name, size_t limit, crux_fault *fault)
{
	char chunk[1 << 14];
	size_t left = limit;
	for (bool is_text = true; is_text;) {
		ssize_t const got = read(from, chunk, sizeof chunk);
		if (got == 0)
			return 0;
		if (got < 0 && errno != EINTR)
			return fail(fault, name, "cannot be read");
		if (got < 0)
			continue;
		if ((size_t)got > left) {
			crux_fault_set(fault, "%s: found more than %zu bytes in a pipe or device, expected a file", name, limit);
			return -1;
		}
		left -= (size_t)got;
		if (!crux_bytes_write(to, chunk, (size_t)got))
			return fail(fault, name, "cannot be copied to a temporary file");
		is_text = !memchr(chunk, '\0', (size_t)got);
	}
	return 0;
}

/* Closes the file and returns its copy, or -1. */
static int spool(int file, const char *name, size_t limit, crux_fault *fault)
{
	int copy = open_temporary();
	if (copy < 0)
		fail(fault, name, "cannot be copied to a temporary file");
	else if (copy_all(file, copy, name, limit, fault) != 0) {
		close(copy);
		copy = -1;
	}
	close(file);
	return copy;
}

int crux_input_descriptor(const char *path, int patience)
{
	int const file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* without O_NONBLOCK, open waits for a writer for ever */
	struct stat status;
	if (file < 0 || fstat(file, &status) != 0)
		return file;
	struct pollfd ready = {file, POLLIN, 0};
	if (S_ISFIFO(status.st_mode))
		poll(&ready, 1, patience);
	fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
	return file;
}

int crux_input_open(const char *path, const char *name, size_t limit, off_t *start, crux_fault *fault)
{
	bool const standard = strcmp(path, "-") == 0;
	int const file = standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : crux_input_descriptor(path, CRUX_INPUT_PATIENCE);
	if (file < 0)
		return fail(fault, name, "cannot be opened");
	struct stat status = { 0 };
	fstat(file, &status); /* cannot fail for an open file; if it did, the file would be copied */
	if (S_ISDIR(status.st_mode)) {
		crux_fault_set(fault, "%s: found a directory, expected a CSV file", name);
		close(file);
		return -1;
	}
	*start = 0;
	if (!S_ISREG(status.st_mode))
		return spool(file, name, limit, fault);
	*start = lseek(file, 0, SEEK_CUR); /* standard input may have been read in part */
	return file;
}
