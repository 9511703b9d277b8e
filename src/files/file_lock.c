/* A lock of a file; see file_lock.h. */
#include "files/file_lock.h"

#include <errno.h>
#include <sys/file.h>
#include <time.h>

#include "base/clock.h"

static const double PATIENCE = 2; /* seconds to wait for another process */

bool crux_file_lock(int file)
{
	struct timespec const pause = {.tv_nsec = 10000000};
	double const end = crux_clock_now() + PATIENCE;
	while (flock(file, LOCK_EX | LOCK_NB) != 0) {
		if ((errno != EWOULDBLOCK && errno != EINTR) || crux_clock_now() > end)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}
