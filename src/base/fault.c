/* Formats the messages of failures and quotes text in them. */
#include "base/fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/character.h"

/* The bytes of the character at the beginning of n > 0 bytes; 0 for a control character, and for what is no UTF-8. */
static size_t size_of_printable(const char *text, size_t n)
{
	unsigned char const first = (unsigned char)*text;
	return first < 32 || first == 127 ? 0 : crux_character_size(text, n);
}

void crux_fault_set(crux_fault *fault, const char *format, ...)
{
	if (!fault)
		return;
	char text[sizeof fault->message + 1]; /* with one byte more, which tells if the last character is complete */
	va_list arguments;
	va_start(arguments, format);
	int const length = vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	size_t end = length < 0 ? 0 : (size_t)length;
	if (end >= sizeof fault->message)
		for (end = sizeof fault->message - 1; end > 0 && crux_character_continues(text[end]);)
			end--;
	text[end] = '\0';
	for (size_t i = 0, size; i < end; i += size) {
		size = size_of_printable(text + i, end - i);
		if (size == 0)
			text[i] = '?', size = 1;
	}
	memcpy(fault->message, text, end + 1);
}

const char *crux_fault_quote(char out[64], const char *text, size_t n)
{
	static const char ellipsis[] = "...";
	size_t const room = 64 - sizeof ellipsis - 1; /* without the closing quote and the terminator */
	size_t used = 0;
	out[used++] = '\'';
	for (size_t i = 0, size; i < n; i += size) {
		char escaped[8];
		size = size_of_printable(text + i, n - i); /* 0 for a character that the end of the text cuts off, too */
		int const length = size == 0 ? snprintf(escaped, sizeof escaped, "\\x%02x", (unsigned)(unsigned char)text[i])
		                             : snprintf(escaped, sizeof escaped, "%.*s", (int)size, text + i);
		if (used + (size_t)length > room) {
			memcpy(out + used, ellipsis, sizeof ellipsis - 1);
			used += sizeof ellipsis - 1;
			break;
		}
		memcpy(out + used, escaped, (size_t)length);
		used += (size_t)length;
		size = size == 0 ? 1 : size;
	}
	out[used++] = '\'';
	out[used] = '\0';
	return out;
}
