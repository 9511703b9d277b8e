/* The value of a table at an index that depends on the state: turns the table into tables of the trace. */
#include <lauxlib.h>

#include "base/sizes.h"
#include "states/state_table_lua.h"
#include "trace/level_shape_lua.h"
#include "trace/symbol_lua.h"

/* Reads the value at the top of the stack, an element of a table; false unless it is a constant operand. */
static bool read_element(lua_State *L, crux_traced *traced, crux_operand *to)
{
	return crux_operand_read(L, traced, -1, to) && crux_operand_is_constant(traced, to);
}

/* Reads the values of the table at index 2, at `count` indices from `first` on, into columns, one for each word of the first
 * value, and one behind them that is -1 where there is no value, else 0. NULL when there are none, or they are of several kinds
 * or sizes. */
static int64_t *read_table(lua_State *L, crux_traced *traced, int64_t first, size_t count, crux_operand *like)
{
	int64_t *const columns = lua_newuserdatauv(L, (CRUX_BOARD_WORDS + 1) * count * sizeof *columns, 0);
	bool is_found = false;
	for (size_t i = 0; i < count; i++) {
		crux_operand v;
		bool const is_there = lua_rawgeti(L, 2, (lua_Integer)(first + (int64_t)i)) != LUA_TNIL;
		if (is_there && !read_element(L, traced, &v))
			return NULL;
		lua_pop(L, 1);
		if (is_there && is_found && !crux_operand_are_alike(&v, like))
			return NULL;
		if (is_there && !is_found)
			*like = v;
		is_found |= is_there;
		columns[CRUX_BOARD_WORDS * count + i] = is_there ? 0 : -1;
		for (size_t word = 0; is_there && word < v.shape.words; word++)
			columns[word * count + i] = traced->trace->nodes[v.nodes[word]].low;
	}
	for (size_t i = 0; is_found && i < count; i++)
		for (size_t word = 0; columns[CRUX_BOARD_WORDS * count + i] && word < like->shape.words; word++)
			columns[word * count + i] = 0;
	return is_found ? columns : NULL;
}

/* The range of the index, the symbolic integer at stack index 3. */
static crux_node check_index(lua_State *L, crux_traced *traced, int64_t *first, size_t *count)
{
	crux_operand index;
	luaL_argcheck(L, crux_operand_read(L, traced, 3, &index) && index.kind == CRUX_INTEGER, 3, "an integer");
	crux_trace_node const node = traced->trace->nodes[index.nodes[0]];
	if ((uint64_t)node.high - (uint64_t)node.low >= CRUX_MOST_TRACE_TABLE) {
		lua_pushfstring(L, "found an index that may be from %I to %I, expected a range of at most %d", (LUAI_UACINT)node.low,
		                (LUAI_UACINT)node.high, CRUX_MOST_TRACE_TABLE);
		crux_traced_refuse(L);
	}
	*first = node.low;
	*count = (size_t)(node.high - node.low + 1);
	return index.nodes[0];
}

/* trace:lookup(table, index) -> the value of a table that is the same for all levels, and where there is none; nothing unless the
 * values are integers, truth values, or boards of one size */
int crux_symbol_lookup(lua_State *L)
{
	crux_traced *const traced = crux_traced_check(L, 1);
	int64_t first;
	size_t count;
	crux_operand v = {0};
	luaL_checktype(L, 2, LUA_TTABLE);
	crux_node const index = check_index(L, traced, &first, &count);
	int64_t const *const columns = read_table(L, traced, first, count, &v);
	if (!columns)
		return 0;
	for (size_t i = 0; i < v.shape.words; i++)
		v.nodes[i] = crux_trace_lookup(traced->trace, columns + i * count, count, first, index);
	crux_operand_push(L, traced, &v);
	crux_operand_push_truth(L, traced,
	                        crux_trace_lookup(traced->trace, columns + CRUX_BOARD_WORDS * count, count, first, index));
	return 2;
}

/* trace:lookup_level(shape, number, index, place) -> the same for a table of the level with that number, whose values may differ
 * between levels */
int crux_symbol_lookup_level(lua_State *L)
{
	lua_settop(L, 5);
	lua_rotate(L, 1, -1); /* the trace last */
	crux_traced *const traced = crux_traced_check(L, 5);
	crux_level_shape *const s = luaL_checkudata(L, 1, CRUX_LEVEL_SHAPE_TYPE);
	lua_Integer const number = luaL_checkinteger(L, 2);
	luaL_argcheck(L, s->is_open && number >= 1 && number <= s->table_count, 2, "the number of a table");
	lua_getiuservalue(L, 1, CRUX_SHAPE_TRACE);
	luaL_argcheck(L, lua_rawequal(L, 5, 6), 1, "a shape of this trace");
	int64_t first;
	size_t count;
	crux_node const index = check_index(L, traced, &first, &count);
	crux_level_list list;
	if (!crux_level_read_list(L, traced, (uint32_t)number, first, count, &list))
		return 0;
	crux_operand v = {.kind = list.kind, .shape = list.shape};
	for (size_t i = 0; i < list.shape.words; i++)
		v.nodes[i] = crux_trace_lookup_parameter(traced->trace, list.table + i, index);
	crux_operand_push(L, traced, &v);
	if (!list.may_miss) {
		lua_pushboolean(L, false);
		return 2;
	}
	crux_operand_push_truth(L, traced, crux_trace_lookup_parameter(traced->trace, list.table + list.shape.words, index));
	return 2;
}
