/* key_lists.c: sorting, writing, merging and reading, against a plain list of all keys; damaged and cut files. */
#include "search/key_lists.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

enum { WORDS = CRUX_KEY_BLOCK / 8 };

static uint64_t state = 7;
static size_t width; /* words of a key, for by_key */

/* The order of keys without the code under test: the last word first. */
static int by_key(const void *a, const void *b)
{
	uint64_t const *const one = a, *const other = b;
	for (size_t i = width; i-- > 0;)
		if (one[i] != other[i])
			return one[i] < other[i] ? -1 : 1;
	return 0;
}

/* Sorts keys and leaves one of equal ones; returns their number. */
static size_t plain_sort(uint64_t *keys, size_t count, size_t words)
{
	size_t kept = 0;
	width = words;
	qsort(keys, count, words * sizeof *keys, by_key);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || memcmp(keys + i * words, keys + (kept - 1) * words, words * sizeof *keys) != 0)
			memmove(keys + kept++ * words, keys + i * words, words * sizeof *keys);
	return kept;
}

static int open_file(void)
{
	FILE *const file = tmpfile();
	int const copy = file ? dup(fileno(file)) : -1;
	if (file)
		fclose(file);
	return copy;
}

/* Lists of random keys of a file, one behind the other, merged in parts of `room` keys. */
static void merging(size_t words, size_t lists, size_t most, uint64_t different, size_t room)
{
	uint64_t *const memory = malloc(CRUX_KEY_BLOCK), *const all = malloc(lists * most * words * sizeof *all);
	uint64_t *keys = malloc(most * words * sizeof *keys), *spare = malloc(most * words * sizeof *spare);
	uint64_t *const merged = malloc((lists * most + room) * words * sizeof *merged);
	crux_key_list *const list = calloc(lists, sizeof *list);
	int const file = open_file();
	crux_key_block block = {.file = file, .words = words, .memory = memory};
	crux_key_merge merge = {0};
	crux_fault fault;
	size_t total = 0, count = 0, some = 0;
	bool right = true;
	for (size_t i = 0; i < lists; i++) {
		size_t const keys_of_list = 1 + (size_t)(check_word(&state) % most);
		for (size_t j = 0; j < keys_of_list * words; j++)
			keys[j] = check_word(&state) % different << (j % words * 9);
		memcpy(all + total * words, keys, keys_of_list * words * sizeof *keys);
		total += keys_of_list;
		size_t const kept = crux_key_sort(&keys, &spare, keys_of_list, words);
		memcpy(spare, all + (total - keys_of_list) * words, keys_of_list * words * sizeof *keys);
		right = right && kept == plain_sort(spare, keys_of_list, words) && memcmp(keys, spare, kept * words * sizeof *keys) == 0;
		list[i].offset = i > 0 ? list[i - 1].offset + crux_key_list_bytes(&list[i - 1], words) : 0;
		size_t const half = kept / 2;
		right = right && crux_key_list_append(&list[i], &block, keys, half, &fault) &&
		        crux_key_list_append(&list[i], &block, keys + half * words, kept - half, &fault) &&
		        crux_key_list_finish(&list[i], &block, &fault) && list[i].count == kept;
	}
	CHECK(right);
	CHECK(crux_key_merge_begin(&merge, file, words, list, lists, &fault));
	do {
		right = right && crux_key_merge_take(&merge, merged + count * words, room, &some, &fault) && some <= room;
		count += some;
	} while (right && some > 0);
	CHECK(right && count == plain_sort(all, total, words) && memcmp(merged, all, count * words * sizeof *all) == 0);
	for (size_t i = 0; i < lists; i++)
		free(list[i].firsts);
	crux_key_merge_free(&merge);
	free(list);
	free(memory);
	free(all);
	free(keys);
	free(spare);
	free(merged);
	close(file);
}

/* A file of which a byte differs, or is missing, is refused with the place. */
static void damage(void)
{
	enum { COUNT = 20000 }; /* two full blocks of 8191 keys, and one of 3618 */
	uint64_t memory[WORDS];
	int const file = open_file();
	crux_key_list list = {.offset = 0};
	crux_key_block block = {.file = file, .words = 1, .memory = memory, .list = &list};
	crux_fault fault = {.message = ""};
	bool right = true;
	for (uint64_t key = 0; key < COUNT; key++)
		right = right && crux_key_list_append(&list, &block, &key, 1, &fault);
	CHECK(right && crux_key_list_finish(&list, &block, &fault) && crux_key_list_blocks(&list, 1) == 3);
	CHECK(crux_key_list_bytes(&list, 1) == 2 * CRUX_KEY_BLOCK + 8 * (1 + 3618));
	CHECK(list.firsts[0] == 0 && list.firsts[1] == 8191 && list.firsts[2] == 16382);
	CHECK(crux_key_block_read(&block, 1, &fault) && block.count == 8191 && block.keys[0] == 8191);
	CHECK(crux_key_block_read(&block, 2, &fault) && block.count == 3618 && block.keys[3617] == COUNT - 1);
	CHECK(pwrite(file, "x", 1, CRUX_KEY_BLOCK + 100) == 1);
	CHECK(!crux_key_block_read(&block, 1, &fault));
	CHECK(strcmp(fault.message, "damaged between byte 65536 and byte 131072; to begin anew, remove the folder") == 0);
	CHECK(ftruncate(file, 140000) == 0 && !crux_key_block_read(&block, 2, &fault));
	CHECK(strcmp(fault.message, "cut at byte 140000; to begin anew, remove the folder") == 0);
	CHECK(crux_key_block_read(&block, 0, &fault));
	close(file);
	int const reading = open("/dev/null", O_RDONLY);
	block = (crux_key_block){.file = reading, .words = 1, .memory = memory, .count = 1};
	CHECK(!crux_key_list_finish(&list, &block, &fault) && strcmp(fault.message, "Bad file descriptor") == 0);
	close(reading);
	free(list.firsts);
}

int main(void)
{
	merging(1, 1, 10, 5, 3);
	merging(1, 9, 30000, UINT64_MAX, 1000);
	merging(1, 9, 30000, 20000, 4096);
	merging(2, 5, 9000, 90, 777);
	merging(3, 17, 3000, 12, 100000);
	merging(5, 2, 4000, 7, 1);
	damage();
	return check_summary();
}
