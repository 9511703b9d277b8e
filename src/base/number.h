/* Numbers from text: decimal only, correctly rounded, the same in every locale.
 *
 * No memory is allocated, nothing is shared; any thread may call. */
#ifndef CRUX_NUMBER_H
#define CRUX_NUMBER_H

#include <stddef.h>

typedef enum crux_number {
	CRUX_NUMBER_OK,
	CRUX_NUMBER_MISSING, /* nothing but blanks, or NA */
	CRUX_NUMBER_NONE,    /* other text; nan, inf and hexadecimal numbers are such */
	CRUX_NUMBER_RANGE,   /* a number too large for a double */
} crux_number;

/* Reads the whole text, blanks around it (space, tab, carriage return) aside: [+-]digits[.digits][e[+-]digits], where
 * one side of the point may be empty. *out is the nearest double (0 or a denormal for the very small), NaN for what is
 * missing, and left alone for the other results. The text may hold any bytes and need not be terminated. */
crux_number crux_number_parse(const char *text, size_t length, double *out);

enum { CRUX_NUMBER_AHEAD = 8 };

/* The same for most numbers, faster: reads [+-]digits[.digits] of at most 19 digits, without blanks before it, up to a
 * byte that is neither digit nor point, and returns the place of that byte. NULL when crux_number_parse has to say. Looks
 * at CRUX_NUMBER_AHEAD bytes from there, or less: they must be readable. */
const char *crux_number_scan(const char *text, double *out);

#endif
