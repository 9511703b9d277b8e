/* Statements are compiled once and kept. */
#include "serve/database.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fault.h"
#include "base/library.h"

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

struct crux_database {
#define SQLITE_FIELD(name) __typeof__(sqlite3_##name) *name;
	SQLITE_FUNCTIONS(SQLITE_FIELD)
#undef SQLITE_FIELD
	sqlite3 *connection;
	char *path;
	statement *statements;
	sqlite3_stmt *current; /* NULL before the first */
};

static bool load(crux_database *database)
{
#define SQLITE_ROW_OF(name) {"sqlite3_" #name, &database->name},
	crux_library_function const functions[] = {SQLITE_FUNCTIONS(SQLITE_ROW_OF)};
#undef SQLITE_ROW_OF
	return crux_library_load("libsqlite3.so.0", functions, sizeof functions / sizeof *functions);
}

/* Sets the fault to the last failure of the database, and returns false. */
static bool fail(crux_database *database, crux_fault *fault)
{
	crux_fault_set(fault, "%s: %s", database->path, database->errmsg(database->connection));
	return false;
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

crux_database *crux_database_open(const char *path, bool makes, crux_fault *fault)
{
	crux_database *const database = calloc(1, sizeof *database);
	if (!database || !(database->path = strdup(path)) || !load(database)) {
		crux_fault_set(fault, database && database->path ? "found no libsqlite3.so.0" : "out of memory");
		if (database)
			free(database->path);
		free(database);
		return NULL;
	}
	int const flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (makes ? SQLITE_OPEN_CREATE : 0);
	int const opened = database->open_v2(path, &database->connection, flags, NULL);
	if (opened == SQLITE_OK) {
		database->busy_handler(database->connection, wait_for_others, NULL);
		database->extended_result_codes(database->connection, 1);
		if (database->exec(database->connection, settings, NULL, NULL, NULL) == SQLITE_OK)
			return database;
	}
	crux_fault_set(fault, "%s: %s", path, database->connection ? database->errmsg(database->connection) : database->errstr(opened));
	crux_database_close(database);
	return NULL;
}

void crux_database_close(crux_database *database)
{
	if (!database)
		return;
	while (database->statements) {
		statement *const first = database->statements;
		database->statements = first->next;
		database->finalize(first->compiled);
		free(first->sql);
		free(first);
	}
	database->close_v2(database->connection);
	free(database->path);
	free(database);
}

/* The kept statement of an SQL text, compiled if it is new; NULL and a fault if that fails. */
static sqlite3_stmt *compiled(crux_database *database, const char *sql, crux_fault *fault)
{
	for (statement *s = database->statements; s; s = s->next)
		if (strcmp(s->sql, sql) == 0)
			return s->compiled;
	sqlite3_stmt *made = NULL;
	const char *rest = "";
	if (database->prepare_v3(database->connection, sql, -1, SQLITE_PREPARE_PERSISTENT, &made, &rest) != SQLITE_OK) {
		fail(database, fault);
		return NULL;
	}
	statement *const s = malloc(sizeof *s);
	char *const copy = strdup(sql);
	if (!made || *rest || !s || !copy) {
		crux_fault_set(fault, made && !*rest ? "out of memory" : "found no statement of SQL or several, expected one");
		database->finalize(made);
		free(s);
		free(copy);
		return NULL;
	}
	*s = (statement){database->statements, copy, made};
	database->statements = s;
	return made;
}

void crux_database_end(crux_database *database)
{
	if (database->current)
		database->reset(database->current);
	database->current = NULL;
}

bool crux_database_begin(crux_database *database, const char *sql, crux_fault *fault)
{
	crux_database_end(database);
	database->current = compiled(database, sql, fault);
	if (database->current)
		database->clear_bindings(database->current);
	return database->current != NULL;
}

bool crux_database_bind(crux_database *database, int parameter, crux_database_value value, crux_fault *fault)
{
	sqlite3_stmt *const s = database->current;
	int result = SQLITE_ERROR;
	switch (value.kind) {
	case CRUX_DATABASE_NULL:
		result = database->bind_null(s, parameter);
		break;
	case CRUX_DATABASE_INTEGER:
		result = database->bind_int64(s, parameter, value.integer);
		break;
	case CRUX_DATABASE_REAL:
		result = database->bind_double(s, parameter, value.real);
		break;
	case CRUX_DATABASE_TEXT:
		result = database->bind_text(s, parameter, value.text, (int)value.size, SQLITE_TRANSIENT);
		break;
	}
	return result == SQLITE_OK || fail(database, fault);
}

int crux_database_step(crux_database *database, crux_fault *fault)
{
	switch (database->step(database->current)) {
	case SQLITE_ROW:
		return 1;
	case SQLITE_DONE:
		return 0;
	default:
		fail(database, fault);
		return -1;
	}
}

int crux_database_columns(crux_database *database)
{
	return database->column_count(database->current);
}

const char *crux_database_name(crux_database *database, int column)
{
	return database->column_name(database->current, column);
}

crux_database_value crux_database_column(crux_database *database, int column)
{
	sqlite3_stmt *const s = database->current;
	crux_database_value value = {.kind = CRUX_DATABASE_NULL};
	switch (database->column_type(s, column)) {
	case SQLITE_NULL:
		break;
	case SQLITE_INTEGER:
		value.kind = CRUX_DATABASE_INTEGER;
		value.integer = database->column_int64(s, column);
		break;
	case SQLITE_FLOAT:
		value.kind = CRUX_DATABASE_REAL;
		value.real = database->column_double(s, column);
		break;
	default:
		value.kind = CRUX_DATABASE_TEXT;
		value.text = (const char *)database->column_text(s, column);
		value.size = value.text ? (size_t)database->column_bytes(s, column) : 0;
		break;
	}
	return value;
}
