/* value.c: values stay the same in another state and back; messages name what cannot be sent. */
#include "lua/value.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* same(a, b): equal, of the same kinds of numbers, to the last bit; random_value(depth) draws a plain value. */
static const char helpers[] =
    "function same(a, b)\n"
    "  if type(a) ~= 'table' or type(b) ~= 'table' then\n"
    "    return math.type(a) == math.type(b) and (a == b or a ~= a and b ~= b)\n"
    "      and (math.type(a) ~= 'float' or string.pack('n', a) == string.pack('n', b))\n"
    "  end\n"
    "  for key, value in pairs(a) do if not same(value, b[key]) then return false end end\n"
    "  for key in pairs(b) do if a[key] == nil then return false end end\n"
    "  return getmetatable(b) == nil\n"
    "end\n"
    "math.randomseed(7)\n"
    "local kinds = {\n"
    "  function() return math.random() < 0.5 end,\n"
    "  function() return math.random(0) end,\n"
    "  function() return math.random(-3, 9) end,\n"
    "  function() return math.random() * 10 ^ math.random(-300, 300) end,\n"
    "  function() return ('\\0x\\n\\255'):rep(math.random(0, 40)) .. math.random(9) end,\n"
    "}\n"
    "function random_value(depth)\n"
    "  if depth == 0 or math.random() < 0.3 then return kinds[math.random(#kinds)]() end\n"
    "  local t = {}\n"
    "  for i = 1, math.random(0, 8) do t[i] = random_value(depth - 1) end\n"
    "  for _ = 1, math.random(0, 4) do t[random_value(0)] = random_value(depth - 1) end\n"
    "  return t\n"
    "end\n"
    "function nested(n) local t = {} for _ = 2, n do t = { t } end return t end\n";

static lua_State *new_state(void)
{
	lua_State *L = luaL_newstate();
	luaL_openlibs(L);
	CHECK(luaL_dostring(L, helpers) == LUA_OK);
	return L;
}

/* Pushes the value of an expression. */
static void evaluate(lua_State *L, const char *expression)
{
	lua_pushfstring(L, "return %s", expression);
	CHECK(luaL_dostring(L, lua_tostring(L, -1)) == LUA_OK);
	lua_remove(L, -2);
}

/* Sends the value on top to the other state and back; returns true if it is the same and nothing is left on the stacks. */
static bool survives(lua_State *L, lua_State *other)
{
	crux_bytes out = {0}, back = {0};
	int const top = lua_gettop(L);
	lua_getglobal(L, "same");
	bool right = crux_value_write(L, top, "value", &out, NULL) && lua_gettop(L) == top + 1 &&
	             crux_value_check(out.data, out.size) && !crux_value_check(out.data, out.size - 1) &&
	             crux_value_push(other, out.data) == out.data + out.size && lua_gettop(other) == 1 &&
	             crux_value_write(other, 1, "value", &back, NULL);
	lua_pushvalue(L, top);
	right = right && crux_value_push(L, back.data) == back.data + back.size;
	if (right) {
		lua_call(L, 2, 1);
		right = lua_toboolean(L, -1);
	}
	lua_settop(L, top);
	lua_settop(other, 0);
	crux_bytes_free(&out);
	crux_bytes_free(&back);
	return right;
}

static void round_trips(lua_State *L, lua_State *other)
{
	static const char *const values[] = {
	    "nil", "true", "false", "0", "-1", "math.maxinteger", "math.mininteger", "1.0", "0.0", "-0.0", "0.1", "1e308", "5e-324",
	    "1 / 0", "-1 / 0", "0 / 0", "-(0 / 0)", "''", "'a\\0b\\255\\n'", "('x'):rep(1000000)", "{}", "{ {}, { {} } }",
	    "{ 1, 2.0, '3', { 4 } }", "{ [0] = 0, [-1] = 1, [1.5] = 2, [true] = 3, [false] = 4, x = 5, [''] = 6, [2] = 7 }",
	    "{ 1, nil, 3, nil, nil, 6 }", "{ [1 << 53] = 1, [math.mininteger] = 2, [2 ^ 70] = 3 }", "nested(100)",
	    "(function() local t = {} for k = 0, 62 do t[1 << k] = k end return t end)()", /* Lua's length counts far into nils */
	    "{ n = 3, name = 'level 1', rows = { '#.', '.#' }, [1] = false }",
	};
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		evaluate(L, values[i]);
		bool const right = survives(L, other);
		CHECK(right);
		if (!right)
			printf("  %s\n", values[i]);
		lua_settop(L, 0);
	}
	for (int i = check_count(80, 1000); i > 0; i--) {
		evaluate(L, "random_value(5)");
		CHECK(survives(L, other));
		lua_settop(L, 0);
	}
}

