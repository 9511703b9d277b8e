/* Tests of src/base/number.c: the grammar, and values against strtod. */
#include "base/number.h"
#include "check.h"

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *text;
	crux_number result;
} grammar[] = {
	{ "0", CRUX_NUMBER_OK }, { "-0", CRUX_NUMBER_OK }, { "+7", CRUX_NUMBER_OK }, { ".5", CRUX_NUMBER_OK },
	{ "5.", CRUX_NUMBER_OK }, { "-.5e-3", CRUX_NUMBER_OK }, { "5.E+2", CRUX_NUMBER_OK },
	{ " \t12 \r", CRUX_NUMBER_OK }, { "1e-999", CRUX_NUMBER_OK },
	{ "0e999999999999999999999", CRUX_NUMBER_OK }, { "007", CRUX_NUMBER_OK }, { "", CRUX_NUMBER_MISSING },
	{ "  ", CRUX_NUMBER_MISSING }, { "NA", CRUX_NUMBER_MISSING }, { " NA ", CRUX_NUMBER_MISSING },
	{ "na", CRUX_NUMBER_NONE }, { "N/A", CRUX_NUMBER_NONE }, { "NAN", CRUX_NUMBER_NONE },
	{ "nan", CRUX_NUMBER_NONE }, { "NaN", CRUX_NUMBER_NONE }, { "inf", CRUX_NUMBER_NONE },
	{ "-Infinity", CRUX_NUMBER_NONE }, { "0x10", CRUX_NUMBER_NONE }, { "+", CRUX_NUMBER_NONE },
	{ "-", CRUX_NUMBER_NONE }, { ".", CRUX_NUMBER_NONE }, { "-.", CRUX_NUMBER_NONE },
	{ ".e1", CRUX_NUMBER_NONE }, { "e5", CRUX_NUMBER_NONE }, { "1e", CRUX_NUMBER_NONE },
	{ "1e+", CRUX_NUMBER_NONE }, { "1e+-2", CRUX_NUMBER_NONE }, { "1e1.5", CRUX_NUMBER_NONE },
	{ "1.2.3", CRUX_NUMBER_NONE }, { "1,5", CRUX_NUMBER_NONE }, { "1 2", CRUX_NUMBER_NONE },
	{ "- 1", CRUX_NUMBER_NONE }, { "--1", CRUX_NUMBER_NONE }, { "+-1", CRUX_NUMBER_NONE },
	{ "1f", CRUX_NUMBER_NONE }, { "1_000", CRUX_NUMBER_NONE }, { "1p3", CRUX_NUMBER_NONE },
	{ "1\n", CRUX_NUMBER_NONE }, { "\xD9\xA1", CRUX_NUMBER_NONE }, { "1e999", CRUX_NUMBER_RANGE },
	{ "-1e309", CRUX_NUMBER_RANGE }, { "1.7976931348623159e308", CRUX_NUMBER_RANGE },
	{ "1e99999999999999999999", CRUX_NUMBER_RANGE },
};

/* Numbers that readers have got wrong: ties, the limits of the fast path, the smallest and the largest. */
static const char *const hard[] = {
	"2.2250738585072011e-308", "2.2250738585072012e-308", "2.2250738585072014e-308",
	"4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "5e-324",
	"1.7976931348623157e308", "1.7976931348623158e308", "179769313486231570000000000000000000000e270",
	"9007199254740991", "9007199254740992", "9007199254740993",
	"9007199254740993.0000000000000000000000001", "9007199254740994", "9007199254740995e22",
	"9007199254740992e22", "9007199254740993e-22", "1e22", "1e23", "8.5e22", "1e-22", "1e-23",
	"123456789e22", "1234567890123456789", "9999999999999999999", "18446744073709551615",
	"18446744073709551616", "99999999999999999999e-20",
	"0.000000000000000000000000000000000000000012345678901234567890", "6.02214076e23",
	"100000000000000000000000000000000000000000e-41", "0.1", "0.3", "1e-7", "-0.0",
	"000000000000000000000000000001.5", "7.2057594037927933e16",
	"1.00000000000000011102230246251565404236316680908203125",
	"1.00000000000000011102230246251565404236316680908203124",
	"1.00000000000000011102230246251565404236316680908203126",
};

static bool same(double a, double b)
{
	return memcmp(&a, &b, sizeof a) == 0; /* -0 is not 0 */
}

static void check_value(const char *text, size_t length, double expected)
{
	double found = 42;
	bool const right = crux_number_parse(text, length, &found) == CRUX_NUMBER_OK && same(found, expected);
	if (!right)
		printf("%.60s: found %.17g, expected %.17g\n", text, found, expected);
	CHECK(right);
}

