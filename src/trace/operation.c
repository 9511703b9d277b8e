/* Operations on 64-bit integers; see operation.h for their ranges. */
#include "trace/operation.h"

int64_t crux_operation_evaluate(crux_operation operation, int64_t a, int64_t b, int64_t c)
{
	uint64_t const x = (uint64_t)a, y = (uint64_t)b;
	switch (operation) {
	case CRUX_AND:
		return a & b;
	case CRUX_OR:
		return a | b;
	case CRUX_XOR:
		return a ^ b;
	case CRUX_AND_NOT:
		return a & ~b;
	case CRUX_ADD:
		return (int64_t)(x + y);
	case CRUX_SUBTRACT:
		return (int64_t)(x - y);
	case CRUX_MULTIPLY:
		return (int64_t)(x * y);
	case CRUX_SHIFT_LEFT:
		return (int64_t)(x << (y & 63));
	case CRUX_SHIFT_RIGHT:
		return (int64_t)(x >> (y & 63));
	case CRUX_EQUAL:
		return -(a == b);
	case CRUX_UNEQUAL:
		return -(a != b);
	case CRUX_LESS:
		return -(a < b);
	case CRUX_LESS_EQUAL:
		return -(a <= b);
	case CRUX_MIN:
		return a < b ? a : b;
	case CRUX_MAX:
		return a > b ? a : b;
	case CRUX_ABS:
		return (int64_t)(a < 0 ? 0 - x : x);
	case CRUX_SIGN:
		return (a > 0) - (a < 0);
	case CRUX_COUNT:
		return __builtin_popcountll(x);
	case CRUX_SELECT:
		return a ? b : c;
	default:
		return 0;
	}
}

static crux_range const everything = {INT64_MIN, INT64_MAX};

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t greatest(int64_t a, int64_t b) { return a > b ? a : b; }

int64_t crux_all_bits(int64_t x)
{
	return x == 0 ? 0 : (int64_t)(UINT64_MAX >> __builtin_clzll((uint64_t)x));
}

/* The range of a bitwise operation: all numbers with as many bits as the wider operand. */
static crux_range bitwise(crux_range a, crux_range b)
{
	int64_t const bits = crux_all_bits(greatest(greatest(a.high, ~a.low), greatest(b.high, ~b.low)));
	return (crux_range){~bits, bits};
}

static crux_range range_of_bits(crux_operation operation, crux_range a, crux_range b)
{
	if (operation == CRUX_AND && (a.low >= 0 || b.low >= 0))
		return (crux_range){0, a.low < 0 ? b.high : b.low < 0 ? a.high : least(a.high, b.high)};
	if (operation == CRUX_AND_NOT && a.low >= 0)
		return (crux_range){0, a.high};
	if ((operation == CRUX_OR || operation == CRUX_XOR) && a.low >= 0 && b.low >= 0)
		return (crux_range){operation == CRUX_OR ? greatest(a.low, b.low) : 0, crux_all_bits(a.high | b.high)};
	if (operation == CRUX_XOR && b.low == -1 && b.high == -1)
		return (crux_range){~a.high, ~a.low};
	return bitwise(a, b);
}

static crux_range range_of_product(crux_range a, crux_range b)
{
	int64_t p[4];
	bool const overflows = __builtin_mul_overflow(a.low, b.low, &p[0]) || __builtin_mul_overflow(a.low, b.high, &p[1]) ||
	                       __builtin_mul_overflow(a.high, b.low, &p[2]) || __builtin_mul_overflow(a.high, b.high, &p[3]);
	if (overflows)
		return everything;
	return (crux_range){least(least(p[0], p[1]), least(p[2], p[3])), greatest(greatest(p[0], p[1]), greatest(p[2], p[3]))};
}

static crux_range range_of_sum(crux_operation operation, crux_range a, crux_range b)
{
	crux_range r;
	bool const overflows =
	    operation == CRUX_ADD
	        ? __builtin_add_overflow(a.low, b.low, &r.low) || __builtin_add_overflow(a.high, b.high, &r.high)
	        : __builtin_sub_overflow(a.low, b.high, &r.low) || __builtin_sub_overflow(a.high, b.low, &r.high);
	return overflows ? everything : r;
}

