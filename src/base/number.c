/* Converts text to numbers: by one operation if that is exact, by a quotient of integers for other fractions, else by strtod.
 * Prints numbers by integers of 128 bits where these are exact, else by printf. */
#include "base/number.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	MANTISSA_DIGITS = 19, /* 10^19 < 2^64 */
	/* The midpoint of two doubles is m / 2^1075 = m * 5^1075 / 10^1075 with m < 2^54: no more digits than
	 * 54 log10(2) + 1075 log10(5) = 767.7. Digits after these matter only if one of them is not 0. */
	DECISIVE_DIGITS = 768,
};

typedef struct decimal {
	const char *start, *end; /* of the digits and the point */
	uint64_t mantissa;       /* the first MANTISSA_DIGITS of the significant digits */
	size_t digits;           /* significant digits, that is without leading zeros */
	int64_t exponent;        /* value = all digits as an integer * 10^exponent */
	bool negative;
} decimal;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static const char *scan_digits(decimal *number, const char *at, const char *end)
{
	for (; at < end && is_digit(*at); at++) {
		if (number->digits < MANTISSA_DIGITS)
			number->mantissa = number->mantissa * 10 + (uint64_t)(*at - '0');
		if (number->digits || *at != '0')
			number->digits++;
	}
	return at;
}

/* The next two functions return NULL if the text is not a number. */
static const char *scan_mantissa(decimal *number, const char *at, const char *end)
{
	number->start = at;
	at = scan_digits(number, at, end);
	ptrdiff_t digits = at - number->start;
	if (at < end && *at == '.') {
		const char *const fraction = at + 1;
		at = scan_digits(number, fraction, end);
		number->exponent = -(at - fraction);
		digits += at - fraction;
	}
	number->end = at;
	return digits ? at : NULL;
}

static const char *scan_exponent(decimal *number, const char *at, const char *end)
{
	if (at == end || (*at != 'e' && *at != 'E'))
		return at;
	bool const negative = ++at < end && *at == '-';
	if (at < end && (*at == '+' || *at == '-'))
		at++;
	const char *const start = at;
	int64_t value = 0;
	for (; at < end && is_digit(*at); at++)
		if (value < INT64_C(1000000000000000)) /* no mantissa is long enough to make up for more */
			value = value * 10 + (*at - '0');
	number->exponent += negative ? -value : value;
	return at == start ? NULL : at;
}

static bool scan(decimal *number, const char *at, const char *end)
{
	number->negative = at < end && *at == '-';
	if (at < end && (*at == '+' || *at == '-'))
		at++;
	at = scan_mantissa(number, at, end);
	at = at ? scan_exponent(number, at, end) : NULL;
	return at == end;
}

