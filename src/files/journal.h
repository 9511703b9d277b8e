/* Journals: append-only files of numbered steps, which let a run go on after it was killed.
 *
 * A journal is a line of text, then records: a header of 32 bytes (a mark, a checksum, the number of the step, the number of
 * bytes that follow) and the bytes. An incomplete record at the end, which a crash leaves, is dropped. An incomplete record
 * before a complete one is damage: the journal is refused. One process at a time has a journal open. Messages do not name the
 * file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "crux.h"

typedef struct crux_journal crux_journal;

/* Opens a journal, or makes one whose first line ends in the title. Returns NULL and leaves the file unchanged if it cannot be
 * opened, is no journal, is damaged, or is open in another process. */
crux_journal *crux_journal_open(const char *path, const char *title, crux_fault *fault);

/* True if the step was there when the journal was opened. Ask for steps in ascending order. */
bool crux_journal_has(crux_journal *journal, uint64_t step);

/* Replaces the bytes by those of a step that crux_journal_has found. */
bool crux_journal_read(crux_journal *journal, uint64_t step, crux_bytes *bytes, crux_fault *fault);

/* Appends a step. Then it outlives the process; a power cut loses at most the steps of the second before it. A failure, such
 * as a full disk, leaves the journal unchanged. */
bool crux_journal_append(crux_journal *journal, uint64_t step, const char *data, size_t size, crux_fault *fault);

/* Writes all steps to the disk and frees the journal, also when it fails. Removes a new journal without steps. NULL does
 * nothing. */
bool crux_journal_close(crux_journal *journal, crux_fault *fault);
