/* crux-mpi, whose workers are processes of MPI: mpirun -n 8 crux-mpi measure ... */
#include <mpi.h>

#include "host/command_line.h"
#include "host/mpi_workers.h"

int main(int argc, char **argv)
{
	int rank, status = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		crux_executor const executor = crux_mpi_executor();
		status = crux_command_line_run(argc, argv, &executor);
		crux_mpi_dismiss();
	} else {
		crux_mpi_serve();
	}
	MPI_Finalize();
	return status;
}
