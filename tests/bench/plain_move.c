/* Move, searched breadth-first: one state at a time, packed keys, a hash table with open addressing. */
#include "plain.h"
#include "plain_set.h"

enum { MAX_COLOURS = 8, MAX_WORDS = 8 };

typedef struct move_level {
	int width, height, colours, cells;
	uint64_t rocks, goals[MAX_COLOURS];
	uint64_t full, left, right, top, bottom;
} move_level;

static uint64_t shifted(const move_level *level, uint64_t board, int direction)
{
	switch (direction) {
	case 0:
		return board >> level->width;
	case 1:
		return (board & ~level->left) >> 1;
	case 2:
		return (board & ~level->bottom) << level->width;
	default:
		return (board & ~level->right) << 1;
	}
}

static void step(const move_level *level, const uint64_t *balls, int direction, uint64_t *after)
{
	static const int back[] = {2, 3, 0, 1};
	uint64_t all = 0;
	for (int i = 0; i < level->colours; i++)
		all |= balls[i];
	uint64_t const edge = level->full & ~shifted(level, level->full, back[direction]);
	uint64_t stuck = all & (edge | shifted(level, level->rocks, back[direction])), more = stuck;
	while (more) {
		more = all & ~stuck & shifted(level, more, back[direction]);
		stuck |= more;
	}
	for (int i = 0; i < level->colours; i++)
		after[i] = (balls[i] & stuck) | shifted(level, balls[i] & ~stuck, direction);
}

static void pack(const move_level *level, const uint64_t *balls, uint64_t *key, size_t words)
{
	memset(key, 0, words * sizeof *key);
	for (int i = 0; i < level->colours; i++) {
		int const place = i * level->cells, shift = place % 64;
		key[place / 64] |= balls[i] << shift;
		if (shift + level->cells > 64)
			key[place / 64 + 1] |= balls[i] >> (64 - shift);
	}
}

static void unpack(const move_level *level, const uint64_t *key, uint64_t *balls)
{
	for (int i = 0; i < level->colours; i++) {
		int const place = i * level->cells, shift = place % 64;
		balls[i] = key[place / 64] >> shift;
		if (shift + level->cells > 64)
			balls[i] |= key[place / 64 + 1] << (64 - shift);
		balls[i] &= level->full;
	}
}

/* Pushes the actions of the first of the shortest solutions, or nil. */
static void search(lua_State *L, const move_level *level, const uint64_t *start, plain_set *set)
{
	uint64_t key[MAX_WORDS], balls[MAX_COLOURS], after[MAX_COLOURS];
	pack(level, start, key, set->words);
	plain_set_add(set, key, 0, 0);
	for (size_t i = 0; i < set->count; i++) {
		unpack(level, set->keys + i * set->words, balls);
		for (int direction = 0; direction < 4; direction++) {
			step(level, balls, direction, after);
			uint64_t off = 0;
			for (int k = 0; k < level->colours; k++)
				off |= after[k] & ~level->goals[k];
			if (off == 0) {
				plain_push_actions(L, set, "ULDR", i, direction);
				return;
			}
			pack(level, after, key, set->words);
			plain_set_add(set, key, i, direction);
		}
	}
	lua_pushnil(L);
}

static int read_boards(lua_State *L, int index, uint64_t *boards)
{
	int const count = (int)lua_rawlen(L, index);
	luaL_argcheck(L, count <= MAX_COLOURS, index, "too many colours");
	for (int i = 0; i < count; i++) {
		lua_rawgeti(L, index, i + 1);
		boards[i] = (uint64_t)lua_tointeger(L, -1);
		lua_pop(L, 1);
	}
	return count;
}

int plain_move(lua_State *L)
{
	move_level level = {.width = (int)luaL_checkinteger(L, 1), .height = (int)luaL_checkinteger(L, 2)};
	uint64_t start[MAX_COLOURS];
	level.cells = level.width * level.height;
	level.rocks = (uint64_t)luaL_checkinteger(L, 3);
	level.colours = read_boards(L, 4, start);
	read_boards(L, 5, level.goals);
	luaL_argcheck(L, level.cells < 64, 1, "at most 63 cells");
	level.full = (UINT64_C(1) << level.cells) - 1;
	for (int y = 0; y < level.height; y++)
		level.left |= UINT64_C(1) << y * level.width;
	level.right = level.left << (level.width - 1);
	level.top = (UINT64_C(1) << level.width) - 1;
	level.bottom = level.top << (level.cells - level.width);
	double const before = plain_seconds();
	plain_set set = plain_set_new((size_t)(level.colours * level.cells + 63) / 64);
	search(L, &level, start, &set);
	lua_Integer const states = (lua_Integer)set.count;
	plain_set_free(&set);
	lua_pushinteger(L, states);
	lua_pushnumber(L, plain_seconds() - before);
	return 3;
}
