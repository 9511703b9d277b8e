/* Journals: append-only files of numbered steps, each with a checksum. */
#include "files/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/clock.h"
#include "base/fault.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ENDIAN "little"
#else
#define ENDIAN "big"
#endif

/* What the first line begins with; numbers in records are of the machine's kind. */
static const char first_words[] = "crux journal 1, " ENDIAN "-endian: ";

enum { LINE = 1024, BLOCK = 1 << 16 }; /* bytes: of the first line at most, and read at a time */

static const uint64_t MARK = 0x7065747378757263; /* "cruxstep" */
static const double PAUSE = 1;                   /* seconds between two writes to the disk itself */
static const double PATIENCE = 2;                /* seconds to wait for another process */

typedef struct record {
	uint64_t mark, checksum, step, size; /* the checksum is of the last two and the bytes that follow */
} record;

typedef struct place {
	uint64_t step, offset;
} place;

struct crux_journal {
	char *path;
	int file;
	bool is_new;     /* made by this process */
	bool is_torn;    /* something that is not whole stands behind the end */
	bool is_dirty;   /* something was written and is not yet on the disk itself */
	uint64_t end;    /* of the last whole record */
	uint64_t size;   /* of the file when it was opened */
	double synced;   /* when everything was on the disk itself last */
	place *places;   /* of the steps found there, in their order */
	size_t count, capacity, next;
	crux_bytes bytes; /* of a record */
	char line[LINE]; /* the first one, of a new journal */
};

typedef enum { WHOLE, BROKEN, FAILED } condition;

static bool fail(int error, crux_fault *fault)
{
	crux_fault_set(fault, "%s", strerror(error));
	return false;
}

/* Reads so many bytes, fewer at the end of the file; returns how many, or -1. */
static ssize_t read_at(const crux_journal *j, uint64_t offset, void *out, size_t n)
{
	size_t done = 0;
	while (done < n) {
		ssize_t const some = pread(j->file, (char *)out + done, n - done, (off_t)(offset + done));
		if (some < 0 && errno == EINTR)
			continue;
		if (some < 0)
			return -1;
		if (some == 0)
			break;
		done += (size_t)some;
	}
	return (ssize_t)done;
}

static uint64_t checksum_of(const record *header, const char *data)
{
	return XXH3_64bits_withSeed(data, header->size, XXH3_64bits(&header->step, 2 * sizeof header->step));
}

/* Reads the record at that offset into the journal's bytes. */
static condition read_record(crux_journal *j, uint64_t offset, record *header, crux_fault *fault)
{
	ssize_t n = read_at(j, offset, header, sizeof *header);
	if (n < 0)
		return fail(errno, fault), FAILED;
	uint64_t const rest = j->size - offset;
	if ((size_t)n < sizeof *header || header->mark != MARK || header->size > rest - sizeof *header)
		return BROKEN;
	j->bytes.size = 0;
	if (!crux_bytes_reserve(&j->bytes, header->size + 1))
		return fail(ENOMEM, fault), FAILED;
	n = read_at(j, offset + sizeof *header, j->bytes.data, header->size);
	if (n < 0)
		return fail(errno, fault), FAILED;
	if ((size_t)n < header->size || checksum_of(header, j->bytes.data) != header->checksum)
		return BROKEN;
	j->bytes.size = header->size;
	return WHOLE;
}

static bool add_place(crux_journal *j, uint64_t step, uint64_t offset, crux_fault *fault)
{
	if (j->count == j->capacity) {
		size_t const capacity = j->capacity ? 2 * j->capacity : 64;
		place *const places = realloc(j->places, capacity * sizeof *places);
		if (!places)
			return fail(ENOMEM, fault);
		j->places = places;
		j->capacity = capacity;
	}
	j->places[j->count++] = (place){step, offset};
	return true;
}

/* Whether a whole record begins behind that offset. */
static condition find_whole(crux_journal *j, uint64_t offset, crux_fault *fault)
{
	char block[BLOCK];
	record header;
	ssize_t n;
	while ((n = read_at(j, ++offset, block, sizeof block)) >= (ssize_t)sizeof header) {
		for (char const *at = block; (at = memmem(at, (size_t)(block + n - at), &MARK, sizeof MARK)); at++) {
			condition const found = read_record(j, offset + (uint64_t)(at - block), &header, fault);
			if (found != BROKEN)
				return found;
		}
		offset += (uint64_t)n - sizeof MARK;
	}
	return n < 0 ? (fail(errno, fault), FAILED) : BROKEN;
}

