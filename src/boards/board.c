/* Rectangular grids of bits. */
#include "boards/board.h"

#include <assert.h>
#include <string.h>

/* The cells in the last word of a board. */
static uint64_t last_word(crux_board_shape shape)
{
	unsigned const unused = 64u * shape.words - shape.cells;
	assert(crux_board_is_shape(shape) && unused < 64);
	return UINT64_MAX >> unused;
}

/* Sets each out[i] to an expression of a[i] and b[i]. */
#define CASE(operator, expression)                 \
	case operator:                                 \
		for (size_t i = 0; i < shape.words; i++)   \
			out[i] = (expression);                 \
		break;

void crux_board_combine(crux_board_operator op, crux_board_shape shape, const uint64_t *a, const uint64_t *b,
                        uint64_t *out)
{
	switch (op) {
		CASE(CRUX_BOARD_AND, a[i] & b[i])
		CASE(CRUX_BOARD_OR, a[i] | b[i])
		CASE(CRUX_BOARD_XOR, a[i] ^ b[i])
		CASE(CRUX_BOARD_MINUS, a[i] & ~b[i])
	}
}

uint64_t crux_board_full_word(crux_board_shape shape, size_t word)
{
	return word + 1 < shape.words ? UINT64_MAX : last_word(shape);
}

void crux_board_complement(crux_board_shape shape, const uint64_t *a, uint64_t *out)
{
	for (size_t i = 0; i < shape.words; i++)
		out[i] = ~a[i];
	out[shape.words - 1] &= last_word(shape);
}

bool crux_board_equal(crux_board_shape shape, const uint64_t *a, const uint64_t *b)
{
	return memcmp(a, b, shape.words * sizeof *a) == 0;
}

bool crux_board_any(crux_board_shape shape, const uint64_t *a)
{
	uint64_t all = 0;
	for (size_t i = 0; i < shape.words; i++)
		all |= a[i];
	return all != 0;
}

unsigned crux_board_count(crux_board_shape shape, const uint64_t *a)
{
	unsigned count = 0;
	for (size_t i = 0; i < shape.words; i++)
		count += (unsigned)__builtin_popcountll(a[i]);
	return count;
}

int crux_board_next(crux_board_shape shape, const uint64_t *a, unsigned from)
{
	if (from >= shape.cells)
		return -1;
	size_t i = from / 64;
	uint64_t word = a[i] & UINT64_MAX << from % 64;
	while (word == 0) {
		if (++i == shape.words)
			return -1;
		word = a[i];
	}
	return (int)(64 * i) + __builtin_ctzll(word);
}

/* Moves every bit to a later place; goes down the words, so that `out` may be `a`. */
static void to_later(size_t words, const uint64_t *a, unsigned by, uint64_t *out)
{
	size_t const skip = by / 64;
	unsigned const bits = by % 64;
	for (size_t i = words; i-- > 0;) {
		uint64_t const here = i >= skip ? a[i - skip] << bits : 0;
		out[i] = bits && i > skip ? here | a[i - skip - 1] >> (64 - bits) : here;
	}
}

static void to_earlier(size_t words, const uint64_t *a, unsigned by, uint64_t *out)
{
	size_t const skip = by / 64;
	unsigned const bits = by % 64;
	for (size_t i = 0; i < words; i++) {
		uint64_t const here = i + skip < words ? a[i + skip] >> bits : 0;
		out[i] = bits && i + skip + 1 < words ? here | a[i + skip + 1] << (64 - bits) : here;
	}
}

/* The lowest n bits, up to all 64. */
static uint64_t low_bits(unsigned n) { return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX; }

/* The cells of columns in [first, end). */
static void columns(crux_board_shape shape, unsigned first, unsigned end, uint64_t *out)
{
	assert(crux_board_is_shape(shape) && first <= end && end <= shape.width);
	uint64_t const row = low_bits(end) & ~low_bits(first);
	memset(out, 0, shape.words * sizeof *out);
	for (unsigned y = 0; y < shape.height; y++) {
		unsigned const at = y * shape.width, bit = at % 64;
		out[at / 64] |= row << bit;
		if (bit + shape.width > 64)
			out[at / 64 + 1] |= row >> (64 - bit);
	}
}

