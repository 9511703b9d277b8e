/* libcrux.level_shape: what a step reads of a level while it is traced, so that its program can serve other levels.
 *
 * The step sees a view: tables that stand for those of the level and note what is read. Boards, and the stretches of tables
 * that `lookup` reads, become parameters of the trace; all else (numbers, texts, truth values, nothing, lengths, the order of
 * keys) is noted with its value. A level has the shape when it has these values there, boards of these sizes and numbers within
 * these ranges: then step would do the same operations. What else could decide them, the functions and tables that step reaches
 * by its upvalues, must be as it was, too.
 *
 * A view that is not shared only guards against writes; the values that step reads are the level's own. */
#include <lauxlib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "primitives.h"
#include "search_lua.h"

enum { MAX_TABLES = 200, MAX_READINGS = 20000, MAX_REACHED = 5000 };

typedef enum {
	VALUE,  /* a plain one */
	TABLE,
	BOARD,
	LENGTH,
	KEYS,
	LIST,   /* a stretch that lookup reads */
} reading_kind;

typedef struct reading {
	reading_kind kind;
	uint32_t table;         /* the number of the table that was read */
	uint32_t key, value;    /* of VALUE, BOARD, TABLE: places in NOTED; of TABLE value is its number, of KEYS key is a list */
	size_t place;           /* in what is given, of BOARD and LIST */
	size_t count;           /* of LENGTH and LIST */
	lua_Integer first;      /* of LIST */
	int64_t low, high;
	crux_level_list list;
} reading;

/* User values. The first three are dropped when the shape is complete, with the level. */
enum {
	TRACE = 1,
	TABLES, /* by number: the level's table; by table of the level or view: its number */
	VIEWS,  /* by number: { view, what reads of it gave by key } */
	NOTED,  /* keys and values of readings */
	REACHED, /* functions and tables that step reaches, */
	FOUND,  /* and what was found in them, in order */
	USER_VALUES = FOUND
};

typedef struct shape {
	bool is_shared, is_open;
	reading *readings;
	size_t reading_count, room;
	uint32_t table_count, noted_count;
	int64_t *given;
	size_t given_count;
} shape;

static shape *check(lua_State *L, int index)
{
	return luaL_checkudata(L, index, CRUX_LEVEL_SHAPE_TYPE);
}

/* Why the program can serve no other level. */
static int refuse(lua_State *L, const char *what)
{
	lua_pushfstring(L, "found %s of the level, expected what can be compared with another level's", what);
	return crux_trace_raise(L);
}

static reading *add_reading(lua_State *L, shape *s, reading_kind kind, uint32_t table)
{
	if (s->reading_count == MAX_READINGS)
		luaL_error(L, "found a step that reads more than %d values of the level", MAX_READINGS);
	if (s->reading_count == s->room) {
		size_t const room = 2 * s->room + 16;
		reading *const readings = realloc(s->readings, room * sizeof *readings);
		if (!readings)
			luaL_error(L, "out of memory");
		s->readings = readings;
		s->room = room;
	}
	reading *const r = &s->readings[s->reading_count++];
	*r = (reading){.kind = kind, .table = table};
	return r;
}

/* Pops a value and returns its place in NOTED of the shape at that index. */
static uint32_t note(lua_State *L, shape *s, int index)
{
	lua_getiuservalue(L, index, NOTED);
	lua_insert(L, -2);
	lua_rawseti(L, -2, ++s->noted_count);
	lua_pop(L, 1);
	return s->noted_count;
}

/* The index of the shape in functions of views. */
#define SHAPE lua_upvalueindex(1)

/* The shape of the view at index 1, and the number of the table that it stands for. */
static shape *check_view(lua_State *L, uint32_t *number)
{
	shape *const s = lua_touserdata(L, SHAPE);
	if (!s->is_open) {
		lua_pushliteral(L, "found a level of which nothing is known any more, expected step to keep nothing");
		crux_trace_raise(L);
	}
	lua_getiuservalue(L, SHAPE, TABLES);
	lua_pushvalue(L, 1);
	lua_rawget(L, -2);
	*number = (uint32_t)lua_tointeger(L, -1);
	lua_pop(L, 2);
	return s;
}

