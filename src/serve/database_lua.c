/* libcrux.database: databases of SQLite, which is loaded when a database is opened. What is committed is on the disk: the journal is a
 * write-ahead log, and each commit waits for it (synchronous = FULL). Statements are compiled once and kept. */
#include <lauxlib.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/library.h"
#include "lua/binding.h"
#include "lua/modules.h"

#define TYPE "crux.database"

/* The functions of SQLite that are used. */
#define SQLITE_FUNCTIONS(f) \
	f(open_v2) f(close_v2) f(errmsg) f(errstr) f(busy_handler) f(exec) f(extended_result_codes) f(prepare_v3) f(finalize) \
	f(reset) f(clear_bindings) f(step) f(bind_null) f(bind_int64) f(bind_double) f(bind_text) f(column_count) f(column_name) \
	f(column_type) f(column_int64) f(column_double) f(column_text) f(column_bytes)

enum { BUSY_NANOSECONDS = 500 * 1000, MOST_TRIES = 20000 }; /* for other connections and programs that write the same database */

typedef struct statement {
	struct statement *next;
	char *sql;
	sqlite3_stmt *compiled;
} statement;

typedef struct database {
#define SQLITE_FIELD(name) __typeof__(sqlite3_##name) *name;
	SQLITE_FUNCTIONS(SQLITE_FIELD)
#undef SQLITE_FIELD
	sqlite3 *connection;
	char *path;
	statement *statements;
	sqlite3_stmt *current; /* that an error of Lua's has left between two rows; else NULL */
} database;

static bool load(database *d)
{
#define SQLITE_ROW_OF(name) {"sqlite3_" #name, &d->name},
	crux_library_function const functions[] = {SQLITE_FUNCTIONS(SQLITE_ROW_OF)};
#undef SQLITE_ROW_OF
	return crux_library_load("libsqlite3.so.0", functions, sizeof functions / sizeof *functions);
}

/* Pushes nil and the path with the message. */
static int fail(lua_State *L, const database *d, const char *message)
{
	lua_pushnil(L);
	lua_pushfstring(L, "%s: %s", d->path, message);
	return 2;
}

/* Waits for another connection; after the last try a statement fails. (SQLite's own busy_timeout sleeps longer with each try.) */
static int wait_for_others(void *unused, int tries)
{
	(void)unused;
	nanosleep(&(struct timespec){.tv_nsec = BUSY_NANOSECONDS}, NULL);
	return tries < MOST_TRIES;
}

static const char settings[] = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
                               "PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON";

/* open(path, makes) -> database, a new one where `makes` is true and there is none; or nil and a message */
static int database_open(lua_State *L)
{
	const char *const path = luaL_checkstring(L, 1);
	int const flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (lua_toboolean(L, 2) ? SQLITE_OPEN_CREATE : 0);
	database **const slot = crux_handle_new(L, TYPE, sizeof *slot, 0);
	database *const d = *slot = calloc(1, sizeof *d);
	if (!d || !(d->path = strdup(path)))
		return crux_fail(L, "out of memory");
	if (!load(d))
		return crux_fail(L, "found no libsqlite3.so.0");
	int const opened = d->open_v2(path, &d->connection, flags, NULL);
	if (opened == SQLITE_OK) {
		d->busy_handler(d->connection, wait_for_others, NULL);
		d->extended_result_codes(d->connection, 1);
		if (d->exec(d->connection, settings, NULL, NULL, NULL) == SQLITE_OK)
			return 1;
	}
	return fail(L, d, d->connection ? d->errmsg(d->connection) : d->errstr(opened));
}

/* database:close() */
static int database_close(lua_State *L)
{
	database *const d = crux_handle_take(L, TYPE);
	if (!d)
		return 0;
	while (d->statements) {
		statement *const first = d->statements;
		d->statements = first->next;
		d->finalize(first->compiled);
		free(first->sql);
		free(first);
	}
	if (d->connection)
		d->close_v2(d->connection);
	free(d->path);
	free(d);
	return 0;
}

