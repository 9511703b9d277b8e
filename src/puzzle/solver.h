/* Limits, outcomes and statistics that the solvers of all families of puzzles share. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* When a solver gives up; 0: never. Solvers that hold no sets of states have no limit on bytes. */
typedef struct crux_solver_limits {
	uint64_t nodes; /* branches entered */
	double seconds; /* of real time */
	double latest;  /* time by crux_clock_now */
	size_t bytes;   /* of memory */
} crux_solver_limits;

typedef enum crux_solver_outcome {
	CRUX_SOLVED,
	CRUX_UNSOLVABLE,
	CRUX_LIMIT_NODES, /* this and the next: given up at a limit, nothing is known */
	CRUX_LIMIT_SECONDS,
	CRUX_LIMIT_BYTES,
} crux_solver_outcome;

typedef struct crux_solver_statistics {
	uint64_t expanded;   /* times that the search branched */
	uint64_t generated;  /* branches entered */
	uint64_t backtracks; /* branches left without a solution */
} crux_solver_statistics;
