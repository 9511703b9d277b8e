/* A database of SQLite, which is loaded when a database is opened; one thread uses it at a time. What is committed is on the
 * disk: the journal is a write-ahead log, and each commit waits for it (synchronous = FULL). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crux.h"

typedef struct crux_database crux_database;

typedef enum crux_database_kind { CRUX_DATABASE_NULL, CRUX_DATABASE_INTEGER, CRUX_DATABASE_REAL, CRUX_DATABASE_TEXT } crux_database_kind;

typedef struct crux_database_value {
	crux_database_kind kind;
	int64_t integer;
	double real;
	const char *text; /* UTF-8; from a database valid until the next step */
	size_t size;      /* bytes */
} crux_database_value;

/* Opens a file; `makes`: a new one unless it is there. NULL and a fault if that fails. */
crux_database *crux_database_open(const char *path, bool makes, crux_fault *fault);

/* NULL is allowed. */
void crux_database_close(crux_database *database);

/* Begins one statement of SQL; the one before ends. False and a fault if the SQL is wrong. */
bool crux_database_begin(crux_database *database, const char *sql, crux_fault *fault);

/* Sets the parameter ? of that number, from 1 on; the text is copied. */
bool crux_database_bind(crux_database *database, int parameter, crux_database_value value, crux_fault *fault);

/* Goes on to the next row: 1 if there is one, 0 at the end, -1 and a fault. */
int crux_database_step(crux_database *database, crux_fault *fault);

/* The columns of the row, from 0 on. */
int crux_database_columns(crux_database *database);
const char *crux_database_name(crux_database *database, int column);
crux_database_value crux_database_column(crux_database *database, int column);

/* Ends the statement, which unlocks what it read. */
void crux_database_end(crux_database *database);
