/* libcrux.workers: workers that call a function of a Lua module; see executor.h. */
#include <lauxlib.h>
#include <stdint.h>

#include "base/executor.h"
#include "base/note.h"
#include "host/primitives.h"
#include "host/processes.h"
#include "host/workers.h"
#include "lua/binding.h"
#include "lua/value.h"
#include "port/port.h"

#define TYPE "crux.workers"

enum { MOST = 1024 }; /* threads of a pool */

typedef struct handle {
	void *pool;       /* NULL: closed */
	crux_executor const *executor;
	crux_bytes bytes; /* item for the pool */
} handle;

/* The executor of this state. */
static const crux_executor *executor_of(lua_State *L)
{
	lua_getfield(L, LUA_REGISTRYINDEX, CRUX_EXECUTOR_KEY);
	crux_executor const *executor = lua_touserdata(L, -1);
	lua_pop(L, 1);
	return executor ? executor : &crux_workers;
}

static handle *check(lua_State *L)
{
	return crux_handle_check(L, 1, TYPE, "the workers were stopped");
}

static void pack(lua_State *L, int index, const char *name, crux_bytes *bytes)
{
	crux_fault fault;
	if (!crux_value_write(L, index, name, bytes, &fault))
		luaL_error(L, "%s", fault.message);
}

/* Starts a pool of `count` workers; the arguments from index 2 on are those of new. */
static int start(lua_State *L, size_t count, const crux_executor *executor)
{
	luaL_checkstring(L, 2);
	lua_settop(L, 3);
	handle *h = crux_handle_new(L, TYPE, sizeof *h, 0);
	h->executor = executor;
	lua_getglobal(L, "package");
	lua_getfield(L, -1, "path");
	pack(L, -1, "package.path", &h->bytes);
	pack(L, 2, "module", &h->bytes);
	pack(L, 3, "setup", &h->bytes);
	lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
	lua_getfield(L, -1, "libcrux.home");
	lua_getfield(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
	lua_getfield(L, -1, "lpeg");
	crux_fault fault;
	h->pool = executor->start(count, luaL_checkstring(L, -3), lua_tocfunction(L, -1), &h->bytes, &fault);
	lua_settop(L, 4);
	if (h->pool)
		return 1;
	return crux_fail(L, fault.message);
}

/* new(count, module, setup) -> a pool of workers, each of which calls require(module)(setup) to get the function for items,
 * with the package.path of this state; or nil and a message */
static int workers_new(lua_State *L)
{
	lua_Integer const count = luaL_checkinteger(L, 1);
	luaL_argcheck(L, count >= 1 && count <= MOST, 1, "the number of threads is 1 to 1024");
	return start(L, (size_t)count, executor_of(L));
}

/* process(module, setup) -> a pool of one worker in a process of its own (processes.h); or nil and a message */
static int workers_process(lua_State *L)
{
	lua_settop(L, 2);
	lua_pushnil(L);
	lua_insert(L, 1);
	return start(L, 1, &crux_processes);
}

/* workers:put(item), a plain value */
static int workers_put(lua_State *L)
{
	handle *h = check(L);
	luaL_checkany(L, 2);
	h->bytes.size = 0; /* drops an item that could not be sent */
	pack(L, 2, "item", &h->bytes);
	return h->executor->put(h->pool, &h->bytes) ? 0 : luaL_error(L, "out of memory");
}

/* workers:take() -> waits for the result of the oldest item and returns it; or nil and a message if the worker raised or died */
static int workers_take(lua_State *L)
{
	handle *h = check(L);
	crux_fault fault;
	const char *const bytes = h->executor->wait(h->pool, &fault);
	if (bytes)
		crux_value_push(L, bytes);
	h->executor->drop(h->pool);
	return bytes ? 1 : crux_fail(L, fault.message);
}

/* workers:descriptor() -> of a process: a descriptor that is readable while there is a result to take; or nil and a message */
static int workers_descriptor(lua_State *L)
{
	handle *h = check(L);
	int const descriptor = h->executor->descriptor ? h->executor->descriptor(h->pool) : -1;
	if (descriptor < 0)
		return crux_fail(L, "the process is gone, and no other can be started");
	lua_pushinteger(L, descriptor);
	return 1;
}

/* workers:noted() -> the number that a process has noted by process.note since the last put; 0 if none */
static int workers_noted(lua_State *L)
{
	handle *h = check(L);
	lua_pushinteger(L, h->executor->note ? h->executor->note(h->pool) : 0);
	return 1;
}

/* workers:halt(is_soft): ends a process in the middle of its item, which then fails, and another process gets the next item; or tells
 * it softly, by what process.note returns there, to answer soon */
static int workers_halt(lua_State *L)
{
	handle *h = check(L);
	if (h->executor->halt)
		h->executor->halt(h->pool, lua_toboolean(L, 2) ? CRUX_NOTE_FINISH : CRUX_NOTE_HALT);
	return 0;
}

/* count(wanted) -> the number of workers to start: that of the executor if it is fixed, 1 where there are no threads, else `wanted`,
 * else the number of processors that this process may use */
static int workers_count(lua_State *L)
{
	size_t const fixed = executor_of(L)->workers, processors = crux_port_processors();
	lua_Integer const wanted = luaL_optinteger(L, 1, (lua_Integer)processors);
	lua_pushinteger(L, fixed > 0 ? (lua_Integer)fixed : processors > 0 ? wanted : 1);
	return 1;
}

static int workers_release(lua_State *L)
{
	handle *h = luaL_checkudata(L, 1, TYPE);
	if (h->pool)
		h->executor->stop(h->pool);
	crux_bytes_free(&h->bytes);
	*h = (handle){0};
	return 0;
}

CRUX_TABLE(methods,
	{"put",        workers_put},
	{"take",       workers_take},
	{"descriptor", workers_descriptor},
	{"noted",      workers_noted},
	{"halt",       workers_halt},
	CRUX_CLOSES(workers_release))

CRUX_TABLE(functions,
	{"new",     workers_new},
	{"process", workers_process},
	{"count",   workers_count})

static int open_workers(lua_State *L) { return crux_open_type(L, TYPE, methods, functions); }

void crux_workers_preload(lua_State *L, const crux_executor *executor)
{
	if (executor) {
		lua_pushlightuserdata(L, (void *)(uintptr_t)executor);
		lua_setfield(L, LUA_REGISTRYINDEX, CRUX_EXECUTOR_KEY);
	}
	crux_preload(L, "libcrux.workers", open_workers);
}
