/* The word `lookup` on symbols: turns a table of the level or the script into tables of the trace. */
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

/* Reads the first value that the table at index 1 has among `count` indices from `first` on. */
static bool find_element(lua_State *L, crux_traced *traced, int64_t first, size_t count, crux_operand *to)
{
	for (size_t i = 0; i < count; i++) {
		bool const is_there = lua_geti(L, 1, (lua_Integer)(first + (int64_t)i)) != LUA_TNIL;
		bool const is_read = is_there && read_element(L, traced, to);
		lua_pop(L, 1);
		if (is_there)
			return is_read;
	}
	return false;
}

/* Reads the table's values into columns, one for each word; false when a value is of another kind or size than `like`. Sets
 * missing[i] to -1 where there is no value, else 0. */
static bool read_table(lua_State *L, crux_traced *traced, int64_t first, size_t count, const crux_operand *like,
                       int64_t *columns, int64_t *missing)
{
	for (size_t i = 0; i < count; i++) {
		crux_operand v = *like;
		missing[i] = lua_geti(L, 1, (lua_Integer)(first + (int64_t)i)) == LUA_TNIL ? -1 : 0;
		if (!missing[i] && (!read_element(L, traced, &v) || !crux_operand_are_alike(&v, like)))
			return false;
		for (size_t word = 0; word < v.shape.words; word++)
			columns[word * count + i] = traced->trace->nodes[v.nodes[word]].low;
		lua_pop(L, 1);
	}
	return true;
}

/* Makes the current move wrong where the table has no value. */
static void refuse_where(crux_traced *traced, crux_node is_missing)
{
	traced->wrong = apply(traced, CRUX_OR, traced->wrong, is_missing);
}

/* Pushes the value at an index of a list that was read of the level. */
static int lookup_parameter(lua_State *L, crux_traced *traced, crux_node index, const crux_level_list *list)
{
	crux_operand v = {.kind = list->kind, .shape = list->shape};
	size_t const words = list->shape.words;
	for (size_t i = 0; i < words; i++)
		v.nodes[i] = crux_trace_lookup_parameter(traced->trace, list->table + i, index);
	if (list->may_miss)
		refuse_where(traced, crux_trace_lookup_parameter(traced->trace, list->table + words, index));
	return crux_operand_push(L, traced, &v);
}

/* Pushes the value at an index, from `first` on, of a table whose values are constants of the trace. */
static int lookup_constant(lua_State *L, crux_traced *traced, crux_node index, int64_t first, size_t count)
{
	static const char expected[] = "a table of the level, of integers, truth values, or boards of one size";
	crux_operand v;
	if (!find_element(L, traced, first, count, &v))
		return crux_symbol_refuse(L, 2, expected);
	size_t const words = v.shape.words;
	int64_t *const columns = lua_newuserdatauv(L, (words + 1) * count * sizeof *columns, 0);
	int64_t *const missing = columns + words * count;
	if (!read_table(L, traced, first, count, &v, columns, missing))
		return crux_symbol_refuse(L, 2, expected);
	for (size_t i = 0; i < words; i++)
		v.nodes[i] = crux_trace_lookup(traced->trace, columns + i * count, count, first, index);
	refuse_where(traced, crux_trace_lookup(traced->trace, missing, count, first, index));
	return crux_operand_push(L, traced, &v);
}

int crux_symbol_lookup(lua_State *L)
{
	crux_traced *const traced = crux_symbol_owner(L, 2);
	crux_operand index;
	if (!lua_istable(L, 1) || !crux_operand_read(L, traced, 2, &index) || index.kind != CRUX_INTEGER)
		return crux_symbol_refuse(L, 2, "a table of the level and an integer");
	crux_node const node = index.nodes[0];
	int64_t const first = traced->trace->nodes[node].low, last = traced->trace->nodes[node].high;
	if ((uint64_t)last - (uint64_t)first >= CRUX_MOST_TRACE_TABLE) {
		lua_pushfstring(L, "lookup: found an index that may be from %I to %I, expected a range of at most %d",
		                (LUAI_UACINT)first, (LUAI_UACINT)last, CRUX_MOST_TRACE_TABLE);
		return crux_traced_raise(L);
	}
	size_t const count = (size_t)(last - first + 1);
	crux_level_list list;
	if (crux_level_read_list(L, traced, 1, first, count, &list))
		return lookup_parameter(L, traced, node, &list);
	if (crux_level_push_table(L, 1))
		lua_replace(L, 1);
	return lookup_constant(L, traced, node, first, count);
}

int crux_symbol_lookup_fixed(lua_State *L)
{
	crux_traced *const traced = crux_traced_check(L, 1);
	lua_Integer const index = luaL_checkinteger(L, 3);
	uint32_t number;
	lua_settop(L, 3);
	crux_level_shape const *const s = crux_level_push_shape(L, 2, &number);
	if (!s || !s->is_shared || traced->trace->varies)
		return 0;
	crux_level_push_numbered(L, 4, number);
	crux_level_list list;
	bool const is_number = lua_rawgeti(L, 5, index) == LUA_TNUMBER && lua_isinteger(L, 6);
	if (!is_number || !crux_level_read_list(L, traced, 2, index, 1, &list))
		return 0;
	return lookup_parameter(L, traced, crux_trace_constant(traced->trace, index), &list);
}