/* Pushes the level's table with that number. */
static void push_table(lua_State *L, int shape_index, uint32_t number)
{
	lua_getiuservalue(L, shape_index, TABLES);
	lua_rawgeti(L, -1, number);
	lua_remove(L, -2);
}

/* Pushes the view of the table with that number (item 1), or what reads of it gave (item 2). */
static void push_view(lua_State *L, int shape_index, uint32_t number, int item)
{
	lua_getiuservalue(L, shape_index, VIEWS);
	lua_rawgeti(L, -1, number);
	lua_rawgeti(L, -1, item);
	lua_replace(L, -3);
	lua_pop(L, 1);
}

static int view_index(lua_State *L);
static int view_newindex(lua_State *L);
static int view_len(lua_State *L);
static int view_pairs(lua_State *L);
static int view_next(lua_State *L);

/* Methods of views; `next` serves the sandbox, too. */
static const luaL_Reg view_methods[] = {
	{"__index",    view_index},
	{"__newindex", view_newindex},
	{"__len",      view_len},
	{"__pairs",    view_pairs},
	{"next",       view_next},
	{NULL,         NULL},
};

/* Marks metatables of views, in themselves. */
static const char mark;

/* Pushes the view of the level's table at the top of the stack, in its place; returns its number. Tables with a metatable
 * have none: 0, and the table stays. */
static uint32_t exchange_for_view(lua_State *L, shape *s, int shape_index)
{
	int const table = lua_gettop(L);
	if (lua_getmetatable(L, table)) {
		lua_pop(L, 1);
		return s->is_shared ? (uint32_t)refuse(L, "a table with a metatable") : 0;
	}
	lua_getiuservalue(L, shape_index, TABLES);
	lua_pushvalue(L, table);
	lua_rawget(L, -2);
	uint32_t number = (uint32_t)lua_tointeger(L, -1);
	lua_pop(L, 1);
	if (number == 0) {
		if (s->table_count == MAX_TABLES)
			luaL_error(L, "found a step that reads more than %d tables of the level", MAX_TABLES);
		number = ++s->table_count;
		lua_newtable(L);
		lua_createtable(L, 0, 8);
		lua_pushvalue(L, shape_index);
		luaL_setfuncs(L, view_methods, 1);
		lua_pushboolean(L, false);
		lua_setfield(L, -2, "__metatable");
		lua_pushvalue(L, shape_index);
		lua_rawsetp(L, -2, &mark);
		lua_setmetatable(L, -2);
		lua_pushinteger(L, number);
		lua_pushvalue(L, table);
		lua_pushvalue(L, -2);
		lua_rawset(L, table + 1);
		lua_pushvalue(L, table + 2);
		lua_insert(L, -2);
		lua_rawset(L, table + 1);
		lua_pushvalue(L, table);
		lua_rawseti(L, table + 1, number);
		lua_getiuservalue(L, shape_index, VIEWS);
		lua_createtable(L, 2, 0);
		lua_pushvalue(L, table + 2);
		lua_rawseti(L, -2, 1);
		lua_newtable(L);
		lua_rawseti(L, -2, 2);
		lua_rawseti(L, -2, number);
	}
	lua_settop(L, table);
	push_view(L, shape_index, number, 1);
	lua_replace(L, table);
	return number;
}

/* Makes what was read of a key of a table at the top of the stack what step gets, and notes it. */
static void take_value(lua_State *L, shape *s, uint32_t table, int key)
{
	int const type = lua_type(L, -1);
	bool const is_board = luaL_testudata(L, -1, CRUX_BOARD_TYPE) != NULL;
	bool const is_plain = type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING;
	if (!s->is_shared) {
		if (type == LUA_TTABLE)
			exchange_for_view(L, s, SHAPE);
		return;
	}
	if (!is_plain && !is_board && type != LUA_TTABLE)
		refuse(L, lua_typename(L, type));
	lua_pushvalue(L, key);
	uint32_t const noted = note(L, s, SHAPE);
	uint32_t value = 0;
	if (is_plain) {
		lua_pushvalue(L, -1);
		value = note(L, s, SHAPE);
	} else if (type == LUA_TTABLE) {
		value = exchange_for_view(L, s, SHAPE);
	}
	reading *const r = add_reading(L, s, is_plain ? VALUE : is_board ? BOARD : TABLE, table);
	r->key = noted;
	r->value = value;
	if (!is_board)
		return;
	crux_board_check(L, -1, &r->list.shape);
	lua_getiuservalue(L, SHAPE, TRACE);
	r->place = crux_trace_given(crux_trace_check(L, -1)->trace);
	lua_getfield(L, -1, "given_board");
	lua_insert(L, -3);
	lua_insert(L, -2);
	lua_call(L, 2, 1);
}

