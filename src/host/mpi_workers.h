/* An executor of processes of MPI, each with a worker in a child process of its own.
 *
 * Rank 0 runs the command line and deals the items out, one by one, to whoever is free; it has a child, too. The other ranks
 * serve. MPI is initialised before and finalised after, and used by one thread of a process. */
#ifndef CRUX_MPI_WORKERS_H
#define CRUX_MPI_WORKERS_H

#include "base/executor.h"

/* In rank 0: an executor of all ranks. */
crux_executor crux_mpi_executor(void);

/* In rank 0: lets the others return from crux_mpi_serve. */
void crux_mpi_dismiss(void);

/* In the other ranks: works on what rank 0 sends. */
void crux_mpi_serve(void);

#endif
