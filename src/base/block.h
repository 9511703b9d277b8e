/* Several arrays in one block of memory. */
#ifndef CRUX_BLOCK_H
#define CRUX_BLOCK_H

#include <stddef.h>

/* An array to make: the address of the pointer to it, and how many elements of which size it has. */
typedef struct crux_array {
	void *pointer;
	size_t count, size;
} crux_array;

/* A crux_array for the pointer, whose type gives the size of elements. */
#define CRUX_ARRAY(pointer, count) {&(pointer), (count), sizeof *(pointer)}

/* Points the pointers to arrays of zeros, each at the start of a cache line, in one block, which free releases. NULL, and the
 * pointers unchanged, when memory is short. */
void *crux_block_new(const crux_array *arrays, size_t count);

#endif
