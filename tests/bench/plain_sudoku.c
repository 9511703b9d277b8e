/* Sudoku by dancing links (D. Knuth, 2000): an exact cover of 324 items by 729 options, of which those of the givens are taken
 * first. Counts solutions up to 2. */
#include <lauxlib.h>
#include <stdint.h>

#include "plain.h"

enum { ITEMS = 324, OPTIONS = 729, NODES = 1 + ITEMS + 4 * OPTIONS };

typedef struct links {
	int left[NODES], right[NODES], up[NODES], down[NODES], head[NODES], size[1 + ITEMS];
	uint64_t pieces;
	int solutions;
} links;

static void build(links *s)
{
	int node = 1 + ITEMS;
	for (int i = 0; i <= ITEMS; i++) {
		s->left[i] = i ? i - 1 : ITEMS;
		s->right[i] = i < ITEMS ? i + 1 : 0;
		s->up[i] = s->down[i] = s->head[i] = i;
		s->size[i] = 0;
	}
	for (int option = 0; option < OPTIONS; option++) {
		int const cell = option / 9, digit = option % 9, row = cell / 9, column = cell % 9;
		int const box = row / 3 * 3 + column / 3;
		int const items[] = {1 + cell, 82 + 9 * row + digit, 163 + 9 * column + digit, 244 + 9 * box + digit};
		for (int k = 0; k < 4; k++, node++) {
			s->head[node] = items[k];
			s->up[node] = s->up[items[k]];
			s->down[node] = items[k];
			s->down[s->up[node]] = s->up[items[k]] = node;
			s->left[node] = k ? node - 1 : node + 3;
			s->right[node] = k < 3 ? node + 1 : node - 3;
			s->size[items[k]]++;
		}
	}
}

static void cover(links *s, int item)
{
	s->right[s->left[item]] = s->right[item];
	s->left[s->right[item]] = s->left[item];
	for (int i = s->down[item]; i != item; i = s->down[i])
		for (int k = s->right[i]; k != i; k = s->right[k]) {
			s->up[s->down[k]] = s->up[k];
			s->down[s->up[k]] = s->down[k];
			s->size[s->head[k]]--;
		}
}

static void uncover(links *s, int item)
{
	for (int i = s->up[item]; i != item; i = s->up[i])
		for (int k = s->left[i]; k != i; k = s->left[k]) {
			s->up[s->down[k]] = s->down[s->up[k]] = k;
			s->size[s->head[k]]++;
		}
	s->right[s->left[item]] = s->left[s->right[item]] = item;
}

static void search(links *s)
{
	int item = s->right[0];
	if (!item) {
		s->solutions++;
		return;
	}
	for (int i = item; i; i = s->right[i])
		if (s->size[i] < s->size[item])
			item = i;
	cover(s, item);
	for (int i = s->down[item]; i != item && s->solutions < 2; i = s->down[i]) {
		s->pieces++;
		for (int k = s->right[i]; k != i; k = s->right[k])
			cover(s, s->head[k]);
		search(s);
		for (int k = s->left[i]; k != i; k = s->left[k])
			uncover(s, s->head[k]);
	}
	uncover(s, item);
}

int plain_sudoku(lua_State *L)
{
	static links s;
	size_t length;
	const char *const text = luaL_checklstring(L, 1, &length);
	luaL_argcheck(L, length == 81, 1, "expected 81 characters");
	double const before = plain_seconds();
	build(&s);
	s.solutions = 0;
	s.pieces = 0;
	for (int cell = 0; cell < 81; cell++)
		for (int k = 0; text[cell] != '.' && k < 4; k++)
			cover(&s, s.head[1 + ITEMS + 4 * (9 * cell + text[cell] - '1') + k]);
	search(&s);
	lua_pushinteger(L, s.solutions);
	lua_pushinteger(L, (lua_Integer)s.pieces);
	lua_pushnumber(L, plain_seconds() - before);
	return 3;
}
