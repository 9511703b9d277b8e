/* DungeonGrams, searched breadth-first: one state at a time, packed keys, a hash table with open addressing. */
#include <lauxlib.h>
#include <stdbool.h>

#include "plain.h"
#include "plain_set.h"

enum {
	MAX_SIDE = 32,
	STRIDE = MAX_SIDE + 2, /* a border of walls on each side */
	MAX_CELLS = STRIDE * STRIDE,
	MAX_ENEMIES = 16,
	MAX_THINGS = 32,
	MAX_WORDS = 4,
	STAMINA = 40,
	FOOD = 25,
	CELL_BITS = 11,
	STAMINA_BITS = 6,
};

typedef enum { FLOOR, WALL, SPIKE, EXIT, SWITCH, TREAT } tile;

typedef struct dungeon {
	int start, enemies, switches, things;
	uint8_t tiles[MAX_CELLS], thing[MAX_CELLS]; /* the thing's number: switches first */
	uint32_t near[MAX_CELLS];                   /* bit i: home i is within a distance of 3 */
	int homes[MAX_ENEMIES];
} dungeon;

typedef struct situation {
	int at, stamina, odd;
	uint32_t left;
	int enemies[MAX_ENEMIES];
} situation;

typedef enum { GOES_ON, LOST, WON } outcome;

/* Reads rows of characters; false when they are not those of a level of at most these sizes. */
static bool read_dungeon(const char *text, dungeon *d)
{
	int row = 1, column = 1, treats = 0, treat_cells[MAX_THINGS];
	memset(d, 0, sizeof *d);
	memset(d->tiles, WALL, sizeof d->tiles);
	for (; *text; text++) {
		if (*text == '\n') {
			row++;
			column = 1;
			continue;
		}
		int const cell = row * STRIDE + column++;
		if (row > MAX_SIDE || column > MAX_SIDE + 1 || d->enemies == MAX_ENEMIES || d->switches + treats == MAX_THINGS)
			return false;
		d->tiles[cell] = FLOOR;
		switch (*text) {
		case '@': d->start = cell; break;
		case 'O': d->tiles[cell] = EXIT; break;
		case '^': d->tiles[cell] = SPIKE; break;
		case '#': d->homes[d->enemies++] = cell; break;
		case '-': break;
		case '*':
			d->tiles[cell] = SWITCH;
			d->thing[cell] = (uint8_t)d->switches++;
			break;
		case '&':
			d->tiles[cell] = TREAT;
			treat_cells[treats++] = cell;
			break;
		default: d->tiles[cell] = WALL;
		}
	}
	for (int i = 0; i < treats; i++)
		d->thing[treat_cells[i]] = (uint8_t)(d->switches + i);
	d->things = d->switches + treats;
	for (int cell = 0; cell < MAX_CELLS; cell++) {
		for (int i = 0; i < d->enemies; i++) {
			int const rows = cell / STRIDE - d->homes[i] / STRIDE, columns = cell % STRIDE - d->homes[i] % STRIDE;
			d->near[cell] |= (uint32_t)(rows * rows + columns * columns <= 9) << i;
		}
	}
	return true;
}

static bool has_enemy(const dungeon *d, const situation *s, int cell)
{
	for (int i = 0; i < d->enemies; i++)
		if (s->enemies[i] == cell)
			return true;
	return false;
}

static bool is_free(const dungeon *d, const situation *s, int cell)
{
	switch (d->tiles[cell]) {
	case FLOOR: break;
	case SWITCH:
	case TREAT:
		if (s->left >> d->thing[cell] & 1)
			return false;
		break;
	default: return false;
	}
	return !has_enemy(d, s, cell);
}

static int sign(int x) { return (x > 0) - (x < 0); }

static void move_enemies(const dungeon *d, situation *s)
{
	for (int i = 0; i < d->enemies; i++) {
		int const at = s->enemies[i], goal = d->near[s->at] >> i & 1 ? s->at : d->homes[i];
		if (at == goal)
			continue;
		int const row = at / STRIDE, column = at % STRIDE;
		int const down = goal / STRIDE - row, right = goal % STRIDE - column;
		bool const row_first = abs(down) > abs(right) || (abs(down) == abs(right) && (row + column) % 2 == 0);
		int const by_row = at + sign(down) * STRIDE, by_column = at + sign(right);
		int const first = row_first ? by_row : by_column, second = row_first ? by_column : by_row;
		if (is_free(d, s, first))
			s->enemies[i] = first;
		else if (is_free(d, s, second))
			s->enemies[i] = second;
	}
}

