/* block.c: arrays of zeros, apart from each other, at cache lines; arrays that grow; large ones; sizes that size_t does not
 * hold. */
#include "base/block.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static void test_arrays(void)
{
	char *bytes;
	uint64_t *none, *words;
	crux_array const arrays[] = {CRUX_ARRAY(bytes, 65), CRUX_ARRAY(none, 0), CRUX_ARRAY(words, 3)};
	void *const block = crux_block_new(arrays, 3);
	CHECK(block && (uintptr_t)bytes % 64 == 0 && (uintptr_t)words % 64 == 0);
	CHECK((char *)none == bytes + 128 && (char *)words == bytes + 128); /* 65 bytes take two lines, no bytes none */
	CHECK(bytes[0] == 0 && bytes[64] == 0 && words[0] == 0 && words[2] == 0);
	memset(bytes, 1, 65);
	memset(words, 1, 3 * sizeof *words);
	CHECK(bytes[64] == 1);
	free(block);
}

static void test_too_large(void)
{
	char *bytes = NULL;
	uint64_t *words = NULL;
	crux_array const arrays[] = {CRUX_ARRAY(bytes, SIZE_MAX - 63), CRUX_ARRAY(words, SIZE_MAX / 8 + 2)};
	CHECK(!crux_block_new(arrays, 1) && !crux_block_new(arrays + 1, 1) && !crux_block_new(arrays, 2));
	CHECK(!bytes && !words);
}

static void test_growing(void)
{
	int *numbers = NULL;
	size_t room = 0;
	for (size_t i = 0; i < 1000; i++) {
		CHECK(crux_array_grow(CRUX_ARRAY(numbers, i + 1), &room) && room > i);
		numbers[i] = (int)i;
	}
	CHECK(numbers[0] == 0 && numbers[999] == 999 && room < 2000);
	int const *const before = numbers;
	size_t const room_before = room;
	CHECK(!crux_array_grow(CRUX_ARRAY(numbers, SIZE_MAX / 4), &room) && numbers == before && room == room_before);
	free(numbers);
}

/* A block of 20 MB has zeros and large pages: the flag hg of its mapping, where the kernel knows it. */
static void test_large(void)
{
	char *bytes, line[256];
	crux_array const array = CRUX_ARRAY(bytes, 20 << 20);
	void *const block = crux_block_new(&array, 1);
	FILE *const mappings = fopen("/proc/self/smaps", "re");
	CHECK(block && mappings && bytes[0] == 0 && bytes[(20 << 20) - 1] == 0);
	bool is_inside = false, is_large = access("/sys/kernel/mm/transparent_hugepage", F_OK) != 0;
	while (!is_large && fgets(line, sizeof line, mappings)) {
		unsigned long long from, to, middle = (uintptr_t)bytes + (10 << 20);
		if (sscanf(line, "%llx-%llx ", &from, &to) == 2)
			is_inside = from <= middle && middle < to;
		is_large = is_inside && strncmp(line, "VmFlags:", 8) == 0 && strstr(line, " hg");
	}
	CHECK(is_large);
	fclose(mappings);
	free(block);
}

int main(void)
{
	test_large();
	test_arrays();
	test_too_large();
	test_growing();
	return check_summary();
}
