/* Operations on 64-bit integers by Lua's rules: their results for numbers, and the ranges of results for ranges of operands.
 *
 * A truth value is the integer 0 or -1. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum {
	CRUX_CONSTANT,
	CRUX_INPUT,
	CRUX_PARAMETER,
	CRUX_AND,
	CRUX_OR,
	CRUX_XOR,
	CRUX_AND_NOT,
	CRUX_ADD,
	CRUX_SUBTRACT,
	CRUX_MULTIPLY,
	CRUX_SHIFT_LEFT,  /* by 0 to 63 */
	CRUX_SHIFT_RIGHT, /* by 0 to 63; zeros come in */
	CRUX_EQUAL,
	CRUX_UNEQUAL,
	CRUX_LESS,
	CRUX_LESS_EQUAL,
	CRUX_MIN,
	CRUX_MAX,
	CRUX_ABS,
	CRUX_SIGN,
	CRUX_COUNT, /* bits that are 1 */
	CRUX_SELECT, /* b where the truth value a holds, else c */
	CRUX_LOOKUP, /* the value of table b at index a */
	CRUX_CLOSURE, /* word b of closure a */
} crux_operation;

typedef struct crux_range {
	int64_t low, high;
} crux_range;

/* The result of an operation from CRUX_AND to CRUX_SELECT. */
int64_t crux_operation_evaluate(crux_operation operation, int64_t a, int64_t b, int64_t c);

/* A range that contains the results of such an operation for all operands within their ranges. */
crux_range crux_operation_range(crux_operation operation, crux_range a, crux_range b, crux_range c);

/* The bits that the values of a range may have set. */
uint64_t crux_range_bits(crux_range r);

/* The bits that the results of such an operation may have set, for operands that may have these bits set; y: the range of b. */
uint64_t crux_operation_bits(crux_operation operation, uint64_t a, uint64_t b, uint64_t c, crux_range y);

/* True, and *result the result, when the ranges of the operands decide a comparison. */
bool crux_operation_is_decided(crux_operation operation, crux_range a, crux_range b, int64_t *result);

bool crux_operation_is_commutative(crux_operation operation);

/* The least number 2^n - 1 >= x, for x >= 0. */
int64_t crux_all_bits(int64_t x);
