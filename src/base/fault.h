/* Making the message of a failure (crux_fault in crux.h): formatting, and quoting what was found.
 *
 * A primitive that fails fills the caller's fault and returns false, NULL or a negative number as its header says; it
 * leaves the fault alone when it succeeds. */
#ifndef CRUX_FAULT_H
#define CRUX_FAULT_H

#include <stddef.h>

#include "crux.h"

/* Formats the message as printf does, cut to the size of the struct. No fault, NULL, is allowed. */
void crux_fault_set(crux_fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes the n bytes of text into out (at least 64 bytes) in quotes, fit for a message: control bytes escaped, long
 * text cut. Returns out. */
const char *crux_fault_quote(char out[64], const char *text, size_t n);

#endif