static void check_key(lua_State *L, int key)
{
	int const type = lua_type(L, key);
	if (luaL_testudata(L, key, CRUX_SYMBOL_TYPE)) {
		lua_pushliteral(L, "found a value of the state, which differs from state to state, as a key of a table; write lookup(t, x)");
		crux_trace_raise(L);
	}
	if (type != LUA_TSTRING && type != LUA_TNUMBER && type != LUA_TBOOLEAN)
		refuse(L, "another key than a number, a text or a truth value of a table");
}

/* Pushes what step gets for the key at that index of the table with that number, of which the view is at index 1. */
static int push_value(lua_State *L, shape *s, uint32_t number, int key)
{
	check_key(L, key);
	push_view(L, SHAPE, number, 2);
	int const slots = lua_gettop(L);
	lua_pushvalue(L, key);
	if (lua_rawget(L, slots) != LUA_TNIL) {
		if (lua_touserdata(L, -1) == &mark)
			lua_pushnil(L);
		return 1;
	}
	push_table(L, SHAPE, number);
	lua_pushvalue(L, key);
	lua_rawget(L, -2);
	take_value(L, s, number, key);
	lua_pushvalue(L, key);
	if (lua_isnil(L, -2))
		lua_pushlightuserdata(L, (void *)&mark);
	else
		lua_pushvalue(L, -2);
	lua_rawset(L, slots);
	return 1;
}

static int view_index(lua_State *L)
{
	uint32_t number;
	lua_settop(L, 2);
	shape *const s = check_view(L, &number);
	if (!lua_isnil(L, 2))
		push_value(L, s, number, 2);
	return 1;
}

static int view_newindex(lua_State *L)
{
	lua_pushliteral(L, "found a write to the level, expected step to change nothing but the state");
	return crux_trace_raise(L);
}

/* Pushes whether that was noted of the table before, and notes it. */
static bool is_noted(lua_State *L, uint32_t number, const void *what)
{
	push_view(L, SHAPE, number, 2);
	bool const known = lua_rawgetp(L, -1, what) != LUA_TNIL;
	lua_pushboolean(L, true);
	lua_rawsetp(L, -3, what);
	lua_pop(L, 2);
	return known;
}

static int view_len(lua_State *L)
{
	static const char what;
	uint32_t number;
	lua_settop(L, 1);
	shape *const s = check_view(L, &number);
	push_table(L, SHAPE, number);
	size_t const length = lua_rawlen(L, -1);
	if (s->is_shared && !is_noted(L, number, &what))
		add_reading(L, s, LENGTH, number)->count = length;
	lua_pushinteger(L, (lua_Integer)length);
	return 1;
}

/* Notes the keys of the table at the top of the stack, in the order of next. */
static void note_keys(lua_State *L, shape *s, uint32_t number)
{
	static const char what;
	if (!s->is_shared || is_noted(L, number, &what))
		return;
	int const table = lua_gettop(L);
	lua_newtable(L);
	lua_Integer count = 0;
	for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
		check_key(L, -2);
		lua_pushvalue(L, -2);
		lua_rawseti(L, table + 1, ++count);
	}
	uint32_t const keys = note(L, s, SHAPE);
	add_reading(L, s, KEYS, number)->key = keys;
}

