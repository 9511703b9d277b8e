/* libcrux.trace: values of a state that are not known, for a step that is called once for all states.
 *
 * Such a symbolic value is an integer, a truth value or a board; it takes the operators and words of the vocabulary, also
 * together with plain values, and records them. What would need to know it (a comparison by <, a loop over the cells of a
 * board) raises at the script's line and says what to write instead. Lua offers no way to see `if`, `and`, `or`, `not`,
 * `x == 3` and `t[x]`: results are to be compared with those of plain values. */
#include <lauxlib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "primitives.h"
#include "search_lua.h"

/* Upvalues of all functions: the metatable of symbolic values, and a table of all traces by their addresses, which does not
 * keep them. */
enum { METATABLE = 1, TRACES };

/* An operand. */
typedef struct value {
	crux_value_kind kind;
	crux_board_shape shape; /* of a board; else words is 1 */
	crux_node nodes[CRUX_BOARD_WORDS];
} value;

typedef struct symbol {
	crux_traced *owner; /* user value 1 keeps it */
	crux_value_kind kind;
	crux_board_shape shape;
	crux_node nodes[];
} symbol;

/* Pushes the script's line. */
static void push_line(lua_State *L)
{
	lua_Debug about;
	for (int level = 1; lua_getstack(L, level, &about); level++) {
		lua_getinfo(L, "Sl", &about);
		if (about.currentline > 0) {
			lua_pushfstring(L, "%s:%d: ", about.short_src, about.currentline);
			return;
		}
	}
	lua_pushliteral(L, "");
}

int crux_trace_raise(lua_State *L)
{
	push_line(L);
	lua_insert(L, -2);
	lua_concat(L, 2);
	return lua_error(L);
}

static int refuse(lua_State *L, const char *word, int count, const char *expected)
{
	lua_pushfstring(L, "%s: found ", crux_word_shown(word));
	for (int i = 1; i <= count; i++) {
		lua_pushstring(L, i == 1 ? "" : " and ");
		crux_push_shown(L, i);
		lua_concat(L, 3);
	}
	lua_pushfstring(L, ", expected %s", expected);
	lua_concat(L, 2);
	return crux_trace_raise(L);
}

crux_traced *crux_trace_check(lua_State *L, int index)
{
	crux_traced *traced = luaL_checkudata(L, index, CRUX_TRACE_TYPE);
	luaL_argcheck(L, traced->trace, index, "the trace was closed");
	return traced;
}

/* The symbolic value at that index; NULL when it is none. */
static const symbol *to_symbol(lua_State *L, int index)
{
	if (!lua_getmetatable(L, index))
		return NULL;
	bool const is_symbol = lua_rawequal(L, -1, lua_upvalueindex(METATABLE));
	lua_pop(L, 1);
	return is_symbol ? lua_touserdata(L, index) : NULL;
}

/* The trace that the first symbolic value among the arguments belongs to. */
static crux_traced *owner_of(lua_State *L, int count)
{
	for (int i = 1; i <= count; i++) {
		symbol const *const s = to_symbol(L, i);
		if (s && s->owner->trace)
			return s->owner;
	}
	lua_pushliteral(L, "found a value of a state of which nothing is known any more, expected step to keep nothing");
	crux_trace_raise(L);
	return NULL;
}

/* Reads an operand; false when it is none, or belongs to another trace. */
static bool read(lua_State *L, crux_traced *traced, int index, value *to)
{
	*to = (value){.shape.words = 1};
	symbol const *const s = to_symbol(L, index);
	if (s) {
		to->kind = s->kind;
		to->shape = s->shape;
		memcpy(to->nodes, s->nodes, s->shape.words * sizeof *s->nodes);
		return s->owner == traced;
	}
	if (lua_isinteger(L, index)) {
		to->nodes[0] = crux_trace_constant(traced->trace, lua_tointeger(L, index));
	} else if (lua_isboolean(L, index)) {
		to->kind = CRUX_TRUTH;
		to->nodes[0] = crux_trace_constant(traced->trace, -lua_toboolean(L, index));
	} else if (luaL_testudata(L, index, CRUX_BOARD_TYPE)) {
		uint64_t const *const words = crux_board_check(L, index, &to->shape);
		to->kind = CRUX_BOARD;
		for (size_t i = 0; i < to->shape.words; i++)
			to->nodes[i] = crux_trace_constant(traced->trace, (int64_t)words[i]);
	} else {
		return false;
	}
	return true;
}

static bool is_constant(const crux_traced *traced, const value *v)
{
	for (size_t i = 0; i < v->shape.words; i++)
		if (crux_trace_at(traced->trace, v->nodes[i])->operation != CRUX_CONSTANT)
			return false;
	return true;
}

/* Notes the script's line with all nodes that are new. */
static void note_line(lua_State *L, crux_traced *traced)
{
	lua_rawgetp(L, lua_upvalueindex(TRACES), traced);
	lua_getiuservalue(L, -1, 1);
	push_line(L);
	for (; traced->noted < crux_trace_count(traced->trace); traced->noted++) {
		lua_pushvalue(L, -1);
		lua_rawseti(L, -3, traced->noted);
	}
	lua_pop(L, 3);
}

/* Pushes a value: a plain one when it is known after all. A number or truth value that only the level decides is what it is on
 * the level at hand: the script may go by it. */
