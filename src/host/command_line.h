/* The command line of crux: lua/crux/cli does the work. */
#ifndef CRUX_COMMAND_LINE_H
#define CRUX_COMMAND_LINE_H

#include "base/executor.h"

/* Runs a command line with that executor, NULL for threads; returns the exit status. */
int crux_command_line_run(int count, char **words, const crux_executor *executor);

#endif
