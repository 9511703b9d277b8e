/* workers.c and interrupt.c: order, results, faults, and stopping threads in any state. */
#include "host/workers.h"

#include <lauxlib.h>
#include <lua-lpeg.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "lua/value.h"

/* The module of the workers: its setup is the name of a function. */
static const char module[] =
    "local function mark(path) io.open(path, 'w'):close() end\n"
    "local function spin(path) mark(path) while true do end end\n"
    "local function calls(path) mark(path) local function f() end while true do f() end end\n"
    "local function catches(path) mark(path) while true do pcall(error, 'x') end end\n"
    "local function allocates(path) mark(path) while true do local t = {} end end\n"
    "local does = {\n"
    "  echo = function(item) return item end,\n"
    "  slow_first = function(item) for _ = 1, item == 1 and 1e6 or 0 do end return item * 10 end,\n"
    "  fails = function(item) error(item, 0) end,\n"
    "  unsendable = function(item) return { value = item, f = print } end,\n"
    "  spin = spin,\n"
    "  calls = calls,\n"
    "  allocates = allocates,\n"
    "  catches = function(path) while true do pcall(pcall, catches, path) end end,\n"
    "  in_a_coroutine = function(path) return coroutine.resume(coroutine.create(spin), path) end,\n"
    "  in_a_wrapped_one = function(path) coroutine.wrap(coroutine.wrap(spin))(path) end,\n"
    "  after_a_coroutine = function(path)\n"
    "    local f = coroutine.wrap(function() coroutine.yield() error 'x' end)\n"
    "    f() pcall(f) coroutine.resume(coroutine.create(print)) pcall(coroutine.resume, 1) spin(path)\n"
    "  end,\n"
    "  in_a_handler = function(path) xpcall(error, function() spin(path) end) end,\n"
    "  before_a_handler = function(path) xpcall(spin, function() spin(path) end, path) end,\n"
    "}\n"
    "return function(setup) return does[setup] or error('no ' .. setup, 0) end\n";

static char mark[256]; /* a file that a worker makes before it loops for ever */
static char path[512]; /* package.path of the workers */

static void *start(size_t count, const char *name, const char *setup)
{
	lua_State *L = luaL_newstate();
	crux_fault fault = {""};
	crux_bytes bytes = {0};
	const char *const values[] = {path, name, setup};
	for (int i = 0; i < 3; i++) {
		lua_pushstring(L, values[i]);
		CHECK(crux_value_write(L, -1, "start", &bytes, &fault));
	}
	lua_close(L);
	void *pool = crux_workers.start(count, NULL, luaopen_lpeg, &bytes, &fault);
	CHECK(pool && !bytes.data);
	if (pool)
		return pool;
	puts(fault.message);
	exit(check_summary());
}

static void put_integer(lua_State *L, void *pool, lua_Integer value)
{
	crux_bytes item = {0};
	lua_pushinteger(L, value);
	CHECK(crux_value_write(L, -1, "item", &item, NULL) && crux_workers.put(pool, &item) && !item.data);
	lua_pop(L, 1);
}

static lua_Integer take_integer(lua_State *L, void *pool)
{
	crux_fault fault;
	const char *const bytes = crux_workers.wait(pool, &fault);
	if (!bytes)
		return -1;
	crux_value_push(L, bytes);
	crux_workers.drop(pool);
	lua_Integer const value = lua_tointeger(L, -1);
	lua_pop(L, 1);
	return value;
}

static void order(lua_State *L, size_t count)
{
	crux_fault fault = {""};
	void *pool = start(count, "workers_test_module", "slow_first");
	bool right = true;
	for (lua_Integer i = 1; i <= 200; i++)
		put_integer(L, pool, i);
	for (lua_Integer i = 1; i <= 200; i++)
		right = right && take_integer(L, pool) == 10 * i;
	CHECK(right);
	CHECK(!crux_workers.wait(pool, &fault) && strcmp(fault.message, "no item was put that is not taken yet") == 0);
	crux_workers.drop(pool);
	put_integer(L, pool, 5);
	CHECK(take_integer(L, pool) == 50); /* the pool still works */
	crux_workers.stop(pool);
}

/* The first of two items fails with this message; the second has a result. */
static void failure(lua_State *L, const char *name, const char *setup, const char *message)
{
	crux_fault fault = {""};
	void *pool = start(2, name, setup);
	for (int i = 0; i < 2; i++)
		put_integer(L, pool, 7);
	for (int i = 0; i < 2; i++) {
		fault.message[0] = '\0';
		CHECK(!crux_workers.wait(pool, &fault) && strncmp(fault.message, message, strlen(message)) == 0);
		crux_workers.drop(pool);
	}
	crux_workers.stop(pool);
}

static void failures(lua_State *L)
{
	failure(L, "workers_test_module", "fails", "7");
	failure(L, "workers_test_module", "unsendable", "result.f: found a function, expected nil, a boolean, ");
	failure(L, "workers_test_module", "nothing", "no nothing");
	failure(L, "no_such_module", "echo", "module 'no_such_module' not found:");
	crux_fault fault = {""};
	crux_bytes none = {0};
	CHECK(!crux_workers.start(1, "/no/such/home", luaopen_lpeg, &none, &fault) && strstr(fault.message, "/no/such/home: ") == fault.message);
	crux_workers.stop(NULL);
}

/* Frees a pool with items waiting, at work and done. */
static void stop_early(lua_State *L)
{
	void *pool = start(3, "workers_test_module", "echo");
	for (lua_Integer i = 0; i < 100; i++)
		put_integer(L, pool, i);
	CHECK(take_integer(L, pool) == 0);
	crux_workers.stop(pool);
	crux_workers.stop(start(2, "workers_test_module", "echo")); /* most likely before they are ready */
}

/* Frees a pool while a worker runs code that would never end. */
static void stop_endless(lua_State *L, const char *setup)
{
	void *pool = start(2, "workers_test_module", setup);
	crux_bytes item = {0};
	remove(mark);
	lua_pushstring(L, mark);
	CHECK(crux_value_write(L, -1, "item", &item, NULL) && crux_workers.put(pool, &item));
	lua_pop(L, 1);
	while (access(mark, F_OK) != 0)
		usleep(100);
	crux_workers.stop(pool);
	CHECK(remove(mark) == 0);
}

int main(void)
{
	const char *const folder = getenv("CRUX_TEST_FOLDER");
	char file[256];
	alarm(60); /* ends the test if a thread cannot be stopped */
	snprintf(mark, sizeof mark, "%s/workers_test_mark", folder ? folder : "/tmp");
	snprintf(path, sizeof path, "%s/?.lua", folder ? folder : "/tmp");
	snprintf(file, sizeof file, "%s/workers_test_module.lua", folder ? folder : "/tmp");
	FILE *out = fopen(file, "w");
	CHECK(out && fputs(module, out) >= 0 && fclose(out) == 0);
	lua_State *L = luaL_newstate();
	for (size_t count = 1; count <= 8; count *= 2)
		order(L, count);
	failures(L);
	stop_early(L);
	stop_endless(L, "allocates");
#ifndef __SANITIZE_THREAD__ /* it holds signals back until code that it knows is called, which Lua's is not */
	static const char *const endless[] = {"spin", "calls", "catches", "in_a_coroutine", "in_a_wrapped_one", "after_a_coroutine",
	                                      "in_a_handler", "before_a_handler"};
	for (size_t i = 0; i < sizeof endless / sizeof *endless; i++)
		stop_endless(L, endless[i]);
#endif
	lua_close(L);
	remove(file);
	return check_summary();
}