static int push(lua_State *L, crux_traced *traced, const value *from)
{
	value known = *from;
	value const *const v = &known;
	if (traced->notes_lines)
		note_line(L, traced);
	crux_trace_node const first_node = *crux_trace_at(traced->trace, v->nodes[0]);
	if (v->kind != CRUX_BOARD && first_node.is_uniform && first_node.operation != CRUX_CONSTANT) {
		crux_trace_assume(traced->trace, v->nodes[0]);
		known.nodes[0] = crux_trace_constant(traced->trace, first_node.value);
	}
	if (crux_trace_failed(traced->trace)) {
		lua_pushliteral(L, "found a step of too many operations, expected fewer");
		return crux_trace_raise(L);
	}
	if (is_constant(traced, v)) {
		int64_t const first = crux_trace_at(traced->trace, v->nodes[0])->low;
		if (v->kind == CRUX_INTEGER)
			lua_pushinteger(L, first);
		else if (v->kind == CRUX_TRUTH)
			lua_pushboolean(L, first != 0);
		if (v->kind != CRUX_BOARD)
			return 1;
		uint64_t *const words = crux_board_push(L, v->shape);
		for (size_t i = 0; i < v->shape.words; i++)
			words[i] = (uint64_t)crux_trace_at(traced->trace, v->nodes[i])->low;
		return 1;
	}
	symbol *const s = lua_newuserdatauv(L, sizeof *s + v->shape.words * sizeof *s->nodes, 1);
	lua_rawgetp(L, lua_upvalueindex(TRACES), traced);
	lua_setiuservalue(L, -2, 1);
	s->owner = traced;
	s->kind = v->kind;
	s->shape = v->shape;
	memcpy(s->nodes, v->nodes, v->shape.words * sizeof *s->nodes);
	lua_pushvalue(L, lua_upvalueindex(METATABLE));
	lua_setmetatable(L, -2);
	return 1;
}

static crux_node apply(crux_traced *traced, crux_operation operation, crux_node a, crux_node b)
{
	return crux_trace_apply(traced->trace, operation, a, b, 0);
}

static crux_node complement(crux_traced *traced, crux_node a)
{
	return apply(traced, CRUX_XOR, a, crux_trace_constant(traced->trace, -1));
}

static bool are_alike(const value *a, const value *b)
{
	return a->kind == b->kind && a->shape.width == b->shape.width && a->shape.height == b->shape.height;
}

/* Reads the first two arguments. */
static crux_traced *read_pair(lua_State *L, const char *word, value *a, value *b, const char *expected)
{
	crux_traced *const traced = owner_of(L, 2);
	if (!read(L, traced, 1, a) || !read(L, traced, 2, b))
		refuse(L, word, 2, expected);
	return traced;
}

static int combine_words(lua_State *L, crux_traced *traced, crux_operation operation, value *a, const value *b)
{
	for (size_t i = 0; i < a->shape.words; i++)
		a->nodes[i] = apply(traced, operation, a->nodes[i], b->nodes[i]);
	return push(L, traced, a);
}

static int combine_bits(lua_State *L, const char *event, crux_operation operation)
{
	static const char expected[] = "two integers, truth values or boards of the same size";
	value a, b;
	crux_traced *const traced = read_pair(L, event, &a, &b, expected);
	if (!are_alike(&a, &b))
		return refuse(L, event, 2, expected);
	return combine_words(L, traced, operation, &a, &b);
}

static int symbol_band(lua_State *L)
{
	return combine_bits(L, "__band", CRUX_AND);
}

static int symbol_bor(lua_State *L)
{
	return combine_bits(L, "__bor", CRUX_OR);
}

static int symbol_bxor(lua_State *L)
{
	return combine_bits(L, "__bxor", CRUX_XOR);
}

/* The cells of a board of that shape that lie in one word. */
static int64_t full_word(crux_board_shape shape, size_t word)
{
	static const uint64_t empty[CRUX_BOARD_WORDS];
	uint64_t full[CRUX_BOARD_WORDS];
	crux_board_complement(shape, empty, full);
	return (int64_t)full[word];
}

static int symbol_bnot(lua_State *L)
{
	value a;
	crux_traced *const traced = owner_of(L, 1);
	read(L, traced, 1, &a);
	for (size_t i = 0; i < a.shape.words; i++) {
		crux_node const full = a.kind == CRUX_BOARD ? crux_trace_constant(traced->trace, full_word(a.shape, i)) : 0;
		a.nodes[i] = a.kind == CRUX_BOARD ? apply(traced, CRUX_AND_NOT, full, a.nodes[i]) : complement(traced, a.nodes[i]);
	}
	return push(L, traced, &a);
}

static int combine_integers(lua_State *L, const char *event, crux_operation operation)
{
	value a, b;
	crux_traced *const traced = read_pair(L, event, &a, &b, "two integers");
	if (a.kind != CRUX_INTEGER || b.kind != CRUX_INTEGER)
		return refuse(L, event, 2, "two integers");
	return combine_words(L, traced, operation, &a, &b);
}

static int symbol_add(lua_State *L)
{
	return combine_integers(L, "__add", CRUX_ADD);
}

static int symbol_mul(lua_State *L)
{
	return combine_integers(L, "__mul", CRUX_MULTIPLY);
}