/* next(view, key) -> the key after that of the level's table, and its value */
static int view_next(lua_State *L)
{
	uint32_t number;
	lua_settop(L, 2);
	shape *const s = check_view(L, &number);
	push_table(L, SHAPE, number);
	note_keys(L, s, number);
	lua_pushvalue(L, 2);
	if (!lua_next(L, 3)) {
		lua_pushnil(L);
		return 1;
	}
	lua_pop(L, 1);
	lua_replace(L, 2);
	lua_settop(L, 2);
	lua_pushvalue(L, 2);
	push_value(L, s, number, 2);
	lua_pushvalue(L, 2);
	lua_insert(L, -2);
	return 2;
}

static int view_pairs(lua_State *L)
{
	lua_settop(L, 1);
	luaL_getmetafield(L, 1, "next");
	lua_insert(L, 1);
	lua_pushnil(L);
	return 3;
}

/* The shape of the view at that index, which is pushed; NULL, and nothing pushed, when it is none. */
static shape *push_shape(lua_State *L, int index)
{
	if (!lua_istable(L, index) || !lua_getmetatable(L, index))
		return NULL;
	lua_rawgetp(L, -1, &mark);
	lua_remove(L, -2);
	shape *const s = lua_touserdata(L, -1);
	if (!s)
		lua_pop(L, 1);
	return s;
}

/* The number of the table for which the view at that index stands; its shape is at the top of the stack. */
static uint32_t number_of(lua_State *L, int index)
{
	lua_getiuservalue(L, -1, TABLES);
	lua_pushvalue(L, index);
	lua_rawget(L, -2);
	uint32_t const number = (uint32_t)lua_tointeger(L, -1);
	lua_pop(L, 2);
	return number;
}

bool crux_level_push_table(lua_State *L, int index)
{
	shape const *const s = push_shape(L, index);
	if (!s)
		return false;
	push_table(L, lua_gettop(L), number_of(L, index));
	lua_remove(L, -2);
	return true;
}

/* The least number of the form 2^n - 1 that is not below x, which is not negative: a range that other levels' numbers are
 * likely to be in, too. */
static int64_t rounded(int64_t x)
{
	return x == 0 ? 0 : (int64_t)(UINT64_MAX >> __builtin_clzll((uint64_t)x));
}

/* Takes the value at the top of the stack into columns of so many rows, one for each word; false when it is not of the kind.
 * A truth value is 0 or -1. */
static bool take_element(lua_State *L, const crux_level_list *list, int64_t *row, size_t rows)
{
	if (list->kind == CRUX_BOARD) {
		crux_board_shape found;
		if (!luaL_testudata(L, -1, CRUX_BOARD_TYPE))
			return false;
		uint64_t const *const words = crux_board_check(L, -1, &found);
		for (size_t i = 0; i < list->shape.words; i++)
			row[i * rows] = (int64_t)words[i];
		return found.width == list->shape.width && found.height == list->shape.height;
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
			if (luaL_testudata(L, -1, CRUX_BOARD_TYPE))
				crux_board_check(L, -1, &list->shape);
		}
		lua_pop(L, 1);
	}
	return is_found;
}

/* The ranges of the values of a list: those of the level at hand, with some room. */
static void find_range(reading *r, const int64_t *columns)
{
	r->low = r->list.kind == CRUX_INTEGER ? 0 : r->list.kind == CRUX_TRUTH ? -1 : INT64_MIN;
	r->high = r->list.kind == CRUX_BOARD ? INT64_MAX : 0;
	for (size_t i = 0; r->list.kind == CRUX_INTEGER && i < r->count; i++) {
		int64_t const low = columns[i] < 0 ? ~rounded(~columns[i]) : 0, high = columns[i] > 0 ? rounded(columns[i]) : 0;
		r->low = low < r->low ? low : r->low;
		r->high = high > r->high ? high : r->high;
	}
}

/* The cells of a board of that shape that lie in one word. */
static int64_t full_word(crux_board_shape board, size_t word)
{
	static const uint64_t empty[CRUX_BOARD_WORDS];
	uint64_t full[CRUX_BOARD_WORDS];
	crux_board_complement(board, empty, full);
	return (int64_t)full[word];
}