static void test_grammar(void)
{
	for (size_t i = 0; i < sizeof grammar / sizeof *grammar; i++) {
		double out = 42;
		const char *const text = grammar[i].text;
		crux_number const result = crux_number_parse(text, strlen(text), &out);
		CHECK(result == grammar[i].result);
		if (result != grammar[i].result)
			printf("  for '%s'\n", text);
		if (result == CRUX_NUMBER_OK)
			check_value(text, strlen(text), strtod(text, NULL));
		else
			CHECK(result == CRUX_NUMBER_MISSING ? isnan(out) : out == 42);
	}
	double out;
	CHECK(crux_number_parse("1\0", 2, &out) == CRUX_NUMBER_NONE);
	check_value("1234", 2, 12);
}

static void test_hard(void)
{
	for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
		check_value(hard[i], strlen(hard[i]), strtod(hard[i], NULL));
}

/* Writes the digits of m * 5^1075 = m / 2^1075 * 10^1075, returns their number. */
static size_t write_digits(char *text, uint64_t m)
{
	unsigned char digits[800] = { 0 }; /* the last one first */
	size_t n = 0;
	for (; m > 0; m /= 10)
		digits[n++] = (unsigned char)(m % 10);
	for (int power = 0; power < 1075; power++) {
		unsigned carry = 0;
		for (size_t i = 0; i < n || carry; i++) {
			carry += digits[i] * 5u;
			digits[i] = (unsigned char)(carry % 10);
			carry /= 10;
			n = i < n ? n : i + 1;
		}
	}
	for (size_t i = 0; i < n; i++)
		text[i] = (char)('0' + digits[n - 1 - i]);
	return n;
}

/* An odd number / 2^1075 is a tie; the longest has 768 digits. One more digit, at any place behind them, decides. */
static void test_longest_tie(void)
{
	char text[1000];
	size_t n = write_digits(text, (UINT64_C(1) << 54) - 1);
	CHECK(n == 768);
	strcpy(text + n, "e-1075");
	check_value(text, n + 6, 0x1p-1021);
	text[n - 1]--; /* the last 5 to a 4 */
	check_value(text, n + 6, 0x1.fffffffffffffp-1022);
	n = write_digits(text, (UINT64_C(1) << 54) - 3);
	strcpy(text + n, "e-1075");
	check_value(text, n + 6, 0x1.ffffffffffffep-1022);
	strcpy(text + n, "00001e-1080");
	check_value(text, n + 11, 0x1.fffffffffffffp-1022);
	strcpy(text + n, "00000e-1080");
	check_value(text, n + 11, 0x1.ffffffffffffep-1022);
}

static void test_long(void)
{
	enum { LENGTH = 100000 };
	char *const text = malloc(LENGTH);
	memset(text, '0', LENGTH);
	memcpy(text, "1.00000000000000011102230246251565404236316680908203125", 55); /* 1 + 2^-53, a tie */
	check_value(text, LENGTH, 1);
	text[LENGTH - 1] = '1';
	check_value(text, LENGTH, 1 + DBL_EPSILON);
	memset(text, '0', LENGTH);
	memcpy(text, "0.", 2);
	memcpy(text + LENGTH - 7, "7e99991", 7); /* the 7 is decimal number LENGTH - 8 */
	check_value(text, LENGTH, 0.7);
	free(text);
}

static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	uint64_t const mixed = *state ^ *state >> 33;
	return mixed * UINT64_C(0xff51afd7ed558ccd) ^ mixed >> 29;
}

static double random_double(uint64_t *state, int i)
{
	if (i % 2)
		return ((double)(next_random(state) >> 11) * 0x1p-53 - 0.5) * 2000;
	uint64_t const bits = next_random(state);
	double value;
	memcpy(&value, &bits, sizeof value);
	return isfinite(value) ? value : 1;
}

/* Digits at random around the borders of the fast path: up to 25 of them, a point, an exponent. */
static int random_digits(uint64_t *state, char *text)
{
	int n = 0;
	int const digits = 1 + (int)(next_random(state) >> 40) % 25;
	int const point = (int)(next_random(state) >> 40) % (digits + 1);
	if (next_random(state) >> 63)
		text[n++] = '-';
	for (int i = 0; i < digits; i++) {
		if (i == point)
			text[n++] = '.';
		text[n++] = (char)('0' + (next_random(state) >> 40) % 10);
	}
	return n + sprintf(text + n, "e%d", (int)((next_random(state) >> 40) % 60) - 30);
}

static void test_random(void)
{
	static const char *const formats[] = { "%.17g", "%.6g", "%.15g", "%.30g", "%.20e" };
	uint64_t state = 20240607;
	char text[64];
	int wrong = 0;
	for (int i = 0; i < 100000; i++) {
		double const value = random_double(&state, i);
		int const n = i % 3 ? sprintf(text, formats[i % 5], value) : random_digits(&state, text);
		double found = NAN;
		if (crux_number_parse(text, (size_t)n, &found) != CRUX_NUMBER_OK || !same(found, strtod(text, NULL)))
			wrong++;
		if (i % 3 && i % 5 == 0 && !same(found, value))
			wrong++;
	}
	CHECK(wrong == 0);
}