static outcome act(const dungeon *d, situation *s, int move)
{
	static const int steps[] = {0, -STRIDE, -1, STRIDE, 1};
	int const to = s->at + steps[move];
	uint32_t const switches = (UINT32_C(1) << d->switches) - 1;
	if (d->tiles[to] != WALL && (d->tiles[to] != EXIT || (s->left & switches) == 0))
		s->at = to;
	if (d->tiles[s->at] == SPIKE || has_enemy(d, s, s->at))
		return LOST;
	if (d->tiles[s->at] == EXIT)
		return WON;
	if (d->tiles[s->at] >= SWITCH && s->left >> d->thing[s->at] & 1) {
		s->left &= ~(UINT32_C(1) << d->thing[s->at]);
		if (d->tiles[s->at] == TREAT)
			s->stamina = s->stamina + FOOD < STAMINA ? s->stamina + FOOD : STAMINA;
	}
	if (s->odd) {
		move_enemies(d, s);
		if (has_enemy(d, s, s->at))
			return LOST;
	}
	s->odd = !s->odd;
	return --s->stamina == 0 ? LOST : GOES_ON;
}

/* The bits of a key, from its first word on. */
typedef struct cursor {
	uint64_t *key;
	unsigned place;
} cursor;

static inline void put(cursor *c, uint64_t value, unsigned bits)
{
	unsigned const word = c->place / 64, shift = c->place % 64;
	c->key[word] |= value << shift;
	if (shift + bits > 64)
		c->key[word + 1] |= value >> (64 - shift);
	c->place += bits;
}

static inline int take(cursor *c, unsigned bits)
{
	unsigned const word = c->place / 64, shift = c->place % 64;
	uint64_t value = c->key[word] >> shift;
	if (shift + bits > 64)
		value |= c->key[word + 1] << (64 - shift);
	c->place += bits;
	return (int)(value & ((UINT64_C(1) << bits) - 1));
}

static size_t words_of(const dungeon *d)
{
	return (size_t)(CELL_BITS * (1 + d->enemies) + STAMINA_BITS + 1 + d->things + 63) / 64;
}

static void pack(const dungeon *d, const situation *s, uint64_t *key, size_t words)
{
	memset(key, 0, words * sizeof *key);
	cursor c = {.key = key};
	put(&c, (uint64_t)s->at, CELL_BITS);
	put(&c, (uint64_t)s->stamina, STAMINA_BITS);
	put(&c, (uint64_t)s->odd, 1);
	put(&c, s->left, (unsigned)d->things);
	for (int i = 0; i < d->enemies; i++)
		put(&c, (uint64_t)s->enemies[i], CELL_BITS);
}

static void unpack(const dungeon *d, uint64_t *key, situation *s)
{
	cursor c = {.key = key};
	s->at = take(&c, CELL_BITS);
	s->stamina = take(&c, STAMINA_BITS);
	s->odd = take(&c, 1);
	s->left = (uint32_t)take(&c, (unsigned)d->things);
	for (int i = 0; i < d->enemies; i++)
		s->enemies[i] = take(&c, CELL_BITS);
}

/* Pushes the actions of the first of the shortest solutions, or nil. */
static void search(lua_State *L, const dungeon *d, plain_set *set)
{
	situation start = {.at = d->start, .stamina = STAMINA, .left = (uint32_t)((UINT64_C(1) << d->things) - 1)};
	memcpy(start.enemies, d->homes, sizeof start.enemies);
	uint64_t key[MAX_WORDS + 1];
	pack(d, &start, key, set->words);
	plain_set_add(set, key, 0, 0);
	for (size_t i = 0; i < set->count; i++) {
		situation from, after;
		memcpy(key, set->keys + i * set->words, set->words * sizeof *key);
		unpack(d, key, &from);
		for (int move = 0; move < 5; move++) {
			after = from;
			outcome const result = act(d, &after, move);
			if (result == WON) {
				plain_push_actions(L, set, ".ULDR", i, move);
				return;
			}
			if (result == GOES_ON) {
				pack(d, &after, key, set->words);
				plain_set_add(set, key, i, move);
			}
		}
	}
	lua_pushnil(L);
}

int plain_dungeongrams(lua_State *L)
{
	dungeon d;
	luaL_argcheck(L, read_dungeon(luaL_checkstring(L, 1), &d), 1, "too large a level");
	double const before = plain_seconds();
	plain_set set = plain_set_new(words_of(&d));
	search(L, &d, &set);
	lua_Integer const states = (lua_Integer)set.count;
	plain_set_free(&set);
	lua_pushinteger(L, states);
	lua_pushnumber(L, plain_seconds() - before);
	return 3;
}
