/* Bytes whose number grows. */
#include "base/bytes.h"

#include <stdint.h>
#include <stdlib.h>

enum { FIRST = 64 }; /* bytes that are allocated */

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
