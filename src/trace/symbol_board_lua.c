/* The methods of symbolic boards; a cell is a bit of a word. */
#include <lauxlib.h>
#include <string.h>

#include "boards/board_lua.h"
#include "lua/binding.h"
#include "trace/symbol_lua.h"

/* Reads the board of a method; raises for other values. */
static crux_traced *read_board(lua_State *L, crux_operand *to)
{
	crux_traced *const traced = crux_symbol_owner(L, 1);
	if (!crux_operand_read(L, traced, 1, to) || to->kind != CRUX_BOARD)
		crux_symbol_refuse(L, 1, "a board");
	return traced;
}

/* Shifts all bits `by` places, across words; no bit may leave the board. */
static void move_bits(crux_traced *traced, const crux_operand *from, int by, crux_operand *to)
{
	int const words = from->shape.words, skip = (by < 0 ? -by : by) / 64, bits = (by < 0 ? -by : by) % 64;
	crux_operation const away = by < 0 ? CRUX_SHIFT_RIGHT : CRUX_SHIFT_LEFT;
	crux_operation const back = by < 0 ? CRUX_SHIFT_LEFT : CRUX_SHIFT_RIGHT;
	crux_node const places = crux_trace_constant(traced->trace, bits), rest = crux_trace_constant(traced->trace, 64 - bits);
	*to = *from;
	for (int i = 0; i < words; i++) {
		int const near = by < 0 ? i + skip : i - skip, far = by < 0 ? near + 1 : near - 1;
		crux_node const first = near >= 0 && near < words ? apply(traced, away, from->nodes[near], places) : 0;
		crux_node const second = bits && far >= 0 && far < words ? apply(traced, back, from->nodes[far], rest) : 0;
		to->nodes[i] = apply(traced, CRUX_OR, first, second);
	}
}

/* Adds the cells shifted by `steps` in a direction; those that leave the board are dropped. */
static void add_shifted(crux_traced *traced, const crux_operand *from, crux_board_direction direction, int steps,
                        crux_operand *to)
{
	uint64_t mask[CRUX_BOARD_WORDS]; /* the cells that stay on the board */
	for (size_t i = 0; i < from->shape.words; i++)
		mask[i] = crux_board_full_word(from->shape, i);
	crux_board_shift(from->shape, mask, direction, -steps, false, mask);
	crux_operand inside = *from, moved;
	for (size_t i = 0; i < from->shape.words; i++)
		inside.nodes[i] = apply(traced, CRUX_AND, from->nodes[i], crux_trace_constant(traced->trace, (int64_t)mask[i]));
	bool const is_back = direction == CRUX_BOARD_UP || direction == CRUX_BOARD_LEFT;
	bool const is_row = direction == CRUX_BOARD_LEFT || direction == CRUX_BOARD_RIGHT;
	move_bits(traced, &inside, (is_back ? -steps : steps) * (is_row ? 1 : from->shape.width), &moved);
	for (size_t i = 0; i < from->shape.words; i++)
		to->nodes[i] = apply(traced, CRUX_OR, to->nodes[i], moved.nodes[i]);
}

static crux_operand empty_like(const crux_operand *a)
{
	return (crux_operand){.kind = CRUX_BOARD, .shape = a->shape};
}

static int method_shift(lua_State *L)
{
	crux_operand a;
	crux_traced *const traced = read_board(L, &a);
	crux_board_direction const direction = crux_board_check_direction(L, 2);
	lua_Integer const n = luaL_optinteger(L, 3, 1);
	int const size = direction == CRUX_BOARD_LEFT || direction == CRUX_BOARD_RIGHT ? a.shape.width : a.shape.height;
	crux_operand result = empty_like(&a);
	if (lua_toboolean(L, 4)) {
		int const steps = (int)(n % size);
		add_shifted(traced, &a, direction, steps, &result);
		add_shifted(traced, &a, direction, steps > 0 ? steps - size : steps + size, &result);
	} else if (n > -size && n < size) {
		add_shifted(traced, &a, direction, (int)n, &result);
	}
	return crux_operand_push(L, traced, &result);
}

static int method_neighbours(lua_State *L)
{
	crux_operand a;
	crux_traced *const traced = read_board(L, &a);
	crux_operand result = empty_like(&a);
	for (crux_board_direction direction = CRUX_BOARD_UP; direction <= CRUX_BOARD_RIGHT; direction++)
		add_shifted(traced, &a, direction, 1, &result);
	return crux_operand_push(L, traced, &result);
}

static int push_closure(lua_State *L, crux_traced *traced, crux_closure_kind kind, crux_board_shape shape, const crux_node *operands)
{
	crux_operand result = {.kind = CRUX_BOARD, .shape = shape};
	crux_trace_close(traced->trace, kind, shape, operands, result.nodes);
	return crux_operand_push(L, traced, &result);
}

/* Reads the board at that index into a place of a closure's operands; raises unless it has that shape. */
static void read_alike(lua_State *L, crux_traced *traced, int index, crux_operand *like, crux_node *words)
{
	crux_operand board;
	if (!crux_operand_read(L, traced, index, &board) || board.kind != CRUX_BOARD ||
	    (like->shape.words > 0 && !crux_operand_are_alike(like, &board)))
		crux_symbol_refuse(L, index, "boards of the same size");
	memcpy(words, board.nodes, board.shape.words * sizeof *words);
	*like = board;
}

