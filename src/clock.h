/* The time that limits are measured by. */
#ifndef CRUX_CLOCK_H
#define CRUX_CLOCK_H

#include <time.h>

/* Seconds since some point in the past; never goes back. */
static inline double crux_clock_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