/* Where the records start: behind the first line; 0 when that is not whole. */
static bool read_line(crux_journal *j, crux_fault *fault)
{
	char line[LINE];
	ssize_t const n = read_at(j, 0, line, sizeof line);
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

/* Finds the whole records. */
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
		j->end = 0; /* a first line alone is written again */
	j->is_torn = j->end < j->size;
	if (j->count > 0)
		qsort(j->places, j->count, sizeof *j->places, by_step);
	return true;
}

/* Locks the file; waits a little for a process that has been killed and is not yet gone. */
static bool lock(const crux_journal *j, crux_fault *fault)
{
	struct timespec const pause = {.tv_nsec = 10000000};
	double const end = crux_clock_now() + PATIENCE;
	while (flock(j->file, LOCK_EX | LOCK_NB) != 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return fail(errno, fault);
		if (crux_clock_now() > end) {
			crux_fault_set(fault, "another run uses this journal");
			return false;
		}
		nanosleep(&pause, NULL);
	}
	return true;
}

/* Takes the file for this process alone. */
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
	if (!lock(j, fault))
		return false;
	if (fstat(j->file, &status) != 0)
		return fail(errno, fault);
	if (status.st_nlink == 0)
		return fail(ENOENT, fault); /* the process that made it has just removed it */
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

/* Writes all to the disk itself: of a new journal also that there is one. */
static bool sync_all(crux_journal *j, crux_fault *fault)
{
	if (fdatasync(j->file) != 0)
		return fail(errno, fault);
	j->is_dirty = false;
	j->synced = crux_clock_now();
	char path[PATH_MAX];
	if (!j->is_new || snprintf(path, sizeof path, "%s", j->path) >= (int)sizeof path)
		return true;
	j->is_new = false;
	int const folder = open(dirname(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder >= 0) { /* a folder that cannot be read is no reason to stop */
		fsync(folder);
		close(folder);
	}
	return true;
}

/* Writes the journal's bytes behind its end; what could be written of them is taken back when not all could. */
static bool write_bytes(crux_journal *j, crux_fault *fault)
{
	size_t done = 0;
	if (j->is_torn && ftruncate(j->file, (off_t)j->end) != 0)
		return fail(errno, fault);
	j->is_torn = false;
	while (done < j->bytes.size) {
		ssize_t const some = write(j->file, j->bytes.data + done, j->bytes.size - done);
		if (some < 0 && errno != EINTR) {
			int const error = errno;
			j->is_torn = ftruncate(j->file, (off_t)j->end) != 0;
			return fail(error, fault);
		}
		done += some > 0 ? (size_t)some : 0;
	}
	j->end += done;
	j->is_dirty = true;
	return true;
}

static void put(crux_bytes *bytes, const void *data, size_t size)
{
	if (size > 0)
		memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
}

bool crux_journal_append(crux_journal *j, uint64_t step, const char *data, size_t size, crux_fault *fault)
{
	record header = {.mark = MARK, .step = step, .size = size};
	size_t const line = j->end == 0 ? strlen(j->line) : 0;
	header.checksum = checksum_of(&header, data);
	j->bytes.size = 0;
	if (!crux_bytes_reserve(&j->bytes, line + sizeof header + size))
		return fail(ENOMEM, fault);
	put(&j->bytes, j->line, line);
	put(&j->bytes, &header, sizeof header);
	put(&j->bytes, data, size);
	return write_bytes(j, fault) && (crux_clock_now() - j->synced < PAUSE || sync_all(j, fault));
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

static void to_text(XXH128_hash_t hash, char digest[33])
{
	snprintf(digest, 33, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

void crux_digest(const char *data, size_t size, char digest[33])
{
	to_text(XXH3_128bits(data, size), digest);
}

static bool digest_stream(FILE *file, XXH3_state_t *state)
{
	char block[BLOCK];
	size_t n;
	XXH3_128bits_reset(state);
	while ((n = fread(block, 1, sizeof block, file)) > 0)
		XXH3_128bits_update(state, block, n);
	return !ferror(file);
}

bool crux_digest_file(const char *path, char digest[33], crux_fault *fault)
{
	FILE *file = fopen(path, "rb");
	XXH3_state_t *state = file ? XXH3_createState() : NULL;
	bool const done = state && digest_stream(file, state);
	if (done)
		to_text(XXH3_128bits_digest(state), digest);
	else
		fail(errno, fault);
	XXH3_freeState(state);
	if (file)
		fclose(file);
	return done;
}