/* Of boards: the cells of the first that the second has not. */
static int symbol_sub(lua_State *L)
{
	static const char expected[] = "two integers or boards of the same size";
	value a, b;
	crux_traced *const traced = read_pair(L, "__sub", &a, &b, expected);
	if (!are_alike(&a, &b) || a.kind == CRUX_TRUTH)
		return refuse(L, "__sub", 2, expected);
	return combine_words(L, traced, a.kind == CRUX_BOARD ? CRUX_AND_NOT : CRUX_SUBTRACT, &a, &b);
}

static int symbol_unm(lua_State *L)
{
	value a;
	crux_traced *const traced = owner_of(L, 1);
	read(L, traced, 1, &a);
	if (a.kind != CRUX_INTEGER)
		return refuse(L, "__unm", 1, "an integer");
	a.nodes[0] = apply(traced, CRUX_SUBTRACT, 0, a.nodes[0]);
	return push(L, traced, &a);
}

/* As Lua shifts: back by a negative number of places, and by 64 or more nothing is left. */
static int shift_bits(lua_State *L, const char *event, crux_operation operation, crux_operation opposite)
{
	value a, b;
	crux_traced *const traced = read_pair(L, event, &a, &b, "two integers");
	if (a.kind != CRUX_INTEGER || b.kind != CRUX_INTEGER)
		return refuse(L, event, 2, "two integers");
	crux_trace_node const by = *crux_trace_at(traced->trace, b.nodes[0]);
	if (by.operation == CRUX_CONSTANT && (by.low >= 64 || by.low <= -64)) {
		a.nodes[0] = 0;
	} else if (by.operation == CRUX_CONSTANT && by.low < 0) {
		a.nodes[0] = apply(traced, opposite, a.nodes[0], crux_trace_constant(traced->trace, -by.low));
	} else if (by.low < 0 || by.high > 63) {
		lua_pushfstring(L, "%s: found a number of places that may be from %I to %I, expected 0 to 63", crux_word_shown(event),
		                (LUAI_UACINT)by.low, (LUAI_UACINT)by.high);
		return crux_trace_raise(L);
	} else {
		a.nodes[0] = apply(traced, operation, a.nodes[0], b.nodes[0]);
	}
	return push(L, traced, &a);
}

static int symbol_shl(lua_State *L)
{
	return shift_bits(L, "__shl", CRUX_SHIFT_LEFT, CRUX_SHIFT_RIGHT);
}

static int symbol_shr(lua_State *L)
{
	return shift_bits(L, "__shr", CRUX_SHIFT_RIGHT, CRUX_SHIFT_LEFT);
}

/* What cannot be known yet; upvalue 1: what to write instead. */
static int unknown(lua_State *L)
{
	lua_pushfstring(L, "found a value of the state, which differs from state to state: %s",
	                lua_tostring(L, lua_upvalueindex(1)));
	return crux_trace_raise(L);
}

static int word_where(lua_State *L)
{
	static const char expected[] = "a truth value and two integers, truth values or boards of the same size";
	crux_traced *const traced = owner_of(L, 3);
	value condition, a, b;
	if (!read(L, traced, 1, &condition) || !read(L, traced, 2, &a) || !read(L, traced, 3, &b) || condition.kind != CRUX_TRUTH ||
	    !are_alike(&a, &b))
		return refuse(L, "where", 3, expected);
	for (size_t i = 0; i < a.shape.words; i++)
		a.nodes[i] = crux_trace_apply(traced->trace, CRUX_SELECT, condition.nodes[0], a.nodes[i], b.nodes[i]);
	return push(L, traced, &a);
}

static int push_truth(lua_State *L, crux_traced *traced, crux_node node)
{
	value const truth = {.kind = CRUX_TRUTH, .shape.words = 1, .nodes = {node}};
	return push(L, traced, &truth);
}

static int has_any(lua_State *L, const char *word, crux_operation comparison)
{
	value a;
	crux_traced *const traced = owner_of(L, 1);
	read(L, traced, 1, &a);
	if (a.kind == CRUX_TRUTH)
		return refuse(L, word, 1, "an integer or a board");
	crux_node all = 0;
	for (size_t i = 0; i < a.shape.words; i++)
		all = apply(traced, CRUX_OR, all, a.nodes[i]);
	return push_truth(L, traced, apply(traced, comparison, all, 0));
}

static int word_any(lua_State *L)
{
	return has_any(L, "any", CRUX_UNEQUAL);
}

static int word_none(lua_State *L)
{
	return has_any(L, "none", CRUX_EQUAL);
}

/* Boards of different sizes are not equal. */
static int compare(lua_State *L, const char *word, bool same)
{
	static const char expected[] = "two integers, truth values or boards";
	value a, b;
	crux_traced *const traced = read_pair(L, word, &a, &b, expected);
	if (a.kind != b.kind)
		return refuse(L, word, 2, expected);
	crux_node equal = crux_trace_constant(traced->trace, are_alike(&a, &b) ? -1 : 0);
	for (size_t i = 0; equal && i < a.shape.words; i++)
		equal = apply(traced, CRUX_AND, equal, apply(traced, CRUX_EQUAL, a.nodes[i], b.nodes[i]));
	return push_truth(L, traced, same ? equal : complement(traced, equal));
}

static int word_eq(lua_State *L)
{
	return compare(L, "eq", true);
}

static int word_ne(lua_State *L)
{
	return compare(L, "ne", false);
}

