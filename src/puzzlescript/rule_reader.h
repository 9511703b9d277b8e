/* Reads the words of a program of rules, one after the other. After a mistake all functions return 0 or NULL. */
#ifndef CRUX_RULE_READER_H
#define CRUX_RULE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct crux_rule_program;

typedef struct crux_rule_reader {
	const uint64_t *words, *end;
	struct crux_rule_program *program;
	bool is_wrong, is_short; /* is_wrong: a word is invalid; is_short: out of memory */
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
void *crux_rule_take_list(crux_rule_reader *r, size_t *count, size_t size);

#endif