/* Makes the tables of the trace for a list that was noted. */
static void add_tables(crux_trace *trace, reading *r)
{
	r->place = crux_trace_given(trace);
	for (size_t word = 0; word < r->list.shape.words; word++) {
		int64_t const full = r->list.kind == CRUX_BOARD ? full_word(r->list.shape, word) : -1;
		size_t const table = crux_trace_parameter_table(trace, r->first, r->count, full >= 0 ? 0 : r->low, full >= 0 ? full : r->high);
		r->list.table = word == 0 ? table : r->list.table;
	}
	if (r->list.may_miss)
		crux_trace_parameter_table(trace, r->first, r->count, -1, 0);
}

/* A list that was noted of the table and holds that stretch. */
static reading *find_list(const shape *s, uint32_t table, lua_Integer first, size_t count)
{
	for (size_t i = 0; i < s->reading_count; i++) {
		reading *const r = &s->readings[i];
		if (r->kind == LIST && r->table == table && r->first <= first && first + (lua_Integer)count <= r->first + (lua_Integer)r->count)
			return r;
	}
	return NULL;
}

bool crux_level_read_list(lua_State *L, int index, int64_t first, size_t count, crux_level_list *list)
{
	int const top = lua_gettop(L);
	shape *const s = push_shape(L, index);
	if (!s || !s->is_shared) {
		lua_settop(L, top);
		return false;
	}
	uint32_t const number = number_of(L, index);
	reading *r = find_list(s, number, first, count);
	if (!r) {
		crux_level_list found;
		push_table(L, top + 1, number);
		if (!find_kind(L, first, count, &found))
			refuse(L, "a table without a value at the indices that lookup may need");
		int64_t *const columns = lua_newuserdatauv(L, (found.shape.words + 1u) * count * sizeof *columns, 0);
		lua_insert(L, -2);
		if (!take_list(L, &found, first, count, columns))
			refuse(L, "a table of values of different kinds");
		r = add_reading(L, s, LIST, number);
		r->first = first;
		r->count = count;
		r->list = found;
		find_range(r, columns);
		lua_getiuservalue(L, top + 1, TRACE);
		add_tables(crux_trace_check(L, -1)->trace, r);
	}
	*list = r->list;
	lua_settop(L, top);
	return true;
}

/* In the registry: functions that depend on nothing that changes, as keys. */
static const char trusted;

/* Whether the function at the top of the stack is C, which no script reaches into, or trusted. */
static bool is_trusted(lua_State *L)
{
	if (lua_iscfunction(L, -1))
		return true;
	if (lua_rawgetp(L, LUA_REGISTRYINDEX, &trusted) == LUA_TNIL) {
		lua_pop(L, 1);
		return false;
	}
	lua_pushvalue(L, -2);
	bool const found = lua_rawget(L, -2) != LUA_TNIL;
	lua_pop(L, 2);
	return found;
}

/* Trusts the functions in the table at the top of the stack, and in tables in it. */
static void trust(lua_State *L, int trusted_index)
{
	luaL_checkstack(L, 10, NULL);
	int const table = lua_gettop(L);
	lua_pushvalue(L, table);
	lua_pushboolean(L, true);
	lua_rawset(L, trusted_index);
	for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
		lua_pushvalue(L, -1);
		bool const is_known = lua_rawget(L, trusted_index) != LUA_TNIL;
		lua_pop(L, 1);
		if (lua_istable(L, -1) && !is_known)
			trust(L, trusted_index);
		if (!lua_isfunction(L, -1))
			continue;
		lua_pushvalue(L, -1);
		lua_pushboolean(L, true);
		lua_rawset(L, trusted_index);
	}
}

/* Compares the value at the top of the stack, which is popped, with the next one of those that step reaches, or, when these
 * are collected, adds it. The shape's lists REACHED and FOUND are at indices 1 and 2 above the base, and a table of what was
 * reached at 3. */