static int order(lua_State *L, const char *word, crux_operation operation, bool swapped)
{
	value a, b;
	crux_traced *const traced = read_pair(L, word, &a, &b, "two integers");
	if (a.kind != CRUX_INTEGER || b.kind != CRUX_INTEGER)
		return refuse(L, word, 2, "two integers");
	return push_truth(L, traced,
	                  swapped ? apply(traced, operation, b.nodes[0], a.nodes[0]) : apply(traced, operation, a.nodes[0], b.nodes[0]));
}

static int word_lt(lua_State *L)
{
	return order(L, "lt", CRUX_LESS, false);
}

static int word_le(lua_State *L)
{
	return order(L, "le", CRUX_LESS_EQUAL, false);
}

static int word_gt(lua_State *L)
{
	return order(L, "gt", CRUX_LESS, true);
}

static int word_ge(lua_State *L)
{
	return order(L, "ge", CRUX_LESS_EQUAL, true);
}

static int extreme(lua_State *L, const char *word, crux_operation operation)
{
	int const count = lua_gettop(L);
	crux_traced *const traced = owner_of(L, count);
	value best = {.shape.words = 1}, next;
	for (int i = 1; i <= count; i++) {
		if (!read(L, traced, i, &next) || next.kind != CRUX_INTEGER)
			return refuse(L, word, count, "integers");
		best.nodes[0] = i == 1 ? next.nodes[0] : apply(traced, operation, best.nodes[0], next.nodes[0]);
	}
	return push(L, traced, &best);
}

static int word_min(lua_State *L)
{
	return extreme(L, "min", CRUX_MIN);
}

static int word_max(lua_State *L)
{
	return extreme(L, "max", CRUX_MAX);
}

static int of_integer(lua_State *L, const char *word, crux_operation operation)
{
	value a;
	crux_traced *const traced = owner_of(L, 1);
	read(L, traced, 1, &a);
	if (a.kind != CRUX_INTEGER)
		return refuse(L, word, 1, "an integer");
	a.nodes[0] = apply(traced, operation, a.nodes[0], 0);
	return push(L, traced, &a);
}

static int word_abs(lua_State *L)
{
	return of_integer(L, "abs", CRUX_ABS);
}

static int word_sgn(lua_State *L)
{
	return of_integer(L, "sgn", CRUX_SIGN);
}

static int word_count(lua_State *L)
{
	value a;
	crux_traced *const traced = owner_of(L, 1);
	read(L, traced, 1, &a);
	if (a.kind == CRUX_TRUTH)
		return refuse(L, "count", 1, "an integer or a board");
	value sum = {.shape.words = 1};
	for (size_t i = 0; i < a.shape.words; i++)
		sum.nodes[0] = apply(traced, CRUX_ADD, sum.nodes[0], apply(traced, CRUX_COUNT, a.nodes[i], 0));
	return push(L, traced, &sum);
}

/* Reads the value on the top of the stack, of a table; false unless it is known and fits. */
static bool read_element(lua_State *L, crux_traced *traced, value *to)
{
	return read(L, traced, -1, to) && is_constant(traced, to);
}

/* The first value that the table at index 1 has at so many indices from first on. */
static bool find_element(lua_State *L, crux_traced *traced, int64_t first, size_t count, value *to)
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

/* Reads what the table has there into columns, one for each word of its values, which are to be like a value. Where there is
 * none, `missing` becomes -1. */
static bool read_table(lua_State *L, crux_traced *traced, int64_t first, size_t count, const value *like, int64_t *columns,
                       int64_t *missing)
{
	for (size_t i = 0; i < count; i++) {
		value v = *like;
		missing[i] = lua_geti(L, 1, (lua_Integer)(first + (int64_t)i)) == LUA_TNIL ? -1 : 0;
		if (!missing[i] && (!read_element(L, traced, &v) || !are_alike(&v, like)))
			return false;
		for (size_t word = 0; word < v.shape.words; word++)
			columns[word * count + i] = crux_trace_at(traced->trace, v.nodes[word])->low;
		lua_pop(L, 1);
	}
	return true;
}

/* Pushes the value at an index in what was read of a level's table. */
static int lookup_parameter(lua_State *L, crux_traced *traced, crux_node index, const crux_level_list *list)
{
	value v = {.kind = list->kind, .shape = list->shape};
	size_t const words = list->shape.words;
	for (size_t i = 0; i < words; i++)
		v.nodes[i] = crux_trace_lookup_parameter(traced->trace, list->table + i, index);
	if (list->may_miss)
		traced->wrong = apply(traced, CRUX_OR, traced->wrong, crux_trace_lookup_parameter(traced->trace, list->table + words, index));
	return push(L, traced, &v);
}

