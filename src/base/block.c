/* Several arrays in one block of memory, and arrays that grow. */
#include "base/block.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "port/port.h"

enum { LINE = 64, LARGE = 1 << 24 }; /* bytes: of a cache line; of a block as large as much of what malloc keeps */

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
	if (size >= LARGE)
		crux_port_give_back_memory(); /* freed blocks that malloc keeps would stay beside this one */
	char *const block = calloc(1, size);
	if (!block)
		return NULL;
	crux_port_use_large_pages(block, size);
	char *next = block + (LINE - (uintptr_t)block % LINE);
	for (size_t i = 0; i < count; i++) {
		memcpy(arrays[i].pointer, &next, sizeof next);
		measure(arrays[i], &bytes);
		next += bytes;
	}
	return block;
}

bool crux_array_grow(crux_array array, size_t *room)
{
	if (array.count <= *room)
		return true;
	size_t const more = array.count + array.count / 2 + 16;
	size_t bytes;
	void *block;
	memcpy(&block, array.pointer, sizeof block);
	void *const grown = __builtin_mul_overflow(more, array.size, &bytes) ? NULL : realloc(block, bytes);
	if (!grown)
		return false;
	memcpy(array.pointer, &grown, sizeof grown);
	*room = more;
	return true;
}
