/* Converts decimal text to numbers and back, correctly rounded, the same in every locale. Nothing is allocated or shared. */
#pragma once

#include <stddef.h>

typedef enum crux_number {
	CRUX_NUMBER_OK,
	CRUX_NUMBER_MISSING, /* only blanks, or NA */
	CRUX_NUMBER_NONE,    /* other text, such as nan, inf and hexadecimal numbers */
	CRUX_NUMBER_RANGE,   /* a number too large for a double */
} crux_number;

/* Reads the whole text, without the blanks (space, tab, carriage return) around it: [+-]digits[.digits][e[+-]digits], where
 * one side of the point may be empty. Sets *out to the nearest double (0 or a denormal for very small numbers), or to NaN for a
 * missing number; other results leave it unchanged. The text may hold any bytes and need not be terminated. */
crux_number crux_number_parse(const char *text, size_t length, double *out);

/* The words of messages for what was expected where NONE or RANGE was found. */
const char *crux_number_expected(crux_number found);

enum { CRUX_NUMBER_AHEAD = 8 };

/* Reads most numbers faster: [+-]digits[.digits] of at most 19 digits, without blanks before it, up to a byte that is neither
 * digit nor point. Returns the place of that byte, or NULL if only crux_number_parse can tell. The CRUX_NUMBER_AHEAD bytes
 * from that place on must be readable. */
const char *crux_number_scan(const char *text, double *out);

enum { CRUX_NUMBER_PRINTED = 32 };

/* Prints the shortest decimal of 15 to 17 digits that reads back as the same double, as printf's %.15g to %.17g would, or Inf or
 * -Inf; nothing for NaN. Returns the number of bytes; out is not terminated. */
size_t crux_number_print(double x, char out[CRUX_NUMBER_PRINTED]);