/* Shifts every cell `by` columns or rows, back when negative, without wrap; |by| is at most the width or height. */
static void move(crux_board_shape shape, const uint64_t *a, bool horizontal, int by, uint64_t *out)
{
	assert(crux_board_is_shape(shape));
	unsigned const distance = (unsigned)(by < 0 ? -by : by) * (horizontal ? 1 : shape.width);
	if (by < 0)
		to_earlier(shape.words, a, distance, out);
	else
		to_later(shape.words, a, distance, out);
	out[shape.words - 1] &= last_word(shape);
	if (horizontal) { /* removes cells that moved into another row */
		uint64_t mask[CRUX_BOARD_WORDS];
		columns(shape, by > 0 ? (unsigned)by : 0, (unsigned)(by > 0 ? shape.width : shape.width + by), mask);
		crux_board_combine(CRUX_BOARD_AND, shape, out, mask, out);
	}
}

void crux_board_shift(crux_board_shape shape, const uint64_t *a, crux_board_direction direction, int64_t n, bool wrap,
                      uint64_t *out)
{
	bool const horizontal = direction == CRUX_BOARD_LEFT || direction == CRUX_BOARD_RIGHT;
	bool const back = direction == CRUX_BOARD_UP || direction == CRUX_BOARD_LEFT;
	int const size = horizontal ? shape.width : shape.height;
	int const steps = (int)(wrap ? n % size : n < -size ? -size : n > size ? size : n);
	int const by = back ? -steps : steps;
	if (wrap) {
		uint64_t wrapped[CRUX_BOARD_WORDS];
		move(shape, a, horizontal, by > 0 ? by - size : by + size, wrapped);
		move(shape, a, horizontal, by, out);
		crux_board_combine(CRUX_BOARD_OR, shape, out, wrapped, out);
	} else {
		move(shape, a, horizontal, by, out);
	}
}

/* The cells to which a step to the right, and one to the left, can lead. */
typedef struct landing {
	uint64_t right[CRUX_BOARD_WORDS], left[CRUX_BOARD_WORDS];
} landing;

static void find_landing(crux_board_shape shape, landing *out)
{
	columns(shape, 1, shape.width, out->right);
	columns(shape, 0, shape.width - 1u, out->left);
}

/* The four shifts in one pass; out is another board. */
static void spread(crux_board_shape shape, const landing *on, const uint64_t *a, uint64_t *restrict out)
{
	assert(crux_board_is_shape(shape));
	unsigned const width = shape.width;
	uint64_t before = 0;
	for (size_t i = 0; i < shape.words; i++) {
		uint64_t const here = a[i], after = i + 1u < shape.words ? a[i + 1] : 0;
		uint64_t const right = (here << 1 | before >> 63) & on->right[i];
		uint64_t const left = (here >> 1 | after << 63) & on->left[i];
		uint64_t const down = here << (width - 1) << 1 | before >> (64 - width); /* a word cannot be shifted by 64 */
		uint64_t const up = here >> (width - 1) >> 1 | after << (64 - width);
		out[i] = right | left | down | up;
		before = here;
	}
	out[shape.words - 1] &= last_word(shape);
}

void crux_board_neighbours(crux_board_shape shape, const uint64_t *a, uint64_t *out)
{
	landing on;
	uint64_t result[CRUX_BOARD_WORDS];
	find_landing(shape, &on);
	spread(shape, &on, a, result);
	memcpy(out, result, shape.words * sizeof *out);
}

/* Moves the neighbours of the front from rest to the front, replacing it. */
static void advance(crux_board_shape shape, const landing *on, uint64_t *front, uint64_t *rest)
{
	uint64_t beside[CRUX_BOARD_WORDS];
	spread(shape, on, front, beside);
	crux_board_combine(CRUX_BOARD_AND, shape, beside, rest, front);
	crux_board_combine(CRUX_BOARD_MINUS, shape, rest, front, rest);
}

