/* journal.c: steps outlive the process; a damaged file gives the steps that were put there, or a message. */
#include "files/journal.h"

#include <errno.h>
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

/* Makes the text of a step from its number: 0 to some hundred bytes. */
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

/* True if the journal has the step; wrong bytes are a failed check. */
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

/* Opens the journal, appends the steps that it lacks, and closes it; returns the number that it had, or -1 if it was refused. */
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

static bool is_there(void) { return access(path, F_OK) == 0; }

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

/* A file that is cut off anywhere has its complete steps, and no others. */
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

/* The disk is full at each size of the file: earlier steps stay, and later ones follow when there is room. */
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

static bool is_disk_broken;

/* Replaces the function of the C library in this program. */
int fdatasync(int file)
{
	if (!is_disk_broken)
		return fsync(file);
	errno = EIO;
	return -1;
}

/* fdatasync fails: the step that was appended is not in the journal, as the caller was told. */
static void broken_disk(void)
{
	char before[8192], after[8192];
	crux_fault fault = {""};
	is_disk_broken = true;
	remove(path);
	crux_journal *journal = crux_journal_open(path, "test", NULL);
	CHECK(!append(journal, 0, &fault) && strcmp(fault.message, "Input/output error") == 0);
	CHECK(read_all(after, sizeof after) == 0);
	CHECK(!crux_journal_close(journal, NULL) && !is_there());
	is_disk_broken = false;
	size_t const size = make_whole(before, sizeof before);
	journal = crux_journal_open(path, "test", NULL);
	is_disk_broken = true;
	CHECK(!append(journal, STEPS, NULL)); /* the first step of a process goes to the disk at once */
	CHECK(read_all(after, sizeof after) == size && memcmp(before, after, size) == 0);
	is_disk_broken = false;
	CHECK(append(journal, STEPS, NULL) && crux_journal_close(journal, NULL));
	journal = crux_journal_open(path, "test", NULL);
	CHECK(holds(journal, STEPS) && crux_journal_close(journal, NULL));
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
	broken_disk();
	remove(path);
	return check_summary();
}
