/* Journals: append-only files of numbered steps, each with a checksum; see journal.h. */
#include "files/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/block.h"
#include "base/clock.h"
#include "base/fault.h"
#include "files/file_lock.h"
#include "port/port.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ENDIAN "little"
#else
#define ENDIAN "big"
#endif

/* Beginning of the first line. Numbers in records have the byte order of the machine. */
static const char first_words[] = "crux journal 1, " ENDIAN "-endian: ";

enum { LINE = 1024, BLOCK = 1 << 16 }; /* bytes: the longest first line; a block that is read */

static const uint64_t MARK = 0x7065747378757263; /* "cruxstep" */
static const double PAUSE = 1;                   /* seconds between two writes to the disk */

typedef struct record {
	uint64_t mark, checksum, step, size; /* checksum of step, size and the bytes that follow */
} record;

typedef struct place {
	uint64_t step, offset;
} place;

struct crux_journal {
	char *path;
	int file;
	bool is_new;     /* made by this process */
	bool is_torn;    /* an incomplete record follows the end */
	bool is_dirty;   /* bytes were written that are not yet on the disk */
	uint64_t end;    /* of the last complete record */
	uint64_t size;   /* of the file when it was opened */
	double synced;   /* time of the last write to the disk */
	place *places;   /* of the steps in the file when it was opened, in ascending order of steps */
	size_t count, capacity, next;
	crux_bytes bytes; /* of a record */
	char line[LINE]; /* first line of a new journal */
};

typedef enum { WHOLE, BROKEN, FAILED } condition;

static bool fail(int error, crux_fault *fault)
{
	crux_fault_set(fault, "%s", strerror(error));
	return false;
}

static uint64_t checksum_of(const record *header, const char *data)
{
	return XXH3_64bits_withSeed(data, header->size, XXH3_64bits(&header->step, 2 * sizeof header->step));
}

/* Reads the record at that offset into the journal's bytes. */
static condition read_record(crux_journal *j, uint64_t offset, record *header, crux_fault *fault)
{
	ssize_t n = crux_bytes_read_at(j->file, offset, header, sizeof *header);
	if (n < 0)
		return fail(errno, fault), FAILED;
	uint64_t const rest = j->size - offset;
	if ((size_t)n < sizeof *header || header->mark != MARK || header->size > rest - sizeof *header)
		return BROKEN;
	j->bytes.size = 0;
	if (!crux_bytes_reserve(&j->bytes, header->size + 1))
		return fail(ENOMEM, fault), FAILED;
	n = crux_bytes_read_at(j->file, offset + sizeof *header, j->bytes.data, header->size);
	if (n < 0)
		return fail(errno, fault), FAILED;
	if ((size_t)n < header->size || checksum_of(header, j->bytes.data) != header->checksum)
		return BROKEN;
	j->bytes.size = header->size;
	return WHOLE;
}

static bool add_place(crux_journal *j, uint64_t step, uint64_t offset, crux_fault *fault)
{
	if (!crux_array_grow(CRUX_ARRAY(j->places, j->count + 1), &j->capacity))
		return fail(ENOMEM, fault);
	j->places[j->count++] = (place){step, offset};
	return true;
}

/* Looks for a complete record that begins after that offset. */
static condition find_whole(crux_journal *j, uint64_t offset, crux_fault *fault)
{
	char block[BLOCK];
	record header;
	ssize_t n;
	while ((n = crux_bytes_read_at(j->file, ++offset, block, sizeof block)) >= (ssize_t)sizeof header) {
		for (char const *at = block; (at = memmem(at, (size_t)(block + n - at), &MARK, sizeof MARK)); at++) {
			condition const found = read_record(j, offset + (uint64_t)(at - block), &header, fault);
			if (found != BROKEN)
				return found;
		}
		offset += (uint64_t)n - sizeof MARK;
	}
	return n < 0 ? (fail(errno, fault), FAILED) : BROKEN;
}

/* Reads the first line and sets `end` behind it; 0 if the line is incomplete. */
static bool read_line(crux_journal *j, crux_fault *fault)
{
	char line[LINE];
	ssize_t const n = crux_bytes_read_at(j->file, 0, line, sizeof line);
	if (n < 0)
		return fail(errno, fault);
	if ((size_t)n < sizeof first_words - 1 || memcmp(line, first_words, sizeof first_words - 1) != 0) {
		crux_fault_set(fault, "found something else, expected a journal of crux, or no file yet");
		return false;
	}
	char const *const break_at = memchr(line, '\n', (size_t)n);
	j->end = break_at ? (uint64_t)(break_at + 1 - line) : 0;
	return true;
}

static int by_step(const void *a, const void *b)
{
	uint64_t const one = ((const place *)a)->step, other = ((const place *)b)->step;
	return (one > other) - (one < other);
}

/* Finds the complete records. */
static bool scan(crux_journal *j, crux_fault *fault)
{
	record header;
	condition found = BROKEN;
	if (j->size == 0)
		return true;
	if (!read_line(j, fault))
		return false;
	while (j->end > 0 && j->end < j->size && (found = read_record(j, j->end, &header, fault)) == WHOLE) {
		if (!add_place(j, header.step, j->end, fault))
			return false;
		j->end += sizeof header + header.size;
	}
	if (j->end < j->size) {
		condition const behind = found == FAILED ? FAILED : find_whole(j, j->end, fault);
		if (behind == WHOLE)
			crux_fault_set(fault, "damaged at byte %llu, with whole records behind it; to begin anew, remove the file",
			               (unsigned long long)j->end);
		if (behind != BROKEN)
			return false;
	}
	if (j->count == 0)
		j->end = 0; /* a first line without records is written again */
	j->is_torn = j->end < j->size;
	if (j->count > 0)
		qsort(j->places, j->count, sizeof *j->places, by_step);
	return true;
}

