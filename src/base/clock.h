/* The clock of all limits. */
#pragma once

#include <time.h>

/* Seconds since some point in the past; never decreases. */
static inline double crux_clock_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The earlier of `latest` and the time in `seconds` from now; 0, for each of them and as the result, is no limit. */
static inline double crux_clock_deadline(double seconds, double latest)
{
	double const end = seconds > 0 ? crux_clock_now() + seconds : latest;
	return latest > 0 && latest < end ? latest : end;
}
