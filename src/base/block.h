/* Several arrays in one block of memory, and arrays that grow. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* An array to allocate: the address of the pointer to it, and the number and size of its elements. */
typedef struct crux_array {
	void *pointer;
	size_t count, size;
} crux_array;

/* A crux_array for the pointer, whose type gives the size of elements. */
#define CRUX_ARRAY(pointer, count) ((crux_array){&(pointer), (count), sizeof *(pointer)})

/* Points the pointers to arrays of zeros, each at the start of a cache line, in one block, which free releases. NULL, and the
 * pointers unchanged, when memory is short. */
void *crux_block_new(const crux_array *arrays, size_t count);

/* Reallocates one array, which may be NULL at first, if it has room for fewer elements. False, and nothing changed, when memory is
 * short. */
bool crux_array_grow(crux_array array, size_t *room);
