/* Move levels made at random, one after the other: boards in words, a xorshift generator, moves drawn one by one. */
#include <stdint.h>
#include <stdio.h>

#include "plain.h"

enum { MAX_BALLS = 5, BACKWARD_MOVES = 10000 };

static uint64_t draw(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return *random * UINT64_C(0x2545f4914f6cdd1d) >> 32;
}

static int below(uint64_t *random, int n) { return (int)(draw(random) * (uint64_t)n >> 32); }

typedef struct made_level {
	int side, colours;
	uint64_t rocks, goals[MAX_BALLS], balls[MAX_BALLS];
} made_level;

/* Goals and balls on them, then rocks with probability 0.3 where no goal is (thesis, section 4.3.1). */
static made_level place(uint64_t *random)
{
	int const side = 3 + below(random, 3), balls = 3 + below(random, 3), cells = side * side;
	made_level level = {.side = side, .colours = 1 + below(random, balls)};
	uint64_t taken = 0;
	for (int i = 0; i < balls; i++) {
		int const colour = i < level.colours ? i : below(random, level.colours);
		uint64_t cell;
		do
			cell = UINT64_C(1) << below(random, cells);
		while (taken & cell);
		taken |= cell;
		level.goals[colour] |= cell;
		level.balls[colour] |= cell;
	}
	for (int i = 0; i < cells; i++)
		if (!(taken >> i & 1) && below(random, 10) < 3)
			level.rocks |= UINT64_C(1) << i;
	return level;
}

typedef struct direction {
	int left, right;       /* places to shift by, one of them 0 */
	uint64_t inside, back; /* squares that do not leave the board when shifted, and when shifted back */
} direction;

static uint64_t forward(const direction *d, uint64_t board)
{
	return (board & d->inside) << d->left >> d->right;
}

static uint64_t backward(const direction *d, uint64_t board)
{
	return (board & d->back) << d->right >> d->left;
}

/* Some of the squares, each with probability 0.3. */
static uint64_t sample(uint64_t *random, uint64_t board)
{
	uint64_t chosen = 0;
	for (; board; board &= board - 1)
		if (draw(random) < UINT64_C(1288490189))
			chosen |= board & -board;
	return chosen;
}

static void move_back(made_level *level, uint64_t floor, const direction *d, uint64_t *random)
{
	uint64_t all = 0;
	for (int i = 0; i < level->colours; i++)
		all |= level->balls[i];
	uint64_t const may_move = all & forward(d, floor), may_stay = all & ~backward(d, floor & ~all);
	if (all & ~may_move & ~may_stay)
		return;
	uint64_t const stay = (may_stay & ~may_move) | sample(random, may_move & may_stay);
	if (backward(d, all & ~stay) & stay)
		return; /* two balls would be on one square */
	for (int i = 0; i < level->colours; i++)
		level->balls[i] = (level->balls[i] & stay) | backward(d, level->balls[i] & ~stay);
}

static void walk(made_level *level, uint64_t *random)
{
	int const side = level->side;
	uint64_t const full = (UINT64_C(1) << side * side) - 1, top = (UINT64_C(1) << side) - 1;
	uint64_t left = 0;
	for (int y = 0; y < side; y++)
		left |= UINT64_C(1) << y * side;
	uint64_t const bottom = top << side * (side - 1), right = left << (side - 1);
	direction const directions[] = {
		{0, side, full & ~top, full & ~bottom}, {0, 1, full & ~left, full & ~right},
		{side, 0, full & ~bottom, full & ~top}, {1, 0, full & ~right, full & ~left},
	};
	for (int i = 0; i < BACKWARD_MOVES; i++)
		move_back(level, full & ~level->rocks, &directions[below(random, 4)], random);
}

static void write_level(FILE *to, const made_level *level, int number)
{
	fprintf(to, "; made-%d\n", number);
	for (int i = 0; i < level->side * level->side; i++) {
		char token[3] = {level->rocks >> i & 1 ? '#' : ' ', ' ', '\0'}, *next = token;
		for (int colour = 0; colour < level->colours; colour++)
			if (level->balls[colour] >> i & 1)
				*next++ = (char)('a' + colour);
		for (int colour = 0; colour < level->colours; colour++)
			if (level->goals[colour] >> i & 1)
				*next++ = (char)('A' + colour);
		fprintf(to, "%s%c", token[0] == ' ' ? ". " : token, (i + 1) % level->side ? ' ' : '\n');
	}
	fputc('\n', to);
}

int plain_generator(lua_State *L)
{
	lua_Integer const count = luaL_checkinteger(L, 1);
	double const before = plain_seconds();
	FILE *const to = fopen(luaL_checkstring(L, 2), "w");
	if (!to)
		return luaL_error(L, "found no file to write to");
	uint64_t random = 1;
	for (int i = 0; i < count; i++) {
		made_level level = place(&random);
		walk(&level, &random);
		write_level(to, &level, i + 1);
	}
	fclose(to);
	lua_pushnumber(L, plain_seconds() - before);
	return 1;
}
