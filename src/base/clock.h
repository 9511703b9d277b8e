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

/* When something is to end that may take so many seconds from now (0: any number), and must end at a time (0: at none); 0 for
 * never. */
static inline double crux_clock_deadline(double seconds, double latest)
{
	double const end = seconds > 0 ? crux_clock_now() + seconds : latest;
	return latest > 0 && latest < end ? latest : end;
}

#endif
