/* A growing array of bytes. */
#include "base/bytes.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST = 64 };      /* bytes of the first allocation */
enum { BLOCK = 1 << 15 }; /* bytes that are read at a time of what has no size, such as a pipe */

void crux_bytes_free(crux_bytes *bytes)
{
	free(bytes->data);
	*bytes = (crux_bytes){0};
}

bool crux_bytes_reserve(crux_bytes *out, size_t n)
{
	if (n <= out->capacity - out->size)
		return true;
	if (n > SIZE_MAX / 2 - out->size)
		return false;
	size_t capacity = out->capacity ? out->capacity : FIRST;
	while (capacity - out->size < n)
		capacity *= 2;
	char *const data = realloc(out->data, capacity);
	if (!data)
		return false;
	out->data = data;
	out->capacity = capacity;
	return true;
}

bool crux_bytes_read(crux_bytes *out, const char *path)
{
	FILE *const file = fopen(path, "rbe");
	struct stat status;
	bool const has_size = file && fstat(fileno(file), &status) == 0 && status.st_size > 0;
	size_t const block = has_size ? (size_t)status.st_size + 1 : BLOCK; /* with the end of the file */
	bool has_room = true;
	while (file && !feof(file) && !ferror(file) && (has_room = crux_bytes_reserve(out, block)))
		out->size += fread(out->data + out->size, 1, block, file);
	int const error = !has_room ? ENOMEM : !file || ferror(file) ? errno : 0;
	if (file)
		fclose(file);
	if (error)
		crux_bytes_free(out);
	errno = error;
	return error == 0;
}

bool crux_bytes_append(crux_bytes *out, const void *data, size_t n)
{
	if (!crux_bytes_reserve(out, n))
		return false;
	if (n > 0)
		memcpy(out->data + out->size, data, n);
	out->size += n;
	return true;
}

ssize_t crux_bytes_read_at(int file, uint64_t offset, void *out, size_t n)
{
	size_t done = 0;
	while (done < n) {
		ssize_t const some = pread(file, (char *)out + done, n - done, (off_t)(offset + done));
		if (some < 0 && errno == EINTR)
			continue;
		if (some < 0)
			return -1;
		if (some == 0)
			break;
		done += (size_t)some;
	}
	return (ssize_t)done;
}

bool crux_bytes_write(int file, const char *data, size_t n)
{
	while (n > 0) {
		ssize_t const written = write(file, data, n);
		if (written < 0 && errno != EINTR)
			return false;
		if (written > 0) {
			data += written;
			n -= (size_t)written;
		}
	}
	return true;
}
