/* The watchdog of a program that runs scripts: a thread that stops what takes too long, and ends the process when that does
 * not stop; and what is to be tidied up then.
 *
 * A process has one of these, as it has one set of signal handlers: this is the one place with state of its own. Embedders of
 * libcrux never start it. From the first engine that is watched to the end of the last, SIGINT, SIGTERM and SIGHUP stop all
 * engines; the second one, or one that meets no engine that yields, ends the process at once. */
#ifndef CRUX_WATCHDOG_H
#define CRUX_WATCHDOG_H

#include "limits/budget.h"

/* Something that must not outlive the process, part of what knows how. */
typedef struct crux_tidying {
	void (*tidy)(struct crux_tidying *tidying);
	struct crux_tidying *next;
} crux_tidying;

/* Keeps an engine, whose work the calling thread does, within limits, and the command within so many seconds (0: no limit).
 * False when there is no thread to be had. */
bool crux_watchdog_watch(crux_budget *limits, crux_limit most, double run);

/* Stops watching an engine, if it is watched. */
void crux_watchdog_forget(crux_budget *limits);

/* Has something tidied up when the process is ended, until it is taken off. */
void crux_watchdog_add(crux_tidying *tidying);
void crux_watchdog_remove(crux_tidying *tidying);

/* Tidies up now, and removes temporary files. */
void crux_watchdog_tidy(void);

#endif
