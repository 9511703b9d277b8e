/* Cells of rules as they are written: lists of pairs of a word and a name. Equal lists have one number. */
#ifndef CRUX_RULE_TEXT_H
#define CRUX_RULE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Words before a name. Others are the bits of a movement, or 0 for none. */
enum {
	CRUX_RULE_NO = 3,
	CRUX_RULE_RANDOM_DIRECTION = 5,
	CRUX_RULE_RANDOM = 18,
	CRUX_RULE_STATIONARY = 32,
	/* relative to the direction of the rule: >, <, ^, v; words for several directions */
	CRUX_RULE_FORWARD = 64,
	CRUX_RULE_BACKWARD,
	CRUX_RULE_LEFTWARD,
	CRUX_RULE_RIGHTWARD,
	CRUX_RULE_PARALLEL,
	CRUX_RULE_PERPENDICULAR,
	/* words for several absolute directions; "parallel" and "perpendicular" become those with two names */
	CRUX_RULE_HORIZONTAL,
	CRUX_RULE_VERTICAL,
	CRUX_RULE_MOVING,
	CRUX_RULE_ORTHOGONAL,
	CRUX_RULE_HORIZONTAL_PARALLEL,
	CRUX_RULE_HORIZONTAL_PERPENDICULAR,
	CRUX_RULE_VERTICAL_PARALLEL,
	CRUX_RULE_VERTICAL_PERPENDICULAR,
	CRUX_RULE_GAP, /* "...", alone in its cell; its name means nothing */
};

enum { CRUX_RULE_MAX_NAMES = 1 << 16 };

#define CRUX_RULE_NO_TEXT UINT32_MAX

/* A pair is word << 16 | name. */
typedef struct crux_rule_text {
	size_t count;
	const uint32_t *pairs;
} crux_rule_text;

typedef struct crux_rule_texts {
	uint32_t *pairs, *ends, *slots; /* ends: by text, in pairs; slots: hash table of numbers from 1 */
	size_t pair_count, pair_room, count, room, slot_count;
	bool is_short; /* memory */
} crux_rule_texts;

static inline unsigned crux_rule_word_of(uint32_t pair)
{
	return pair >> 16;
}

static inline size_t crux_rule_name_of(uint32_t pair)
{
	return pair & (CRUX_RULE_MAX_NAMES - 1);
}

/* Returns a text; its pairs are valid until the next push. */
static inline crux_rule_text crux_rule_texts_get(const crux_rule_texts *t, size_t number)
{
	size_t const start = number ? t->ends[number - 1] : 0;
	return (crux_rule_text){t->ends[number] - start, t->pairs + start};
}

/* Appends a pair to the text in work. */
void crux_rule_texts_push(crux_rule_texts *texts, unsigned word, size_t name);

/* Ends the text in work. Returns its number; 0 when memory is short. */
uint32_t crux_rule_texts_finish(crux_rule_texts *texts);

void crux_rule_texts_close(crux_rule_texts *texts);

/* Returns a hash of some numbers. */
uint64_t crux_rule_hash(const uint32_t *numbers, size_t count, uint64_t seed);

#endif