static int method_flood(lua_State *L)
{
	crux_traced *const traced = crux_symbol_owner(L, 2);
	crux_operand like = {.shape.words = 0};
	crux_node operands[2 * CRUX_BOARD_WORDS];
	for (int i = 0; i < 2; i++)
		read_alike(L, traced, i + 1, &like, operands + (size_t)i * like.shape.words);
	return push_closure(L, traced, CRUX_FLOOD, like.shape, operands);
}

/* Sets out to the cells at which a box cannot be pushed across, or down; see crux_board_blocked. */
static void find_blocked(crux_traced *traced, const crux_operand *walls, const crux_operand *dead, bool across, crux_node *out)
{
	crux_board_direction const sides[] = {across ? CRUX_BOARD_LEFT : CRUX_BOARD_UP, across ? CRUX_BOARD_RIGHT : CRUX_BOARD_DOWN};
	crux_operand free = *walls, alive = *walls, both_free[2] = {empty_like(walls), empty_like(walls)}, either = empty_like(walls);
	for (size_t i = 0; i < walls->shape.words; i++) {
		crux_node const full = crux_trace_constant(traced->trace, (int64_t)crux_board_full_word(walls->shape, i));
		free.nodes[i] = apply(traced, CRUX_AND_NOT, full, walls->nodes[i]);
		alive.nodes[i] = apply(traced, CRUX_AND_NOT, free.nodes[i], dead->nodes[i]);
	}
	for (int i = 0; i < 2; i++) {
		add_shifted(traced, &free, sides[i], 1, &both_free[i]);
		add_shifted(traced, &alive, sides[i], 1, &either);
	}
	for (size_t i = 0; i < walls->shape.words; i++) {
		crux_node const full = crux_trace_constant(traced->trace, (int64_t)crux_board_full_word(walls->shape, i));
		crux_node const both = apply(traced, CRUX_AND, both_free[0].nodes[i], both_free[1].nodes[i]);
		out[i] = apply(traced, CRUX_AND_NOT, full, apply(traced, CRUX_AND, both, either.nodes[i]));
	}
}

static int method_frozen(lua_State *L)
{
	bool const has_dead = !lua_isnoneornil(L, 3);
	crux_traced *const traced = crux_symbol_owner(L, has_dead ? 3 : 2);
	crux_operand boards[3] = {{.shape.words = 0}};
	crux_node operands[3 * CRUX_BOARD_WORDS];
	for (int i = 0; i < (has_dead ? 3 : 2); i++) {
		boards[i] = boards[0];
		read_alike(L, traced, i + 1, &boards[i], operands);
	}
	size_t const words = boards[0].shape.words;
	memcpy(operands, boards[0].nodes, words * sizeof *operands);
	find_blocked(traced, &boards[1], &boards[has_dead ? 2 : 1], true, operands + words);
	find_blocked(traced, &boards[1], &boards[has_dead ? 2 : 1], false, operands + 2 * words);
	return push_closure(L, traced, CRUX_FROZEN, boards[0].shape, operands);
}

static int method_has(lua_State *L)
{
	crux_operand a;
	crux_traced *const traced = read_board(L, &a);
	int const cell = crux_board_to_cell(L, 2, a.shape);
	crux_node const bit = cell < 0 ? 0 : crux_trace_constant(traced->trace, (int64_t)(UINT64_C(1) << cell % 64));
	crux_node const found = apply(traced, CRUX_AND, a.nodes[cell < 0 ? 0 : cell / 64], bit);
	return crux_operand_push_truth(L, traced, apply(traced, CRUX_UNEQUAL, found, 0));
}

/* with(x, y), without(x, y) */
static int method_change(lua_State *L)
{
	crux_operand a;
	crux_traced *const traced = read_board(L, &a);
	int const cell = crux_board_to_cell(L, 2, a.shape);
	luaL_argcheck(L, cell >= 0, 2, "a column and a row of the board");
	crux_node const bit = crux_trace_constant(traced->trace, (int64_t)(UINT64_C(1) << cell % 64));
	a.nodes[cell / 64] = apply(traced, crux_symbol_word(L)->operation, a.nodes[cell / 64], bit);
	return crux_operand_push(L, traced, &a);
}

static int method_size(lua_State *L)
{
	crux_operand a;
	read_board(L, &a);
	lua_pushinteger(L, a.shape.width);
	lua_pushinteger(L, a.shape.height);
	return 2;
}

const crux_word crux_symbol_methods[] = {
	{"any", crux_symbol_any, CRUX_UNEQUAL, false, NULL},
	{"none", crux_symbol_any, CRUX_EQUAL, false, NULL},
	{"shift", method_shift, CRUX_CONSTANT, false, NULL},
	{"neighbours", method_neighbours, CRUX_CONSTANT, false, NULL},
	{"flood", method_flood, CRUX_CONSTANT, false, NULL},
	{"frozen", method_frozen, CRUX_CONSTANT, false, NULL},
	{"has", method_has, CRUX_CONSTANT, false, NULL},
	{"with", method_change, CRUX_OR, false, NULL},
	{"without", method_change, CRUX_AND_NOT, false, NULL},
	{"size", method_size, CRUX_CONSTANT, false, NULL},
	{NULL, NULL, CRUX_CONSTANT, false, NULL},
};
