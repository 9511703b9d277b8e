/* Reads the words of a program of rewrites, one after the other. After a mistake all functions return 0 or NULL. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "puzzlescript/rewrite_text.h"

struct crux_rewrite_program;

/* Mistakes in lines, with the names that they are about. */
typedef enum {
	CRUX_REWRITE_FINE,
	CRUX_REWRITE_UNCLEAR_MOVEMENT, /* name: the word on the right */
	CRUX_REWRITE_UNCLEAR_PROPERTY, /* name: that on the right */
	CRUX_REWRITE_OVERLAP,          /* names on the right that exclude each other */
	CRUX_REWRITE_CULLED,           /* all rewrites require two names that exclude each other */
	CRUX_REWRITE_NEVER,            /* all rewrites require an object, the name, and its absence */
	CRUX_REWRITE_TOO_MANY,         /* the line stands for too many rewrites */
} crux_rewrite_mistake_kind;

typedef struct crux_rewrite_mistake {
	crux_rewrite_mistake_kind kind;
	size_t line, name, other;
} crux_rewrite_mistake;

typedef struct crux_rewrite_reader {
	const uint64_t *words, *end;
	struct crux_rewrite_program *program;
	bool is_wrong, is_short; /* is_wrong: a word is invalid; is_short: out of memory */
	crux_rewrite_texts texts;
	size_t written_count;
	uint32_t *written;            /* the texts of the game, by number */
	uint64_t *cell_keys;          /* by cell of the program */
	uint32_t *cell_slots;         /* hash table of the numbers of these cells, from 1 */
	size_t cell_room, cell_slot_count;
	crux_rewrite_mistake mistake; /* of the line with the smallest number */
} crux_rewrite_reader;

static inline bool crux_rewrite_is_well(const crux_rewrite_reader *r)
{
	return !r->is_wrong && !r->is_short;
}

/* Returns the next word, which must be at most `max`. */
static inline uint64_t crux_rewrite_take(crux_rewrite_reader *r, uint64_t max)
{
	if (!crux_rewrite_is_well(r) || r->words == r->end || *r->words > max) {
		r->is_wrong = true;
		return 0;
	}
	return *r->words++;
}

/* Returns the next `count` words. */
static inline const uint64_t *crux_rewrite_take_words(crux_rewrite_reader *r, size_t count)
{
	if (!crux_rewrite_is_well(r) || (size_t)(r->end - r->words) < count) {
		r->is_wrong = true;
		return NULL;
	}
	const uint64_t *const result = r->words;
	r->words += count;
	return result;
}

/* Returns the length of a list whose elements have at least one word each. */
static inline size_t crux_rewrite_take_length(crux_rewrite_reader *r)
{
	return crux_rewrite_take(r, (uint64_t)(r->end - r->words));
}

/* Reads the length of a list and allocates that many zeroed elements of `size` bytes. */
static inline void *crux_rewrite_take_list(crux_rewrite_reader *r, size_t *count, size_t size)
{
	size_t const n = crux_rewrite_take_length(r);
	*count = 0;
	if (!crux_rewrite_is_well(r))
		return NULL;
	void *const list = calloc(n ? n : 1, size);
	r->is_short = !list;
	*count = list ? n : 0;
	return list;
}
