/* Random tokens, and the digests by which they are kept. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "crux.h"

enum { CRUX_TOKEN_DIGITS = 32, CRUX_SHA256_DIGITS = 64 };

/* Writes 128 random bits of the kernel as hexadecimal digits and '\0'. */
bool crux_token_new(char token[CRUX_TOKEN_DIGITS + 1], crux_fault *fault);

/* Writes the SHA-256 (FIPS 180-4) of the bytes as hexadecimal digits and '\0'. */
void crux_sha256(const void *data, size_t size, char digest[CRUX_SHA256_DIGITS + 1]);
