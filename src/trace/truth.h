/* What truth values of a trace tell of each other. */
#pragma once

#include "trace/trace.h"

/* True for a node whose values are -1 and 0. */
bool crux_truth_is(const crux_trace *trace, crux_node node);

/* Equality, order, or the opposite of one. */
bool crux_truth_is_comparison(const crux_trace *trace, crux_node node);

/* True, and *value the truth value of a node, if a comparison decides it by holding, or by not holding. */
bool crux_truth_decides(const crux_trace *trace, crux_node comparison, bool holds, crux_node node, bool *value);

/* What a & b, a | b or a & ~b of two truth values is known to be. */
typedef enum {
	CRUX_TRUTH_UNKNOWN,
	CRUX_TRUTH_FIRST,
	CRUX_TRUTH_SECOND,
	CRUX_TRUTH_NOT_SECOND,
	CRUX_TRUTH_NEVER,
	CRUX_TRUTH_ALWAYS,
} crux_truth_result;

crux_truth_result crux_truth_combine(const crux_trace *trace, crux_operation operation, crux_node a, crux_node b);
