/* Cells of rewrites as they are written: lists of pairs of a word and a name. Equal lists have one number. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Words before a name. Others are the bits of a movement, or 0 for none. */
enum {
	CRUX_REWRITE_NO = 3,
	CRUX_REWRITE_RANDOM_DIRECTION = 5,
	CRUX_REWRITE_RANDOM = 18,
	CRUX_REWRITE_STATIONARY = 32,
	/* relative to the direction of the rewrite: >, <, ^, v; words for several directions */
	CRUX_REWRITE_FORWARD = 64,
	CRUX_REWRITE_BACKWARD,
	CRUX_REWRITE_LEFTWARD,
	CRUX_REWRITE_RIGHTWARD,
	CRUX_REWRITE_PARALLEL,
	CRUX_REWRITE_PERPENDICULAR,
	/* words for several absolute directions; "parallel" and "perpendicular" become those with two names */
	CRUX_REWRITE_HORIZONTAL,
	CRUX_REWRITE_VERTICAL,
	CRUX_REWRITE_MOVING,
	CRUX_REWRITE_ORTHOGONAL,
	CRUX_REWRITE_HORIZONTAL_PARALLEL,
	CRUX_REWRITE_HORIZONTAL_PERPENDICULAR,
	CRUX_REWRITE_VERTICAL_PARALLEL,
	CRUX_REWRITE_VERTICAL_PERPENDICULAR,
	CRUX_REWRITE_GAP, /* "...", alone in its cell; its name means nothing */
};

enum { CRUX_REWRITE_MAX_NAMES = 1 << 16 };

#define CRUX_REWRITE_NO_TEXT UINT32_MAX

/* A pair is word << 16 | name. */
typedef struct crux_rewrite_text {
	size_t count;
	const uint32_t *pairs;
} crux_rewrite_text;

typedef struct crux_rewrite_texts {
	uint32_t *pairs, *ends, *slots; /* ends: by text, in pairs; slots: hash table of numbers from 1 */
	size_t pair_count, pair_room, count, room, slot_count;
	bool is_short; /* memory */
} crux_rewrite_texts;

static inline unsigned crux_rewrite_word_of(uint32_t pair) { return pair >> 16; }

static inline size_t crux_rewrite_name_of(uint32_t pair)
{
	return pair & (CRUX_REWRITE_MAX_NAMES - 1);
}

/* Returns a text; its pairs are valid until the next push. */
static inline crux_rewrite_text crux_rewrite_texts_get(const crux_rewrite_texts *t, size_t number)
{
	size_t const start = number ? t->ends[number - 1] : 0;
	return (crux_rewrite_text){t->ends[number] - start, t->pairs + start};
}

/* Appends a pair to the text in work. */
void crux_rewrite_texts_push(crux_rewrite_texts *texts, unsigned word, size_t name);

/* Ends the text in work. Returns its number; 0 when memory is short. */
uint32_t crux_rewrite_texts_finish(crux_rewrite_texts *texts);

void crux_rewrite_texts_close(crux_rewrite_texts *texts);

/* Returns a hash of some numbers. */
uint64_t crux_rewrite_hash(const uint32_t *numbers, size_t count, uint64_t seed);
