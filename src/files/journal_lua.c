/* libcrux.journal: journals of plain values, and digests; see journal.h. */
#include <lauxlib.h>

#include "files/journal.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "lua/value.h"

#define TYPE "crux.journal"

typedef struct handle {
	crux_journal *journal; /* NULL: closed */
	crux_bytes bytes;      /* of a value */
} handle;

static handle *check(lua_State *L)
{
	handle *h = luaL_checkudata(L, 1, TYPE);
	luaL_argcheck(L, h->journal, 1, "the journal was closed");
	return h;
}

static uint64_t check_step(lua_State *L)
{
	lua_Integer const step = luaL_checkinteger(L, 2);
	luaL_argcheck(L, step >= 0, 2, "steps are not negative");
	return (uint64_t)step;
}

/* open(path, title) -> journal, or nil and a message */
static int journal_open(lua_State *L)
{
	const char *const path = luaL_checkstring(L, 1), *const title = luaL_checkstring(L, 2);
	crux_fault fault;
	handle *h = lua_newuserdatauv(L, sizeof *h, 0);
	*h = (handle){0};
	luaL_setmetatable(L, TYPE);
	h->journal = crux_journal_open(path, title, &fault);
	return h->journal ? 1 : crux_fail(L, fault.message);
}

/* journal:has(step) -> whether it was there when the journal was opened; steps are asked for in ascending order */
static int journal_has(lua_State *L)
{
	lua_pushboolean(L, crux_journal_has(check(L)->journal, check_step(L)));
	return 1;
}

/* journal:read(step) -> its value, or nil and a message */
static int journal_read(lua_State *L)
{
	handle *h = check(L);
	crux_fault fault;
	if (!crux_journal_read(h->journal, check_step(L), &h->bytes, &fault))
		return crux_fail(L, fault.message);
	if (!crux_value_check(h->bytes.data, h->bytes.size))
		return crux_fail(L, "found a record that is no value");
	crux_value_push(L, h->bytes.data);
	return 1;
}

/* journal:append(step, value) -> true, or nil and a message */
static int journal_append(lua_State *L)
{
	handle *h = check(L);
	uint64_t const step = check_step(L);
	crux_fault fault;
	luaL_checkany(L, 3);
	h->bytes.size = 0;
	if (!crux_value_write(L, 3, "result", &h->bytes, &fault))
		return luaL_error(L, "%s", fault.message);
	if (!crux_journal_append(h->journal, step, h->bytes.data, h->bytes.size, &fault))
		return crux_fail(L, fault.message);
	lua_pushboolean(L, true);
	return 1;
}

static bool release(handle *h, crux_fault *fault)
{
	bool const done = crux_journal_close(h->journal, fault);
	crux_bytes_free(&h->bytes);
	*h = (handle){0};
	return done;
}

/* journal:close() -> true when all is on the disk, or nil and a message */
static int journal_close(lua_State *L)
{
	crux_fault fault;
	if (!release(luaL_checkudata(L, 1, TYPE), &fault))
		return crux_fail(L, fault.message);
	lua_pushboolean(L, true);
	return 1;
}

static int journal_release(lua_State *L)
{
	release(luaL_checkudata(L, 1, TYPE), NULL);
	return 0;
}

/* digest(text) -> 32 hexadecimal digits */
static int journal_digest(lua_State *L)
{
	size_t size;
	const char *const text = luaL_checklstring(L, 1, &size);
	char digest[33];
	crux_digest(text, size, digest);
	lua_pushstring(L, digest);
	return 1;
}

/* digest_file(path) -> the same of what it holds, or nil and a message */
static int journal_digest_file(lua_State *L)
{
	char digest[33];
	crux_fault fault;
	if (!crux_digest_file(luaL_checkstring(L, 1), digest, &fault))
		return crux_fail(L, fault.message);
	lua_pushstring(L, digest);
	return 1;
}

static const luaL_Reg methods[] = {
	{"has",     journal_has},
	{"read",    journal_read},
	{"append",  journal_append},
	{"close",   journal_close},
	{"__gc",    journal_release},
	{"__close", journal_release},
	{NULL,      NULL},
};

static const luaL_Reg functions[] = {
	{"open",        journal_open},
	{"digest",      journal_digest},
	{"digest_file", journal_digest_file},
	{NULL,          NULL},
};

int crux_open_journal(lua_State *L)
{
	return crux_open_type(L, TYPE, methods, NULL, functions);
}
