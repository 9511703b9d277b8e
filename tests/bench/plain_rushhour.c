/* Rush Hour, all states that can be reached, breadth-first: one state at a time, a hash table with open addressing. */
#include "plain.h"
#include "plain_set.h"

enum { SIDE = 6, CELLS = SIDE * SIDE, MAX_PIECES = 18, BITS = 3 /* of a position */ };

typedef struct piece {
	uint64_t cells; /* at position 0 */
	int length, stride;
} piece;

typedef struct puzzle {
	piece pieces[MAX_PIECES];
	int count;
	uint64_t walls;
} puzzle;

/* Reads the pieces of a text of 36 cells, a letter for each cell of a piece, '#' for a wall, and returns the key of the start. */
static uint64_t read_pieces(lua_State *L, const char *text, puzzle *p)
{
	uint64_t key = 0;
	for (int cell = 0; cell < CELLS; cell++)
		p->walls |= (uint64_t)(text[cell] == '#') << cell;
	for (int letter = 'A'; letter <= 'Z'; letter++) {
		int first = -1, last = -1, length = 0;
		for (int cell = 0; cell < CELLS; cell++) {
			if (text[cell] != letter)
				continue;
			first = first < 0 ? cell : first;
			last = cell;
			length++;
		}
		if (length == 0)
			continue;
		luaL_argcheck(L, length > 1 && p->count < MAX_PIECES, 1, "pieces of several cells");
		piece *const to = &p->pieces[p->count];
		to->stride = (last - first) / (length - 1);
		to->length = length;
		int const position = to->stride == 1 ? first % SIDE : first / SIDE;
		for (int i = 0; i < length; i++)
			to->cells |= UINT64_C(1) << (first + (i - position) * to->stride);
		key |= (uint64_t)position << BITS * p->count++;
	}
	return key;
}

/* Adds the states that slides of a piece lead to. */
static void slide(const puzzle *p, int number, uint64_t key, uint64_t taken, plain_set *set, size_t state)
{
	piece const *const moved = &p->pieces[number];
	int const last = SIDE - moved->length, shift = BITS * number, at = (int)(key >> shift & 7);
	uint64_t const rest = key & ~(UINT64_C(7) << shift), others = taken & ~(moved->cells << at * moved->stride);
	for (int direction = -1; direction <= 1; direction += 2) {
		for (int to = at + direction; to >= 0 && to <= last; to += direction) {
			if (others & moved->cells << to * moved->stride)
				break;
			uint64_t const after = rest | (uint64_t)to << shift;
			plain_set_add(set, &after, state, number * 8 + to);
		}
	}
}

int plain_rushhour(lua_State *L)
{
	size_t length;
	char const *const text = luaL_checklstring(L, 1, &length);
	luaL_argcheck(L, length == CELLS, 1, "a text of 36 cells");
	puzzle p = {.count = 0};
	uint64_t const start = read_pieces(L, text, &p);
	double const before = plain_seconds();
	plain_set set = plain_set_new(1);
	plain_set_add(&set, &start, 0, 0);
	for (size_t i = 0; i < set.count; i++) {
		uint64_t const key = set.keys[i];
		uint64_t taken = p.walls;
		for (int k = 0; k < p.count; k++)
			taken |= p.pieces[k].cells << (key >> BITS * k & 7) * (uint64_t)p.pieces[k].stride;
		for (int k = 0; k < p.count; k++)
			slide(&p, k, key, taken, &set, i);
	}
	lua_pushinteger(L, (lua_Integer)set.count);
	plain_set_free(&set);
	lua_pushnumber(L, plain_seconds() - before);
	return 2;
}
