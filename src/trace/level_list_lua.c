/* Stretches of a level's tables that `lookup` reads, as tables of a trace. */
#include <lauxlib.h>
#include <stdbool.h>

#include "boards/board_lua.h"
#include "lua/binding.h"
#include "states/state_table_lua.h"
#include "trace/level_shape_lua.h"

/* Takes the value at the top of the stack into columns of so many rows, one for each word; false when it is not of the kind.
 * A truth value is 0 or -1. */
static bool take_element(lua_State *L, const crux_level_list *list, int64_t *row, size_t rows)
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

/* Reads a stretch of the table at the top of the stack into columns; false when a value is of another kind, or is missing
 * and may not. */
static bool take_list(lua_State *L, const crux_level_list *list, lua_Integer first, size_t count, int64_t *columns)
{
	int64_t *const missing = columns + list->shape.words * count;
	for (size_t i = 0; i < count; i++) {
		bool const is_there = lua_rawgeti(L, -1, first + (lua_Integer)i) != LUA_TNIL;
		bool const is_right = is_there ? take_element(L, list, columns + i, count) : list->may_miss;
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

/* Finds out of what kind the values of a stretch of the table at the top of the stack are; false when there is none. */
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

/* The ranges of the values of a list: those of the level at hand, with room for other levels' numbers. */
static void find_range(crux_reading *r, const int64_t *columns)
{
	r->low = r->list.kind == CRUX_INTEGER ? 0 : r->list.kind == CRUX_TRUTH ? -1 : INT64_MIN;
	r->high = r->list.kind == CRUX_BOARD ? INT64_MAX : 0;
	for (size_t i = 0; r->list.kind == CRUX_INTEGER && i < r->count; i++) {
		int64_t const x = columns[i], low = x < 0 ? ~crux_all_bits(~x) : 0, high = x > 0 ? crux_all_bits(x) : 0;
		r->low = low < r->low ? low : r->low;
		r->high = high > r->high ? high : r->high;
	}
}

/* Makes the tables of the trace for a list that was noted. */
static void add_tables(crux_trace *trace, crux_reading *r)
{
	r->place = crux_trace_given(trace);
	for (size_t word = 0; word < r->list.shape.words; word++) {
		int64_t const full = r->list.kind == CRUX_BOARD ? (int64_t)crux_board_full_word(r->list.shape, word) : -1;
		int64_t const low = full >= 0 ? 0 : r->low, high = full >= 0 ? full : r->high;
		size_t const table = crux_trace_parameter_table(trace, r->first, r->count, low, high);
		r->list.table = word == 0 ? table : r->list.table;
	}
	if (r->list.may_miss)
		crux_trace_parameter_table(trace, r->first, r->count, -1, 0);
}

/* A list that was noted of the table and holds that stretch. */
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

/* Whether the table at the top of the stack has an integer at that index. */
static bool has_integer(lua_State *L, lua_Integer index)
{
	bool const is_integer = lua_rawgeti(L, -1, index) == LUA_TNUMBER && lua_isinteger(L, -1);
	lua_pop(L, 1);
	return is_integer;
}

/* Widens a stretch of integers in the table at the top of the stack by as much on both sides as there are more: other moves
 * look up much the same. */
static void widen(lua_State *L, int64_t *first, size_t *count)
{
	size_t const before = *count;
	for (size_t i = 0; i < before && *first > INT64_MIN && has_integer(L, *first - 1); i++, ++*count)
		--*first;
	for (size_t i = 0; i < before && *first <= INT64_MAX - (int64_t)*count && has_integer(L, *first + (int64_t)*count); i++)
		++*count;
}

bool crux_level_read_list(lua_State *L, int index, int64_t first, size_t count, crux_level_list *list)
{
	int const top = lua_gettop(L);
	uint32_t number;
	crux_level_shape *const s = crux_level_push_shape(L, index, &number);
	if (!s || !s->is_shared) {
		lua_settop(L, top);
		return false;
	}
	crux_reading *r = find_list(s, number, first, count);
	if (!r) {
		lua_getiuservalue(L, top + 1, CRUX_SHAPE_TRACE);
		crux_trace *const trace = crux_traced_check(L, -1)->trace;
		if (crux_trace_varies(trace))
			crux_level_refuse(L, "a lookup in a table");
		crux_level_list found;
		crux_level_push_numbered(L, top + 1, number);
		if (!find_kind(L, first, count, &found))
			crux_level_refuse(L, "a table without a value at the indices that lookup may need");
		if (found.kind == CRUX_INTEGER && !found.may_miss)
			widen(L, &first, &count);
		int64_t *const columns = lua_newuserdatauv(L, (found.shape.words + 1u) * count * sizeof *columns, 0);
		lua_insert(L, -2);
		if (!take_list(L, &found, first, count, columns))
			crux_level_refuse(L, "a table of values of different kinds");
		r = crux_level_add_reading(L, s, CRUX_READ_LIST, number);
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

bool crux_level_fit_list(lua_State *L, const crux_reading *r, int64_t *given)
{
	if (!take_list(L, &r->list, r->first, r->count, given + r->place))
		return false;
	for (size_t i = 0; r->list.kind == CRUX_INTEGER && i < r->count; i++)
		if (given[r->place + i] < r->low || given[r->place + i] > r->high)
			return false;
	return true;
}
