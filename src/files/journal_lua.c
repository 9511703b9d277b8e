/* libcrux.journal: journals of plain values; see journal.h. */
#include <lauxlib.h>

#include "files/journal.h"
#include "lua/binding.h"
#include "lua/modules.h"
#include "lua/value.h"

#define TYPE "crux.journal"

typedef struct handle {
	crux_journal *journal; /* NULL: closed */
	crux_bytes bytes;      /* of the current value */
} handle;

static handle *check(lua_State *L)
{
	return crux_handle_check(L, 1, TYPE, "the journal was closed");
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
	handle *h = crux_handle_new(L, TYPE, sizeof *h, 0);
	h->journal = crux_journal_open(path, title, &fault);
	return h->journal ? 1 : crux_fail(L, fault.message);
}

/* journal:has(step) -> true if the step was there when the journal was opened; ask for steps in ascending order */
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

/* journal:close() -> true when all steps are on the disk; or nil and a message */
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

CRUX_TABLE(methods,
	{"has",     journal_has},
	{"read",    journal_read},
	{"append",  journal_append},
	{"close",   journal_close},
	CRUX_CLOSES(journal_release))

CRUX_TABLE(functions,
	{"open", journal_open})

CRUX_TYPE_LIBRARY(journal, TYPE)