static bool take_reached(lua_State *L, int base, bool is_new, lua_Integer *found, lua_Integer *reached)
{
	int const type = lua_type(L, -1);
	bool is_same = true;
	++*found;
	if (is_new) {
		lua_pushvalue(L, -1);
		lua_rawseti(L, base + 2, *found);
	} else {
		lua_rawgeti(L, base + 2, *found);
		is_same = lua_rawequal(L, -1, -2) && lua_isinteger(L, -1) == lua_isinteger(L, -2);
		lua_pop(L, 1);
	}
	if (is_new && (type == LUA_TTABLE || (type == LUA_TFUNCTION && !is_trusted(L)))) {
		lua_pushvalue(L, -1);
		bool const is_known = lua_rawget(L, base + 3) != LUA_TNIL;
		lua_pop(L, 1);
		if (!is_known) {
			lua_pushvalue(L, -1);
			lua_pushboolean(L, true);
			lua_rawset(L, base + 3);
			lua_pushvalue(L, -1);
			lua_rawseti(L, base + 1, ++*reached);
		}
	}
	lua_pop(L, 1);
	return is_same;
}

/* Goes through one function or table, at the top of the stack. */
static bool take_contents(lua_State *L, int base, bool is_new, lua_Integer *found, lua_Integer *reached)
{
	int const from = lua_gettop(L);
	bool is_same = true;
	if (lua_isfunction(L, from)) {
		for (int i = 1; is_same && lua_getupvalue(L, from, i); i++)
			is_same = take_reached(L, base, is_new, found, reached);
	} else {
		if (!lua_getmetatable(L, from))
			lua_pushnil(L);
		is_same = take_reached(L, base, is_new, found, reached);
		for (lua_pushnil(L); is_same && *found < MAX_REACHED && lua_next(L, from);) {
			is_same = take_reached(L, base, is_new, found, reached);
			if (is_same) {
				lua_pushvalue(L, -1);
				is_same = take_reached(L, base, is_new, found, reached);
			}
		}
		lua_settop(L, from);
	}
	lua_pushlightuserdata(L, (void *)&mark); /* that is all */
	is_same = is_same && take_reached(L, base, is_new, found, reached);
	lua_settop(L, from);
	return is_same;
}

/* Goes through all that step reaches; it is at the first place of REACHED of the shape at that index. False when that is not as
 * it was, or, the first time, too much. */
static bool take_all(lua_State *L, int shape_index, bool is_new)
{
	int const base = lua_gettop(L);
	lua_getiuservalue(L, shape_index, REACHED);
	lua_getiuservalue(L, shape_index, FOUND);
	if (is_new)
		lua_newtable(L);
	else
		lua_pushnil(L);
	lua_Integer found = 0, reached = (lua_Integer)lua_rawlen(L, base + 1);
	bool is_same = true;
	for (lua_Integer i = 1; is_same && i <= reached; i++) {
		lua_rawgeti(L, base + 1, i);
		is_same = take_contents(L, base, is_new, &found, &reached) && found < MAX_REACHED;
		lua_settop(L, base + 3);
	}
	lua_settop(L, base);
	return is_same;
}

/* new(trace, level, step, is shared) -> shape, view */
static int shape_new(lua_State *L)
{
	crux_trace_check(L, 1);
	luaL_checktype(L, 2, LUA_TTABLE);
	luaL_checktype(L, 3, LUA_TFUNCTION);
	lua_settop(L, 4);
	shape *const s = lua_newuserdatauv(L, sizeof *s, USER_VALUES);
	*s = (shape){.is_shared = lua_toboolean(L, 4), .is_open = true};
	luaL_setmetatable(L, CRUX_LEVEL_SHAPE_TYPE);
	lua_pushvalue(L, 1);
	lua_setiuservalue(L, 5, TRACE);
	for (int i = TABLES; i <= FOUND; i++) {
		lua_newtable(L);
		lua_setiuservalue(L, 5, i);
	}
	lua_getiuservalue(L, 5, REACHED);
	lua_pushvalue(L, 3);
	lua_rawseti(L, -2, 1);
	lua_pop(L, 1);
	if (!take_all(L, 5, true) && s->is_shared)
		return luaL_error(L, "found a step that reaches more than %d values", MAX_REACHED);
	lua_pushvalue(L, 2);
	exchange_for_view(L, s, 5);
	return 2;
}