static int word_lookup(lua_State *L)
{
	crux_traced *const traced = owner_of(L, 2);
	value index, like = {.shape.words = 1};
	if (!lua_istable(L, 1) || !read(L, traced, 2, &index) || index.kind != CRUX_INTEGER)
		return refuse(L, "lookup", 2, "a table of the level and an integer");
	int64_t const first = crux_trace_at(traced->trace, index.nodes[0])->low;
	int64_t const last = crux_trace_at(traced->trace, index.nodes[0])->high;
	if ((uint64_t)last - (uint64_t)first >= CRUX_TRACE_MAX_TABLE) {
		lua_pushfstring(L, "lookup: found an index that may be from %I to %I, expected a range of at most %d", (LUAI_UACINT)first,
		                (LUAI_UACINT)last, CRUX_TRACE_MAX_TABLE);
		return crux_trace_raise(L);
	}
	size_t const count = (size_t)(last - first + 1);
	crux_level_list list;
	if (crux_level_read_list(L, 1, first, count, &list))
		return lookup_parameter(L, traced, index.nodes[0], &list);
	if (crux_level_push_table(L, 1))
		lua_replace(L, 1);
	static const char expected[] = "a table of the level, of integers, truth values, or boards of one size";
	if (!find_element(L, traced, first, count, &like))
		return refuse(L, "lookup", 2, expected);
	int64_t *const columns = lua_newuserdatauv(L, (like.shape.words + 1u) * count * sizeof *columns, 0);
	int64_t *const missing = columns + like.shape.words * count;
	if (!read_table(L, traced, first, count, &like, columns, missing))
		return refuse(L, "lookup", 2, expected);
	for (size_t i = 0; i < like.shape.words; i++)
		like.nodes[i] = crux_trace_lookup(traced->trace, columns + i * count, count, first, index.nodes[0]);
	crux_node const wrong = crux_trace_lookup(traced->trace, missing, count, first, index.nodes[0]);
	traced->wrong = apply(traced, CRUX_OR, traced->wrong, wrong);
	return push(L, traced, &like);
}

/* Reads the board that a method is called of. */
static crux_traced *read_board(lua_State *L, const char *method, value *to)
{
	crux_traced *const traced = owner_of(L, 1);
	if (!read(L, traced, 1, to) || to->kind != CRUX_BOARD)
		refuse(L, method, 1, "a board");
	return traced;
}

/* Every bit `by` places on through all words; no bit leaves them. */
static void move_bits(crux_traced *traced, const value *from, int by, value *to)
{
	int const words = from->shape.words, skip = (by < 0 ? -by : by) / 64, bits = (by < 0 ? -by : by) % 64;
	crux_operation const away = by < 0 ? CRUX_SHIFT_RIGHT : CRUX_SHIFT_LEFT, back = by < 0 ? CRUX_SHIFT_LEFT : CRUX_SHIFT_RIGHT;
	crux_node const places = crux_trace_constant(traced->trace, bits), rest = crux_trace_constant(traced->trace, 64 - bits);
	*to = *from;
	for (int i = 0; i < words; i++) {
		int const near = by < 0 ? i + skip : i - skip, far = by < 0 ? near + 1 : near - 1;
		crux_node const first = near >= 0 && near < words ? apply(traced, away, from->nodes[near], places) : 0;
		crux_node const second = bits && far >= 0 && far < words ? apply(traced, back, from->nodes[far], rest) : 0;
		to->nodes[i] = apply(traced, CRUX_OR, first, second);
	}
}

/* Adds the cells, `steps` on in that direction, that do not leave the board. */
static void add_shifted(crux_traced *traced, const value *from, crux_board_direction direction, int steps, value *to)
{
	uint64_t kept[CRUX_BOARD_WORDS] = {0};
	crux_board_complement(from->shape, kept, kept);
	crux_board_shift(from->shape, kept, direction, -steps, false, kept);
	value inside = *from, moved;
	for (size_t i = 0; i < from->shape.words; i++)
		inside.nodes[i] = apply(traced, CRUX_AND, from->nodes[i], crux_trace_constant(traced->trace, (int64_t)kept[i]));
	bool const is_back = direction == CRUX_BOARD_UP || direction == CRUX_BOARD_LEFT;
	bool const is_row = direction == CRUX_BOARD_LEFT || direction == CRUX_BOARD_RIGHT;
	move_bits(traced, &inside, (is_back ? -steps : steps) * (is_row ? 1 : from->shape.width), &moved);
	for (size_t i = 0; i < from->shape.words; i++)
		to->nodes[i] = apply(traced, CRUX_OR, to->nodes[i], moved.nodes[i]);
}

static value empty_like(const value *a)
{
	return (value){.kind = CRUX_BOARD, .shape = a->shape};
}

static int method_shift(lua_State *L)
{
	static const char *const directions[] = {"U", "L", "D", "R", NULL}; /* in the order of crux_board_direction */
	value a;
	crux_traced *const traced = read_board(L, "shift", &a);
	crux_board_direction const direction = (crux_board_direction)luaL_checkoption(L, 2, NULL, directions);
	lua_Integer const n = luaL_optinteger(L, 3, 1);
	int const size = direction == CRUX_BOARD_LEFT || direction == CRUX_BOARD_RIGHT ? a.shape.width : a.shape.height;
	value result = empty_like(&a);
	if (lua_toboolean(L, 4)) {
		int const steps = (int)(n % size);
		add_shifted(traced, &a, direction, steps, &result);
		add_shifted(traced, &a, direction, steps > 0 ? steps - size : steps + size, &result);
	} else if (n > -size && n < size) {
		add_shifted(traced, &a, direction, (int)n, &result);
	}
	return push(L, traced, &result);
}

static int method_neighbours(lua_State *L)
{
	value a;
	crux_traced *const traced = read_board(L, "neighbours", &a);
	value result = empty_like(&a);
	for (crux_board_direction direction = CRUX_BOARD_UP; direction <= CRUX_BOARD_RIGHT; direction++)
		add_shifted(traced, &a, direction, 1, &result);
	return push(L, traced, &result);
}

