/* journal.c: steps outlive the process; whatever the file has become, it gives what was put there, or says why not. */
#include "files/journal.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

enum { STEPS = 12 };

static char path[256];

/* What a step holds: a text that its number makes, of 0 to some hundred bytes. */
static size_t text_of(uint64_t step, char text[256])
{
	size_t const size = (size_t)(step * 37 % 200);
	for (size_t i = 0; i < size; i++)
		text[i] = (char)(step + 7 * i);
	return size;
}

static bool append(crux_journal *journal, uint64_t step, crux_fault *fault)
{
	char text[256];
	size_t const size = text_of(step, text);
	return crux_journal_append(journal, step, text, size, fault);
}

/* Whether the journal has the step, and has it right; wrong bytes are a failed check. */
static bool holds(crux_journal *journal, uint64_t step)
{
	char text[256];
	crux_bytes bytes = {0};
	if (!crux_journal_has(journal, step))
		return false;
	CHECK(crux_journal_read(journal, step, &bytes, NULL));
	CHECK(bytes.size == text_of(step, text) && memcmp(bytes.data, text, bytes.size) == 0);
	crux_bytes_free(&bytes);
	return true;
}

/* Opens the journal, appends the steps that it lacks, and closes it; returns how many it had, or -1 when it was refused. */
static int complete(crux_fault *fault)
{
	int had = 0;
	crux_journal *journal = crux_journal_open(path, "test", fault);
	if (!journal)
		return -1;
	for (uint64_t step = 0; step < STEPS; step++) {
		bool const is_there = holds(journal, step);
		had += is_there;
		CHECK(is_there || append(journal, step, NULL));
	}
	CHECK(crux_journal_close(journal, NULL));
	return had;
}

static size_t read_all(char *out, size_t room)
{
	FILE *file = fopen(path, "rb");
	size_t const size = fread(out, 1, room, file);
	fclose(file);
	return size;
}

static void write_all(const char *data, size_t size)
{
	FILE *file = fopen(path, "wb");
	fwrite(data, 1, size, file);
	fclose(file);
}

static bool is_there(void)
{
	return access(path, F_OK) == 0;
}

/* The bytes of a complete journal. */
static size_t make_whole(char *whole, size_t room)
{
	remove(path);
	CHECK(complete(NULL) == 0);
	return read_all(whole, room);
}

static void goes_on(void)
{
	char whole[8192], again[8192];
	size_t const size = make_whole(whole, sizeof whole);
	CHECK(memcmp(whole, "crux journal 1, ", 16) == 0 && memchr(whole, '\n', 100) != NULL);
	CHECK(complete(NULL) == STEPS);
	CHECK(read_all(again, sizeof again) == size && memcmp(whole, again, size) == 0);

	remove(path); /* steps need not come in order, nor all of them */
	crux_journal *journal = crux_journal_open(path, "test", NULL);
	CHECK(append(journal, 9, NULL) && append(journal, 3, NULL));
	CHECK(!crux_journal_has(journal, 3));
	CHECK(crux_journal_close(journal, NULL));
	CHECK(complete(NULL) == 2 && complete(NULL) == STEPS);

	remove(path); /* the first line is one */
	journal = crux_journal_open(path, "a title\nof two lines", NULL);
	CHECK(append(journal, 0, NULL) && append(journal, 1, NULL) && crux_journal_close(journal, NULL));
	CHECK(complete(NULL) == 2);
}

static void made_and_unused(void)
{
	remove(path);
	CHECK(crux_journal_close(crux_journal_open(path, "test", NULL), NULL) && !is_there());
	write_all("", 0);
	CHECK(crux_journal_close(crux_journal_open(path, "test", NULL), NULL) && is_there());
	CHECK(complete(NULL) == 0 && complete(NULL) == STEPS);
	CHECK(crux_journal_close(NULL, NULL));
}

/* Cut off anywhere: what is whole is kept, and nothing else is there. */
static void cut_off(void)
{
	static const char begin[] = "crux journal 1, little-endian: ";
	char whole[8192];
	size_t const size = make_whole(whole, sizeof whole);
	int most = 0;
	for (size_t cut = 0; cut < size; cut++) {
		write_all(whole, cut);
		crux_fault fault = {""};
		int const had = complete(&fault);
		if (cut > 0 && cut < strlen(begin)) {
			CHECK(had == -1 && strcmp(fault.message, "found something else, expected a journal of crux, or no file yet") == 0);
			continue;
		}
		CHECK(had >= most && had < STEPS);
		most = had > most ? had : most;
		CHECK(complete(NULL) == STEPS);
	}
	CHECK(most == STEPS - 1);
}

/* A changed byte, or a stretch of zeros, as a power cut leaves them: the end is dropped, anything before is refused, and what
 * is refused is left as it is. */
