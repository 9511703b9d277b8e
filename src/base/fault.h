/* Formats the messages of failures (crux_fault in crux.h) and quotes text in them.
 *
 * A primitive that fails fills the caller's fault and returns false, NULL or a negative number, as its header says. A
 * primitive that succeeds leaves the fault unchanged. */
#pragma once

#include <stddef.h>

#include "crux.h"

/* Formats the message as printf does, cut between two characters to the size of the struct, with `?` for control characters and
 * for what is no UTF-8. Does nothing if fault is NULL. */
void crux_fault_set(crux_fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes the n bytes of text into out (at least 64 bytes) in quotes: control bytes, and bytes that are no UTF-8, are escaped; long
 * text is cut between two characters. Returns out. */
const char *crux_fault_quote(char out[64], const char *text, size_t n);