/* The kept statement of an SQL text, compiled if it is new; NULL, with nil and a message pushed, if that fails. */
static sqlite3_stmt *compiled(lua_State *L, database *d, const char *sql)
{
	for (statement *s = d->statements; s; s = s->next)
		if (strcmp(s->sql, sql) == 0)
			return s->compiled;
	sqlite3_stmt *made = NULL;
	const char *rest = "";
	if (d->prepare_v3(d->connection, sql, -1, SQLITE_PREPARE_PERSISTENT, &made, &rest) != SQLITE_OK) {
		fail(L, d, d->errmsg(d->connection));
		return NULL;
	}
	statement *const s = malloc(sizeof *s);
	char *const copy = strdup(sql);
	if (!made || *rest || !s || !copy) {
		crux_fail(L, made && !*rest ? "out of memory" : "found no statement of SQL or several, expected one");
		d->finalize(made);
		free(s);
		free(copy);
		return NULL;
	}
	*s = (statement){d->statements, copy, made};
	d->statements = s;
	return made;
}

/* Sets the parameter ? of that number, from 1 on, to the value at that index; true is 1, false 0. Returns a code of SQLite. */
static int bind(lua_State *L, const database *d, sqlite3_stmt *s, int parameter, int index)
{
	size_t size;
	switch (lua_type(L, index)) {
	case LUA_TNIL:
		return d->bind_null(s, parameter);
	case LUA_TBOOLEAN:
		return d->bind_int64(s, parameter, lua_toboolean(L, index));
	case LUA_TNUMBER:
		return lua_isinteger(L, index) ? d->bind_int64(s, parameter, lua_tointeger(L, index))
		                               : d->bind_double(s, parameter, lua_tonumber(L, index));
	default: {
		const char *const text = lua_tolstring(L, index, &size);
		return d->bind_text(s, parameter, text, (int)size, SQLITE_TRANSIENT);
	}
	}
}

/* Pushes the table of a row. */
static void push_row(lua_State *L, const database *d, sqlite3_stmt *s)
{
	int const columns = d->column_count(s);
	lua_createtable(L, 0, columns);
	for (int i = 0; i < columns; i++) {
		const char *text;
		switch (d->column_type(s, i)) {
		case SQLITE_NULL:
			continue;
		case SQLITE_INTEGER:
			lua_pushinteger(L, d->column_int64(s, i));
			break;
		case SQLITE_FLOAT:
			lua_pushnumber(L, d->column_double(s, i));
			break;
		default:
			text = (const char *)d->column_text(s, i);
			lua_pushlstring(L, text ? text : "", text ? (size_t)d->column_bytes(s, i) : 0);
		}
		lua_setfield(L, -2, d->column_name(s, i));
	}
}

/* Pushes the list of the rows. Returns a code of SQLite. */
static int push_rows(lua_State *L, const database *d, sqlite3_stmt *s)
{
	int code;
	lua_newtable(L);
	for (lua_Integer row = 1; (code = d->step(s)) == SQLITE_ROW; row++) {
		push_row(L, d, s);
		lua_rawseti(L, -2, row);
	}
	return code;
}

/* database:run(sql, ...) -> the rows, tables by column, of one statement whose parameters are the other arguments; or nil and a
 * message */
static int database_run(lua_State *L)
{
	database *const d = *(database **)crux_handle_check(L, 1, TYPE, "the database was closed");
	const char *const sql = luaL_checkstring(L, 2);
	int const top = lua_gettop(L);
	for (int i = 3; i <= top; i++) {
		int const type = lua_type(L, i);
		if (type != LUA_TNIL && type != LUA_TBOOLEAN && type != LUA_TNUMBER)
			luaL_checkstring(L, i);
		luaL_argcheck(L, type != LUA_TSTRING || lua_rawlen(L, i) <= INT_MAX, i, "too long");
	}
	sqlite3_stmt *const s = compiled(L, d, sql);
	if (!s)
		return 2;
	if (d->current)
		d->reset(d->current);
	d->current = s;
	d->clear_bindings(s);
	int code = SQLITE_OK;
	for (int i = 3; code == SQLITE_OK && i <= top; i++)
		code = bind(L, d, s, i - 2, i);
	if (code == SQLITE_OK)
		code = push_rows(L, d, s);
	int const results = code == SQLITE_DONE ? 1 : fail(L, d, d->errmsg(d->connection));
	d->reset(s);
	d->current = NULL;
	return results;
}

CRUX_TABLE(methods,
	{"run",     database_run},
	{"close",   database_close},
	CRUX_CLOSES(database_close))

CRUX_TABLE(functions,
	{"open", database_open})

CRUX_TYPE_LIBRARY(database, TYPE)