static void damaged(void)
{
	char whole[8192], changed[8192], after[8192];
	size_t const size = make_whole(whole, sizeof whole);
	int refused = 0, dropped = 0;
	for (size_t at = 0; at < 2 * size; at++) {
		crux_fault fault = {""};
		size_t const from = at % size, n = at < size ? 1 : size - from;
		memcpy(changed, whole, size);
		memset(changed + from, at < size ? whole[from] ^ 0x41 : 0, n);
		write_all(changed, size);
		int const had = complete(&fault);
		refused += had < 0;
		dropped += had >= 0 && had < STEPS;
		if (had < 0) {
			CHECK(strstr(fault.message, "damaged at byte ") || strstr(fault.message, "found something else"));
			CHECK(read_all(after, sizeof after) == size && memcmp(changed, after, size) == 0);
		}
		CHECK(at < size || had >= 0 || from < 40);
	}
	CHECK(refused > 1000 && dropped > (int)size - 100);
}

/* Steps of other numbers, or records in a file of another's, are not taken for what they are not. */
static void refused(void)
{
	static const char *const texts[] = {"level,size\n1,2\n", "crux", "crux journal 2, little-endian: x\n", "\n"};
	char after[100];
	crux_fault fault;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		write_all(texts[i], strlen(texts[i]));
		CHECK(!crux_journal_open(path, "test", &fault));
		CHECK(strcmp(fault.message, "found something else, expected a journal of crux, or no file yet") == 0);
		CHECK(read_all(after, sizeof after) == strlen(texts[i]) && memcmp(after, texts[i], strlen(texts[i])) == 0);
	}
	remove(path);
	CHECK(mkdir(path, 0700) == 0 && !crux_journal_open(path, "test", &fault));
	CHECK(strcmp(fault.message, "Is a directory") == 0 && rmdir(path) == 0);
	CHECK(mkfifo(path, 0600) == 0 && !crux_journal_open(path, "test", &fault));
	CHECK(strcmp(fault.message, "found no plain file, expected one, or none yet") == 0 && remove(path) == 0);
	CHECK(!crux_journal_open("/proc/self/nowhere/journal", "test", &fault));
}

static void one_at_a_time(void)
{
	crux_fault fault;
	remove(path);
	crux_journal *journal = crux_journal_open(path, "test", NULL);
	CHECK(append(journal, 0, NULL));
	CHECK(!crux_journal_open(path, "test", &fault) && strcmp(fault.message, "another run uses this journal") == 0);
	CHECK(append(journal, 1, NULL) && crux_journal_close(journal, NULL));
	CHECK(complete(NULL) == 2);
}

/* No room at each size of the file: the step before it is kept, and the next goes on there when there is room. */
static void no_room(void)
{
	char whole[8192];
	size_t const size = make_whole(whole, sizeof whole);
	struct rlimit old, limit;
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	for (size_t room = 0; room < size; room += 23) {
		crux_fault fault = {""};
		uint64_t step = 0;
		remove(path);
		limit = (struct rlimit){room, old.rlim_max};
		setrlimit(RLIMIT_FSIZE, &limit);
		crux_journal *journal = crux_journal_open(path, "test", NULL);
		while (append(journal, step, &fault))
			step++;
		CHECK(step < STEPS && strcmp(fault.message, "File too large") == 0);
		CHECK(!append(journal, step, NULL));
		setrlimit(RLIMIT_FSIZE, &old);
		CHECK(append(journal, step, NULL) && crux_journal_close(journal, NULL));
		CHECK(complete(NULL) == (int)step + 1 && complete(NULL) == STEPS);
	}
}

/* From the XXH3 reference: XXH128("", seed 0). */
static void digests(void)
{
	char of_text[33], of_file[33], long_text[200000];
	crux_fault fault;
	crux_digest("", 0, of_text);
	CHECK(strcmp(of_text, "99aa06d3014798d86001c324468d497f") == 0);
	memset(long_text, 'x', sizeof long_text);
	write_all(long_text, sizeof long_text);
	crux_digest(long_text, sizeof long_text, of_text);
	CHECK(crux_digest_file(path, of_file, &fault) && strcmp(of_text, of_file) == 0);
	long_text[100000] = 'y';
	crux_digest(long_text, sizeof long_text, of_file);
	CHECK(strcmp(of_text, of_file) != 0);
	CHECK(!crux_digest_file("/", of_file, &fault) && strcmp(fault.message, "Is a directory") == 0);
	CHECK(!crux_digest_file("/nowhere", of_file, &fault) && strcmp(fault.message, "No such file or directory") == 0);
}

int main(void)
{
	const char *const folder = getenv("CRUX_TEST_FOLDER");
	snprintf(path, sizeof path, "%s/journal_test.%d", folder ? folder : "/tmp", (int)getpid());
	goes_on();
	made_and_unused();
	cut_off();
	damaged();
	refused();
	one_at_a_time();
	no_room();
	digests();
	remove(path);
	return check_summary();
}
