/* Names and their numbers: each text gets a number, from 1, when it is first seen.
 *
 * An object belongs to one thread at a time. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct crux_names crux_names;

/* Returns NULL without memory. */
crux_names *crux_names_new(void);

/* NULL does nothing. */
void crux_names_free(crux_names *names);

/* The number of a text, which need not be terminated; 0 without memory, or for more than UINT32_MAX names. */
uint32_t crux_names_number(crux_names *names, const char *text, size_t length);

size_t crux_names_count(const crux_names *names);

/* The name of that number, terminated, valid until the next call of crux_names_number. */
const char *crux_names_get(const crux_names *names, uint32_t number, size_t *length);
