/* Numbers from text: one multiplication where that is exact, strtod where it is not. */
#include "number.h"

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
	 * 54 log10(2) + 1075 log10(5) = 767.7. Of the digits after so many only matters whether one is not 0. */
	DECISIVE_DIGITS = 768,
};

typedef struct decimal {
	const char *start, *end; /* of the digits and the point */
	uint64_t mantissa;       /* the first MANTISSA_DIGITS of the significant digits */
	size_t digits;           /* significant digits, that is without leading zeros */
	int64_t exponent;        /* value = all digits as an integer * 10^exponent */
	bool negative;
} decimal;

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

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

/* Both return NULL when the text is no number. */
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
		if (value < INT64_C(1000000000000000)) /* far beyond what the length of a mantissa can make up for */
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

/* Clinger's case: mantissa and power of ten are both doubles, so that one operation rounds once. */
static bool convert_exact(const decimal *number, double *out)
{
	static const double powers[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
		                         1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
	if (FLT_EVAL_METHOD != 0 || number->digits > MANTISSA_DIGITS || number->mantissa > UINT64_C(1) << 53 ||
	    number->exponent < -22 || number->exponent > 22)
		return false;
	double const mantissa = (double)number->mantissa;
	*out = number->exponent < 0 ? mantissa / powers[-number->exponent] : mantissa * powers[number->exponent];
	return true;
}

/* strtod is given an integer and an exponent: with no decimal point, the locale has no say. */
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
	if (number.digits && !convert_exact(&number, &value))
		value = convert_any(&number);
	if (isinf(value))
		return CRUX_NUMBER_RANGE;
	*out = number.negative ? -value : value;
	return CRUX_NUMBER_OK;
}
