/* Digests of bytes and of files, by XXH3. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "crux.h"

/* Writes the digest of the bytes, or of the content of a file, as 32 hexadecimal digits and '\0': 128 bits, so that contents
 * that differ by accident do not have the same digest. The message of the fault does not name the file. */
void crux_digest(const char *data, size_t size, char digest[33]);
bool crux_digest_file(const char *path, char digest[33], crux_fault *fault);
