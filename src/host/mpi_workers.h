/* An executor of processes of MPI, each with a worker in a child process.
 *
 * Rank 0 runs the command line and gives the items to all ranks, itself included. The callers initialise and finalise MPI,
 * which one thread of each process uses. */
#pragma once

#include "base/executor.h"

/* For rank 0: an executor of all ranks. */
crux_executor crux_mpi_executor(void);

/* For rank 0: makes the other ranks return from crux_mpi_serve. */
void crux_mpi_dismiss(void);

/* For the other ranks: works on the items that rank 0 sends. */
void crux_mpi_serve(void);
