/* Lazors, placements counted depth-first: at each node all beams run afresh up to a tile that is not decided; what may lie
 * there is tried. */
#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plain.h"

enum { MAX_SIDE = 32, POINTS = 2 * MAX_SIDE + 1, MAX_ITEMS = 64, EMPTY = 0, REFLECT, ABSORB, SPLIT, UNUSABLE, UNDECIDED };

typedef struct lazors_search {
	int width, height, emitters, targets;
	int emitter[MAX_ITEMS][4], target[MAX_ITEMS][2];
	unsigned char tiles[MAX_SIDE * MAX_SIDE];
	int64_t left[4]; /* empty tiles and blocks by kind */
	uint64_t nodes;
} lazors_search;

typedef struct beam {
	int x, y, dx, dy;
} beam;

typedef struct beam_paths {
	beam waiting[4 * POINTS * POINTS];
	int count;
	unsigned char been[POINTS][POINTS]; /* directions, as bits */
} beam_paths;

static void send(beam_paths *p, int x, int y, int dx, int dy)
{
	unsigned char const bit = (unsigned char)(1 << ((dx > 0) + 2 * (dy > 0)));
	if (p->been[y][x] & bit)
		return;
	p->been[y][x] |= bit;
	p->waiting[p->count++] = (beam){x, y, dx, dy};
}

/* Runs all beams; the first undecided tile that one enters, or -1. */
static int run(const lazors_search *s, beam_paths *p)
{
	int undecided = -1;
	p->count = 0;
	memset(p->been, 0, (size_t)(2 * s->height + 1) * sizeof p->been[0]);
	for (int i = 0; i < s->emitters; i++)
		send(p, s->emitter[i][0], s->emitter[i][1], s->emitter[i][2], s->emitter[i][3]);
	while (p->count > 0 && undecided < 0) {
		beam const b = p->waiting[--p->count];
		bool const upright = b.x % 2; /* it stands on an upper or lower side */
		int const column = upright ? b.x / 2 : b.dx > 0 ? b.x / 2 : b.x / 2 - 1;
		int const row = !upright ? b.y / 2 : b.dy > 0 ? b.y / 2 : b.y / 2 - 1;
		if (column < 0 || row < 0 || column >= s->width || row >= s->height)
			continue;
		int const kind = s->tiles[row * s->width + column];
		if (kind == UNDECIDED)
			undecided = row * s->width + column;
		if (kind == EMPTY || kind == UNUSABLE || kind == SPLIT)
			send(p, b.x + b.dx, b.y + b.dy, b.dx, b.dy);
		if (kind == REFLECT || kind == SPLIT)
			send(p, b.x, b.y, upright ? b.dx : -b.dx, upright ? -b.dy : b.dy);
	}
	return undecided;
}

/* The ways to lay what is left on the tiles that are left. */
static int64_t arrangements(const lazors_search *s)
{
	int64_t ways = 1, tiles = 0;
	for (int kind = 0; kind < 4; kind++)
		for (int64_t i = 1; i <= s->left[kind]; i++)
			ways = ways * ++tiles / i;
	return ways;
}

static int64_t explore(lazors_search *s, beam_paths *p)
{
	int const tile = run(s, p);
	int missed = 0;
	int64_t count = 0;
	s->nodes++;
	for (int i = 0; i < s->targets; i++)
		missed += !p->been[s->target[i][1]][s->target[i][0]];
	if (missed == 0)
		return arrangements(s);
	for (int kind = 0; tile >= 0 && kind < 4; kind++) {
		if (s->left[kind] == 0)
			continue;
		s->left[kind]--;
		s->tiles[tile] = (unsigned char)kind;
		count += explore(s, p);
		s->tiles[tile] = UNDECIDED;
		s->left[kind]++;
	}
	return count;
}

/* Reads a list of lists of `width` integers. */
static int read_list(lua_State *L, int index, int width, int *values)
{
	int const count = (int)lua_rawlen(L, index);
	luaL_argcheck(L, count <= MAX_ITEMS, index, "too many");
	for (int i = 0; i < count * width; i++) {
		lua_rawgeti(L, index, i / width + 1);
		lua_rawgeti(L, -1, i % width + 1);
		values[i] = (int)lua_tointeger(L, -1);
		lua_pop(L, 2);
	}
	return count;
}

int plain_lazors(lua_State *L)
{
	static const char letters[] = "oABCx";
	lazors_search s = {.width = (int)luaL_checkinteger(L, 1), .height = (int)luaL_checkinteger(L, 2)};
	const char *text = luaL_checkstring(L, 3);
	luaL_argcheck(L, s.width <= MAX_SIDE && s.height <= MAX_SIDE, 1, "a side is too long");
	for (int i = 0; *text && i < s.width * s.height; text++) {
		const char *const letter = strchr(letters, *text);
		if (letter) {
			s.tiles[i++] = (unsigned char)(letter == letters ? UNDECIDED : letter - letters);
			s.left[EMPTY] += letter == letters;
		}
	}
	s.emitters = read_list(L, 4, 4, s.emitter[0]);
	s.targets = read_list(L, 5, 2, s.target[0]);
	for (int kind = REFLECT; kind <= SPLIT; kind++) {
		lua_getfield(L, 6, (const char[]){letters[kind], '\0'});
		s.left[kind] = (int64_t)lua_tointeger(L, -1);
		s.left[EMPTY] -= s.left[kind];
	}
	beam_paths *const paths = lua_newuserdatauv(L, sizeof *paths, 0);
	double const before = plain_seconds();
	lua_pushinteger(L, (lua_Integer)explore(&s, paths));
	lua_pushinteger(L, (lua_Integer)s.nodes);
	lua_pushnumber(L, plain_seconds() - before);
	return 3;
}