void crux_board_flood(crux_board_shape shape, const uint64_t *a, const uint64_t *mask, uint64_t *out)
{
	landing on;
	uint64_t front[CRUX_BOARD_WORDS], rest[CRUX_BOARD_WORDS];
	find_landing(shape, &on);
	crux_board_combine(CRUX_BOARD_AND, shape, mask, a, front);
	crux_board_combine(CRUX_BOARD_MINUS, shape, mask, a, rest);
	while (crux_board_any(shape, front))
		advance(shape, &on, front, rest);
	crux_board_combine(CRUX_BOARD_MINUS, shape, mask, rest, out);
}

void crux_board_blocked(crux_board_shape shape, const uint64_t *walls, const uint64_t *dead, bool across, uint64_t *out)
{
	crux_board_direction const sides[] = {across ? CRUX_BOARD_LEFT : CRUX_BOARD_UP, across ? CRUX_BOARD_RIGHT : CRUX_BOARD_DOWN};
	uint64_t free[CRUX_BOARD_WORDS], both[CRUX_BOARD_WORDS], alive[CRUX_BOARD_WORDS], either[CRUX_BOARD_WORDS] = {0};
	crux_board_complement(shape, either, both);
	for (int i = 0; i < 2; i++) {
		crux_board_complement(shape, walls, free);
		crux_board_combine(CRUX_BOARD_MINUS, shape, free, dead, alive);
		crux_board_shift(shape, free, sides[i], 1, false, free);
		crux_board_shift(shape, alive, sides[i], 1, false, alive);
		crux_board_combine(CRUX_BOARD_AND, shape, both, free, both);
		crux_board_combine(CRUX_BOARD_OR, shape, either, alive, either);
	}
	crux_board_combine(CRUX_BOARD_AND, shape, both, either, free);
	crux_board_complement(shape, free, out);
}

void crux_board_frozen(crux_board_shape shape, const uint64_t *boxes, const uint64_t *across, const uint64_t *down,
                       uint64_t *out)
{
	uint64_t frozen[CRUX_BOARD_WORDS], kept[CRUX_BOARD_WORDS], near[CRUX_BOARD_WORDS], far[CRUX_BOARD_WORDS];
	memcpy(kept, boxes, shape.words * sizeof *kept);
	do {
		memcpy(frozen, kept, shape.words * sizeof *frozen);
		for (int is_across = 0; is_across <= 1; is_across++) {
			crux_board_shift(shape, frozen, is_across ? CRUX_BOARD_LEFT : CRUX_BOARD_UP, 1, false, near);
			crux_board_shift(shape, frozen, is_across ? CRUX_BOARD_RIGHT : CRUX_BOARD_DOWN, 1, false, far);
			for (size_t i = 0; i < shape.words; i++)
				kept[i] &= near[i] | far[i] | (is_across ? across : down)[i];
		}
	} while (!crux_board_equal(shape, kept, frozen));
	memcpy(out, frozen, shape.words * sizeof *out);
}

/* Removes from `inside` the boxes that a man outside can push out of it, now or later, or into it from squares that he cannot reach
 * now; and free squares beside squares outside. */