/* Opens the file and locks it for this process. */
static bool take(crux_journal *j, crux_fault *fault)
{
	struct stat status;
	j->file = open(j->path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	j->is_new = j->file >= 0;
	if (j->file < 0 && errno == EEXIST)
		j->file = open(j->path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
	if (j->file < 0 || fstat(j->file, &status) != 0)
		return fail(errno, fault);
	if (!S_ISREG(status.st_mode)) {
		crux_fault_set(fault, "found no plain file, expected one, or none yet");
		return false;
	}
	if (!crux_file_lock(j->file)) {
		if (errno != EWOULDBLOCK)
			return fail(errno, fault);
		crux_fault_set(fault, "another run uses this journal");
		return false;
	}
	if (fstat(j->file, &status) != 0)
		return fail(errno, fault);
	if (status.st_nlink == 0)
		return fail(ENOENT, fault); /* the process that made the file has just removed it */
	j->size = (uint64_t)status.st_size;
	return true;
}

static void write_line(crux_journal *j, const char *title)
{
	snprintf(j->line, sizeof j->line - 1, "%s%s", first_words, title);
	for (char *at = j->line; *at; at++)
		if ((unsigned char)*at < ' ')
			*at = ' ';
	strcat(j->line, "\n");
}

crux_journal *crux_journal_open(const char *path, const char *title, crux_fault *fault)
{
	crux_journal *j = calloc(1, sizeof *j);
	if (j)
		j->path = strdup(path);
	if (!j || !j->path) {
		free(j);
		fail(ENOMEM, fault);
		return NULL;
	}
	j->file = -1;
	write_line(j, title);
	if (take(j, fault) && scan(j, fault))
		return j;
	crux_journal_close(j, NULL);
	return NULL;
}

bool crux_journal_has(crux_journal *j, uint64_t step)
{
	while (j->next < j->count && j->places[j->next].step < step)
		j->next++;
	return j->next < j->count && j->places[j->next].step == step;
}

bool crux_journal_read(crux_journal *j, uint64_t step, crux_bytes *bytes, crux_fault *fault)
{
	record header;
	condition const found = crux_journal_has(j, step) ? read_record(j, j->places[j->next].offset, &header, fault) : BROKEN;
	if (found == BROKEN)
		crux_fault_set(fault, "changed while it was in use");
	if (found != WHOLE)
		return false;
	crux_bytes const old = *bytes;
	*bytes = j->bytes;
	j->bytes = old;
	return true;
}

/* Writes the file to the disk, and the folder entry of a new one. */
static bool sync_all(crux_journal *j, crux_fault *fault)
{
	if (!crux_port_sync(j->file))
		return fail(errno, fault);
	j->is_dirty = false;
	j->synced = crux_clock_now();
	char path[PATH_MAX];
	if (!j->is_new || snprintf(path, sizeof path, "%s", j->path) >= (int)sizeof path)
		return true;
	j->is_new = false;
	int const folder = open(dirname(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder >= 0) { /* a folder that cannot be opened is no failure */
		fsync(folder);
		close(folder);
	}
	return true;
}

/* Writes the journal's bytes at its end. */
static bool write_bytes(crux_journal *j, crux_fault *fault)
{
	if (j->is_torn && ftruncate(j->file, (off_t)j->end) != 0)
		return fail(errno, fault);
	j->is_torn = true; /* until all bytes are written */
	if (!crux_bytes_write(j->file, j->bytes.data, j->bytes.size))
		return fail(errno, fault);
	j->end += j->bytes.size;
	j->is_torn = false;
	j->is_dirty = true;
	return true;
}

bool crux_journal_append(crux_journal *j, uint64_t step, const char *data, size_t size, crux_fault *fault)
{
	record header = {.mark = MARK, .step = step, .size = size};
	uint64_t const end = j->end;
	header.checksum = checksum_of(&header, data);
	j->bytes.size = 0;
	if (!crux_bytes_append(&j->bytes, j->line, end == 0 ? strlen(j->line) : 0) ||
	    !crux_bytes_append(&j->bytes, &header, sizeof header) || !crux_bytes_append(&j->bytes, data, size))
		return fail(ENOMEM, fault);
	if (write_bytes(j, fault) && (crux_clock_now() - j->synced < PAUSE || sync_all(j, fault)))
		return true;
	j->end = end;
	j->is_torn = ftruncate(j->file, (off_t)end) != 0;
	return false;
}

bool crux_journal_close(crux_journal *j, crux_fault *fault)
{
	if (!j)
		return true;
	bool const done = !j->is_dirty || sync_all(j, fault);
	if (j->is_new && j->end == 0)
		unlink(j->path);
	if (j->file >= 0)
		close(j->file);
	crux_bytes_free(&j->bytes);
	free(j->places);
	free(j->path);
	free(j);
	return done;
}
