/* The watchdog of a program that runs scripts: a thread that stops engines that exceed their limits, and ends the process if
 * they do not stop; then it tidies up.
 *
 * A process has one watchdog, as it has one set of signal handlers. The programs start it; embedders of libcrux never do.
 * While it watches an engine, SIGINT, SIGTERM and SIGHUP stop all engines. A second signal ends the process at once, as does
 * a signal for an engine that does not yield. */
#pragma once

#include "limits/budget.h"

/* Keeps an engine, which the calling thread runs, within a limit, and the command within `run` seconds (0: no limit). Returns
 * false if the thread of the watchdog cannot be started: then the engine counts instructions, and the command has no limit. */
bool crux_watchdog_watch(crux_budget *limits, crux_limit limit, double run);

/* Stops watching an engine; does nothing if it is not watched. */
void crux_watchdog_forget(crux_budget *limits);

/* True if a first signal stopped an engine: forgets it, so that the engine can go on to what it must still do. */
bool crux_watchdog_pardon(crux_budget *limits);

/* Sets the function that is called if the process is ended, to restore its terminal; NULL: none. */
void crux_watchdog_at_end(void (*restore)(void));

/* Tidies up now, and removes temporary files. */
void crux_watchdog_tidy(void);