static crux_range range_of_shift(crux_operation operation, crux_range a, crux_range by)
{
	if (operation == CRUX_SHIFT_RIGHT) {
		if (a.low >= 0)
			return (crux_range){a.low >> by.high, a.high >> by.low};
		return by.low == 0 ? everything : (crux_range){0, (int64_t)(UINT64_MAX >> by.low)};
	}
	if (a.low < 0 || a.high > INT64_MAX >> by.high)
		return everything;
	return (crux_range){a.low << by.low, a.high << by.high};
}

crux_range crux_operation_range(crux_operation operation, crux_range a, crux_range b, crux_range c)
{
	switch (operation) {
	case CRUX_AND:
	case CRUX_OR:
	case CRUX_XOR:
	case CRUX_AND_NOT:
		return range_of_bits(operation, a, b);
	case CRUX_ADD:
	case CRUX_SUBTRACT:
		return range_of_sum(operation, a, b);
	case CRUX_MULTIPLY:
		return range_of_product(a, b);
	case CRUX_SHIFT_LEFT:
	case CRUX_SHIFT_RIGHT:
		return range_of_shift(operation, a, b);
	case CRUX_MIN:
		return (crux_range){least(a.low, b.low), least(a.high, b.high)};
	case CRUX_MAX:
		return (crux_range){greatest(a.low, b.low), greatest(a.high, b.high)};
	case CRUX_ABS:
		if (a.low == INT64_MIN)
			return everything;
		return (crux_range){a.low > 0 ? a.low : a.high < 0 ? -a.high : 0, greatest(a.high, -a.low)};
	case CRUX_SIGN:
		return (crux_range){a.low > 0 ? 1 : a.low == 0 ? 0 : -1, a.high < 0 ? -1 : a.high == 0 ? 0 : 1};
	case CRUX_COUNT:
		return (crux_range){0, a.low >= 0 && a.high < INT64_MAX ? __builtin_popcountll((uint64_t)crux_all_bits(a.high)) : 64};
	case CRUX_SELECT:
		return (crux_range){least(b.low, c.low), greatest(b.high, c.high)};
	default: /* truth values */
		return (crux_range){-1, 0};
	}
}

uint64_t crux_range_bits(crux_range r)
{
	if (r.low == r.high)
		return (uint64_t)r.low;
	return r.low < 0 ? UINT64_MAX : (uint64_t)crux_all_bits(r.high);
}

uint64_t crux_operation_bits(crux_operation operation, uint64_t a, uint64_t b, uint64_t c, crux_range y)
{
	bool const is_known = y.low == y.high;
	switch (operation) {
	case CRUX_AND:
		return a & b;
	case CRUX_OR:
	case CRUX_XOR:
	case CRUX_MIN:
	case CRUX_MAX:
		return a | b;
	case CRUX_AND_NOT:
		return is_known ? a & ~(uint64_t)y.low : a;
	case CRUX_SHIFT_LEFT:
		return is_known ? a << y.low : UINT64_MAX;
	case CRUX_SHIFT_RIGHT:
		return is_known ? a >> y.low : UINT64_MAX;
	case CRUX_SELECT:
		return b | c;
	default:
		return UINT64_MAX;
	}
}

bool crux_operation_is_decided(crux_operation operation, crux_range a, crux_range b, int64_t *result)
{
	bool const apart = a.high < b.low || b.high < a.low;
	if (operation == CRUX_EQUAL || operation == CRUX_UNEQUAL) {
		*result = operation == CRUX_UNEQUAL ? -1 : 0;
		return apart;
	}
	bool const strict = operation == CRUX_LESS;
	bool const always = strict ? a.high < b.low : a.high <= b.low;
	*result = always ? -1 : 0;
	return (strict || operation == CRUX_LESS_EQUAL) && (always || (strict ? a.low >= b.high : a.low > b.high));
}

bool crux_operation_is_commutative(crux_operation operation)
{
	return operation == CRUX_AND || operation == CRUX_OR || operation == CRUX_XOR || operation == CRUX_ADD ||
	       operation == CRUX_MULTIPLY || operation == CRUX_EQUAL || operation == CRUX_UNEQUAL || operation == CRUX_MIN ||
	       operation == CRUX_MAX;
}
