/* Journals: append-only files of numbered steps, from which a run that was killed takes what it had done.
 *
 * A journal is a line for people, then records: a header of 32 bytes (a mark, a checksum, the number of the step, the
 * number of bytes that follow) and the bytes. What a crash left at the end, a record that is not whole, is dropped; a record
 * that is not whole before one that is, is damage, and nothing is dropped. One process at a time has a journal open.
 * Messages do not name the file. */
#ifndef CRUX_JOURNAL_H
#define CRUX_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "crux.h"

typedef struct crux_journal crux_journal;

/* Opens a journal, or makes one whose first line will end in the title. Returns NULL when it cannot be opened, something
 * else is there, another process has it open, or it is damaged; the file is then as it was. */
crux_journal *crux_journal_open(const char *path, const char *title, crux_fault *fault);

/* Whether the step was there when the journal was opened. Steps are asked for in ascending order. */
bool crux_journal_has(crux_journal *journal, uint64_t step);

/* Reads the step, which is there, in place of the bytes. */
bool crux_journal_read(crux_journal *journal, uint64_t step, crux_bytes *bytes, crux_fault *fault);

/* Appends a step. When it returns, it outlives the process; a power cut takes at most what was done in the second before it.
 * After a failure, which may be a full disk, the journal is as it was before. */
bool crux_journal_append(crux_journal *journal, uint64_t step, const char *data, size_t size, crux_fault *fault);

/* Ends with all steps on the disk, and frees the journal, also when it fails; one that was made and has no step is
 * removed. NULL is allowed. */
bool crux_journal_close(crux_journal *journal, crux_fault *fault);

/* A digest of 128 bits, in hexadecimal, of bytes or of what a file holds: no two that differ by chance have the same. */
void crux_digest(const char *data, size_t size, char digest[33]);
bool crux_digest_file(const char *path, char digest[33], crux_fault *fault);

#endif
