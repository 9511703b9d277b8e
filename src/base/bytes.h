/* Bytes whose number grows. */
#ifndef CRUX_BYTES_H
#define CRUX_BYTES_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the owner's; all zeros: none yet. */
typedef struct crux_bytes {
	char *data;
	size_t size, capacity;
} crux_bytes;

/* Frees the bytes and sets all to zero. */
void crux_bytes_free(crux_bytes *bytes);

/* Makes room for n more bytes; false when memory is short. */
bool crux_bytes_reserve(crux_bytes *bytes, size_t n);

#endif