/* Reads the cell of which a method is called; -1 outside. */
static int read_cell(lua_State *L, crux_board_shape shape)
{
	lua_Integer const x = luaL_checkinteger(L, 2), y = luaL_checkinteger(L, 3);
	return x >= 1 && x <= shape.width && y >= 1 && y <= shape.height ? (int)((y - 1) * shape.width + x - 1) : -1;
}

static int method_has(lua_State *L)
{
	value a;
	crux_traced *const traced = read_board(L, "has", &a);
	int const cell = read_cell(L, a.shape);
	crux_node const bit = cell < 0 ? 0 : crux_trace_constant(traced->trace, (int64_t)(UINT64_C(1) << cell % 64));
	return push_truth(L, traced, apply(traced, CRUX_UNEQUAL, apply(traced, CRUX_AND, a.nodes[cell < 0 ? 0 : cell / 64], bit), 0));
}

static int change_cell(lua_State *L, const char *method, crux_operation operation)
{
	value a;
	crux_traced *const traced = read_board(L, method, &a);
	int const cell = read_cell(L, a.shape);
	luaL_argcheck(L, cell >= 0, 2, "a column and a row of the board");
	crux_node const bit = crux_trace_constant(traced->trace, (int64_t)(UINT64_C(1) << cell % 64));
	a.nodes[cell / 64] = apply(traced, operation, a.nodes[cell / 64], bit);
	return push(L, traced, &a);
}

static int method_with(lua_State *L)
{
	return change_cell(L, "with", CRUX_OR);
}

static int method_without(lua_State *L)
{
	return change_cell(L, "without", CRUX_AND_NOT);
}

static int method_size(lua_State *L)
{
	value a;
	read_board(L, "size", &a);
	lua_pushinteger(L, a.shape.width);
	lua_pushinteger(L, a.shape.height);
	return 2;
}

/* Reads of a symbolic value: a method; upvalue 1: all of them. */
static int symbol_index(lua_State *L)
{
	lua_settop(L, 2);
	lua_pushvalue(L, 2);
	if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
		return 1;
	crux_push_shown(L, 2);
	lua_pushfstring(L, "found a value of the state, which differs from state to state: it has no %s", lua_tostring(L, -1));
	return crux_trace_raise(L);
}

static const luaL_Reg methods[] = {
	{"any",        word_any},
	{"none",       word_none},
	{"shift",      method_shift},
	{"neighbours", method_neighbours},
	{"has",        method_has},
	{"with",       method_with},
	{"without",    method_without},
	{"size",       method_size},
	{NULL,         NULL},
};

/* Operators, and the words of the vocabulary by their names. */
static const luaL_Reg symbol_fields[] = {
	{"__band", symbol_band},
	{"__bor",  symbol_bor},
	{"__bxor", symbol_bxor},
	{"__bnot", symbol_bnot},
	{"__add",  symbol_add},
	{"__sub",  symbol_sub},
	{"__mul",  symbol_mul},
	{"__unm",  symbol_unm},
	{"__shl",  symbol_shl},
	{"__shr",  symbol_shr},
	{"where",  word_where},
	{"any",    word_any},
	{"none",   word_none},
	{"eq",     word_eq},
	{"ne",     word_ne},
	{"lt",     word_lt},
	{"le",     word_le},
	{"gt",     word_gt},
	{"ge",     word_ge},
	{"min",    word_min},
	{"max",    word_max},
	{"abs",    word_abs},
	{"sgn",    word_sgn},
	{"count",  word_count},
	{"lookup", word_lookup},
	{NULL,     NULL},
};

static const char *const traps[][2] = {
	{"__lt", "write lt(a, b) or gt(a, b)"},
	{"__le", "write le(a, b) or ge(a, b)"},
	{"__eq", "write eq(a, b) instead of a == b"},
	{"__concat", "it cannot be put into text"},
	{"__tostring", "it cannot be put into text"},
	{"__div", "it cannot be divided"},
	{"__idiv", "it cannot be divided; write >> or lookup"},
	{"__mod", "it has no remainder; write & or lookup"},
	{"__pow", "it has no power"},
	{"__len", "write count(board)"},
	{"__call", "it cannot be called"},
	{"__newindex", "it has no fields"},
};

/* Appends to one of a trace's lists. */
static void append(lua_State *L, crux_node **list, size_t *count, size_t *room, crux_node node)
{
	if (*count == *room) {
		size_t const more = 2 * *room + 16;
		crux_node *const grown = realloc(*list, more * sizeof *grown);
		if (!grown)
			luaL_error(L, "out of memory");
		*list = grown;
		*room = more;
	}
	(*list)[(*count)++] = node;
}

static void add_input(lua_State *L, crux_traced *traced, crux_node node)
{
	append(L, &traced->inputs, &traced->input_count, &traced->input_room, node);
}

static void add_output(lua_State *L, crux_traced *traced, crux_node node)
{
	append(L, &traced->outputs, &traced->output_count, &traced->output_room, node);
}