/* Clinger's case: mantissa and power of ten are both doubles, so one operation gives the rounded result. */
static inline bool convert_exact(uint64_t mantissa, int64_t exponent, double *out)
{
	static const double powers[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
		                         1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
	if (FLT_EVAL_METHOD != 0 || mantissa > UINT64_C(1) << 53 || exponent < -22 || exponent > 22)
		return false;
	*out = exponent < 0 ? (double)mantissa / powers[-exponent] : (double)mantissa * powers[exponent];
	return true;
}

/* Integers of 128 bits, which C11 has no name for, but compilers for processors of 64 bits have. */
__extension__ typedef unsigned __int128 wide;

static const uint64_t fives[] = {
	1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125, 9765625, 48828125, 244140625, 1220703125,
	6103515625, 30517578125, 152587890625, 762939453125, 3814697265625, 19073486328125, 95367431640625,
};

/* A fraction is a mantissa divided by a power of five, times a power of two. The quotient is computed to at least 63 bits; its
 * last bit is set if there is a remainder. So rounding it to 53 bits is the only rounding. */
static bool convert_fraction(uint64_t mantissa, int64_t exponent, double *out)
{
	if (mantissa == 0 || exponent > 0 || exponent < -MANTISSA_DIGITS)
		return false;
	int const up = __builtin_clzll(mantissa), divisor_up = __builtin_clzll(fives[-exponent]);
	uint64_t const divisor = fives[-exponent] << divisor_up;
	wide const dividend = (wide)(mantissa << up) << 63; /* below divisor * 2^64 */
	uint64_t const quotient = (uint64_t)(dividend / divisor);
	bool const more = (wide)quotient * divisor != dividend;
	*out = (double)(quotient | more);
	uint64_t bits;
	memcpy(&bits, out, sizeof bits);
	bits += (uint64_t)(divisor_up - up - 63 + exponent) << (DBL_MANT_DIG - 1); /* ldexp is slower, as it handles denormals */
	memcpy(out, &bits, sizeof bits);
	return true;
}

static inline bool convert_short(uint64_t mantissa, int64_t exponent, double *out)
{
	return convert_exact(mantissa, exponent, out) || convert_fraction(mantissa, exponent, out);
}

/* strtod gets an integer and an exponent, as the locale decides which decimal point it reads. */
static double convert_any(const decimal *number)
{
	char text[DECISIVE_DIGITS + 32];
	size_t used = 0;
	bool rest = false;
	for (const char *at = number->start; at < number->end; at++) {
		if (*at == '.' || (*at == '0' && !used))
			continue;
		if (used < DECISIVE_DIGITS)
			text[used++] = *at;
		else
			rest = rest || *at != '0';
	}
	int64_t exponent = number->exponent + (int64_t)(number->digits - used);
	if (rest) {
		text[used++] = '1';
		exponent--;
	}
	snprintf(text + used, sizeof text - used, "e%" PRId64, exponent);
	return strtod(text, NULL);
}

crux_number crux_number_parse(const char *text, size_t length, double *out)
{
	const char *end = text + length;
	while (text < end && is_blank(*text))
		text++;
	while (text < end && is_blank(end[-1]))
		end--;
	if (text == end || (end - text == 2 && memcmp(text, "NA", 2) == 0)) {
		*out = NAN;
		return CRUX_NUMBER_MISSING;
	}
	decimal number = { 0 };
	double value = 0;
	if (!scan(&number, text, end))
		return CRUX_NUMBER_NONE;
	bool const whole = number.digits <= MANTISSA_DIGITS; /* the mantissa has all digits */
	if (number.digits && !(whole && convert_short(number.mantissa, number.exponent, &value)))
		value = convert_any(&number);
	if (isinf(value))
		return CRUX_NUMBER_RANGE;
	*out = number.negative ? -value : value;
	return CRUX_NUMBER_OK;
}

const char *crux_number_expected(crux_number found)
{
	return found == CRUX_NUMBER_RANGE ? "a number within the range of a double" : "a number";
}

/* Reads the digits at the start of eight bytes without branches, which would often be mispredicted. Returns the number of
 * digits and sets *out to their value. */
static inline unsigned scan_eight(const char *at, uint64_t *out)
{
	uint64_t bytes;
	memcpy(&bytes, at, sizeof bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	bytes = __builtin_bswap64(bytes);
#endif
	bytes ^= UINT64_C(0x3030303030303030); /* a digit's byte is now its value, any other is 10 or more */
	uint64_t const others = (bytes | (bytes + UINT64_C(0x7676767676767676))) & UINT64_C(0x8080808080808080);
	unsigned const count = others ? (unsigned)__builtin_ctzll(others) / 8 : 8;
	bytes = bytes << (32 - 4 * count) << (32 - 4 * count); /* zeros in front; not by 64 at once */
	bytes = bytes * 10 + (bytes >> 8); /* pairs in every other byte, then two pairs, then two of these */
	*out = ((bytes & UINT64_C(0xFF000000FF)) * UINT64_C(0xF424000000064) +
	        (bytes >> 16 & UINT64_C(0xFF000000FF)) * UINT64_C(0x271000000001)) >> 32;
	return count;
}

/* Appends digits to the mantissa and counts them. */
static inline const char *scan_run(const char *at, uint64_t *mantissa, unsigned *digits)
{
	static const uint64_t powers[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000 };
	unsigned count;
	do {
		uint64_t eight;
		count = scan_eight(at, &eight);
		*mantissa = *mantissa * powers[count] + eight;
		*digits += count;
		at += count;
	} while (count == 8);
	return at;
}

const char *crux_number_scan(const char *text, double *out)
{
	static const double signs[] = { 1, -1 };
	bool const negative = *text == '-';
	uint64_t mantissa = 0;
	unsigned digits = 0, whole;
	const char *at = scan_run(text + (negative | (*text == '+')), &mantissa, &digits);
	whole = digits;
	if (*at == '.')
		at = scan_run(at + 1, &mantissa, &digits);
	double value;
	if (digits == 0 || digits > MANTISSA_DIGITS || *at == 'e' || *at == 'E' ||
	    !convert_short(mantissa, (int64_t)whole - digits, &value))
		return NULL;
	*out = value * signs[negative];
	return at;
}

/* Writes the digits of a number, at least `least` of them, and returns how many there are. */
static size_t print_digits(uint64_t number, size_t least, char *out)
{
	char digits[24];
	size_t at = sizeof digits;
	for (; number >= 100; number /= 100) { /* two at a time, as each quotient waits for the one before */
		digits[--at] = (char)('0' + number % 100 % 10);
		digits[--at] = (char)('0' + number % 100 / 10);
	}
	for (; number || sizeof digits - at < least; number /= 10)
		digits[--at] = (char)('0' + number % 10);
	memcpy(out, digits + at, sizeof digits - at);
	return sizeof digits - at;
}

/* Prints number / 10^places without zeros at the end. */
static size_t print_decimal(uint64_t number, int places, char *out)
{
	for (; places > 0 && number % 10 == 0; places--)
		number /= 10;
	bool const is_small = places > MANTISSA_DIGITS; /* number < 10^17 < 10^places: the whole part is 0 */
	uint64_t power = 1;
	for (int i = 0; i < places && i < MANTISSA_DIGITS; i++)
		power *= 10;
	size_t n = print_digits(is_small ? 0 : number / power, 1, out);
	if (places > 0) {
		out[n++] = '.';
		n += print_digits(is_small ? number : number % power, (size_t)places, out + n);
	}
	return n;
}

/* Prints x, 1e-4 <= x < 1e15 and no integer: x = mantissa / 2^shift, and times 10^places it is mantissa * 5^places / 2^left,
 * which has at most 100 bits. The rounded quotient reads back as x if it is off by less than half a unit of the mantissa.
 * Returns 0 for powers of two, below which doubles lie closer. */
static size_t print_fraction(double x, char *out)
{
	static const double powers[] = { 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14 };
	int tens = -4;
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits); /* frexp is slower, as it handles denormals */
	int const exponent = (int)(bits >> (DBL_MANT_DIG - 1)) - DBL_MAX_EXP + 2;
	uint64_t const mantissa = (bits & ((UINT64_C(1) << (DBL_MANT_DIG - 1)) - 1)) | UINT64_C(1) << (DBL_MANT_DIG - 1);
	while (tens < 14 && x >= powers[tens + 4])
		tens++;
	if (mantissa == UINT64_C(1) << (DBL_MANT_DIG - 1))
		return 0;
	for (int places = 14 - tens; places <= 16 - tens; places++) {
		int const left = DBL_MANT_DIG - exponent - places; /* from 1 to 48 */
		wide const product = (wide)mantissa * fives[places];
		uint64_t const quotient = (uint64_t)(product >> left), half = UINT64_C(1) << (left - 1);
		uint64_t const rest = (uint64_t)product & (2 * half - 1);
		bool const is_up = rest > half || (rest == half && quotient & 1);
		if (2 * (is_up ? 2 * half - rest : rest) < fives[places])
			return print_decimal(quotient + is_up, places, out);
	}
	return 0; /* not reached: 17 digits tell all doubles apart */
}

size_t crux_number_print(double x, char out[CRUX_NUMBER_PRINTED])
{
	double const size = fabs(x);
	if (isnan(x))
		return 0;
	if (isinf(x))
		return (size_t)snprintf(out, CRUX_NUMBER_PRINTED, x > 0 ? "Inf" : "-Inf");
	size_t const sign = x < 0, digits = size < 1e15 && size >= 1 && size == floor(size) ? print_digits((uint64_t)size, 1, out + sign)
		: size >= 1e-4 && size < 1e15 ? print_fraction(size, out + sign) : 0;
	if (digits) {
		if (sign)
			out[0] = '-';
		return sign + digits;
	}
	int n = 0;
	for (int precision = 15; precision <= 17 && (n == 0 || strtod(out, NULL) != x); precision++)
		n = snprintf(out, CRUX_NUMBER_PRINTED, "%.*g", precision, x);
	return (size_t)n;
}
