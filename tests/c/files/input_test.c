/* Tests of src/files/input.c: what pipes and devices may hold, and pipes that nobody writes to. */
#include "check.h"
#include "files/input.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 1 << 14 }; /* of the copy */

static char folder[] = "/tmp/crux-input-XXXXXX", pipe_path[64];

static void *write_to_pipe(void *text)
{
	usleep(20000);
	int const file = open(pipe_path, O_WRONLY);
	CHECK(write(file, text, strlen(text)) == (ssize_t)strlen(text));
	close(file);
	return NULL;
}

/* The bytes that are read of a pipe into which the text was written; the failure's message when there are more than `most`. */
static const char *read_pipe(const char *text, size_t most)
{
	static char result[256];
	pthread_t writer;
	crux_fault fault;
	off_t start;
	pthread_create(&writer, NULL, write_to_pipe, (void *)(uintptr_t)text);
	int const file = crux_input_open(pipe_path, "pipe", most, &start, &fault);
	pthread_join(writer, NULL);
	if (file < 0)
		return strcpy(result, fault.message);
	ssize_t const n = pread(file, result, sizeof result - 1, start);
	result[n < 0 ? 0 : n] = '\0';
	close(file);
	return result;
}

static void test_pipes(void)
{
	CHECK(mkfifo(pipe_path, 0600) == 0);
	CHECK(strcmp(read_pipe("a\n1\n", 4), "a\n1\n") == 0);
	CHECK(strcmp(read_pipe("a\n1\n", 3), "pipe: found more than 3 bytes in a pipe or device, expected a file") == 0);
	int const file = crux_input_descriptor(pipe_path, 10);
	CHECK(file >= 0 && read(file, (char[1]){0}, 1) == 0); /* nobody came */
	close(file);
}

/* A writer may think for longer than the patience. */
static void test_slow_writer(void)
{
	int const both = open(pipe_path, O_RDWR), file = crux_input_descriptor(pipe_path, 10);
	char got[2];
	CHECK(file >= 0 && !(fcntl(file, F_GETFL) & O_NONBLOCK));
	CHECK(write(both, "x", 1) == 1 && read(file, got, 2) == 1);
	close(both);
	close(file);
}

/* The copy ends with the first chunk that has a NUL byte. */
static void test_endless_device(void)
{
	crux_fault fault;
	off_t start;
	struct stat status;
	int const file = crux_input_open("/dev/zero", "zero", 10 * CHUNK, &start, &fault);
	CHECK(file >= 0 && fstat(file, &status) == 0 && status.st_size == CHUNK);
	close(file);
	CHECK(crux_input_open("/dev/zero", "zero", CHUNK - 1, &start, &fault) == -1);
}

int main(void)
{
	CHECK(mkdtemp(folder) != NULL);
	snprintf(pipe_path, sizeof pipe_path, "%s/pipe", folder);
	test_pipes();
	test_slow_writer();
	test_endless_device();
	unlink(pipe_path);
	rmdir(folder);
	return check_summary();
}