/* Whether step reaches a table of the level by another way, so that it could tell it from its view. */
static bool reaches_level(lua_State *L)
{
	lua_getiuservalue(L, 1, REACHED);
	lua_getiuservalue(L, 1, TABLES);
	for (lua_Integer i = 1; lua_rawgeti(L, 2, i) != LUA_TNIL; i++) {
		if (lua_rawget(L, 3) != LUA_TNIL)
			return true;
		lua_pop(L, 1);
	}
	lua_settop(L, 1);
	return false;
}

/* shape:finish() -> whether step could not tell the view from the level, and, when it is shared, changed nothing that it
 * reaches. The views are of no use from then on. */
static int shape_finish(lua_State *L)
{
	shape *const s = check(L, 1);
	lua_settop(L, 1);
	s->is_open = false;
	bool const is_right = !reaches_level(L) && (!s->is_shared || take_all(L, 1, false));
	lua_settop(L, 1);
	lua_getiuservalue(L, 1, TRACE);
	s->given_count = crux_trace_given(crux_trace_check(L, -1)->trace);
	s->given = calloc(s->given_count + 1, sizeof *s->given);
	if (!s->given)
		return luaL_error(L, "out of memory");
	for (int i = TRACE; i <= VIEWS; i++) {
		lua_pushnil(L);
		lua_setiuservalue(L, 1, i);
	}
	lua_pushboolean(L, is_right);
	return 1;
}

/* Whether the value at the top of the stack is the one that was noted there; the notes are at index 3. */
static bool is_value(lua_State *L, uint32_t noted)
{
	lua_rawgeti(L, 3, noted);
	return lua_rawequal(L, -1, -2) && lua_isinteger(L, -1) == lua_isinteger(L, -2);
}

/* Takes the table at the top of the stack as the one with that number; tables follow from index 4 on. */
static bool is_table(lua_State *L, uint32_t number)
{
	if (!lua_istable(L, -1) || lua_getmetatable(L, -1))
		return false;
	void const *const table = lua_topointer(L, -1);
	uint32_t const known = (uint32_t)lua_gettop(L) - 4;
	for (uint32_t i = 1; i <= known; i++)
		if ((lua_topointer(L, 3 + (int)i) == table) != (i == number))
			return false;
	return number <= known + 1;
}

/* Whether the table at the top of the stack has the keys of the list that was noted there, in that order. */
static bool has_keys(lua_State *L, uint32_t noted)
{
	int const table = lua_gettop(L);
	lua_rawgeti(L, 3, noted);
	lua_Integer count = 0;
	for (lua_pushnil(L); lua_next(L, table);) {
		lua_pop(L, 1);
		lua_rawgeti(L, table + 1, ++count);
		bool const is_same = lua_rawequal(L, -1, -2);
		lua_pop(L, 1);
		if (!is_same)
			return false;
	}
	return count == (lua_Integer)lua_rawlen(L, table + 1);
}

/* Reads the list that was noted from the table at the top of the stack. */
static bool fits_list(lua_State *L, shape *s, const reading *r)
{
	if (!take_list(L, &r->list, r->first, r->count, s->given + r->place))
		return false;
	for (size_t i = 0; r->list.kind == CRUX_INTEGER && i < r->count; i++)
		if (s->given[r->place + i] < r->low || s->given[r->place + i] > r->high)
			return false;
	return true;
}

/* Whether the level is as a reading says. What it reads is left at the top of the stack. */
static bool fits_reading(lua_State *L, shape *s, const reading *r)
{
	lua_pushvalue(L, 3 + (int)r->table);
	if (r->kind == LENGTH)
		return lua_rawlen(L, -1) == r->count;
	if (r->kind == KEYS)
		return has_keys(L, r->key);
	if (r->kind == LIST)
		return fits_list(L, s, r);
	lua_rawgeti(L, 3, r->key);
	lua_rawget(L, -2);
	lua_remove(L, -2);
	if (r->kind == VALUE)
		return is_value(L, r->value);
	if (r->kind == TABLE)
		return is_table(L, r->value);
	if (!luaL_testudata(L, -1, CRUX_BOARD_TYPE))
		return false;
	crux_board_shape found;
	memcpy(s->given + r->place, crux_board_check(L, -1, &found), r->list.shape.words * sizeof *s->given);
	return found.width == r->list.shape.width && found.height == r->list.shape.height;
}