/* crux_number_scan reads short numbers within a line as strtod does, up to their ends. */
static void test_scan(void)
{
	static const struct {
		const char *text;
		int length; /* 0: crux_number_scan does not read it */
	} cases[] = {
		{ "1,2", 1 }, { "-12.5\r\n", 5 }, { "+.5;", 3 }, { "5.|", 2 }, { "-0 ", 2 }, { "007\t", 3 }, { "1-2", 1 },
		{ "12345678,", 8 }, { "123456789012345678.9\n", 20 }, { "0.1234567890123456789,", 0 }, { "1.2.3", 3 },
		{ "0.3333333333333333;", 18 }, { "9007199254740993.5,", 18 }, { "9999999999999999999,", 19 },
		{ "12345678901234567890,", 0 }, { "00000000000000000001,", 0 }, { "1e5,", 0 }, { "1.5E-3,", 0 }, { ",1", 0 },
		{ "NA,", 0 }, { "-,", 0 }, { ".,", 0 }, { "--1,", 0 }, { "\n", 0 }, { "\xFF" "1,", 0 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char line[40 + CRUX_NUMBER_AHEAD] = "", *end;
		double out = 42;
		strcpy(line, cases[i].text);
		const char *const past = crux_number_scan(line, &out);
		CHECK(past == (cases[i].length ? line + cases[i].length : NULL));
		line[cases[i].length] = '\0';
		CHECK(same(out, cases[i].length ? strtod(line, &end) : 42));
		if (past != (cases[i].length ? line + cases[i].length : NULL))
			printf("  for '%s'\n", cases[i].text);
	}
}

/* Up to 19 digits around a point against strtod, then ties. */
static void test_scan_random(void)
{
	uint64_t state = 31;
	int wrong = 0;
	for (int i = 0; i < 300000; i++) {
		char text[40 + CRUX_NUMBER_AHEAD] = "";
		uint64_t const bits = next_random(&state);
		snprintf(text, 40, "%.*f", (int)(bits >> 20 & 15), ldexp((double)(bits >> 11), -(int)(bits >> 3 & 63)));
		if (strlen(text) > 20)
			text[20] = '\0';
		double out = 42;
		const char *const past = crux_number_scan(text, &out);
		size_t const digits = strlen(text) - (strchr(text, '.') != NULL);
		wrong += digits <= 19 && !(past == text + strlen(text) && same(out, strtod(text, NULL)));
	}
	CHECK(wrong == 0);
	for (uint64_t m = UINT64_C(1) << 52; m < (UINT64_C(1) << 52) + 2000; m++) {
		char text[40 + CRUX_NUMBER_AHEAD] = "";
		double out = 42;
		snprintf(text, 40, "%" PRIu64 ".5", m);
		CHECK(crux_number_scan(text, &out) && same(out, strtod(text, NULL)));
	}
}

/* With a locale of decimal commas, where one is installed. */
static void test_locale(void)
{
	static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "es_ES.UTF-8", "de_DE", "fr_FR" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (setlocale(LC_ALL, names[i]))
			break;
	check_value("1.5", 3, 1.5);
	check_value("0.12345678901234567", 19, 12345678901234567e-17);
	check_value("-1234567890.12345678901234567e-5", 32, -123456789012345678901234567e-22);
	setlocale(LC_ALL, "C");
}

/* The shortest of %.15g, %.16g and %.17g that reads back. */
static void check_print(double x)
{
	char found[CRUX_NUMBER_PRINTED], expected[CRUX_NUMBER_PRINTED];
	size_t const n = crux_number_print(x, found);
	for (int precision = 15; precision <= 17; precision++) {
		snprintf(expected, sizeof expected, "%.*g", precision, x);
		if (strtod(expected, NULL) == x)
			break;
	}
	bool const right = n == strlen(expected) && memcmp(found, expected, n) == 0;
	if (!right)
		printf("%.17g: found %.*s\n", x, (int)n, found);
	CHECK(right);
}

static void test_print(void)
{
	char out[CRUX_NUMBER_PRINTED];
	CHECK(crux_number_print(NAN, out) == 0);
	CHECK(crux_number_print(INFINITY, out) == 3 && memcmp(out, "Inf", 3) == 0);
	CHECK(crux_number_print(-INFINITY, out) == 4 && memcmp(out, "-Inf", 4) == 0);
	for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
		check_print(strtod(hard[i], NULL));
	uint64_t state = 1;
	for (int i = 0; i < 20000; i++) {
		check_word(&state);
		double const share = (double)(state >> 11) * 0x1p-53, few = (double)(state % 100000) / 1000;
		check_print(ldexp(1 + share, i % 80 - 20)); /* on both sides of 1e-4 and 1e15 */
		check_print(-few);
		check_print(nextafter(few, share));
		check_print(ldexp(1, i % 80 - 20));
	}
}

int main(void)
{
	test_grammar();
	test_hard();
	test_longest_tie();
	test_long();
	test_print();
	test_random();
	test_scan();
	test_scan_random();
	test_locale();
	return check_summary();
}
