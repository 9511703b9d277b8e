/* Reads the words of a program of rules, one after the other. After a mistake all functions return 0 or NULL. */
#ifndef CRUX_RULE_READER_H
#define CRUX_RULE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "puzzlescript/rule_text.h"

struct crux_rule_program;

/* Mistakes in lines, with the names that they are about. */
typedef enum {
	CRUX_RULE_FINE,
	CRUX_RULE_UNCLEAR_MOVEMENT, /* name: the word on the right */
	CRUX_RULE_UNCLEAR_PROPERTY, /* name: that on the right */
	CRUX_RULE_OVERLAP,          /* names on the right that exclude each other */
	CRUX_RULE_CULLED,           /* all rules require two names that exclude each other */
	CRUX_RULE_TOO_MANY,         /* the line stands for too many rules */
} crux_rule_mistake_kind;

typedef struct crux_rule_mistake {
	crux_rule_mistake_kind kind;
	size_t line, name, other;
} crux_rule_mistake;

typedef struct crux_rule_reader {
	const uint64_t *words, *end;
	struct crux_rule_program *program;
	bool is_wrong, is_short; /* is_wrong: a word is invalid; is_short: out of memory */
	crux_rule_texts texts;
	size_t written_count;
	uint32_t *written;         /* the texts of the game, by number */
	uint64_t *cell_keys;       /* by cell of the program */
	uint32_t *cell_slots;      /* hash table of the numbers of these cells, from 1 */
	size_t cell_room, cell_slot_count;
	crux_rule_mistake mistake; /* of the line with the smallest number */
} crux_rule_reader;

static inline bool crux_rule_is_well(const crux_rule_reader *r)
{
	return !r->is_wrong && !r->is_short;
}

/* Returns the next word, which must be at most `max`. */
static inline uint64_t crux_rule_take(crux_rule_reader *r, uint64_t max)
{
	if (!crux_rule_is_well(r) || r->words == r->end || *r->words > max) {
		r->is_wrong = true;
		return 0;
	}
	return *r->words++;
}

/* Returns the next `count` words. */
static inline const uint64_t *crux_rule_take_words(crux_rule_reader *r, size_t count)
{
	if (!crux_rule_is_well(r) || (size_t)(r->end - r->words) < count) {
		r->is_wrong = true;
		return NULL;
	}
	const uint64_t *const result = r->words;
	r->words += count;
	return result;
}

/* Returns the length of a list whose elements have at least one word each. */
static inline size_t crux_rule_take_length(crux_rule_reader *r)
{
	return crux_rule_take(r, (uint64_t)(r->end - r->words));
}

/* Reads the length of a list and allocates that many zeroed elements of `size` bytes. */
static inline void *crux_rule_take_list(crux_rule_reader *r, size_t *count, size_t size)
{
	size_t const n = crux_rule_take_length(r);
	*count = 0;
	if (!crux_rule_is_well(r))
		return NULL;
	void *const list = calloc(n ? n : 1, size);
	r->is_short = !list;
	*count = list ? n : 0;
	return list;
}

#endif
