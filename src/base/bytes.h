/* A growing array of bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Belongs to its owner; all zeros: empty. */
typedef struct crux_bytes {
	char *data;
	size_t size, capacity;
} crux_bytes;

/* Frees the bytes and sets all members to zero. */
void crux_bytes_free(crux_bytes *bytes);

/* Makes room for n more bytes; returns false if memory is short. */
bool crux_bytes_reserve(crux_bytes *bytes, size_t n);

/* Appends n bytes; returns false if memory is short. */
bool crux_bytes_append(crux_bytes *bytes, const void *data, size_t n);

/* Writes n bytes to an open file; returns false, with errno, if that fails. */
bool crux_bytes_write(int file, const char *data, size_t n);

/* Reads n bytes of an open file from that offset, or fewer at its end; returns their number, or -1 with errno. */
ssize_t crux_bytes_read_at(int file, uint64_t offset, void *out, size_t n);

/* Appends the file. On failure frees the bytes and returns false with errno. */
bool crux_bytes_read(crux_bytes *bytes, const char *path);
