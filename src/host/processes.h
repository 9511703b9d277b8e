/* Pools of one worker in a process of its own, which is replaced when it dies: see executor.h and child.h. Start a pool before the
 * wall of system calls is raised, and take each result before the next item is put. */
#pragma once

#include "base/executor.h"

extern crux_executor const crux_processes;
