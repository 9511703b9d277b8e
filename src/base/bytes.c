/* Bytes whose number grows. */
#include "base/bytes.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST = 64 };      /* bytes that are allocated */
enum { BLOCK = 1 << 15 }; /* bytes that are read at a time */

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
	bool has_room = true;
	size_t n;
	while (file && (has_room = crux_bytes_reserve(out, BLOCK)) && (n = fread(out->data + out->size, 1, BLOCK, file)) > 0)
		out->size += n;
	int const error = !has_room ? ENOMEM : !file || ferror(file) ? errno : 0;
	if (file)
		fclose(file);
	if (error)
		crux_bytes_free(out);
	errno = error;
	return error == 0;
}
