/* Compressed files and data: gzip by zlib, which also reads data with its own header, and zstd where crux was built with libzstd.
 * Both libraries are loaded when they are needed.
 *
 * An object belongs to one thread at a time. Messages say what was found and expected, without the name of the file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/fault.h"

typedef enum crux_compression_kind { CRUX_PLAIN, CRUX_GZIP, CRUX_ZSTD_KIND } crux_compression_kind;

/* The kind of a file by its name: that of .gz or .zst. */
crux_compression_kind crux_compression_of(const char *path);

typedef struct crux_compression crux_compression;

/* Begins to compress or to decompress. Returns NULL and a fault without memory or without the library. */
crux_compression *crux_compression_new(crux_compression_kind kind, bool decompresses, crux_fault *fault);

/* NULL does nothing. */
void crux_compression_free(crux_compression *c);

/* Takes bytes from *in, writes bytes to out, of which there is room for `room`, and returns their number, or -1 and a fault.
 * Advances *in and *left. With `is_last` there are no bytes behind these. Call it until it writes less than the room. */
ssize_t crux_compression_run(crux_compression *c, const char **in, size_t *left, bool is_last, char *out, size_t room, crux_fault *fault);

/* Tells whether the data that were decompressed may end here. */
bool crux_compression_is_complete(const crux_compression *c);

/* Reads up to `size` bytes of the text of a compressed file from that offset of the text. Reading on from the last offset is
 * fast; going back begins at the start. Returns the number of bytes, 0 at the end, -1 and a fault on failure. */
typedef struct crux_compressed_file crux_compressed_file;
crux_compressed_file *crux_compressed_file_new(crux_compression_kind kind, int file, crux_fault *fault);
ssize_t crux_compressed_file_read(crux_compressed_file *f, char *out, size_t size, off_t offset, crux_fault *fault);
void crux_compressed_file_free(crux_compressed_file *f);
