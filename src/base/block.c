/* Several arrays in one block of memory. */
#include "base/block.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64 }; /* bytes of a cache line */

/* The bytes of an array, to the end of its last cache line; false when size_t does not hold them. */
static bool measure(crux_array array, size_t *bytes)
{
	bool const overflows = __builtin_mul_overflow(array.count, array.size, bytes) ||
	                       __builtin_add_overflow(*bytes, LINE - 1, bytes);
	*bytes -= *bytes % LINE;
	return !overflows;
}

void *crux_block_new(const crux_array *arrays, size_t count)
{
	size_t size = LINE, bytes;
	for (size_t i = 0; i < count; i++)
		if (!measure(arrays[i], &bytes) || __builtin_add_overflow(size, bytes, &size))
			return NULL;
	char *const block = calloc(1, size);
	if (!block)
		return NULL;
	char *next = block + (LINE - (uintptr_t)block % LINE);
	for (size_t i = 0; i < count; i++) {
		memcpy(arrays[i].pointer, &next, sizeof next);
		measure(arrays[i], &bytes);
		next += bytes;
	}
	return block;
}