/* new(notes lines) -> a trace without anything */
static int trace_new(lua_State *L)
{
	bool const notes_lines = lua_toboolean(L, 1);
	crux_traced *const traced = lua_newuserdatauv(L, sizeof *traced, 1);
	*traced = (crux_traced){.notes_lines = notes_lines};
	if (notes_lines) {
		lua_newtable(L);
		lua_setiuservalue(L, -2, 1);
	}
	luaL_setmetatable(L, CRUX_TRACE_TYPE);
	lua_pushvalue(L, -1);
	lua_rawsetp(L, lua_upvalueindex(TRACES), traced);
	traced->trace = crux_trace_new();
	return traced->trace ? 1 : luaL_error(L, "out of memory");
}

/* trace:flag() -> symbolic truth value, the next word of a state */
static int trace_flag(lua_State *L)
{
	crux_traced *const traced = crux_trace_check(L, 1);
	crux_node const input = crux_trace_input(traced->trace, 0, 1);
	add_input(L, traced, input);
	return push_truth(L, traced, apply(traced, CRUX_SUBTRACT, 0, input));
}

/* trace:integer(low, high) -> symbolic integer, the next word of a state */
static int trace_integer(lua_State *L)
{
	crux_traced *const traced = crux_trace_check(L, 1);
	int64_t const low = luaL_checkinteger(L, 2), high = luaL_checkinteger(L, 3);
	value v = {.shape.words = 1};
	v.nodes[0] = low == high ? crux_trace_constant(traced->trace, low) : crux_trace_input(traced->trace, low, high);
	add_input(L, traced, v.nodes[0]);
	return push(L, traced, &v);
}

static crux_board_shape check_shape(lua_State *L, int index)
{
	lua_Integer const width = luaL_checkinteger(L, index), height = luaL_checkinteger(L, index + 1);
	luaL_argcheck(L, width >= 1 && width <= CRUX_BOARD_SIDE, index, "a width");
	luaL_argcheck(L, height >= 1 && height <= CRUX_BOARD_SIDE, index + 1, "a height");
	return crux_board_shape_of((unsigned)width, (unsigned)height);
}

/* trace:board(width, height) -> symbolic board, the next words of a state */
static int trace_board(lua_State *L)
{
	crux_traced *const traced = crux_trace_check(L, 1);
	value v = {.kind = CRUX_BOARD, .shape = check_shape(L, 2)};
	for (size_t i = 0; i < v.shape.words; i++) {
		int64_t const full = full_word(v.shape, i);
		v.nodes[i] = crux_trace_input(traced->trace, full < 0 ? INT64_MIN : 0, full < 0 ? INT64_MAX : full);
		add_input(L, traced, v.nodes[i]);
	}
	return push(L, traced, &v);
}

/* trace:given_board(board) -> symbolic board that is a parameter, on the level at hand this one */
static int trace_given_board(lua_State *L)
{
	crux_traced *const traced = crux_trace_check(L, 1);
	value v = {.kind = CRUX_BOARD};
	uint64_t const *const words = crux_board_check(L, 2, &v.shape);
	for (size_t i = 0; i < v.shape.words; i++) {
		int64_t const full = full_word(v.shape, i);
		v.nodes[i] = crux_trace_parameter(traced->trace, full < 0 ? INT64_MIN : 0, full < 0 ? INT64_MAX : full, (int64_t)words[i]);
	}
	return push(L, traced, &v);
}

/* trace:put_flag(value) -> whether it is a truth value, which becomes the next word of what a move leads to */
static int trace_put_flag(lua_State *L)
{
	crux_traced *const traced = crux_trace_check(L, 1);
	value v;
	bool const fits = read(L, traced, 2, &v) && v.kind == CRUX_TRUTH;
	if (fits)
		add_output(L, traced, apply(traced, CRUX_SUBTRACT, 0, v.nodes[0]));
	lua_pushboolean(L, fits);
	return 1;
}

/* trace:put_integer(value, low, high) -> the same for an integer; one outside the range makes the move wrong */
static int trace_put_integer(lua_State *L)
{
	crux_traced *const traced = crux_trace_check(L, 1);
	crux_node const low = crux_trace_constant(traced->trace, luaL_checkinteger(L, 3));
	crux_node const high = crux_trace_constant(traced->trace, luaL_checkinteger(L, 4));
	value v;
	bool const fits = read(L, traced, 2, &v) && v.kind == CRUX_INTEGER;
	if (fits) {
		add_output(L, traced, v.nodes[0]);
		crux_node const is_outside =
			apply(traced, CRUX_OR, apply(traced, CRUX_LESS, v.nodes[0], low), apply(traced, CRUX_LESS, high, v.nodes[0]));
		traced->outside = apply(traced, CRUX_OR, traced->outside, is_outside);
	}
	lua_pushboolean(L, fits);
	return 1;
}

/* trace:put_board(value, width, height) -> the same for a board */
static int trace_put_board(lua_State *L)
{
	crux_traced *const traced = crux_trace_check(L, 1);
	value v, like = {.kind = CRUX_BOARD, .shape = check_shape(L, 3)};
	bool const fits = read(L, traced, 2, &v) && are_alike(&v, &like);
	for (size_t i = 0; fits && i < v.shape.words; i++)
		add_output(L, traced, v.nodes[i]);
	lua_pushboolean(L, fits);
	return 1;
}