static void several_in_a_row(lua_State *L, lua_State *other)
{
	crux_bytes bytes = {0};
	for (int i = 1; i <= 300; i++) {
		lua_pushinteger(L, i);
		CHECK(crux_value_write(L, -1, "value", &bytes, NULL));
		evaluate(L, "{ 'x', y = true }");
		CHECK(crux_value_write(L, -1, "value", &bytes, NULL));
		lua_settop(L, 0);
	}
	const char *next = bytes.data;
	for (int i = 1; i <= 300; i++) {
		next = crux_value_push(other, next);
		CHECK(lua_tointeger(other, -1) == i);
		next = crux_value_push(other, next);
		CHECK(lua_rawlen(other, -1) == 1);
		lua_settop(other, 0);
	}
	CHECK(next == bytes.data + bytes.size);
	crux_bytes_free(&bytes);
	CHECK(!bytes.data && bytes.size == 0 && bytes.capacity == 0);
	crux_bytes_free(&bytes);
}

static void refusals(lua_State *L)
{
#define EXPECTED ", expected nil, a boolean, a number, a string or a table of these"
	static const struct {
		const char *value, *message;
	} cases[] = {
	    {"print", "item: found a function" EXPECTED},
	    {"{ cells = { 1, 2, print } }", "item.cells[3]: found a function" EXPECTED},
	    {"{ [4.5] = { [true] = coroutine.create(print) } }", "item[4.5][true]: found a thread" EXPECTED},
	    {"{ file = io.stdout }", "item.file: found a FILE*" EXPECTED},
	    {"{ { {} , { [-1] = print } } }", "item[1][2][-1]: found a function" EXPECTED},
	    {"{ [{}] = 1 }", "item: found a table as a key, expected a boolean, a number or a string"},
	    {"{ { [print] = 1 } }", "item[1]: found a function as a key, expected a boolean, a number or a string"},
	    {"setmetatable({}, {})", "item: found a table with a metatable, expected a plain table"},
	    {"{ a = { setmetatable({}, {}) } }", "item.a[1]: found a table with a metatable, expected a plain table"},
	};
	crux_bytes bytes = {0};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		crux_fault fault = {""};
		evaluate(L, cases[i].value);
		CHECK(!crux_value_write(L, -1, "item", &bytes, &fault) && lua_gettop(L) == 1);
		CHECK(strcmp(fault.message, cases[i].message) == 0);
		if (strcmp(fault.message, cases[i].message) != 0)
			printf("  %s\n", fault.message);
		lua_settop(L, 0);
	}
	static const char *const deep[] = {"nested(101)", "(function() local t = {} t.t = t return t end)()"};
	for (size_t i = 0; i < 2; i++) {
		crux_fault fault = {""};
		evaluate(L, deep[i]);
		CHECK(!crux_value_write(L, -1, "item", &bytes, &fault) && lua_gettop(L) == 1);
		CHECK(strstr(fault.message, ": found tables nested more than 100 deep, expected fewer, and no table in itself"));
		lua_settop(L, 0);
	}
	crux_bytes_free(&bytes);

	size_t const size = ((size_t)1 << 30) + 1; /* never written, so it takes no memory */
	crux_bytes full = {malloc(size), size, size};
	crux_fault fault = {""};
	lua_pushnil(L);
	CHECK(!crux_value_write(L, -1, "item", &full, &fault));
	CHECK(strcmp(fault.message, "item: found a value of more than 1 GiB, expected a smaller one") == 0);
	lua_settop(L, 0);
	crux_bytes_free(&full);
}

/* Pushes the value of bytes that may be anything; userdata 1: the bytes. */
static int push_checked(lua_State *L)
{
	crux_bytes const *bytes = lua_touserdata(L, 1);
	lua_settop(L, 0);
	CHECK(crux_value_push(L, bytes->data) == bytes->data + bytes->size);
	return 0;
}

/* Changes some bytes: what crux_value_check accepts is pushed without reading behind the end. */
static void changed_bytes(lua_State *L)
{
	int passed = 0, count = check_count(300, 4000);
	srand(11);
	for (int i = 0; i < count; i++) {
		crux_bytes bytes = {0};
		evaluate(L, "random_value(3)");
		CHECK(crux_value_write(L, -1, "value", &bytes, NULL));
		crux_bytes changed = {malloc(bytes.size), bytes.size, bytes.size}; /* memory that ends with the bytes */
		memcpy(changed.data, bytes.data, bytes.size);
		for (int n = rand() % 3; n >= 0; n--)
			changed.data[(size_t)rand() % changed.size] = (char)(rand() % 2 ? rand() % 9 : rand());
		if (crux_value_check(changed.data, changed.size)) {
			passed++;
			lua_pushcfunction(L, push_checked);
			lua_pushlightuserdata(L, &changed);
			CHECK(lua_pcall(L, 1, 0, 0) == LUA_OK);
		}
		lua_settop(L, 0);
		free(changed.data);
		crux_bytes_free(&bytes);
	}
	CHECK(passed > count / 4 && passed < count * 39 / 40);
	CHECK(!crux_value_check(NULL, 0));
}

int main(void)
{
	lua_State *L = new_state(), *other = new_state();
	round_trips(L, other);
	several_in_a_row(L, other);
	refusals(L);
	changed_bytes(L);
	lua_close(L);
	lua_close(other);
	return check_summary();
}
