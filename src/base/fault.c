/* Messages of failures: formatting, and quoting what was found. */
#include "base/fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void crux_fault_set(crux_fault *fault, const char *format, ...)
{
	if (!fault)
		return;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(fault->message, sizeof fault->message, format, arguments);
	va_end(arguments);
}

const char *crux_fault_quote(char out[64], const char *text, size_t n)
{
	static const char ellipsis[] = "...";
	size_t const room = 64 - sizeof ellipsis - 1; /* the closing quote and the terminator included */
	size_t used = 0;
	size_t i = 0;
	out[used++] = '\'';
	for (; i < n; i++) {
		unsigned char const byte = (unsigned char)text[i];
		char escaped[8];
		int const length = byte < 32 || byte == 127 ? snprintf(escaped, sizeof escaped, "\\x%02x", byte)
		                                            : snprintf(escaped, sizeof escaped, "%c", byte);
		if (used + (size_t)length > room)
			break;
		memcpy(out + used, escaped, (size_t)length);
		used += (size_t)length;
	}
	if (i < n) {
		while (used > 1 && ((unsigned char)text[i] & 0xC0) == 0x80) { /* never cut inside a UTF-8 sequence */
			i--;
			used--;
		}
		memcpy(out + used, ellipsis, sizeof ellipsis - 1);
		used += sizeof ellipsis - 1;
	}
	out[used++] = '\'';
	out[used] = '\0';
	return out;
}
