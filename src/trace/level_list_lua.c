/* Ranges of a level's tables that `lookup` reads, as tables of a trace. */
#include <lauxlib.h>
#include <stdbool.h>

#include "boards/board_lua.h"
#include "lua/binding.h"
#include "states/state_table_lua.h"
#include "trace/level_shape_lua.h"

/* Reads the value at the top of the stack into a row of columns, one column per word, of `rows` rows; false when it is of another
 * kind. A truth value is 0 or -1. */
static bool read_element(lua_State *L, const crux_level_list *list, int64_t *row, size_t rows)
{
	if (list->kind == CRUX_BOARD) {
		crux_board_shape found;
		uint64_t const *const words = crux_board_test(L, -1, &found);
		if (!words || !crux_board_are_alike(found, list->shape))
			return false;
		for (size_t i = 0; i < found.words; i++)
			row[i * rows] = (int64_t)words[i];
		return true;
	}
	*row = list->kind == CRUX_TRUTH ? -lua_toboolean(L, -1) : lua_tointeger(L, -1);
	return list->kind == CRUX_TRUTH ? lua_isboolean(L, -1) : lua_isinteger(L, -1);
}

/* Reads a range of the table at the top of the stack into columns; false when a value is of another kind, or is missing and must
 * not be. */
static bool read_list(lua_State *L, const crux_level_list *list, lua_Integer first, size_t count, int64_t *columns)
{
	int64_t *const missing = columns + list->shape.words * count;
	for (size_t i = 0; i < count; i++) {
		bool const is_there = lua_rawgeti(L, -1, first + (lua_Integer)i) != LUA_TNIL;
		bool const is_right = is_there ? read_element(L, list, columns + i, count) : list->may_miss;
		lua_pop(L, 1);
		if (!is_right)
			return false;
		if (list->may_miss)
			missing[i] = is_there ? 0 : -1;
		for (size_t word = 0; !is_there && word < list->shape.words; word++)
			columns[word * count + i] = 0;
	}
	return true;
}

/* Sets *list to the kind of the first value in a range of the table at the top of the stack, and whether values are missing;
 * false when all are. */
static bool find_kind(lua_State *L, lua_Integer first, size_t count, crux_level_list *list)
{
	bool is_found = false;
	*list = (crux_level_list){.shape.words = 1};
	for (size_t i = 0; i < count; i++) {
		if (lua_rawgeti(L, -1, first + (lua_Integer)i) == LUA_TNIL) {
			list->may_miss = true;
		} else if (!is_found) {
			is_found = true;
			list->kind = lua_isboolean(L, -1) ? CRUX_TRUTH : lua_isinteger(L, -1) ? CRUX_INTEGER : CRUX_BOARD;
			crux_board_test(L, -1, &list->shape);
		}
		lua_pop(L, 1);
	}
	return is_found;
}

/* Sets the range of a list's values: that of the current level, rounded up to whole bits so that other levels fit. */
static void find_range(crux_reading *r, const int64_t *columns)
{
	r->low = r->list.kind == CRUX_TRUTH ? -1 : 0;
	r->high = 0;
	for (size_t i = 0; r->list.kind == CRUX_INTEGER && i < r->count; i++) {
		int64_t const x = columns[i], low = x < 0 ? ~crux_all_bits(~x) : 0, high = x > 0 ? crux_all_bits(x) : 0;
		r->low = low < r->low ? low : r->low;
		r->high = high > r->high ? high : r->high;
	}
}

/* Adds the tables of a list to the trace. */
static void add_tables(crux_trace *trace, crux_reading *r)
{
	r->place = trace->parameter_count;
	for (size_t word = 0; word < r->list.shape.words; word++) {
		bool const is_board = r->list.kind == CRUX_BOARD;
		crux_range const range = is_board ? crux_traced_word_range(r->list.shape, word) : (crux_range){r->low, r->high};
		size_t const table = crux_trace_parameter_table(trace, r->first, r->count, range.low, range.high);
		r->list.table = word == 0 ? table : r->list.table;
	}
	if (r->list.may_miss)
		crux_trace_parameter_table(trace, r->first, r->count, -1, 0);
}

/* A reading of a list of the table that holds the range; NULL when there is none. */
static crux_reading *find_list(const crux_level_shape *s, uint32_t table, lua_Integer first, size_t count)
{
	for (size_t i = 0; i < s->reading_count; i++) {
		crux_reading *const r = &s->readings[i];
		lua_Integer const last = first + (lua_Integer)(count - 1), last_read = r->first + (lua_Integer)(r->count - 1);
		bool const holds = r->first <= first && last <= last_read;
		if (r->kind == CRUX_READ_LIST && r->table == table && holds)
			return r;
	}
	return NULL;
}

/* True when the table at the top of the stack has an integer at that index. */
static bool has_integer(lua_State *L, lua_Integer index)
{
	bool const is_integer = lua_rawgeti(L, -1, index) == LUA_TNUMBER && lua_isinteger(L, -1);
	lua_pop(L, 1);
	return is_integer;
}

/* Widens a range of integers in the table at the top of the stack by up to its length on both sides: other moves look up
 * neighbouring indices. */
static void widen(lua_State *L, int64_t *first, size_t *count)
{
	size_t const before = *count;
	for (size_t i = 0; i < before && *first > INT64_MIN && has_integer(L, *first - 1); i++, ++*count)
		--*first;
	for (size_t i = 0; i < before && *first <= INT64_MAX - (int64_t)*count && has_integer(L, *first + (int64_t)*count); i++)
		++*count;
}

bool crux_level_read_list(lua_State *L, const crux_traced *traced, uint32_t number, int64_t first, size_t count,
                          crux_level_list *list)
{
	int const top = lua_gettop(L);
	crux_level_shape *const s = lua_touserdata(L, 1);
	crux_trace *const trace = traced->trace;
	crux_reading *r = find_list(s, number, first, count);
	if (!r) {
		if (trace->varies)
			crux_level_refuse(L, "a lookup in a table");
		crux_level_list found;
		crux_level_push_numbered(L, 1, number);
		bool const is_found = find_kind(L, first, count, &found);
		if (is_found && found.kind == CRUX_INTEGER && !found.may_miss)
			widen(L, &first, &count);
		int64_t *const columns = lua_newuserdatauv(L, (found.shape.words + 1u) * count * sizeof *columns, 0);
		lua_insert(L, -2);
		if (!is_found || !read_list(L, &found, first, count, columns)) {
			lua_settop(L, top);
			return false;
		}
		r = crux_level_add_reading(L, s, CRUX_READ_LIST, number, 4);
		r->first = first;
		r->count = count;
		r->list = found;
		find_range(r, columns);
		add_tables(trace, r);
	}
	*list = r->list;
	lua_settop(L, top);
	return true;
}

bool crux_level_fit_list(lua_State *L, const crux_reading *r, int64_t *parameters)
{
	if (!read_list(L, &r->list, r->first, r->count, parameters + r->place))
		return false;
	for (size_t i = 0; r->list.kind == CRUX_INTEGER && i < r->count; i++)
		if (parameters[r->place + i] < r->low || parameters[r->place + i] > r->high)
			return false;
	return true;
}
