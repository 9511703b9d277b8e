/* Flow, searched depth-first: the head with the fewest ways on goes first, along walls; cells without two ways in and out,
 * colours and regions that are cut off end a branch. Finds one solution. */
#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plain.h"

enum { MAX_SIDE = 20, STRIDE = MAX_SIDE + 2, AREA = STRIDE * STRIDE, MAX_COLOURS = 63, WALL = -1 };

static const int steps[] = {-STRIDE, 1, STRIDE, -1};

typedef struct flow_search {
	int colours, free;
	int8_t cells[AREA]; /* the colour of the path on it, 0: free, WALL */
	int heads[MAX_COLOURS + 1], goals[MAX_COLOURS + 1];
	bool joined[MAX_COLOURS + 1];
	int8_t open[AREA]; /* the colour of an end that waits for its other, else 0 */
	int last;          /* colour moved */
	uint64_t nodes, limit;
} flow_search;

/* Whether a free cell has at least two neighbours that are free or open ends. */
static bool has_ways(const flow_search *s, int cell)
{
	int ways = 0;
	for (int k = 0; k < 4; k++)
		ways += s->cells[cell + steps[k]] == 0 || s->open[cell + steps[k]];
	return ways >= 2;
}

static bool alive_around(const flow_search *s, int cell)
{
	for (int k = 0; k < 4; k++)
		if (s->cells[cell + steps[k]] == 0 && !has_ways(s, cell + steps[k]))
			return false;
	return true;
}

/* Takes in a region of free cells; the colours of open ends at its border, once and twice. */
static void flood(const flow_search *s, int start, bool *seen, uint64_t *once, uint64_t *twice)
{
	int stack[AREA], count = 0;
	bool met[AREA] = {false};
	stack[count++] = start;
	seen[start] = true;
	while (count > 0) {
		int const cell = stack[--count];
		for (int k = 0; k < 4; k++) {
			int const next = cell + steps[k];
			if (s->cells[next] == 0 && !seen[next]) {
				seen[next] = true;
				stack[count++] = next;
			} else if (s->open[next] && !met[next]) {
				uint64_t const bit = UINT64_C(1) << s->open[next];
				met[next] = true;
				*twice |= *once & bit;
				*once |= bit;
			}
		}
	}
}

/* Whether every region has a colour to cover it, and every colour a region to go through. */
static bool connected(const flow_search *s)
{
	bool seen[AREA] = {false};
	uint64_t able = 0;
	for (int cell = 0; cell < AREA; cell++) {
		uint64_t once = 0, twice = 0;
		if (s->cells[cell] != 0 || seen[cell])
			continue;
		flood(s, cell, seen, &once, &twice);
		if (!twice)
			return false;
		able |= twice;
	}
	for (int c = 1; c <= s->colours; c++) {
		bool ready = s->joined[c] || (able >> c & 1);
		for (int k = 0; k < 4; k++)
			ready |= s->heads[c] + steps[k] == s->goals[c];
		if (!ready)
			return false;
	}
	return true;
}

static bool may_enter(const flow_search *s, int c, int cell)
{
	return s->cells[cell] == 0 || cell == s->goals[c];
}

/* The colour whose head has the fewest ways on; of equal ones that moved last, then the first. 0: all are joined. */
static int most_constrained(const flow_search *s)
{
	int best = 0, fewest = 5;
	for (int c = 1; c <= s->colours; c++) {
		int ways = 0;
		for (int k = 0; k < 4; k++)
			ways += may_enter(s, c, s->heads[c] + steps[k]);
		if (!s->joined[c] && (ways < fewest || (ways == fewest && c == s->last))) {
			best = c;
			fewest = ways;
		}
	}
	return best;
}

/* The free neighbours of a cell: the fewer, the closer it lies to walls. */
static int room(const flow_search *s, int cell)
{
	int count = 0;
	for (int k = 0; k < 4; k++)
		count += s->cells[cell + steps[k]] == 0;
	return count;
}

static bool explore(flow_search *s);

static bool enter(flow_search *s, int c, int next)
{
	int const head = s->heads[c], last = s->last;
	bool const joins = next == s->goals[c];
	s->open[head] = 0;
	s->open[next] = joins ? 0 : (int8_t)c;
	s->cells[next] = (int8_t)c;
	s->heads[c] = next;
	s->joined[c] = joins;
	s->free -= !joins;
	s->last = c;
	if (alive_around(s, head) && alive_around(s, next) && connected(s) && explore(s))
		return true;
	s->last = last;
	s->free += !joins;
	s->joined[c] = false;
	s->heads[c] = head;
	s->cells[next] = joins ? (int8_t)c : 0;
	s->open[next] = joins ? (int8_t)c : 0;
	s->open[head] = (int8_t)c;
	return false;
}

static bool explore(flow_search *s)
{
	int const c = most_constrained(s);
	if (c == 0)
		return s->free == 0;
	int const head = s->heads[c];
	for (int wanted = 0; wanted < 4; wanted++) {
		for (int k = 0; k < 4; k++) {
			int const next = head + steps[k];
			if (!may_enter(s, c, next) || room(s, next) != wanted)
				continue;
			if (s->nodes++ >= s->limit)
				return false;
			if (enter(s, c, next))
				return true;
		}
	}
	return false;
}

int plain_flow(lua_State *L)
{
	int const width = (int)luaL_checkinteger(L, 1), height = (int)luaL_checkinteger(L, 2);
	flow_search s = {.limit = (uint64_t)luaL_checkinteger(L, 4)};
	luaL_argcheck(L, width <= MAX_SIDE && height <= MAX_SIDE, 1, "a side is too long");
	memset(s.cells, WALL, sizeof s.cells);
	for (int i = 0; i < width * height; i++) {
		int const cell = (i / width + 1) * STRIDE + i % width + 1;
		lua_rawgeti(L, 3, i + 1);
		int const c = (int)lua_tointeger(L, -1);
		lua_pop(L, 1);
		luaL_argcheck(L, c >= 0 && c <= MAX_COLOURS, 3, "too many colours");
		s.cells[cell] = s.open[cell] = (int8_t)c;
		s.free += c == 0;
		s.colours = c > s.colours ? c : s.colours;
		s.goals[c] = s.heads[c] ? cell : 0;
		s.heads[c] = s.heads[c] ? s.heads[c] : cell;
	}
	double const before = plain_seconds();
	bool const found = explore(&s);
	double const seconds = plain_seconds() - before;
	lua_newtable(L);
	for (int i = 0; found && i < width * height; i++) {
		lua_pushinteger(L, s.cells[(i / width + 1) * STRIDE + i % width + 1]);
		lua_rawseti(L, -2, i + 1);
	}
	if (!found)
		lua_pushnil(L);
	lua_pushinteger(L, (lua_Integer)s.nodes);
	lua_pushnumber(L, seconds);
	return 3;
}
