/* The command line of crux: lua/crux/cli does the work. */
#pragma once

#include "base/executor.h"

/* Runs a command line with an executor, or NULL for threads; returns the exit status. */
int crux_command_line_run(int count, char **words, const crux_executor *executor);
