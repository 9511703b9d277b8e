/* Numbers by which a search orders states: expressions of doubles, as Lua computes them, over integers that a program computes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef enum {
	CRUX_RANK_NUMBER,  /* a constant */
	CRUX_RANK_INTEGER, /* the integer of number a */
	CRUX_RANK_WHERE,   /* a if the integer of number c is not 0, else b; from here on, a and b are earlier expressions */
	CRUX_RANK_ADD,
	CRUX_RANK_SUBTRACT,
	CRUX_RANK_MULTIPLY,
	CRUX_RANK_DIVIDE,
	CRUX_RANK_POWER,
	CRUX_RANK_MIN,
	CRUX_RANK_MAX,
	CRUX_RANK_SQRT, /* of a */
	CRUX_RANK_ABS,  /* of a */
} crux_rank_operation;

typedef struct crux_rank_node {
	crux_rank_operation operation;
	uint32_t a, b, c;
	double number;
} crux_rank_node;

/* Computes the values of `count` expressions, each of which only uses earlier ones. */
void crux_ranks_compute(const crux_rank_node *nodes, size_t count, const int64_t *integers, double *values);
