/* Sudoku by backtracking with bit masks: the digits that each row, column and box lacks; next the cell with the fewest. Counts
 * solutions up to 2. */
#include <lauxlib.h>
#include <stdint.h>

#include "plain.h"

typedef struct masks {
	unsigned rows[9], columns[9], boxes[9]; /* digits that are missing, a bit each */
	unsigned char empty[81];                /* cells, in any order */
	int count;                              /* of these */
	int solutions;
	uint64_t digits;                        /* that were tried */
} masks;

static int box_of(int cell)
{
	return cell / 27 * 3 + cell % 9 / 3;
}

static unsigned digits_of(const masks *m, int cell)
{
	return m->rows[cell / 9] & m->columns[cell % 9] & m->boxes[box_of(cell)];
}

static void flip(masks *m, int cell, unsigned digit)
{
	m->rows[cell / 9] ^= digit;
	m->columns[cell % 9] ^= digit;
	m->boxes[box_of(cell)] ^= digit;
}

static void search(masks *m)
{
	int best = 0, least = 10;
	if (m->count == 0) {
		m->solutions++;
		return;
	}
	for (int i = 0; i < m->count && least > 1; i++) {
		int const count = __builtin_popcount(digits_of(m, m->empty[i]));
		if (count < least) {
			least = count;
			best = i;
		}
	}
	unsigned char const cell = m->empty[best];
	m->empty[best] = m->empty[--m->count];
	for (unsigned left = digits_of(m, cell); left && m->solutions < 2; left &= left - 1) {
		m->digits++;
		flip(m, cell, left & -left);
		search(m);
		flip(m, cell, left & -left);
	}
	m->empty[m->count++] = m->empty[best];
	m->empty[best] = cell;
}

int plain_sudoku_bits(lua_State *L)
{
	size_t length;
	const char *const text = luaL_checklstring(L, 1, &length);
	luaL_argcheck(L, length == 81, 1, "expected 81 characters");
	double const before = plain_seconds();
	masks m = {.count = 0};
	for (int i = 0; i < 9; i++)
		m.rows[i] = m.columns[i] = m.boxes[i] = (1 << 9) - 1;
	for (int cell = 0; cell < 81; cell++) {
		if (text[cell] == '.')
			m.empty[m.count++] = (unsigned char)cell;
		else
			flip(&m, cell, 1u << (text[cell] - '1'));
	}
	search(&m);
	lua_pushinteger(L, m.solutions);
	lua_pushinteger(L, (lua_Integer)m.digits);
	lua_pushnumber(L, plain_seconds() - before);
	return 3;
}
