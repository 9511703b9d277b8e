/* Attempts at what the wall prevents, to show that it stands. */
#ifndef CRUX_ATTEMPTS_H
#define CRUX_ATTEMPTS_H

#include <stddef.h>

typedef struct crux_attempt {
	const char *what;
	int (*try)(void); /* does it, and undoes it; returns 0, or errno when it fails */
} crux_attempt;

extern const crux_attempt crux_attempts[];
extern const size_t crux_attempt_count;

#endif