/* shape:fits(level) -> whether the level has the shape; then it is the one that the shape has the numbers of */
static int shape_fits(lua_State *L)
{
	shape *const s = check(L, 1);
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_settop(L, 2);
	luaL_checkstack(L, MAX_TABLES + 20, NULL);
	lua_getiuservalue(L, 1, NOTED);
	lua_pushvalue(L, 2);
	bool fits = s->given && is_table(L, 1);
	for (size_t i = 0; fits && i < s->reading_count; i++) {
		int const tables = lua_gettop(L);
		reading const *const r = &s->readings[i];
		fits = fits_reading(L, s, r);
		bool const is_new = fits && r->kind == TABLE && r->value == (uint32_t)tables - 2;
		lua_settop(L, tables + is_new);
	}
	lua_settop(L, 2);
	lua_pushboolean(L, fits && take_all(L, 1, false));
	return 1;
}

const int64_t *crux_level_given(lua_State *L, int index)
{
	shape const *const s = check(L, index);
	luaL_argcheck(L, s->given, index, "the shape is not finished");
	return s->given;
}

static int shape_release(lua_State *L)
{
	shape *const s = check(L, 1);
	free(s->readings);
	free(s->given);
	*s = (shape){.is_shared = false};
	return 0;
}

/* Calls upvalue 1, a raw function, with the level's table in place of a view; with a view, `next` is the view's. */
static int without_views(lua_State *L)
{
	int const count = lua_gettop(L);
	if (count > 0 && push_shape(L, 1)) {
		lua_pop(L, 1);
		if (luaL_getmetafield(L, 1, lua_tostring(L, lua_upvalueindex(2))) == LUA_TNIL)
			return refuse(L, "a raw write");
	} else {
		lua_pushvalue(L, lua_upvalueindex(1));
	}
	lua_insert(L, 1);
	lua_call(L, count, LUA_MULTRET);
	return lua_gettop(L);
}

/* guard(environment): makes next, rawget, rawlen and rawset of a script's environment, in which it did not run yet, treat views
 * as the tables for which they stand; all functions there are trusted to depend on nothing that changes */
static int guard(lua_State *L)
{
	static const char *const names[][2] = {{"next", "next"}, {"rawget", "__index"}, {"rawlen", "__len"}, {"rawset", "__newindex"}};
	luaL_checktype(L, 1, LUA_TTABLE);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		lua_getfield(L, 1, names[i][0]);
		lua_pushstring(L, names[i][1]);
		lua_pushcclosure(L, without_views, 2);
		lua_setfield(L, 1, names[i][0]);
	}
	if (lua_rawgetp(L, LUA_REGISTRYINDEX, &trusted) == LUA_TNIL) {
		lua_newtable(L);
		lua_createtable(L, 0, 1);
		lua_pushliteral(L, "k");
		lua_setfield(L, -2, "__mode");
		lua_setmetatable(L, -2);
		lua_pushvalue(L, -1);
		lua_rawsetp(L, LUA_REGISTRYINDEX, &trusted);
		lua_replace(L, -2);
	}
	lua_pushvalue(L, 1);
	trust(L, lua_gettop(L) - 1);
	return 0;
}

static const luaL_Reg metamethods[] = {
	{"__gc", shape_release},
	{NULL,   NULL},
};

static const luaL_Reg methods[] = {
	{"finish", shape_finish},
	{"fits",   shape_fits},
	{NULL,     NULL},
};

static const luaL_Reg functions[] = {
	{"new",   shape_new},
	{"guard", guard},
	{NULL,    NULL},
};

int crux_open_level_shape(lua_State *L)
{
	luaL_newmetatable(L, CRUX_LEVEL_SHAPE_TYPE);
	luaL_setfuncs(L, metamethods, 0);
	luaL_newlib(L, methods);
	lua_setfield(L, -2, "__index");
	luaL_newlib(L, functions);
	return 1;
}
