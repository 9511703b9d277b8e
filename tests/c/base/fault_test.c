/* fault.c: messages and quoted texts are cut between two characters: letters, UTF-8 or escapes. */
#include "base/fault.h"

#include <string.h>

#include "check.h"

#define A9 "aaaaaaaaa"

/* Quotes n times a text and expects a number of times what is shown of it, then an end; counted by hand. */
static void quotes(const char *text, size_t length, int n, const char *shown, int times, const char *end)
{
	char bytes[256], out[64], expected[256] = "'";
	for (int i = 0; i < n; i++)
		memcpy(bytes + (size_t)i * length, text, length);
	for (int i = 0; i < times; i++)
		strcat(expected, shown);
	strcat(expected, end);
	crux_fault_quote(out, bytes, (size_t)n * length);
	CHECK(strcmp(out, expected) == 0);
	if (strcmp(out, expected) != 0)
		printf("  found %s, expected %s\n", out, expected);
}

static void test_quote(void)
{
	quotes("a", 1, 58, "a", 58, "'"); /* 64 bytes without two quotes, the ellipsis and '\0' */
	quotes("a", 1, 59, "a", 58, "...'");
	quotes("\xC3\xA9", 2, 29, "\xC3\xA9", 29, "'");
	quotes("\xC3\xA9", 2, 60, "\xC3\xA9", 29, "...'");
	quotes("\xE2\x82\xAC", 3, 60, "\xE2\x82\xAC", 19, "...'");
	quotes("\n", 1, 60, "\\x0a", 14, "...'");
	static const char bytes[] = A9 A9 A9 A9 A9 A9 "\1\x80"; /* not UTF-8, as neither of the others */
	quotes(bytes, sizeof bytes - 1, 1, A9 A9 A9 A9 A9 A9 "\\x01", 1, "...'");
	quotes("\x80", 1, 60, "\\x80", 14, "...'");
	quotes("\xC3", 1, 1, "\\xc3", 1, "'");
}

static void test_set(void)
{
	crux_fault fault;
	size_t const most = sizeof fault.message - 1;
	char text[600];
	memset(text, 'a', sizeof text);
	for (size_t n = most - 5; n < most + 5; n++) {
		crux_fault_set(&fault, "%.*s", (int)n, text);
		CHECK(strlen(fault.message) == (n < most ? n : most));
		crux_fault_set(&fault, "%.*s\xE2\x82\xAC.", (int)n, text);
		CHECK(strlen(fault.message) == (n + 4 <= most ? n + 4 : n + 3 <= most ? n + 3 : n < most ? n : most));
	}
	crux_fault_set(NULL, "nobody asks");
}

int main(void)
{
	test_quote();
	test_set();
	return check_summary();
}