/* trace:finish(won, lost) -> whether these are truth values (lost may be nothing); the move at hand is complete then */
static int trace_finish(lua_State *L)
{
	crux_traced *const traced = crux_trace_check(L, 1);
	value won, lost = {.kind = CRUX_TRUTH, .shape.words = 1};
	lua_settop(L, 3);
	bool const fits = read(L, traced, 2, &won) && won.kind == CRUX_TRUTH &&
	                  (lua_isnil(L, 3) || (read(L, traced, 3, &lost) && lost.kind == CRUX_TRUTH));
	if (fits) {
		crux_node const ends = apply(traced, CRUX_OR, won.nodes[0], lost.nodes[0]);
		crux_node const is_outside = apply(traced, CRUX_AND_NOT, traced->outside, ends);
		add_output(L, traced, won.nodes[0]);
		add_output(L, traced, lost.nodes[0]);
		add_output(L, traced, apply(traced, CRUX_OR, traced->wrong, is_outside));
		traced->wrong = traced->outside = 0;
	}
	if (crux_trace_failed(traced->trace))
		return luaL_error(L, "found a step of too many operations, expected fewer");
	lua_pushboolean(L, fits);
	return 1;
}

/* trace:origin(node) -> "script:line: operation", or for an input its number and for a parameter nothing; lowest and highest
 * value */
static int trace_origin(lua_State *L)
{
	static const char *const names[] = {
		[CRUX_AND] = "&", [CRUX_OR] = "|", [CRUX_XOR] = "~", [CRUX_AND_NOT] = "-", [CRUX_ADD] = "+", [CRUX_SUBTRACT] = "-",
		[CRUX_MULTIPLY] = "*", [CRUX_SHIFT_LEFT] = "<<", [CRUX_SHIFT_RIGHT] = ">>", [CRUX_MIN] = "min", [CRUX_MAX] = "max",
		[CRUX_ABS] = "abs", [CRUX_COUNT] = "count", [CRUX_SELECT] = "where", [CRUX_LOOKUP] = "lookup",
	};
	crux_traced *const traced = crux_trace_check(L, 1);
	lua_Integer const number = luaL_checkinteger(L, 2);
	luaL_argcheck(L, number >= 0 && number < crux_trace_count(traced->trace), 2, "no such node");
	crux_trace_node const node = *crux_trace_at(traced->trace, (crux_node)number);
	if (node.operation == CRUX_INPUT) {
		size_t i = 0;
		while (traced->inputs[i] != (crux_node)number)
			i++;
		lua_pushinteger(L, (lua_Integer)i + 1);
	} else if (node.operation < CRUX_AND || !names[node.operation] || lua_getiuservalue(L, 1, 1) != LUA_TTABLE ||
	           lua_rawgeti(L, -1, number) != LUA_TSTRING) {
		lua_pushnil(L);
	} else {
		lua_pushstring(L, names[node.operation]);
		lua_concat(L, 2);
	}
	lua_pushinteger(L, node.low);
	lua_pushinteger(L, node.high);
	return 3;
}

static int trace_release(lua_State *L)
{
	crux_traced *const traced = luaL_checkudata(L, 1, CRUX_TRACE_TYPE);
	crux_trace_free(traced->trace);
	free(traced->inputs);
	free(traced->outputs);
	*traced = (crux_traced){.trace = NULL};
	return 0;
}

static const luaL_Reg trace_methods[] = {
	{"flag",        trace_flag},
	{"integer",     trace_integer},
	{"board",       trace_board},
	{"given_board", trace_given_board},
	{"put_flag",    trace_put_flag},
	{"put_integer", trace_put_integer},
	{"put_board",   trace_put_board},
	{"finish",      trace_finish},
	{"origin",      trace_origin},
	{"close",       trace_release},
	{NULL,          NULL},
};

static const luaL_Reg trace_metamethods[] = {
	{"__gc",    trace_release},
	{"__close", trace_release},
	{NULL,      NULL},
};

static const luaL_Reg functions[] = {
	{"new", trace_new},
	{NULL,  NULL},
};

/* Adds functions, which get their upvalues, to the table on the top of the stack. */
static void add_functions(lua_State *L, const luaL_Reg *of)
{
	lua_pushvalue(L, METATABLE);
	lua_pushvalue(L, TRACES);
	luaL_setfuncs(L, of, 2);
}

int crux_open_trace(lua_State *L)
{
	lua_settop(L, 0);
	luaL_newmetatable(L, CRUX_SYMBOL_TYPE);
	lua_newtable(L);
	lua_createtable(L, 0, 1);
	lua_pushliteral(L, "v");
	lua_setfield(L, -2, "__mode");
	lua_setmetatable(L, TRACES);
	lua_pushvalue(L, METATABLE);
	add_functions(L, symbol_fields);
	for (size_t i = 0; i < sizeof traps / sizeof *traps; i++) {
		lua_pushstring(L, traps[i][1]);
		lua_pushcclosure(L, unknown, 1);
		lua_setfield(L, METATABLE, traps[i][0]);
	}
	lua_pushboolean(L, false);
	lua_setfield(L, METATABLE, "__metatable");
	lua_newtable(L);
	add_functions(L, methods);
	lua_pushcclosure(L, symbol_index, 1);
	lua_setfield(L, METATABLE, "__index");
	luaL_newmetatable(L, CRUX_TRACE_TYPE);
	luaL_setfuncs(L, trace_metamethods, 0);
	lua_newtable(L);
	add_functions(L, trace_methods);
	lua_setfield(L, -2, "__index");
	lua_newtable(L);
	add_functions(L, functions);
	return 1;
}
