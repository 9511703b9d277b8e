/* Probes of the wall: each tries something that it prevents. */
#pragma once

#include <stddef.h>

typedef struct crux_probe {
	const char *what;
	int (*try)(void); /* does it, and undoes it; returns 0, or errno when it fails */
} crux_probe;

extern const crux_probe crux_probes[];
extern const size_t crux_probe_count;