static void shrink_corral(crux_board_shape shape, const uint64_t *boxes, const uint64_t *reach, const uint64_t *walls,
                          const uint64_t *dead, uint64_t *inside)
{
	uint64_t outside[CRUX_BOARD_WORDS], later[CRUX_BOARD_WORDS], out[CRUX_BOARD_WORDS], in[CRUX_BOARD_WORDS];
	uint64_t open[CRUX_BOARD_WORDS], from[CRUX_BOARD_WORDS], to[CRUX_BOARD_WORDS];
	for (size_t i = 0; i < shape.words; i++) {
		outside[i] = crux_board_full_word(shape, i) & ~(walls[i] | inside[i]);
		later[i] = outside[i] & ~reach[i];
		out[i] = outside[i] & ~dead[i];
		in[i] = inside[i] & ~(boxes[i] | dead[i]);
	}
	crux_board_neighbours(shape, outside, open);
	crux_board_combine(CRUX_BOARD_MINUS, shape, open, boxes, open);
	for (crux_board_direction direction = CRUX_BOARD_UP; direction <= CRUX_BOARD_RIGHT; direction++)
		for (int is_in = 0; is_in <= 1; is_in++) {
			crux_board_shift(shape, is_in ? later : outside, direction, 1, false, from);
			crux_board_shift(shape, is_in ? in : out, direction, -1, false, to);
			for (size_t i = 0; i < shape.words; i++)
				open[i] |= boxes[i] & from[i] & to[i];
		}
	crux_board_combine(CRUX_BOARD_MINUS, shape, inside, open, inside);
}

void crux_board_corral(crux_board_shape shape, const uint64_t *boxes, const uint64_t *reach, const uint64_t *walls,
                       const uint64_t *dead, const uint64_t *goals, uint64_t *out)
{
	uint64_t inside[CRUX_BOARD_WORDS], before[CRUX_BOARD_WORDS], needed[CRUX_BOARD_WORDS], first[CRUX_BOARD_WORDS] = {0};
	crux_board_combine(CRUX_BOARD_OR, shape, walls, reach, inside);
	crux_board_complement(shape, inside, inside);
	do {
		memcpy(before, inside, shape.words * sizeof *before);
		shrink_corral(shape, boxes, reach, walls, dead, inside);
	} while (!crux_board_equal(shape, inside, before));
	crux_board_combine(CRUX_BOARD_XOR, shape, boxes, goals, needed);
	crux_board_combine(CRUX_BOARD_AND, shape, needed, inside, needed);
	int const cell = crux_board_next(shape, needed, 0);
	memcpy(out, boxes, shape.words * sizeof *out);
	if (cell < 0)
		return;
	crux_board_add(first, (unsigned)cell);
	crux_board_flood(shape, first, inside, first);
	crux_board_combine(CRUX_BOARD_AND, shape, out, first, out);
}

bool crux_board_component(crux_board_shape shape, uint64_t *rest, uint64_t *out)
{
	int const first = crux_board_next(shape, rest, 0);
	if (first < 0)
		return false;
	memset(out, 0, shape.words * sizeof *out);
	crux_board_add(out, (unsigned)first);
	crux_board_flood(shape, out, rest, out);
	crux_board_combine(CRUX_BOARD_MINUS, shape, rest, out, rest);
	return true;
}

void crux_board_distances(crux_board_shape shape, const uint64_t *a, const uint64_t *mask, int16_t *out)
{
	landing on;
	uint64_t front[CRUX_BOARD_WORDS], rest[CRUX_BOARD_WORDS];
	find_landing(shape, &on);
	crux_board_combine(CRUX_BOARD_AND, shape, mask, a, front);
	crux_board_combine(CRUX_BOARD_MINUS, shape, mask, a, rest);
	for (unsigned cell = 0; cell < shape.cells; cell++)
		out[cell] = -1;
	for (int16_t steps = 0; crux_board_any(shape, front); steps++) {
		CRUX_BOARD_EACH(cell, shape, front)
			out[cell] = steps;
		advance(shape, &on, front, rest);
	}
}

bool crux_board_bounds(crux_board_shape shape, const uint64_t *a, crux_board_box *out)
{
	int const first = crux_board_next(shape, a, 0);
	if (first < 0)
		return false;
	unsigned const first_row = (unsigned)first / shape.width;
	crux_board_box box = {shape.width, first_row, 0, first_row};
	CRUX_BOARD_EACH(cell, shape, a) {
		unsigned const x = (unsigned)cell % shape.width;
		box.left = x < box.left ? x : box.left;
		box.right = x > box.right ? x : box.right;
		box.bottom = (unsigned)cell / shape.width;
	}
	*out = box;
	return true;
}
