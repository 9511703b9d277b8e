/* Expressions over integers, computed one after the other. */
#include "search/ranks.h"

#include <math.h>

static double compute(const crux_rank_node *n, const int64_t *integers, const double *values)
{
	if (n->operation == CRUX_RANK_NUMBER)
		return n->number;
	if (n->operation == CRUX_RANK_INTEGER)
		return (double)integers[n->a];
	double const a = values[n->a], b = values[n->b];
	switch (n->operation) {
	case CRUX_RANK_WHERE:
		return integers[n->c] ? a : b;
	case CRUX_RANK_ADD:
		return a + b;
	case CRUX_RANK_SUBTRACT:
		return a - b;
	case CRUX_RANK_MULTIPLY:
		return a * b;
	case CRUX_RANK_DIVIDE:
		return a / b;
	case CRUX_RANK_POWER:
		return b == 2 ? a * a : pow(a, b); /* as Lua 5.4 does */
	case CRUX_RANK_MIN:
		return b < a ? b : a;
	case CRUX_RANK_MAX:
		return a < b ? b : a;
	case CRUX_RANK_SQRT:
		return sqrt(a);
	default:
		return fabs(a);
	}
}

void crux_ranks_compute(const crux_rank_node *nodes, size_t count, const int64_t *integers, double *values)
{
	for (size_t i = 0; i < count; i++)
		values[i] = compute(&nodes[i], integers, values);
}
