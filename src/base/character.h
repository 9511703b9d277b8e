/* Characters of UTF-8. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* True for a byte that continues a character. */
static inline bool crux_character_continues(char byte)
{
	return ((unsigned char)byte & 0xC0) == 0x80;
}

/* The bytes of the character at the beginning of n > 0 bytes; 0 for what is no UTF-8. */
static inline size_t crux_character_size(const char *text, size_t n)
{
	unsigned char const first = (unsigned char)*text;
	size_t const size = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
	if (size > n)
		return 0;
	for (size_t i = 1; i < size; i++)
		if (!crux_character_continues(text[i]))
			return 0;
	return size;
}
